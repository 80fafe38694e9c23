//! Elements of more than one chunk.

use super::abi::Absorb;
use super::root_node::{PARENT, Start, bytes, joined};
use alloc::vec::Vec;
use blake3::BLOCK_LEN;
use blake3::hazmat::ChainingValue;

/// Elements of at most this many chunks go through the lanes. For longer ones, the `blake3` crate is as fast.
pub(super) const MAX_CHUNKS: usize = 8;

/// An element of 2 to `MAX_CHUNKS` chunks under way. T says what is to be done with it.
pub(super) struct MultiChunk<T> {
    chaining_values: [ChainingValue; MAX_CHUNKS],
    chunks: usize,
    chunks_left: usize,
    target: T,
}

/// Wiped, since it is on the heap; all else of a batch is on the stack.
#[cfg(feature = "zeroize")]
impl<T> Drop for MultiChunk<T> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.chaining_values);
    }
}

impl<T: Copy> MultiChunk<T> {
    /// Begins an element, in the place of a finished one if there is one, and returns its index.
    pub(super) fn begin(under_way: &mut Vec<MultiChunk<T>>, chunks: usize, target: T) -> usize {
        let element = MultiChunk {
            chaining_values: [[0; 32]; MAX_CHUNKS],
            chunks,
            chunks_left: chunks,
            target,
        };
        match under_way
            .iter()
            .position(|element| element.chunks_left == 0)
        {
            Some(index) => {
                under_way[index] = element;
                index
            }
            None => {
                under_way.push(element);
                under_way.len() - 1
            }
        }
    }

    /// What is to be done with the element.
    pub(super) fn target(&self) -> T {
        self.target
    }

    /// Stores a chunk's chaining value. Returns true if it was the last one that was missing.
    pub(super) fn take_in(&mut self, chunk: usize, chaining_value: ChainingValue) -> bool {
        self.chaining_values[chunk] = chaining_value;
        self.chunks_left -= 1;
        self.chunks_left == 0
    }

    /// Joins the chunks' chaining values, pair by pair and level by level, down to the root node's two.
    ///
    /// # Safety
    ///
    /// `absorb` is a kernel that this processor can run.
    pub(super) unsafe fn root_children(&self, start: Start, absorb: Absorb) -> [ChainingValue; 2] {
        let mut nodes = self.chaining_values;
        let mut count = self.chunks;
        while count > 2 {
            for pair in 0..count / 2 {
                // SAFETY: the caller vouches for the kernel.
                nodes[pair] =
                    unsafe { parent(start, &[nodes[2 * pair], nodes[2 * pair + 1]], absorb) };
            }
            if count % 2 == 1 {
                nodes[count / 2] = nodes[count - 1];
            }
            count = count.div_ceil(2);
        }
        [nodes[0], nodes[1]]
    }
}

/// The chaining value of a parent node.
///
/// # Safety
///
/// `absorb` is a kernel that this processor can run.
unsafe fn parent(start: Start, children: &[ChainingValue; 2], absorb: Absorb) -> ChainingValue {
    let mut chaining_value = start.chaining_value;
    let block = joined(children);
    // SAFETY: the caller vouches for the kernel; one whole block.
    unsafe {
        absorb(
            &mut chaining_value,
            block.as_ptr(),
            1,
            0,
            BLOCK_LEN as u32,
            start.flags | PARENT,
        );
    }
    bytes(&chaining_value)
}
