//! The folder that a file is in.

use std::fs::File;
use std::io;
use std::path::Path;

/// The folder of the file at `path`.
pub fn of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Syncs the folder of the file at `path`, so that a renaming in it lasts. Only Unix opens folders as files.
pub fn sync(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(of(path))?.sync_all()?;
    }
    Ok(())
}
