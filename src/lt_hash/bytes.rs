//! An [`LtHash`] from and as 2048 bytes or 1024 limbs.

use super::LtHash;
use crate::LengthError;
use crate::length_error::to_array;

impl LtHash {
    /// The limbs' bytes, little-endian on every processor.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (bytes, limb) in bytes.chunks_exact_mut(2).zip(&self.limbs) {
            bytes.copy_from_slice(&limb.to_le_bytes());
        }
        bytes
    }

    /// The hash that [`to_bytes`](LtHash::to_bytes) made these bytes from. Any bytes are some hash's.
    #[must_use]
    pub const fn from_bytes(bytes: &[u8; Self::BYTES]) -> LtHash {
        let mut hash = LtHash::new();
        let mut i = 0;
        while i < Self::LIMBS {
            hash.limbs[i] = u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
            i += 1;
        }
        hash
    }
}

/// As [`LtHash::from_bytes`].
impl From<[u8; LtHash::BYTES]> for LtHash {
    fn from(bytes: [u8; LtHash::BYTES]) -> LtHash {
        LtHash::from_bytes(&bytes)
    }
}

/// As [`LtHash::to_bytes`].
impl From<LtHash> for [u8; LtHash::BYTES] {
    fn from(hash: LtHash) -> [u8; LtHash::BYTES] {
        hash.to_bytes()
    }
}

/// The hash with these limbs. Any limbs are some hash's.
impl From<[u16; LtHash::LIMBS]> for LtHash {
    fn from(limbs: [u16; LtHash::LIMBS]) -> LtHash {
        LtHash { limbs }
    }
}

/// The limbs.
impl From<LtHash> for [u16; LtHash::LIMBS] {
    fn from(hash: LtHash) -> [u16; LtHash::LIMBS] {
        hash.limbs
    }
}

impl TryFrom<&[u8]> for LtHash {
    type Error = LengthError;

    /// As [`LtHash::from_bytes`].
    ///
    /// # Errors
    ///
    /// If there are not 2048 bytes.
    fn try_from(bytes: &[u8]) -> Result<LtHash, LengthError> {
        to_array(bytes).map(LtHash::from_bytes)
    }
}
