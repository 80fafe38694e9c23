//! What asm/ and Rust agree on: the layouts that kernels work on, and the signatures that they are called by.

use crate::backend::Limbs;
use blake3::BLOCK_LEN;

/// The inputs of a root compression but for the counter, as the kernels read them (asm/blake3.h).
#[repr(C)]
pub(super) struct RootNode {
    pub(super) chaining_value: [u32; 8],
    pub(super) block: [u8; BLOCK_LEN],
    pub(super) block_length: u32,
    pub(super) flags: u32,
}

/// 1024 limbs before the transposition that puts them in order: for each of the 16 state words the 32 counters' limbs,
/// two a word.
#[repr(C, align(64))]
pub(super) struct LaneSums([[u32; 32]; 16]);

/// The first 16 bytes of an element's hash, as the kernels write them.
pub(super) type GuardBytes = [u8; 16];

/// What `absorb_many` works on: a group of N lanes (asm/chunks.h).
#[repr(C, align(64))]
pub(super) struct LaneGroup<const N: usize> {
    pub(super) chaining_values: [[u32; N]; 8],
    pub(super) counters: [[u32; N]; 2],
    pub(super) first_flags: [u32; N],
    pub(super) first_lengths: [u32; N],
    pub(super) blocks: [*const u8; N],
}

/// The signature of the kernel `absorb`.
pub(super) type Absorb = unsafe extern "sysv64" fn(
    chaining_value: *mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: u64,
    block_length: u32,
    flags: u32,
);

/// The signature of the kernels `xof_add` and `xof_sub`.
pub(super) type XofMix =
    unsafe extern "sysv64" fn(node: *const RootNode, sums: *mut LaneSums, guard: *mut GuardBytes);

/// An instruction set's kernels for batches, with G groups of N lanes.
pub(super) struct BatchKernels<const N: usize, const G: usize> {
    pub(super) absorb: Absorb,
    pub(super) absorb_many: unsafe extern "sysv64" fn(
        lanes: *mut LaneGroup<N>,
        offset: usize,
        count: usize,
        flags: u32,
    ),
    /// None where it is no faster than `absorb_many` on each group.
    pub(super) absorb_groups: Option<
        unsafe extern "sysv64" fn(
            lanes: *mut [LaneGroup<N>; G],
            offset: usize,
            count: usize,
            flags: u32,
        ),
    >,
    pub(super) xof_add: XofMix,
    pub(super) xof_sub: XofMix,
    pub(super) lanes_to_limbs: unsafe extern "sysv64" fn(sums: *const LaneSums, limbs: *mut Limbs),
    /// From how many lanes in use `absorb_many` is faster than `absorb` on each.
    pub(super) lanes_that_pay: u32,
}
