//! `lthash merge`.

use crate::arguments::Merge;
use crate::state::State;
use crate::{report, store};
use anyhow::{Context, Result, ensure};
use lthash::Kernels;
use std::path::PathBuf;
use std::process::ExitCode;

pub fn run(kernels: &Kernels, merge: &Merge) -> Result<ExitCode> {
    // All are read while OUT is locked, since it may be one of them.
    let merged = store::replace(&merge.out, |_| sum(kernels, &merge.states))?;
    report::print(&merged.set, &merge.printing)?;
    Ok(ExitCode::SUCCESS)
}

/// The sum of states; files of records are read as for the first.
fn sum(kernels: &Kernels, paths: &[PathBuf]) -> Result<State> {
    let (first, others) = paths.split_first().context("no states to merge")?;
    let mut sum = State::read(first)?;
    for path in others {
        let state = State::read(path)?;
        ensure!(
            state.kind.agrees_with(&sum.kind),
            "{}: holds {}: expected {}, as {} holds",
            path.display(),
            state.kind,
            sum.kind,
            first.display()
        );
        sum.set.insert(kernels, &state.set)?;
    }
    Ok(sum)
}
