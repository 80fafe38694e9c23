//! Commands that write a state interrupted, killed, and run several times at once: the state is always whole.

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
    let (content, check) = bytes.split_at(2128);
    assert_eq!(check, blake3::hash(content).as_bytes());
    let records = i64::from_le_bytes(content[48..56].try_into().unwrap());
    let records = i32::try_from(records).unwrap();
    let mut sum = Reference::new();
    sum.add(&Reference::of(None, b"one"), records);
    assert_eq!(&content[64..2112], sum.to_bytes());
    let one = u128::from_le_bytes(blake3::hash(b"one").as_bytes()[..16].try_into().unwrap());
    let guard = one.wrapping_mul(i128::from(records) as u128);
    assert_eq!(content[2112..], guard.to_le_bytes());
    records
}

/// When to kill a command that takes this long: from at once to well after its end, in an order that visits early and late
/// moments alike.
fn moments(kills: u32, duration: Duration) -> impl Iterator<Item = Duration> {
    (0..kills).map(move |kill| duration * (kill * 37 % kills) / (kills / 2))
}

fn kill_after(moment: Duration, command: &mut Command) {
    let mut child = command.spawn().unwrap();
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap();
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
    for moment in moments(KILLS, duration) {
        kill_after(moment, &mut update(&state, &record));
        match whole(&state) - records {
            0 => kept += 1,
            1 => changed += 1,
            more => panic!("one update changed the state by {more} records"),
        }
        records = whole(&state);
    }
    assert!(kept > 0 && changed > 0, "{kept} kept, {changed} changed");

    // What a killed process has left behind is no hindrance.
    let half = &fs::read(&state).unwrap()[..1000];
    fs::write(folder.path().join("state.lthash-new"), half).unwrap();
    assert!(update(&state, &record).status().unwrap().success());
    assert_eq!(whole(&state), records + 1);
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn many_at_once_lose_nothing() {
    const UPDATES: usize = 64;
    let (folder, state, record) = empty_state();
    let children: Vec<Child> = (0..UPDATES)
        .map(|_| update(&state, &record).spawn().unwrap())
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        // On a machine that is busy, 64 take more than a second.
        let waiting = "lthash: waiting for another process that changes the same state\n";
        assert!(said.is_empty() || said == waiting, "{said}");
        assert!(output.status.success());
    }
    assert_eq!(whole(&state), UPDATES as i32);
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn interrupted() {
    let (folder, state, _) = empty_state();
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    // Each waits for more of its input: from a pipe that nobody writes to, or from standard input.
    let out = folder.path().join("out");
    let mut merge = program();
    merge.arg("merge").arg(&out).arg(&pipe);
    let mut compare = program();
    compare.arg("compare").arg(&state).arg(&pipe);
    let mut sum = program();
    sum.args(["sum", "--state"]).arg(&out);
    for mut command in [merge, compare, sum, update(&state, Path::new("-"))] {
        for signal in ["INT", "TERM"] {
            end_by(&mut command, signal);
        }
    }
    assert_eq!(whole(&state), 0);
    let mut names = names(&folder);
    names.sort();
    assert_eq!(names, ["pipe", "record", "state"]);
}

/// Runs a command that waits, and ends it by a signal.
fn end_by(command: &mut Command, signal: &str) {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    // A test that runs in the background of a script has inherited that interrupts are ignored.
    let heed_interrupts = || {
        // SAFETY: the default action is one that `signal` takes, and no other thread is left after the fork.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        Ok(())
    };
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    // SAFETY: `signal` may be called between fork and exec.
    let mut child = unsafe { command.pre_exec(heed_interrupts) }
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let kill = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let status = child.wait().unwrap();
    let number = if signal == "INT" { 2 } else { 15 };
    assert_eq!(status.signal(), Some(number), "{command:?}");
}

#[test]
fn killed_while_a_new_state_is_written() {
    const KILLS: u32 = 60;
    let folder = TempDir::new().unwrap();
    let (state, record) = (folder.path().join("new"), folder.path().join("record"));
    fs::write(&record, "one\n").unwrap();
    let sum = || {
        let mut command = program();
        command
            .args(["sum", "--threads", "1", "--state"])
            .arg(&state)
            .arg(&record);
        command.stdout(Stdio::null());
        command
    };
    let begin = Instant::now();
    assert!(sum().status().unwrap().success());
    let duration = begin.elapsed();
    let (mut written, mut not_written) = (0, 0);
    for moment in moments(KILLS, duration) {
        fs::remove_file(&state).unwrap_or_default();
        kill_after(moment, &mut sum());
        if state.exists() {
            assert_eq!(whole(&state), 1);
            written += 1;
        } else {
            not_written += 1;
        }
    }
    assert!(
        written > 0 && not_written > 0,
        "{written} written, {not_written} not"
    );
    assert!(sum().status().unwrap().success());
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn killed_while_states_are_merged() {
    const KILLS: u32 = 40;
    let (folder, state, record) = empty_state();
    assert!(update(&state, &record).status().unwrap().success());
    let out = folder.path().join("out");
    let merge = || {
        let mut command = program();
        command.arg("merge").arg(&out).args([&state, &state]);
        command.stdout(Stdio::null());
        command
    };
    let begin = Instant::now();
    assert!(merge().status().unwrap().success());
    let duration = begin.elapsed();
    // Two kinds of old state: none, and one of one record. The new one has two.
    for old in [None, Some(1)] {
        let (mut kept, mut written) = (0, 0);
        for moment in moments(KILLS, duration) {
            match old {
                None => fs::remove_file(&out).unwrap_or_default(),
                Some(_) => drop(fs::copy(&state, &out).unwrap()),
            }
            kill_after(moment, &mut merge());
            let found = out.exists().then(|| whole(&out));
            match found {
                Some(2) => written += 1,
                _ if found == old => kept += 1,
                _ => panic!("{found:?} records"),
            }
        }
        assert!(kept > 0 && written > 0, "{kept} kept, {written} written");
    }
    assert!(merge().status().unwrap().success());
    assert_eq!(whole(&out), 2);
    assert_eq!(whole(&state), 1);
    assert_eq!(names(&folder).len(), 3);
}
