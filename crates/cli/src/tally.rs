//! What one thread has hashed.

use crate::framing::{Framing, delimited, length_prefixed};
use crate::input::Place;
use crate::key::Key;
use crate::set::Set;
use anyhow::Result;
use lthash::kv::Mutation;
use lthash::{Accumulator, Kernels, hex};
use memchr::memchr;
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
    accumulator: Accumulator,
    records: i64,
    bytes: i64,
    /// Where keys and values of whole lines are decoded.
    decoded: Vec<u8>,
}

impl Tally {
    pub fn new(hashing: &Hashing) -> Tally {
        Tally {
            accumulator: hashing.accumulator(),
            records: 0,
            bytes: 0,
            decoded: Vec::new(),
        }
    }

    /// Takes the records of `bytes`, which lie at `place`.
    pub fn insert_all(&mut self, framing: Framing, bytes: &[u8], place: Place<'_>) -> Result<()> {
        match framing {
            Framing::Delimited(delimiter) => self.extend(delimited(delimiter, bytes)),
            Framing::Length => self.extend(length_prefixed(bytes)),
            Framing::KeyValue => {
                let mut place = place;
                let mut decoded = mem::take(&mut self.decoded);
                for line in delimited(b'\n', bytes) {
                    self.insert_key_value(line, place, &mut decoded)?;
                    place = place.after(1, line.len() as u64 + 1);
                }
                self.decoded = decoded;
            }
        }
        Ok(())
    }

    fn extend<'a>(&mut self, records: impl Iterator<Item = &'a [u8]>) {
        let (count, bytes) = (&mut self.records, &mut self.bytes);
        self.accumulator.extend(records.inspect(|record| {
            *count += 1;
            *bytes += record.len() as i64;
        }));
    }

    /// Takes a record whose parts `read` gives to the function it is called with.
    pub fn insert_parts(
        &mut self,
        read: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<()>,
    ) -> Result<()> {
        let mut element = self.accumulator.element();
        let mut length = 0;
        read(&mut |part| {
            element.update(part);
            length += part.len() as i64;
        })?;
        element.insert();
        self.records += 1;
        self.bytes += length;
        Ok(())
    }

    /// Takes a line, at `place`: a key, a tab and a value, in hexadecimal. They are decoded into `decoded`.
    pub fn insert_key_value(
        &mut self,
        line: &[u8],
        place: Place<'_>,
        decoded: &mut Vec<u8>,
    ) -> Result<()> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some(tab) = memchr(b'\t', line) else {
            return Err(place.error("no tab: expected a key, a tab and a value, in hexadecimal"));
        };
        let (key_text, value_text) = (&line[..tab], &line[tab + 1..]);
        decoded.resize(key_text.len() / 2 + value_text.len() / 2, 0);
        let (key, value) = decoded.split_at_mut(key_text.len() / 2);
        hex::decode_to_slice(key_text, key)
            .map_err(|error| place.error(format_args!("key: {error}")))?;
        hex::decode_to_slice(value_text, value)
            .map_err(|error| place.error(format_args!("value: {error}")))?;
        if key.is_empty() || value.is_empty() {
            return Ok(());
        }
        self.records += 1;
        self.bytes += (key.len() + value.len()) as i64;
        self.accumulator.mutate(&Mutation {
            key,
            value: Some(value),
            previous: None,
        });
        Ok(())
    }

    pub fn finish(self) -> Set {
        Set {
            hash: self.accumulator.finish(),
            records: self.records,
            bytes: self.bytes,
        }
    }
}
