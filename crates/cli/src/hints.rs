//! What may explain a difference.

use lthash::state::{Records, State};

/// The bytes of a byte-order mark.
const MARK: u64 = 3;

/// A hint where as many records differ by one byte each, or by three in all: line ends, or a mark before the text.
pub fn of_line_ends(a: &State, b: &State) -> Option<&'static str> {
    let are_lines = |state: &State| state.kind() == Records::LINES;
    if !are_lines(a) || !are_lines(b) || a.records() != b.records() || a.records() <= 0 {
        return None;
    }
    let (records, difference) = (a.records().unsigned_abs(), a.bytes().abs_diff(b.bytes()));
    if difference == records {
        Some("one byte a record: do the lines of one of them end with CR LF?")
    } else if difference == MARK {
        Some("three bytes in all: does one of them begin with a byte-order mark?")
    } else if difference == records + MARK {
        Some("one byte a record and three: CR LF, and a byte-order mark?")
    } else {
        None
    }
}
