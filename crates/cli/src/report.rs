//! How multisets are printed: as lines of text or as JSON.

use crate::output;
use crate::set::Set;
use anyhow::Result;
use clap::Args;
use lthash::hex;
use serde_json::{Map, Value};
use std::path::Path;

/// How results are printed.
#[derive(Args)]
pub struct Printing {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

pub fn print(set: &Set, printing: &Printing) -> Result<()> {
    if printing.json {
        output::line(Value::Object(json(set)))
    } else {
        output::line(text(set))
    }
}

pub fn print_named(set: &Set, name: &Path, printing: &Printing) -> Result<()> {
    if printing.json {
        output::line(Value::Object(named_json(set, name)))
    } else {
        output::write(&named_text(set, name))
    }
}

/// `CHECKSUM  RECORDS records  BYTES bytes`
pub fn text(set: &Set) -> String {
    let checksum = set.hash.checksum();
    format!("{checksum}  {} records  {} bytes", set.records, set.bytes)
}

/// `checksum`, `records` and `bytes`.
pub fn json(set: &Set) -> Map<String, Value> {
    Map::from_iter([
        ("checksum".into(), set.hash.checksum().to_string().into()),
        ("records".into(), set.records.into()),
        ("bytes".into(), set.bytes.into()),
    ])
}

/// `CHECKSUM  RECORDS  NAME`, the name's bytes as they are. One with a newline or a backslash is escaped, and a backslash
/// before the line says so, as sha256sum has it.
fn named_text(set: &Set, name: &Path) -> Vec<u8> {
    let line = format!("{}  {}  ", set.hash.checksum(), set.records);
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
pub fn named_json(set: &Set, name: &Path) -> Map<String, Value> {
    let mut object = json(set);
    object.insert("name".into(), name.to_string_lossy().into());
    if name.to_str().is_none() {
        let bytes = hex::encode(name.as_os_str().as_encoded_bytes());
        object.insert("name_bytes".into(), bytes.into());
    }
    object
}
