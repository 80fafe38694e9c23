//! `lthash compare`.

use crate::arguments::Compare;
use crate::hash::Job;
use crate::input::Input;
use crate::key;
use crate::set::Set;
use crate::state::{self, Kind, MAGIC, State};
use crate::{output, report};
use anyhow::{Context, Result, ensure};
use lthash::Kernels;
use serde_json::json;
use std::fmt::{Display, Write};
use std::io::{Cursor, Read};
use std::process::ExitCode;

/// The exit status where the multisets differ.
const DIFFERENT: u8 = 1;

pub fn run(kernels: &'static Kernels, compare: &Compare) -> Result<ExitCode> {
    let inputs = Input::all([&compare.a, &compare.b])?;
    let sides = [Side::open(&inputs[0])?, Side::open(&inputs[1])?];
    let option = compare.reading.framing()?;
    let key = compare.reading.key()?;
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
    let job = Job::new(kernels, key, kind.framing, &compare.reading);
    let [a, b] = sides;
    let [a, b] = [a.set(&job, &kind)?, b.set(&job, &kind)?];
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
        _ if a == b => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::from(DIFFERENT)),
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
    content: Content,
}

enum Content {
    State(Box<State>),
    Records(Box<dyn Read + Send>),
}

impl<'a> Side<'a> {
    fn open(input: &'a Input) -> Result<Side<'a>> {
        let mut reader = input.open()?;
        let content = || {
            let mut beginning = Vec::new();
            reader
                .by_ref()
                .take(MAGIC.len() as u64)
                .read_to_end(&mut beginning)?;
            let is_state = beginning == MAGIC;
            let whole = Cursor::new(beginning).chain(reader);
            if is_state {
                let state = State::decode(&state::read_limited(whole)?)?;
                anyhow::Ok(Content::State(Box::new(state)))
            } else {
                Ok(Content::Records(Box::new(whole)))
            }
        };
        let content = content().with_context(|| input.to_string())?;
        Ok(Side { input, content })
    }

    fn state(&self) -> Option<(&Input, &State)> {
        match &self.content {
            Content::State(state) => Some((self.input, state)),
            Content::Records(_) => None,
        }
    }

    fn set(self, job: &Job, kind: &Kind) -> Result<Set> {
        match self.content {
            Content::State(state) => Ok(state.set),
            Content::Records(reader) => {
                kind.need_key(job.hashing.key.as_ref())?;
                Ok(job.hash_open(self.input, reader)?.0)
            }
        }
    }
}
