//! Hexadecimal text: encoding and decoding, fast for a few bytes as well as for many.
//!
//! Encoding writes lower-case digits, except by [`encode_upper`]; decoding reads both cases. The functions whose names have
//! `prefixed` write `0x` before the digits, as Ethereum's tools do, and require it when they read (`0X` will do). The others
//! neither write nor read a prefix.
//!
//! ```
//! use lthash::hex;
//!
//! assert_eq!(hex::encode([0xde, 0xad]), "dead");
//! assert_eq!(hex::decode("dEaD"), Ok(vec![0xde, 0xad]));
//! assert_eq!(hex::decode_prefixed("dead"), Err(hex::Error::MissingPrefix));
//! assert_eq!(
//!     hex::decode_prefixed("0xdefg"),
//!     Err(hex::Error::InvalidDigit { position: 5, byte: b'g' }),
//! );
//! ```
//!
//! No branch and no address depends on the bytes or on the digits' values, only on lengths and on whether there is a bad
//! digit.

mod decode;
mod display;
mod encode;
mod error;
mod literal;
mod output;
#[cfg(feature = "serde")]
pub mod serde;
mod text;

pub use display::{Display, display};
pub use error::Error;
pub use literal::{const_decode, const_encode};

use crate::Kernels;
use alloc::string::String;
use alloc::vec::Vec;
use text::{LOWER, PREFIX, UPPER, prefix_len};

/// The bytes as lower-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    encode::to_string("", bytes.as_ref(), LOWER)
}

/// The bytes as `0x` and lower-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode_prefixed(bytes: impl AsRef<[u8]>) -> String {
    encode::to_string(PREFIX, bytes.as_ref(), LOWER)
}

/// The bytes as upper-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode_upper(bytes: impl AsRef<[u8]>) -> String {
    encode::to_string("", bytes.as_ref(), UPPER)
}

/// Writes the bytes as lower-case digits into `out`, which is twice as long, and returns it as text.
///
/// # Errors
///
/// [`Error::Length`] if `out` has another length.
#[inline]
pub fn encode_to_slice(bytes: impl AsRef<[u8]>, out: &mut [u8]) -> Result<&mut str, Error> {
    encode::into_slice(bytes.as_ref(), out, None)
}

/// Appends the bytes to `text` as lower-case digits; reserves once.
///
/// # Panics
///
/// If the text gets longer than `isize::MAX`.
pub fn append(bytes: impl AsRef<[u8]>, text: &mut String) {
    encode::append("", bytes.as_ref(), LOWER, text);
}

/// Appends the bytes to `text` as `0x` and lower-case digits; reserves once.
///
/// # Panics
///
/// If the text gets longer than `isize::MAX`.
pub fn append_prefixed(bytes: impl AsRef<[u8]>, text: &mut String) {
    encode::append(PREFIX, bytes.as_ref(), LOWER, text);
}

/// The bytes that the digits stand for.
///
/// # Errors
///
/// [`Error::OddLength`] or [`Error::InvalidDigit`], the first that applies.
#[inline]
pub fn decode(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
    decode::to_vec(text.as_ref(), 0)
}

/// The bytes that the digits after a `0x` stand for.
///
/// # Errors
///
/// [`Error::MissingPrefix`], [`Error::OddLength`] or [`Error::InvalidDigit`], the first that applies.
#[inline]
pub fn decode_prefixed(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
    let text = text.as_ref();
    decode::to_vec(text, prefix_len(text)?)
}

/// Writes the bytes that the digits stand for into `out`, which is half as long.
///
/// # Errors
///
/// [`Error::OddLength`], [`Error::Length`] if `out` has another length, or [`Error::InvalidDigit`], the first that
/// applies. `out` is then as it was. (For that, an `out` of more than 2 KiB takes as much of the heap
/// again, and the digits for one of more than 1 MiB are decoded twice.)
#[inline]
pub fn decode_to_slice(text: impl AsRef<[u8]>, out: &mut [u8]) -> Result<(), Error> {
    decode::into_slice(text.as_ref(), 0, out, None)
}

/// Writes the bytes that the digits after a `0x` stand for into `out`, which is half as long as the digits.
///
/// # Errors
///
/// [`Error::MissingPrefix`], or as [`decode_to_slice`].
#[inline]
pub fn decode_prefixed_to_slice(text: impl AsRef<[u8]>, out: &mut [u8]) -> Result<(), Error> {
    let text = text.as_ref();
    decode::into_slice(text, prefix_len(text)?, out, None)
}

/// The bytes that the digits stand for, which may come after a `0x`.
///
/// # Errors
///
/// [`Error::OddLength`], [`Error::Length`] with the text's length, or [`Error::InvalidDigit`], the first that applies.
pub(crate) fn to_array<const N: usize>(text: &str) -> Result<[u8; N], Error> {
    let text = text.as_bytes();
    let prefix = prefix_len(text).unwrap_or(0);
    let mut bytes = [0; N];
    match decode::into_slice(text, prefix, &mut bytes, None) {
        Ok(()) => Ok(bytes),
        Err(Error::Length { .. }) => Err(Error::Length {
            expected: prefix + 2 * N,
            actual: text.len(),
        }),
        Err(error) => Err(error),
    }
}

impl Kernels {
    /// [`hex::encode_to_slice`](encode_to_slice) with these kernels. (Input shorter than 32 bytes needs none.)
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` is not twice as long as the bytes.
    pub fn hex_encode<'a>(&self, bytes: &[u8], out: &'a mut [u8]) -> Result<&'a mut str, Error> {
        encode::into_slice(bytes, out, Some(self))
    }

    /// [`hex::decode_to_slice`](decode_to_slice) with these kernels. (Output of up to 16 bytes needs none.)
    ///
    /// # Errors
    ///
    /// As [`hex::decode_to_slice`](decode_to_slice).
    pub fn hex_decode(&self, text: &[u8], out: &mut [u8]) -> Result<(), Error> {
        decode::into_slice(text, 0, out, Some(self))
    }
}
