//! Root nodes: the last compression of an element's tree, which the XOF repeats for each output block.

use crate::backend::{Input, Mode};
use blake3::hazmat::{HasherExt, left_subtree_len};
use blake3::{BLOCK_LEN, CHUNK_LEN};

/// The signature of the kernel `absorb`.
pub(super) type Absorb = unsafe extern "sysv64" fn(
    chaining_value: *mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: u64,
    block_length: u32,
    flags: u32,
);

// Domain flags: BLAKE3 paper, section 2.2, table 3.
const CHUNK_START: u32 = 1 << 0;
const CHUNK_END: u32 = 1 << 1;
const PARENT: u32 = 1 << 2;
const ROOT: u32 = 1 << 3;
const KEYED_HASH: u32 = 1 << 4;

/// BLAKE3's initial chaining value (paper, table 1), which is SHA-256's.
const IV: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The inputs of a root compression but for the counter, as the kernels read them (asm/blake3.h).
#[repr(C)]
pub(super) struct RootNode {
    chaining_value: [u32; 8],
    block: [u8; BLOCK_LEN],
    block_length: u32,
    flags: u32,
}

impl RootNode {
    /// The root node of an input.
    ///
    /// # Safety
    ///
    /// `absorb` is a kernel that this processor can run.
    #[inline]
    pub(super) unsafe fn new(mode: Mode<'_>, input: Input<'_>, absorb: Absorb) -> RootNode {
        match input {
            Input::Element(element) if element.len() <= CHUNK_LEN => {
                // SAFETY: passed on; the element is one chunk at most.
                unsafe { Self::of_chunk(mode, element, absorb) }
            }
            Input::Element(element) => Self::of_parent(mode, &halves(mode, element)),
            Input::Parent(children) => Self::of_parent(mode, children),
        }
    }

    /// # Safety
    ///
    /// `absorb` is a kernel that this processor can run, and `chunk` has at most 1024 bytes.
    #[inline]
    unsafe fn of_chunk(mode: Mode<'_>, chunk: &[u8], absorb: Absorb) -> RootNode {
        let (mut chaining_value, mode_flags) = mode.start();
        let blocks_before_last = chunk.len().saturating_sub(1) / BLOCK_LEN;
        let mut flags = mode_flags | CHUNK_END | ROOT;
        if blocks_before_last == 0 {
            flags |= CHUNK_START;
        } else {
            // SAFETY: the caller vouches for the kernel, and `chunk` has that many whole blocks, 15 at most.
            unsafe {
                absorb(
                    &mut chaining_value,
                    chunk.as_ptr(),
                    blocks_before_last,
                    mode_flags,
                );
            }
        }
        let last = &chunk[blocks_before_last * BLOCK_LEN..];
        let mut block = [0; BLOCK_LEN];
        block[..last.len()].copy_from_slice(last);
        RootNode {
            chaining_value,
            block,
            block_length: last.len() as u32,
            flags,
        }
    }

    fn of_parent(mode: Mode<'_>, [left, right]: &[[u8; 32]; 2]) -> RootNode {
        let (chaining_value, mode_flags) = mode.start();
        let mut block = [0; BLOCK_LEN];
        block[..32].copy_from_slice(left);
        block[32..].copy_from_slice(right);
        RootNode {
            chaining_value,
            block,
            block_length: BLOCK_LEN as u32,
            flags: mode_flags | PARENT | ROOT,
        }
    }
}

impl Mode<'_> {
    /// The chaining value and the flags that every compression of a chunk's or a parent's begins with.
    fn start(self) -> ([u32; 8], u32) {
        match self {
            Mode::Hash => (IV, 0),
            Mode::KeyedHash(key) => {
                let mut words = [0; 8];
                for (word, bytes) in words.iter_mut().zip(key.chunks_exact(4)) {
                    *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                }
                (words, KEYED_HASH)
            }
        }
    }
}

/// The chaining values of the two halves of an element of more than one chunk.
fn halves(mode: Mode<'_>, element: &[u8]) -> [[u8; 32]; 2] {
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
