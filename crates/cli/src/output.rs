//! What is printed: results on standard output, whose reader may have gone, and messages on standard error.

use crate::descriptors;
use anyhow::{Context, Error, Result, ensure};
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

/// Checks that there is a standard output. Without one, no result could be told.
pub fn ensure_open() -> Result<()> {
    ensure!(
        !descriptors::stdout_was_closed(),
        "standard output is closed"
    );
    Ok(())
}

/// Whether what went wrong is that nobody reads standard output any more.
pub fn is_closed_pipe(error: &Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Says what went wrong.
pub fn trouble(error: &Error) {
    say(format_args!("{error:#}"));
}

pub fn warn(warning: impl fmt::Display) {
    say(format_args!("warning: {warning}"));
}

/// Unlike `eprintln`, without a panic where standard error cannot be written to: there is no one left to tell.
pub fn say(what: fmt::Arguments<'_>) {
    let _ = io::stderr().write_all(format!("lthash: {what}\n").as_bytes());
}
