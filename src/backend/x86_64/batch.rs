//! Batches: elements' chunks side by side in the lanes of `absorb_many`, expansions summed up before they are put in
//! order.
//!
//! A lane holds one chunk. One call absorbs the same number of blocks in all lanes, as many as the lane has left that is
//! done first; that lane then takes the next chunk. So elements need not be of one length, and a long one keeps nobody
//! waiting.

use super::root_node::{
    Absorb, CHUNK_END, CHUNK_START, PARENT, RootNode, Start, absorb_blocks, bytes, joined, padded,
    split_last_block,
};
use crate::backend::{Input, Limbs, Mix, Mode, Staged};
use alloc::vec::Vec;
use blake3::hazmat::ChainingValue;
use blake3::{BLOCK_LEN, CHUNK_LEN};
use core::array;
use core::ptr;
use core::slice;

/// An element of at most so many chunks goes through the lanes; for a longer one the `blake3` crate is as fast.
const MAX_CHUNKS: usize = 8;

/// One family's kernels for batches of N lanes.
pub(super) struct Family<const N: usize> {
    pub(super) absorb: Absorb,
    pub(super) absorb_many:
        unsafe extern "sysv64" fn(lanes: *mut Lanes<N>, count: usize, flags: u32),
    pub(super) xof_add: Mixer,
    pub(super) xof_sub: Mixer,
    pub(super) lanes_to_limbs: unsafe extern "sysv64" fn(sums: *const LaneSums, limbs: *mut Limbs),
    /// From how many lanes in use `absorb_many` is faster than `absorb` on each.
    pub(super) lanes_that_pay: u32,
}

/// The signature of the kernels `xof_add` and `xof_sub`.
pub(super) type Mixer = unsafe extern "sysv64" fn(node: *const RootNode, sums: *mut LaneSums);

/// 1024 limbs before the transposition that puts them in order: for each of the 16 state words the 32 counters' limbs,
/// two a word.
#[repr(C, align(64))]
pub(super) struct LaneSums([[u32; 32]; 16]);

/// What `absorb_many` works on (asm/absorb_many_avx2.S).
#[repr(C, align(64))]
pub(super) struct Lanes<const N: usize> {
    chaining_values: [[u32; N]; 8],
    counters: [[u32; N]; 2],
    first_flags: [u32; N],
    first_lengths: [u32; N],
    blocks: [*const u8; N],
}

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

/// An element of 2 to `MAX_CHUNKS` chunks under way.
struct Long {
    chaining_values: [ChainingValue; MAX_CHUNKS],
    chunks: usize,
    chunks_left: usize,
    mix: Mix,
}

/// Of what a batch holds, these alone are on the heap.
#[cfg(feature = "zeroize")]
impl Drop for Long {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.chaining_values);
    }
}

/// Mixes inputs into limbs.
///
/// # Safety
///
/// This processor can run the family's kernels.
pub(super) unsafe fn run<const N: usize>(
    family: &Family<N>,
    mode: Mode<'_>,
    inputs: &mut dyn Iterator<Item = Staged<'_>>,
    limbs: &mut Limbs,
) {
    let mut batch = Batch::new(family, mode);
    let start = batch.start;
    for Staged { input, mix } in inputs {
        match input {
            Input::Element(element) if element.len() <= BLOCK_LEN => {
                batch.mix_node(
                    &RootNode::of_chunk(start, start.chaining_value, false, element),
                    mix,
                );
            }
            Input::Element(element) if element.len() <= CHUNK_LEN => {
                batch.push_chunk(element, mix);
            }
            Input::Element(element) if element.len() <= MAX_CHUNKS * CHUNK_LEN => {
                batch.push_long(element, mix);
            }
            _ => {
                // SAFETY: the caller vouches for the kernels.
                let node = unsafe { RootNode::new(mode, input, family.absorb) };
                batch.mix_node(&node, mix);
            }
        }
    }
    while batch.in_use != 0 {
        batch.advance();
    }
    // SAFETY: the caller vouches for the kernels; LaneSums has the size and the alignment that they want.
    unsafe { (family.lanes_to_limbs)(&batch.sums, limbs) }
}

/// The state of `run`, whose caller vouches for the family's kernels.
struct Batch<'e, 'f, const N: usize> {
    family: &'f Family<N>,
    start: Start,
    sums: LaneSums,
    lanes: Lanes<N>,
    /// How many blocks each lane has still been given.
    blocks_left: [u16; N],
    next: [Next<'e>; N],
    /// Bit l: lane l holds a chunk.
    in_use: u32,
    /// Last blocks, padded, which lanes absorb from here.
    last_blocks: [[u8; BLOCK_LEN]; N],
    /// Long elements under way: as each but the newest has a lane, N + 1 at most.
    longs: Vec<Long>,
}

impl<'e, 'f, const N: usize> Batch<'e, 'f, N> {
    const ALL_IN_USE: u32 = (1 << N) - 1;

