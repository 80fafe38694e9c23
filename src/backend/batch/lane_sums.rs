//! Lane sums: the form of a group's sums on all backends but the portable one.

use super::abi::LaneSums;
use crate::backend::limbs::Limbs;
use crate::backend::sums::GroupSums;
use core::ptr;

impl LaneSums {
    /// A group's sums, as the type that the kernels take.
    #[inline]
    pub(in crate::backend) fn of(sums: &mut GroupSums) -> *mut LaneSums {
        const {
            assert!(align_of::<GroupSums>() >= align_of::<LaneSums>());
            assert!(size_of::<Limbs>() == size_of::<LaneSums>());
        }
        ptr::from_mut(&mut sums.limbs).cast()
    }
}

/// Adds limbs, which are in order, to a group's sums. There, a counter's sixteen words are 32 words apart.
pub(in crate::backend) fn add_to_sums(sums: &mut GroupSums, limbs: &Limbs) {
    for (counter, block) in limbs.chunks_exact(32).enumerate() {
        for (word, pair) in block.chunks_exact(2).enumerate() {
            let sums = &mut sums.limbs[2 * (32 * word + counter)..][..2];
            sums[0] = sums[0].wrapping_add(pair[0]);
            sums[1] = sums[1].wrapping_add(pair[1]);
        }
    }
}
