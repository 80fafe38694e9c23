//! Hexadecimal text: encoding and decoding, fast for a few bytes as well as for many.
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
//!
//! No branch and no address depends on the bytes or on the digits' values, only on lengths and on whether there is a bad
//! digit.

mod display;
mod literal;
mod scalar;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2;

pub use display::{Display, display};
pub use literal::{const_decode, const_encode};

use crate::Kernels;
use crate::backend::Uninit;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;
use core::slice;

/// What runs without kernels: on short input, and in the portable backend's table.
pub(crate) mod fallback {
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    pub(crate) use super::scalar::{decode, encode};
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub(crate) use super::sse2::{decode, encode};
}

/// The bytes as lower-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    encode_with("", bytes.as_ref(), LOWER)
}

/// The bytes as `0x` and lower-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode_prefixed(bytes: impl AsRef<[u8]>) -> String {
    encode_with(PREFIX, bytes.as_ref(), LOWER)
}

/// The bytes as upper-case digits.
///
/// # Panics
///
/// If the text is longer than `isize::MAX`.
#[must_use]
pub fn encode_upper(bytes: impl AsRef<[u8]>) -> String {
    encode_with("", bytes.as_ref(), UPPER)
}

/// Writes the bytes as lower-case digits into `out`, which is twice as long, and returns it as text.
///
/// # Errors
///
/// [`Error::Length`] if `out` has another length.
#[inline]
pub fn encode_to_slice(bytes: impl AsRef<[u8]>, out: &mut [u8]) -> Result<&mut str, Error> {
    encode_to_slice_with(Kernels::active, bytes.as_ref(), out)
}

/// Appends the bytes to `text` as lower-case digits; reserves once.
///
/// # Panics
///
/// If the text gets longer than `isize::MAX`.
pub fn append(bytes: impl AsRef<[u8]>, text: &mut String) {
    append_with("", bytes.as_ref(), LOWER, text);
}

/// Appends the bytes to `text` as `0x` and lower-case digits; reserves once.
///
/// # Panics
///
/// If the text gets longer than `isize::MAX`.
pub fn append_prefixed(bytes: impl AsRef<[u8]>, text: &mut String) {
    append_with(PREFIX, bytes.as_ref(), LOWER, text);
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
    decode_with(text, prefix_len(text)?)
}

/// Writes the bytes that the digits stand for into `out`, which is half as long.
///
/// # Errors
///
/// [`Error::OddLength`], [`Error::Length`] if `out` has another length, or [`Error::InvalidDigit`], the first that
/// applies. `out` is then as it was; so that it can be, more than 2 KiB of it are copied to the heap on the way.
#[inline]
pub fn decode_to_slice(text: impl AsRef<[u8]>, out: &mut [u8]) -> Result<(), Error> {
    decode_to_slice_with(Kernels::active, text.as_ref(), 0, out)
}

/// Writes the bytes that the digits after a `0x` stand for into `out`, which is half as long as the digits.
///
/// # Errors
///
/// [`Error::MissingPrefix`], or as [`decode_to_slice`].
#[inline]
pub fn decode_prefixed_to_slice(text: impl AsRef<[u8]>, out: &mut [u8]) -> Result<(), Error> {
    let text = text.as_ref();
    decode_to_slice_with(Kernels::active, text, prefix_len(text)?, out)
}

impl Kernels {
    /// [`hex::encode_to_slice`](encode_to_slice) with these kernels, which input shorter than 32 bytes does not need.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `out` is not twice as long as the bytes.
    pub fn hex_encode<'a>(&self, bytes: &[u8], out: &'a mut [u8]) -> Result<&'a mut str, Error> {
        encode_to_slice_with(|| self, bytes, out)
    }

    /// [`hex::decode_to_slice`](decode_to_slice) with these kernels, which output shorter than 32 bytes does not need.
    ///
    /// # Errors
    ///
    /// As [`hex::decode_to_slice`](decode_to_slice).
    pub fn hex_decode(&self, text: &[u8], out: &mut [u8]) -> Result<(), Error> {
        decode_to_slice_with(|| self, text, 0, out)
    }
}

/// Why a text is not decoded, or bytes are not encoded into a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

