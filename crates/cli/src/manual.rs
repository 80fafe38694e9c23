//! `lthash man` and `lthash completions`, made from the command line's definition.

use crate::output;
use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, roman};
use std::process::ExitCode;

/// The commands that have a page.
pub const COMMANDS: [&str; 10] = [
    "sum",
    "update",
    "show",
    "merge",
    "compare",
    "diff",
    "records",
    "backends",
    "man",
    "completions",
];

/// Print a manual page, in roff, to read with man -l -
#[derive(Args)]
#[command(after_long_help = MAN_MORE)]
pub struct Man {
    /// The command whose page it is [default: the program's page]
    #[arg(value_parser = COMMANDS, hide_possible_values = true)]
    command: Option<String>,
}

const MAN_MORE: &str = "\
Exit status:
  0  done
  2  trouble

Examples:
  lthash man update | man -l -
  lthash man > lthash.1; lthash man sum > lthash-sum.1";

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_long_help = COMPLETIONS_MORE)]
pub struct Completions {
    shell: Shell,
}

const COMPLETIONS_MORE: &str = "\
Exit status:
  0  done
  2  trouble

Examples:
  lthash completions bash > /etc/bash_completion.d/lthash";

/// Prints a page of the program whose command line is given.
pub fn man(man: &Man, program: Command) -> Result<ExitCode> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let command = match &man.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .with_context(|| format!("no command {name:?} has a manual page"))?
            .clone(),
    };
    output::write(&page(command)?)?;
    Ok(ExitCode::SUCCESS)
}

fn page(mut command: Command) -> Result<Vec<u8>> {
    let name = command
        .get_display_name()
        .unwrap_or(command.get_name())
        .to_owned();
    let usage = command.render_usage().to_string();
    let more = command.get_after_long_help().map(ToString::to_string);
    let has_commands = command.has_subcommands();
    let man = clap_mangen::Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    section("SYNOPSIS", usage.trim_start_matches("Usage: ")).to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    for (title, text) in sections(more.as_deref().unwrap_or_default()) {
        section(&title.to_uppercase(), text.trim_end()).to_writer(&mut page)?;
    }
    section("SEE ALSO", &see_also(&name)).to_writer(&mut page)?;
    Ok(page)
}

/// A section whose lines are kept as they are.
fn section(title: &str, text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title]).control("nf", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}

/// The sections of a help text: `Title:`, and what follows.
fn sections(text: &str) -> Vec<(&str, String)> {
    let mut sections: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_suffix(':'), sections.last_mut()) {
            (Some(title), _) if title.starts_with(char::is_uppercase) => {
                sections.push((title, String::new()));
            }
            (_, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (_, None) => {}
        }
    }
    sections
}

/// The other pages of this program, and programs that are used beside it.
fn see_also(name: &str) -> String {
    let pages = COMMANDS.iter().map(|command| format!("lthash-{command}"));
    let mut others: Vec<String> = std::iter::once("lthash".to_owned())
        .chain(pages)
        .chain(["diff", "comm", "sort", "sha256sum"].map(str::to_owned))
        .filter(|page| page != name)
        .collect();
    others.iter_mut().for_each(|page| page.push_str("(1)"));
    others.join(", ")
}

pub fn completions(completions: &Completions, mut program: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut program, "lthash", &mut script);
    output::write(&script)?;
    Ok(ExitCode::SUCCESS)
}
