//! Reading inputs in blocks of whole records.

use crate::csv::{self, Columns, Ends, Fields, Table};
use crate::framing::{Framing, PREFIX};
use crate::input::{Input, Position};
use crate::opening;
use crate::progress::Progress;
use crate::reader::Reader;
use anyhow::{Context, Error, Result, ensure};
use std::io::{self, Cursor, Read};
use std::mem;
use std::sync::Arc;

/// The longest record that is taken as a whole, in bytes: a line of a key and a value, whose lengths are hashed before
/// bytes, a row, and any record that is compared by itself. Lines and the like are hashed part by part.
const LONGEST_WHOLE: usize = 8 << 20;

/// How inputs hold their records.
pub struct Layout {
    pub framing: Framing,
    pub table: Table,
    pub decompress: bool,
}

/// Inputs, read one after the other.
pub struct Source<'a> {
    inputs: std::slice::Iter<'a, Input>,
    open: Option<Open<'a>>,
    layout: &'a Layout,
    /// What was read behind the last whole record.
    carry: Vec<u8>,
    /// A record that a block is too small for. There is one for all threads.
    long: Vec<u8>,
    /// Where it is decoded.
    memory: Vec<u8>,
    blocks: u64,
    progress: Progress,
}

struct Open<'a> {
    reader: Reader,
    /// Where the carry begins.
    position: Position<'a>,
    /// Of the table, if it is one.
    columns: Option<Arc<Columns>>,
    /// What the last reading failed with, after it had read something.
    failure: Option<io::Error>,
}

/// Memory for a part of an input.
pub struct Block {
    memory: Box<[u8]>,
    length: usize,
    /// Of the table that it is a part of, if it is one.
    columns: Option<Arc<Columns>>,
    /// How many blocks were read before this one.
    number: u64,
}

