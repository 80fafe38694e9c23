//! The lattice multiset hash LtHash-16-1024 with BLAKE3, with hand-written AVX-512 and AVX2 kernels.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

extern crate alloc;

mod backend;
pub mod hex;
mod lt_hash;

pub use backend::{Backend, Kernels, OverrideError, Unavailable, UnknownBackend};
pub use lt_hash::LtHash;
