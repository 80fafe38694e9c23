//! Reading inputs on several threads.

use crate::csv::Columns;
use crate::framing::Framing;
use crate::input::{Input, Position};
use crate::progress::Progress;
use crate::quotes::Quotes;
use crate::reader::Reader;
use crate::reading::Reading;
use crate::source::{Block, Filled, Layout, Source};
use anyhow::{Error, Result};
use std::num::NonZeroUsize;
use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// What all threads' blocks take together, at most (unless a block gets too small), so that memory stays flat.
const BLOCKS: usize = 8 << 20;
const LARGEST_BLOCK: usize = 256 << 10;
const SMALLEST_BLOCK: usize = 32 << 10;

/// How inputs are read.
pub struct Scan {
    pub layout: Layout,
    threads: NonZeroUsize,
    show_progress: bool,
    quotes: Quotes,
}

/// What a thread does with records.
pub trait Worker: Send {
    /// Takes whole records, which lie at `position` in a table of these columns, if it is one.
    fn take(
        &mut self,
        bytes: &[u8],
        position: Position<'_>,
        columns: Option<&Columns>,
    ) -> Result<()>;

    /// Takes a record whose beginning `block` holds, and whose rest is yet to be read.
    fn take_long<'a>(
        &mut self,
        source: &mut Source<'a>,
        block: &mut Block,
        position: Position<'a>,
    ) -> Result<()> {
        let columns = block.columns();
        let record = source.read_whole(block, position)?;
        self.take(record, position, columns.as_deref())
    }
}

/// An error, and the number of the block that it was found in.
type NumberedError = (u64, Error);

impl Scan {
    pub fn new(framing: Framing, reading: &Reading) -> Result<Scan> {
        Ok(Scan {
            layout: Layout {
                framing,
                table: reading.table(framing)?,
                decompress: !reading.no_decompress,
            },
            threads: reading.threads(),
            show_progress: !reading.no_progress,
            quotes: Quotes::default(),
        })
    }

    /// On one thread, which takes records in the order of the inputs.
    pub fn in_order(self) -> Scan {
        self.on_at_most(NonZeroUsize::MIN)
    }

    pub fn on_at_most(self, threads: NonZeroUsize) -> Scan {
        Scan {
            threads: self.threads.min(threads),
            ..self
        }
    }

    /// Without options, on one thread.
    #[cfg(test)]
    pub fn plain(framing: Framing) -> Scan {
        Scan {
            layout: Layout::plain(framing),
            threads: NonZeroUsize::MIN,
            show_progress: false,
            quotes: Quotes::default(),
        }
    }

    /// Gives all records of the inputs to workers, one a thread, and returns these.
    ///
    /// # Errors
    ///
    /// The error that comes first in the inputs.
    pub fn all<W: Worker>(
        &self,
        inputs: &[Input],
        worker: impl Fn() -> W + Sync,
    ) -> Result<Vec<W>> {
        let size = inputs.iter().map(Input::size).sum();
        let source = Source::new(inputs, &self.layout, self.progress(size));
        self.run(source, size, worker)
    }

    /// The same of one input that has been opened.
    pub fn opened<W: Worker>(
        &self,
        input: &Input,
        records: Reader,
        worker: impl Fn() -> W + Sync,
    ) -> Result<Vec<W>> {
        let size = input.size();
        let source = Source::opened(input, records, &self.layout, self.progress(size))?;
        self.run(source, size, worker)
    }

    pub fn threads(&self) -> usize {
        self.threads.get()
    }

    fn progress(&self, size: Option<u64>) -> Progress {
        Progress::new(size, self.show_progress)
    }

    /// Threads take blocks in turn.
    fn run<W: Worker>(
        &self,
        source: Source<'_>,
        size: Option<u64>,
        worker: impl Fn() -> W + Sync,
    ) -> Result<Vec<W>> {
        let source = Mutex::new(source);
        let threads = self.worthwhile_threads(size);
        let work = || self.work(&source, threads, worker());
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
        let mut first_error: Option<NumberedError> = None;
        let mut workers = Vec::new();
        for result in results {
            match result {
                Ok(worker) => workers.push(worker),
                Err(error) if first_error.as_ref().is_none_or(|first| error.0 < first.0) => {
                    first_error = Some(error);
                }
                Err(_) => {}
            }
        }
        match first_error {
            Some((_, error)) => Err(error),
            None => Ok(workers),
        }
    }

    /// Fewer threads than wanted where there is less than a block for each.
    fn worthwhile_threads(&self, size: Option<u64>) -> usize {
        let blocks = size.map_or(u64::MAX, |size| size / LARGEST_BLOCK as u64 + 1);
        let blocks = usize::try_from(blocks).unwrap_or(usize::MAX);
        self.threads.get().min(blocks)
    }

    /// What one thread does.
    fn work<W: Worker>(
        &self,
        source: &Mutex<Source<'_>>,
        threads: usize,
        mut worker: W,
    ) -> Result<W, NumberedError> {
        let mut block = Block::new((BLOCKS / threads).clamp(SMALLEST_BLOCK, LARGEST_BLOCK));
        match self.take_blocks(source, &mut block, &mut worker) {
            Ok(()) => Ok(worker),
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
        worker: &mut impl Worker,
    ) -> Result<()> {
        loop {
            let mut reading = lock(source);
            match reading.fill(block)? {
                Filled::Records(position) => {
                    drop(reading);
                    if self.layout.framing == Framing::Delimited(b'\n') {
                        self.quotes.look(block.bytes(), position);
                    }
                    worker.take(block.bytes(), position, block.columns().as_deref())?;
                }
                Filled::Beginning(position) => worker.take_long(&mut reading, block, position)?,
                Filled::Nothing => return Ok(()),
            }
        }
    }
}

fn lock<'s, 'a>(source: &'s Mutex<Source<'a>>) -> MutexGuard<'s, Source<'a>> {
    source.lock().unwrap_or_else(PoisonError::into_inner)
}
