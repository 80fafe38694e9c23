//! A multiset of records: its hash and its counts.

use anyhow::{Context, Result};
use lthash::{Kernels, LtHash};

/// What a multiset of records adds up to.
///
/// Counts are negative where more was taken out than put in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    pub hash: LtHash,
    pub records: i64,
    /// Of the records alone: no delimiters, no prefixes.
    pub bytes: i64,
}

impl Set {
    /// Puts in all records of `other`.
    pub fn insert(&mut self, kernels: &Kernels, other: &Set) -> Result<()> {
        self.records = fits(self.records.checked_add(other.records))?;
        self.bytes = fits(self.bytes.checked_add(other.bytes))?;
        kernels.add(&mut self.hash, &other.hash);
        Ok(())
    }

    /// Takes out all records of `other`.
    pub fn remove(&mut self, kernels: &Kernels, other: &Set) -> Result<()> {
        self.records = fits(self.records.checked_sub(other.records))?;
        self.bytes = fits(self.bytes.checked_sub(other.bytes))?;
        kernels.sub(&mut self.hash, &other.hash);
        Ok(())
    }
}

fn fits(count: Option<i64>) -> Result<i64> {
    count.context("a count of records or bytes does not fit 64 bits")
}
