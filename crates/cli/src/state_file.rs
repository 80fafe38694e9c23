//! State files: a state, which the states of its buckets may follow.

use crate::buckets;
use anyhow::{Context, Result, anyhow, bail, ensure};
use lthash::hex;
use lthash::state::{DecodeError, State};
use std::io::Read;

/// A state, and those of its buckets if it has some.
#[derive(Debug)]
pub struct StateFile {
    pub total: State,
    pub buckets: Vec<State>,
}

impl From<State> for StateFile {
    fn from(total: State) -> StateFile {
        StateFile {
            total,
            buckets: Vec::new(),
        }
    }
}

/// A state without buckets.
fn one(bytes: &[u8]) -> Result<State> {
    State::from_bytes(bytes).map_err(|error| match error {
        // What it begins with is not told: it may be a key, given where a state is wanted.
        DecodeError::NotAState { expected, .. } => {
            let expected = hex::encode(expected);
            anyhow!("not a state of lthash: expected a file that begins with {expected}")
        }
        other => other.into(),
    })
}

impl StateFile {
    /// Adds the buckets up, from `empty`, and keeps them.
    pub fn of_buckets(empty: State, buckets: Vec<State>) -> Result<StateFile> {
        let mut total = empty;
        for bucket in &buckets {
            total.merge(bucket)?;
        }
        Ok(StateFile { total, buckets })
    }

    /// # Errors
    ///
    /// If what is read is no state, or not all of one.
    pub fn read(mut reader: impl Read) -> Result<StateFile> {
        const STATE: usize = State::MAX_BYTES;
        // One byte more than a state has shows that there is more.
        let mut bytes = Vec::new();
        (reader.by_ref().take(STATE as u64 + 1)).read_to_end(&mut bytes)?;
        if bytes.len() <= STATE || State::from_bytes(&bytes[..STATE]).is_err() {
            return Ok(one(&bytes)?.into());
        }
        let most = STATE * (1 + buckets::MOST_OF_STATE);
        (reader.take((most - STATE) as u64)).read_to_end(&mut bytes)?;
        let states = bytes.chunks_exact(STATE);
        let rest = states.remainder();
        let number = states.len() - 1;
        if number == 0 {
            return Ok(one(&bytes)?.into());
        }
        ensure!(
            rest.is_empty() && buckets::is_number(number),
            "has {} bytes: expected {STATE} for the state and as many for each bucket, of which there are {}",
            bytes.len(),
            buckets::NUMBERS
        );
        let mut states = states.map(State::from_bytes);
        let total = states.next().context("no state")??;
        let buckets = states
            .enumerate()
            .map(|(bucket, state)| state.with_context(|| format!("bucket {bucket}")));
        let buckets: Vec<State> = buckets.collect::<Result<_>>()?;
        let empty = State::new(total.kind(), total.key());
        let sum = StateFile::of_buckets(empty, buckets)?;
        ensure!(
            sum.total == total,
            "its buckets do not add up to its checksum: it is damaged"
        );
        Ok(sum)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.total.to_bytes();
        for bucket in &self.buckets {
            bytes.extend(bucket.to_bytes());
        }
        bytes
    }

    /// The state of a file without buckets. A command that changes or adds up states cannot keep buckets right.
    pub fn without_buckets(self) -> Result<State> {
        match self.buckets.len() {
            0 => Ok(self.total),
            number => bail!(
                "has {number} buckets, which this command does not support: expected a state without buckets"
            ),
        }
    }

    /// The buckets that differ from another's, if both have as many.
    pub fn differing(&self, other: &StateFile) -> Option<Vec<usize>> {
        if self.buckets.is_empty() || self.buckets.len() != other.buckets.len() {
            return None;
        }
        let pairs = self.buckets.iter().zip(&other.buckets).enumerate();
        Some(
            pairs
                .filter(|(_, (a, b))| !a.compare(b).is_ok_and(|comparison| comparison.is_equal()))
                .map(|(bucket, _)| bucket)
                .collect(),
        )
    }
}
