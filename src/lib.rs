//! The lattice multiset hash LtHash-16-1024 with BLAKE3, with hand-written AVX-512 and AVX2 kernels.
//!
//! A multiset's hash is the sum of its elements' hashes, 1024 limbs mod 2^16, so that adding and removing an element
//! costs the same however large the set is, and the order does not matter. Blockchain state stores and replication
//! checks compare large states by it.
//!
//! ```
//! use lthash::{Accumulator, LtHash};
//!
//! // A few elements, one at a time:
//! let mut set = LtHash::of(b"alice");
//! set.insert(b"bob");
//! set.remove(b"alice");
//!
//! // Many elements, in batches:
//! let mut accumulator = Accumulator::new();
//! accumulator.insert(b"bob");
//! assert_eq!(accumulator.finish(), set);
//!
//! // What is compared, stored and signed:
//! println!("{}", set.checksum());
//! ```
//!
//! - [`LtHash`] is a multiset's hash, [`Checksum`] its 32-byte digest.
//! - [`Guarded`] is a hash with a guard, which tells multiplicities apart that are equal mod 65,536.
//! - [`Accumulator`] hashes many elements, of any length, whole or in parts; so do [`LtHash`]'s [`Extend`] and
//!   [`FromIterator`].
//! - [`GroupedAccumulator`] hashes many multisets at once.
//! - [`kv`] has key-value records and changesets, compatible with Sei's flatkv.
//! - [`row`] has rows of tables, in a form that does not depend on what they are stored in.
//! - [`state`] has what is stored of a multiset: its hash, its guard and its counts.
//! - [`hex`] has hexadecimal text.
//! - [`Backend`] tells which code runs and lets a caller choose; the bytes are the same on every backend.
//!
//! # Security
//!
//! The paper (eprint 2019/227) puts the cost of a collision at about 2^200. Three things are up to the caller: an element
//! that occurs 65,536 times adds up to nothing, so compare counts where duplicates are possible; compare whole checksums;
//! and a checksum that is to be trusted needs an authentication of its own, such as a signature.
//!
//! # Features
//!
//! - `std` (default): reads the environment variable `LTHASH_BACKEND`, and lets the `blake3` crate detect processor
//!   features. Without it the crate needs `alloc` alone.
//! - `rayon`: hashing on several threads.
//! - `serde`: [`LtHash`], [`Guarded`] and [`Checksum`] as hex in human-readable formats and as bytes in others; [`kv::Delta`] as a struct.
//! - `zeroize`: an [`Accumulator`] is wiped on drop, its key and what it holds of elements included, and an [`LtHash`] can be.
//!   Not wiped are stack frames and registers, through which all of it passes.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

extern crate alloc;

// The examples of these pages are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
#[cfg(doctest)]
#[doc = include_str!("../docs/EXAMPLES.md")]
mod examples {}

mod accumulator;
mod backend;
mod checksum;
mod grouped;
mod guarded;
pub mod hex;
pub mod kv;
mod length_error;
mod limbs;
mod lt_hash;
#[cfg(feature = "rayon")]
mod parallel;
pub mod row;
#[cfg(feature = "serde")]
mod serde;
pub mod state;

pub use accumulator::{Accumulator, Element};
pub use backend::{Backend, Kernels, OverrideError, Unavailable, UnknownBackend};
pub use checksum::Checksum;
pub use grouped::GroupedAccumulator;
pub use guarded::Guarded;
pub use length_error::LengthError;
pub use lt_hash::LtHash;
