//! The files that a command reads, and places in them.

use crate::descriptors;
use crate::names::Name;
use anyhow::{Context, Error, Result, bail, ensure};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Stdin,
    File(PathBuf),
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
            Input::File(path) => path,
        }
    }

    pub fn open(&self) -> Result<Box<dyn Read + Send>> {
        let Input::File(path) = self else {
            ensure!(!descriptors::stdin_was_closed(), "standard input is closed");
            return Ok(Box::new(io::stdin()));
        };
        let file = File::open(path).with_context(|| self.to_string())?;
        if file.metadata().with_context(|| self.to_string())?.is_dir() {
            bail!("{self}: is a directory: expected a file");
        }
        Ok(Box::new(file))
    }

    /// The size of a regular file, in bytes.
    pub fn size(&self) -> Option<u64> {
        let Input::File(path) = self else { return None };
        let metadata = path.metadata().ok()?;
        metadata.is_file().then_some(metadata.len())
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("standard input"),
            Input::File(path) => Name(path).fmt(f),
        }
    }
}

/// A place in an input.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub input: &'a Input,
    /// The record's number, from 0 (from 1 in messages).
    pub record: u64,
    /// The byte's offset in the file.
    pub byte: u64,
}

impl<'a> Place<'a> {
    pub fn start(input: &'a Input) -> Self {
        Place {
            input,
            record: 0,
            byte: 0,
        }
    }

    /// The place this many records and bytes further on.
    pub fn after(self, records: u64, bytes: u64) -> Self {
        Place {
            record: self.record + records,
            byte: self.byte + bytes,
            ..self
        }
    }

    pub fn error(self, what: impl fmt::Display) -> Error {
        let Place {
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
