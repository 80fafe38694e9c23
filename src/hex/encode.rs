//! Encoding: short input inline, longer input by a kernel.

use super::{Error, LOWER, as_uninit, lengths};
use crate::Kernels;
use crate::backend::{Uninit, hex};
use alloc::string::String;

/// The least that a kernel takes. Shorter input is done inline, by what every processor has: measured, the call of a kernel
/// pays from here on.
const KERNEL_BYTES: usize = 32;

#[inline]
fn digits_len(bytes: &[u8]) -> usize {
    // Cannot overflow: a slice has no more than isize::MAX bytes.
    2 * bytes.len()
}

/// More than any allocation if there is no such length.
#[inline]
fn text_len(prefix: &str, bytes: &[u8]) -> usize {
    prefix.len().saturating_add(digits_len(bytes))
}

/// Inlined but for the digits, so that the string's parts stay in registers.
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

/// Appends to a text that has room for it.
#[inline]
fn push(prefix: &str, bytes: &[u8], alphabet: &[u8; 16], text: &mut String) {
    if !prefix.is_empty() {
        text.push_str(prefix);
    }
    let digits = digits_len(bytes);
    // SAFETY: only digits are added, which are ASCII.
    let text = unsafe { text.as_mut_vec() };
    into(bytes, &mut text.spare_capacity_mut()[..digits], alphabet);
    // SAFETY: so many more bytes are initialised now.
    unsafe { text.set_len(text.len() + digits) };
}

/// Initialises all of `out`, which is twice as long as the bytes, and gives it as text.
#[inline(never)]
pub(super) fn into<'a>(bytes: &[u8], out: &'a mut Uninit, alphabet: &[u8; 16]) -> &'a mut str {
    assert!(out.len() == digits_len(bytes));
    // SAFETY: it is as long as it must be.
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
    // SAFETY: it is as long as it must be.
    Ok(unsafe { digits(bytes, as_uninit(out), LOWER, kernels) })
}

/// Initialises all of `out` and gives it as text.
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
        // SAFETY: a table's kernels can run, and the lengths are as they want them.
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

/// Apart, so that [`digits`] keeps nothing across a call.
///
/// # Safety
///
/// There are at least [`KERNEL_BYTES`], and `out` is twice as long.
#[cold]
#[inline(never)]
unsafe fn first_long<'a>(bytes: &[u8], out: &'a mut Uninit, alphabet: &[u8; 16]) -> &'a mut [u8] {
    // SAFETY: a table's kernels can run, and the lengths are as they want them.
    unsafe { (Kernels::active().hex_encode)(bytes, out, alphabet) }
}
