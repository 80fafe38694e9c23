//! Printing to standard output, where the reader may have gone.

use anyhow::{Context, Error, Result};
use std::fmt;
use std::io::{self, Write};

/// Prints a line.
pub fn line(line: impl fmt::Display) -> Result<()> {
    write(format!("{line}\n").as_bytes())
}

pub fn write(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .context("standard output")
}

/// Whether what went wrong is that nobody reads standard output any more.
pub fn is_closed_pipe(error: &Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
