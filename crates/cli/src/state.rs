//! States as inputs, and how more records are read as a state has them.

use crate::framing::Framing;
use crate::input::Input;
use crate::key::Key;
use crate::state_file::StateFile;
use anyhow::{Context, Result, ensure};
use lthash::state::{Fingerprint, State};

/// Whether a file that begins so is a state, or has been one: damaged, cut short, or taken for text on its way.
pub fn is_like_one(beginning: &[u8]) -> bool {
    let magic = &State::MAGIC;
    let cut_short = beginning.len() > 1 && magic.starts_with(beginning);
    let differing = beginning.iter().zip(magic).filter(|(a, b)| a != b).count();
    let damaged = beginning.len() >= magic.len() && differing <= 2;
    // The first byte may have become UTF-8, or its replacement.
    let converted = (1..=3).any(|at| {
        let (first, rest) = beginning.split_at_checked(at).unwrap_or_default();
        !first.is_empty() && !first.is_ascii() && rest.starts_with(b"LtHash")
    });
    cut_short || damaged || converted
}

/// Reads a state without buckets from an input.
pub fn read(input: &Input) -> Result<State> {
    let state = read_file(input)?.without_buckets();
    state.with_context(|| input.to_string())
}

/// Reads a state from an input.
pub fn read_file(input: &Input) -> Result<StateFile> {
    StateFile::read(input.open()?).with_context(|| input.to_string())
}

/// What the records of a state are, in words.
pub fn describe(state: &State) -> String {
    match state.key() {
        None => format!("{}, not keyed", state.kind()),
        Some(key) => format!("{}, under the key {key}", state.kind()),
    }
}

/// Checks that two states can be merged and compared.
pub fn ensure_agreement(state: &State, wanted: &State) -> Result<()> {
    ensure!(
        state.kind().agree_with(wanted.kind()) && state.key() == wanted.key(),
        "holds {}: expected {}",
        describe(state),
        describe(wanted)
    );
    Ok(())
}

/// How more records of a state are read, where options say this much.
pub fn framing_to_read(
    state: &State,
    option: Option<Framing>,
    key: Option<&Key>,
) -> Result<Framing> {
    let framing = match option {
        Some(framing) => framing,
        None => Framing::of(state.kind())?,
    };
    let key = key.map(Fingerprint::of).or(state.key());
    let wanted = State::new(framing.records(), key);
    ensure!(
        state.kind().agree_with(wanted.kind()) && state.key() == wanted.key(),
        "holds {}: the options say {}",
        describe(state),
        describe(&wanted)
    );
    Ok(framing)
}

/// Checks that there is a key to read records with, if those of the state are keyed.
pub fn need_key(state: &State, key: Option<&Key>) -> Result<()> {
    ensure!(
        state.key().is_none() || key.is_some(),
        "records are hashed under a key: expected --key-file"
    );
    Ok(())
}
