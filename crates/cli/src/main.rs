//! The program `lthash`: set hashes of files' records.

mod arguments;
mod backends;
mod buckets;
mod checklist;
mod compare;
mod compression;
mod csv;
mod decoder;
mod descriptors;
mod diff;
mod differences;
mod expectation;
mod framing;
mod hash;
mod hints;
mod input;
mod key;
mod manual;
mod merge;
mod names;
mod opening;
mod output;
mod progress;
mod quotes;
mod reader;
mod reading;
mod records;
mod replacement;
mod report;
mod scan;
mod self_check;
mod show;
mod source;
mod state;
mod state_file;
mod status;
mod sum;
mod tally;
mod update;

use anyhow::{Result, bail};
use arguments::{Arguments, Command};
use clap::{CommandFactory, Parser};
use expectation::Unexpected;
use lthash::{Backend, Kernels};
use std::process::ExitCode;

fn main() -> ExitCode {
    let run = || {
        output::ensure_open()?;
        run(&Arguments::parse())
    };
    match run() {
        Ok(code) => code,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::trouble(&error);
            if error.is::<Unexpected>() {
                status::compared(false)
            } else {
                status::trouble()
            }
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let named = arguments.backend;
    match &arguments.command {
        Command::Sum(sum) => sum::run(kernels(named)?, sum),
        Command::Update(update) => update::run(kernels(named)?, update),
        Command::Show(show) => show::run(show),
        Command::Merge(merge) => merge::run(merge),
        Command::Compare(compare) => compare::run(kernels(named)?, compare),
        Command::Diff(diff) => diff::run(kernels(named)?, diff),
        Command::Records(records) => records::run(records),
        Command::Backends(backends) => backends::run(kernels(named)?, named, backends),
        Command::Man(man) => manual::man(man, Arguments::command()),
        Command::Completions(completions) => manual::completions(completions, Arguments::command()),
    }
}

/// The kernels of the backend that `--backend` names, or else of the active one.
fn kernels(named: Option<Backend>) -> Result<&'static Kernels> {
    if let Err(error) = Backend::requested() {
        bail!("LTHASH_BACKEND, or lthash_backend when this program was built: {error}");
    }
    Ok(named.unwrap_or_else(Backend::active).kernels()?)
}
