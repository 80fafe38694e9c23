//! [`LtHash`]: a set's 1024 limbs.

use crate::backend::{Input, Kernels, Limbs, Mode};
use core::mem::MaybeUninit;

/// A multiset's hash: 1024 limbs of 16 bits.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct LtHash {
    limbs: Limbs,
}

impl LtHash {
    /// The empty set's hash, the identity.
    #[must_use]
    pub const fn new() -> LtHash {
        LtHash { limbs: [0; 1024] }
    }

    /// The hash of the set that holds one element.
    #[must_use]
    pub fn of(element: &[u8]) -> LtHash {
        Kernels::active().expand(element)
    }

    /// The limbs.
    #[must_use]
    pub fn limbs(&self) -> &[u16; 1024] {
        &self.limbs
    }
}

impl Default for LtHash {
    fn default() -> Self {
        Self::new()
    }
}

impl Kernels {
    /// The hash of the set that holds one element.
    #[must_use]
    pub fn expand(&self, element: &[u8]) -> LtHash {
        let mut hash = MaybeUninit::<LtHash>::uninit();
        // SAFETY: an LtHash begins with its limbs, and a MaybeUninit may be uninitialised.
        let limbs = unsafe { &mut *hash.as_mut_ptr().cast::<MaybeUninit<Limbs>>() };
        (self.expand)(Mode::Hash, Input::Element(element), limbs);
        // SAFETY: the entry has initialised all limbs, and an LtHash has nothing else.
        unsafe { hash.assume_init() }
    }

    /// Adds `other` to `hash`, limb by limb mod 2^16.
    pub fn add(&self, hash: &mut LtHash, other: &LtHash) {
        (self.add)(&mut hash.limbs, &other.limbs);
    }

    /// Subtracts `other` from `hash`, limb by limb mod 2^16.
    pub fn sub(&self, hash: &mut LtHash, other: &LtHash) {
        (self.sub)(&mut hash.limbs, &other.limbs);
    }
}
