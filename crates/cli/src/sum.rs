//! `lthash sum`.

use crate::buckets;
use crate::checklist;
use crate::expectation::Expectation;
use crate::hash::Job;
use crate::input::Input;
use crate::names::Name;
use crate::reading::Reading;
use crate::report::{self, Printing};
use crate::{output, replacement, status};
use anyhow::{Result, ensure};
use clap::Args;
use lthash::Kernels;
use same_file::is_same_file;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Print the checksum of the records of all FILEs together.
///
/// Prints one line:
///
///   CHECKSUM  RECORDS records  BYTES bytes
///
/// CHECKSUM is BLAKE3-256 of the set hash, 64 hexadecimal digits. RECORDS and BYTES count what was hashed, delimiters
/// and length prefixes left out. The checksum alone cannot tell a record that occurs 65,536 times from one that does not
/// occur, nor such a record from another: compare the counts too, or use compare, which also compares a guard that tells.
///
/// A state among FILEs is an error, and so is a FILE that is STATE. A FILE whose writer has failed looks like one with fewer
/// records: in a shell, `set -o pipefail` shows that, or --min-records.
///
/// With --json, one object with the fields checksum, guard, records and bytes, and with --each also name (and name_bytes, in
/// hexadecimal, where the name is not UTF-8).
#[derive(Args)]
#[command(after_long_help = MORE)]
pub struct Sum {
    /// Files of records; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,

    /// Print one line a file instead: CHECKSUM  RECORDS  NAME
    #[arg(long)]
    each: bool,

    /// Check the files that are named in this file, which sum --each has printed, and print NAME: OK or NAME: FAILED
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "each", "state", "expect"])]
    check: Option<PathBuf>,

    /// Also write the multiset to this file, for update, show, merge and compare
    #[arg(long, value_name = "STATE", conflicts_with = "each")]
    state: Option<PathBuf>,

    /// Also store what each of N buckets of records holds (a power of two from 2 to 65536). Then compare can name those that differ, and
    /// records print theirs. A bucket takes 2.1 KiB in the file and on each thread; many are hashed on fewer threads, so that these
    /// take at most 1 GiB
    #[arg(long, value_name = "N", requires = "state", value_parser = buckets::parse_number)]
    buckets: Option<usize>,

    #[command(flatten)]
    expectation: Expectation,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    printing: Printing,
}

const MORE: &str = "\
Exit status:
  0  done
  1  another checksum than --expect or --check wants
  2  trouble

Examples:
  lthash sum part-*.csv                 the rows of all parts, whatever their order
  lthash sum --each part-*.csv > sums   each part by itself
  lthash sum --check sums
  lthash sum --state table.state table.csv
  find . -type f -print0 | lthash sum --delimiter nul";

pub fn run(kernels: &'static Kernels, sum: &Sum) -> Result<ExitCode> {
    let reading = &sum.reading;
    let (inputs, key) = reading.inputs(
        sum.check
            .as_ref()
            .map_or(&sum.files[..], std::slice::from_ref),
    )?;
    let framing = reading.framing()?.unwrap_or_default();
    let job = Job::new(kernels, key, framing, reading)?;
    if sum.check.is_some() {
        return checklist::check(&job, &inputs[0]);
    }
    if sum.each {
        return each(&job, sum, &inputs);
    }
    if let Some(path) = &sum.state {
        // Better refused before the work than after it.
        replacement::existing(path)?;
        ensure_none_is(path, &inputs)?;
    }
    let state = match sum.buckets {
        Some(number) => job.hash_buckets(&inputs, number)?,
        None => job.hash(&inputs)?.into(),
    };
    reading.ensure_enough(state.total.records())?;
    sum.expectation.ensure(&state.total)?;
    let Some(path) = &sum.state else {
        report::print(&state.total, &sum.printing)?;
        return Ok(ExitCode::SUCCESS);
    };
    let state = replacement::replace(path, |_| Ok(state))?;
    replacement::replaced(path, report::print(&state.total, &sum.printing))?;
    Ok(ExitCode::SUCCESS)
}

/// Checks that no input is the file that the result goes to.
pub fn ensure_none_is(out: &Path, inputs: &[Input]) -> Result<()> {
    for input in inputs {
        ensure!(
            input.is_stdin() || !is_same_file(out, input.path()).unwrap_or(false),
            "{input}: the result would replace it: expected another file than {}",
            Name(out)
        );
    }
    Ok(())
}

/// One line a file. A file that cannot be read does not keep the others from it.
fn each(job: &Job, sum: &Sum, inputs: &[Input]) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for input in inputs {
        let hash = || {
            let state = job.hash_alone(input)?;
            sum.reading.ensure_enough(state.records()).map(|()| state)
        };
        match hash() {
            Ok(state) => report::print_named(&state, input.path(), &sum.printing)?,
            Err(error) => {
                output::trouble(&error);
                code = status::trouble();
            }
        }
    }
    Ok(code)
}
