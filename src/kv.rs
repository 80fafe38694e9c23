//! Key-value records, as the flatkv store of Sei's chain hashes them.
//!
//! A record's element is its key and its value, each behind its length: `u32` little-endian key length ‖ key ‖ `u32`
//! little-endian value length ‖ value. A record with an empty key or an empty value counts for nothing. This is
//! compatible with `sei-db/state_db/sc/flatkv/lthash` of sei-chain (tests/vectors/sei.json names the commit).
//!
//! ```
//! use lthash::LtHash;
//! use lthash::kv::{self, Mutation};
//!
//! let add = Mutation { key: b"alice", value: Some(b"100"), previous: None };
//! let update = Mutation { key: b"alice", value: Some(b"90"), previous: Some(b"100") };
//! let delta = kv::hash_chunk(&[add, update]);
//! assert_eq!(delta.hash, kv::hash_kv(b"alice", b"90"));
//! assert_eq!((delta.keys, delta.bytes), (1, 7));
//! ```
//!
//! As in any [`LtHash`], a record that occurs 65,536 times adds up to nothing: in a store, where a key has one value,
//! none occurs twice; elsewhere compare [`Delta::keys`] too.

use crate::backend::{Kernels, Mix};
use crate::{Accumulator, LtHash};
use alloc::vec::Vec;
use core::iter::Sum;
use core::ops::AddAssign;

/// A record's element, or nothing if the key or the value is empty.
///
/// # Panics
///
/// If neither is empty and the length of one is over `u32::MAX`.
#[must_use]
pub fn element(key: &[u8], value: &[u8]) -> Option<Vec<u8>> {
    Record::new(key, value).map(|record| record.parts().concat())
}

/// The hash of a record, which is the identity if the key or the value is empty.
///
/// # Panics
///
/// If neither is empty and the length of one is over `u32::MAX`.
#[must_use]
pub fn hash_kv(key: &[u8], value: &[u8]) -> LtHash {
    element(key, value).map_or(LtHash::new(), |element| LtHash::of(&element))
}

/// A change of a key's value.
///
/// A value that is absent and one that is empty are the same, and nothing is stored under an empty key.
///
/// | `previous` | `value` | |
/// | --- | --- | --- |
/// | absent | present | adds the record |
/// | present | present | updates it: removes the previous and adds the new one; nothing if they are equal |
/// | present | absent | deletes it |
/// | absent | absent | nothing |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutation<'a> {
    /// The key.
    pub key: &'a [u8],
    /// The value from now on.
    pub value: Option<&'a [u8]>,
    /// The value until now. It is taken at its word: nothing here knows what is stored.
    pub previous: Option<&'a [u8]>,
}

impl<'a> Mutation<'a> {
    /// The records that leave and enter the set.
    fn records(&self) -> (Option<Record<'a>>, Option<Record<'a>>) {
        if self.previous == self.value {
            return (None, None);
        }
        let record = |value: Option<&'a [u8]>| Record::new(self.key, value?);
        (record(self.previous), record(self.value))
    }
}

impl Accumulator {
    /// Makes a key's change of value: removes the record `(key, previous)` and inserts `(key, value)`, as
    /// [`kv::Mutation`](Mutation) says.
    ///
    /// # Panics
    ///
    /// As [`kv::element`](element), before anything has changed.
    pub fn mutate(&mut self, mutation: &Mutation<'_>) {
        mutate(self, mutation);
    }
}

/// Returns by how much the numbers of records and of bytes change.
fn mutate(accumulator: &mut Accumulator, mutation: &Mutation<'_>) -> (i64, i64) {
    let (previous, new) = mutation.records();
    let (mut keys, mut bytes) = (0, 0);
    if let Some(previous) = previous {
        accumulator.mix(Mix::Out, previous.parts());
        keys -= 1;
        bytes -= previous.len();
    }
    if let Some(new) = new {
        accumulator.mix(Mix::In, new.parts());
        keys += 1;
        bytes += new.len();
    }
    (keys, bytes)
}

