//! Cutting blocks into records: the element and the text of each.

use crate::csv::{self, Columns, Ends, Fields};
use crate::framing::{Framing, delimited, length_prefixed};
use crate::input::Position;
use anyhow::Result;
use lthash::hex;
use lthash::row::Row;
use memchr::memchr;
use std::mem;

/// One record.
pub struct Record<'a> {
    /// What is hashed.
    pub element: &'a [u8],
    /// How many bytes it counts for.
    pub size: usize,
    pub text: Text<'a>,
    /// What tells it apart from other records: its key, or else the element.
    pub key: &'a [u8],
}

/// A record as it is printed.
pub enum Text<'a> {
    Bytes(&'a [u8]),
    Row(&'a Fields, &'a Columns),
}

impl Text<'_> {
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Text::Bytes(bytes) => out.extend_from_slice(bytes),
            Text::Row(fields, columns) => columns.write(fields, out),
        }
    }
}

/// What one thread cuts records with.
pub struct Decoder {
    framing: Framing,
    /// The element of a key and a value, whose line has `LONGEST_WHOLE` bytes at most.
    element: Vec<u8>,
    fields: Fields,
    row: Row,
    key: Row,
}

impl Decoder {
    pub fn new(framing: Framing) -> Decoder {
        Decoder {
            framing,
            element: Vec::new(),
            fields: Fields::new(match framing {
                Framing::Csv(delimiter) => delimiter,
                _ => b',',
            }),
            row: Row::new(),
            key: Row::new(),
        }
    }

    /// Decodes what comes next to this memory.
    pub fn lend(&mut self, memory: Vec<u8>) {
        self.element = memory;
    }

    /// Gives the memory back, and frees what else a long record took.
    pub fn give_back(&mut self) -> Vec<u8> {
        let memory = mem::take(&mut self.element);
        *self = Decoder::new(self.framing);
        memory
    }

    /// Gives `take` the records of `bytes`, which lie at `position` in a table of these columns, if it is one.
    pub fn each(
        &mut self,
        bytes: &[u8],
        position: Position<'_>,
        columns: Option<&Columns>,
        take: &mut impl FnMut(Record<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut plain = |record| {
            take(Record {
                element: record,
                size: record.len(),
                text: Text::Bytes(record),
                key: record,
            })
        };
        match self.framing {
            Framing::Delimited(delimiter) => delimited(delimiter, bytes).try_for_each(plain),
            Framing::Length => length_prefixed(bytes).try_for_each(&mut plain),
            Framing::KeyValue => {
                let mut position = position;
                for line in delimited(b'\n', bytes) {
                    self.key_value(line, position, take)?;
                    position = position.after(1, line.len() as u64 + 1);
                }
                Ok(())
            }
            Framing::Csv(delimiter) => {
                let (mut position, mut rest) = (position, bytes);
                let mut ends = Ends::new(delimiter);
                while !rest.is_empty() {
                    let (line, behind) = rest.split_at(ends.find(rest).unwrap_or(rest.len()));
                    self.row(line, position, columns, take)?;
                    position = position.after(1, line.len() as u64);
                    rest = behind;
                }
                Ok(())
            }
        }
    }

    /// A line: a key, a tab and a value, in hexadecimal.
    fn key_value(
        &mut self,
        line: &[u8],
        position: Position<'_>,
        take: &mut impl FnMut(Record<'_>) -> Result<()>,
    ) -> Result<()> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some(tab) = memchr(b'\t', line) else {
            return Err(position.error("no tab: expected a key, a tab and a value, in hexadecimal"));
        };
        let (key_text, value_text) = (&line[..tab], &line[tab + 1..]);
        // Decoded to where `kv::element` would put them, because a copy of the longest takes megabytes.
        const PREFIX: usize = size_of::<u32>();
        let (key_length, value_length) = (key_text.len() / 2, value_text.len() / 2);
        self.element
            .resize(2 * PREFIX + key_length + value_length, 0);
        let (key_part, value_part) = self.element.split_at_mut(PREFIX + key_length);
        key_part[..PREFIX].copy_from_slice(&(key_length as u32).to_le_bytes());
        value_part[..PREFIX].copy_from_slice(&(value_length as u32).to_le_bytes());
        hex::decode_to_slice(key_text, &mut key_part[PREFIX..])
            .map_err(|error| position.error(format_args!("key: {error}")))?;
        hex::decode_to_slice(value_text, &mut value_part[PREFIX..])
            .map_err(|error| position.error(format_args!("value: {error}")))?;
        if key_length == 0 || value_length == 0 {
            return Ok(()); // counts for nothing
        }
        take(Record {
            element: &self.element,
            size: key_length + value_length,
            text: Text::Bytes(line),
            key: &self.element[PREFIX..PREFIX + key_length],
        })
    }

    /// A row of a table. An empty line is none.
    fn row(
        &mut self,
        line: &[u8],
        position: Position<'_>,
        columns: Option<&Columns>,
        take: &mut impl FnMut(Record<'_>) -> Result<()>,
    ) -> Result<()> {
        let Some(columns) = columns else {
            return Ok(()); // a file of empty lines has no columns
        };
        if csv::trim(line).is_empty() {
            return match columns.width {
                1 => Err(position.error(
                    "an empty line in a table of one column: expected \"\" for an empty field, or no line",
                )),
                _ => Ok(()),
            };
        }
        if !self.fields.read(line) {
            return Err(position.error("cannot be taken apart into fields"));
        }
        columns.row(&self.fields, position, &mut self.row)?;
        let element = self.row.as_element();
        let has_key = columns.key(&self.fields, position, &mut self.key)?;
        let key = if has_key {
            self.key.as_element()
        } else {
            element
        };
        take(Record {
            element,
            size: element.len(),
            text: Text::Row(&self.fields, columns),
            key,
        })
    }
}
