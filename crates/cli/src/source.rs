//! Reading inputs in blocks of whole records.

use crate::framing::{Framing, PREFIX, split_length};
use crate::input::{Input, Place};
use crate::opening::{self, Reader};
use crate::progress::Progress;
use anyhow::{Context, Error, Result};
use memchr::memchr;
use std::io;
use std::mem;

/// The longest line of a key and a value, in bytes. Longer records of other kinds are hashed part by part; here, lengths
/// are hashed before bytes, and only the whole line tells them.
const LONGEST_LINE: usize = 8 << 20;

/// Inputs, read one after the other.
pub struct Source<'a> {
    inputs: std::slice::Iter<'a, Input>,
    open: Option<Open<'a>>,
    framing: Framing,
    /// What was read behind the last whole record.
    carry: Vec<u8>,
    long_line: LongLine,
    blocks: u64,
    decompress: bool,
    progress: Progress,
}

/// A key-value line that a block is too small for, and memory for what it says. There is one for all threads.
#[derive(Default)]
pub struct LongLine {
    pub text: Vec<u8>,
    pub decoded: Vec<u8>,
}

struct Open<'a> {
    reader: Reader,
    /// Where the carry begins.
    place: Place<'a>,
    /// What the last reading failed with, after it had read something.
    failure: Option<io::Error>,
}

/// Memory for a part of an input.
pub struct Block {
    memory: Box<[u8]>,
    length: usize,
    /// How many blocks were read before this one.
    number: u64,
}

