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
//! As in any [`LtHash`], a record that occurs 65,536 times adds up to nothing. In a store, where a key has one value, no record occurs
//! twice; elsewhere, compare [`Delta::keys`] too.

#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "serde")]
mod serde;

#[cfg(feature = "rayon")]
pub use parallel::{par_hash_chunk, par_hash_chunk_keyed, par_hash_modules};

use crate::backend::{Kernels, Mix};
use crate::{Accumulator, Guarded, LtHash};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter::Sum;
use core::ops::{AddAssign, Neg, SubAssign};

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

/// [`hash_kv`] under a key of BLAKE3's keyed mode, as [`LtHash::of_keyed`], which says when that is worth having.
///
/// # Panics
///
/// If neither is empty and the length of one is over `u32::MAX`.
#[must_use]
pub fn hash_kv_keyed(hash_key: &[u8; 32], key: &[u8], value: &[u8]) -> LtHash {
    element(key, value).map_or(LtHash::new(), |element| {
        LtHash::of_keyed(hash_key, &element)
    })
}

/// A change of a key's value.
///
/// A value is absent if it is `None` or `Some(b"")`: an empty value counts for nothing, as flatkv has it. A value of zeros is
/// present like any other. Nothing is stored under an empty key.
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
    /// The value until now. It has to be right: this crate does not know what is stored.
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
    /// Changes a key's value: removes the record `(key, previous)` and inserts `(key, value)`, as [`kv::Mutation`](Mutation)
    /// describes. Returns what that changes besides the hash.
    ///
    /// ```
    /// use lthash::Accumulator;
    /// use lthash::kv::Mutation;
    ///
    /// let mut store = Accumulator::new();
    /// let update = Mutation { key: b"alice", value: Some(b"90"), previous: Some(b"100") };
    /// let change = store.mutate(&update);
    /// assert_eq!((change.keys, change.bytes), (0, -1));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`kv::element`](element), before anything has changed.
    pub fn mutate(&mut self, mutation: &Mutation<'_>) -> Change {
        let (previous, new) = mutation.records();
        let mut change = Change::default();
        if let Some(previous) = previous {
            self.mix(Mix::Out, previous.parts());
            change.keys -= 1;
            change.bytes -= previous.len();
        }
        if let Some(new) = new {
            self.mix(Mix::In, new.parts());
            change.keys += 1;
            change.bytes += new.len();
        }
        change
    }
}

/// What a mutation changes besides the hash, from [`Accumulator::mutate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The change of the number of records: −1, 0 or 1.
    pub keys: i64,
    /// The change of the lengths of keys and values, as in [`Delta::bytes`].
    pub bytes: i64,
}

/// What mutations change: the hash, the number of records and their size.
///
/// Deltas add up, in any order; a store's state is the sum of all its deltas. Two are equal if their hash, keys and bytes are;
/// [`guarded`](Delta::guarded) tells multiplicities apart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Delta {
    /// The hash of the records added less that of those removed.
    pub hash: LtHash,
    /// The number of records added less that of those removed.
    pub keys: i64,
    /// The lengths of keys and values (without the elements' length prefixes) added less those removed: an update moves
    /// it by the values' difference.
    pub bytes: i64,
    /// It belongs to `hash` while both have the same limbs: a caller may set `hash` to another one.
    hashed: Hashed,
}

impl Delta {
    /// The hash with its guard, unless the caller has set [`hash`](Delta::hash) to another hash, which has no guard.
    ///
    /// ```
    /// use lthash::Guarded;
    /// use lthash::kv::{self, Mutation};
    ///
    /// let add = Mutation { key: b"alice", value: Some(b"100"), previous: None };
    /// let delta = kv::hash_chunk(&[add]);
    /// let record = kv::element(b"alice", b"100").unwrap();
    /// assert_eq!(delta.guarded(), Some(&Guarded::of(&record)));
    /// ```
    #[must_use]
    pub fn guarded(&self) -> Option<&Guarded> {
        self.hashed
            .guarded()
            .filter(|guarded| *guarded.hash() == self.hash)
    }
}

impl Default for Delta {
    /// No change.
    fn default() -> Delta {
        Delta {
            hash: LtHash::new(),
            keys: 0,
            bytes: 0,
            hashed: Hashed::Nothing,
        }
    }
}

/// The hash, the keys and the bytes.
impl PartialEq for Delta {
    fn eq(&self, other: &Delta) -> bool {
        (self.keys, self.bytes) == (other.keys, other.bytes) && self.hash == other.hash
    }
}

impl Eq for Delta {}

impl AddAssign<&Delta> for Delta {
    fn add_assign(&mut self, other: &Delta) {
        self.hashed.mix(&other.hashed, Guarded::mix_in);
        self.hash += &other.hash;
        self.keys += other.keys;
        self.bytes += other.bytes;
    }
}

