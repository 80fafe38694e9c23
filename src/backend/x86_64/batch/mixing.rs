//! Root nodes' expansions, mixed into sums.

use crate::backend::x86_64::abi::{BatchKernels, GuardBytes, LaneSums, RootNode};
use crate::backend::x86_64::root_node::Start;
use crate::backend::{GroupSums, GroupTable, Mix};
use core::arch::asm;
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
            // To be written: then no other core has to be asked again. A processor without this instruction takes it for
            // one that does nothing.
            // SAFETY: a prefetch changes nothing that a program sees.
            unsafe {
                asm!("prefetchw [{}]", in(reg) sums.wrapping_add(line), options(nostack, preserves_flags, readonly));
            }
        }
    }
}

/// Where an element is mixed, and how.
#[derive(Clone, Copy)]
pub(super) struct Target<G> {
    pub(super) mix: Mix,
    pub(super) group: G,
}

/// The root nodes that are still to be mixed into sums.
pub(super) struct Mixer<'s, S: Sums, const N: usize, const G: usize> {
    kernels: &'s BatchKernels<N, G>,
    sums: &'s mut S,
    /// The newest root node and the one before it, each with the guard that it has once it is mixed.
    nodes: [RootNode; 2],
    guards: [GuardBytes; 2],
    newest: usize,
    /// The newest's target, if there is one, and that of the one before it, whose guard is still to be added.
    target: Option<Target<S::Group>>,
    mixed: Option<Target<S::Group>>,
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
            guards: [[0; 16]; 2],
            newest: 0,
            target: None,
            mixed: None,
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

    /// Mixes what is still to be mixed.
    pub(super) fn finish(mut self) {
        if let Some(target) = self.target.take() {
            self.mix(self.newest, target);
            self.add_guard(self.newest);
        }
    }

    /// Mixes a node, and only then the guard of the one before it: four bytes at a time have been written, which cannot be
    /// read as one number until they have left the store buffer.
    #[inline]
    fn mix(&mut self, node: usize, target: Target<S::Group>) {
        let kernel = match target.mix {
            Mix::In => self.kernels.xof_add,
            Mix::Out => self.kernels.xof_sub,
        };
        let sums = LaneSums::of(self.sums.of(target.group));
        // SAFETY: `new`'s caller vouches for the kernel; sums are lane sums on this backend.
        unsafe { kernel(&self.nodes[node], sums, &mut self.guards[node]) };
        self.add_guard(1 - node);
        self.mixed = Some(target);
    }

    /// Adds the guard of the node that was mixed before, or subtracts it.
    #[inline]
    fn add_guard(&mut self, node: usize) {
        if let Some(Target { mix, group }) = self.mixed {
            let guard = u128::from_le_bytes(self.guards[node]);
            mix.guard(&mut self.sums.of(group).guard, guard);
        }
    }
}
