//! `update` interrupted, killed, and run several times at once: the state is always whole.

use crate::common::Reference;
use crate::{lthash, program, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder with the state of no record, and a file with the record `one`.
fn empty_state() -> (TempDir, PathBuf, PathBuf) {
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let record = folder.path().join("record");
    fs::write(&record, "one\n").unwrap();
    stdout(lthash(["sum", "--state"]).arg(&state).write_stdin(""));
    (folder, state, record)
}

fn update(state: &Path, insert: &Path) -> Command {
    let mut command = program();
    command
        .args(["update", "--threads", "1"])
        .arg(state)
        .arg("--insert")
        .arg(insert)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// How often a state holds the record `one`, after a check that it is whole and holds nothing else.
fn whole(state: &Path) -> i32 {
    let bytes = fs::read(state).unwrap();
    let (content, check) = bytes.split_at(2112);
    assert_eq!(check, blake3::hash(content).as_bytes());
    let records = i64::from_le_bytes(content[48..56].try_into().unwrap());
    let records = i32::try_from(records).unwrap();
    let mut sum = Reference::new();
    sum.add(&Reference::of(None, b"one"), records);
    assert_eq!(&content[64..], sum.to_bytes());
    records
}

fn names(folder: &TempDir) -> Vec<String> {
    fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn killed_at_any_moment() {
    const KILLS: u32 = 100;
    let (folder, state, record) = empty_state();
    let begin = Instant::now();
    assert!(update(&state, &record).status().unwrap().success());
    let duration = begin.elapsed();
    let mut records = whole(&state);
    assert_eq!(records, 1);

    let (mut kept, mut changed) = (0, 0);
    for kill in 0..KILLS {
        let mut child = update(&state, &record).spawn().unwrap();
        // From at once to well after the end, in an order that visits early and late moments alike.
        std::thread::sleep(duration * (kill * 37 % KILLS) / (KILLS / 2));
        child.kill().unwrap();
        child.wait().unwrap();
        match whole(&state) - records {
            0 => kept += 1,
            1 => changed += 1,
            more => panic!("one update changed the state by {more} records"),
        }
        records = whole(&state);
    }
    assert!(kept > 0 && changed > 0, "{kept} kept, {changed} changed");

    // What a killed process has left behind is no hindrance.
    fs::write(folder.path().join("state.lthash-new"), [7; 5000]).unwrap();
    assert!(update(&state, &record).status().unwrap().success());
    assert_eq!(whole(&state), records + 1);
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn many_at_once_lose_nothing() {
    const UPDATES: usize = 30;
    let (folder, state, record) = empty_state();
    let children: Vec<Child> = (0..UPDATES)
        .map(|_| update(&state, &record).spawn().unwrap())
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert!(output.status.success());
    }
    assert_eq!(whole(&state), UPDATES as i32);
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn interrupted() {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    stdout(lthash(["sum", "--state"]).arg(&state).write_stdin("one\n"));
    let mut update = update(&state, Path::new("-"));
    // A test that runs in the background of a script has inherited that interrupts are ignored.
    let heed_interrupts = || {
        // SAFETY: the default action is one that `signal` takes, and no other thread is left after the fork.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        Ok(())
    };
    // SAFETY: `signal` may be called between fork and exec.
    let mut child = unsafe { update.pre_exec(heed_interrupts) }.spawn().unwrap();
    // It waits for more of its input.
    std::thread::sleep(Duration::from_millis(200));
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(whole(&state), 1);
    assert_eq!(names(&folder), ["state"]);
}
