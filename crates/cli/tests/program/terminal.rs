//! On a terminal: colours and the progress bar.

use crate::{program, sum_line};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// What the command prints on a terminal, with this on its standard input: parts, and how long to wait before each.
fn on_terminal(mut command: Command, input: &[(Duration, &str)]) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let end = File::options()
        .read(true)
        .write(true)
        .open(name.to_str().unwrap())
        .unwrap();
    command
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(end.try_clone().unwrap())
        .stderr(end);
    let mut child = command.spawn().unwrap();
    drop(command); // and with it this process's copies of the terminal's end
    let reading = thread::spawn(move || {
        let mut terminal = File::from(terminal);
        let mut printed = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            match terminal.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => printed.extend(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Linux says so where everyone has closed the other end.
                Err(error) if error.raw_os_error() == Some(5) => break,
                Err(error) => panic!("{error}"),
            }
        }
        String::from_utf8(printed).unwrap().replace("\r\n", "\n")
    });
    let mut stdin = child.stdin.take().unwrap();
    for (wait, part) in input {
        thread::sleep(*wait);
        stdin.write_all(part.as_bytes()).unwrap();
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    reading.join().unwrap()
}

#[test]
fn no_color_is_respected() {
    let help = |no_color: &str| {
        let mut command = program();
        command.args(["sum", "--help"]).env("NO_COLOR", no_color);
        on_terminal(command, &[])
    };
    assert!(help("").contains("\x1b["));
    assert!(!help("1").contains('\x1b'));
}

#[test]
fn long_work_shows_its_progress_unless_told_not_to() {
    let sum = |options: &[&str], wait| {
        let mut command = program();
        command.arg("sum").args(options).env("NO_COLOR", "1");
        let wait = Duration::from_millis(wait);
        on_terminal(command, &[(wait, "one\n"), (wait, "two\n")])
    };
    let line = sum_line(&["one", "two"]);
    let long = sum(&[], 700);
    assert!(long.contains("8 B, ") && long.contains("B/s"), "{long:?}");
    assert!(long.ends_with(&line), "{long:?}");
    assert_eq!(sum(&["--no-progress"], 700), line);
    assert_eq!(sum(&[], 0), line);
}
