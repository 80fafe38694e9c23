//! Writing a state: whole or not at all, and by one process at a time.

mod attributes;
mod folder;
mod lock;
mod successor;

use crate::names::Name;
use crate::output;
use crate::state_file::StateFile;
use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use successor::Successor;

/// Puts what `change` makes of the state at `path`, or of none, in its place.
///
/// A crash at any point leaves the old state or the new one. Other processes that do the same wait. To be called once in a
/// process: from when it is this one's turn, an interrupt no longer ends it. Once the state is replaced there is no error any
/// more, but there may be warnings.
///
/// # Errors
///
/// If there is something at `path` that is no state, among others: it is not overwritten.
pub fn replace(
    path: &Path,
    change: impl FnOnce(Option<StateFile>) -> Result<StateFile>,
) -> Result<StateFile> {
    let target = destination(path);
    let replace = || -> Result<StateFile> {
        let turn = Turn::wait(&target)?;
        // An interrupt from here on would leave the successor's file behind; the end of the process is near.
        ctrlc::set_handler(|| {}).context("cannot hold off interrupts")?;
        let state = change(turn.state()?)?;
        turn.write(&state.to_bytes(), &target)?;
        Ok(state)
    };
    replace().with_context(|| Name(path).to_string())
}

/// The state at `path`, if there is one. An empty file, as mktemp makes it, is a place for one.
pub fn existing(path: &Path) -> Result<Option<StateFile>> {
    let read = || match open(path)? {
        Some(mut file) => read(&mut file),
        None => Ok(None),
    };
    read().with_context(|| Name(path).to_string())
}

/// What could not be printed of a state that was replaced: no reader of the error may take it for a failed replacement.
pub fn replaced(path: &Path, printed: Result<()>) -> Result<()> {
    printed.with_context(|| format!("{}: is replaced, but the result is not printed", Name(path)))
}

/// Where a state at this path is written: what a symbolic link leads to is replaced, not the link.
fn destination(path: &Path) -> PathBuf {
    // Systems follow no more links than 40.
    let mut path = path.to_owned();
    for _ in 0..40 {
        if let Ok(whole) = fs::canonicalize(&path) {
            return whole;
        }
        // A link to where nothing is yet.
        let Ok(next) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// Opens a regular file, if there is anything, and for writing, if that is allowed: some network file systems want that of
/// a file that is locked. Other files are not opened: to open a pipe may last for ever.
fn open(path: &Path) -> Result<Option<File>> {
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
        Ok(metadata) => {
            ensure!(
                metadata.is_file(),
                "is no regular file: expected a state, or nothing"
            );
            let file = File::options().read(true).write(true).open(path);
            Ok(Some(file.or_else(|_| File::open(path))?))
        }
    }
}

fn read(file: &mut File) -> Result<Option<StateFile>> {
    file.rewind()?;
    match file.metadata()?.len() {
        0 => Ok(None),
        _ => StateFile::read(file).map(Some),
    }
}

/// A process's turn to replace a state.
struct Turn {
    /// What there is now, locked.
    current: Option<File>,
    successor: Successor,
}

impl Turn {
    fn wait(target: &Path) -> Result<Turn> {
        loop {
            let current = open(target)?;
            if let Some(file) = &current {
                lock::wait(file)?;
            }
            let successor = Successor::beside(target)?;
            // While this process waited, another may have replaced what it had opened.
            let is_current = match &current {
                Some(file) => successor::is_at(file, target)?,
                None => !target.try_exists()?,
            };
            if is_current {
                return Ok(Turn { current, successor });
            }
        }
    }

    fn state(&self) -> Result<Option<StateFile>> {
        match &self.current {
            Some(file) => read(&mut file.try_clone()?),
            None => Ok(None),
        }
    }

    fn write(self, content: &[u8], target: &Path) -> Result<()> {
        let Turn { current, successor } = self;
        let lost = match &current {
            Some(current) => attributes::copy(current, successor.file())?,
            None => Vec::new(),
        };
        // Windows replaces no file that is open. There the successor's lock alone keeps others away from here on.
        let _locked = current.filter(|_| cfg!(not(windows)));
        successor.replace(target, content)?;
        if !lost.is_empty() {
            output::warn(format_args!(
                "{}: could not keep its {}",
                Name(target),
                lost.join(", ")
            ));
        }
        if let Err(error) = folder::sync(target) {
            output::warn(format_args!(
                "{}: is replaced, but a power failure may still undo that: its folder could not be synced: {error}",
                Name(target)
            ));
        }
        Ok(())
    }
}
