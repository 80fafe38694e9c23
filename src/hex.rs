//! Hexadecimal text: encoding and decoding, for inputs of a few bytes as well as for large ones.
//!
//! Encoding gives lower-case digits unless it says otherwise; decoding takes either case. The functions named
//! `prefixed` write, and insist on, the `0x` that Ethereum's tools use (`0X` is read as well); the others know no prefix.
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

mod scalar;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;
use core::slice;

use scalar::Case;

const PREFIX: &str = "0x";

/// The bytes as lower-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    encode_with("", bytes.as_ref(), Case::Lower)
}

/// The bytes as `0x` and lower-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode_prefixed(bytes: impl AsRef<[u8]>) -> String {
    encode_with(PREFIX, bytes.as_ref(), Case::Lower)
}

/// The bytes as upper-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode_upper(bytes: impl AsRef<[u8]>) -> String {
    encode_with("", bytes.as_ref(), Case::Upper)
}

/// Appends the bytes to `text` as lower-case digits; reserves once.
///
/// # Panics
///
/// If the text gets longer than `isize::MAX`.
pub fn append(bytes: impl AsRef<[u8]>, text: &mut String) {
    append_with("", bytes.as_ref(), Case::Lower, text);
}

/// Appends the bytes to `text` as `0x` and lower-case digits; reserves once.
///
/// # Panics
///
/// If the text gets longer than `isize::MAX`.
pub fn append_prefixed(bytes: impl AsRef<[u8]>, text: &mut String) {
    append_with(PREFIX, bytes.as_ref(), Case::Lower, text);
}

/// Writes the bytes as lower-case digits into `out`, which has twice their length, and returns it as text.
///
/// # Errors
///
/// [`Error::Length`] if `out` has another length.
pub fn encode_to_slice(bytes: impl AsRef<[u8]>, out: &mut [u8]) -> Result<&mut str, Error> {
    let bytes = bytes.as_ref();
    check_length(out.len(), digits_len(bytes))?;
    encode_into(bytes, as_uninit(out), Case::Lower);
    // SAFETY: `out` holds nothing but digits, which are ASCII.
    Ok(unsafe { core::str::from_utf8_unchecked_mut(out) })
}

/// The bytes that the digits stand for.
///
/// # Errors
///
/// [`Error::OddLength`] or [`Error::InvalidDigit`], the first that applies.
pub fn decode(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
    decode_with(text.as_ref(), 0)
}

/// The bytes that the digits after a `0x` stand for.
///
/// # Errors
///
/// [`Error::MissingPrefix`], [`Error::OddLength`] or [`Error::InvalidDigit`], the first that applies.
pub fn decode_prefixed(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
    let text = text.as_ref();
    check_prefix(text)?;
    decode_with(text, PREFIX.len())
}

/// Writes the bytes that the digits stand for into `out`, which has half their length.
///
/// # Errors
///
/// [`Error::OddLength`], [`Error::Length`] if `out` has another length, or [`Error::InvalidDigit`], the first that
/// applies. `out` is then left as it was.
pub fn decode_to_slice(text: impl AsRef<[u8]>, out: &mut [u8]) -> Result<(), Error> {
    decode_to_slice_with(text.as_ref(), 0, out)
}

/// Writes the bytes that the digits after a `0x` stand for into `out`, which has half the digits' length.
///
/// # Errors
///
/// [`Error::MissingPrefix`], [`Error::OddLength`], [`Error::Length`] if `out` has another length, or
/// [`Error::InvalidDigit`], the first that applies. `out` is then left as it was.
pub fn decode_prefixed_to_slice(text: impl AsRef<[u8]>, out: &mut [u8]) -> Result<(), Error> {
    let text = text.as_ref();
    check_prefix(text)?;
    decode_to_slice_with(text, PREFIX.len(), out)
}

/// Why a text is not decoded, or why bytes are not encoded into a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The text does not begin with `0x` or `0X`.
    MissingPrefix,
    /// The number of digits is odd.
    OddLength,
    /// The output slice has the wrong length.
    Length {
        /// The length that it must have, in bytes.
        expected: usize,
        /// The length that it has, in bytes.
        actual: usize,
    },
    /// A byte of the text is no hexadecimal digit; it is the first such.
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
            Error::MissingPrefix => f.write_str("hex text does not begin with 0x"),
            Error::OddLength => f.write_str("hex text has an odd number of digits"),
            Error::Length { expected, actual } => write!(
                f,
                "output slice has {actual} bytes: expected {expected} bytes"
            ),
            Error::InvalidDigit { position, byte } => write!(
                f,
                "invalid hex digit '{}' at position {position}: expected 0-9, a-f or A-F",
                byte.escape_ascii()
            ),
        }
    }
}

impl core::error::Error for Error {}

/// Cannot overflow: a slice is no longer than `isize::MAX`.
fn digits_len(bytes: &[u8]) -> usize {
    2 * bytes.len()
}

fn check_length(actual: usize, expected: usize) -> Result<(), Error> {
    if actual != expected {
        return Err(Error::Length { expected, actual });
    }
    Ok(())
}

fn check_prefix(text: &[u8]) -> Result<(), Error> {
    match text {
        [b'0', b'x' | b'X', ..] => Ok(()),
        _ => Err(Error::MissingPrefix),
    }
}

fn as_uninit(out: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same memory; what is written through the result here is always initialised.
    unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) }
}

fn encode_with(prefix: &str, bytes: &[u8], case: Case) -> String {
    let mut text = String::new();
    append_with(prefix, bytes, case, &mut text);
    text
}

fn append_with(prefix: &str, bytes: &[u8], case: Case, text: &mut String) {
    let digits = digits_len(bytes);
    text.reserve_exact(prefix.len().saturating_add(digits));
    text.push_str(prefix);
    // SAFETY: what is appended below are digits, which are ASCII.
    let vec = unsafe { text.as_mut_vec() };
    let end = vec.len() + digits;
    encode_into(bytes, &mut vec.spare_capacity_mut()[..digits], case);
    // SAFETY: the bytes up to `end` are initialised.
    unsafe { vec.set_len(end) };
}

fn decode_with(text: &[u8], prefix: usize) -> Result<Vec<u8>, Error> {
    let digits = &text[prefix..];
    if digits.len() % 2 != 0 {
        return Err(Error::OddLength);
    }
    let length = digits.len() / 2;
    let mut bytes = Vec::with_capacity(length);
    decode_into(digits, &mut bytes.spare_capacity_mut()[..length]).map_err(|e| e.shift(prefix))?;
    // SAFETY: all of them have been decoded.
    unsafe { bytes.set_len(length) };
    Ok(bytes)
}

fn decode_to_slice_with(text: &[u8], prefix: usize, out: &mut [u8]) -> Result<(), Error> {
    let digits = &text[prefix..];
    if digits.len() % 2 != 0 {
        return Err(Error::OddLength);
    }
    check_length(out.len(), digits.len() / 2)?;
    decode_into(digits, as_uninit(out)).map_err(|e| e.shift(prefix))
}

impl Error {
    fn shift(self, prefix: usize) -> Error {
        match self {
            Error::InvalidDigit { position, byte } => Error::InvalidDigit {
                position: position + prefix,
                byte,
            },
            other => other,
        }
    }
}

fn encode_into(bytes: &[u8], out: &mut [MaybeUninit<u8>], case: Case) {
    scalar::encode(bytes, out, case);
}

fn decode_into(digits: &[u8], out: &mut [MaybeUninit<u8>]) -> Result<(), Error> {
    scalar::decode(digits, out)
}