/// What a block holds after it was filled.
pub enum Filled<'a> {
    /// Whole records, the first at this place.
    Records(Place<'a>),
    /// The beginning of a record, at this place, that a block is too small for.
    Beginning(Place<'a>),
    /// Nothing: the inputs have ended.
    Nothing,
}

impl Block {
    pub fn new(size: usize) -> Self {
        assert!(size > PREFIX, "a block holds a length prefix");
        Block {
            memory: vec![0; size].into(),
            length: 0,
            number: 0,
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.memory[..self.length]
    }

    pub fn number(&self) -> u64 {
        self.number
    }
}

impl<'a> Source<'a> {
    pub fn new(
        inputs: &'a [Input],
        framing: Framing,
        decompress: bool,
        progress: Progress,
    ) -> Self {
        Source {
            inputs: inputs.iter(),
            open: None,
            framing,
            carry: Vec::new(),
            long_line: LongLine::default(),
            blocks: 0,
            decompress,
            progress,
        }
    }

    /// Records of an input that has been opened, alone.
    pub fn opened(
        input: &'a Input,
        records: Reader,
        framing: Framing,
        progress: Progress,
    ) -> Result<Self> {
        let mut source = Source::new(&[], framing, false, progress);
        source.open(input, records)?;
        Ok(source)
    }

    /// Reads the next block.
    pub fn fill(&mut self, block: &mut Block) -> Result<Filled<'a>> {
        block.number = self.blocks;
        self.blocks += 1;
        while let Some(place) = self.place()? {
            block.length = self.carry.len();
            block.memory[..block.length].copy_from_slice(&self.carry);
            self.carry.clear();
            let ended = self.read_full(block).map_err(|error| place.error(error))?;
            let whole = self.framing.whole(block.bytes());
            let next = place.after(whole.records, whole.end as u64);
            if ended {
                self.open = None;
                if block.length == 0 {
                    continue;
                }
                if whole.end < block.length && self.framing == Framing::Length {
                    return Err(truncated(next, (block.length - whole.end) as u64));
                }
                return Ok(Filled::Records(place));
            }
            if whole.end == 0 {
                return match self.take_failure() {
                    Some(error) => Err(place.after(0, block.length as u64).error(error)),
                    None => Ok(Filled::Beginning(place)),
                };
            }
            self.carry.extend_from_slice(&block.bytes()[whole.end..]);
            block.length = whole.end;
            self.go_on_at(next);
            return Ok(Filled::Records(place));
        }
        Ok(Filled::Nothing)
    }

    /// Reads on to the end of the record whose beginning `block` holds, and gives `take` its parts.
    pub fn read_record(
        &mut self,
        block: &mut Block,
        place: Place<'a>,
        mut take: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let (mut begin, mut missing) = match self.framing {
            Framing::Length => (
                PREFIX,
                split_length(block.bytes()).map(|(length, _)| length),
            ),
            Framing::Delimited(_) | Framing::KeyValue => (0, None),
        };
        let mut before = 0;
        loop {
            let part = &block.bytes()[begin..];
            let end = match (self.framing.delimiter(), missing) {
                (Some(delimiter), _) => memchr(delimiter, part),
                (None, missing) => missing.filter(|&missing| missing <= part.len()),
            };
            take(&part[..end.unwrap_or(part.len())])?;
            if let Some(end) = end {
                let next = begin + end + usize::from(self.framing.delimiter().is_some());
                self.carry.extend_from_slice(&block.bytes()[next..]);
                self.go_on_at(place.after(1, before + next as u64));
                return Ok(());
            }
            missing = missing.map(|missing| missing - part.len());
            before += block.length as u64;
            begin = 0;
            block.length = 0;
            let ended = self
                .read_full(block)
                .map_err(|error| place.after(0, before).error(error))?;
            if ended && block.length == 0 {
                self.open = None;
                return match self.framing {
                    Framing::Length => Err(truncated(place, before)),
                    Framing::Delimited(_) | Framing::KeyValue => Ok(()),
                };
            }
        }
    }

    /// Reads on to the end of the line whose beginning `block` holds.
    pub fn read_line(&mut self, block: &mut Block, place: Place<'a>) -> Result<&mut LongLine> {
        let mut text = mem::take(&mut self.long_line.text);
        text.clear();
        self.read_record(block, place, |part| {
            if text.len() + part.len() > LONGEST_LINE {
                return Err(place.error(format_args!(
                    "a line of more than {LONGEST_LINE} bytes: expected a key and a value that fit"
                )));
            }
            text.extend_from_slice(part);
            Ok(())
        })?;
        self.long_line.text = text;
        Ok(&mut self.long_line)
    }

    /// Ends the reading: no more blocks.
    pub fn stop(&mut self) {
        self.inputs = [].iter();
        self.open = None;
    }

    /// Where the carry begins, in the open input or the next one.
    fn place(&mut self) -> Result<Option<Place<'a>>> {
        if self.open.is_none() {
            let Some(input) = self.inputs.next() else {
                return Ok(None);
            };
            let counted = self.progress.count(input.open()?);
            let place = Place::start(input);
            let records = opening::look(counted, self.decompress)
                .map_err(|error| place.error(error))?
                .records()
                .with_context(|| input.to_string())?;
            self.open(input, records)?;
        }
        Ok(self.open.as_ref().map(|open| open.place))
    }

    fn open(&mut self, input: &'a Input, records: Reader) -> Result<()> {
        let mut place = Place::start(input);
        let mut reader = records;
        if self.framing.is_text() {
            let (mark, rest) = opening::skip_mark(reader).map_err(|error| place.error(error))?;
            (place, reader) = (place.after(0, mark), rest);
        }
        self.open = Some(Open {
            reader,
            place,
            failure: None,
        });
        Ok(())
    }

    fn go_on_at(&mut self, place: Place<'a>) {
        if let Some(open) = &mut self.open {
            open.place = place;
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

/// The record at `place` has only this many bytes, its prefix included.
fn truncated(place: Place<'_>, found: u64) -> Error {
    place.error(format_args!(
        "the input ends within the record, {found} bytes after its beginning"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

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
        let mut source =
            Source::opened(&Input::Stdin, Box::new(reader), framing, progress).unwrap();
        let mut block = Block::new(16);
        let error = loop {
            match source.fill(&mut block) {
                Ok(Filled::Records(_)) => {}
                Ok(Filled::Beginning(place)) => {
                    match source.read_record(&mut block, place, |_| Ok(())) {
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
        for (content, framing, place) in [
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
            let expected = format!("standard input: {place}: broken");
            assert_eq!(error_after(content, framing), expected);
        }
    }
}
