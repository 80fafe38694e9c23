//! System calls that fail: strace makes them.

use crate::common::not_tested;
use crate::folder::{Folder, records};
use crate::{lthash, program};
use std::fs;
use std::process::{Command, Output};

/// Inserts a record into `state`, with a fault; nothing where there is no strace.
fn update_with(folder: &Folder, fault: &str) -> Option<Output> {
    let call = fault.split(':').next().unwrap();
    let output = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e"])
        .arg(format!("trace={call}"))
        .arg("-e")
        .arg(format!("inject={fault}"))
        .arg(program().get_program())
        .args(["update", "state", "--insert", "record"])
        .current_dir(folder.root())
        .output();
    match output {
        Ok(output) if output.status.code().is_some_and(|code| code <= 2) && can_trace() => {
            Some(output)
        }
        _ => {
            not_tested(&format!("{fault}: strace is missing, or may not trace"));
            None
        }
    }
}

fn can_trace() -> bool {
    let status = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .status();
    status.is_ok_and(|status| status.success())
}

fn state_and_record() -> Folder {
    let folder = Folder::new();
    folder.state("state", "", &[]);
    folder.file("record", "one\n");
    folder
}

#[test]
fn a_folder_that_cannot_be_synced_is_a_warning() {
    for error in ["EINVAL", "EPERM", "EIO"] {
        let folder = state_and_record();
        let fault = format!("fsync:error={error}:when=2");
        let Some(output) = update_with(&folder, &fault) else {
            return;
        };
        assert_eq!(output.status.code(), Some(0), "{error}");
        let message = String::from_utf8(output.stderr).unwrap();
        let wanted = ": is replaced, but a power failure may still undo that: ";
        assert!(
            message.starts_with("lthash: warning: ") && message.contains(wanted),
            "{message}"
        );
        assert_eq!(records(&folder.path("state")), 1);
    }
}

#[test]
fn what_fails_before_the_replacement_changes_nothing() {
    for (fault, message) in [
        (
            "fsync:error=EIO:when=1",
            "lthash: state: Input/output error (os error 5)\n",
        ),
        (
            "rename:error=EXDEV",
            "lthash: state: Invalid cross-device link (os error 18)\n",
        ),
        (
            "flock:error=ENOLCK",
            "lthash: state: this file system has no locks, which keep updates at the same time apart: \
             No locks available (os error 37)\n",
        ),
        (
            "flock:error=EOPNOTSUPP",
            "lthash: state: this file system has no locks, which keep updates at the same time apart: \
             Operation not supported (os error 95)\n",
        ),
    ] {
        let folder = state_and_record();
        let before = fs::read(folder.path("state")).unwrap();
        let Some(output) = update_with(&folder, fault) else {
            return;
        };
        assert_eq!(String::from_utf8(output.stderr).unwrap(), message);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(fs::read(folder.path("state")).unwrap(), before);
        assert_eq!(folder.names(), ["record", "state"]);
    }
}

#[test]
fn a_new_state_where_there_are_no_locks_leaves_nothing() {
    let folder = Folder::new();
    folder.file("record", "one\n");
    if !can_trace() {
        return not_tested("flock: strace is missing, or may not trace");
    }
    let program = lthash(["sum"]).get_program().to_owned();
    let output = Command::new("strace")
        .args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "trace=flock",
            "-e",
            "inject=flock:error=ENOLCK",
        ])
        .arg(program)
        .args(["sum", "--state", "state", "record"])
        .current_dir(folder.root())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .starts_with("lthash: state: this file system has no locks")
    );
    assert_eq!(folder.names(), ["record"]);
}
