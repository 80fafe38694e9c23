//! `lthash show`.

use crate::input::Input;
use crate::output;
use crate::report::{self, Printing};
use crate::state;
use crate::state_file::StateFile;
use anyhow::Result;
use clap::Args;
use lthash::state::{Records, State};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print what a state holds.
///
/// Prints lines NAME: VALUE for the checksum, the guard, the counts of records and bytes, the kind of records, the key's
/// fingerprint and the format's version, and for the number of buckets if there are some. With --json, one object with the fields
/// checksum, guard, records, bytes, format, delimiter, key and version, and buckets. A state of version 1 has no guard.
#[derive(Args)]
#[command(after_long_help = MORE)]
pub struct Show {
    /// The state; - is standard input
    state: PathBuf,

    #[command(flatten)]
    printing: Printing,
}

const MORE: &str = "\
Exit status:
  0  done
  2  trouble

Examples:
  lthash show table.state
  ssh replica cat table.state | lthash show -";

pub fn run(show: &Show) -> Result<ExitCode> {
    let StateFile { total, buckets } = state::read_file(&Input::new(&show.state))?;
    let text = if show.printing.json {
        let mut object = json(&total);
        if !buckets.is_empty() {
            object.insert("buckets".into(), buckets.len().into());
        }
        format!("{}\n", Value::Object(object))
    } else if buckets.is_empty() {
        text(&total)
    } else {
        format!("{}buckets: {}\n", text(&total), buckets.len())
    };
    output::write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn text(state: &State) -> String {
    let or_none = |text: Option<String>| text.unwrap_or("none".into());
    format!(
        "checksum: {}\nguard: {}\nrecords: {}\nbytes: {}\nkind: {}\nkey: {}\nversion: {}\n",
        state.hash().checksum(),
        or_none(report::guard(state)),
        state.records(),
        state.bytes(),
        state.kind(),
        or_none(state.key().map(|key| key.to_string())),
        state.version()
    )
}

fn json(state: &State) -> serde_json::Map<String, Value> {
    let (format, delimiter) = match state.kind() {
        Records::Delimited(delimiter) => ("lines", Some(delimiter)),
        Records::LengthPrefixed => ("length", None),
        Records::KeyValue => ("kv", None),
        Records::Rows => ("csv", None),
        _ => ("unknown", None),
    };
    let mut object = report::json(state);
    object.insert("format".into(), format.into());
    object.insert("delimiter".into(), delimiter.into());
    object.insert("key".into(), state.key().map(|key| key.to_string()).into());
    object.insert("version".into(), state.version().into());
    object
}
