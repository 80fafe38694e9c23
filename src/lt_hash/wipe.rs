//! Wiping (feature `zeroize`).

use super::LtHash;
use zeroize::Zeroize;

/// Makes it the identity, by writes that no compiler leaves out.
impl Zeroize for LtHash {
    fn zeroize(&mut self) {
        // As a slice, which the `zeroize` crate overwrites many limbs at a time, and an array one.
        self.limbs.as_mut_slice().zeroize();
    }
}
