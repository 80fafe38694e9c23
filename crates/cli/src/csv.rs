//! Rows of fields between delimiters, as RFC 4180 has them: where they end, what their fields say, and which columns count.

mod ends;
mod fields;
mod table;

pub use ends::Ends;
pub use fields::Fields;
pub use table::{Columns, Table};

/// What a line holds without its end.
pub fn trim(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
