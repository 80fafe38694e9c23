//! The files that a command reads, and positions in them.

use crate::descriptors;
use crate::names::Name;
use anyhow::{Context, Error, Result, bail, ensure};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file, or standard input.
#[derive(Clone, Debug)]
pub enum Input {
    Stdin,
    File(PathBuf),
    /// A copy of one that can be read only once, under its name.
    Copy(PathBuf, Arc<File>),
}

impl Input {
    /// The input that an argument names, where `-` is standard input.
    pub fn new(path: &Path) -> Input {
        if path.as_os_str() == "-" {
            Input::Stdin
        } else {
            Input::File(path.to_owned())
        }
    }

    /// The path, `-` for standard input.
    pub fn path(&self) -> &Path {
        match self {
            Input::Stdin => Path::new("-"),
            Input::File(path) | Input::Copy(path, _) => path,
        }
    }

    pub fn open(&self) -> Result<Box<dyn Read + Send>> {
        let path = match self {
            Input::Stdin => {
                ensure!(!descriptors::stdin_was_closed(), "standard input is closed");
                return Ok(Box::new(io::stdin()));
            }
            Input::Copy(_, file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                return Ok(Box::new(file));
            }
            Input::File(path) => path,
        };
        let file = File::open(path).with_context(|| self.to_string())?;
        if file.metadata().with_context(|| self.to_string())?.is_dir() {
            bail!("{self}: is a directory: expected a file");
        }
        Ok(Box::new(file))
    }

    pub fn is_stdin(&self) -> bool {
        matches!(self, Input::Stdin)
    }

    /// The same input, to be read more than once: what is no regular file is copied to a temporary one.
    pub fn repeatable(self) -> Result<Input> {
        if self.size().is_some() {
            return Ok(self);
        }
        let mut copy = tempfile::tempfile().context("a temporary copy of an input")?;
        io::copy(&mut self.open()?, &mut copy).with_context(|| format!("copying {self}"))?;
        Ok(Input::Copy(self.path().to_owned(), Arc::new(copy)))
    }

    /// Whether the name ends in `.csv`, before an ending that names a compression if there is one.
    pub fn is_named_as_table(&self) -> bool {
        let name = self.path().as_os_str().as_encoded_bytes();
        let compressed = name.strip_suffix(b".gz").or(name.strip_suffix(b".zst"));
        compressed
            .unwrap_or(name)
            .to_ascii_lowercase()
            .ends_with(b".csv")
    }

    /// The size of a regular file, in bytes.
    pub fn size(&self) -> Option<u64> {
        let metadata = match self {
            Input::Stdin => return None,
            Input::File(path) => path.metadata(),
            Input::Copy(_, file) => file.metadata(),
        };
        let metadata = metadata.ok()?;
        metadata.is_file().then_some(metadata.len())
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("standard input"),
            Input::Copy(path, _) if path == Path::new("-") => f.write_str("standard input"),
            Input::File(path) | Input::Copy(path, _) => Name(path).fmt(f),
        }
    }
}

/// A position in an input.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    pub input: &'a Input,
    /// The record's number, from 0 (from 1 in messages).
    pub record: u64,
    /// The byte's offset in the file.
    pub byte: u64,
}

impl<'a> Position<'a> {
    pub fn start(input: &'a Input) -> Self {
        Position {
            input,
            record: 0,
            byte: 0,
        }
    }

    /// The position this many records and bytes further on.
    pub fn after(self, records: u64, bytes: u64) -> Self {
        Position {
            record: self.record + records,
            byte: self.byte + bytes,
            ..self
        }
    }

    pub fn error(self, what: impl fmt::Display) -> Error {
        let Position {
            input,
            record,
            byte,
        } = self;
        Error::msg(format!(
            "{input}: record {}, byte {byte}: {what}",
            record + 1
        ))
    }
}
