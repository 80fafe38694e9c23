//! Root nodes: the last compression of an element's tree, which the XOF repeats for each output block.

use super::abi::{Absorb, RootNode};
use crate::backend::input::{Input, Mode};
use blake3::hazmat::{ChainingValue, HasherExt, left_subtree_len};
use blake3::{BLOCK_LEN, CHUNK_LEN};
use core::mem::MaybeUninit;

// Domain flags: BLAKE3 paper, section 2.2, table 3.
pub(super) const CHUNK_START: u32 = 1 << 0;
pub(super) const CHUNK_END: u32 = 1 << 1;
pub(super) const PARENT: u32 = 1 << 2;
const ROOT: u32 = 1 << 3;
const KEYED_HASH: u32 = 1 << 4;

/// BLAKE3's initial chaining value (paper, table 1), which is SHA-256's, in little-endian bytes.
static IV: [u8; 32] = [
    0x67, 0xe6, 0x09, 0x6a, 0x85, 0xae, 0x67, 0xbb, 0x72, 0xf3, 0x6e, 0x3c, 0x3a, 0xf5, 0x4f, 0xa5,
    0x7f, 0x52, 0x0e, 0x51, 0x8c, 0x68, 0x05, 0x9b, 0xab, 0xd9, 0x83, 0x1f, 0x19, 0xcd, 0xe0, 0x5b,
];

/// What every chunk and every parent node of a mode begins with.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) chaining_value: [u32; 8],
    pub(super) flags: u32,
}

impl From<Mode<'_>> for Start {
    fn from(mode: Mode<'_>) -> Start {
        let (chaining_value, flags) = match mode {
            Mode::Hash => (&IV, 0),
            Mode::KeyedHash(key) => (key, KEYED_HASH),
        };
        Start {
            chaining_value: words(chaining_value),
            flags,
        }
    }
}

impl RootNode {
    /// Becomes the root node of an input.
    ///
    /// # Safety
    ///
    /// `absorb` is a kernel that this processor can run.
    #[inline]
    pub(in crate::backend) unsafe fn set(
        &mut self,
        mode: Mode<'_>,
        input: Input<'_>,
        absorb: Absorb,
    ) {
        let start = Start::from(mode);
        match input {
            Input::Element(chunk) if chunk.len() <= CHUNK_LEN => {
                let (blocks, last) = split_last_block(chunk);
                let mut chaining_value = start.chaining_value;
                // SAFETY: the caller vouches for the kernel.
                unsafe {
                    let first = (BLOCK_LEN as u32, start.flags | CHUNK_START);
                    absorb_blocks(&mut chaining_value, blocks, 0, first, start.flags, absorb);
                }
                self.set_chunk(start, chaining_value, !blocks.is_empty(), last)
            }
            Input::Element(element) => self.set_children(start, &halves(mode, element)),
            Input::Parent(children) => self.set_children(start, children),
        }
    }

    /// Makes the root node of an element of one block. Its stores are few: where hashes are made one after another, they queue
    /// behind those of the last hash, and the kernel waits for them.
    #[inline(always)]
    pub(in crate::backend) fn of_block<'n>(
        node: &'n mut MaybeUninit<RootNode>,
        mode: Mode<'_>,
        element: &[u8],
    ) -> &'n RootNode {
        let start = Start::from(mode);
        let fields = node.as_mut_ptr();
        // SAFETY: all fields are written and none is read before; a MaybeUninit may be uninitialised.
        unsafe {
            (&raw mut (*fields).chaining_value).write(start.chaining_value);
            (&raw mut (*fields).block_length).write(element.len() as u32);
            (&raw mut (*fields).flags).write(start.flags | CHUNK_START | CHUNK_END | ROOT);
            let block = &mut *(&raw mut (*fields).block).cast::<MaybeUninit<[u8; BLOCK_LEN]>>();
            pad(block.write([0; BLOCK_LEN]), element);
            node.assume_init_ref()
        }
    }

    /// Zeros, to be set.
    pub(in crate::backend) const UNSET: RootNode = RootNode {
        chaining_value: [0; 8],
        block: [0; BLOCK_LEN],
        block_length: 0,
        flags: 0,
    };

    /// Becomes the root node of an element of one chunk, whose blocks before the last are in its chaining value.
    #[inline]
    pub(super) fn set_chunk(
        &mut self,
        start: Start,
        chaining_value: [u32; 8],
        is_started: bool,
        last_block: &[u8],
    ) {
        let start_flag = if is_started { 0 } else { CHUNK_START };
        self.chaining_value = chaining_value;
        pad(&mut self.block, last_block);
        self.block_length = last_block.len() as u32;
        self.flags = start.flags | start_flag | CHUNK_END | ROOT;
    }

    /// Becomes the root node of an element of more than one chunk.
    #[inline]
    pub(super) fn set_children(&mut self, start: Start, children: &[ChainingValue; 2]) {
        self.chaining_value = start.chaining_value;
        self.block = joined(children);
        self.block_length = BLOCK_LEN as u32;
        self.flags = start.flags | PARENT | ROOT;
    }
}

