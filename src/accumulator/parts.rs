//! Elements that are given in parts.

use crate::backend::{Input, Mode};
use alloc::vec::Vec;
use blake3::CHUNK_LEN;
use blake3::hazmat::{ChainingValue, HasherExt, merge_subtrees_non_root};

/// The most subtrees at a time: one for each bit of the number of chunks in 2^64 bytes, and one not yet joined.
const MAX_SUBTREES: usize = 55;

/// An element so far: BLAKE3's tree (paper, section 2.1) but for its root, as far as it is known.
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// The bytes behind the subtrees, one chunk at most.
    chunk: Vec<u8>,
    /// The chaining values of complete subtrees, left to right: one of each power of two in `chunks`, or the last of
    /// these as its two halves, which may turn out to be the root's children.
    subtrees: Vec<ChainingValue>,
    /// The number of chunks under the subtrees.
    chunks: u64,
}

impl Parts {
    /// Appends a part.
    pub(super) fn update(&mut self, mode: Mode<'_>, mut part: &[u8]) {
        // All at once: a Vec that grows would leave copies behind that nothing wipes.
        self.chunk.reserve_exact(CHUNK_LEN - self.chunk.len());
        while !part.is_empty() {
            if self.chunk.len() == CHUNK_LEN {
                let chaining_value = self.chaining_value(mode, &self.chunk);
                self.push(mode, chaining_value, 1);
                self.chunk.clear();
            }
            let length = if self.chunk.is_empty() {
                self.subtree_len(part.len())
            } else {
                0
            };
            if length > 0 {
                let (subtree, rest) = part.split_at(length);
                let chaining_value = self.chaining_value(mode, subtree);
                self.push(mode, chaining_value, (length / CHUNK_LEN) as u64);
                part = rest;
            } else {
                let (head, rest) = part.split_at(part.len().min(CHUNK_LEN - self.chunk.len()));
                self.chunk.extend_from_slice(head);
                part = rest;
            }
        }
    }

    /// The whole element, or its root's children.
    pub(super) fn finish(&mut self, mode: Mode<'_>) -> Input<'_> {
        if self.chunks == 0 {
            return Input::Element(&self.chunk);
        }
        if !self.chunk.is_empty() {
            let chaining_value = self.chaining_value(mode, &self.chunk);
            self.push(mode, chaining_value, 1);
        }
        self.join_until(mode, 2);
        match self.subtrees.as_slice().try_into() {
            Ok(children) => Input::Parent(children),
            Err(_) => unreachable!("an element of more than one chunk has two subtrees at least"),
        }
    }

    /// Begins anew; the allocations stay.
    pub(super) fn clear(&mut self) {
        self.chunk.clear();
        self.subtrees.clear();
        self.chunks = 0;
    }

    /// The length of the longest subtree that comes next and is complete within `available` bytes; 0 if there is none.
    /// A subtree that would be the root if nothing followed does not count.
    fn subtree_len(&self, available: usize) -> usize {
        let chunks = if self.chunks == 0 {
            available - 1
        } else {
            available
        } / CHUNK_LEN;
        if chunks == 0 {
            return 0;
        }
        let aligned = self.chunks.trailing_zeros();
        CHUNK_LEN << chunks.ilog2().min(aligned)
    }

    /// The chaining value of the subtree (or chunk) that comes next.
    fn chaining_value(&self, mode: Mode<'_>, subtree: &[u8]) -> ChainingValue {
        mode.hasher()
            .set_input_offset(self.chunks * CHUNK_LEN as u64)
            .update(subtree)
            .finalize_non_root()
    }

    /// Appends a subtree. Those before it are only joined now: what follows shows that they do not hold the root.
    fn push(&mut self, mode: Mode<'_>, chaining_value: ChainingValue, chunks: u64) {
        self.join_until(mode, self.chunks.count_ones() as usize);
        self.subtrees
            .reserve_exact(MAX_SUBTREES - self.subtrees.len());
        self.subtrees.push(chaining_value);
        self.chunks += chunks;
    }

    /// Joins the last two subtrees until there are `count`.
    fn join_until(&mut self, mode: Mode<'_>, count: usize) {
        for _ in count..self.subtrees.len() {
            if let [.., left, right] = &mut self.subtrees[..] {
                *left = merge_subtrees_non_root(left, right, mode.hazmat());
                self.subtrees.pop();
            }
        }
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Parts {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.chunk);
        zeroize::Zeroize::zeroize(&mut self.subtrees);
    }
}
