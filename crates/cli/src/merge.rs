//! `lthash merge`.

use crate::input::Input;
use crate::report::{self, Printing};
use crate::{replacement, state, sum};
use anyhow::{Context, Result};
use clap::Args;
use lthash::state::State;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write the sum of states to OUT.
///
/// The parts of a multiset can be hashed on different machines or at different times. They must hold the same kind of
/// records: key-value records or others, under the same key or none. OUT may not be one of them. Prints what sum prints.
#[derive(Args)]
#[command(after_long_help = MORE)]
pub struct Merge {
    /// Where to write; a state or an empty file there is replaced, another file is not
    out: PathBuf,

    /// The states; - is standard input
    #[arg(value_name = "STATE", required = true)]
    states: Vec<PathBuf>,

    #[command(flatten)]
    printing: Printing,
}

const MORE: &str = "\
Exit status:
  0  OUT is written
  2  trouble

Examples:
  lthash merge all.state monday.state tuesday.state";

pub fn run(merge: &Merge) -> Result<ExitCode> {
    let inputs: Vec<Input> = merge.states.iter().map(|path| Input::new(path)).collect();
    replacement::existing(&merge.out)?;
    sum::ensure_none_is(&merge.out, &inputs)?;
    let total = total(&inputs)?;
    let merged = replacement::replace(&merge.out, |_| Ok(total.into()))?;
    replacement::replaced(&merge.out, report::print(&merged.total, &merge.printing))?;
    Ok(ExitCode::SUCCESS)
}

/// The sum of states; files of records are read as for the first.
fn total(inputs: &[Input]) -> Result<State> {
    let (first, others) = inputs.split_first().context("no states to merge")?;
    let mut total = state::read(first)?;
    for input in others {
        let state = state::read(input)?;
        state::ensure_agreement(&state, &total)
            .and_then(|()| Ok(total.merge(&state)?))
            .with_context(|| input.to_string())?;
    }
    Ok(total)
}
