//! Hashing inputs on several threads.

use crate::framing::Framing;
use crate::input::Input;
use crate::key::Key;
use crate::opening::Reader;
use crate::progress::Progress;
use crate::reading::Reading;
use crate::set::Set;
use crate::source::{Block, Filled, LongLine, Source};
use crate::tally::{Hashing, Tally};
use anyhow::{Error, Result};
use lthash::Kernels;
use std::num::NonZeroUsize;
use std::panic;
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
    pub decompress: bool,
    pub show_progress: bool,
}

/// An error, and the number of the block that it was found in.
type NumberedError = (u64, Error);

impl Job {
    pub fn new(
        kernels: &'static Kernels,
        key: Option<Key>,
        framing: Framing,
        reading: &Reading,
    ) -> Job {
        Job {
            hashing: Hashing { kernels, key },
            framing,
            threads: reading.threads(),
            decompress: !reading.no_decompress,
            show_progress: !reading.no_progress,
        }
    }

    /// Hashes all inputs' records. The result does not depend on the number of threads.
    pub fn hash(&self, inputs: &[Input]) -> Result<Set> {
        let size = inputs.iter().map(Input::size).sum();
        let source = Source::new(inputs, self.framing, self.decompress, self.progress(size));
        self.hash_source(source, size)
    }

    /// Hashes the records of an input that has been opened.
    pub fn hash_open(&self, input: &Input, records: Reader) -> Result<Set> {
        let size = input.size();
        let source = Source::opened(input, records, self.framing, self.progress(size))?;
        self.hash_source(source, size)
    }

    fn progress(&self, size: Option<u64>) -> Progress {
        Progress::new(size, self.show_progress)
    }

    /// Threads take blocks in turn.
    fn hash_source(&self, source: Source<'_>, size: Option<u64>) -> Result<Set> {
        let source = Mutex::new(source);
        let threads = self.worthwhile_threads(size);
        let work = || self.work(&source, threads);
        let results = thread::scope(|scope| {
            // Where the system gives no more threads, those that there are do the work.
            let others: Vec<_> = (1..threads)
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let mut results = vec![work()];
            for other in others {
                results.push(
                    other
                        .join()
                        .unwrap_or_else(|cause| panic::resume_unwind(cause)),
                );
            }
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

    /// What one thread does.
    fn work(&self, source: &Mutex<Source<'_>>, threads: usize) -> Result<Set, NumberedError> {
        let mut block = Block::new((BLOCKS / threads).clamp(SMALLEST_BLOCK, LARGEST_BLOCK));
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
                Filled::Beginning(place) if self.framing == Framing::KeyValue => {
                    let LongLine { text, decoded } = reading.read_line(block, place)?;
                    tally.insert_key_value(text, place, decoded)?;
                }
                Filled::Beginning(place) => {
                    tally.insert_parts(|take| {
                        reading.read_record(block, place, |part| {
                            take(part);
                            Ok(())
                        })
                    })?;
                }
                Filled::Nothing => return Ok(()),
            }
        }
    }

    /// What all threads have together, or the error that comes first in the inputs.
    fn total(&self, results: Vec<Result<Set, NumberedError>>) -> Result<Set> {
        let mut total = Set::default();
        let mut first_error: Option<NumberedError> = None;
        for result in results {
            match result {
                Ok(set) => total.insert(self.hashing.kernels, &set)?,
                Err(error) if first_error.as_ref().is_none_or(|first| error.0 < first.0) => {
                    first_error = Some(error);
                }
                Err(_) => {}
            }
        }
        match first_error {
            Some((_, error)) => Err(error),
            None => Ok(total),
        }
    }
}

fn lock<'s, 'a>(source: &'s Mutex<Source<'a>>) -> MutexGuard<'s, Source<'a>> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}
