//! Batches: elements' chunks side by side in lanes, expansions summed up before they are put in order.
//!
//! An element of up to 64 bytes is its own root node; the blocks before the last of a longer one's chunks go through
//! `lanes`; `sums` expands root nodes.

mod lanes;
mod long;
mod sums;

use super::root_node::{Absorb, CHUNK_END, RootNode, Start, bytes, split_last_block};
use crate::backend::{Input, Limbs, Mix, Mode, Staged};
use alloc::vec::Vec;
use blake3::{BLOCK_LEN, CHUNK_LEN};
use lanes::{Groups, Lane, last_blocks};
use long::{Long, MAX_CHUNKS};
use sums::Sums;

pub(super) use lanes::Lanes;
pub(super) use sums::LaneSums;

/// One family's kernels for batches, with G groups of N lanes.
pub(super) struct Family<const N: usize, const G: usize> {
    pub(super) absorb: Absorb,
    pub(super) absorb_many:
        unsafe extern "sysv64" fn(lanes: *mut Lanes<N>, offset: usize, count: usize, flags: u32),
    pub(super) absorb_groups: unsafe extern "sysv64" fn(
        lanes: *mut [Lanes<N>; G],
        offset: usize,
        count: usize,
        flags: u32,
    ),
    pub(super) xof_add: Mixer,
    pub(super) xof_sub: Mixer,
    pub(super) lanes_to_limbs: unsafe extern "sysv64" fn(sums: *const LaneSums, limbs: *mut Limbs),
    /// From how many lanes in use `absorb_many` is faster than `absorb` on each.
    pub(super) lanes_that_pay: u32,
}

/// The signature of the kernels `xof_add` and `xof_sub`.
pub(super) type Mixer = unsafe extern "sysv64" fn(node: *const RootNode, sums: *mut LaneSums);

