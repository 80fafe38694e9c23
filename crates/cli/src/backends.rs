//! `lthash backends`.

use crate::{output, self_check};
use anyhow::Result;
use clap::Args;
use lthash::{Backend, Kernels};
use std::process::ExitCode;

/// Print which backends there are, which is used, and why.
///
/// Prints one line a backend: its name, and `available` or `unavailable` (this build lacks it, or this processor cannot
/// run it). The one in use says why. Where a backend has kernels in several forms, the line names the one for
/// this processor.
#[derive(Args)]
#[command(after_long_help = MORE)]
pub struct Backends {
    /// Check each available backend: published values, a second of random differences, ns an element
    #[arg(long)]
    check: bool,
}

const MORE: &str = "\
Exit status:
  0  done
  2  a check has failed, or other trouble

Environment:
  LTHASH_BACKEND  the backend to compute with: portable, neon, avx2 or avx512

Examples:
  lthash backends --check";

pub fn run(kernels: &Kernels, named: Option<Backend>, arguments: &Backends) -> Result<ExitCode> {
    for backend in Backend::all() {
        let availability = match backend.kernels() {
            Err(_) => "unavailable: this build lacks it, or this processor cannot run it".into(),
            Ok(here) if here.backend() == kernels.backend() => {
                format!("available{}, in use: {}", form(here), why(named))
            }
            Ok(here) => format!("available{}", form(here)),
        };
        output::line(format_args!("{backend:<8}  {availability}"))?;
    }
    if arguments.check {
        for backend in Backend::available() {
            output::line(format_args!("{backend:<8}  {}", self_check::run(backend)?))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The form of the kernels that are the fastest on this processor, of a backend that has several.
fn form(kernels: &Kernels) -> String {
    let form = kernels.form().map(|form| format!(" (rounds {form})"));
    form.unwrap_or_default()
}

fn why(named: Option<Backend>) -> &'static str {
    match (named, Backend::requested()) {
        (Some(_), _) => "--backend names it",
        (None, Ok(Some(_))) => {
            "LTHASH_BACKEND names it, or lthash_backend did when this program was built"
        }
        (None, _) => "the fastest available",
    }
}
