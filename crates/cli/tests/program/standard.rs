//! Standard input and output: closed, full, the null device.

use crate::folder::{Folder, records};
use crate::{program, sum_line};
use std::process::{Command, Output};

/// Runs a script in which `$0` is the program.
fn shell(folder: &Folder, script: &str) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new("bash")
        .args(["-c", script])
        .arg(program().get_program())
        .current_dir(folder.root())
        .output()
        .unwrap();
    (
        status.code(),
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

#[test]
fn a_closed_standard_input_is_no_empty_one() {
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    for command in [
        "sum",
        "sum - state.other",
        "update state --insert -",
        "compare state -",
        "sum --key-file - state",
        "show -",
    ] {
        let (code, stdout, stderr) = shell(&folder, &format!("\"$0\" {command} <&-"));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{command}");
        assert!(stderr.ends_with("standard input is closed\n"), "{stderr}");
    }
    assert_eq!(records(&state), 0);
    // What the caller opens is what the caller means.
    for open in ["</dev/null", "<>/dev/null"] {
        let (code, stdout, _) = shell(&folder, &format!("\"$0\" sum {open}"));
        assert_eq!((code, stdout), (Some(0), sum_line::<&str>(&[])));
    }
    // Nor does it matter to what does not read it.
    assert_eq!(shell(&folder, "\"$0\" compare state state <&-").0, Some(0));
}

#[test]
fn a_closed_standard_output_is_no_success() {
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    folder.file("one", "one\n");
    for command in [
        "sum one",
        "sum --state new one",
        "update state --insert one",
        "show state",
        "--help",
    ] {
        let (code, _, stderr) = shell(&folder, &format!("\"$0\" {command} >&-"));
        assert_eq!(
            (code, stderr.as_str()),
            (Some(2), "lthash: standard output is closed\n"),
            "{command}"
        );
    }
    assert_eq!(records(&state), 0);
    assert_eq!(folder.names(), ["one", "state"]);
    assert_eq!(shell(&folder, "\"$0\" sum one >/dev/null").0, Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_does_not_hide_that_the_state_is_replaced() {
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    folder.file("one", "one\n");
    for (command, written, count) in [
        ("update state --insert one", "state", 1),
        ("sum --state new one", "new", 1),
        ("merge merged state state", "merged", 2),
    ] {
        let (code, _, stderr) = shell(&folder, &format!("\"$0\" {command} >/dev/full"));
        assert_eq!(
            (code, stderr),
            (
                Some(2),
                format!(
                    "lthash: {written}: is replaced, but the result is not printed: \
                     standard output: No space left on device (os error 28)\n"
                )
            )
        );
        assert_eq!(records(&folder.path(written)), count);
    }
    // A reader that has gone is quiet, here too.
    let (code, _, stderr) = shell(
        &folder,
        "set -o pipefail; { sleep .3; \"$0\" update state --insert one; } | true",
    );
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(records(&state), 2);
}
