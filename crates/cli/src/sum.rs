//! `lthash sum`.

use crate::arguments::Sum;
use crate::hash::{Job, Total};
use crate::input::Input;
use crate::set::Set;
use crate::state::{Kind, State};
use crate::{key, output, report, store};
use anyhow::Result;
use lthash::Kernels;
use std::process::ExitCode;

pub fn run(kernels: &'static Kernels, sum: &Sum) -> Result<ExitCode> {
    let inputs = Input::all(&sum.files)?;
    let framing = sum.reading.framing()?.unwrap_or_default();
    let key = sum.reading.key()?;
    let job = Job {
        watch_repeats: sum.check_multiplicity,
        ..Job::new(kernels, key, framing, &sum.reading)
    };
    if sum.each {
        return each(&job, sum, &inputs);
    }
    if let Some(path) = &sum.state {
        // Better refused before the work than after it.
        store::read_existing(path)?;
    }
    let set = warned("", job.hash(&inputs)?);
    if let Some(path) = &sum.state {
        let key = key.as_ref().map(key::fingerprint);
        let kind = Kind { framing, key };
        let set = set.clone();
        store::replace(path, |_| Ok(State { kind, set }))?;
    }
    report::print(&set, &sum.printing)?;
    Ok(ExitCode::SUCCESS)
}

/// One line a file. A file that cannot be read does not keep the others from it.
fn each(job: &Job, sum: &Sum, inputs: &[Input]) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for input in inputs {
        match job.hash(std::slice::from_ref(input)) {
            Ok(total) => {
                let set = warned(&format!("{input}: "), total);
                report::print_named(&set, input.path(), &sum.printing)?;
            }
            Err(error) => code = output::trouble(&error),
        }
    }
    Ok(code)
}

/// The multiset, after warnings of records that occur too often.
fn warned(place: &str, (set, repeats): Total) -> Set {
    for warning in repeats.iter().flat_map(|repeats| repeats.warnings()) {
        output::warn(format_args!("{place}{warning}"));
    }
    set
}
