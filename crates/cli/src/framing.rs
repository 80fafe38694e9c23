//! How records lie in a file.

use clap::ValueEnum;
use memchr::{memchr_iter, memrchr};
use std::fmt;

/// The formats that `--format` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Each record ends with a delimiter, which is no part of it; the last may lack one
    Lines,
    /// Each record follows its length, a 32-bit little-endian integer
    Length,
    /// Lines KEY<TAB>VALUE in hexadecimal, hashed as Sei's flatkv does; an empty key or value counts for nothing
    Kv,
}

/// How a file is cut into records, and what each record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Each record ends with this byte; the last may lack it.
    Delimited(u8),
    /// Each record follows its length, a u32, little-endian.
    Length,
    /// Each record is a line: key, tab, value, both in hexadecimal.
    KeyValue,
}

impl Default for Framing {
    fn default() -> Self {
        Framing::Delimited(b'\n')
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Framing::Delimited(b'\n') => f.write_str("lines"),
            Framing::Delimited(byte) => write!(f, "records that end with the byte {byte:#04x}"),
            Framing::Length => f.write_str("records behind their lengths"),
            Framing::KeyValue => f.write_str("keys and values"),
        }
    }
}

/// The bytes of a length prefix.
pub const PREFIX: usize = size_of::<u32>();

/// Records at the beginning of a block.
pub struct Whole {
    pub records: u64,
    /// Where the last one ends, its delimiter included.
    pub end: usize,
}

impl Framing {
    /// The byte that ends a record, if the framing has one.
    pub fn delimiter(self) -> Option<u8> {
        match self {
            Framing::Delimited(byte) => Some(byte),
            Framing::KeyValue => Some(b'\n'),
            Framing::Length => None,
        }
    }

    /// Whether records are text, before which a byte-order mark says nothing.
    pub fn is_text(self) -> bool {
        self == Framing::KeyValue
    }

    /// The whole records that `bytes` begin with. What is left is the beginning of a record, or nothing.
    pub fn whole(self, bytes: &[u8]) -> Whole {
        match self.delimiter() {
            Some(delimiter) => Whole {
                records: memchr_iter(delimiter, bytes).count() as u64,
                end: memrchr(delimiter, bytes).map_or(0, |last| last + 1),
            },
            None => {
                let mut whole = Whole { records: 0, end: 0 };
                for record in length_prefixed(bytes) {
                    whole.records += 1;
                    whole.end += PREFIX + record.len();
                }
                whole
            }
        }
    }
}

/// The records of `bytes` between delimiters; what follows the last delimiter is one too, unless it is empty.
pub fn delimited(delimiter: u8, bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut begin = 0;
    let rest = memrchr(delimiter, bytes).map_or(bytes, |last| &bytes[last + 1..]);
    memchr_iter(delimiter, bytes)
        .map(move |end| {
            let record = &bytes[begin..end];
            begin = end + 1;
            record
        })
        .chain((!rest.is_empty()).then_some(rest))
}

/// The records of `bytes` that are whole, each behind its length.
pub fn length_prefixed(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = split_length(bytes)?;
        let (record, rest) = rest.split_at_checked(length)?;
        bytes = rest;
        Some(record)
    })
}

/// A length prefix and what follows it.
pub fn split_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (prefix, rest) = bytes.split_first_chunk::<PREFIX>()?;
    // A length that no usize holds is one that no slice has.
    let length = usize::try_from(u32::from_le_bytes(*prefix)).unwrap_or(usize::MAX);
    Some((length, rest))
}
