//! Waiting for a lock, not in silence.

use crate::output;
use anyhow::Result;
use fs4::{FileExt, TryLockError};
use std::fs::File;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waiting shorter than this is not worth a word.
const PATIENCE: Duration = Duration::from_secs(1);

/// Locks a file of a state, or its successor, and says so where that takes long.
pub fn wait(file: &File) -> Result<()> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match FileExt::try_lock(file) {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => sleep(Duration::from_millis(5)),
            Err(TryLockError::Error(error)) => return Err(told(error)),
        }
    }
    output::say(format_args!(
        "waiting for another process that changes the same state"
    ));
    FileExt::lock(file).map_err(told)
}

fn told(error: io::Error) -> anyhow::Error {
    anyhow::Error::from(error)
        .context("this file system has no locks, which keep updates at the same time apart")
}