const PREFIX: &str = "0x";
const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// Shorter input is done inline, by what every processor has: measured, the call of a kernel pays from here on. It is
/// also the least that a kernel takes.
const KERNEL_BYTES: usize = 32;

/// A kernel that decodes so many bytes needs nowhere to save what was there.
const HELD_BYTES: usize = 64;

#[inline]
fn digits_len(bytes: &[u8]) -> usize {
    // Cannot overflow: a slice has no more than isize::MAX bytes.
    2 * bytes.len()
}

#[inline]
fn prefix_len(text: &[u8]) -> Result<usize, Error> {
    match text {
        [b'0', b'x' | b'X', ..] => Ok(PREFIX.len()),
        _ => Err(Error::MissingPrefix),
    }
}

#[inline]
fn as_uninit(out: &mut [u8]) -> &mut Uninit {
    // SAFETY: the same memory, in which no user of the result leaves an uninitialised byte.
    unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) }
}

/// Inlined but for the digits, so that the string's parts stay in registers.
#[inline]
fn encode_with(prefix: &str, bytes: &[u8], alphabet: &[u8; 16]) -> String {
    let mut text = String::with_capacity(text_len(prefix, bytes));
    push_digits(prefix, bytes, alphabet, &mut text);
    text
}

fn append_with(prefix: &str, bytes: &[u8], alphabet: &[u8; 16], text: &mut String) {
    text.reserve(text_len(prefix, bytes));
    push_digits(prefix, bytes, alphabet, text);
}

/// More than any allocation if there is no such length.
#[inline]
fn text_len(prefix: &str, bytes: &[u8]) -> usize {
    prefix.len().saturating_add(digits_len(bytes))
}

#[inline(never)]
fn write_digits(bytes: &[u8], out: &mut Uninit, alphabet: &[u8; 16]) {
    encode_digits(Kernels::active, bytes, out, alphabet);
}

/// Appends to a text that has room for it.
#[inline]
fn push_digits(prefix: &str, bytes: &[u8], alphabet: &[u8; 16], text: &mut String) {
    if !prefix.is_empty() {
        text.push_str(prefix);
    }
    let digits = digits_len(bytes);
    // SAFETY: only digits are added, which are ASCII.
    let text = unsafe { text.as_mut_vec() };
    let out = &mut text.spare_capacity_mut()[..digits];
    write_digits(bytes, out, alphabet);
    // SAFETY: so many more bytes are initialised now.
    unsafe { text.set_len(text.len() + digits) };
}

#[inline]
fn encode_to_slice_with<'k, 'a>(
    kernels: impl FnOnce() -> &'k Kernels,
    bytes: &[u8],
    out: &'a mut [u8],
) -> Result<&'a mut str, Error> {
    if out.len() != digits_len(bytes) {
        return Err(Error::Length {
            expected: digits_len(bytes),
            actual: out.len(),
        });
    }
    encode_digits(kernels, bytes, as_uninit(out), LOWER);
    // SAFETY: it holds nothing but digits, which are ASCII.
    Ok(unsafe { core::str::from_utf8_unchecked_mut(out) })
}

/// Initialises all of `out`, which is twice as long as the bytes.
#[inline(always)]
fn encode_digits<'k>(
    kernels: impl FnOnce() -> &'k Kernels,
    bytes: &[u8],
    out: &mut Uninit,
    alphabet: &[u8; 16],
) {
    assert!(out.len() == digits_len(bytes));
    if bytes.len() < KERNEL_BYTES {
        fallback::encode(bytes, out, alphabet);
    } else {
        // SAFETY: a table's kernels can run, and the lengths are as they want them.
        unsafe { (kernels().hex_encode)(bytes, out, alphabet) }
    }
}

fn decode_with(text: &[u8], prefix: usize) -> Result<Vec<u8>, Error> {
    let digits = &text[prefix..];
    if digits.len() % 2 != 0 {
        return Err(Error::OddLength);
    }
    let count = digits.len() / 2;
    let mut bytes = Vec::with_capacity(count);
    let out = &mut bytes.spare_capacity_mut()[..count];
    if !decode_digits(Kernels::active, digits, out, None) {
        return Err(invalid_digit(text, prefix));
    }
    // SAFETY: all of them are initialised.
    unsafe { bytes.set_len(count) };
    Ok(bytes)
}

