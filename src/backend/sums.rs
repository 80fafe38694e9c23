//! A multiset's sums.

use super::limbs::Limbs;

/// A multiset's limbs, in the order in which its backend sums them up, and its guard.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct GroupSums {
    pub(crate) limbs: Limbs,
    pub(crate) guard: u128,
}

impl GroupSums {
    /// The sums of the empty multiset.
    pub(crate) const fn new() -> GroupSums {
        GroupSums {
            limbs: [0; 1024],
            guard: 0,
        }
    }
}
