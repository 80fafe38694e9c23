//! What the kernels of one instruction set work on, and their signatures.

use crate::backend::limbs::Limbs;
use blake3::BLOCK_LEN;

/// The inputs of a root compression but for the counter, as the kernels read them (asm/blake3.h).
#[repr(C)]
pub(in crate::backend) struct RootNode {
    pub(in crate::backend) chaining_value: [u32; 8],
    pub(in crate::backend) block: [u8; BLOCK_LEN],
    pub(in crate::backend) block_length: u32,
    pub(in crate::backend) flags: u32,
}

/// 1024 limbs before the transposition that puts them in order: for each of the 16 state words the 32 counters' limbs,
/// two a word.
#[repr(C, align(64))]
pub(in crate::backend) struct LaneSums(pub(in crate::backend) [[u32; 32]; 16]);

/// The first 16 bytes of an element's hash, as the kernels write them.
pub(in crate::backend) type GuardBytes = [u8; 16];

/// What `absorb_lanes` works on: a vector of N lanes (asm/chunks.h).
#[repr(C, align(64))]
pub(in crate::backend) struct LaneVector<const N: usize> {
    pub(in crate::backend) chaining_values: [[u32; N]; 8],
    pub(in crate::backend) counters: [[u32; N]; 2],
    pub(in crate::backend) first_flags: [u32; N],
    pub(in crate::backend) first_lengths: [u32; N],
    pub(in crate::backend) blocks: [*const u8; N],
}

/// A kernel's signature, in the calling convention that asm/ is written for.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel_fn {
    ($($signature:tt)*) => { unsafe extern "sysv64" fn $($signature)* };
}

/// A kernel's signature: where there is no assembly, that of a function of Rust's.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! kernel_fn {
    ($($signature:tt)*) => { unsafe fn $($signature)* };
}

/// Hands the prototypes of an instruction set's kernels for batches, which have K vectors of N lanes, to a macro:
/// `batch_kernels! { macro! argument }`. They stand here alone: the declarations of asm/ and the types in [`BatchKernels`] are
/// made of them.
macro_rules! batch_kernels {
    ($kernel:ident! $of:tt) => {
        $kernel! { $of:
            fn absorb(
                chaining_value: *mut [u32; 8],
                blocks: *const u8,
                count: usize,
                counter: u64,
                block_length: u32,
                flags: u32
            );
            fn absorb_all_lanes(lanes: *mut [LaneVector<N>; K], offset: usize, count: usize, flags: u32);
            fn absorb_lanes(lanes: *mut LaneVector<N>, offset: usize, count: usize, flags: u32);
            fn xof_add(node: *const RootNode, sums: *mut LaneSums, guard: *mut GuardBytes);
            fn xof_sub(node: *const RootNode, sums: *mut LaneSums, guard: *mut GuardBytes);
            fn lanes_to_limbs(sums: *const LaneSums, limbs: *mut Limbs);
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(in crate::backend) use batch_kernels;

macro_rules! types {
    ($name:ident:
     fn absorb($($absorb:tt)*);
     fn absorb_all_lanes($($absorb_all_lanes:tt)*);
     $(fn $kernel:ident($($arguments:tt)*);)*) => {
        /// The kernel `absorb`.
        pub(in crate::backend) type Absorb = kernel_fn!(($($absorb)*));

        /// An instruction set's kernels for batches, with K vectors of N lanes.
        pub(in crate::backend) struct $name<const N: usize, const K: usize> {
            pub(in crate::backend) absorb: Absorb,
            /// None where it is no faster than `absorb_lanes` on each vector.
            pub(in crate::backend) absorb_all_lanes: Option<kernel_fn!(($($absorb_all_lanes)*))>,
            $(pub(in crate::backend) $kernel: kernel_fn!(($($arguments)*)),)*
            /// From how many lanes in use `absorb_lanes` is faster than `absorb` on each.
            pub(in crate::backend) lanes_that_pay: u32,
        }
    };
}

batch_kernels! { types! BatchKernels }
