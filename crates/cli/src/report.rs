//! How multisets are printed: as lines of text or as JSON.

use crate::output;
use anyhow::Result;
use clap::Args;
use lthash::hex;
use lthash::state::State;
use serde_json::{Map, Value};
use std::path::Path;

/// How results are printed.
#[derive(Args)]
pub struct Printing {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

pub fn print(state: &State, printing: &Printing) -> Result<()> {
    if printing.json {
        output::line(Value::Object(json(state)))
    } else {
        output::line(text(state))
    }
}

pub fn print_named(state: &State, name: &Path, printing: &Printing) -> Result<()> {
    if printing.json {
        output::line(Value::Object(named_json(state, name)))
    } else {
        output::write(&named_text(state, name))
    }
}

/// `CHECKSUM  RECORDS records  BYTES bytes`
pub fn text(state: &State) -> String {
    let checksum = state.hash().checksum();
    format!(
        "{checksum}  {} records  {} bytes",
        state.records(),
        state.bytes()
    )
}

/// The guard in hexadecimal, if there is one.
pub fn guard(state: &State) -> Option<String> {
    let guarded = state.guarded()?;
    Some(format!("{:032x}", guarded.guard()))
}

/// `checksum`, `guard`, `records` and `bytes`.
pub fn json(state: &State) -> Map<String, Value> {
    Map::from_iter([
        (
            "checksum".into(),
            state.hash().checksum().to_string().into(),
        ),
        ("guard".into(), guard(state).into()),
        ("records".into(), state.records().into()),
        ("bytes".into(), state.bytes().into()),
    ])
}

/// `CHECKSUM  RECORDS  NAME`, the name's bytes as they are. One with a newline or a backslash is escaped, and a backslash
/// before the line says so, as sha256sum has it.
fn named_text(state: &State, name: &Path) -> Vec<u8> {
    let line = format!("{}  {}  ", state.hash().checksum(), state.records());
    let name = name.as_os_str().as_encoded_bytes();
    if !name
        .iter()
        .any(|byte| matches!(byte, b'\n' | b'\r' | b'\\'))
    {
        return [line.as_bytes(), name, b"\n"].concat();
    }
    let mut escaped = [b"\\", line.as_bytes()].concat();
    for &byte in name {
        match byte {
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            b'\\' => escaped.extend(b"\\\\"),
            _ => escaped.push(byte),
        }
    }
    escaped.push(b'\n');
    escaped
}

/// The same and `name`, and `name_bytes` in hexadecimal where the name is not UTF-8.
pub fn named_json(state: &State, name: &Path) -> Map<String, Value> {
    let mut object = json(state);
    object.insert("name".into(), name.to_string_lossy().into());
    if name.to_str().is_none() {
        let bytes = hex::encode(name.as_os_str().as_encoded_bytes());
        object.insert("name_bytes".into(), bytes.into());
    }
    object
}
