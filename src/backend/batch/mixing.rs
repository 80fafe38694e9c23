//! Root nodes' expansions, mixed into sums.

use super::family::{BatchKernels, GuardBytes, LaneSums, RootNode};
use super::prefetch;
use super::root_node::Start;
use crate::backend::groups::GroupTable;
use crate::backend::input::Mix;
use crate::backend::sums::GroupSums;
use core::mem::MaybeUninit;
use core::ptr;

/// One multiset's sums, or many multisets'.
pub(super) trait Sums {
    /// What tells the multisets apart.
    type Group: Copy;

    /// A multiset's sums.
    fn of(&mut self, group: Self::Group) -> &mut GroupSums;

    /// Has a multiset's sums reach the cache in time.
    fn prefetch(&mut self, group: Self::Group);
}

/// The sums of one multiset stay in the cache.
impl Sums for GroupSums {
    type Group = ();

    #[inline]
    fn of(&mut self, (): ()) -> &mut GroupSums {
        self
    }

    #[inline]
    fn prefetch(&mut self, (): ()) {}
}

impl Sums for GroupTable {
    type Group = u32;

    #[inline]
    fn of(&mut self, group: u32) -> &mut GroupSums {
        self.get_mut(group as usize)
    }

    #[inline]
    fn prefetch(&mut self, group: u32) {
        if self.is_small() {
            return;
        }
        let sums = ptr::from_mut(self.of(group)).cast::<u8>();
        for line in (0..size_of::<GroupSums>()).step_by(64) {
            prefetch::to_write(sums.wrapping_add(line));
        }
    }
}

/// Where an element is mixed, and how.
#[derive(Clone, Copy)]
pub(super) struct Target<G> {
    pub(super) mix: Mix,
    pub(super) group: G,
}

/// Mixes root nodes into sums, each once the next one is there.
pub(super) struct Mixer<'s, S: Sums, const N: usize, const G: usize> {
    kernels: &'s BatchKernels<N, G>,
    sums: &'s mut S,
    /// The newest root node and the one before it.
    nodes: [RootNode; 2],
    newest: usize,
    /// The newest's target, if there is one.
    target: Option<Target<S::Group>>,
}

impl<'s, S: Sums, const N: usize, const G: usize> Mixer<'s, S, N, G> {
    /// # Safety
    ///
    /// This processor can run the kernels.
    pub(super) unsafe fn new(kernels: &'s BatchKernels<N, G>, sums: &'s mut S) -> Self {
        Mixer {
            kernels,
            sums,
            nodes: [RootNode::UNSET; 2],
            newest: 0,
            target: None,
        }
    }

    /// Sets a root node and mixes the one before it: while that is expanded, the new one's words and sums reach the cache.
    #[inline]
    pub(super) fn mix_node(&mut self, target: Target<S::Group>, set: impl FnOnce(&mut RootNode)) {
        self.sums.prefetch(target.group);
        let before = self.newest;
        self.newest = 1 - before;
        set(&mut self.nodes[self.newest]);
        if let Some(target) = self.target.replace(target) {
            self.mix(before, target);
        }
    }

    /// Mixes an element of one block, which is its own root node, as `mix_node` does.
    #[inline]
    pub(super) fn mix_block(&mut self, target: Target<S::Group>, start: Start, element: &[u8]) {
        self.mix_node(target, |node| {
            node.set_chunk(start, start.chaining_value, false, element);
        });
    }

    /// Mixes the last node.
    pub(super) fn finish(mut self) {
        if let Some(target) = self.target.take() {
            self.mix(self.newest, target);
        }
    }

    #[inline]
    fn mix(&mut self, node: usize, Target { mix, group }: Target<S::Group>) {
        let kernel = match mix {
            Mix::In => self.kernels.xof_add,
            Mix::Out => self.kernels.xof_sub,
        };
        let sums = self.sums.of(group);
        let mut guard = MaybeUninit::<GuardBytes>::uninit();
        // SAFETY: `new`'s caller vouches for the kernel; the sums have the size and the alignment of lane sums. The kernel
        // writes all of the guard.
        let guard = unsafe {
            kernel(&self.nodes[node], LaneSums::of(sums), guard.as_mut_ptr());
            guard.assume_init()
        };
        mix.guard(&mut sums.guard, u128::from_le_bytes(guard));
    }
}
