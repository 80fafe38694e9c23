//! Batches: elements' chunks side by side in lanes, expansions summed up before they are put in order.
//!
//! An element of up to 64 bytes is its own root node. A longer element's chunks go through `lanes`, which absorb their blocks before
//! the last. `mixing` expands root nodes.

use super::abi::{BatchKernels, LaneSums};
use super::lanes::{Lane, Lanes, last_blocks};
use super::mixing::{Mixer, Sums, Target};
use super::multi_chunk::{MAX_CHUNKS, MultiChunk};
use super::root_node::{CHUNK_END, Start, bytes, split_last_block};
use crate::backend::groups::GroupTable;
use crate::backend::input::{Input, Mix, Mode, Staged};
use crate::backend::limbs::Limbs;
use crate::backend::sums::GroupSums;
use alloc::vec::Vec;
use blake3::{BLOCK_LEN, CHUNK_LEN};

/// The number of root nodes that are kept. A node is mixed only when the next is set: by then its words have reached the cache.
const NODES: usize = 2;

/// The same with many multisets: sums that were asked for must have come from memory, too, so a node waits while 15 others are
/// expanded. (On
/// Zen 4, 8 nodes take 5 % longer with 65,536 groups, and 32 nodes 5 to 12 %.)
const NODES_OF_GROUPS: usize = 16;

/// Mixes inputs into one multiset's limbs and guard.
///
/// # Safety
///
/// This processor can run the kernels.
pub(in crate::backend) unsafe fn mix<const N: usize, const K: usize>(
    kernels: &BatchKernels<N, K>,
    mode: Mode<'_>,
    inputs: &mut dyn Iterator<Item = Staged<'_>>,
    limbs: &mut Limbs,
    guard: &mut u128,
) {
    let mut sums = GroupSums::new();
    // SAFETY: the caller vouches for the kernels, and the sums have the size and the alignment of lane sums.
    unsafe {
        run::<_, N, K, NODES>(kernels, mode, inputs, &mut sums);
        (kernels.lanes_to_limbs)(LaneSums::of(&mut sums), limbs);
    }
    Mix::In.guard(guard, sums.guard);
}

/// Mixes inputs into the sums of their groups.
///
/// # Safety
///
/// This processor can run the kernels, and all sums are lane sums.
pub(in crate::backend) unsafe fn mix_groups<const N: usize, const K: usize>(
    kernels: &BatchKernels<N, K>,
    mode: Mode<'_>,
    inputs: &mut dyn Iterator<Item = Staged<'_, u32>>,
    groups: &mut GroupTable,
) {
    // SAFETY: the caller vouches for the kernels.
    unsafe { run::<_, N, K, NODES_OF_GROUPS>(kernels, mode, inputs, groups) }
}

/// What is to be done with a chunk once its lane has absorbed the blocks that it was given.
#[derive(Clone, Copy)]
enum Next<'e, T> {
    /// The chunk is a whole element: its last block makes the root node.
    Root { last_block: &'e [u8], target: T },
    /// The chunk is one of several of an element: its last block has to be absorbed too.
    LastBlock {
        last_block: &'e [u8],
        chunk: ChunkOf,
    },
    /// The chunk is one of several of an element, and its chaining value is complete.
    ChainingValue { chunk: ChunkOf },
}

/// One of several chunks of an element: the index of the element under way, and of the chunk in it.
#[derive(Clone, Copy)]
struct ChunkOf {
    element: usize,
    chunk: usize,
}

/// # Safety
///
/// This processor can run the kernels, and all sums are lane sums.
unsafe fn run<S: Sums, const N: usize, const K: usize, const W: usize>(
    kernels: &BatchKernels<N, K>,
    mode: Mode<'_>,
    mut inputs: &mut dyn Iterator<Item = Staged<'_, S::Group>>,
    sums: &mut S,
) {
    let start = Start::from(mode);
    // SAFETY: the caller vouches for the kernels and the sums.
    let mut mixer = unsafe { Mixer::<_, N, K, W>::new(kernels, sums) };
    // Setting up lanes takes time. So elements that need none are mixed first, and there may be no others.
    let needs_lanes = Iterator::find(&mut inputs, |&Staged { input, mix, group }| match input {
        Input::Element(element) if element.len() <= BLOCK_LEN => {
            mixer.mix_block(Target { mix, group }, start, element);
            false
        }
        _ => true,
    });
    if let Some(first) = needs_lanes {
        let last_blocks = last_blocks();
        let mut batch = Batch {
            kernels,
            mode,
            start,
            mixer: &mut mixer,
            lanes: Lanes::new(start, &last_blocks),
            under_way: Vec::new(),
        };
        batch.push(first);
        for input in inputs {
            batch.push(input);
        }
        batch.finish();
    }
    mixer.finish();
}

