//! One digit.

/// The digit of a value below 16.
#[inline]
pub(crate) const fn digit(value: u8, alphabet: &[u8; 16]) -> u8 {
    // Not looked up: an address would depend on the value.
    let is_letter = 9u8.wrapping_sub(value) >> 7;
    b'0' + value + is_letter * gap(alphabet)
}

/// Whether a byte is a digit of either case.
#[inline]
pub(crate) const fn is_digit(byte: u8) -> bool {
    (byte.wrapping_sub(b'0') < 10) | ((byte | 0x20).wrapping_sub(b'a') < 6)
}

/// The value of a good digit: its low four bits, and nine more for a letter, which bit 6 tells.
#[inline]
pub(crate) const fn value(digit: u8) -> u8 {
    (digit & 15) + 9 * (digit >> 6)
}

/// The distance of an alphabet's letters from where they would stand if they followed its decimal digits.
#[inline(always)]
pub(super) const fn gap(alphabet: &[u8; 16]) -> u8 {
    alphabet[10] - alphabet[9] - 1
}