/// What becomes of a lane's chunk once the lane has absorbed the blocks it was given.
#[derive(Clone, Copy)]
enum Next<'e> {
    /// It is an element: its last block makes the root node.
    Root { last_block: &'e [u8], mix: Mix },
    /// It is one of a long element's: its last block is to be absorbed too.
    LastBlock { last_block: &'e [u8], place: Place },
    /// It is one of a long element's: its chaining value is there.
    ChainingValue { place: Place },
}

/// Where a chunk's chaining value goes: which long element, which chunk of it.
#[derive(Clone, Copy)]
struct Place {
    long: usize,
    chunk: usize,
}

/// Mixes inputs into limbs.
///
/// # Safety
///
/// This processor can run the family's kernels.
pub(super) unsafe fn run<const N: usize, const G: usize>(
    family: &Family<N, G>,
    mode: Mode<'_>,
    mut inputs: &mut dyn Iterator<Item = Staged<'_>>,
    limbs: &mut Limbs,
) {
    let start = Start::from(mode);
    let mut sums = Sums::new();
    // Lanes take their time to set up: first come the elements, all perhaps, that need none.
    let needs_lanes = Iterator::find(&mut inputs, |&Staged { input, mix }| match input {
        Input::Element(element) if element.len() <= BLOCK_LEN => {
            // SAFETY: the caller vouches for the kernels.
            unsafe { sums.mix_block(family, start, element, mix) };
            false
        }
        _ => true,
    });
    if let Some(first) = needs_lanes {
        let last_blocks = last_blocks();
        let mut batch = Batch {
            family,
            mode,
            start,
            sums: &mut sums,
            groups: Groups::new(start, &last_blocks),
            longs: Vec::new(),
        };
        batch.push(first);
        for input in inputs {
            batch.push(input);
        }
        batch.finish();
    }
    // SAFETY: the caller vouches for the kernels.
    unsafe { sums.finish(family, limbs) }
}

/// The state of `run` once lanes are needed. Its caller vouches for the family's kernels.
struct Batch<'e, 'r, const N: usize, const G: usize> {
    family: &'r Family<N, G>,
    mode: Mode<'r>,
    start: Start,
    sums: &'r mut Sums,
    groups: Groups<'r, Next<'e>, N, G>,
    /// Long elements under way, `MAX_LONGS` at most.
    longs: Vec<Long>,
}

impl<'e: 'r, 'r, const N: usize, const G: usize> Batch<'e, 'r, N, G> {
    /// Each long element under way but the newest has a lane.
    const MAX_LONGS: usize = N * G + 1;

    #[inline]
    fn push(&mut self, Staged { input, mix }: Staged<'e>) {
        let (family, mode) = (self.family, self.mode);
        match input {
            Input::Element(element) if element.len() <= BLOCK_LEN => {
                // SAFETY: `run`'s caller vouches for the kernels.
                unsafe { self.sums.mix_block(family, self.start, element, mix) };
            }
            Input::Element(element) if element.len() <= CHUNK_LEN => self.push_chunk(element, mix),
            Input::Element(element) if element.len() <= MAX_CHUNKS * CHUNK_LEN => {
                self.push_long(element, mix);
            }
            _ => {
                // SAFETY: `run`'s caller vouches for the kernels.
                self.mix_node(mix, |node| unsafe { node.set(mode, input, family.absorb) });
            }
        }
    }

    /// Ends what is under way in the lanes.
    fn finish(&mut self) {
        while !self.groups.are_idle() {
            self.advance();
        }
    }

    #[inline]
    fn mix_node(&mut self, mix: Mix, set: impl FnOnce(&mut RootNode)) {
        // SAFETY: `run`'s caller vouches for the kernels.
        unsafe { self.sums.mix_node(self.family, mix, set) }
    }

    /// Takes in an element of 2 to 16 blocks.
    fn push_chunk(&mut self, element: &'e [u8], mix: Mix) {
        let (blocks, last_block) = split_last_block(element);
        let lane = self.begin_chunk();
        self.groups
            .give(lane, blocks, Next::Root { last_block, mix });
    }

    /// Takes in an element of 2 to `MAX_CHUNKS` chunks.
    fn push_long(&mut self, element: &'e [u8], mix: Mix) {
        // All at once: a Vec that grows would leave copies behind that nothing wipes.
        self.longs.reserve_exact(Self::MAX_LONGS - self.longs.len());
        let long = Long::begin(&mut self.longs, element.len().div_ceil(CHUNK_LEN), mix);
        for (chunk, bytes) in element.chunks(CHUNK_LEN).enumerate() {
            let (blocks, last_block) = split_last_block(bytes);
            let lane = self.begin_chunk();
            self.groups.set_counter(lane, chunk as u32);
            let place = Place { long, chunk };
            if blocks.is_empty() {
                self.give_last_block(lane, last_block, place);
            } else {
                self.groups
                    .give(lane, blocks, Next::LastBlock { last_block, place });
            }
        }
    }

    /// Begins a chunk in a lane, which comes free first if need be.
    fn begin_chunk(&mut self) -> Lane {
        loop {
            if let Some(lane) = self.groups.begin() {
                return lane;
            }
            self.advance();
        }
    }

    /// Gives a lane its chunk's last block to absorb.
    fn give_last_block(&mut self, lane: Lane, last_block: &[u8], place: Place) {
        self.groups
            .give_last(lane, last_block, CHUNK_END, Next::ChainingValue { place });
    }

    /// Absorbs blocks in all lanes, of which one at least holds a chunk, until one has done what it was given, and goes on there.
    fn advance(&mut self) {
        // SAFETY: `run`'s caller vouches for the kernels. A chunk that is begun is given blocks before anything else
        // happens, and below each lane that is done is given more or ended.
        unsafe { self.groups.absorb(self.family) };
        while let Some((lane, next)) = self.groups.next_done() {
            match next {
                Next::Root { last_block, mix } => {
                    let chaining_value = self.groups.end(lane);
                    let start = self.start;
                    self.mix_node(mix, |node| {
                        node.set_chunk(start, chaining_value, true, last_block);
                    });
                }
                Next::LastBlock { last_block, place } => {
                    self.give_last_block(lane, last_block, place);
                }
                Next::ChainingValue { place } => {
                    let chaining_value = bytes(&self.groups.end(lane));
                    let long = &mut self.longs[place.long];
                    if long.take_in(place.chunk, chaining_value) {
                        let (start, mix) = (self.start, long.mix());
                        // SAFETY: `run`'s caller vouches for the kernels.
                        let children = unsafe { long.root_children(start, self.family.absorb) };
                        self.mix_node(mix, |node| node.set_children(start, &children));
                    }
                }
            }
        }
    }
}