/// The state of `run` once lanes are needed. Its caller vouches for the kernels.
struct Batch<'e, 'r, 's, S: Sums, const N: usize, const K: usize, const W: usize> {
    kernels: &'r BatchKernels<N, K>,
    mode: Mode<'r>,
    start: Start,
    mixer: &'r mut Mixer<'s, S, N, K, W>,
    lanes: Lanes<'r, Next<'e, Target<S::Group>>, N, K>,
    /// Elements of 2 to `MAX_CHUNKS` chunks, `MAX_UNDER_WAY` at most.
    under_way: Vec<MultiChunk<Target<S::Group>>>,
}

impl<'e: 'r, 'r, S: Sums, const N: usize, const K: usize, const W: usize>
    Batch<'e, 'r, '_, S, N, K, W>
{
    /// Each element under way but the newest has a lane.
    const MAX_UNDER_WAY: usize = N * K + 1;

    #[inline]
    fn push(&mut self, staged: Staged<'e, S::Group>) {
        let Staged { input, mix, group } = staged;
        let target = Target { mix, group };
        match input {
            Input::Element(element) if element.len() <= BLOCK_LEN => {
                self.mixer.mix_block(target, self.start, element);
            }
            Input::Element(element) if element.len() <= CHUNK_LEN => {
                self.push_chunk(element, target);
            }
            Input::Element(element) if element.len() <= MAX_CHUNKS * CHUNK_LEN => {
                self.push_chunks(element, target);
            }
            _ => {
                let (mode, absorb) = (self.mode, self.kernels.absorb);
                // SAFETY: `run`'s caller vouches for the kernels.
                self.mixer
                    .mix_node(target, |node| unsafe { node.set(mode, input, absorb) });
            }
        }
    }

    /// Finishes the chunks that are in the lanes.
    fn finish(&mut self) {
        while !self.lanes.are_idle() {
            self.advance();
        }
    }

    /// Begins an element of 2 to 16 blocks.
    fn push_chunk(&mut self, element: &'e [u8], target: Target<S::Group>) {
        let (blocks, last_block) = split_last_block(element);
        let lane = self.begin_chunk();
        self.lanes
            .give(lane, blocks, Next::Root { last_block, target });
    }

    /// Begins an element of 2 to `MAX_CHUNKS` chunks.
    fn push_chunks(&mut self, bytes: &'e [u8], target: Target<S::Group>) {
        // Allocated whole: a Vec that grows would leave copies behind that nothing wipes.
        self.under_way
            .reserve_exact(Self::MAX_UNDER_WAY - self.under_way.len());
        let chunks = bytes.len().div_ceil(CHUNK_LEN);
        let element = MultiChunk::begin(&mut self.under_way, chunks, target);
        for (index, bytes) in bytes.chunks(CHUNK_LEN).enumerate() {
            let (blocks, last_block) = split_last_block(bytes);
            let lane = self.begin_chunk();
            self.lanes.set_counter(lane, index as u32);
            let chunk = ChunkOf {
                element,
                chunk: index,
            };
            if blocks.is_empty() {
                self.give_last_block(lane, last_block, chunk);
            } else {
                self.lanes
                    .give(lane, blocks, Next::LastBlock { last_block, chunk });
            }
        }
    }

    /// Refills a lane: begins a chunk in an idle lane. If no lane is idle, it first absorbs blocks until one is.
    fn begin_chunk(&mut self) -> Lane {
        loop {
            if let Some(lane) = self.lanes.begin() {
                return lane;
            }
            self.advance();
        }
    }

    /// Gives a lane its chunk's last block to absorb.
    fn give_last_block(&mut self, lane: Lane, last_block: &[u8], chunk: ChunkOf) {
        self.lanes
            .give_last(lane, last_block, CHUNK_END, Next::ChainingValue { chunk });
    }

    /// Absorbs blocks in all lanes until a lane has absorbed all that it was given, and goes on with that lane's chunk. At least one
    /// lane has to hold a chunk.
    fn advance(&mut self) {
        // SAFETY: `run`'s caller vouches for the kernels. A chunk that is begun is given blocks before anything else
        // happens, and below each lane that is done is given more or ended.
        unsafe { self.lanes.absorb(self.kernels) };
        while let Some((lane, next)) = self.lanes.next_done() {
            match next {
                Next::Root { last_block, target } => {
                    let chaining_value = self.lanes.end(lane);
                    let start = self.start;
                    self.mixer.mix_node(target, |node| {
                        node.set_chunk(start, chaining_value, true, last_block);
                    });
                }
                Next::LastBlock { last_block, chunk } => {
                    self.give_last_block(lane, last_block, chunk);
                }
                Next::ChainingValue {
                    chunk: ChunkOf { element, chunk },
                } => {
                    let chaining_value = bytes(&self.lanes.end(lane));
                    let element = &mut self.under_way[element];
                    if element.take_in(chunk, chaining_value) {
                        let (start, target) = (self.start, element.target());
                        // SAFETY: `run`'s caller vouches for the kernels.
                        let children = unsafe { element.root_children(start, self.kernels.absorb) };
                        self.mixer
                            .mix_node(target, |node| node.set_children(start, &children));
                    }
                }
            }
        }
    }
}
