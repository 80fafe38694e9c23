//! Keys: what `--key-file` holds.

use crate::input::Input;
use anyhow::{Context, Result, anyhow, bail};
use lthash::hex::{self, Error};
use std::io::Read;

pub type Key = [u8; 32];

/// Reads a key: 32 bytes, or 64 hexadecimal digits, which a newline may follow.
pub fn read(input: &Input) -> Result<Key> {
    let read = || parse(input.open()?);
    read().with_context(|| format!("key file {input}"))
}

fn parse(reader: impl Read) -> Result<Key> {
    // One byte more than the longest key file, to see that it is not longer.
    const LIMIT: u64 = 64 + 2 + 1;
    let mut bytes = Vec::new();
    reader.take(LIMIT).read_to_end(&mut bytes)?;
    if let Ok(key) = Key::try_from(bytes.as_slice()) {
        return Ok(key);
    }
    let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    if text.len() != 64 {
        let least = if bytes.len() as u64 == LIMIT {
            "at least "
        } else {
            ""
        };
        bail!(
            "expected 32 bytes or 64 hexadecimal digits, found {least}{} bytes",
            bytes.len()
        );
    }
    let mut key = Key::default();
    hex::decode_to_slice(text, &mut key).map_err(|error| match error {
        // What is no digit may yet be a part of a secret: the error does not tell it.
        Error::InvalidDigit { position, .. } => {
            anyhow!("expected 64 hexadecimal digits, found something else at byte {position}")
        }
        other => other.into(),
    })?;
    Ok(key)
}