    fn new(family: &'f Family<N>, mode: Mode<'_>) -> Self {
        let nothing = Next::Root {
            last_block: &[],
            mix: Mix::In,
        };
        Batch {
            family,
            start: Start::from(mode),
            sums: LaneSums([[0; 32]; 16]),
            lanes: Lanes {
                chaining_values: [[0; N]; 8],
                counters: [[0; N]; 2],
                first_flags: [0; N],
                first_lengths: [BLOCK_LEN as u32; N],
                blocks: [ptr::null(); N],
            },
            blocks_left: [u16::MAX; N],
            next: [nothing; N],
            in_use: 0,
            last_blocks: [[0; BLOCK_LEN]; N],
            longs: Vec::new(),
        }
    }

    fn mix_node(&mut self, node: &RootNode, mix: Mix) {
        let mixer = match mix {
            Mix::In => self.family.xof_add,
            Mix::Out => self.family.xof_sub,
        };
        // SAFETY: `run`'s caller vouches for the kernels; LaneSums has the size and the alignment that they want.
        unsafe { mixer(node, &mut self.sums) }
    }

    /// Takes in an element of 2 to 16 blocks.
    fn push_chunk(&mut self, element: &'e [u8], mix: Mix) {
        let (blocks, last_block) = split_last_block(element);
        let lane = self.begin_chunk(0);
        self.assign(lane, blocks, Next::Root { last_block, mix });
    }

    /// Takes in an element of 2 to `MAX_CHUNKS` chunks.
    fn push_long(&mut self, element: &'e [u8], mix: Mix) {
        let long = self.begin_long(element.len().div_ceil(CHUNK_LEN), mix);
        for (chunk, bytes) in element.chunks(CHUNK_LEN).enumerate() {
            let (blocks, last_block) = split_last_block(bytes);
            let lane = self.begin_chunk(chunk as u32);
            let place = Place { long, chunk };
            if blocks.is_empty() {
                self.assign_last_block(lane, last_block, place);
            } else {
                self.assign(lane, blocks, Next::LastBlock { last_block, place });
            }
        }
    }

    fn begin_long(&mut self, chunks: usize, mix: Mix) -> usize {
        let long = Long {
            chaining_values: [[0; 32]; MAX_CHUNKS],
            chunks,
            chunks_left: chunks,
            mix,
        };
        match self.longs.iter().position(|long| long.chunks_left == 0) {
            Some(free) => {
                self.longs[free] = long;
                free
            }
            None => {
                self.longs.push(long);
                self.longs.len() - 1
            }
        }
    }

    /// Begins a chunk in a lane, which comes free first if need be.
    fn begin_chunk(&mut self, counter: u32) -> usize {
        while self.in_use == Self::ALL_IN_USE {
            self.advance();
        }
        let lane = (!self.in_use).trailing_zeros() as usize;
        self.in_use |= 1 << lane;
        for (words, word) in (self.lanes.chaining_values.iter_mut()).zip(self.start.chaining_value)
        {
            words[lane] = word;
        }
        self.lanes.counters[0][lane] = counter;
        self.lanes.first_flags[lane] = self.start.flags | CHUNK_START;
        lane
    }

    /// Gives a lane blocks to absorb.
    fn assign(&mut self, lane: usize, blocks: &'e [[u8; BLOCK_LEN]], next: Next<'e>) {
        self.lanes.blocks[lane] = blocks.as_ptr().cast();
        self.blocks_left[lane] = blocks.len() as u16;
        self.next[lane] = next;
    }

    /// Gives a lane its chunk's last block to absorb.
    fn assign_last_block(&mut self, lane: usize, last_block: &[u8], place: Place) {
        self.last_blocks[lane] = padded(last_block);
        self.lanes.blocks[lane] = self.last_blocks[lane].as_ptr();
        self.lanes.first_lengths[lane] = last_block.len() as u32;
        self.lanes.first_flags[lane] |= CHUNK_END;
        self.blocks_left[lane] = 1;
        self.next[lane] = Next::ChainingValue { place };
    }

