//! [`Records`]: what a multiset's records are.

use core::fmt;

/// What a multiset's records are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Records {
    /// Each record ends with this byte in a file; the byte is no part of the record.
    Delimited(u8),
    /// Each record follows its length in a file.
    LengthPrefixed,
    /// Keys and values, as [`kv::element`](crate::kv::element) serialises them.
    KeyValue,
    /// Rows of a table in the normal form, version 1, that [`row`](crate::row) makes. Their bytes are those of the elements.
    Rows,
}

impl Records {
    /// Lines: records that end with a newline.
    pub const LINES: Records = Records::Delimited(b'\n');

    /// Whether multisets of these records can be merged and compared. A record is the same bytes whether it ends with a
    /// delimiter or follows its length; keys and values, and rows, are something else.
    #[must_use]
    pub fn agree_with(self, other: Records) -> bool {
        self.element_kind() == other.element_kind()
    }

    /// What of a kind decides which bytes are an element.
    fn element_kind(self) -> Option<Records> {
        match self {
            Records::Delimited(_) | Records::LengthPrefixed => None,
            Records::KeyValue | Records::Rows => Some(self),
        }
    }
}

impl fmt::Display for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Records::Delimited(b'\n') => f.write_str("lines"),
            Records::Delimited(byte) => write!(f, "records that end with the byte {byte:#04x}"),
            Records::LengthPrefixed => f.write_str("records behind their lengths"),
            Records::KeyValue => f.write_str("keys and values"),
            Records::Rows => f.write_str("rows"),
        }
    }
}
