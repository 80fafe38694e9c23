//! `lthash show`.

use crate::arguments::Show;
use crate::framing::Framing;
use crate::state::{State, VERSION};
use crate::{output, report};
use anyhow::Result;
use lthash::hex;
use serde_json::Value;
use std::process::ExitCode;

pub fn run(show: &Show) -> Result<ExitCode> {
    let state = State::read(&show.state)?;
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
