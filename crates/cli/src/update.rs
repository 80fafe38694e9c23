//! `lthash update`.

use crate::expectation::Expectation;
use crate::hash::Job;
use crate::names::Name;
use crate::reading::Reading;
use crate::report::{self, Printing};
use crate::{replacement, state};
use anyhow::{Context, Result, ensure};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use lthash::Kernels;
use lthash::state::State;
use std::path::PathBuf;
use std::process::ExitCode;

/// Insert records into a state and remove records from it.
///
/// The state is replaced as a whole: after a crash at any point it is the old one or the new one. Updates of one state at
/// the same time wait for each other. Records are read as they were when the state was made, unless options say
/// otherwise. More can be removed than was inserted; counts then are negative. Prints what sum prints.
///
/// With exit status 0 the state is replaced. With 1 it is as it was. With 2 it is as it was, unless the message says that it is
/// replaced: then only the result could not be printed. To run the command again after it has succeeded inserts again; with
/// --expect it changes nothing. Also, `sum --state` for the new records and then `merge` into another file can be repeated at will.
#[derive(Args)]
#[command(
    after_long_help = MORE,
    override_usage = "lthash update [OPTIONS] <STATE> [--insert <FILE>...] [--remove <FILE>...]"
)]
pub struct Options {
    /// The state, from sum --state; it may also stand last
    #[arg(value_name = "STATE")]
    state: Option<PathBuf>,

    /// Files whose records are inserted; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "remove")]
    insert: Vec<PathBuf>,

    /// Files whose records are removed; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    remove: Vec<PathBuf>,

    #[command(flatten)]
    expectation: Expectation,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    printing: Printing,
}

const MORE: &str = "\
Exit status:
  0  the state is replaced
  1  another checksum than --expect wants: nothing is changed
  2  trouble

Examples:
  lthash update table.state --insert new.csv --remove old.csv
  comm -13 yesterday today | lthash update table.state --insert -

Updates that are safe to repeat:
  new=$(lthash sum today.csv) && new=${new%% *}
  lthash update table.state --insert added.csv --remove gone.csv --expect $new
or, where there is no whole table to sum:
  lthash sum --state added.state added.csv
  lthash merge today.state yesterday.state added.state";

/// The options, and the state among them.
pub struct Update {
    state: PathBuf,
    options: Options,
}

impl FromArgMatches for Update {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Update, clap::Error> {
        let mut options = Options::from_arg_matches(matches)?;
        // Without a state before them, files and the state are one list to clap.
        let last = |name| matches.indices_of(name).and_then(Iterator::last);
        let files = if last("insert") > last("remove") {
            &mut options.insert
        } else {
            &mut options.remove
        };
        let state = options.state.take().or_else(|| match files.len() {
            0 | 1 => None,
            _ => files.pop(),
        });
        let missing = "the state is missing: expected lthash update STATE --insert FILE\n";
        let state =
            state.ok_or_else(|| clap::Error::raw(ErrorKind::MissingRequiredArgument, missing))?;
        Ok(Update { state, options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Update::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Update {
    fn augment_args(command: Command) -> Command {
        Options::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Options::augment_args_for_update(command)
    }
}

pub fn run(kernels: &'static Kernels, update: &Update) -> Result<ExitCode> {
    let Update {
        state: path,
        options,
    } = update;
    let reading = &options.reading;
    let (inputs, key) = reading.inputs(options.insert.iter().chain(&options.remove))?;
    let (inserted, removed) = inputs.split_at(options.insert.len());
    let begun = replacement::existing(path)?.with_context(|| {
        format!(
            "{}: holds no state: expected one from sum --state",
            Name(path)
        )
    })?;
    let begun = begun
        .without_buckets()
        .with_context(|| Name(path).to_string())?;
    let framing = state::framing_to_read(&begun, reading.framing()?, key.as_ref())
        .and_then(|framing| state::need_key(&begun, key.as_ref()).map(|()| framing))
        .with_context(|| Name(path).to_string())?;
    let job = Job::new(kernels, key, framing, reading)?;
    let (inserted, removed) = (job.hash(inserted)?, job.hash(removed)?);
    reading.ensure_enough(inserted.records().saturating_add(removed.records()))?;
    // Only now is the state locked, and read again: others may have changed it during the work.
    let state = replacement::replace(path, |state| {
        let mut state = state.context("is gone")?.without_buckets()?;
        ensure!(
            (state.kind(), state.key()) == (begun.kind(), begun.key()),
            "was replaced by one of another kind meanwhile"
        );
        change(&mut state, &inserted, &removed)?;
        options.expectation.ensure(&state)?;
        Ok(state.into())
    })?;
    replacement::replaced(path, report::print(&state.total, &options.printing))?;
    Ok(ExitCode::SUCCESS)
}

/// Puts in what is inserted and takes out what is removed, both hashed just now and so with a guard.
fn change(state: &mut State, inserted: &State, removed: &State) -> Result<()> {
    let guarded = |state: &'_ State| state.guarded().cloned().unwrap_or_default();
    state.insert(&guarded(inserted), inserted.records(), inserted.bytes())?;
    state.remove(&guarded(removed), removed.records(), removed.bytes())?;
    Ok(())
}
