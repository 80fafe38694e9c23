//! One digit.

/// The digit of a value below 16.
#[inline]
pub(crate) const fn digit(value: u8, alphabet: &[u8; 16]) -> u8 {
    // Computed, since the address of a look-up would depend on the value.
    let is_letter = 9u8.wrapping_sub(value) >> 7;
    b'0' + value + is_letter * gap(alphabet)
}

/// Whether a byte is a digit of either case.
#[inline]
pub(crate) const fn is_digit(byte: u8) -> bool {
    (byte.wrapping_sub(b'0') < 10) | ((byte | 0x20).wrapping_sub(b'a') < 6)
}

/// The value of a good digit: its low four bits, plus nine for a letter, which has bit 6 set.
#[inline]
pub(crate) const fn value(digit: u8) -> u8 {
    (digit & 15) + 9 * (digit >> 6)
}

/// The difference between an alphabet's letters and the characters that follow its decimal digits in ASCII.
#[inline(always)]
pub(super) const fn gap(alphabet: &[u8; 16]) -> u8 {
    alphabet[10] - alphabet[9] - 1
}
