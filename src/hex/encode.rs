//! Encoding: short input inline, longer input by a kernel.

use super::error::{Error, lengths};
use super::output::as_uninit;
use super::text::LOWER;
use crate::Kernels;
use crate::backend::{Uninit, hex};
use alloc::string::String;

/// From this many bytes on, a kernel encodes. Shorter input is encoded inline, with the vectors that every processor has; a
/// kernel's call was measured to pay from here on.
const KERNEL_BYTES: usize = 32;

#[inline]
fn digits_len(bytes: &[u8]) -> usize {
    // Cannot overflow: a slice has no more than isize::MAX bytes.
    2 * bytes.len()
}

/// Larger than any allocation if the length overflows.
#[inline]
fn text_len(prefix: &str, bytes: &[u8]) -> usize {
    prefix.len().saturating_add(digits_len(bytes))
}

/// All is inlined except for the encoding, so that the parts of the `String` stay in registers.
#[inline]
pub(super) fn to_string(prefix: &str, bytes: &[u8], alphabet: &[u8; 16]) -> String {
    let mut text = String::with_capacity(text_len(prefix, bytes));
    push(prefix, bytes, alphabet, &mut text);
    text
}

pub(super) fn append(prefix: &str, bytes: &[u8], alphabet: &[u8; 16], text: &mut String) {
    text.reserve(text_len(prefix, bytes));
    push(prefix, bytes, alphabet, text);
}

/// Appends the digits to a text that has room for them.
#[inline]
fn push(prefix: &str, bytes: &[u8], alphabet: &[u8; 16], text: &mut String) {
    if !prefix.is_empty() {
        text.push_str(prefix);
    }
    let digits = digits_len(bytes);
    // SAFETY: only digits are added, which are ASCII.
    let text = unsafe { text.as_mut_vec() };
    into(bytes, &mut text.spare_capacity_mut()[..digits], alphabet);
    // SAFETY: `into` has initialised this many more bytes.
    unsafe { text.set_len(text.len() + digits) };
}

/// Writes the digits to `out`, which is twice as long as the bytes, and returns all of it as text.
#[inline(never)]
pub(super) fn into<'a>(bytes: &[u8], out: &'a mut Uninit, alphabet: &[u8; 16]) -> &'a mut str {
    assert!(out.len() == digits_len(bytes));
    // SAFETY: `out` is twice as long as the bytes.
    unsafe { digits(bytes, out, alphabet, None) }
}

/// With the active kernels, or with others.
#[inline(always)]
pub(super) fn into_slice<'a>(
    bytes: &[u8],
    out: &'a mut [u8],
    kernels: Option<&Kernels>,
) -> Result<&'a mut str, Error> {
    if out.len() != digits_len(bytes) {
        let (expected, actual) = lengths(digits_len(bytes), out.len());
        return Err(Error::Length { expected, actual });
    }
    // SAFETY: `out` is twice as long as the bytes.
    Ok(unsafe { digits(bytes, as_uninit(out), LOWER, kernels) })
}

/// Writes the digits to `out` and returns all of it as text.
///
/// # Safety
///
/// `out` is twice as long as the bytes.
#[inline(always)]
unsafe fn digits<'a>(
    bytes: &[u8],
    out: &'a mut Uninit,
    alphabet: &[u8; 16],
    kernels: Option<&Kernels>,
) -> &'a mut str {
    let digits = if bytes.len() < KERNEL_BYTES {
        hex::encode_short(bytes, out, alphabet)
    } else {
        // SAFETY: this processor can run the kernels of a table, and the lengths are as `hex_encode` wants them.
        unsafe {
            match kernels.or(Kernels::chosen()) {
                Some(kernels) => (kernels.hex_encode)(bytes, out, alphabet),
                None => first_long(bytes, out, alphabet),
            }
        }
    };
    // SAFETY: digits are ASCII.
    unsafe { core::str::from_utf8_unchecked_mut(digits) }
}

/// A function of its own, so that [`digits`] keeps no value across a call.
///
/// # Safety
///
/// There are at least [`KERNEL_BYTES`], and `out` is twice as long.
#[cold]
#[inline(never)]
unsafe fn first_long<'a>(bytes: &[u8], out: &'a mut Uninit, alphabet: &[u8; 16]) -> &'a mut [u8] {
    // SAFETY: this processor can run the kernels of a table, and the lengths are as `hex_encode` wants them.
    unsafe { (Kernels::active().hex_encode)(bytes, out, alphabet) }
}
