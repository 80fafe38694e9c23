//! The lattice multiset hash LtHash-16-1024 with BLAKE3, with hand-written AVX-512 and AVX2 kernels, and NEON.
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
//! - [`row`] encodes rows of tables as elements, independently of how they are stored.
//! - [`state`] stores a multiset's hash with its guard and counts.
//! - [`hex`] encodes and decodes hexadecimal text.
//! - [`Backend`] says which code runs and lets a caller choose; every backend computes the same bytes.
//!
//! # Security
//!
//! The paper (eprint 2019/227) estimates that a collision takes about 2^200 operations. A caller has to take care of three things. An
//! element that occurs 65,536 times adds up to nothing, so compare counts, or [`Guarded`] hashes, where duplicates are possible.
//! Compare whole checksums. And a checksum that comes from elsewhere has to be authenticated, for instance by a signature.
//!
//! # Features
//!
//! - `std` (default): reads the environment variable `LTHASH_BACKEND`, and lets the `blake3` crate detect processor
//!   features. Without it the crate needs only `alloc`.
//! - `rayon`: hashing on several threads.
//! - `serde`: [`LtHash`], [`Guarded`] and [`Checksum`] as hex in human-readable formats and as bytes in others; [`kv::Delta`] as a struct.
//! - `zeroize`: an [`Accumulator`] is wiped on drop, with its key and the elements that it holds, and an [`LtHash`] can be wiped.
//!   Stack frames and registers, through which all of it passes, are not wiped.
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
