//! `lthash man` and `lthash completions`, made from the command line's definition.

use crate::arguments::{Arguments, Completions, Man};
use crate::output;
use anyhow::{Context, Result};
use clap::CommandFactory;
use std::process::ExitCode;

pub fn man(man: &Man) -> Result<ExitCode> {
    let mut program = Arguments::command();
    program.build();
    let command = match &man.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .with_context(|| format!("no command {name:?} has a manual page"))?
            .clone(),
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    output::write(&page)?;
    Ok(ExitCode::SUCCESS)
}

pub fn completions(completions: &Completions) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(
        completions.shell,
        &mut Arguments::command(),
        "lthash",
        &mut script,
    );
    output::write(&script)?;
    Ok(ExitCode::SUCCESS)
}
