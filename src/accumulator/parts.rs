//! Elements that are given in parts.

use super::staging::MAX_STAGED_ELEMENT;
#[cfg(feature = "zeroize")]
use super::wipe::wipe;
use crate::backend::{Input, Mode};
use alloc::vec::Vec;
use blake3::CHUNK_LEN;
use blake3::hazmat::{ChainingValue, HasherExt, merge_subtrees_non_root};

/// The length of the shortest subtree that is compressed before the element ends: 16 chunks, which the `blake3` crate
/// compresses side by side.
const MIN_SUBTREE: usize = MAX_STAGED_ELEMENT;
const _: () = assert!(MIN_SUBTREE.is_power_of_two() && MIN_SUBTREE >= CHUNK_LEN);

/// The most subtrees at a time: one for each bit of their number in 2^64 bytes, and one not yet joined.
const MAX_SUBTREES: usize = 64 - MIN_SUBTREE.ilog2() as usize + 1;

/// An element so far: BLAKE3's tree (paper, section 2.1) as far as it is known, without its root.
#[derive(Clone, Default)]
pub(crate) struct Parts {
    /// The bytes behind the subtrees, [`MIN_SUBTREE`] at most.
    tail: Vec<u8>,
    /// The chaining values of complete subtrees, left to right: one of each power of two in `length`, or the last of
    /// these as its two halves, which may turn out to be the root's children.
    subtrees: Vec<ChainingValue>,
    /// The number of bytes under the subtrees, a multiple of [`MIN_SUBTREE`].
    length: u64,
}

impl Parts {
    /// Appends a part.
    #[inline]
    pub(crate) fn update(&mut self, mode: Mode<'_>, part: &[u8]) {
        if part.len() <= self.tail.capacity() - self.tail.len() {
            self.tail.extend_from_slice(part);
        } else {
            self.update_slowly(mode, part);
        }
    }

    /// Appends a part for which more room is needed, or a subtree's chaining value.
    fn update_slowly(&mut self, mode: Mode<'_>, mut part: &[u8]) {
        while !part.is_empty() {
            if self.tail.len() == MIN_SUBTREE {
                let chaining_value = self.chaining_value(mode, &self.tail);
                self.push(mode, chaining_value, MIN_SUBTREE);
                self.tail.clear();
            }
            let length = if self.tail.is_empty() {
                self.subtree_len(part.len())
            } else {
                0
            };
            if length > 0 {
                let (subtree, rest) = part.split_at(length);
                let chaining_value = self.chaining_value(mode, subtree);
                self.push(mode, chaining_value, length);
                part = rest;
            } else {
                let (head, rest) = part.split_at(part.len().min(MIN_SUBTREE - self.tail.len()));
                self.make_room(head.len());
                self.tail.extend_from_slice(head);
                part = rest;
            }
        }
    }

    /// Makes room for this many more bytes: for one chunk at first, then for the most that there can be.
    fn make_room(&mut self, length: usize) {
        if length <= self.tail.capacity() - self.tail.len() {
            return;
        }
        let is_short = self.tail.capacity() == 0 && length <= CHUNK_LEN;
        let capacity = if is_short { CHUNK_LEN } else { MIN_SUBTREE };
        // Not by `Vec::reserve`: a Vec that grows leaves a copy behind that nothing wipes.
        let mut grown = Vec::with_capacity(capacity);
        grown.extend_from_slice(&self.tail);
        #[cfg(feature = "zeroize")]
        wipe(&mut self.tail);
        self.tail = grown;
    }

    /// The whole element, or its root's children.
    pub(crate) fn finish(&mut self, mode: Mode<'_>) -> Input<'_> {
        if self.length == 0 {
            return Input::Element(&self.tail);
        }
        if !self.tail.is_empty() {
            let chaining_value = self.chaining_value(mode, &self.tail);
            self.push(mode, chaining_value, self.tail.len());
        }
        self.join_until(mode, 2);
        match self.subtrees.as_slice().try_into() {
            Ok(children) => Input::Parent(children),
            Err(_) => unreachable!("an element with a subtree has two at least"),
        }
    }

    /// Drops the parts and keeps the allocations.
    pub(crate) fn clear(&mut self) {
        self.tail.clear();
        self.subtrees.clear();
        self.length = 0;
    }

    /// The length of the longest subtree that comes next and is complete within `available` bytes; 0 if that is shorter
    /// than [`MIN_SUBTREE`]. A subtree that would be the root if nothing followed does not count.
    fn subtree_len(&self, available: usize) -> usize {
        let is_first = self.length == 0;
        let longest = (available - usize::from(is_first)).checked_ilog2();
        match longest {
            Some(longest) if longest >= MIN_SUBTREE.ilog2() => {
                1 << longest.min(self.length.trailing_zeros())
            }
            _ => 0,
        }
    }

    /// The chaining value of the subtree that comes next.
    fn chaining_value(&self, mode: Mode<'_>, subtree: &[u8]) -> ChainingValue {
        mode.hasher()
            .set_input_offset(self.length)
            .update(subtree)
            .finalize_non_root()
    }

    /// Appends a subtree. Those before it are only joined now: what follows shows that they do not hold the root.
    fn push(&mut self, mode: Mode<'_>, chaining_value: ChainingValue, length: usize) {
        self.join_until(mode, self.length.count_ones() as usize);
        self.subtrees
            .reserve_exact(MAX_SUBTREES - self.subtrees.len());
        self.subtrees.push(chaining_value);
        self.length += length as u64;
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
        wipe(&mut self.tail);
        wipe(&mut self.subtrees);
    }
}
