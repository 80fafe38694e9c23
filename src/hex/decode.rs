//! Decoding: short input inline, longer input by a kernel; and which digit is bad.
//!
//! The functions here return an empty slice if all digits are good, and the digits they were given if one is bad. `hex_decode` of
//! [`Kernels`] says why they return no `Result`.

use super::error::{Error, lengths};
use super::output::as_uninit;
use crate::Kernels;
use crate::backend::Uninit;
use crate::backend::hex::{decode_short, is_digit};
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// Up to this many bytes are decoded inline, with the vectors that every processor has. A kernel's call was measured to pay beyond it.
const SHORT: usize = 16;

/// Up to this many bytes, a kernel writes none before it has checked all digits.
const HELD: usize = 256;

/// All is inlined except for the decoding, so that the parts of the `Vec` stay in registers.
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
    decode_into(digits, out, None, Kernels::active())
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
    // SAFETY: the lengths were checked above.
    let bad = unsafe {
        match kernels.or(Kernels::chosen()) {
            Some(kernels) => decode_long(digits, out, kernels),
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

/// A function of its own, so that [`into_slice`] keeps no value across a call.
///
/// # Safety
///
/// As [`decode_long`].
#[cold]
#[inline(never)]
unsafe fn first_long<'d>(digits: &'d [u8], out: &mut [u8]) -> &'d [u8] {
    // SAFETY: as the caller.
    unsafe { decode_long(digits, out, Kernels::active()) }
}

/// Decodes the digits into `out`. If one is bad, it leaves `out` as it was and returns the digits.
///
/// # Safety
///
/// `out` is longer than [`SHORT`] and half as long as the digits.
#[inline(always)]
unsafe fn decode_long<'d>(digits: &'d [u8], out: &mut [u8], kernels: &Kernels) -> &'d [u8] {
    if out.len() <= HELD {
        // SAFETY: this processor can run the kernels of a table, and the lengths are as `hex_decode` wants them.
        unsafe { (kernels.hex_decode)(digits, as_uninit(out), None) }
    } else {
        decode_or_restore(digits, out, kernels)
    }
}

/// Decodes the digits into `out`, which is half as long. If one is bad, it leaves `out` as it was and returns the digits.
#[inline(never)]
fn decode_or_restore<'d>(digits: &'d [u8], out: &mut [u8], kernels: &Kernels) -> &'d [u8] {
    const STACK: usize = 2 << 10;
    const HEAP: usize = 1 << 20;
    let out = as_uninit(out);
    let mut stack = [MaybeUninit::uninit(); STACK];
    if out.len() <= STACK {
        return decode_into(digits, out, Some(&mut stack), kernels);
    }
    let mut heap = Vec::new();
    if out.len() <= HEAP && heap.try_reserve_exact(out.len()).is_ok() {
        return decode_into(digits, out, Some(heap.spare_capacity_mut()), kernels);
    }
    // There is too much to save: decoding it once, piece by piece into a small buffer, tells whether all of it is good.
    let is_good = |digits: &[u8]| {
        let out = &mut stack[..digits.len() / 2];
        decode_into(digits, out, None, kernels).is_empty()
    };
    if digits.chunks(2 * STACK).all(is_good) {
        decode_into(digits, out, None, kernels)
    } else {
        digits
    }
}

/// Decodes the digits into `out`, which is half as long. If one is bad, it returns the digits; `out` is then as it was if
/// there is a `saved` at least as long, and may otherwise hold anything.
#[inline(always)]
fn decode_into<'d>(
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
    // SAFETY: this processor can run the kernels of a table, and the lengths are as `hex_decode` wants them.
    unsafe { (kernels.hex_decode)(digits, out, saved) }
}

/// The error for the first bad digit; there must be one. It is made from parts in registers, so that a caller that inlines
/// this moves no error in memory when there is none.
#[inline]
fn invalid_digit(digits: &[u8], prefix: usize) -> Error {
    let (index, byte) = first_bad_digit(digits);
    let position = prefix + index;
    Error::InvalidDigit { position, byte }
}

#[cold]
#[inline(never)]
fn first_bad_digit(digits: &[u8]) -> (usize, u8) {
    // By whole blocks, which the compiler vectorises.
    const BLOCK: usize = 64;
    let are_good = |block: &&[u8]| block.iter().fold(true, |good, &byte| good & is_digit(byte));
    let blocks = digits.chunks_exact(BLOCK).take_while(are_good).count();
    let mut index = BLOCK * blocks;
    while is_digit(digits[index]) {
        index += 1;
    }
    (index, digits[index])
}
