//! Decoding: short input inline, longer input by a kernel; and which digit is bad.
//!
//! A function that gives digits back says so that one of them is bad; it gives back none, an empty slice, if all are good. (Its
//! caller, who will say which is bad, need not keep them across the call.)

use super::{Error, as_uninit, lengths};
use crate::Kernels;
use crate::backend::Uninit;
use crate::backend::hex::{decode_short, is_digit};
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// So many bytes are decoded inline, by what every processor has: measured, the call of a kernel pays beyond.
const SHORT: usize = 16;

/// So many bytes a kernel decodes without writing any before it knows that all digits are good.
const HELD: usize = 256;

/// Inlined but for the bytes, so that the vector's parts stay in registers.
#[inline]
pub(super) fn to_vec(text: &[u8], prefix: usize) -> Result<Vec<u8>, Error> {
    let digits = &text[prefix..];
    if digits.len() % 2 != 0 {
        return Err(Error::OddLength);
    }
    let count = digits.len() / 2;
    let mut decoded = Vec::with_capacity(count);
    let bad = new_bytes(digits, &mut decoded.spare_capacity_mut()[..count]);
    if !bad.is_empty() {
        return Err(invalid_digit(bad, prefix));
    }
    // SAFETY: all of them are initialised.
    unsafe { decoded.set_len(count) };
    Ok(decoded)
}

#[inline(never)]
fn new_bytes<'d>(digits: &'d [u8], out: &mut Uninit) -> &'d [u8] {
    bytes(digits, out, None, Kernels::active())
}

/// With the active kernels, or with others.
#[inline(always)]
pub(super) fn into_slice(
    text: &[u8],
    prefix: usize,
    out: &mut [u8],
    kernels: Option<&Kernels>,
) -> Result<(), Error> {
    let digits = &text[prefix..];
    if digits.len() != 2 * out.len() {
        return Err(wrong_length(digits.len(), out.len()));
    }
    if out.len() <= SHORT {
        if decode_short(digits, as_uninit(out)) {
            return Ok(());
        }
        return Err(invalid_digit(digits, prefix));
    }
    // SAFETY: the lengths are such.
    let bad = unsafe {
        match kernels.or(Kernels::chosen()) {
            Some(kernels) => long(digits, out, kernels),
            None => first_long(digits, out),
        }
    };
    if bad.is_empty() {
        Ok(())
    } else {
        Err(invalid_digit(bad, prefix))
    }
}

#[inline]
fn wrong_length(digits: usize, out: usize) -> Error {
    if digits % 2 != 0 {
        return Error::OddLength;
    }
    let (expected, actual) = lengths(digits / 2, out);
    Error::Length { expected, actual }
}

/// Apart, so that [`into_slice`] keeps nothing across a call.
///
/// # Safety
///
/// As [`long`].
#[cold]
#[inline(never)]
unsafe fn first_long<'d>(digits: &'d [u8], out: &mut [u8]) -> &'d [u8] {
    // SAFETY: as the caller.
    unsafe { long(digits, out, Kernels::active()) }
}

/// Initialises all of `out`, or leaves it as it was and gives the digits back.
///
/// # Safety
///
/// `out` is longer than [`SHORT`] and half as long as the digits.
#[inline(always)]
unsafe fn long<'d>(digits: &'d [u8], out: &mut [u8], kernels: &Kernels) -> &'d [u8] {
    if out.len() <= HELD {
        // SAFETY: a table's kernels can run, and the lengths are as they want them.
        unsafe { (kernels.hex_decode)(digits, as_uninit(out), None) }
    } else {
        saving(digits, out, kernels)
    }
}

/// Initialises all of `out`, which is half as long as the digits, or leaves it as it was and gives the digits back.
#[inline(never)]
fn saving<'d>(digits: &'d [u8], out: &mut [u8], kernels: &Kernels) -> &'d [u8] {
    const STACK: usize = 2 << 10;
    const HEAP: usize = 1 << 20;
    let out = as_uninit(out);
    let mut stack = [MaybeUninit::uninit(); STACK];
    if out.len() <= STACK {
        return bytes(digits, out, Some(&mut stack), kernels);
    }
    let mut heap = Vec::new();
    if out.len() <= HEAP && heap.try_reserve_exact(out.len()).is_ok() {
        return bytes(digits, out, Some(heap.spare_capacity_mut()), kernels);
    }
    // Too much to save. Decoded once for nothing, all of it is known to be good or bad.
    let is_good = |digits: &[u8]| {
        let out = &mut stack[..digits.len() / 2];
        bytes(digits, out, None, kernels).is_empty()
    };
    if digits.chunks(2 * STACK).all(is_good) {
        bytes(digits, out, None, kernels)
    } else {
        digits
    }
}

/// Initialises all of `out`, which is half as long as the digits; or gives these back. Then `out` is as it was if `saved` is
/// as long, else it may hold anything.
#[inline(always)]
fn bytes<'d>(
    digits: &'d [u8],
    out: &mut Uninit,
    saved: Option<&mut Uninit>,
    kernels: &Kernels,
) -> &'d [u8] {
    assert!(digits.len() == 2 * out.len());
    if out.len() <= SHORT {
        let is_good = decode_short(digits, out);
        return if is_good { &[] } else { digits };
    }
    assert!(saved.as_ref().is_none_or(|saved| saved.len() >= out.len()));
    // SAFETY: a table's kernels can run, and the lengths are as they want them.
    unsafe { (kernels.hex_decode)(digits, out, saved) }
}

/// The error for the first bad digit of those that have one. (Made from parts in registers, so that a caller who inlines
/// this moves no error about in memory when there is none.)
#[inline]
fn invalid_digit(digits: &[u8], prefix: usize) -> Error {
    let (index, byte) = first_bad_digit(digits);
    let position = prefix + index;
    Error::InvalidDigit { position, byte }
}

#[cold]
#[inline(never)]
fn first_bad_digit(digits: &[u8]) -> (usize, u8) {
    // Whole blocks at once, which a compiler makes vectors of.
    const BLOCK: usize = 64;
    let are_good = |block: &&[u8]| block.iter().fold(true, |good, &byte| good & is_digit(byte));
    let blocks = digits.chunks_exact(BLOCK).take_while(are_good).count();
    let mut index = BLOCK * blocks;
    while is_digit(digits[index]) {
        index += 1;
    }
    (index, digits[index])
}
