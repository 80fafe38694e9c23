//! `lthash show`.

use crate::framing::Framing;
use crate::input::Input;
use crate::output;
use crate::report::{self, Printing};
use crate::state::{State, VERSION};
use anyhow::Result;
use clap::Args;
use lthash::hex;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print what a state holds.
///
/// Prints lines NAME: VALUE for the checksum, the counts of records and bytes, the kind of records, the key's fingerprint
/// and the format's version. With --json, one object with the fields checksum, records, bytes, format, delimiter, key and
/// version.
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
    let state = State::read(&Input::new(&show.state))?;
    let text = if show.printing.json {
        format!("{}\n", Value::Object(json(&state)))
    } else {
        text(&state)
    };
    output::write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn text(State { kind, set }: &State) -> String {
    let key = kind.key.map_or("none".into(), hex::encode);
    format!(
        "checksum: {}\nrecords: {}\nbytes: {}\nkind: {}\nkey: {key}\nversion: {VERSION}\n",
        set.hash.checksum(),
        set.records,
        set.bytes,
        kind.framing
    )
}

fn json(State { kind, set }: &State) -> serde_json::Map<String, Value> {
    let (format, delimiter) = match kind.framing {
        Framing::Delimited(delimiter) => ("lines", Some(delimiter)),
        Framing::Length => ("length", None),
        Framing::KeyValue => ("kv", None),
    };
    let mut object = report::json(set);
    object.insert("format".into(), format.into());
    object.insert("delimiter".into(), delimiter.into());
    object.insert("key".into(), kind.key.map(hex::encode).into());
    object.insert("version".into(), VERSION.into());
    object
}
