//! The text's prefix and digits.

use super::error::Error;

pub(super) const PREFIX: &str = "0x";
pub(super) const LOWER: &[u8; 16] = b"0123456789abcdef";
pub(super) const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// The length of the prefix, which the text must have.
#[inline]
pub(super) fn prefix_len(text: &[u8]) -> Result<usize, Error> {
    match text {
        [b'0', b'x' | b'X', ..] => Ok(PREFIX.len()),
        _ => Err(Error::MissingPrefix),
    }
}
