//! Hashing inputs on several threads.

use crate::framing::Framing;
use crate::input::Input;
use crate::progress::Progress;
use crate::set::Set;
use crate::source::{Block, Filled, Source};
use crate::tally::{Hashing, Tally};
use anyhow::{Error, Result};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// What all threads' blocks take together, at most (unless a block gets too small), so that memory stays flat.
const BLOCKS: usize = 8 << 20;
const LARGEST_BLOCK: usize = 256 << 10;
const SMALLEST_BLOCK: usize = 32 << 10;

/// How inputs are hashed.
pub struct Job {
    pub hashing: Hashing,
    pub framing: Framing,
    pub threads: NonZeroUsize,
    pub show_progress: bool,
}

impl Job {
    /// The multiset of all inputs' records.
    ///
    /// Threads take blocks in turn, so the result does not depend on their number.
    pub fn hash(&self, inputs: &[Input]) -> Result<Set> {
        let size: Option<u64> = inputs.iter().map(Input::size).sum();
        let progress = Progress::new(size, self.show_progress);
        let source = Mutex::new(Source::new(inputs, self.framing, progress));
        let threads = self.worthwhile_threads(size);
        let block_size = (BLOCKS / threads).clamp(SMALLEST_BLOCK, LARGEST_BLOCK);
        let work = || self.work(&source, block_size);
        let results: Vec<_> = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut results = vec![work()];
            results.extend(others.into_iter().map(|other| {
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }));
            results
        });
        self.total(results)
    }

    /// Fewer threads than wanted where there is less than a block for each.
    fn worthwhile_threads(&self, size: Option<u64>) -> usize {
        let blocks = size.map_or(u64::MAX, |size| size / LARGEST_BLOCK as u64 + 1);
        let blocks = usize::try_from(blocks).unwrap_or(usize::MAX);
        self.threads.get().min(blocks)
    }

    /// What one thread does. An error comes with the number of the block it was found in.
    fn work(&self, source: &Mutex<Source<'_>>, block_size: usize) -> Result<Set, (u64, Error)> {
        let mut block = Block::new(block_size);
        let mut tally = Tally::new(&self.hashing);
        match self.take_blocks(source, &mut block, &mut tally) {
            Ok(()) => Ok(tally.finish()),
            Err(error) => {
                lock(source).stop();
                Err((block.number(), error))
            }
        }
    }

    fn take_blocks(
        &self,
        source: &Mutex<Source<'_>>,
        block: &mut Block,
        tally: &mut Tally,
    ) -> Result<()> {
        loop {
            let mut reading = lock(source);
            match reading.fill(block)? {
                Filled::Records(place) => {
                    drop(reading);
                    tally.insert_all(self.framing, block.bytes(), place)?;
                }
                Filled::Beginning(place) => {
                    tally.insert_long(self.framing, place, |take| {
                        reading.read_record(block, place, take)
                    })?;
                }
                Filled::Nothing => return Ok(()),
            }
        }
    }

    /// All threads' sets together, or the error that comes first in the inputs.
    fn total(&self, results: Vec<Result<Set, (u64, Error)>>) -> Result<Set> {
        let (sets, errors): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        let errors = errors.into_iter().filter_map(Result::err);
        if let Some((_, error)) = errors.min_by_key(|(block, _)| *block) {
            return Err(error);
        }
        let mut total = Set::default();
        for set in sets.iter().flatten() {
            total.insert(self.hashing.kernels, set)?;
        }
        Ok(total)
    }
}

fn lock<'s, 'a>(source: &'s Mutex<Source<'a>>) -> MutexGuard<'s, Source<'a>> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}
