//! An [`LtHash`] as 4096 hex digits, those of its bytes.

use super::LtHash;
use crate::hex;
use core::fmt;
use core::str::FromStr;

/// The digits of [`to_bytes`](LtHash::to_bytes), after `0x` with `{:#x}`. Other formatting parameters have no effect.
impl fmt::LowerHex for LtHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::display(&self.to_bytes()).fmt(f)
    }
}

impl FromStr for LtHash {
    type Err = hex::Error;

    /// The hash whose bytes 4096 hex digits of either case write, with or without `0x` before them.
    ///
    /// # Errors
    ///
    /// [`hex::Error::OddLength`], [`hex::Error::Length`] with the text's length, or [`hex::Error::InvalidDigit`], the
    /// first that applies.
    fn from_str(text: &str) -> Result<LtHash, hex::Error> {
        hex::to_array(text).map(|bytes| LtHash::from_bytes(&bytes))
    }
}
