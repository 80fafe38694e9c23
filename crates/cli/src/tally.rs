//! What one thread has hashed.

use crate::csv::Columns;
use crate::decoder::Decoder;
use crate::framing::{Framing, delimited, length_prefixed};
use crate::input::Position;
use crate::key::Key;
use crate::scan::Worker;
use crate::source::{Block, Source};
use anyhow::{Context, Result};
use lthash::state::State;
use lthash::{Accumulator, Kernels};
use std::mem;

/// How records are hashed.
#[derive(Clone, Copy)]
pub struct Hashing {
    pub kernels: &'static Kernels,
    pub key: Option<Key>,
}

impl Hashing {
    fn accumulator(&self) -> Accumulator {
        let accumulator = Accumulator::with_kernels(self.kernels);
        match &self.key {
            Some(key) => accumulator.keyed(key),
            None => accumulator,
        }
    }
}

/// An accumulator that counts.
pub struct Tally {
    framing: Framing,
    decoder: Decoder,
    accumulator: Accumulator,
    records: i64,
    bytes: i64,
}

impl Tally {
    pub fn new(hashing: &Hashing, framing: Framing) -> Tally {
        Tally {
            framing,
            decoder: Decoder::new(framing),
            accumulator: hashing.accumulator(),
            records: 0,
            bytes: 0,
        }
    }

    /// Elements that lie in the block already are hashed where they are.
    fn extend<'a>(&mut self, elements: impl Iterator<Item = &'a [u8]>) {
        let (records, bytes) = (&mut self.records, &mut self.bytes);
        self.accumulator.extend(elements.inspect(|element| {
            *records += 1;
            *bytes += element.len() as i64;
        }));
    }

    pub fn add_to(self, total: &mut State) -> Result<()> {
        let hash = self.accumulator.finish_guarded();
        let hash = hash.context("elements alone keep their guard")?;
        Ok(total.insert(&hash, self.records, self.bytes)?)
    }
}

impl Worker for Tally {
    fn take(
        &mut self,
        bytes: &[u8],
        position: Position<'_>,
        columns: Option<&Columns>,
    ) -> Result<()> {
        match self.framing {
            Framing::Delimited(delimiter) => self.extend(delimited(delimiter, bytes)),
            Framing::Length => self.extend(length_prefixed(bytes)),
            Framing::KeyValue | Framing::Csv(_) => {
                let (accumulator, records, size) =
                    (&mut self.accumulator, &mut self.records, &mut self.bytes);
                self.decoder.each(bytes, position, columns, &mut |record| {
                    accumulator.insert(record.element);
                    *records += 1;
                    *size += record.size as i64;
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Lines and records behind their lengths are hashed part by part, however long they are.
    fn take_long<'a>(
        &mut self,
        source: &mut Source<'a>,
        block: &mut Block,
        position: Position<'a>,
    ) -> Result<()> {
        if matches!(self.framing, Framing::KeyValue | Framing::Csv(_)) {
            let columns = block.columns();
            self.decoder.lend(mem::take(source.memory()));
            let record = source.read_whole(block, position)?;
            self.take(record, position, columns.as_deref())?;
            *source.memory() = self.decoder.give_back();
            return Ok(());
        }
        let mut element = self.accumulator.element();
        let mut length = 0;
        source.read_record(block, position, |part| {
            element.update(part);
            length += part.len() as i64;
            Ok(())
        })?;
        element.insert();
        self.records += 1;
        self.bytes += length;
        Ok(())
    }
}
