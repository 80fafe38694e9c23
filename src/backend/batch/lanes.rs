//! Lanes: chunks side by side.
//!
//! A lane holds one chunk. One call absorbs the same number of blocks in all lanes: as many as are left in the lane that has the
//! fewest. That lane is then refilled with the next chunk. So elements may differ in length, and no lane waits for a long element.

use super::abi::{Absorb, BatchKernels, LaneVector};
use super::root_node::{CHUNK_START, Start, absorb_blocks, padded};
use blake3::BLOCK_LEN;
use core::array;
use core::cell::Cell;
use core::mem::MaybeUninit;
use core::ptr;
use core::slice;

/// Padded last blocks, from which lanes absorb. They are cells, since some are written while lanes point to others.
pub(super) type LastBlocks<const N: usize, const K: usize> = [[LastBlock; N]; K];
type LastBlock = Cell<MaybeUninit<[u8; BLOCK_LEN]>>;

pub(super) const fn last_blocks<const N: usize, const K: usize>() -> LastBlocks<N, K> {
    [const { [const { Cell::new(MaybeUninit::uninit()) }; N] }; K]
}

/// K vectors of N lanes, at most 32 in all, which point to blocks that live for 'b. T is a value that a chunk's owner gets back when
/// the lane is done.
///
/// An idle lane is ready to begin a chunk: its words have reached the cache when the kernel reads many at once.
pub(super) struct Lanes<'b, T, const N: usize, const K: usize> {
    vectors: [LaneVector<N>; K],
    start: Start,
    /// Bit l: lane l holds a chunk.
    in_use: u32,
    /// The number of blocks that have been absorbed in each lane so far. Lanes' pointers are this many blocks before their blocks.
    now: usize,
    /// In entry `t % TIMES`, bit l: at time t, lane l will have absorbed all blocks that it was given.
    due: [u32; TIMES],
    next: [[Option<T>; N]; K],
    last_blocks: &'b LastBlocks<N, K>,
}

/// A lane is given at most 15 blocks at a time, so this many times tell all lanes apart by when they are due.
const TIMES: usize = 16;

/// One lane: its vector, and its number in the vector.
#[derive(Clone, Copy)]
pub(super) struct Lane {
    vector: usize,
    index: usize,
}

impl Lane {
    /// The lane of bit `bit` in a mask of all.
    fn at<const N: usize>(bit: usize) -> Lane {
        Lane {
            vector: bit / N,
            index: bit % N,
        }
    }
}

impl<'b, T: Copy, const N: usize, const K: usize> Lanes<'b, T, N, K> {
    const ALL: u32 = u32::MAX >> (32 - N * K);
    const ONE_VECTOR: u32 = u32::MAX >> (32 - N);

    pub(super) fn new(start: Start, last_blocks: &'b LastBlocks<N, K>) -> Self {
        Lanes {
            vectors: array::from_fn(|_| LaneVector {
                chaining_values: start.chaining_value.map(|word| [word; N]),
                counters: [[0; N]; 2],
                first_flags: [start.flags | CHUNK_START; N],
                first_lengths: [BLOCK_LEN as u32; N],
                blocks: [ptr::null(); N],
            }),
            start,
            in_use: 0,
            now: 0,
            due: [0; TIMES],
            next: [[None; N]; K],
            last_blocks,
        }
    }

    /// Whether no lane holds a chunk.
    pub(super) fn are_idle(&self) -> bool {
        self.in_use == 0
    }

    /// A lane for a chunk, if one is idle.
    #[inline]
    pub(super) fn begin(&mut self) -> Option<Lane> {
        if self.in_use == Self::ALL {
            return None;
        }
        let lane = self.in_use.trailing_ones() as usize;
        self.in_use |= 1 << lane;
        Some(Lane::at::<N>(lane))
    }

    /// Sets a chunk's counter: its number in its element, unless it is the only chunk.
    pub(super) fn set_counter(&mut self, lane: Lane, counter: u32) {
        self.vectors[lane.vector].counters[0][lane.index] = counter;
    }

    /// Gives a lane blocks to absorb, 1 to 15.
    #[inline]
    pub(super) fn give(&mut self, lane: Lane, blocks: &'b [[u8; BLOCK_LEN]], next: T) {
        self.give_at(lane, blocks.as_ptr(), blocks.len(), next);
    }

    /// Gives a lane a last block to absorb, with these flags besides those that it has.
    pub(super) fn give_last(&mut self, lane: Lane, last_block: &[u8], flags: u32, next: T) {
        let vector = &mut self.vectors[lane.vector];
        vector.first_lengths[lane.index] = last_block.len() as u32;
        vector.first_flags[lane.index] |= flags;
        let block = &self.last_blocks[lane.vector][lane.index];
        block.set(MaybeUninit::new(padded(last_block)));
        self.give_at(lane, block.as_ptr().cast(), 1, next);
    }

    #[inline]
    fn give_at(&mut self, lane: Lane, first: *const [u8; BLOCK_LEN], count: usize, next: T) {
        let Lane { vector, index } = lane;
        self.vectors[vector].blocks[index] = first.cast::<u8>().wrapping_sub(self.now * BLOCK_LEN);
        self.next[vector][index] = Some(next);
        self.due[(self.now + count) % TIMES] |= 1 << (vector * N + index);
    }

