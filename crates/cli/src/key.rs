//! Keys: what `--key-file` holds.

use anyhow::{Context, Result, bail};
use lthash::hex;
use std::fs::File;
use std::io::Read;
use std::path::Path;

pub type Key = [u8; 32];

/// What a state says of its key.
pub type Fingerprint = [u8; 32];

/// Tells keys apart and gives none away.
pub fn fingerprint(key: &Key) -> Fingerprint {
    blake3::derive_key(
        "lthash 2026-11-30 12:00:00 fingerprint of a state's key",
        key,
    )
}

/// Reads a key: 32 bytes, or 64 hexadecimal digits, which a newline may follow.
pub fn read(path: &Path) -> Result<Key> {
    parse(path).with_context(|| format!("key file {}", path.display()))
}

fn parse(path: &Path) -> Result<Key> {
    // One byte more than the longest key file, to see that it is not longer.
    const LIMIT: u64 = 64 + 2 + 1;
    let mut bytes = Vec::new();
    File::open(path)?.take(LIMIT).read_to_end(&mut bytes)?;
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
    hex::decode_to_slice(text, &mut key)?;
    Ok(key)
}
