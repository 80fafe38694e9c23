//! What one thread has hashed.

use crate::framing::{Framing, delimited, length_prefixed};
use crate::input::Place;
use crate::key::Key;
use crate::repeats::Repeats;
use crate::set::Set;
use anyhow::Result;
use lthash::kv::Mutation;
use lthash::{Accumulator, Kernels, hex};
use memchr::memchr;

/// The longest line of a key and a value, in bytes. Longer records of other kinds are hashed part by part; here, lengths
/// are hashed before bytes, and only the whole line tells them.
const LONGEST_KEY_VALUE: usize = 8 << 20;

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
    /// If records are to be counted one by one.
    repeats: Option<Repeats>,
    /// Where a key and its value are decoded.
    decoded: Vec<u8>,
}

impl Tally {
    pub fn new(hashing: &Hashing, repeats: Option<Repeats>) -> Tally {
        Tally {
            accumulator: hashing.accumulator(),
            records: 0,
            bytes: 0,
            repeats,
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
                for line in delimited(b'\n', bytes) {
                    self.insert_key_value(line, place)?;
                    place = place.after(1, line.len() as u64 + 1);
                }
            }
        }
        Ok(())
    }

    fn extend<'a>(&mut self, records: impl Iterator<Item = &'a [u8]>) {
        let (count, bytes, repeats) = (&mut self.records, &mut self.bytes, &mut self.repeats);
        self.accumulator.extend(records.inspect(|record| {
            *count += 1;
            *bytes += record.len() as i64;
            if let Some(repeats) = repeats {
                repeats.count(&blake3::hash(record), record);
            }
        }));
    }

    /// Takes a record of any length, at `place`, whose parts `read` gives to the function it is called with.
    pub fn insert_long(
        &mut self,
        framing: Framing,
        place: Place<'_>,
        read: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        if framing != Framing::KeyValue {
            return self.insert_parts(read);
        }
        let mut line = Vec::new();
        read(&mut |part| {
            if line.len() + part.len() > LONGEST_KEY_VALUE {
                return Err(place.error(format_args!(
                    "a line of more than {LONGEST_KEY_VALUE} bytes: expected a key and a value that fit"
                )));
            }
            line.extend_from_slice(part);
            Ok(())
        })?;
        self.insert_key_value(&line, place)
    }

    fn insert_parts(
        &mut self,
        read: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let mut element = self.accumulator.element();
        let mut length = 0;
        // If it is to be counted, its hash and what it begins with.
        let mut counted = self
            .repeats
            .as_ref()
            .map(|_| (blake3::Hasher::new(), Vec::new()));
        read(&mut |part| {
            element.update(part);
            length += part.len() as i64;
            if let Some((hasher, beginning)) = &mut counted {
                hasher.update(part);
                if beginning.is_empty() {
                    *beginning = part.to_vec();
                }
            }
            Ok(())
        })?;
        element.insert();
        self.records += 1;
        self.bytes += length;
        if let (Some(repeats), Some((hasher, beginning))) = (&mut self.repeats, counted) {
            repeats.count(&hasher.finalize(), &beginning);
        }
        Ok(())
    }

    /// Takes a line: a key, a tab and a value, in hexadecimal.
    fn insert_key_value(&mut self, line: &[u8], place: Place<'_>) -> Result<()> {
        let Some(tab) = memchr(b'\t', line) else {
            return Err(place.error("no tab: expected a key, a tab and a value, in hexadecimal"));
        };
        let (key, value) = (&line[..tab], &line[tab + 1..]);
        self.decoded.resize(key.len() / 2 + value.len() / 2, 0);
        let (decoded_key, decoded_value) = self.decoded.split_at_mut(key.len() / 2);
        hex::decode_to_slice(key, decoded_key)
            .map_err(|error| place.error(format_args!("key: {error}")))?;
        hex::decode_to_slice(value, decoded_value)
            .map_err(|error| place.error(format_args!("value: {error}")))?;
        if decoded_key.is_empty() || decoded_value.is_empty() {
            return Ok(());
        }
        self.records += 1;
        self.bytes += self.decoded.len() as i64;
        let (key, value) = self.decoded.split_at(key.len() / 2);
        if let Some(repeats) = &mut self.repeats {
            // The length tells where the key ends.
            let mut hasher = blake3::Hasher::new();
            hasher
                .update(&key.len().to_le_bytes())
                .update(&self.decoded);
            repeats.count(&hasher.finalize(), line);
        }
        self.accumulator.mutate(&Mutation {
            key,
            value: Some(value),
            previous: None,
        });
        Ok(())
    }

    pub fn finish(self) -> (Set, Option<Repeats>) {
        let set = Set {
            hash: self.accumulator.finish(),
            records: self.records,
            bytes: self.bytes,
        };
        (set, self.repeats)
    }
}
