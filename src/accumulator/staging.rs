//! Staging: inputs that wait to be hashed in a batch.

#[cfg(feature = "zeroize")]
use super::wipe::wipe;
use crate::backend::{Input, Mix, Staged};
use alloc::vec::Vec;
use blake3::hazmat::ChainingValue;

/// An element longer than this is not copied to wait for a batch: its tree is compressed at once, down to its root node.
pub(crate) const MAX_STAGED_ELEMENT: usize = 16 * 1024;

/// The bounds of a batch. With the lanes' state, it stays in a second-level cache.
const MAX_BYTES: usize = 64 * 1024;
const MAX_INPUTS: usize = 1024;

/// The first allocation's size: no more than allocators have at hand.
const FEW_BYTES: usize = 1024;

/// Inputs, one after the other: each is a header and a copy of its bytes.
#[derive(Default)]
pub(crate) struct Staging {
    bytes: Vec<u8>,
    inputs: usize,
}

/// The header of an input: the number of its bytes and, in the two topmost bits, what they are.
const HEADER: usize = size_of::<u32>();
const IS_PARENT: u32 = 1 << 31;
const IS_REMOVED: u32 = 1 << 30;

impl Staging {
    /// The number of inputs.
    pub(crate) fn len(&self) -> usize {
        self.inputs
    }

    /// The bytes that are allocated.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    /// Whether an input of `length` bytes fits within the bounds.
    pub(crate) fn has_room(&self, length: usize) -> bool {
        self.inputs < MAX_INPUTS && HEADER + length <= MAX_BYTES - self.bytes.len()
    }

    /// Appends an element, the parts' concatenation, for which there is room.
    #[inline]
    pub(crate) fn push_element<const N: usize>(&mut self, mix: Mix, parts: [&[u8]; N]) {
        self.push(mix, 0, parts);
    }

    /// Appends a root parent node, for which there is room.
    pub(crate) fn push_parent(&mut self, mix: Mix, children: &[ChainingValue; 2]) {
        self.push(mix, IS_PARENT, [children.as_flattened()]);
    }

    #[inline]
    fn push<const N: usize>(&mut self, mix: Mix, kind: u32, parts: [&[u8]; N]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if HEADER + length > self.bytes.capacity() - self.bytes.len() {
            let is_first = self.bytes.capacity() == 0;
            *self = self.with_capacity(if is_first && HEADER + length <= FEW_BYTES {
                FEW_BYTES
            } else {
                MAX_BYTES
            });
        }
        let mix = match mix {
            Mix::In => 0,
            Mix::Out => IS_REMOVED,
        };
        let header = kind | mix | length as u32;
        self.bytes.extend_from_slice(&header.to_ne_bytes());
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        self.inputs += 1;
    }

    /// The inputs, in the order that they came in.
    pub(crate) fn inputs(&self) -> impl ExactSizeIterator<Item = Staged<'_>> {
        let mut rest = self.bytes.as_slice();
        (0..self.inputs).map(move |_| {
            let (header, behind) = split(rest);
            let header = u32::from_ne_bytes(*header);
            let (bytes, behind) = behind.split_at((header & !(IS_PARENT | IS_REMOVED)) as usize);
            rest = behind;
            Staged {
                input: if header & IS_PARENT != 0 {
                    Input::Parent(children(bytes))
                } else {
                    Input::Element(bytes)
                },
                mix: if header & IS_REMOVED != 0 {
                    Mix::Out
                } else {
                    Mix::In
                },
                group: (),
            }
        })
    }

    /// A copy with room for `capacity` bytes. Nothing else copies inputs: a Vec that grows or is cloned would leave copies behind
    /// that nothing wipes.
    fn with_capacity(&self, capacity: usize) -> Staging {
        let mut bytes = Vec::with_capacity(capacity);
        bytes.extend_from_slice(&self.bytes);
        Staging {
            bytes,
            inputs: self.inputs,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.inputs = 0;
    }
}

fn split(bytes: &[u8]) -> (&[u8; HEADER], &[u8]) {
    match bytes.split_first_chunk() {
        Some(pair) => pair,
        None => unreachable!("every input has a header"),
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
        wipe(&mut self.bytes);
    }
}
