//! `lthash sum --check`: files against what `sum --each` has printed of them.

use crate::hash::Job;
use crate::input::{Input, Position};
use crate::names::Name;
use crate::{output, report, status};
use anyhow::{Context, Result, ensure};
use lthash::{Checksum, hex};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::from_utf8;

/// What a line says of a file.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    checksum: Checksum,
    records: i64,
    /// JSON has it.
    guard: Option<String>,
    name: PathBuf,
}

/// Checks all files that a list names. A file that cannot be read does not keep the others from it.
pub fn check(job: &Job, list: &Input) -> Result<ExitCode> {
    let mut position = Position::start(list);
    let (mut checked, mut failed, mut unread) = (0_u64, 0_u64, 0_u64);
    for line in BufReader::new(list.open()?).split(b'\n') {
        let line = line.map_err(|error| position.error(error))?;
        let entry = Entry::parse(&line).map_err(|error| position.error(error))?;
        position = position.after(1, line.len() as u64 + 1);
        checked += 1;
        match job.hash_alone(&Input::new(&entry.name)) {
            Ok(state) => {
                let guard = report::guard(&state);
                let same = state.hash().checksum() == entry.checksum
                    && state.records() == entry.records
                    && (entry.guard.is_none() || entry.guard == guard);
                failed += u64::from(!same);
                let outcome = if same { "OK" } else { "FAILED" };
                output::line(format_args!("{}: {outcome}", Name(&entry.name)))?;
            }
            Err(error) => {
                unread += 1;
                output::trouble(&error);
            }
        }
    }
    ensure!(
        checked > 0,
        "{list}: no lines: expected those that sum --each prints"
    );
    if failed > 0 {
        output::warn(format_args!(
            "{failed} of {checked} files have another checksum"
        ));
    }
    Ok(match unread {
        0 => status::compared(failed == 0),
        _ => status::trouble(),
    })
}

impl Entry {
    fn parse(line: &[u8]) -> Result<Entry> {
        let entry = match line {
            [b'{', ..] => Entry::parse_json(line),
            [b'\\', line @ ..] => Entry::parse_text(line, unescape),
            _ => Entry::parse_text(line, |name| Some(name.to_vec())),
        };
        entry.context("expected a line that sum --each prints: CHECKSUM  RECORDS  NAME")
    }

    fn parse_text(line: &[u8], name: impl FnOnce(&[u8]) -> Option<Vec<u8>>) -> Option<Entry> {
        let (checksum, rest) = line.split_at_checked(64)?;
        let rest = rest.strip_prefix(b"  ")?;
        let end = memchr::memchr(b' ', rest)?;
        let (records, rest) = rest.split_at(end);
        Some(Entry {
            checksum: from_utf8(checksum).ok()?.parse().ok()?,
            records: from_utf8(records).ok()?.parse().ok()?,
            guard: None,
            name: path(name(rest.strip_prefix(b"  ")?)?)?,
        })
    }

    fn parse_json(line: &[u8]) -> Option<Entry> {
        let object: Value = serde_json::from_slice(line).ok()?;
        let name = match object.get("name_bytes") {
            Some(bytes) => hex::decode(bytes.as_str()?).ok()?,
            None => object.get("name")?.as_str()?.into(),
        };
        Some(Entry {
            checksum: object.get("checksum")?.as_str()?.parse().ok()?,
            records: object.get("records")?.as_i64()?,
            guard: object.get("guard").and_then(Value::as_str).map(Into::into),
            name: path(name)?,
        })
    }
}

/// The name that an escaped one stands for.
fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(plain)
}

#[cfg(unix)]
fn path(name: Vec<u8>) -> Option<PathBuf> {
    let name: OsString = std::os::unix::ffi::OsStringExt::from_vec(name);
    (!name.is_empty()).then(|| name.into())
}

#[cfg(not(unix))]
fn path(name: Vec<u8>) -> Option<PathBuf> {
    let name: OsString = String::from_utf8(name).ok()?.into();
    (!name.is_empty()).then(|| name.into())
}