impl SubAssign<&Delta> for Delta {
    fn sub_assign(&mut self, other: &Delta) {
        self.hashed.mix(&other.hashed, Guarded::mix_out);
        self.hash -= &other.hash;
        self.keys -= other.keys;
        self.bytes -= other.bytes;
    }
}

/// The guarded hash that was computed for a delta.
#[derive(Clone, Debug)]
enum Hashed {
    /// The identity, without an allocation.
    Nothing,
    /// A hash with its guard. Boxed, because deltas are moved.
    Records(Box<Guarded>),
    /// No guard, since a hash without one was mixed in.
    Unguarded,
}

impl Hashed {
    fn new(guarded: Option<Guarded>) -> Hashed {
        match guarded {
            Some(guarded) if guarded.is_identity() => Hashed::Nothing,
            Some(guarded) => Hashed::Records(Box::new(guarded)),
            None => Hashed::Unguarded,
        }
    }

    fn guarded(&self) -> Option<&Guarded> {
        static NOTHING: Guarded = Guarded::new();
        match self {
            Hashed::Nothing => Some(&NOTHING),
            Hashed::Records(guarded) => Some(guarded),
            Hashed::Unguarded => None,
        }
    }

    /// Mixes another in or out. The result has a guard if both have one.
    fn mix(&mut self, other: &Hashed, mix: fn(&mut Guarded, &Guarded)) {
        if let Hashed::Nothing = self {
            *self = Hashed::Records(Box::default());
        }
        match (&mut *self, other.guarded()) {
            (Hashed::Records(guarded), Some(other)) => mix(guarded, other),
            _ => *self = Hashed::Unguarded,
        }
    }
}

impl Neg for &Delta {
    type Output = Delta;

    /// The delta that undoes this one.
    fn neg(self) -> Delta {
        let mut undo = Delta::default();
        undo -= self;
        undo
    }
}

impl Neg for Delta {
    type Output = Delta;

    /// The delta that undoes this one.
    fn neg(self) -> Delta {
        -&self
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

/// The sum of the deltas.
impl FromIterator<Delta> for Delta {
    fn from_iter<I: IntoIterator<Item = Delta>>(deltas: I) -> Delta {
        deltas.into_iter().sum()
    }
}

/// What the mutations change together, as [`hash_chunk`].
impl<'a> FromIterator<Mutation<'a>> for Delta {
    fn from_iter<I: IntoIterator<Item = Mutation<'a>>>(mutations: I) -> Delta {
        delta(&mut Accumulator::new(), mutations)
    }
}

/// What the mutations change together, as [`hash_chunk`].
impl<'a> FromIterator<&'a Mutation<'a>> for Delta {
    fn from_iter<I: IntoIterator<Item = &'a Mutation<'a>>>(mutations: I) -> Delta {
        mutations.into_iter().copied().collect()
    }
}

/// What mutations change, hashed by an accumulator that is empty before and after.
fn delta<'a>(
    accumulator: &mut Accumulator,
    mutations: impl IntoIterator<Item = Mutation<'a>>,
) -> Delta {
    let (mut keys, mut bytes) = (0, 0);
    for mutation in mutations {
        let change = accumulator.mutate(&mutation);
        keys += change.keys;
        bytes += change.bytes;
    }
    let guarded = accumulator.take_guarded();
    Delta {
        // No hash without a guard was mixed in.
        hash: (guarded.as_ref()).map_or(LtHash::new(), |guarded| guarded.hash().clone()),
        keys,
        bytes,
        hashed: Hashed::new(guarded),
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

/// [`hash_chunk`] under a key, as [`hash_kv_keyed`].
///
/// # Panics
///
/// As [`element`].
#[must_use]
pub fn hash_chunk_keyed(hash_key: &[u8; 32], mutations: &[Mutation<'_>]) -> Delta {
    hash_chunk_with_keyed(Kernels::active(), hash_key, mutations)
}

/// [`hash_chunk`] on a certain backend's kernels.
///
/// # Panics
///
/// As [`element`].
#[must_use]
pub fn hash_chunk_with(kernels: &'static Kernels, mutations: &[Mutation<'_>]) -> Delta {
    let mut accumulator = Accumulator::with_kernels(kernels);
    delta(&mut accumulator, mutations.iter().copied())
}

/// [`hash_chunk`] on a certain backend's kernels and under a key.
///
/// # Panics
///
/// As [`element`].
#[must_use]
pub fn hash_chunk_with_keyed(
    kernels: &'static Kernels,
    hash_key: &[u8; 32],
    mutations: &[Mutation<'_>],
) -> Delta {
    let mut accumulator = Accumulator::with_kernels(kernels).keyed(hash_key);
    delta(&mut accumulator, mutations.iter().copied())
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

    /// The parts of the element, in order.
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