    /// Returns a lane that has absorbed all that it was given. Its owner now gives it more blocks or ends its chunk.
    #[inline]
    pub(super) fn next_done(&mut self) -> Option<(Lane, T)> {
        let done = &mut self.due[self.now % TIMES];
        let lane = done.trailing_zeros() as usize;
        *done &= done.wrapping_sub(1);
        let lane = Lane::at::<N>(lane);
        let next = self.next.get(lane.vector)?[lane.index]?;
        Some((lane, next))
    }

    /// Ends a lane's chunk and returns its chaining value.
    #[inline]
    pub(super) fn end(&mut self, lane: Lane) -> [u32; 8] {
        let Lane { vector, index } = lane;
        self.in_use &= !(1 << (vector * N + index));
        let lanes = &mut self.vectors[vector];
        let chaining_value = lanes.chaining_value(index);
        lanes.set_chaining_value(index, self.start.chaining_value);
        lanes.counters[0][index] = 0;
        lanes.first_flags[index] = self.start.flags | CHUNK_START;
        chaining_value
    }

    /// Absorbs blocks in all lanes that hold a chunk, until at least one is done.
    ///
    /// # Safety
    ///
    /// This processor can run the kernels. Every lane that holds a chunk was given blocks when it began it, and
    /// again whenever it was done: it has at least one left.
    pub(super) unsafe fn absorb(&mut self, kernels: &BatchKernels<N, K>) {
        let mut count = 1;
        while count < TIMES && self.due[(self.now + count) % TIMES] == 0 {
            count += 1;
        }
        let in_use: [u32; K] =
            array::from_fn(|vector| self.in_use >> (vector * N) & Self::ONE_VECTOR);
        let (offset, flags) = (self.now * BLOCK_LEN, self.start.flags);
        let pays = |in_use: &u32| in_use.count_ones() >= kernels.lanes_that_pay;
        let absorb_all_lanes = kernels.absorb_all_lanes.filter(|_| in_use.iter().all(pays));
        if let Some(absorb_all_lanes) = absorb_all_lanes {
            for (vector, in_use) in self.vectors.iter_mut().zip(in_use) {
                vector.occupy_idle(in_use);
            }
            // SAFETY: the caller vouches for the kernel. No lane that holds a chunk is due before `count` more blocks, so each has as
            // many left, and they live for 'b. Idle lanes point to the blocks of a lane in use (`occupy_idle`).
            unsafe { absorb_all_lanes(&mut self.vectors, offset, count, flags) };
        } else {
            for (vector, in_use) in self.vectors.iter_mut().zip(in_use) {
                if pays(&in_use) {
                    vector.occupy_idle(in_use);
                    // SAFETY: likewise.
                    unsafe { (kernels.absorb_lanes)(vector, offset, count, flags) };
                } else {
                    for lane in (0..N).filter(|lane| in_use >> lane & 1 == 1) {
                        // SAFETY: likewise.
                        unsafe { vector.absorb(lane, offset, count, flags, kernels.absorb) };
                    }
                }
            }
        }
        self.now += count;
        for (vector, in_use) in self.vectors.iter_mut().zip(in_use) {
            if in_use != 0 {
                vector.first_flags = [flags; N];
                vector.first_lengths = [BLOCK_LEN as u32; N];
                vector.ready_idle(in_use, self.start);
            }
        }
    }
}

impl<const N: usize> LaneVector<N> {
    fn chaining_value(&self, lane: usize) -> [u32; 8] {
        array::from_fn(|i| self.chaining_values[i][lane])
    }

    fn set_chaining_value(&mut self, lane: usize, chaining_value: [u32; 8]) {
        for (words, word) in self.chaining_values.iter_mut().zip(chaining_value) {
            words[lane] = word;
        }
    }

    /// Makes every idle lane repeat the work of a lane in use.
    fn occupy_idle(&mut self, in_use: u32) {
        for lane in Self::idle(in_use) {
            self.blocks[lane] = self.blocks[in_use.trailing_zeros() as usize];
        }
    }

    /// Makes every idle lane ready to begin a chunk.
    fn ready_idle(&mut self, in_use: u32, start: Start) {
        for lane in Self::idle(in_use) {
            self.set_chaining_value(lane, start.chaining_value);
            self.first_flags[lane] = start.flags | CHUNK_START;
        }
    }

    fn idle(in_use: u32) -> impl Iterator<Item = usize> {
        let mut idle = !in_use & (u32::MAX >> (32 - N));
        core::iter::from_fn(move || {
            let lane = idle.trailing_zeros() as usize;
            idle &= idle.wrapping_sub(1);
            (lane < N).then_some(lane)
        })
    }

    /// Absorbs blocks in one lane only.
    ///
    /// # Safety
    ///
    /// `absorb` is a kernel that this processor can run, and the lane points to as many blocks from the offset on.
    unsafe fn absorb(
        &mut self,
        lane: usize,
        offset: usize,
        count: usize,
        flags: u32,
        absorb: Absorb,
    ) {
        let mut chaining_value = self.chaining_value(lane);
        let first = self.blocks[lane].wrapping_add(offset).cast();
        // SAFETY: the caller vouches for the blocks, and arrays of bytes have no alignment.
        let blocks = unsafe { slice::from_raw_parts(first, count) };
        // SAFETY: the caller vouches for the kernel.
        unsafe {
            absorb_blocks(
                &mut chaining_value,
                blocks,
                self.counters[0][lane].into(),
                (self.first_lengths[lane], self.first_flags[lane]),
                flags,
                absorb,
            );
        }
        self.set_chaining_value(lane, chaining_value);
    }
}
