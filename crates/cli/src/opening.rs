//! What an input is, by what it begins with: a state, compressed records, or records.

use crate::compression::Compression;
use crate::reader::Reader;
use crate::state;
use anyhow::{Result, bail};
use std::io::{self, Cursor, Read};

/// How many bytes tell what a file is.
const BEGINNING: u64 = 16;

/// The mark that some programs put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What an input holds.
pub enum Content {
    /// A state, or what has been one before it was damaged.
    State(Reader),
    Records(Reader),
}

/// Looks at what an input begins with. What is compressed is decompressed, if that is wanted.
pub fn look(reader: Reader, decompress: bool) -> io::Result<Content> {
    let (beginning, reader) = peek(reader)?;
    let compression = Compression::of(&beginning).filter(|_| decompress);
    let (beginning, reader) = match compression {
        Some(compression) => peek(compression.reader(reader))?,
        None => (beginning, reader),
    };
    Ok(if state::is_like_one(&beginning) {
        Content::State(reader)
    } else {
        Content::Records(reader)
    })
}

impl Content {
    /// The records of an input.
    ///
    /// # Errors
    ///
    /// If it holds a state: to hash one as records is a mistake.
    pub fn records(self) -> Result<Reader> {
        match self {
            Content::Records(reader) => Ok(reader),
            Content::State(_) => bail!("is a state, or the remains of one: expected records"),
        }
    }
}

/// Drops a byte-order mark. Returns how many bytes it had.
pub fn skip_mark(reader: Reader) -> io::Result<(u64, Reader)> {
    let (beginning, mut reader) = peek(reader)?;
    if !beginning.starts_with(BYTE_ORDER_MARK) {
        return Ok((0, reader));
    }
    let length = BYTE_ORDER_MARK.len() as u64;
    io::copy(&mut reader.by_ref().take(length), &mut io::sink())?;
    Ok((length, reader))
}

/// What a reader begins with, and a reader of all of it.
fn peek(mut reader: Reader) -> io::Result<(Vec<u8>, Reader)> {
    let mut beginning = Vec::new();
    reader
        .by_ref()
        .take(BEGINNING)
        .read_to_end(&mut beginning)?;
    let whole = Cursor::new(beginning.clone()).chain(reader);
    Ok((beginning, Box::new(whole)))
}
