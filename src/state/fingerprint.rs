//! [`Fingerprint`]: the fingerprint of a key.

use crate::hex;
use core::fmt;

/// The fingerprint of the key that a state's records are hashed under. It tells keys apart without revealing them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of a key: BLAKE3's key derivation (paper, section 2.3) with a context of its own.
    #[must_use]
    pub fn of(key: &[u8; 32]) -> Fingerprint {
        const CONTEXT: &str = "lthash 2026-11-30 12:00:00 fingerprint of a state's key";
        Fingerprint(blake3::derive_key(CONTEXT, key))
    }
}

/// 64 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::display(&self.0).fmt(f)
    }
}
