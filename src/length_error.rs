//! [`LengthError`]: the wrong number of bytes for a type.

use core::fmt;

/// The wrong number of bytes for a [`LtHash`](crate::LtHash) or a [`Checksum`](crate::Checksum).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LengthError {
    /// The number of bytes that the type has: 2048 or 32.
    pub expected: usize,
    /// The number of bytes that were given.
    pub actual: usize,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LengthError { expected, actual } = self;
        write!(f, "{actual} bytes were given: expected {expected}")
    }
}

impl core::error::Error for LengthError {}

/// The bytes as an array.
pub(crate) fn to_array<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], LengthError> {
    bytes.try_into().map_err(|_| LengthError {
        expected: N,
        actual: bytes.len(),
    })
}
