//! A state: a multiset's hash and counts in a file. docs/STATE.md describes the format for others.

use crate::framing::Framing;
use crate::input::Input;
use crate::key::{self, Fingerprint, Key};
use crate::set::Set;
use anyhow::{Context, Result, bail, ensure};
use lthash::{LtHash, hex};
use std::fmt;
use std::io::Read;

/// What every state begins with: no text does, and a newline that was translated shows.
const MAGIC: [u8; 8] = *b"\x89LtHash\n";
pub const VERSION: u32 = 1;

const DELIMITED: u8 = 0;
const LENGTH: u8 = 1;
const KEY_VALUE: u8 = 2;

/// The bytes up to the integrity check, and all bytes.
const CHECKED: usize = 64 + LtHash::BYTES;
const SIZE: usize = CHECKED + blake3::OUT_LEN;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub kind: Kind,
    pub set: Set,
}

/// What the records of a multiset are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// How files are cut into records.
    pub framing: Framing,
    /// Of the key that records are hashed under, if any.
    pub key: Option<Fingerprint>,
}

impl Kind {
    /// Whether multisets of these kinds can be merged and compared: records are the same bytes however a file is cut into
    /// them, but a key and a value are something else, and so are hashes under another key.
    pub fn agrees_with(&self, other: &Kind) -> bool {
        let key_value = |kind: &Kind| kind.framing == Framing::KeyValue;
        key_value(self) == key_value(other) && self.key == other.key
    }

    /// How to read more records of this kind, where options say this much.
    pub fn framing_to_read(&self, option: Option<Framing>, key: Option<&Key>) -> Result<Framing> {
        let framing = option.unwrap_or(self.framing);
        let wanted = Kind {
            framing,
            key: key.map(key::fingerprint).or(self.key),
        };
        ensure!(
            self.agrees_with(&wanted),
            "holds {self}: the options say {wanted}"
        );
        Ok(framing)
    }

    /// Checks that there is a key to read records with, if these are keyed.
    pub fn need_key(&self, key: Option<&Key>) -> Result<()> {
        ensure!(
            self.key.is_none() || key.is_some(),
            "records are hashed under a key: expected --key-file"
        );
        Ok(())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key {
            None => write!(f, "{}, not keyed", self.framing),
            Some(key) => write!(f, "{}, under the key {}", self.framing, hex::encode(key)),
        }
    }
}

/// Whether a file that begins so is a state, or has been one: damaged, cut short, or taken for text on its way.
pub fn is_like_one(beginning: &[u8]) -> bool {
    let cut_short = beginning.len() > 1 && MAGIC.starts_with(beginning);
    let differing = beginning.iter().zip(&MAGIC).filter(|(a, b)| a != b).count();
    let damaged = beginning.len() >= MAGIC.len() && differing <= 2;
    // The first byte may have become UTF-8, or its replacement.
    let converted = (1..=3).any(|at| {
        let (first, rest) = beginning.split_at_checked(at).unwrap_or_default();
        !first.is_empty() && !first.is_ascii() && rest.starts_with(b"LtHash")
    });
    cut_short || damaged || converted
}

impl State {
    /// Reads a state from an input.
    pub fn read(input: &Input) -> Result<State> {
        State::from_reader(input.open()?).with_context(|| input.to_string())
    }

    pub fn from_reader(reader: impl Read) -> Result<State> {
        // One byte more than a state has shows that there are too many.
        let mut bytes = Vec::new();
        reader.take(SIZE as u64 + 1).read_to_end(&mut bytes)?;
        State::decode(&bytes)
    }

    pub fn encode(&self) -> Vec<u8> {
        let (framing, delimiter) = match self.kind.framing {
            Framing::Delimited(delimiter) => (DELIMITED, delimiter),
            Framing::Length => (LENGTH, 0),
            Framing::KeyValue => (KEY_VALUE, 0),
        };
        let mut bytes = Vec::with_capacity(SIZE);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([framing, delimiter, u8::from(self.kind.key.is_some()), 0]);
        bytes.extend(self.kind.key.unwrap_or_default());
        bytes.extend(self.set.records.to_le_bytes());
        bytes.extend(self.set.bytes.to_le_bytes());
        bytes.extend(self.set.hash.to_bytes());
        let check = blake3::hash(&bytes);
        bytes.extend(check.as_bytes());
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<State> {
        ensure!(
            bytes.starts_with(&MAGIC),
            "not a state of lthash: begins with {}, expected {}",
            hex::encode(&bytes[..bytes.len().min(MAGIC.len())]),
            hex::encode(MAGIC)
        );
        let mut fields = Fields(&bytes[MAGIC.len()..]);
        let version = u32::from_le_bytes(fields.take()?);
        ensure!(
            version == VERSION,
            "a state in format version {version}: this program reads version {VERSION}"
        );
        ensure!(bytes.len() >= SIZE, truncated(bytes.len()));
        ensure!(
            bytes.len() == SIZE,
            "damaged: has more than the {SIZE} bytes of a state"
        );
        let (found, recorded) = (blake3::hash(&bytes[..CHECKED]), &bytes[CHECKED..]);
        ensure!(
            found.as_bytes() == recorded,
            "damaged: the integrity check is {found}, the file says {}",
            hex::encode(recorded)
        );

        let [framing, delimiter, keyed, reserved] = fields.take()?;
        let framing = match (framing, delimiter) {
            (DELIMITED, _) => Framing::Delimited(delimiter),
            (LENGTH, 0) => Framing::Length,
            (KEY_VALUE, 0) => Framing::KeyValue,
            _ => bail!("unknown kind of records: {framing}, {delimiter}"),
        };
        let fingerprint = fields.take()?;
        let key = match (keyed, reserved) {
            (0, 0) => None,
            (1, 0) => Some(fingerprint),
            _ => bail!("unknown flags: {keyed}, {reserved}"),
        };
        Ok(State {
            kind: Kind { framing, key },
            set: Set {
                records: i64::from_le_bytes(fields.take()?),
                bytes: i64::from_le_bytes(fields.take()?),
                hash: LtHash::from_bytes(&fields.take()?),
            },
        })
    }
}

fn truncated(length: usize) -> String {
    format!("truncated: {length} bytes, expected {SIZE}")
}

/// The fields of a state that are yet to be decoded.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (field, rest) = self
            .0
            .split_first_chunk()
            .with_context(|| truncated(MAGIC.len() + self.0.len()))?;
        self.0 = rest;
        Ok(*field)
    }
}
