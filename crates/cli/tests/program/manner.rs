//! How the program behaves: help, errors, closed pipes, file names.

use crate::{lthash, program, stdout, sum_line, trouble};
use std::fs::{self, File};
use std::io::Write;
use std::process::Stdio;
use tempfile::TempDir;

const COMMANDS: [&str; 8] = [
    "sum",
    "update",
    "show",
    "merge",
    "compare",
    "backends",
    "man",
    "completions",
];

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().display();
    assert_eq!(
        trouble(lthash(["sum"]).arg(folder.path())),
        format!("lthash: {path}: is a directory: expected a file of records\n")
    );
    assert_eq!(
        trouble(lthash(["sum"]).arg(folder.path().join("absent"))),
        format!("lthash: {path}/absent: No such file or directory (os error 2)\n")
    );
    assert_eq!(
        trouble(lthash(["sum", "-", "-"]).write_stdin("")),
        "lthash: standard input is named twice: it can be read only once\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_read_is_an_error_at_its_place() {
    // Reading a process's memory at address 0 fails.
    assert_eq!(
        trouble(&mut lthash(["sum", "/proc/self/mem"])),
        "lthash: /proc/self/mem: record 1, byte 0: Input/output error (os error 5)\n"
    );
}

#[cfg(target_os = "linux")] // others refuse such names
#[test]
fn file_names_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe"));
    fs::write(&path, "one\n").unwrap();
    assert_eq!(stdout(lthash(["sum"]).arg(&path)), sum_line(&["one"]));
    fs::remove_file(&path).unwrap();
    assert!(trouble(lthash(["sum"]).arg(&path)).contains("\u{fffd}\u{fffd}: No such file"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_write_is_an_error() {
    for arguments in [
        &["sum", "/dev/null"][..],
        &["backends"],
        &["man"],
        &["completions", "bash"],
    ] {
        let output = program()
            .args(arguments)
            .stdout(File::create("/dev/full").unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "lthash: standard output: No space left on device (os error 28)\n"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn errors_that_nobody_can_be_told_of_show_in_the_exit_status() {
    let status = program()
        .args(["sum", "absent"])
        .stderr(File::create("/dev/full").unwrap())
        .status();
    assert_eq!(status.unwrap().code(), Some(2));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = program()
        .arg("sum")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(b"one\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn help_and_manual_pages_and_completions_name_every_command() {
    let help = stdout(&mut lthash(["--help"]));
    assert!(help.contains("Exit status:"));
    let page = stdout(&mut lthash(["man"]));
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
        assert!(
            page.contains(&format!("lthash\\-{command}(1)")),
            "{command}"
        );
        assert!(
            stdout(&mut lthash([command, "--help"])).contains(&format!("Usage: lthash {command}"))
        );
        assert!(stdout(&mut lthash(["man", command])).contains(&format!("lthash\\-{command}")));
    }
    assert_eq!(
        trouble(&mut lthash(["man", "absent"])),
        "lthash: no command \"absent\" has a manual page\n"
    );
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&mut lthash(["completions", shell]));
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}
