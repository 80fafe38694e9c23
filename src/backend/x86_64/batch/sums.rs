//! Root nodes' expansions, summed up.

use super::{Family, Mixer};
use crate::backend::x86_64::root_node::{RootNode, Start};
use crate::backend::{Limbs, Mix};

/// 1024 limbs before the transposition that puts them in order: for each of the 16 state words the 32 counters' limbs,
/// two a word.
#[repr(C, align(64))]
pub(in crate::backend::x86_64) struct LaneSums([[u32; 32]; 16]);

/// Lane sums, and a root node that is still to be mixed into them.
pub(super) struct Sums {
    sums: LaneSums,
    /// The newest root node and the one before it.
    nodes: [RootNode; 2],
    newest: usize,
    /// What mixes the newest, if there is one.
    mixer: Option<Mixer>,
}

impl Sums {
    pub(super) fn new() -> Sums {
        Sums {
            sums: LaneSums([[0; 32]; 16]),
            nodes: [RootNode::NONE; 2],
            newest: 0,
            mixer: None,
        }
    }

    /// Sets a root node and mixes the one before it: while that is expanded, the new one's words reach the cache.
    ///
    /// # Safety
    ///
    /// This processor can run the family's kernels.
    #[inline]
    pub(super) unsafe fn mix_node<const N: usize, const G: usize>(
        &mut self,
        family: &Family<N, G>,
        mix: Mix,
        set: impl FnOnce(&mut RootNode),
    ) {
        let before = self.newest;
        self.newest = 1 - before;
        set(&mut self.nodes[self.newest]);
        let mixer = match mix {
            Mix::In => family.xof_add,
            Mix::Out => family.xof_sub,
        };
        if let Some(mixer) = self.mixer.replace(mixer) {
            // SAFETY: the caller vouches for the kernel; LaneSums has the size and the alignment that it wants.
            unsafe { mixer(&self.nodes[before], &mut self.sums) }
        }
    }

    /// Mixes an element of one block, which is its own root node, as `mix_node` does.
    ///
    /// # Safety
    ///
    /// This processor can run the family's kernels.
    #[inline]
    pub(super) unsafe fn mix_block<const N: usize, const G: usize>(
        &mut self,
        family: &Family<N, G>,
        start: Start,
        element: &[u8],
        mix: Mix,
    ) {
        // SAFETY: the caller vouches for the kernels.
        unsafe {
            self.mix_node(family, mix, |node| {
                node.set_chunk(start, start.chaining_value, false, element);
            });
        }
    }

    /// Adds the sums of all root nodes to limbs.
    ///
    /// # Safety
    ///
    /// This processor can run the family's kernels.
    pub(super) unsafe fn finish<const N: usize, const G: usize>(
        mut self,
        family: &Family<N, G>,
        limbs: &mut Limbs,
    ) {
        if let Some(mixer) = self.mixer {
            // SAFETY: as in `mix_node`.
            unsafe { mixer(&self.nodes[self.newest], &mut self.sums) }
        }
        // SAFETY: the caller vouches for the kernel; LaneSums has the size and the alignment that it wants.
        unsafe { (family.lanes_to_limbs)(&self.sums, limbs) }
    }
}
