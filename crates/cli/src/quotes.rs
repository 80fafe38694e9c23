//! Lines that may be parts of rows.

use crate::framing::delimited;
use crate::input::Position;
use crate::output;
use memchr::memchr_iter;
use std::sync::atomic::{AtomicBool, Ordering};

/// Warns, once, of a line with an odd number of quotes in a file that is named as a table: a line's end in a quoted field is
/// no record's end, so tables with other rows may have the same lines.
#[derive(Default)]
pub struct Quotes {
    warned: AtomicBool,
}

impl Quotes {
    /// Looks at lines, the first of which is at `position`.
    pub fn look(&self, lines: &[u8], position: Position<'_>) {
        if self.warned.load(Ordering::Relaxed) || !position.input.is_named_as_table() {
            return;
        }
        let is_odd = |line: &[u8]| memchr_iter(b'"', line).count() % 2 == 1;
        let has_quote = memchr::memchr(b'"', lines).is_some();
        let found = has_quote.then(|| delimited(b'\n', lines).position(is_odd));
        if let Some(index) = found.flatten() {
            if !self.warned.swap(true, Ordering::Relaxed) {
                output::warn(format_args!(
                    "{}: line {} has an odd number of quotes: if a field goes on in the next line, rows are read by --format csv",
                    position.input,
                    position.record + index as u64 + 1
                ));
            }
        }
    }
}
