//! The file beside a state that is to replace it.

use super::{folder, lock};
use crate::names::Name;
use crate::state;
use anyhow::{Result, ensure};
use same_file::Handle;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A file that this process alone writes, and that goes away with it unless it replaces the state.
pub struct Successor {
    path: PathBuf,
    file: File,
}

impl Successor {
    /// `FILE.lthash-new`, which a killed process of this user may have left behind, or, where that name is taken, one with
    /// random letters.
    pub fn beside(target: &Path) -> Result<Successor> {
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(".lthash-new");
        let path = folder::of(target).join(&name);
        loop {
            let file = match new_file().open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    match left_behind(&path) {
                        Some(file) => file,
                        None => return Successor::of_another_name(target, name),
                    }
                }
                Err(error) => return Err(error.into()),
            };
            let path = path.clone();
            let successor = Successor { path, file };
            lock::wait(&successor.file)?;
            // While this process waited, another may have put the file that it had opened in the state's place, or away.
            if is_at(&successor.file, &successor.path)? {
                return Ok(successor);
            }
        }
    }

    fn of_another_name(target: &Path, mut prefix: OsString) -> Result<Successor> {
        // There its lock, which another name would not share, is what keeps others away (see `Turn::write`).
        ensure!(
            cfg!(not(windows)),
            "{} is in the way of the new state: expected nothing there",
            Name(Path::new(&prefix))
        );
        prefix.push("-");
        let file = tempfile::Builder::new()
            .prefix(&prefix)
            .make_in(folder::of(target), |path| new_file().open(path))?;
        let (file, path) = file.keep()?;
        Ok(Successor { path, file })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file, with this content, in the state's place.
    pub fn replace(mut self, target: &Path, content: &[u8]) -> Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(content)?;
        self.file.sync_all()?;
        fs::rename(&self.path, target).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => anyhow::Error::from(error).context(
                "a file that is mounted by itself cannot be replaced: mount the folder that it is in",
            ),
            _ => error.into(),
        })
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

fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    options
}

/// What a process of this user has left behind under this name when it was killed: an empty file, or what begins as a state
/// does. Links and pipes are not followed and not waited for.
fn left_behind(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits() as i32);
    }
    let mut file = options.open(path).ok()?;
    let mut beginning = Vec::new();
    (&mut file).take(16).read_to_end(&mut beginning).ok()?;
    let is_ours = is_of_this_user(&file).unwrap_or(false)
        && (beginning.is_empty() || state::is_like_one(&beginning));
    is_ours.then_some(file)
}

#[cfg(unix)]
fn is_of_this_user(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let metadata = file.metadata()?;
    let user = rustix::process::geteuid().as_raw();
    Ok(metadata.is_file() && metadata.nlink() == 1 && metadata.uid() == user)
}

#[cfg(not(unix))]
fn is_of_this_user(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}

pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match Handle::from_path(path) {
        Ok(there) => Ok(there == Handle::from_file(file.try_clone()?)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
