//! `lthash backends`.

use crate::arguments::Backends;
use crate::{check, output};
use anyhow::Result;
use lthash::{Backend, Kernels};
use std::process::ExitCode;

/// The names that are listed, slowest first.
pub const NAMES: [&str; 3] = ["portable", "avx2", "avx512"];

pub fn run(kernels: &Kernels, named: Option<Backend>, arguments: &Backends) -> Result<ExitCode> {
    for name in NAMES {
        let state = match name.parse::<Backend>()?.kernels() {
            Err(_) => "unavailable: this build lacks it, or this processor cannot run it".into(),
            Ok(here) if here.backend() == kernels.backend() => {
                format!("available, in use: {}", why(named))
            }
            Ok(_) => "available".into(),
        };
        output::line(format_args!("{name:<8}  {state}"))?;
    }
    if arguments.check {
        for backend in Backend::available() {
            output::line(format_args!("{backend:<8}  {}", check::run(backend)?))?;
        }
    }
    Ok(ExitCode::SUCCESS)
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
