//! Writing a state: whole or not at all, and by one process at a time.

use crate::state::State;
use anyhow::{Context, Result};
use fs4::FileExt;
use same_file::Handle;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Puts what `change` makes of the state at `path`, or of none, in its place.
///
/// A crash at any point leaves the old state or the new one. Other processes that do the same wait. To be called once in a
/// process: from when the lock is held, an interrupt no longer ends it.
///
/// # Errors
///
/// If there is something at `path` that is no state, among others: it is not overwritten.
pub fn replace(path: &Path, change: impl FnOnce(Option<State>) -> Result<State>) -> Result<State> {
    // The file that a symbolic link leads to is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let successor = Successor::lock(&target)?;
    // An interrupt from here on would leave the successor's file behind; the end of the process is near.
    ctrlc::set_handler(|| {}).context("cannot hold off interrupts")?;
    let state = change(read_existing(&target)?)?;
    successor
        .replace(&target, &state.encode())
        .with_context(|| target.display().to_string())?;
    Ok(state)
}

/// The state at `path`, if there is anything.
pub fn read_existing(path: &Path) -> Result<Option<State>> {
    if path
        .try_exists()
        .with_context(|| path.display().to_string())?
    {
        State::read(path).map(Some)
    } else {
        Ok(None)
    }
}

/// The file beside a state that is to replace it. Whoever has locked it may.
struct Successor {
    path: PathBuf,
    file: File,
}

impl Successor {
    fn lock(target: &Path) -> Result<Successor> {
        let mut name = target.as_os_str().to_owned();
        name.push(".lthash-new");
        let path = PathBuf::from(name);
        let lock = || -> io::Result<File> {
            loop {
                let file = OpenOptions::new()
                    .read(true)
                    .write(true)
                    .create(true)
                    .truncate(false)
                    .open(&path)?;
                FileExt::lock(&file)?;
                // While this process waited, another may have put the file it had opened in the state's place, or away.
                if is_at(&file, &path)? {
                    return Ok(file);
                }
            }
        };
        let file = lock().with_context(|| path.display().to_string())?;
        Ok(Successor { path, file })
    }

    fn replace(mut self, target: &Path, content: &[u8]) -> Result<()> {
        if let Ok(old) = target.metadata() {
            self.file.set_permissions(old.permissions())?;
        }
        self.file.set_len(0)?;
        self.file.write_all(content)?;
        self.file.sync_all()?;
        fs::rename(&self.path, target)?;
        sync_folder(target)?;
        Ok(())
    }
}

impl Drop for Successor {
    /// Takes the file away if it has not replaced the state.
    fn drop(&mut self) {
        if is_at(&self.file, &self.path).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match Handle::from_path(path) {
        Ok(there) => Ok(there == Handle::from_file(file.try_clone()?)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes the renaming last. Other systems than Unix do not open folders as files.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}