/// What a block holds after it was filled.
pub enum Filled<'a> {
    /// Whole records, the first at this position.
    Records(Position<'a>),
    /// The beginning of a record, at this position, that a block is too small for.
    Beginning(Position<'a>),
    /// Nothing: the inputs have ended.
    Nothing,
}

#[cfg(test)]
impl Layout {
    /// Without options.
    pub fn plain(framing: Framing) -> Layout {
        Layout {
            framing,
            table: Table::default(),
            decompress: false,
        }
    }
}

impl Block {
    pub fn new(size: usize) -> Self {
        assert!(size > PREFIX, "a block holds a length prefix");
        Block {
            memory: vec![0; size].into(),
            length: 0,
            columns: None,
            number: 0,
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.memory[..self.length]
    }

    pub fn columns(&self) -> Option<Arc<Columns>> {
        self.columns.clone()
    }

    pub fn number(&self) -> u64 {
        self.number
    }
}

impl<'a> Source<'a> {
    pub fn new(inputs: &'a [Input], layout: &'a Layout, progress: Progress) -> Self {
        Source {
            inputs: inputs.iter(),
            open: None,
            layout,
            carry: Vec::new(),
            long: Vec::new(),
            memory: Vec::new(),
            blocks: 0,
            progress,
        }
    }

    /// Records of an input that has been opened, alone.
    pub fn opened(
        input: &'a Input,
        records: Reader,
        layout: &'a Layout,
        progress: Progress,
    ) -> Result<Self> {
        let mut source = Source::new(&[], layout, progress);
        source.open(input, records)?;
        Ok(source)
    }

    /// Reads the next block.
    pub fn fill(&mut self, block: &mut Block) -> Result<Filled<'a>> {
        block.number = self.blocks;
        self.blocks += 1;
        while let Some(position) = self.position()? {
            block.length = self.carry.len();
            block.memory[..block.length].copy_from_slice(&self.carry);
            self.carry.clear();
            let ended = self
                .read_full(block)
                .map_err(|error| position.error(error))?;
            block.columns = self.open.as_ref().and_then(|open| open.columns.clone());
            let whole = self.framing().whole(block.bytes());
            let next = position.after(whole.records, whole.end as u64);
            if ended {
                self.open = None;
                if block.length == 0 {
                    continue;
                }
                self.ensure_complete(&block.bytes()[whole.end..], next)?;
                return Ok(Filled::Records(position));
            }
            if whole.end == 0 {
                return match self.take_failure() {
                    Some(error) => Err(position.after(0, block.length as u64).error(error)),
                    None => Ok(Filled::Beginning(position)),
                };
            }
            self.carry.extend_from_slice(&block.bytes()[whole.end..]);
            block.length = whole.end;
            self.go_on_at(next);
            return Ok(Filled::Records(position));
        }
        Ok(Filled::Nothing)
    }

    /// Reads on to the end of the record whose beginning `block` holds, and gives `take` its parts.
    pub fn read_record(
        &mut self,
        block: &mut Block,
        position: Position<'a>,
        mut take: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut ending = self.framing().ending(block.bytes());
        let mut begin = self.framing().prefix();
        let mut before = 0;
        loop {
            let part = &block.bytes()[begin..];
            let found = ending.find(part);
            take(&part[..found.map_or(part.len(), |(end, _)| end)])?;
            if let Some((_, next)) = found {
                let next = begin + next;
                self.carry.extend_from_slice(&block.bytes()[next..]);
                self.go_on_at(position.after(1, before + next as u64));
                return Ok(());
            }
            before += block.length as u64;
            begin = 0;
            block.length = 0;
            let ended = self
                .read_full(block)
                .map_err(|error| position.after(0, before).error(error))?;
            if ended && block.length == 0 {
                self.open = None;
                return match ending.missing() {
                    Some(what) => Err(incomplete(position, what, before)),
                    None => Ok(()),
                };
            }
        }
    }

    /// Memory to decode a long record to: one thread at a time has one, so all share it.
    pub fn memory(&mut self) -> &mut Vec<u8> {
        &mut self.memory
    }

    /// Reads on to the end of the record whose beginning `block` holds, and returns it as it lies in the input.
    pub fn read_whole(&mut self, block: &mut Block, position: Position<'a>) -> Result<&[u8]> {
        let mut record = mem::take(&mut self.long);
        record.clear();
        // At once: growing would end at up to twice as much.
        record.reserve_exact(LONGEST_WHOLE);
        record.extend_from_slice(&block.bytes()[..self.framing().prefix()]);
        self.read_record(block, position, |part| {
            ensure!(
                record.len() + part.len() <= LONGEST_WHOLE,
                too_long(position)
            );
            record.extend_from_slice(part);
            Ok(())
        })?;
        self.long = record;
        Ok(&self.long)
    }

    /// Ends the reading: no more blocks.
    pub fn stop(&mut self) {
        self.inputs = [].iter();
        self.open = None;
    }

    /// Where the carry begins, in the open input or the next one.
    fn position(&mut self) -> Result<Option<Position<'a>>> {
        if self.open.is_none() {
            let Some(input) = self.inputs.next() else {
                return Ok(None);
            };
            let counted = self.progress.count(input.open()?);
            let position = Position::start(input);
            let records = opening::look(counted, self.layout.decompress)
                .map_err(|error| position.error(error))?
                .records()
                .with_context(|| input.to_string())?;
            self.open(input, records)?;
        }
        Ok(self.open.as_ref().map(|open| open.position))
    }

    fn open(&mut self, input: &'a Input, records: Reader) -> Result<()> {
        let mut position = Position::start(input);
        let mut reader = records;
        if self.framing().is_text() {
            let (mark, rest) = opening::skip_mark(reader).map_err(|error| position.error(error))?;
            (position, reader) = (position.after(0, mark), rest);
        }
        self.open = Some(Open {
            reader,
            position,
            columns: None,
            failure: None,
        });
        if let Framing::Csv(delimiter) = self.framing() {
            self.begin_table(delimiter, position)?;
        }
        Ok(())
    }

    /// Reads the first row of the open input, which tells the columns. A header is no record.
    fn begin_table(&mut self, delimiter: u8, mut position: Position<'a>) -> Result<()> {
        let mut block = Block::new(64 << 10);
        let mut fields = Fields::new(delimiter);
        loop {
            block.length = 0;
            let ended = self
                .read_full(&mut block)
                .map_err(|error| position.error(error))?;
            self.carry.extend_from_slice(block.bytes());
            while let Some(end) = self.first_line(delimiter, ended) {
                let is_empty = csv::trim(&self.carry[..end]).is_empty();
                if !is_empty {
                    ensure!(
                        fields.read(&self.carry[..end]),
                        position.error("cannot be taken apart into fields")
                    );
                    let columns = self.layout.table.columns(&fields, position)?;
                    if let Some(open) = &mut self.open {
                        open.columns = Some(columns);
                    }
                }
                if is_empty || !self.layout.table.no_header {
                    self.carry.drain(..end);
                    position = position.after(1, end as u64);
                    self.go_on_at(position);
                }
                if !is_empty {
                    self.give_back();
                    return Ok(());
                }
            }
            if ended {
                return self.ensure_complete(&self.carry, position);
            }
            ensure!(self.carry.len() <= LONGEST_WHOLE, too_long(position));
        }
    }

    /// Puts the carry, which may be longer than a block, in front of what is yet to be read.
    fn give_back(&mut self) {
        if let Some(open) = &mut self.open {
            let carry = Cursor::new(mem::take(&mut self.carry));
            let rest = mem::replace(&mut open.reader, Box::new(io::empty()));
            open.reader = Box::new(carry.chain(rest));
        }
    }

    /// Where the first line of the carry ends, if it is complete.
    fn first_line(&self, delimiter: u8, ended: bool) -> Option<usize> {
        let mut ends = Ends::new(delimiter);
        let rest = (ended && !self.carry.is_empty()).then_some(self.carry.len());
        let found = ends.find(&self.carry).or(rest);
        found.filter(|_| !ends.is_in_quotes())
    }

    /// Checks that what the input ends with, at `position`, is a whole record.
    fn ensure_complete(&self, rest: &[u8], position: Position<'_>) -> Result<()> {
        let mut ending = self.framing().ending(rest);
        let prefix = self.framing().prefix().min(rest.len());
        if rest.is_empty() || ending.find(&rest[prefix..]).is_some() {
            return Ok(());
        }
        match ending.missing() {
            Some(what) => Err(incomplete(position, what, rest.len() as u64)),
            None => Ok(()),
        }
    }

    fn framing(&self) -> Framing {
        self.layout.framing
    }

    fn go_on_at(&mut self, position: Position<'a>) {
        if let Some(open) = &mut self.open {
            open.position = position;
        }
    }

    /// Reads until the block is full; returns whether the open input ended first. Where reading fails, what was read before
    /// comes first, so that it is known which record the error is in: it is returned with an empty block, or kept.
    fn read_full(&mut self, block: &mut Block) -> io::Result<bool> {
        let Some(open) = &mut self.open else {
            return Ok(true);
        };
        self.progress.look();
        while block.length < block.memory.len() && open.failure.is_none() {
            match open.reader.read(&mut block.memory[block.length..]) {
                Ok(0) => return Ok(true),
                Ok(read) => block.length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => open.failure = Some(error),
            }
        }
        match open.failure.take_if(|_| block.length == 0) {
            Some(error) => Err(error),
            None => Ok(false),
        }
    }

    fn take_failure(&mut self) -> Option<io::Error> {
        self.open.as_mut()?.failure.take()
    }
}