#[inline]
fn decode_to_slice_with<'k>(
    kernels: impl FnOnce() -> &'k Kernels,
    text: &[u8],
    prefix: usize,
    out: &mut [u8],
) -> Result<(), Error> {
    let digits = &text[prefix..];
    if digits.len() != 2 * out.len() {
        return Err(wrong_length(digits.len(), out.len()));
    }
    let good = if out.len() <= HELD_BYTES {
        decode_digits(kernels, digits, as_uninit(out), None)
    } else {
        decode_saving(kernels(), digits, out)
    };
    if good {
        Ok(())
    } else {
        Err(invalid_digit(text, prefix))
    }
}

/// Initialises all of `out`, which is half as long as the digits, and returns true; or returns false if a digit is bad.
/// Then, if `out` is no longer than [`HELD_BYTES`] or `saved` is as long, `out` is as it was, else it may hold anything.
#[inline(always)]
fn decode_digits<'k>(
    kernels: impl FnOnce() -> &'k Kernels,
    digits: &[u8],
    out: &mut Uninit,
    saved: Option<&mut Uninit>,
) -> bool {
    assert!(digits.len() == 2 * out.len());
    if out.len() < KERNEL_BYTES {
        fallback::decode(digits, out, None)
    } else {
        assert!(saved.as_ref().is_none_or(|saved| saved.len() >= out.len()));
        // SAFETY: a table's kernels can run, and the lengths are as they want them.
        unsafe { (kernels().hex_decode)(digits, out, saved) }
    }
}

/// [`decode_digits`] with `out` as it was if a digit is bad.
#[inline(never)]
fn decode_saving(kernels: &Kernels, digits: &[u8], out: &mut [u8]) -> bool {
    const STACK: usize = 2 << 10;
    const HEAP: usize = 1 << 20;
    let out = as_uninit(out);
    let mut stack = [MaybeUninit::uninit(); STACK];
    if out.len() <= STACK {
        return decode_digits(|| kernels, digits, out, Some(&mut stack));
    }
    let mut heap = Vec::new();
    if out.len() <= HEAP && heap.try_reserve_exact(out.len()).is_ok() {
        return decode_digits(|| kernels, digits, out, Some(heap.spare_capacity_mut()));
    }
    // Too much to save. Decoded once for nothing, all of it is known to be good or bad.
    digits.chunks(2 * STACK).all(|digits| {
        let out = &mut stack[..digits.len() / 2];
        decode_digits(|| kernels, digits, out, None)
    }) && decode_digits(|| kernels, digits, out, None)
}

#[inline]
fn wrong_length(digits: usize, out: usize) -> Error {
    if digits % 2 != 0 {
        return Error::OddLength;
    }
    Error::Length {
        expected: digits / 2,
        actual: out,
    }
}

/// The error for the first bad digit of a text that has one. (Made from parts in registers, so that a caller who inlines
/// this moves no error about in memory when there is none.)
#[inline]
fn invalid_digit(text: &[u8], prefix: usize) -> Error {
    let (position, byte) = first_bad_digit(text, prefix);
    Error::InvalidDigit { position, byte }
}

#[cold]
#[inline(never)]
fn first_bad_digit(text: &[u8], prefix: usize) -> (usize, u8) {
    // Whole blocks at once, which a compiler makes vectors of.
    const BLOCK: usize = 64;
    let are_good = |block: &&[u8]| {
        block
            .iter()
            .fold(true, |good, &byte| good & scalar::is_digit(byte))
    };
    let blocks = text[prefix..]
        .chunks_exact(BLOCK)
        .take_while(are_good)
        .count();
    let mut position = prefix + BLOCK * blocks;
    while scalar::is_digit(text[position]) {
        position += 1;
    }
    (position, text[position])
}

/// How far an alphabet's letters are from following its decimal digits.
#[inline(always)]
const fn gap(alphabet: &[u8; 16]) -> u8 {
    alphabet[10] - alphabet[9] - 1
}
