//! One digit at a time: for the shortest input, at compile time, and where there are no vectors.

use super::gap;
use crate::backend::Uninit;

/// Initialises all of `out`, which is twice as long as the bytes.
#[inline]
pub(crate) fn encode(bytes: &[u8], out: &mut Uninit, alphabet: &[u8; 16]) {
    for (byte, pair) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        pair[0].write(digit(byte >> 4, alphabet));
        pair[1].write(digit(byte & 15, alphabet));
    }
}

/// Initialises all of `out`, which is half as long as the digits, and returns true; or leaves it and returns false if a
/// digit is bad. Needs nothing saved.
#[inline]
pub(crate) fn decode(digits: &[u8], out: &mut Uninit, _saved: Option<&mut Uninit>) -> bool {
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

/// The digit of a value below 16.
#[inline]
pub(super) const fn digit(value: u8, alphabet: &[u8; 16]) -> u8 {
    // Not looked up: an address would depend on the value.
    let is_letter = 9u8.wrapping_sub(value) >> 7;
    b'0' + value + is_letter * gap(alphabet)
}

/// Whether a byte is a digit of either case.
#[inline]
pub(super) const fn is_digit(byte: u8) -> bool {
    (byte.wrapping_sub(b'0') < 10) | ((byte | 0x20).wrapping_sub(b'a') < 6)
}

/// A good digit's value: its low four bits, which for a letter, and bit 6 tells one, count from one.
#[inline]
pub(super) const fn value(digit: u8) -> u8 {
    (digit & 15) + 9 * (digit >> 6)
}
