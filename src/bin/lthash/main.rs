//! The program `lthash`: set hashes of files' records.

mod arguments;
mod backends;
mod check;
mod framing;
mod hash;
mod input;
mod key;
mod manual;
mod output;
mod progress;
mod set;
mod source;
mod sum;
mod tally;

use anyhow::{Result, bail};
use arguments::{Arguments, Command};
use clap::Parser;
use lthash::{Backend, Kernels};
use std::process::ExitCode;

/// The exit status when something went wrong, as clap's own for arguments that it refuses.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lthash: {error:#}");
            ExitCode::from(TROUBLE)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let kernels = kernels(arguments.backend)?;
    match &arguments.command {
        Command::Sum(sum) => sum::run(kernels, sum),
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
