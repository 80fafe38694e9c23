//! [`Checksum`]: what hashes are compared by.

use crate::hex;
use core::fmt;
use core::str::FromStr;

/// The digest of an [`LtHash`](crate::LtHash): BLAKE3 of its 2048 bytes, 32 bytes.
///
/// Text is hex, without a prefix; `{:#x}` writes one. Compare all 32 bytes: a prefix of a digest is a weaker digest.
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

    /// The checksum that 64 hex digits of either case write.
    ///
    /// # Errors
    ///
    /// [`hex::Error::OddLength`], [`hex::Error::Length`] with the text's length, or [`hex::Error::InvalidDigit`], the
    /// first that applies.
    fn from_str(text: &str) -> Result<Checksum, hex::Error> {
        let mut bytes = [0; 32];
        match hex::decode_to_slice(text, &mut bytes) {
            Ok(()) => Ok(Checksum(bytes)),
            Err(hex::Error::Length { .. }) => Err(hex::Error::Length {
                expected: 2 * bytes.len(),
                actual: text.len(),
            }),
            Err(error) => Err(error),
        }
    }
}

impl AsRef<[u8]> for Checksum {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
