//! How the program behaves: help, errors, closed pipes, file names.

use crate::folder::Folder;
use crate::{lthash, program, stdout, sum_line, trouble};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

const COMMANDS: [&str; 10] = [
    "sum",
    "update",
    "show",
    "merge",
    "compare",
    "diff",
    "records",
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
        format!("lthash: {path}: is a directory: expected a file\n")
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
    assert!(trouble(lthash(["sum"]).arg(&path)).contains("\\xff\\xfe: No such file"));
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
fn names_in_messages_are_on_one_line() {
    assert_eq!(
        trouble(&mut lthash([
            "sum",
            "x\u{1b}[31mRED\nlthash: a fake line\\"
        ])),
        "lthash: x\\u{1b}[31mRED\\nlthash: a fake line\\\\: No such file or directory (os error 2)\n"
    );
}

#[test]
fn of_repeated_options_the_last_counts() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a", "one\n"), folder.file("b", "two\n"));
    assert_eq!(
        stdout(
            lthash([
                "sum",
                "--delimiter",
                "nul",
                "--delimiter",
                "newline",
                "--threads",
                "1",
                "--threads",
                "0"
            ])
            .arg(&a)
        ),
        sum_line(&["one"])
    );
    // But files add up.
    let state = folder.state("state", "", &[]);
    assert_eq!(
        stdout(
            lthash(["update"])
                .arg(&state)
                .arg("--insert")
                .arg(&a)
                .arg("--insert")
                .arg(&b)
        ),
        sum_line(&["one", "two"])
    );
}

#[test]
fn the_state_of_an_update_may_stand_last() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a", "one\n"), folder.file("b", "two\n"));
    let state = folder.state("state", "", &[]);
    let insert = |arguments: &[&Path], options: &[&str]| {
        let mut command = lthash(["update", "--insert"]);
        command.args(arguments).args(options);
        command
    };
    assert_eq!(stdout(&mut insert(&[&a, &state], &[])), sum_line(&["one"]));
    assert_eq!(
        stdout(&mut insert(&[&a, &b, &state], &["--threads", "1"])),
        sum_line(&["one", "one", "two"])
    );
    assert_eq!(
        stdout(insert(&[&a], &["--remove"]).args([&b, &a, &state])),
        sum_line(&["one", "one"])
    );
    for arguments in [&[a.as_path()][..], &[]] {
        let message = trouble(&mut insert(arguments, &[]));
        assert!(
            message.contains("state is missing") || message.contains("--insert"),
            "{message}"
        );
    }
    // What is no state is not taken for one.
    assert!(trouble(&mut insert(&[&a, &b], &[])).contains("not a state of lthash"));
}

#[test]
fn a_state_or_a_key_may_come_from_standard_input() {
    let folder = Folder::new();
    let state = folder.state("state", "one\n", &[]);
    assert_eq!(
        stdout(lthash(["show", "-"]).pipe_stdin(&state).unwrap()),
        stdout(lthash(["show"]).arg(&state))
    );
    let out = folder.path("out");
    assert_eq!(
        stdout(
            lthash(["merge"])
                .arg(&out)
                .arg("-")
                .arg(&state)
                .pipe_stdin(&state)
                .unwrap()
        ),
        sum_line(&["one", "one"])
    );
    let (key, one) = (folder.file("key", [7; 32]), folder.file("one", "one\n"));
    assert_eq!(
        stdout(
            lthash(["sum", "--key-file", "-"])
                .arg(&one)
                .pipe_stdin(&key)
                .unwrap()
        ),
        stdout(lthash(["sum", "--key-file"]).arg(&key).arg(&one))
    );
    assert_eq!(
        trouble(lthash(["sum", "--key-file", "-"]).write_stdin("")),
        "lthash: standard input is named twice: it can be read only once\n"
    );
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
    }
    // No command is missing here: the help's list has as many lines, and one for help itself.
    let listed = help.split("Commands:\n").nth(1).unwrap();
    let listed = listed.split("\n\n").next().unwrap();
    assert_eq!(listed.lines().count(), COMMANDS.len() + 1, "{listed}");
    assert!(trouble(&mut lthash(["man", "absent"])).contains("possible values: sum, update"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&mut lthash(["completions", shell]));
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    // Bash completes the commands of `man` and of `help`.
    let script = stdout(&mut lthash(["completions", "bash"]));
    let words = COMMANDS.join(" ");
    for command in ["man", "help"] {
        let case = script
            .split(&format!("\n        lthash__subcmd__{command})"))
            .nth(1);
        let case = case.unwrap_or_else(|| panic!("no case for {command}"));
        let options = case.lines().find(|line| line.contains("opts=")).unwrap();
        assert!(options.contains(&words), "{options}");
    }
}

#[test]
fn manual_pages_have_their_sections() {
    let pages: Vec<String> = std::iter::once("lthash".to_owned())
        .chain(COMMANDS.map(|command| format!("lthash-{command}")))
        .collect();
    for page in &pages {
        let command = page.strip_prefix("lthash-");
        let text = stdout(lthash(["man"]).args(command));
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "\"EXIT STATUS\"",
            "EXAMPLES",
            "\"SEE ALSO\"",
        ] {
            let title = format!("\n.SH {section}\n");
            assert!(text.contains(&title), "{page}: {section}");
        }
        let synopsis = text.split(".SH SYNOPSIS\n.nf\n").nth(1).unwrap();
        let usage = format!("lthash {}", command.unwrap_or("[OPTIONS]"));
        assert!(synopsis.starts_with(usage.trim()), "{page}");
        // What is referred to is there.
        let see_also = text.split("SEE ALSO").nth(1).unwrap().replace("\\-", "-");
        for other in see_also
            .split(&[' ', ',', '\n'][..])
            .filter(|word| word.starts_with("lthash"))
        {
            let name = other.strip_suffix("(1)").unwrap();
            assert!(
                name != *page && pages.iter().any(|page| page == name),
                "{page}: {other}"
            );
        }
    }
}

#[test]
fn what_computes_nothing_wants_no_backend() {
    for arguments in [&["man"][..], &["completions", "bash"]] {
        stdout(lthash(arguments).env("LTHASH_BACKEND", "nope"));
    }
}
