//! What waits to be hashed in a batch.

use crate::backend::{Input, Mix, Staged};
use alloc::vec::Vec;
use blake3::hazmat::ChainingValue;

/// The bounds of a batch. With the lanes' state, it stays in a second-level cache.
const MAX_BYTES: usize = 64 * 1024;
const MAX_RECORDS: usize = 1024;

/// What is allocated first: no more than allocators have at hand.
const FEW_BYTES: usize = 1024;

/// Inputs, copied one behind the other.
#[derive(Default)]
pub(super) struct Staging {
    bytes: Vec<u8>,
    records: Vec<Record>,
}

/// An input: the bytes from the record before to `end`.
#[derive(Clone, Copy)]
struct Record {
    end: usize,
    is_parent: bool,
    mix: Mix,
}

impl Staging {
    /// The number of inputs.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether an input of `length` bytes stays in the bounds.
    pub(super) fn has_room(&self, length: usize) -> bool {
        self.records.len() < MAX_RECORDS && length <= MAX_BYTES - self.bytes.len()
    }

    /// Appends an element, the parts' concatenation, for which there is room.
    #[inline]
    pub(super) fn push_element<const N: usize>(&mut self, mix: Mix, parts: [&[u8]; N]) {
        self.push(mix, false, parts);
    }

    /// Appends a root parent node, for which there is room.
    pub(super) fn push_parent(&mut self, mix: Mix, children: &[ChainingValue; 2]) {
        self.push(mix, true, [children.as_flattened()]);
    }

    #[inline]
    fn push<const N: usize>(&mut self, mix: Mix, is_parent: bool, parts: [&[u8]; N]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > self.bytes.capacity() - self.bytes.len() {
            let is_first = self.bytes.capacity() == 0;
            *self = self.with_capacity(if is_first && length <= FEW_BYTES {
                FEW_BYTES
            } else {
                MAX_BYTES
            });
        }
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        self.records.push(Record {
            end: self.bytes.len(),
            is_parent,
            mix,
        });
    }

    /// The inputs, in the order that they came in.
    pub(super) fn inputs(&self) -> impl ExactSizeIterator<Item = Staged<'_>> {
        let mut rest = self.bytes.as_slice();
        let mut start = 0;
        self.records.iter().map(move |record| {
            let (bytes, behind) = rest.split_at(record.end - start);
            (rest, start) = (behind, record.end);
            let input = if record.is_parent {
                Input::Parent(children(bytes))
            } else {
                Input::Element(bytes)
            };
            Staged {
                input,
                mix: record.mix,
            }
        })
    }

    /// A copy with room for so many bytes. It is had by this alone, as a Vec that grows or is cloned would leave copies
    /// behind that nothing wipes.
    fn with_capacity(&self, capacity: usize) -> Staging {
        let mut bytes = Vec::with_capacity(capacity);
        bytes.extend_from_slice(&self.bytes);
        Staging {
            bytes,
            records: self.records.clone(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
    }
}

/// The two chaining values that `push_parent` appended.
fn children(bytes: &[u8]) -> &[ChainingValue; 2] {
    assert_eq!(bytes.len(), size_of::<[ChainingValue; 2]>());
    // SAFETY: arrays of bytes have no alignment, and so many bytes are two chaining values.
    unsafe { &*bytes.as_ptr().cast() }
}

/// With the same capacity.
impl Clone for Staging {
    fn clone(&self) -> Staging {
        self.with_capacity(self.bytes.capacity())
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Staging {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.bytes);
    }
}
