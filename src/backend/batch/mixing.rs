//! Root nodes' expansions, mixed into sums.

use super::abi::{BatchKernels, GuardBytes, LaneSums, RootNode};
use super::root_node::Start;
use crate::backend::groups::{GroupTable, prefetch};
use crate::backend::input::Mix;
use crate::backend::sums::GroupSums;
use core::mem::MaybeUninit;

/// One multiset's sums, or many multisets'.
pub(super) trait Sums {
    /// What tells the multisets apart.
    type Group: Copy;

    /// A multiset's sums.
    fn of(&mut self, group: Self::Group) -> &mut GroupSums;

    /// Asks for a multiset's sums, which are needed once the nodes that wait are mixed.
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
        if !self.is_small() {
            prefetch(self.of(group));
        }
    }
}

/// Where an element is mixed, and how.
#[derive(Clone, Copy)]
pub(super) struct Target<G> {
    pub(super) mix: Mix,
    pub(super) group: G,
}

/// Mixes each root node into its sums once W - 1 newer ones are set. Meanwhile its words, which are stored in other sizes than the kernels
/// read, reach the cache.
pub(super) struct Mixer<'s, S: Sums, const N: usize, const K: usize, const W: usize> {
    kernels: &'s BatchKernels<N, K>,
    sums: &'s mut S,
    /// A ring of the newest root nodes, and the targets of those that are not mixed yet.
    nodes: [RootNode; W],
    targets: [Option<Target<S::Group>>; W],
    /// Where the next node is set. No node waits there; behind it, round the ring, is the oldest that does.
    next: usize,
}

impl<'s, S: Sums, const N: usize, const K: usize, const W: usize> Mixer<'s, S, N, K, W> {
    /// # Safety
    ///
    /// This processor can run the kernels.
    pub(super) unsafe fn new(kernels: &'s BatchKernels<N, K>, sums: &'s mut S) -> Self {
        Mixer {
            kernels,
            sums,
            nodes: [RootNode::UNSET; W],
            targets: [None; W],
            next: 0,
        }
    }

    /// Sets a root node, and mixes the oldest if as many wait as may.
    #[inline]
    pub(super) fn mix_node(&mut self, target: Target<S::Group>, set: impl FnOnce(&mut RootNode)) {
        self.sums.prefetch(target.group);
        set(&mut self.nodes[self.next]);
        self.targets[self.next] = Some(target);
        self.mix_oldest();
    }

    /// Mixes an element of one block, which is its own root node, as `mix_node` does.
    #[inline]
    pub(super) fn mix_block(&mut self, target: Target<S::Group>, start: Start, element: &[u8]) {
        self.mix_node(target, |node| {
            node.set_chunk(start, start.chaining_value, false, element);
        });
    }

    /// Mixes the nodes that are left.
    pub(super) fn finish(mut self) {
        for _ in 1..W {
            self.mix_oldest();
        }
    }

    /// Goes on to where the oldest node may be, and mixes it.
    #[inline]
    fn mix_oldest(&mut self) {
        self.next = (self.next + 1) % W;
        if let Some(target) = self.targets[self.next].take() {
            self.mix(self.next, target);
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
        // The kernel writes the guard by one store, so reading it at once waits for nothing.
        // SAFETY: `new`'s caller vouches for the kernel; the sums have the size and the alignment of lane sums. The kernel
        // writes all of the guard.
        let guard = unsafe {
            kernel(&self.nodes[node], LaneSums::of(sums), guard.as_mut_ptr());
            guard.assume_init()
        };
        mix.guard(&mut sums.guard, u128::from_le_bytes(guard));
    }
}
