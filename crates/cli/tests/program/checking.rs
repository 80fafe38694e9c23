//! Results that a caller expects: `--expect`, `--check`, `--min-records`; and inputs that are none.

use crate::folder::{Folder, records};
use crate::{lthash, stdout, sum_line, trouble};
use std::fs;

fn checksum(records: &[&str]) -> String {
    sum_line(records)[..64].to_owned()
}

#[test]
fn an_update_that_gives_another_checksum_changes_nothing() {
    let folder = Folder::new();
    let state = folder.state("state", "one\n", &[]);
    let expected = checksum(&["one", "two"]);
    let update = || {
        let mut command = lthash(["update", "--insert", "-", "--expect", &expected]);
        command.arg("--").arg(&state).write_stdin("two\n");
        command
    };
    assert_eq!(stdout(&mut update()), sum_line(&["one", "two"]));
    let before = fs::read(&state).unwrap();
    // To do it again is safe.
    update().assert().code(1).stdout("").stderr(format!(
        "lthash: {}: the checksum is {}: expected {expected}\n",
        state.display(),
        checksum(&["one", "two", "two"])
    ));
    assert_eq!(fs::read(&state).unwrap(), before);
    assert_eq!(folder.names(), ["state"]);
}

#[test]
fn a_sum_that_gives_another_checksum_writes_no_state() {
    let folder = Folder::new();
    let one = folder.file("one", "one\n");
    let sum = |expected: &str| {
        let mut command = lthash(["sum", "--expect", expected, "--state"]);
        command.arg(folder.path("state")).arg(&one);
        command
    };
    sum(&checksum(&["two"])).assert().code(1).stdout("");
    assert_eq!(folder.names(), ["one"]);
    assert_eq!(stdout(&mut sum(&checksum(&["one"]))), sum_line(&["one"]));
    assert!(trouble(&mut sum("12")).contains("--expect"));
}

#[test]
fn files_are_checked_against_what_each_has_printed() {
    let folder = Folder::new();
    folder.file("a", "one\ntwo\n");
    folder.file("b\\\n", "three\n");
    let in_folder = |arguments: &[&str]| {
        let mut command = lthash(arguments);
        command.current_dir(folder.root());
        command
    };
    for options in [&[][..], &["--json"]] {
        let list = stdout(in_folder(&["sum", "--each", "a", "b\\\n"]).args(options));
        folder.file("list", &list);
        let ok = "a: OK\nb\\\\\\n: OK\n";
        assert_eq!(stdout(&mut in_folder(&["sum", "--check", "list"])), ok);
        assert_eq!(
            stdout(in_folder(&["sum", "--check", "-"]).write_stdin(list)),
            ok
        );
        // As many records, in another order, and then another one.
        folder.file("a", "two\none\n");
        assert_eq!(stdout(&mut in_folder(&["sum", "--check", "list"])), ok);
        folder.file("a", "two\nsix\n");
        in_folder(&["sum", "--check", "list"])
            .assert()
            .code(1)
            .stdout("a: FAILED\nb\\\\\\n: OK\n")
            .stderr("lthash: warning: 1 of 2 files have another checksum\n");
        fs::remove_file(folder.path("a")).unwrap();
        in_folder(&["sum", "--check", "list"])
            .assert()
            .code(2)
            .stdout("b\\\\\\n: OK\n")
            .stderr("lthash: a: No such file or directory (os error 2)\n");
        folder.file("a", "one\ntwo\n");
    }
    // 65,536 times another record: JSON has the guard, which tells.
    folder.file("a", "same\n".repeat(65_536));
    let list = stdout(&mut in_folder(&["sum", "--each", "--json", "a"]));
    folder.file("a", "else\n".repeat(65_536));
    in_folder(&["sum", "--check", "-"])
        .write_stdin(list)
        .assert()
        .code(1)
        .stdout("a: FAILED\n");
    // 65,536 times the same adds up to nothing: the count tells.
    folder.file("a", "");
    let list = stdout(&mut in_folder(&["sum", "--each", "a"]));
    folder.file("a", "same\n".repeat(65_536));
    in_folder(&["sum", "--check", "-"])
        .write_stdin(list)
        .assert()
        .code(1)
        .stdout("a: FAILED\n");
}

