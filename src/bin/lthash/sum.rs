//! `lthash sum`.

use crate::arguments::{Reading, Sum};
use crate::framing::Framing;
use crate::hash::Job;
use crate::input::Input;
use crate::set::Set;
use crate::tally::Hashing;
use crate::{key, output};
use anyhow::Result;
use lthash::Kernels;
use std::process::ExitCode;

pub fn run(kernels: &'static Kernels, sum: &Sum) -> Result<ExitCode> {
    let inputs = Input::all(&sum.files.files)?;
    let framing = sum.reading.framing()?.unwrap_or(Framing::Delimited(b'\n'));
    let set = job(kernels, framing, &sum.reading)?.hash(&inputs)?;
    output::line(describe(&set))?;
    Ok(ExitCode::SUCCESS)
}

fn job(kernels: &'static Kernels, framing: Framing, reading: &Reading) -> Result<Job> {
    let key = reading.key_file.as_deref().map(key::read).transpose()?;
    Ok(Job {
        hashing: Hashing { kernels, key },
        framing,
        threads: reading.threads(),
        show_progress: !reading.no_progress,
    })
}

fn describe(set: &Set) -> String {
    let Set {
        hash,
        records,
        bytes,
    } = set;
    format!("{}  {records} records  {bytes} bytes", hash.checksum())
}