/// What mutations change: the hash, the number of records and their size.
///
/// Deltas add up, in any order; a store's state is the sum of all its deltas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// The hash of the records added less that of those removed.
    pub hash: LtHash,
    /// The number of records added less that of those removed.
    pub keys: i64,
    /// The lengths of keys and values (without the elements' length prefixes) added less those removed: an update moves
    /// it by the values' difference.
    pub bytes: i64,
}

impl AddAssign<&Delta> for Delta {
    fn add_assign(&mut self, other: &Delta) {
        self.hash += &other.hash;
        self.keys += other.keys;
        self.bytes += other.bytes;
    }
}

impl<'a> Sum<&'a Delta> for Delta {
    fn sum<I: Iterator<Item = &'a Delta>>(deltas: I) -> Delta {
        let mut sum = Delta::default();
        deltas.for_each(|delta| sum += delta);
        sum
    }
}

impl Sum<Delta> for Delta {
    fn sum<I: Iterator<Item = Delta>>(deltas: I) -> Delta {
        let mut sum = Delta::default();
        deltas.for_each(|delta| sum += &delta);
        sum
    }
}

/// What a chunk of a changeset changes.
///
/// # Panics
///
/// As [`element`].
#[must_use]
pub fn hash_chunk(mutations: &[Mutation<'_>]) -> Delta {
    hash_chunk_with(Kernels::active(), mutations)
}

/// [`hash_chunk`] on a certain backend's kernels.
///
/// # Panics
///
/// As [`element`].
#[must_use]
pub fn hash_chunk_with(kernels: &'static Kernels, mutations: &[Mutation<'_>]) -> Delta {
    let mut accumulator = Accumulator::with_kernels(kernels);
    let (mut keys, mut bytes) = (0, 0);
    for mutation in mutations {
        let change = mutate(&mut accumulator, mutation);
        keys += change.0;
        bytes += change.1;
    }
    Delta {
        hash: accumulator.finish(),
        keys,
        bytes,
    }
}

/// [`hash_chunk`] on several threads (feature `rayon`): the same delta. Fewer than 256 mutations stay on one.
///
/// # Panics
///
/// As [`element`].
#[cfg(feature = "rayon")]
#[must_use]
pub fn par_hash_chunk(mutations: &[Mutation<'_>]) -> Delta {
    use crate::parallel::MIN_ELEMENTS;
    use alloc::boxed::Box;
    use rayon::prelude::*;

    // A mutation is two elements at most.
    if mutations.len() < MIN_ELEMENTS / 2 {
        return hash_chunk(mutations);
    }
    // Several a thread, because they do not take equally long.
    let chunks = 4 * rayon::current_num_threads();
    let size = mutations.len().div_ceil(chunks).max(MIN_ELEMENTS / 4);
    // Boxed, because rayon has several copies of each in its frames.
    let delta = (mutations.par_chunks(size))
        .map(|mutations| Box::new(hash_chunk(mutations)))
        .reduce_with(|mut sum, delta| {
            *sum += &delta;
            sum
        });
    delta.map_or_else(Delta::default, |delta| *delta)
}

/// A key and a value, neither of them empty nor longer than `u32::MAX`, with their length prefixes.
#[derive(Clone, Copy)]
struct Record<'a> {
    key_len: [u8; 4],
    key: &'a [u8],
    value_len: [u8; 4],
    value: &'a [u8],
}

impl<'a> Record<'a> {
    fn new(key: &'a [u8], value: &'a [u8]) -> Option<Record<'a>> {
        if key.is_empty() || value.is_empty() {
            return None;
        }
        Some(Record {
            key_len: prefix("key", key),
            key,
            value_len: prefix("value", value),
            value,
        })
    }

    /// What the element consists of.
    fn parts(&self) -> [&[u8]; 4] {
        [&self.key_len, self.key, &self.value_len, self.value]
    }

    /// The number of bytes without the prefixes.
    fn len(&self) -> i64 {
        self.key.len() as i64 + self.value.len() as i64
    }
}

fn prefix(what: &str, bytes: &[u8]) -> [u8; 4] {
    match u32::try_from(bytes.len()) {
        Ok(length) => length.to_le_bytes(),
        Err(_) => panic!(
            "a {what} of a record has {} bytes: expected at most {}",
            bytes.len(),
            u32::MAX
        ),
    }
}