/// The record at `position` has only this many bytes, its prefix included.
fn incomplete(position: Position<'_>, what: &str, found: u64) -> Error {
    position.error(format_args!("{what}, {found} bytes after its beginning"))
}

fn too_long(position: Position<'_>) -> Error {
    position.error(format_args!(
        "more than {LONGEST_WHOLE} bytes: expected a record that fits"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }

    /// What is said where reading fails after this content.
    fn error_after(content: &str, framing: Framing) -> String {
        let reader = Cursor::new(content.to_owned()).chain(Broken);
        let progress = Progress::new(None, false);
        let layout = Layout::plain(framing);
        let mut source =
            Source::opened(&Input::Stdin, Box::new(reader), &layout, progress).unwrap();
        let mut block = Block::new(16);
        let error = loop {
            match source.fill(&mut block) {
                Ok(Filled::Records(_)) => {}
                Ok(Filled::Beginning(position)) => {
                    match source.read_record(&mut block, position, |_| Ok(())) {
                        Ok(()) => {}
                        Err(error) => break error,
                    }
                }
                Ok(Filled::Nothing) => panic!("no error"),
                Err(error) => break error,
            }
        };
        error.to_string()
    }

    #[test]
    fn a_failed_read_is_an_error_at_its_place() {
        let lines = Framing::default();
        let long = "x".repeat(100);
        for (content, framing, position) in [
            ("", lines, "record 1, byte 0"),
            ("one\ntwo\nthr", lines, "record 3, byte 11"),
            (
                &format!("{long}\n{long}\none\n"),
                lines,
                "record 4, byte 206",
            ),
            (&format!("one\n{long}"), lines, "record 2, byte 104"),
            (
                "\x03\0\0\0one\x03\0\0",
                Framing::Length,
                "record 2, byte 10",
            ),
            (
                &format!("\x65\0\0\0{long}"),
                Framing::Length,
                "record 1, byte 104",
            ),
        ] {
            let expected = format!("standard input: {position}: broken");
            assert_eq!(error_after(content, framing), expected);
        }
    }
}
