//! `lthash diff`: which records differ.

use crate::folder::Folder;
use crate::{lthash, stdout, trouble};
use std::fmt::Write;
use std::path::Path;

fn diff(a: &Path, b: &Path, options: &[&str]) -> (i32, String, String) {
    let output = lthash(["diff"]).args([a, b]).args(options).assert();
    let output = output.get_output();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

#[test]
fn records_that_only_one_holds() {
    let folder = Folder::new();
    let a = folder.file("a", "one\ntwo\nthree\nthree\nfour\n");
    let b = folder.file("b", "three\nfour\nfive\none\none\none");
    let expected = "+ five\n+ one\n+ one\n- three\n- two\n";
    assert_eq!(diff(&a, &b, &[]), (1, expected.into(), String::new()));
    let turned = "- five\n- one\n- one\n+ three\n+ two\n";
    assert_eq!(
        diff(&b, &a, &["--threads", "1"]),
        (1, turned.into(), String::new())
    );
    let same = folder.file("same", "four\nthree\ntwo\none\nthree");
    assert_eq!(diff(&a, &same, &[]), (0, String::new(), String::new()));
    let summary = "only in A: 2 records\nonly in B: 3 records\n";
    assert_eq!(
        diff(&a, &b, &["--summary"]),
        (1, summary.into(), String::new())
    );
    let none = "only in A: 0 records\nonly in B: 0 records\n";
    assert_eq!(
        diff(&a, &a, &["--summary"]),
        (0, none.into(), String::new())
    );
    let warning = "lthash: warning: more records differ than --limit allows to print\n";
    assert_eq!(
        diff(&a, &b, &["--limit", "2"]),
        (1, "+ five\n+ one\n".into(), warning.into())
    );
    assert_eq!(
        diff(&a, &b, &["--limit", "5"]),
        (1, expected.into(), String::new())
    );
    let empty = folder.file("empty", "");
    assert_eq!(diff(&empty, &empty, &[]).0, 0);
    assert_eq!(
        diff(&empty, &same, &["--limit", "0"]),
        (1, String::new(), warning.into())
    );
}

#[test]
fn multiplicities_that_a_checksum_cannot_tell() {
    let folder = Folder::new();
    let (a, b) = (
        folder.file("a", "aaa\n".repeat(65_536)),
        folder.file("b", "bbb\n".repeat(65_536)),
    );
    let (code, printed, _) = diff(&a, &b, &[]);
    assert_eq!(code, 1);
    assert_eq!(
        printed,
        "- aaa\n".repeat(65_536) + &"+ bbb\n".repeat(65_536)
    );
}

#[test]
fn records_of_every_kind() {
    let folder = Folder::new();
    for (a, b, options, expected) in [
        (
            "a\nb\0c\0",
            "c\0a\0",
            &["--delimiter", "nul"][..],
            "+ a\0- a\nb\0",
        ),
        (
            "\x03\0\0\0o\ne\0\0\0\0",
            "\0\0\0\0\x01\0\0\0\x1b",
            &["--format", "length"],
            "+ \\x1b\n- o\\ne\n",
        ),
        (
            "61\t62\r\n63\t64\r\n65\t\r\n",
            "\u{feff}61\t62\n63\t65\n66\t67\n",
            &["--format", "kv"],
            "- 63\t64\n+ 63\t65\n+ 66\t67\n",
        ),
        (
            "id,text\n1,\"a\nx\"\n2,b\n3,\"c, d\"\n",
            "id,text\r\n3,\"c, d\"\r\n2,\"b\"\r\n1,\"a\ny\"\r\n4,\"\"\"\"\r\n",
            &["--format", "csv"],
            "- 1,\"a\nx\"\n+ 1,\"a\ny\"\n+ 4,\"\"\"\"\n",
        ),
        (
            "id,text,at\n1,a,x\n2,b,x\n",
            "id,text,at\n1,a,y\n2,c,y\n",
            &["--format", "csv", "--columns", "text,id"],
            "- b,2\n+ c,2\n",
        ),
    ] {
        let (a, b) = (folder.file("a", a), folder.file("b", b));
        assert_eq!(
            diff(&a, &b, options),
            (1, expected.into(), String::new()),
            "{options:?}"
        );
        assert_eq!(
            diff(&a, &a, options),
            (0, String::new(), String::new()),
            "{options:?}"
        );
    }
}

#[test]
fn changed_rows_stand_together() {
    let folder = Folder::new();
    let a = folder.file("a", "v,id\nx,1\nx,2\nx,3\nx,10\n");
    let b = folder.file("b", "v,id\na,10\na,2\nx,1\nz,4\n");
    let options = ["--format", "csv", "--key", "id"];
    let expected = "- x,2\n+ a,2\n- x,3\n+ z,4\n- x,10\n+ a,10\n";
    assert_eq!(diff(&a, &b, &options), (1, expected.into(), String::new()));
    let summary = "only in A: 1 records\nonly in B: 1 records\nchanged: 2 records\n";
    let with_summary = [&options[..], &["--summary"]].concat();
    assert_eq!(
        diff(&a, &b, &with_summary),
        (1, summary.into(), String::new())
    );
    for options in [&["--key", "id"][..], &["--format", "kv", "--key", "id"]] {
        assert!(
            trouble(lthash(["diff"]).args([&a, &b]).args(options))
                .contains("--key goes with --format csv")
        );
    }
    assert!(
        diff(&a, &b, &["--format", "csv", "--key", "absent"])
            .2
            .contains("no column is named absent")
    );
}

#[test]
fn inputs_that_can_be_read_only_once() {
    let folder = Folder::new();
    let a = folder.file("a", "one\ntwo\n");
    let b = folder.file("b", "two\nthree\n");
    for order in [["-", "b"], ["a", "/dev/fd/0"]] {
        let piped = if order[0] == "-" { &a } else { &b };
        let mut command = lthash(["diff"]);
        command
            .args(order)
            .current_dir(folder.root())
            .pipe_stdin(piped)
            .unwrap();
        command.assert().code(1).stdout("- one\n+ three\n");
    }
    let mut command = lthash(["diff", "-", "b"]);
    command.current_dir(folder.root()).write_stdin("one\ntwo\n");
    command.assert().code(1).stdout("- one\n+ three\n");
    let state = folder.state("state", "one\n", &[]);
    assert!(
        trouble(lthash(["diff"]).args([&a, &state])).contains("is a state, or the remains of one")
    );
}

#[test]
fn few_differences_among_many_records() {
    let folder = Folder::new();
    let (mut a, mut b) = (String::new(), String::new());
    for i in 0..300_000 {
        writeln!(a, "a record with the number {i}").unwrap();
        writeln!(b, "a record with the number {}", 299_999 - i).unwrap();
    }
    a += "only a\n";
    b = b.replace("number 77777\n", "number 7x777\n");
    let (a, b) = (folder.file("a", a), folder.file("b", b));
    let expected = "- a record with the number 77777\n+ a record with the number 7x777\n- only a\n";
    for threads in ["1", "2", "7"] {
        assert_eq!(
            diff(&a, &b, &["--threads", threads]),
            (1, expected.into(), String::new())
        );
    }
    assert_eq!(stdout(lthash(["diff"]).args([&a, &a])), "");
}
