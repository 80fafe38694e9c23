//! `lthash compare`.

use crate::hash::Job;
use crate::input::{Input, Place};
use crate::key;
use crate::opening::{self, Content, Reader};
use crate::reading::Reading;
use crate::report::{self, Printing};
use crate::set::Set;
use crate::state::{Kind, State};
use crate::{output, status};
use anyhow::{Context, Result, ensure};
use clap::Args;
use lthash::Kernels;
use serde_json::json;
use std::fmt::{Display, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare two multisets, each a file of records or a state.
///
/// Exits with 0 if they are equal, 1 if they differ and 2 on trouble, as diff does. Prints one line if they are equal, and
/// otherwise a line for each of the checksums, records and bytes that differ, with the value of A and that of B. With
/// --json, one object with the fields equal, a and b; these two hold what sum --each --json prints. Files of records are read as
/// a state beside them says, unless options say otherwise.
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
    let kind = match sides.iter().find_map(Side::state) {
        Some((input, state)) => Kind {
            framing: state
                .kind
                .framing_to_read(option, key.as_ref())
                .with_context(|| input.to_string())?,
            ..state.kind
        },
        None => Kind {
            framing: option.unwrap_or_default(),
            key: key.as_ref().map(key::fingerprint),
        },
    };
    for (input, state) in sides.iter().filter_map(Side::state) {
        ensure!(
            state.kind.agrees_with(&kind),
            "{input}: holds {}: expected {kind}",
            state.kind
        );
    }
    let job = Job::new(kernels, key, kind.framing, reading);
    let [a, b] = sides;
    let [a, b] = [a.set(&job, &kind)?, b.set(&job, &kind)?];
    for (input, set) in inputs.iter().zip([&a, &b]) {
        reading
            .ensure_enough(set.records)
            .with_context(|| input.to_string())?;
    }
    let text = if compare.printing.json {
        let [name_a, name_b] = [inputs[0].path(), inputs[1].path()];
        let (object_a, object_b) = (
            report::named_json(&a, name_a),
            report::named_json(&b, name_b),
        );
        json!({ "equal": a == b, "a": object_a, "b": object_b }).to_string() + "\n"
    } else if a == b {
        format!("equal: {}\n", report::text(&a))
    } else {
        differences(&a, &b)
    };
    match output::write(text.as_bytes()) {
        // The exit status still tells who no longer reads.
        Err(error) if !output::is_closed_pipe(&error) => Err(error),
        _ => Ok(status::compared(a == b)),
    }
}

fn differences(a: &Set, b: &Set) -> String {
    let mut text = String::new();
    let mut field = |name, a: &dyn Display, b: &dyn Display| {
        let (a, b) = (a.to_string(), b.to_string());
        if a != b {
            let _ = writeln!(text, "{name}: {a}, {b}");
        }
    };
    field(
        "different checksums",
        &a.hash.checksum(),
        &b.hash.checksum(),
    );
    field("different records", &a.records, &b.records);
    field("different bytes", &a.bytes, &b.bytes);
    text
}

/// One of the two that are compared.
struct Side<'a> {
    input: &'a Input,
    content: Held,
}

enum Held {
    State(Box<State>),
    Records(Reader),
}

impl<'a> Side<'a> {
    fn open(input: &'a Input, decompress: bool) -> Result<Side<'a>> {
        let look = opening::look(input.open()?, decompress);
        let look = look.map_err(|error| Place::start(input).error(error))?;
        let content = match look {
            Content::Records(reader) => Held::Records(reader),
            Content::State(reader) => {
                let state = State::from_reader(reader).with_context(|| input.to_string())?;
                Held::State(Box::new(state))
            }
        };
        Ok(Side { input, content })
    }

    fn state(&self) -> Option<(&Input, &State)> {
        match &self.content {
            Held::State(state) => Some((self.input, state)),
            Held::Records(_) => None,
        }
    }

    fn set(self, job: &Job, kind: &Kind) -> Result<Set> {
        match self.content {
            Held::State(state) => Ok(state.set),
            Held::Records(reader) => {
                kind.need_key(job.hashing.key.as_ref())?;
                job.hash_open(self.input, reader)
            }
        }
    }
}
