//! Hashing inputs.

use crate::buckets::{self, Buckets};
use crate::framing::Framing;
use crate::input::Input;
use crate::key::Key;
use crate::reader::Reader;
use crate::reading::Reading;
use crate::scan::Scan;
use crate::state_file::StateFile;
use crate::tally::{Hashing, Tally};
use anyhow::Result;
use lthash::Kernels;
use lthash::state::{Fingerprint, State};

/// How inputs are hashed.
pub struct Job {
    pub hashing: Hashing,
    pub scan: Scan,
}

impl Job {
    pub fn new(
        kernels: &'static Kernels,
        key: Option<Key>,
        framing: Framing,
        reading: &Reading,
    ) -> Result<Job> {
        Ok(Job {
            hashing: Hashing { kernels, key },
            scan: Scan::new(framing, reading)?,
        })
    }

    /// Hashes all inputs' records. The result does not depend on the number of threads.
    pub fn hash(&self, inputs: &[Input]) -> Result<State> {
        self.total(self.scan.all(inputs, || self.tally())?)
    }

    /// The same, and what each of so many buckets holds.
    pub fn hash_buckets(self, inputs: &[Input], number: usize) -> Result<StateFile> {
        let empty = self.empty();
        let all: Vec<usize> = (0..number).collect();
        let buckets = Buckets::some(number, &all);
        let scan = self.scan.on_at_most(buckets::most_threads(number));
        let states = buckets.states(&self.hashing, &scan, inputs, &empty)?;
        StateFile::of_buckets(empty, states)
    }

    /// Hashes one input's records by itself: its table may have other columns than those before.
    pub fn hash_alone(&self, input: &Input) -> Result<State> {
        self.scan.layout.table.forget_header();
        self.hash(std::slice::from_ref(input))
    }

    /// Hashes the records of an input that has been opened.
    pub fn hash_open(&self, input: &Input, records: Reader) -> Result<State> {
        self.total(self.scan.opened(input, records, || self.tally())?)
    }

    fn tally(&self) -> Tally {
        Tally::new(&self.hashing, self.scan.layout.framing)
    }

    /// The state of no records of the kind that is hashed.
    pub fn empty(&self) -> State {
        let key = self.hashing.key.as_ref().map(Fingerprint::of);
        State::new(self.scan.layout.framing.records(), key)
    }

    fn total(&self, tallies: Vec<Tally>) -> Result<State> {
        let mut total = self.empty();
        for tally in tallies {
            tally.add_to(&mut total)?;
        }
        Ok(total)
    }
}