/// The blocks of a chunk before its last, and its last, which alone may be shorter than 64 bytes.
#[inline]
pub(super) fn split_last_block(chunk: &[u8]) -> (&[[u8; BLOCK_LEN]], &[u8]) {
    let before_last = chunk.len().saturating_sub(1) / BLOCK_LEN;
    let (blocks, last) = chunk.split_at(before_last * BLOCK_LEN);
    // SAFETY: arrays of bytes have no alignment, and `blocks` has the bytes of so many.
    let blocks = unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), before_last) };
    (blocks, last)
}

/// Copies part of a block. A function of its own, so that copying a whole block stays a few moves.
#[inline(never)]
fn copy_part(block: &mut [u8; BLOCK_LEN], bytes: &[u8]) {
    block[..bytes.len()].copy_from_slice(bytes);
}

/// Makes a block of bytes and the zeros that follow them.
#[inline(always)]
fn pad(block: &mut [u8; BLOCK_LEN], bytes: &[u8]) {
    match bytes.try_into() {
        Ok(whole) => *block = whole,
        Err(_) => {
            *block = [0; BLOCK_LEN];
            copy_part(block, bytes);
        }
    }
}

/// Bytes, followed by zeros.
#[inline]
pub(super) fn padded(bytes: &[u8]) -> [u8; BLOCK_LEN] {
    let mut block = [0; BLOCK_LEN];
    pad(&mut block, bytes);
    block
}

/// A parent node's block.
#[inline]
pub(super) fn joined([left, right]: &[ChainingValue; 2]) -> [u8; BLOCK_LEN] {
    let mut block = [0; BLOCK_LEN];
    block[..32].copy_from_slice(left);
    block[32..].copy_from_slice(right);
    block
}

/// Absorbs blocks of a chunk, the first with a length and flags of its own.
///
/// # Safety
///
/// `absorb` is a kernel that this processor can run.
#[inline]
pub(super) unsafe fn absorb_blocks(
    chaining_value: &mut [u32; 8],
    blocks: &[[u8; BLOCK_LEN]],
    counter: u64,
    (first_length, first_flags): (u32, u32),
    flags: u32,
    absorb: Absorb,
) {
    let [first, rest @ ..] = blocks else {
        return;
    };
    // SAFETY: the caller vouches for the kernel; one block.
    unsafe {
        absorb(
            chaining_value,
            first.as_ptr(),
            1,
            counter,
            first_length,
            first_flags,
        );
    }
    if rest.is_empty() {
        return;
    }
    // SAFETY: likewise; as many blocks as `rest` holds.
    unsafe {
        absorb(
            chaining_value,
            rest.as_ptr().cast(),
            rest.len(),
            counter,
            BLOCK_LEN as u32,
            flags,
        );
    }
}

/// The chaining values of the two halves of an element of more than one chunk.
fn halves(mode: Mode<'_>, element: &[u8]) -> [ChainingValue; 2] {
    let left_length = left_subtree_len(element.len() as u64);
    let (left, right) = element.split_at(left_length as usize);
    [
        mode.hasher().update(left).finalize_non_root(),
        mode.hasher()
            .set_input_offset(left_length)
            .update(right)
            .finalize_non_root(),
    ]
}

/// Little-endian words. They are copied as bytes, 16 at a time: a kernel that loads as many would wait for four words' stores.
#[inline]
pub(super) fn words(bytes: &[u8; 32]) -> [u32; 8] {
    const { assert!(cfg!(target_endian = "little")) };
    // SAFETY: 32 bytes are eight words, and any bytes are words.
    unsafe { bytes.as_ptr().cast::<[u32; 8]>().read_unaligned() }
}

/// Little-endian bytes.
#[inline]
pub(super) fn bytes(words: &[u32; 8]) -> ChainingValue {
    core::array::from_fn(|i| words[i / 4].to_le_bytes()[i % 4])
}
