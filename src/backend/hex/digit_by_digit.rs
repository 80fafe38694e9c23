//! Digits one at a time, for targets without SSE2.

use super::digit::{digit, is_digit, value};
use crate::backend::uninit::{Uninit, as_init};

pub(crate) use encode as encode_short;

/// Writes the bytes' digits to `out`, which is twice as long as the bytes, and returns all of it, initialised.
pub(crate) fn encode<'a>(bytes: &[u8], out: &'a mut Uninit, alphabet: &[u8; 16]) -> &'a mut [u8] {
    assert!(out.len() == 2 * bytes.len());
    for (byte, pair) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        pair[0].write(digit(byte >> 4, alphabet));
        pair[1].write(digit(byte & 15, alphabet));
    }
    // SAFETY: each byte has initialised its pair of digits, and `out` has no others.
    unsafe { as_init(out) }
}

/// Decodes the digits into `out`, which is half as long, and returns true. If a digit is bad, it leaves `out` as it was and
/// returns false.
pub(crate) fn decode_short(digits: &[u8], out: &mut Uninit) -> bool {
    assert!(digits.len() == 2 * out.len());
    let good = digits
        .iter()
        .fold(true, |good, &digit| good & is_digit(digit));
    if good {
        for (pair, byte) in digits.chunks_exact(2).zip(out) {
            byte.write(value(pair[0]) << 4 | value(pair[1]));
        }
    }
    good
}

/// The portable backend's `hex_decode`: as [`Kernels`](crate::Kernels) declares it, with no need of a place to save to.
pub(crate) fn decode<'d>(
    digits: &'d [u8],
    out: &mut Uninit,
    _saved: Option<&mut Uninit>,
) -> &'d [u8] {
    if decode_short(digits, out) {
        &[]
    } else {
        digits
    }
}
