//! [`Checksum`]: a hash's digest.

use crate::length_error::to_array;
use crate::{LengthError, hex};
use core::fmt;
use core::str::FromStr;

/// The digest of an [`LtHash`](crate::LtHash): BLAKE3 of its 2048 bytes, 32 bytes.
///
/// As text it is hex without a prefix. `{:#x}` writes the prefix `0x`, and text that is parsed may have it. Compare all 32 bytes: a prefix of a digest is a weaker digest.
///
/// ```
/// use lthash::{Checksum, LtHash};
///
/// let checksum = LtHash::new().checksum();
/// let text = "be2a8de3dcf46c94ce85cdc8e07ac308f4d8a95490d956c38d780fd610db0813";
/// assert_eq!(checksum.to_string(), text);
/// assert_eq!(text.parse(), Ok(checksum));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checksum(pub [u8; 32]);

impl fmt::LowerHex for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        let digits = hex::encode_to_slice(self.0, &mut digits).map_err(|_| fmt::Error)?;
        f.pad_integral(true, "0x", digits)
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        f.pad(hex::encode_to_slice(self.0, &mut digits).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checksum({self})")
    }
}

impl FromStr for Checksum {
    type Err = hex::Error;

    /// The checksum that 64 hex digits of either case write, with or without `0x` before them.
    ///
    /// # Errors
    ///
    /// [`hex::Error::OddLength`], [`hex::Error::Length`] with the text's length, or [`hex::Error::InvalidDigit`], the
    /// first that applies.
    fn from_str(text: &str) -> Result<Checksum, hex::Error> {
        hex::to_array(text).map(Checksum)
    }
}

impl From<[u8; 32]> for Checksum {
    fn from(bytes: [u8; 32]) -> Checksum {
        Checksum(bytes)
    }
}

impl From<Checksum> for [u8; 32] {
    fn from(checksum: Checksum) -> [u8; 32] {
        checksum.0
    }
}

impl TryFrom<&[u8]> for Checksum {
    type Error = LengthError;

    /// The checksum of these bytes.
    ///
    /// # Errors
    ///
    /// If there are not 32 bytes.
    fn try_from(bytes: &[u8]) -> Result<Checksum, LengthError> {
        to_array(bytes).copied().map(Checksum)
    }
}

impl AsRef<[u8]> for Checksum {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
