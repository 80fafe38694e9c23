//! Wiping (feature `zeroize`).

use super::LtHash;
use zeroize::Zeroize;

/// Makes it the identity, by writes that no compiler leaves out.
impl Zeroize for LtHash {
    fn zeroize(&mut self) {
        self.limbs.zeroize();
    }
}
