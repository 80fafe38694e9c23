//! `lthash compare`.

use crate::hash::Job;
use crate::input::{Input, Position};
use crate::opening::{self, Content};
use crate::reader::Reader;
use crate::reading::Reading;
use crate::report::{self, Printing};
use crate::state_file::StateFile;
use crate::{hints, output, state, status};
use anyhow::{Context, Result};
use clap::Args;
use lthash::Kernels;
use lthash::state::State;
use serde_json::json;
use std::fmt::{Display, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare two multisets, each a file of records or a state.
///
/// Exits with 0 if they are equal, 1 if they differ and 2 on trouble, as diff does. Prints one line if they are equal, and
/// otherwise a line for each of the checksums, records and bytes that differ, with the value of A and that of B, or for the
/// guards where only these differ: a guard tells multiplicities apart that the checksum cannot. With --json, one object with
/// the fields equal, a and b; these two hold what sum --each --json prints. Where both are states with the
/// same number of buckets, it names the buckets that differ, from 0, as `records --buckets` takes them; with --json, in the field
/// buckets, an object with `of` and `different`. Files of records are read as a state beside them says, unless options say
/// otherwise. Which records differ, diff prints.
///
/// An empty file is an empty multiset. Where one may be empty, or short, because its writer has failed: --min-records.
#[derive(Args)]
#[command(after_long_help = MORE)]
pub struct Compare {
    /// A file of records or a state; - is standard input
    a: PathBuf,

    /// A file of records or a state; - is standard input
    b: PathBuf,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    printing: Printing,
}

const MORE: &str = "\
Exit status:
  0  equal
  1  different
  2  trouble

Examples:
  lthash compare export-a.csv export-b.csv && echo same rows
  psql -c 'copy t to stdout' replica | lthash compare table.state -";

pub fn run(kernels: &'static Kernels, compare: &Compare) -> Result<ExitCode> {
    let reading = &compare.reading;
    let (inputs, key) = reading.inputs([&compare.a, &compare.b])?;
    let side = |input| Side::open(input, !reading.no_decompress);
    let sides = [side(&inputs[0])?, side(&inputs[1])?];
    let option = reading.framing()?;
    // Records are read as a state beside them says.
    let beside = sides.iter().find_map(Side::state);
    let framing = match beside {
        Some((input, state)) => state::framing_to_read(state, option, key.as_ref())
            .with_context(|| input.to_string())?,
        None => option.unwrap_or_default(),
    };
    if let [Some((_, a)), Some((input, b))] = [sides[0].state(), sides[1].state()] {
        state::ensure_agreement(b, a).with_context(|| input.to_string())?;
    }
    if let Some((_, state)) = beside.filter(|_| sides.iter().any(|side| side.state().is_none())) {
        state::need_key(state, key.as_ref())?;
    }
    let job = Job::new(kernels, key, framing, reading)?;
    let [a, b] = sides;
    let [a, b] = [a.hash(&job)?, b.hash(&job)?];
    for (input, state) in inputs.iter().zip([&a, &b]) {
        reading
            .ensure_enough(state.total.records())
            .with_context(|| input.to_string())?;
    }
    let comparison = a.total.compare(&b.total)?;
    let differing = a.differing(&b);
    let numbers = [a.buckets.len(), b.buckets.len()];
    let (a, b) = (a.total, b.total);
    let equal = comparison.is_equal() && differing.as_ref().is_none_or(Vec::is_empty);
    let text = if compare.printing.json {
        let [a, b] = [(&a, &inputs[0]), (&b, &inputs[1])]
            .map(|(state, input)| report::named_json(state, input.path()));
        let mut object = json!({ "equal": equal, "a": a, "b": b });
        if let Some(differing) = differing {
            object["buckets"] = json!({ "of": numbers[0], "different": differing });
        }
        object.to_string() + "\n"
    } else if equal {
        format!("equal: {}\n", report::text(&a))
    } else {
        differences(&a, &b, numbers[0], differing)
    };
    let printed = output::write(text.as_bytes());
    if equal && comparison.guard.is_none() {
        output::warn(
            "multiplicities were not compared: a state of format version 1 has no guard, and its hash cannot tell them modulo 65,536",
        );
    }
    if !equal && numbers[0] != numbers[1] && !numbers.contains(&0) {
        output::warn(format_args!(
            "buckets were not compared: there are {} and {}",
            numbers[0], numbers[1]
        ));
    }
    if let Some(hint) = hints::of_line_ends(&a, &b) {
        output::say(format_args!("hint: {hint}"));
    }
    match printed {
        // The exit status still tells who no longer reads.
        Err(error) if !output::is_closed_pipe(&error) => Err(error),
        _ => Ok(status::compared(equal)),
    }
}

fn differences(a: &State, b: &State, buckets: usize, differing: Option<Vec<usize>>) -> String {
    let mut text = String::new();
    let mut field = |name, a: &dyn Display, b: &dyn Display| {
        let (a, b) = (a.to_string(), b.to_string());
        if a != b {
            let _ = writeln!(text, "{name}: {a}, {b}");
        }
    };
    field(
        "different checksums",
        &a.hash().checksum(),
        &b.hash().checksum(),
    );
    // Where checksums differ, guards tell nothing more.
    let guards = report::guard(a).zip(report::guard(b));
    if let Some((a, b)) = guards.filter(|_| a.hash() == b.hash()) {
        field("different guards", &a, &b);
    }
    field("different records", &a.records(), &b.records());
    field("different bytes", &a.bytes(), &b.bytes());
    if let Some(differing) = differing {
        // As `records --buckets` takes them.
        let names: Vec<String> = differing.iter().map(usize::to_string).collect();
        let _ = writeln!(text, "different buckets of {buckets}: {}", names.join(","));
    }
    text
}

/// One of the two that are compared.
struct Side<'a> {
    input: &'a Input,
    content: Held,
}

enum Held {
    State(Box<StateFile>),
    Records(Reader),
}

impl<'a> Side<'a> {
    fn open(input: &'a Input, decompress: bool) -> Result<Side<'a>> {
        let look = opening::look(input.open()?, decompress);
        let look = look.map_err(|error| Position::start(input).error(error))?;
        let content = match look {
            Content::Records(reader) => Held::Records(reader),
            Content::State(reader) => {
                let state = StateFile::read(reader).with_context(|| input.to_string())?;
                Held::State(Box::new(state))
            }
        };
        Ok(Side { input, content })
    }

    fn state(&self) -> Option<(&Input, &State)> {
        match &self.content {
            Held::State(state) => Some((self.input, &state.total)),
            Held::Records(_) => None,
        }
    }

    fn hash(self, job: &Job) -> Result<StateFile> {
        match self.content {
            Held::State(state) => Ok(*state),
            Held::Records(reader) => Ok(job.hash_open(self.input, reader)?.into()),
        }
    }
}