#[test]
fn a_list_that_is_none_is_trouble() {
    let line = |name: &str| format!("{}  1  {name}", checksum(&["one"]));
    for list in [
        "12  1  a".to_owned(),
        line(""),
        line("a").replace("  1  ", "  x  "),
        line("a").replace("  1  ", " 1 "),
        format!("\\{}", line("a\\b")),
        "{\"name\": \"a\"}".into(),
        sum_line(&["one"]).trim_end().into(),
    ] {
        assert_eq!(
            trouble(lthash(["sum", "--check", "-"]).write_stdin(list)),
            "lthash: standard input: record 1, byte 0: \
             expected a line that sum --each prints: CHECKSUM  RECORDS  NAME\n"
        );
    }
    assert_eq!(
        trouble(lthash(["sum", "--check", "-"]).write_stdin("")),
        "lthash: standard input: no lines: expected those that sum --each prints\n"
    );
}

#[test]
fn fewer_records_than_expected_are_trouble() {
    let folder = Folder::new();
    let state = folder.state("state", "one\n", &[]);
    let (two, three) = (
        folder.file("two", "1\n2\n"),
        folder.file("three", "1\n2\n3\n"),
    );
    let least = ["--min-records", "3"];
    assert_eq!(
        trouble(lthash(["sum"]).args(least).arg(&two)),
        "lthash: 2 records: expected at least 3\n"
    );
    stdout(lthash(["sum"]).args(least).arg(&three));
    let each = lthash(["sum", "--each"])
        .args(least)
        .args([&two, &three])
        .assert()
        .code(2);
    assert_eq!(
        String::from_utf8_lossy(&each.get_output().stdout)
            .lines()
            .count(),
        1
    );
    let update = |insert| {
        let mut command = lthash(["update"]);
        command.arg(&state).arg("--insert").arg(insert).args(least);
        command
    };
    trouble(&mut update(&two));
    assert_eq!(records(&state), 1);
    stdout(&mut update(&three));
    assert_eq!(
        trouble(lthash(["compare"]).args([&three, &two]).args(least)),
        format!(
            "lthash: {}: 2 records: expected at least 3\n",
            two.display()
        )
    );
}

#[test]
fn a_state_is_not_taken_for_records() {
    let folder = Folder::new();
    let state = folder.state("state", "one\n", &[]);
    let target = folder.state("target", "", &[]);
    let whole = fs::read(&state).unwrap();
    let with = |position: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[position] = byte;
        bytes
    };
    for (what, bytes) in [
        ("whole", whole.clone()),
        ("cut short", whole[..100].to_vec()),
        ("cut short in its first bytes", whole[..5].to_vec()),
        ("another first byte", with(0, b'x')),
        ("another byte of its name", with(3, 0)),
        (
            "newlines translated",
            [b"\x89LtHash\r\n", &whole[8..]].concat(),
        ),
        (
            "taken for Latin-1",
            [b"\xc2\x89LtHash\n", &whole[8..]].concat(),
        ),
        (
            "taken for UTF-8",
            [b"\xef\xbf\xbdLtHash\n", &whole[8..]].concat(),
        ),
    ] {
        let file = folder.file("file", &bytes);
        let refused = format!(
            "lthash: {}: is a state, or the remains of one: expected records\n",
            file.display()
        );
        assert_eq!(trouble(lthash(["sum"]).arg(&file)), refused, "{what}");
        assert_eq!(
            trouble(lthash(["sum", "--each"]).arg(&file)),
            refused,
            "{what}"
        );
        for option in ["--insert", "--remove"] {
            assert_eq!(
                trouble(lthash(["update"]).arg(&target).arg(option).arg(&file)),
                refused,
                "{what}"
            );
        }
        if what != "whole" {
            let empty = folder.file("empty", "");
            trouble(lthash(["compare"]).args([&file, &empty]));
            trouble(lthash(["compare"]).args([&empty, &file]));
        }
    }
    assert_eq!(records(&target), 0);
    for text in [
        "",
        "\u{89}",
        "LtHash\n",
        "lthash: a program\n",
        "The LtHash\n",
    ] {
        assert!(stdout(lthash(["sum"]).write_stdin(text)).ends_with(" bytes\n"));
    }
}
