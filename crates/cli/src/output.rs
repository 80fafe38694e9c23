//! What is printed: results on standard output, whose reader may have gone, and errors on standard error.

use anyhow::{Context, Error, Result};
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

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

/// The exit status when something went wrong, clap's own for arguments that it refuses.
const TROUBLE: u8 = 2;

/// Says what went wrong.
pub fn trouble(error: &Error) -> ExitCode {
    say(format_args!("{error:#}"));
    ExitCode::from(TROUBLE)
}

pub fn warn(warning: impl fmt::Display) {
    say(format_args!("warning: {warning}"));
}

/// Unlike `eprintln`, without a panic where standard error cannot be written to: there is no one left to tell.
fn say(what: fmt::Arguments<'_>) {
    let _ = io::stderr().write_all(format!("lthash: {what}\n").as_bytes());
}
