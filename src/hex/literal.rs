//! Encoding and decoding at compile time.

use super::text::LOWER;
use crate::backend::hex::{digit, is_digit, value};

/// The bytes as lower-case digits, for constants. `M` is `2 * N`, or it does not compile.
///
/// ```
/// use lthash::hex;
///
/// const MAGIC: [u8; 4] = hex::const_decode("c0de0bEE");
/// const DIGITS: [u8; 8] = hex::const_encode(&MAGIC);
/// assert_eq!(&DIGITS, b"c0de0bee");
/// ```
#[must_use]
pub const fn const_encode<const N: usize, const M: usize>(bytes: &[u8; N]) -> [u8; M] {
    const { assert!(M % 2 == 0 && M / 2 == N, "there are two digits a byte") };
    let mut digits = [0; M];
    let mut i = 0;
    while i < N {
        digits[2 * i] = digit(bytes[i] >> 4, LOWER);
        digits[2 * i + 1] = digit(bytes[i] & 15, LOWER);
        i += 1;
    }
    digits
}

/// The `N` bytes that the digits stand for, for literals.
///
/// ```
/// const ROOT: [u8; 4] = lthash::hex::const_decode("deadBEEF");
/// assert_eq!(ROOT, [0xde, 0xad, 0xbe, 0xef]);
/// ```
///
/// # Panics
///
/// If the text is not `2 * N` digits; in a constant, it then does not compile.
#[must_use]
#[track_caller]
pub const fn const_decode<const N: usize>(text: &str) -> [u8; N] {
    let text = text.as_bytes();
    assert!(
        text.len() % 2 == 0 && text.len() / 2 == N,
        "hex text must have two digits for each byte of the array"
    );
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        let (high, low) = (text[2 * i], text[2 * i + 1]);
        assert!(
            is_digit(high) && is_digit(low),
            "invalid hex digit: expected 0-9, a-f or A-F"
        );
        bytes[i] = value(high) << 4 | value(low);
        i += 1;
    }
    bytes
}
