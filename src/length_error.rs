//! [`LengthError`]: bytes of another number than a type has.

use core::fmt;

/// Bytes that are no [`LtHash`](crate::LtHash)'s or [`Checksum`](crate::Checksum)'s because of their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LengthError {
    /// How many bytes the type has: 2048 or 32.
    pub expected: usize,
    /// How many bytes were given.
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
