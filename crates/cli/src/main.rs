//! The program `lthash`: set hashes of files' records.

mod arguments;
mod backends;
mod check;
mod compare;
mod framing;
mod hash;
mod input;
mod key;
mod manual;
mod merge;
mod output;
mod progress;
mod repeats;
mod report;
mod set;
mod show;
mod source;
mod state;
mod store;
mod sum;
mod tally;
mod update;

use anyhow::{Result, bail};
use arguments::{Arguments, Command};
use clap::Parser;
use lthash::{Backend, Kernels};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => output::trouble(&error),
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let kernels = kernels(arguments.backend)?;
    match &arguments.command {
        Command::Sum(sum) => sum::run(kernels, sum),
        Command::Update(update) => update::run(kernels, update),
        Command::Show(show) => show::run(show),
        Command::Merge(merge) => merge::run(kernels, merge),
        Command::Compare(compare) => compare::run(kernels, compare),
        Command::Backends(backends) => backends::run(kernels, arguments.backend, backends),
        Command::Man(man) => manual::man(man),
        Command::Completions(completions) => manual::completions(completions),
    }
}

/// The kernels of the backend that `--backend` names, or else of the active one.
fn kernels(named: Option<Backend>) -> Result<&'static Kernels> {
    if let Err(error) = Backend::requested() {
        bail!("LTHASH_BACKEND, or lthash_backend when this program was built: {error}");
    }
    Ok(named.unwrap_or_else(Backend::active).kernels()?)
}
