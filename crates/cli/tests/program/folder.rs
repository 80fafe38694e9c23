//! A folder of files that a test works in.

use crate::{lthash, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// A state of the records of a text.
    pub fn state(&self, name: &str, text: &str, options: &[&str]) -> PathBuf {
        let path = self.path(name);
        stdout(
            lthash(["sum", "--state"])
                .arg(&path)
                .args(options)
                .write_stdin(text),
        );
        path
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// How many records a state says that it holds.
pub fn records(state: &Path) -> i64 {
    let shown = stdout(lthash(["show"]).arg(state));
    let records = shown
        .lines()
        .find_map(|line| line.strip_prefix("records: "));
    records.unwrap().parse().unwrap()
}