    /// Absorbs blocks in all lanes, until one at least has done what it was given.
    fn advance(&mut self) {
        let in_use = self.in_use;
        if in_use != Self::ALL_IN_USE {
            // An idle lane repeats the work of another and holds nobody up.
            let another = self.lanes.blocks[in_use.trailing_zeros() as usize];
            for lane in (0..N).filter(|lane| in_use >> lane & 1 == 0) {
                self.lanes.blocks[lane] = another;
                self.blocks_left[lane] = u16::MAX;
            }
        }
        let count = self
            .blocks_left
            .iter()
            .fold(u16::MAX, |least, &left| least.min(left));
        if in_use.count_ones() >= self.family.lanes_that_pay {
            // SAFETY: `run`'s caller vouches for the kernels; each lane points to as many blocks, 1 to 15.
            unsafe {
                (self.family.absorb_many)(&mut self.lanes, count.into(), self.start.flags);
            }
        } else {
            for lane in (0..N).filter(|lane| in_use >> lane & 1 == 1) {
                self.absorb_lane(lane, count.into());
            }
        }
        for lane in 0..N {
            self.blocks_left[lane] -= count;
            let bytes = usize::from(count) * BLOCK_LEN;
            self.lanes.blocks[lane] = self.lanes.blocks[lane].wrapping_add(bytes);
        }
        self.lanes.first_flags = [self.start.flags; N];
        self.lanes.first_lengths = [BLOCK_LEN as u32; N];
        for lane in 0..N {
            if self.blocks_left[lane] == 0 {
                self.go_on(lane);
            }
        }
    }

    /// Absorbs blocks in one lane alone.
    fn absorb_lane(&mut self, lane: usize, count: usize) {
        let mut chaining_value = self.chaining_value(lane);
        // SAFETY: the lane points to so many blocks, which outlive this call, and arrays of bytes have no alignment.
        let blocks = unsafe { slice::from_raw_parts(self.lanes.blocks[lane].cast(), count) };
        // SAFETY: `run`'s caller vouches for the kernels.
        unsafe {
            absorb_blocks(
                &mut chaining_value,
                blocks,
                self.lanes.counters[0][lane].into(),
                (self.lanes.first_lengths[lane], self.lanes.first_flags[lane]),
                self.start.flags,
                self.family.absorb,
            );
        }
        for (words, word) in self.lanes.chaining_values.iter_mut().zip(chaining_value) {
            words[lane] = word;
        }
    }

    /// Does what comes next in a lane that has absorbed its blocks.
    fn go_on(&mut self, lane: usize) {
        match self.next[lane] {
            Next::Root { last_block, mix } => {
                self.in_use &= !(1 << lane);
                let chaining_value = self.chaining_value(lane);
                self.mix_node(
                    &RootNode::of_chunk(self.start, chaining_value, true, last_block),
                    mix,
                );
            }
            Next::LastBlock { last_block, place } => {
                self.assign_last_block(lane, last_block, place)
            }
            Next::ChainingValue { place } => {
                self.in_use &= !(1 << lane);
                let chaining_value = bytes(&self.chaining_value(lane));
                let long = &mut self.longs[place.long];
                long.chaining_values[place.chunk] = chaining_value;
                long.chunks_left -= 1;
                if long.chunks_left == 0 {
                    self.finish_long(place.long);
                }
            }
        }
    }

    fn chaining_value(&self, lane: usize) -> [u32; 8] {
        array::from_fn(|i| self.lanes.chaining_values[i][lane])
    }

    /// Joins a long element's chaining values, pair by pair and level by level, down to its root node's two.
    fn finish_long(&mut self, long: usize) {
        let Long {
            chaining_values: mut nodes,
            chunks: mut count,
            mix,
            ..
        } = self.longs[long];
        while count > 2 {
            for pair in 0..count / 2 {
                nodes[pair] = self.parent(&[nodes[2 * pair], nodes[2 * pair + 1]]);
            }
            if count % 2 == 1 {
                nodes[count / 2] = nodes[count - 1];
            }
            count = count.div_ceil(2);
        }
        self.mix_node(
            &RootNode::of_children(self.start, &[nodes[0], nodes[1]]),
            mix,
        );
    }

    fn parent(&self, children: &[ChainingValue; 2]) -> ChainingValue {
        let mut chaining_value = self.start.chaining_value;
        let flags = self.start.flags | PARENT;
        let length = BLOCK_LEN as u32;
        // SAFETY: `run`'s caller vouches for the kernels; one whole block.
        unsafe {
            (self.family.absorb)(
                &mut chaining_value,
                joined(children).as_ptr(),
                1,
                0,
                length,
                flags,
            );
        }
        bytes(&chaining_value)
    }
}
