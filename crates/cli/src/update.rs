//! `lthash update`.

use crate::arguments::Update;
use crate::hash::Job;
use crate::input::Input;
use crate::state::State;
use crate::{report, store};
use anyhow::{Context, Result, ensure};
use lthash::Kernels;
use std::process::ExitCode;

pub fn run(kernels: &'static Kernels, update: &Update) -> Result<ExitCode> {
    let inputs = Input::all(update.insert.iter().chain(&update.remove))?;
    let (inserted, removed) = inputs.split_at(update.insert.len());
    let path = &update.state;
    let kind = State::read(path)?.kind;
    let key = update.reading.key()?;
    let framing = kind
        .framing_to_read(update.reading.framing()?, key.as_ref())
        .and_then(|framing| kind.need_key(key.as_ref()).map(|()| framing))
        .with_context(|| path.display().to_string())?;
    let job = Job::new(kernels, key, framing, &update.reading);
    let (inserted, _) = job.hash(inserted)?;
    let (removed, _) = job.hash(removed)?;
    // Only now is the state locked, and read again: others may have changed it during the work.
    let state = store::replace(path, |state| {
        let mut state = state.with_context(|| format!("{}: is gone", path.display()))?;
        ensure!(
            state.kind == kind,
            "{}: was replaced by one of another kind meanwhile",
            path.display()
        );
        state.set.insert(kernels, &inserted)?;
        state.set.remove(kernels, &removed)?;
        Ok(state)
    })?;
    report::print(&state.set, &update.printing)?;
    Ok(ExitCode::SUCCESS)
}
