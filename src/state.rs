//! States: a multiset's hash with its guard, its counts and the kind of its records, to store, merge and compare.
//!
//! The program `lthash` and the SQL functions write states. docs/STATE.md of the repository describes their bytes for other
//! programs.
//!
//! ```
//! use lthash::Accumulator;
//! use lthash::state::{Records, State};
//!
//! // Each machine hashes its part of a table:
//! let part = |records: &[&str]| {
//!     let mut accumulator = Accumulator::new();
//!     accumulator.extend(records);
//!     let bytes = records.iter().map(|record| record.len() as i64).sum();
//!     State::new(Records::LINES, None).with(&records.iter().collect(), records.len() as i64, bytes)
//! };
//! let mut table = part(&["alice", "bob"])?;
//! table.merge(&part(&["carol"])?)?;
//!
//! // Its bytes are sent to another machine:
//! let stored = table.to_bytes();
//! let other = State::from_bytes(&stored)?;
//! assert!(table.compare(&other)?.is_equal());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod error;
mod fingerprint;
mod records;

pub use error::{DecodeError, MergeError};
pub use fingerprint::Fingerprint;
pub use records::Records;

use crate::{Guarded, LtHash};

/// A multiset's hash, with its guard if it has one, its counts, the kind of its records and the fingerprint of their key.
///
/// A new state has a guard and is of format version 2. A state of version 1 has no guard and cannot get one: it stays of
/// version 1 when it changes, and a state that it is merged into becomes one of version 1.
///
/// Counts are signed: they are negative if more was removed than inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    kind: Records,
    key: Option<Fingerprint>,
    records: i64,
    bytes: i64,
    hash: Hash,
}

/// A hash with or without its guard. Boxed, so that moving a state is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Hash {
    Bare(alloc::boxed::Box<LtHash>),
    Guarded(alloc::boxed::Box<Guarded>),
}

impl State {
    /// The state of the empty multiset, with a guard.
    #[must_use]
    pub fn new(kind: Records, key: Option<Fingerprint>) -> State {
        State {
            kind,
            key,
            records: 0,
            bytes: 0,
            hash: Hash::Guarded(Default::default()),
        }
    }

    /// This state with a multiset added, as [`insert`](State::insert).
    ///
    /// # Errors
    ///
    /// If a count does not fit.
    pub fn with(
        mut self,
        multiset: &Guarded,
        records: i64,
        bytes: i64,
    ) -> Result<State, MergeError> {
        self.insert(multiset, records, bytes)?;
        Ok(self)
    }

    /// Adds a multiset of `records` records, which have `bytes` bytes.
    ///
    /// # Errors
    ///
    /// If a count does not fit 64 bits. The state is then as it was.
    pub fn insert(
        &mut self,
        multiset: &Guarded,
        records: i64,
        bytes: i64,
    ) -> Result<(), MergeError> {
        let count = |a: i64, b: i64| a.checked_add(b).ok_or(MergeError::Count);
        (self.records, self.bytes) = (count(self.records, records)?, count(self.bytes, bytes)?);
        match &mut self.hash {
            Hash::Bare(hash) => hash.mix_in(multiset.hash()),
            Hash::Guarded(guarded) => guarded.mix_in(multiset),
        }
        Ok(())
    }

    /// Removes a multiset of `records` records, which have `bytes` bytes.
    ///
    /// # Errors
    ///
    /// If a count does not fit 64 bits. The state is then as it was.
    pub fn remove(
        &mut self,
        multiset: &Guarded,
        records: i64,
        bytes: i64,
    ) -> Result<(), MergeError> {
        let count = |a: i64, b: i64| a.checked_sub(b).ok_or(MergeError::Count);
        (self.records, self.bytes) = (count(self.records, records)?, count(self.bytes, bytes)?);
        match &mut self.hash {
            Hash::Bare(hash) => hash.mix_out(multiset.hash()),
            Hash::Guarded(guarded) => guarded.mix_out(multiset),
        }
        Ok(())
    }

    /// Adds the multiset of another state. If either has no guard, the sum has none.
    ///
    /// # Errors
    ///
    /// If the two hold different kinds of records or are under different keys, or if a count does not fit 64 bits. The state is
    /// then as it was.
    pub fn merge(&mut self, other: &State) -> Result<(), MergeError> {
        self.check_agreement(other)?;
        match &other.hash {
            Hash::Guarded(guarded) => self.insert(guarded, other.records, other.bytes),
            Hash::Bare(hash) => {
                let mut bare = self.hash().clone();
                bare.mix_in(hash);
                self.insert(&Guarded::new(), other.records, other.bytes)?;
                self.hash = Hash::Bare(bare.into());
                Ok(())
            }
        }
    }

    /// Compares the multisets of two states: hashes, counts and, where both have one, guards.
    ///
    /// # Errors
    ///
    /// If the two hold different kinds of records or are under different keys.
    pub fn compare(&self, other: &State) -> Result<Comparison, MergeError> {
        self.check_agreement(other)?;
        let guards = self.guarded().zip(other.guarded());
        Ok(Comparison {
            hash: self.hash() == other.hash(),
            guard: guards.map(|(one, other)| one.guard() == other.guard()),
            records: self.records == other.records,
            bytes: self.bytes == other.bytes,
        })
    }

    fn check_agreement(&self, other: &State) -> Result<(), MergeError> {
        if !self.kind.agree_with(other.kind) {
            return Err(MergeError::Records(self.kind, other.kind));
        }
        if self.key != other.key {
            return Err(MergeError::Key(self.key, other.key));
        }
        Ok(())
    }

    /// The hash.
    #[must_use]
    pub fn hash(&self) -> &LtHash {
        match &self.hash {
            Hash::Bare(hash) => hash,
            Hash::Guarded(guarded) => guarded.hash(),
        }
    }

    /// The hash with its guard, if it has one.
    #[must_use]
    pub fn guarded(&self) -> Option<&Guarded> {
        match &self.hash {
            Hash::Bare(_) => None,
            Hash::Guarded(guarded) => Some(guarded),
        }
    }

    /// The number of records.
    #[must_use]
    pub fn records(&self) -> i64 {
        self.records
    }

    /// The number of the records' bytes.
    #[must_use]
    pub fn bytes(&self) -> i64 {
        self.bytes
    }

    /// The kind of the records.
    #[must_use]
    pub fn kind(&self) -> Records {
        self.kind
    }

    /// The fingerprint of the key that the records are hashed under, if there is one.
    #[must_use]
    pub fn key(&self) -> Option<Fingerprint> {
        self.key
    }

    /// The version of the format that [`to_bytes`](State::to_bytes) writes: 2 with a guard, 1 without.
    #[must_use]
    pub fn version(&self) -> u32 {
        match self.hash {
            Hash::Bare(_) => 1,
            Hash::Guarded(_) => 2,
        }
    }
}

/// The result of [`State::compare`]: in what two multisets agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// Whether the hashes agree.
    pub hash: bool,
    /// Whether the guards agree. `None` if a state has no guard: then multiplicities that differ by multiples of 65,536 could not
    /// be compared.
    pub guard: Option<bool>,
    /// Whether the numbers of records agree.
    pub records: bool,
    /// Whether the numbers of bytes agree.
    pub bytes: bool,
}

impl Comparison {
    /// Whether all that was compared agrees.
    #[must_use]
    pub fn is_equal(self) -> bool {
        self.hash && self.guard != Some(false) && self.records && self.bytes
    }
}
