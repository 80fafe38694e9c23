//! [`Records`]: kinds of records.

use core::fmt;

/// The kind of a multiset's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Records {
    /// In a file, each record ends with this byte, which is not part of the record.
    Delimited(u8),
    /// In a file, each record follows its length.
    LengthPrefixed,
    /// Keys and values, as [`kv::element`](crate::kv::element) serialises them.
    KeyValue,
    /// Rows of a table in the normal form, version 1, that [`row`](crate::row) makes. Their bytes are those of the elements.
    Rows,
}

impl Records {
    /// Lines: records that end with a newline.
    pub const LINES: Records = Records::Delimited(b'\n');

    /// Whether multisets of these records can be merged and compared. A record has the same bytes whether it ends with a
    /// delimiter or follows its length. Keys and values differ from these, and so do rows.
    #[must_use]
    pub fn agree_with(self, other: Records) -> bool {
        self.element_kind() == other.element_kind()
    }

    /// The part of the kind that decides which bytes an element has.
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
