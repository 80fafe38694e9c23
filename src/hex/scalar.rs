//! Digit by digit.

use super::Error;
use core::mem::MaybeUninit;

/// Which letters a digit above nine is written with.
#[derive(Clone, Copy)]
pub(super) enum Case {
    Lower,
    Upper,
}

impl Case {
    fn digits(self) -> &'static [u8; 16] {
        match self {
            Case::Lower => b"0123456789abcdef",
            Case::Upper => b"0123456789ABCDEF",
        }
    }
}

pub(super) fn encode(bytes: &[u8], out: &mut [MaybeUninit<u8>], case: Case) {
    let digits = case.digits();
    for (byte, out) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        out[0].write(digits[usize::from(byte >> 4)]);
        out[1].write(digits[usize::from(byte & 15)]);
    }
}

pub(super) fn decode(digits: &[u8], out: &mut [MaybeUninit<u8>]) -> Result<(), Error> {
    for (position, &byte) in digits.iter().enumerate() {
        if !byte.is_ascii_hexdigit() {
            return Err(Error::InvalidDigit { position, byte });
        }
    }
    for (pair, out) in digits.chunks_exact(2).zip(out) {
        out.write(value(pair[0]) << 4 | value(pair[1]));
    }
    Ok(())
}

/// A valid digit's value: the low four bits of a letter count from one, and its bit 6 is set.
const fn value(digit: u8) -> u8 {
    (digit & 15) + 9 * (digit >> 6)
}
