//! [`Display`]: bytes as digits in formatted text.

use super::encode;
use super::text::{LOWER, PREFIX, UPPER};
use core::fmt;
use core::mem::MaybeUninit;

/// A value that formats the bytes as digits, without allocating: `{}` and `{:x}` write lower-case digits, `{:X}` upper-case ones, and
/// `{:#}`, `{:#x}` and `{:#X}` write `0x` before them. Other formatting parameters have no effect.
///
/// ```
/// use lthash::hex;
///
/// assert_eq!(format!("{:#}", hex::display(&[0xde, 0xad])), "0xdead");
/// ```
pub fn display<T: AsRef<[u8]> + ?Sized>(bytes: &T) -> Display<'_> {
    Display(bytes.as_ref())
}

/// Bytes that are to be written as digits, from [`display`].
#[derive(Clone, Copy, Debug)]
pub struct Display<'a>(&'a [u8]);

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, LOWER)
    }
}

impl fmt::LowerHex for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, LOWER)
    }
}

impl fmt::UpperHex for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, UPPER)
    }
}

impl Display<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, alphabet: &[u8; 16]) -> fmt::Result {
        if f.alternate() {
            f.write_str(PREFIX)?;
        }
        let mut digits = [MaybeUninit::uninit(); 256];
        for bytes in self.0.chunks(digits.len() / 2) {
            f.write_str(encode::into(
                bytes,
                &mut digits[..2 * bytes.len()],
                alphabet,
            ))?;
        }
        Ok(())
    }
}
