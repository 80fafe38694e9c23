//! [`Error`]: why hex text or a slice is refused.

use core::fmt;

/// Why a text cannot be decoded, or bytes cannot be encoded into a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text does not begin with `0x` or `0X`.
    MissingPrefix,
    /// The number of digits is odd.
    OddLength,
    /// A slice has the wrong length.
    Length {
        /// The length that it must have.
        expected: usize,
        /// The length that it has.
        actual: usize,
    },
    /// A byte of the text is not a hexadecimal digit. It is the first such byte.
    InvalidDigit {
        /// Its index in the text as given, a prefix included.
        position: usize,
        /// The byte.
        byte: u8,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Error::MissingPrefix => f.write_str("hex text must begin with 0x"),
            Error::OddLength => f.write_str("hex text has an odd number of digits"),
            Error::Length { expected, actual } => {
                write!(f, "length is {actual}: expected {expected}")
            }
            Error::InvalidDigit { position, byte } => write!(
                f,
                "invalid hex digit '{}' at position {position}: expected 0-9, a-f or A-F",
                byte.escape_ascii()
            ),
        }
    }
}

impl core::error::Error for Error {}

/// The lengths of an [`Error::Length`]. (Not inlined: otherwise a caller would keep one of them in a register only for this
/// error.)
#[cold]
#[inline(never)]
pub(super) fn lengths(expected: usize, actual: usize) -> (usize, usize) {
    (expected, actual)
}
