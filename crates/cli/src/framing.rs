//! How records lie in a file.

use crate::csv::Ends;
use anyhow::{Result, bail};
use clap::ValueEnum;
use lthash::state::Records;
use memchr::{memchr, memchr_iter, memrchr};

/// The formats that `--format` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Each record ends with a delimiter, which is no part of it; the last may lack one
    Lines,
    /// Each record follows its length, a 32-bit little-endian integer
    Length,
    /// Lines KEY<TAB>VALUE in hexadecimal, hashed as Sei's flatkv does; an empty key or value counts for nothing
    Kv,
    /// Rows of fields, quoted or not: equal fields are equal rows, however they are written
    Csv,
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
    /// Each record is a row of fields with this byte between them.
    Csv(u8),
}

impl Default for Framing {
    fn default() -> Self {
        Framing::Delimited(b'\n')
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
    /// How records of this kind are read where nothing else is said.
    pub fn of(records: Records) -> Result<Framing> {
        Ok(match records {
            Records::Delimited(delimiter) => Framing::Delimited(delimiter),
            Records::LengthPrefixed => Framing::Length,
            Records::KeyValue => Framing::KeyValue,
            Records::Rows => Framing::Csv(b','),
            other => bail!("holds {other}, which this program does not know"),
        })
    }

    /// What a state says of records that are read so.
    pub fn records(self) -> Records {
        match self {
            Framing::Delimited(delimiter) => Records::Delimited(delimiter),
            Framing::Length => Records::LengthPrefixed,
            Framing::KeyValue => Records::KeyValue,
            Framing::Csv(_) => Records::Rows,
        }
    }

    /// Appends a record's text as a line, or with the delimiter behind it.
    pub fn print(self, text: &[u8], out: &mut Vec<u8>) {
        match self {
            Framing::Length => out.extend(text.escape_ascii()),
            _ => out.extend_from_slice(text),
        }
        out.push(match self {
            Framing::Delimited(delimiter) => delimiter,
            _ => b'\n',
        });
    }

    /// How many bytes stand before a record.
    pub fn prefix(self) -> usize {
        match self {
            Framing::Length => PREFIX,
            Framing::Delimited(_) | Framing::KeyValue | Framing::Csv(_) => 0,
        }
    }

    /// Whether records are text, before which a byte-order mark says nothing.
    pub fn is_text(self) -> bool {
        matches!(self, Framing::KeyValue | Framing::Csv(_))
    }

    /// The whole records that `bytes` begin with. What is left is the beginning of a record, or nothing.
    pub fn whole(self, bytes: &[u8]) -> Whole {
        let ends_with = |delimiter| Whole {
            records: memchr_iter(delimiter, bytes).count() as u64,
            end: memrchr(delimiter, bytes).map_or(0, |last| last + 1),
        };
        match self {
            Framing::Delimited(delimiter) => ends_with(delimiter),
            Framing::KeyValue => ends_with(b'\n'),
            Framing::Length => count(length_prefixed(bytes).map(|record| PREFIX + record.len())),
            Framing::Csv(delimiter) => {
                let (mut ends, mut end) = (Ends::new(delimiter), 0);
                count(std::iter::from_fn(|| {
                    let length = ends.find(&bytes[end..])?;
                    end += length;
                    Some(length)
                }))
            }
        }
    }

    /// How the end of the record that `bytes` begin with is found.
    pub fn ending(self, bytes: &[u8]) -> Ending {
        match self {
            Framing::Delimited(delimiter) => Ending::Delimiter(delimiter),
            Framing::KeyValue => Ending::Delimiter(b'\n'),
            Framing::Length => {
                Ending::After(split_length(bytes).map_or(usize::MAX, |(length, _)| length))
            }
            Framing::Csv(delimiter) => Ending::Line(Ends::new(delimiter)),
        }
    }
}

/// Whole records that have these lengths.
fn count(lengths: impl Iterator<Item = usize>) -> Whole {
    lengths.fold(Whole { records: 0, end: 0 }, |whole, length| Whole {
        records: whole.records + 1,
        end: whole.end + length,
    })
}

/// Where the end of a record is, which comes in parts.
pub enum Ending {
    /// Before this byte.
    Delimiter(u8),
    /// After so many bytes more.
    After(usize),
    /// Behind the line's end that is in no quoted field.
    Line(Ends),
}

impl Ending {
    /// Where in this part the record ends and the next one begins, if it does.
    pub fn find(&mut self, part: &[u8]) -> Option<(usize, usize)> {
        match self {
            Ending::Delimiter(delimiter) => memchr(*delimiter, part).map(|end| (end, end + 1)),
            Ending::After(missing) if *missing <= part.len() => Some((*missing, *missing)),
            Ending::After(missing) => {
                *missing -= part.len();
                None
            }
            Ending::Line(ends) => ends.find(part).map(|end| (end, end)),
        }
    }

    /// What is wrong where the input ends here.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Ending::Delimiter(_) => None,
            Ending::After(_) => Some("the input ends within the record"),
            Ending::Line(ends) => ends
                .is_in_quotes()
                .then_some("the input ends within a quoted field of the row"),
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
