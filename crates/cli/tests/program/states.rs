//! States: `sum --state`, `update`, `show`, `merge`, `compare`.

use crate::common::Reference;
use crate::folder::Folder;
use crate::{counted_line, lthash, stdout, sum_line, trouble};
use std::fs;
use std::path::Path;

fn show(state: &Path) -> String {
    stdout(lthash(["show"]).arg(state))
}

/// The guard of elements: the sum of the first 16 bytes of their hashes.
fn guard<T: AsRef<[u8]>>(elements: &[T]) -> u128 {
    (elements.iter())
        .map(|element| *blake3::hash(element.as_ref()).as_bytes())
        .fold(0, |guard, hash| guard.wrapping_add(first_16(&hash)))
}

fn first_16(hash: &[u8; 32]) -> u128 {
    u128::from_le_bytes(hash[..16].try_into().unwrap())
}

/// The bytes that docs/STATE.md says a state of these has: version 2 if there is a guard.
fn documented(
    kind: [u8; 4],
    fingerprint: [u8; 32],
    (sum, guard): (&Reference, Option<u128>),
    records: i64,
    bytes: i64,
) -> Vec<u8> {
    let mut state = b"\x89LtHash\n".to_vec();
    state.extend(if guard.is_some() { 2_u32 } else { 1 }.to_le_bytes());
    state.extend(kind);
    state.extend(fingerprint);
    state.extend(records.to_le_bytes());
    state.extend(bytes.to_le_bytes());
    state.extend(sum.to_bytes());
    state.extend(guard.iter().flat_map(|guard| guard.to_le_bytes()));
    let check = blake3::hash(&state);
    state.extend(check.as_bytes());
    assert_eq!(state.len(), if guard.is_some() { 2160 } else { 2144 });
    state
}

#[test]
fn a_state_has_the_documented_bytes() {
    let folder = Folder::new();
    let sum = Reference::sum(["one", "three"]);
    let sum = (&sum, Some(guard(&["one", "three"])));
    for (options, kind, text) in [
        (&[][..], [0, b'\n', 0, 0], "one\nthree\n"),
        (&["--delimiter", ","], [0, b',', 0, 0], "one,three"),
        (
            &["--format", "length"],
            [1, 0, 0, 0],
            "\x03\0\0\0one\x05\0\0\0three",
        ),
    ] {
        let state = folder.state("state", text, options);
        assert_eq!(
            fs::read(state).unwrap(),
            documented(kind, [0; 32], sum, 2, 8)
        );
    }

    let state = folder.state("kv", "61\t6263\n", &["--format", "kv"]);
    let element = b"\x01\0\0\0a\x02\0\0\0bc";
    let sum = Reference::of(None, element);
    assert_eq!(
        fs::read(state).unwrap(),
        documented([2, 0, 0, 0], [0; 32], (&sum, Some(guard(&[element]))), 1, 3)
    );

    let state = folder.state("csv", "name,what\na,bc\n", &["--format", "csv"]);
    let element = b"\x82\x61a\x62bc";
    let sum = Reference::of(None, element);
    assert_eq!(
        fs::read(state).unwrap(),
        documented([3, 1, 0, 0], [0; 32], (&sum, Some(guard(&[element]))), 1, 6)
    );

    let key = [7; 32];
    let key_file = folder.file("key", key);
    let state = folder.state(
        "keyed",
        "one\n",
        &["--key-file", key_file.to_str().unwrap()],
    );
    let fingerprint = blake3::derive_key(
        "lthash 2026-11-30 12:00:00 fingerprint of a state's key",
        &key,
    );
    let sum = Reference::of(Some(&key), b"one");
    let guard = first_16(blake3::keyed_hash(&key, b"one").as_bytes());
    assert_eq!(
        fs::read(state).unwrap(),
        documented([0, b'\n', 1, 0], fingerprint, (&sum, Some(guard)), 1, 3)
    );
    assert_eq!(folder.names(), ["csv", "key", "keyed", "kv", "state"]);
}

#[test]
fn updates_insert_and_remove() {
    let folder = Folder::new();
    let state = folder.state("state", "one\ntwo\nthree\n", &[]);
    let (new, old) = (
        folder.file("new", "four\nfive\n"),
        folder.file("old", "two\n"),
    );
    let expected = sum_line(&["one", "three", "four", "five"]);
    assert_eq!(
        stdout(
            lthash(["update"])
                .arg(&state)
                .arg("--insert")
                .arg(&new)
                .arg("--remove")
                .arg(&old)
        ),
        expected
    );
    assert_eq!(
        stdout(lthash(["sum"]).write_stdin("five\nfour\nthree\none\n")),
        expected
    );
    assert_eq!(
        stdout(
            lthash(["update", "--insert", "-"])
                .arg("--")
                .arg(&state)
                .write_stdin("six")
        ),
        sum_line(&["one", "three", "four", "five", "six"])
    );
    assert_eq!(folder.names(), ["new", "old", "state"]);
}

#[test]
fn more_can_be_removed_than_was_inserted() {
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    let mut sum = Reference::new();
    sum.add(&Reference::of(None, b"one"), -1);
    let checksum = blake3::hash(&sum.to_bytes());
    assert_eq!(
        stdout(
            lthash(["update"])
                .arg(&state)
                .args(["--remove", "-"])
                .write_stdin("one\n")
        ),
        format!("{checksum}  -1 records  -3 bytes\n")
    );
    assert_eq!(
        show(&state),
        format!(
            "checksum: {checksum}\nguard: {:032x}\nrecords: -1\nbytes: -3\nkind: lines\nkey: none\nversion: 2\n",
            guard(&["one"]).wrapping_neg()
        )
    );
    assert_eq!(
        stdout(
            lthash(["update"])
                .arg(&state)
                .args(["--insert", "-"])
                .write_stdin("one\n")
        ),
        sum_line::<&str>(&[])
    );
}

#[test]
fn updates_read_records_as_the_state_says() {
    let folder = Folder::new();
    let state = folder.state("nul", "one\0", &["--delimiter", "nul"]);
    let insert = |state: &Path| {
        let mut command = lthash(["update"]);
        command.arg(state).args(["--insert", "-"]);
        command
    };
    assert_eq!(
        stdout(insert(&state).write_stdin("two\nlines\0")),
        sum_line(&["one", "two\nlines"])
    );
    assert_eq!(
        stdout(
            insert(&state)
                .args(["--format", "lines"])
                .write_stdin("three\n")
        ),
        sum_line(&["one", "two\nlines", "three"])
    );
    assert!(show(&state).contains("kind: records that end with the byte 0x00\n"));
    assert_eq!(
        trouble(insert(&state).args(["--format", "kv"]).write_stdin("")),
        format!(
            "lthash: {}: holds records that end with the byte 0x00, not keyed: \
             the options say keys and values, not keyed\n",
            state.display()
        )
    );
    let kv = folder.state("kv", "61\t62\n", &["--format", "kv"]);
    assert_eq!(
        stdout(insert(&kv).write_stdin("61\t63\n")),
        counted_line(
            &Reference::sum([b"\x01\0\0\0a\x01\0\0\0b", b"\x01\0\0\0a\x01\0\0\0c"]),
            &["ab", "ac"]
        )
    );
}

#[test]
fn keyed_states_want_their_key() {
    let folder = Folder::new();
    let (key, other) = (folder.file("key", [1; 32]), folder.file("other", [2; 32]));
    let state = folder.state("state", "one\n", &["--key-file", key.to_str().unwrap()]);
    let before = fs::read(&state).unwrap();
    let update = |key: Option<&Path>| {
        let mut command = lthash(["update"]);
        command.arg(&state).args(["--insert", "-"]);
        if let Some(key) = key {
            command.arg("--key-file").arg(key);
        }
        command.write_stdin("two\n");
        command
    };
    assert!(trouble(&mut update(None)).contains("hashed under a key: expected --key-file"));
    assert!(trouble(&mut update(Some(&other))).contains("the options say lines, under the key "));
    assert_eq!(fs::read(&state).unwrap(), before);
    let mut sum = Reference::of(Some(&[1; 32]), b"one");
    sum.add(&Reference::of(Some(&[1; 32]), b"two"), 1);
    assert_eq!(
        stdout(&mut update(Some(&key))),
        counted_line(&sum, &["one", "two"])
    );

    let plain = folder.state("plain", "one\n", &[]);
    let others = folder.state("others", "one\n", &["--key-file", other.to_str().unwrap()]);
    for pair in [[&state, &plain], [&plain, &state], [&state, &others]] {
        assert!(trouble(lthash(["compare"]).args(pair)).contains("expected "));
        assert!(
            trouble(lthash(["merge"]).arg(folder.path("out")).args(pair)).contains("expected ")
        );
    }
    let records = folder.file("records", "two\none\n");
    assert!(
        trouble(lthash(["compare"]).arg(&state).arg(&records))
            .contains("hashed under a key: expected --key-file")
    );
    lthash(["compare"])
        .arg(&state)
        .arg(&records)
        .arg("--key-file")
        .arg(&key)
        .assert()
        .success();
}

#[test]
fn merged_parts_are_the_whole() {
    let folder = Folder::new();
    let a = folder.state("a", "one\ntwo\n", &[]);
    let b = folder.state("b", "three\0", &["--delimiter", "nul"]);
    let out = folder.path("out");
    let expected = sum_line(&["one", "two", "three"]);
    assert_eq!(stdout(lthash(["merge"]).arg(&out).args([&a, &b])), expected);
    assert_eq!(
        fs::read(&out).unwrap(),
        fs::read(folder.state("whole", "two\none\nthree", &[])).unwrap()
    );
    // OUT may be a state already, and one state may be there twice.
    assert_eq!(
        stdout(lthash(["merge"]).arg(&out).args([&a, &a])),
        sum_line(&["one", "two", "one", "two"])
    );
    let kv = folder.state("kv", "", &["--format", "kv"]);
    assert_eq!(
        trouble(lthash(["merge"]).arg(&out).args([&b, &kv])),
        format!(
            "lthash: {}: holds keys and values, not keyed: expected records that end with the byte 0x00, \
             not keyed\n",
            kv.display()
        )
    );
    assert_eq!(folder.names(), ["a", "b", "kv", "out", "whole"]);
}

#[test]
fn counts_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let sum = (&Reference::new(), Some(0));
    let most = documented([0, b'\n', 0, 0], [0; 32], sum, i64::MAX, 0);
    let state = folder.file("state", &most);
    assert_eq!(
        trouble(
            lthash(["update"])
                .arg(&state)
                .args(["--insert", "-"])
                .write_stdin("\n")
        ),
        format!(
            "lthash: {}: a count of records or bytes does not fit 64 bits\n",
            state.display()
        )
    );
    assert_eq!(fs::read(&state).unwrap(), most);
}

#[test]
fn comparing_files_and_states() {
    let folder = Folder::new();
    let lines = folder.file("lines", "one\ntwo\n");
    let same = folder.file("same", "two\none");
    let other = folder.file("other", "two\none\nthree\n");
    let state = folder.state("state", "two\0one", &["--delimiter", "nul"]);
    let nul = folder.file("nul", "one\0two\0");
    let equal = format!("equal: {}", sum_line(&["one", "two"]));
    let checksum = |records: &[&str]| blake3::hash(&Reference::sum(records).to_bytes());
    let different = format!(
        "different checksums: {}, {}\ndifferent records: 2, 3\ndifferent bytes: 6, 11\n",
        checksum(&["one", "two"]),
        checksum(&["one", "two", "three"])
    );
    for (a, b, options, code, expected) in [
        (&lines, &same, &[][..], 0, &equal),
        (&lines, &other, &[], 1, &different),
        (&state, &nul, &[], 0, &equal),
        (&nul, &state, &[], 0, &equal),
        (&state, &state, &[], 0, &equal),
        (&state, &lines, &["--format", "lines"], 0, &equal),
        (&nul, &nul, &["--delimiter", "nul"], 0, &equal),
    ] {
        lthash(["compare"])
            .args([a, b])
            .args(options)
            .assert()
            .code(code)
            .stdout(expected.clone())
            .stderr("");
    }
    // Either may come from a pipe.
    for (piped, file) in [(&lines, &same), (&state, &nul)] {
        for order in [["-", file.to_str().unwrap()], [file.to_str().unwrap(), "-"]] {
            assert_eq!(
                stdout(lthash(["compare"]).args(order).pipe_stdin(piped).unwrap()),
                equal
            );
        }
    }
    assert_eq!(
        trouble(lthash(["compare", "-", "-"]).write_stdin("")),
        "lthash: standard input is named twice: it can be read only once\n"
    );
}

#[test]
fn counts_tell_what_the_checksum_cannot() {
    let folder = Folder::new();
    let many = folder.file("many", "same\n".repeat(65_536));
    let none = folder.file("none", "");
    lthash(["compare"])
        .args([&many, &none])
        .assert()
        .code(1)
        .stdout(format!(
            "different guards: {:032x}, {:032x}\ndifferent records: 65536, 0\ndifferent bytes: 262144, 0\n",
            guard(&["same"]) << 16,
            0
        ));
}

#[test]
fn guards_tell_what_checksums_and_counts_cannot() {
    let folder = Folder::new();
    let (a, b) = ("aaa\n".repeat(65_536), "bbb\n".repeat(65_536));
    let (file_a, file_b) = (folder.file("a", &a), folder.file("b", &b));
    let (state_a, state_b) = (folder.state("sa", &a, &[]), folder.state("sb", &b, &[]));
    for (a, b) in [
        (&file_a, &file_b),
        (&state_a, &state_b),
        (&state_a, &file_b),
    ] {
        lthash(["compare"])
            .args([a, b])
            .assert()
            .code(1)
            .stdout(format!(
                "different guards: {:032x}, {:032x}\n",
                guard(&["aaa"]) << 16,
                guard(&["bbb"]) << 16
            ));
        let json = lthash(["compare", "--json"]).args([a, b]).assert().code(1);
        assert!(String::from_utf8_lossy(&json.get_output().stdout).contains("\"equal\":false"));
        lthash(["compare"]).args([a, a]).assert().code(0).stderr("");
    }
}

#[test]
fn states_of_version_1_are_read_and_stay_so() {
    let folder = Folder::new();
    let old = |name, records: &[&str]| {
        let sum = Reference::sum(records);
        let bytes: usize = records.iter().map(|record| record.len()).sum();
        let state = documented(
            [0, b'\n', 0, 0],
            [0; 32],
            (&sum, None),
            records.len() as i64,
            bytes as i64,
        );
        folder.file(name, state)
    };
    let state = old("old", &["one"]);
    assert!(show(&state).contains("\nguard: none\n") && show(&state).ends_with("version: 1\n"));
    assert_eq!(
        stdout(
            lthash(["update", "--insert", "-"])
                .arg("--")
                .arg(&state)
                .write_stdin("two\n")
        ),
        sum_line(&["one", "two"])
    );
    let expected = old("expected", &["one", "two"]);
    assert_eq!(fs::read(&state).unwrap(), fs::read(expected).unwrap());
    let new = folder.state("new", "two\none\n", &[]);
    for pair in [[&state, &new], [&new, &state]] {
        lthash(["compare"])
            .args(pair)
            .assert()
            .code(0)
            .stdout(format!("equal: {}", sum_line(&["one", "two"])))
            .stderr(
                "lthash: warning: multiplicities were not compared: a state of format version 1 has no guard, \
                 and its hash cannot tell them modulo 65,536\n",
            );
        let out = folder.path("out");
        stdout(lthash(["merge"]).arg(&out).args(pair));
        assert!(show(&out).ends_with("version: 1\n"));
    }
}

#[test]
fn a_difference_by_line_ends_or_a_mark_is_hinted_at() {
    let folder = Folder::new();
    let plain = folder.file("plain", "one\ntwo\n");
    for (text, hint) in [
        (
            "one\r\ntwo\r\n",
            "one byte a record: do the lines of one of them end with CR LF?",
        ),
        (
            "\u{feff}one\ntwo\n",
            "three bytes in all: does one of them begin with a byte-order mark?",
        ),
        (
            "\u{feff}one\r\ntwo\r\n",
            "one byte a record and three: CR LF, and a byte-order mark?",
        ),
    ] {
        let other = folder.file("other", text);
        for pair in [[&plain, &other], [&other, &plain]] {
            lthash(["compare"])
                .args(pair)
                .assert()
                .code(1)
                .stderr(format!("lthash: hint: {hint}\n"));
        }
    }
    for text in ["one\ntwo+\n", "one\n", "one\ntwo\n"] {
        let other = folder.file("other", text);
        let output = lthash(["compare"]).args([&plain, &other]).assert();
        assert_eq!(String::from_utf8_lossy(&output.get_output().stderr), "");
    }
}

#[test]
fn what_is_no_whole_state_is_refused() {
    let folder = Folder::new();
    let whole = fs::read(folder.state("whole", "one\n", &[])).unwrap();
    let refused = |content: &[u8], what: &str| {
        let state = folder.file("state", content);
        let expected = format!("lthash: {}: {what}", state.display());
        let out = folder.path("out");
        for command in [
            lthash(["show"]).arg(&state),
            lthash(["update"])
                .arg(&state)
                .args(["--insert", "-"])
                .write_stdin(""),
            lthash(["merge"]).arg(&out).arg(&state),
            lthash(["sum", "--state"]).arg(&state).write_stdin(""),
        ] {
            let message = trouble(command);
            assert!(message.starts_with(&expected), "{message}");
        }
        assert_eq!(fs::read(&state).unwrap(), content);
        assert_eq!(folder.names(), ["state", "whole"]);
    };
    refused(
        b"name,value\n",
        "not a state of lthash: expected a file that begins with 894c74486173680a",
    );
    for (length, expected) in [
        (8, 12),
        (11, 12),
        (12, 2160),
        (64, 2160),
        (2144, 2160),
        (2159, 2160),
    ] {
        let what = format!("truncated: {length} bytes, expected {expected}\n");
        refused(&whole[..length], &what);
    }
    refused(
        &[&whole[..], b"\n"].concat(),
        "damaged: 2161 bytes, expected 2160\n",
    );
    for position in [12, 13, 14, 15, 16, 48, 56, 64, 1000, 2111, 2112, 2143, 2159] {
        let mut damaged = whole.clone();
        damaged[position] ^= 0x10;
        refused(&damaged, "damaged: the integrity check is ");
    }
    // These have a right integrity check.
    let sum = Reference::new();
    let of_kind = |kind| documented(kind, [0; 32], (&sum, Some(0)), 0, 0);
    refused(&of_kind([4, 0, 0, 0]), "unknown kind of records: 4, 0\n");
    refused(&of_kind([3, 2, 0, 0]), "unknown kind of records: 3, 2\n");
    refused(&of_kind([1, 1, 0, 0]), "unknown kind of records: 1, 1\n");
    refused(&of_kind([0, 0, 2, 0]), "unknown flags of the key: 2, 0\n");
    refused(&of_kind([0, 0, 0, 1]), "unknown flags of the key: 0, 1\n");
    let mut newer = whole.clone();
    newer[8] = 3;
    refused(
        &newer,
        "a state in format version 3: versions 1 and 2 can be read\n",
    );

    // A damaged state is not taken for a file of records.
    let damaged = folder.file("state", &whole[..100]);
    assert_eq!(
        trouble(lthash(["compare"]).arg(&damaged).arg(&damaged)),
        format!(
            "lthash: {}: truncated: 100 bytes, expected 2160\n",
            damaged.display()
        )
    );
}

#[test]
fn states_that_cannot_be_read_or_written_are_named() {
    let folder = Folder::new();
    let absent = folder.path("absent");
    let message = format!(
        "lthash: {}: No such file or directory (os error 2)\n",
        absent.display()
    );
    assert_eq!(trouble(lthash(["show"]).arg(&absent)), message);
    let empty = folder.file("empty", "");
    for place in [&absent, &empty] {
        assert_eq!(
            trouble(lthash(["update"]).arg(place).args(["--insert", "-"])),
            format!(
                "lthash: {}: holds no state: expected one from sum --state\n",
                place.display()
            )
        );
    }
    assert_eq!(
        trouble(lthash(["show"]).arg(&empty)),
        format!(
            "lthash: {}: not a state of lthash: expected a file that begins with 894c74486173680a\n",
            empty.display()
        )
    );
    assert_eq!(
        trouble(lthash(["show"]).arg(folder.root())),
        format!(
            "lthash: {}: is a directory: expected a file\n",
            folder.root().display()
        )
    );
    let nowhere = folder.path("absent/state");
    assert_eq!(
        trouble(lthash(["sum", "--state"]).arg(&nowhere).write_stdin("")),
        format!(
            "lthash: {}: No such file or directory (os error 2)\n",
            nowhere.display()
        )
    );
    assert!(trouble(lthash(["update"]).arg(&absent)).contains("--insert"));
}

#[test]
fn json() {
    let folder = Folder::new();
    let parse = |text: String| -> serde_json::Value { serde_json::from_str(&text).unwrap() };
    let one = serde_json::json!({
        "checksum": blake3::hash(&Reference::sum(["one"]).to_bytes()).to_string(),
        "guard": format!("{:032x}", guard(&["one"])),
        "records": 1,
        "bytes": 3,
    });
    let with = |fields: serde_json::Value| {
        let mut object = one.clone();
        object
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        object
    };
    assert_eq!(
        parse(stdout(lthash(["sum", "--json"]).write_stdin("one\n"))),
        one
    );
    let name = folder.file("name \"\n", "one\n");
    let named = with(serde_json::json!({ "name": name.to_str().unwrap() }));
    assert_eq!(
        parse(stdout(lthash(["sum", "--each", "--json"]).arg(&name))),
        named
    );
    assert_eq!(
        parse(stdout(lthash(["compare", "--json"]).args([&name, &name]))),
        serde_json::json!({ "equal": true, "a": named, "b": named })
    );
    let state = folder.state("state", "one\n", &[]);
    let shown =
        serde_json::json!({ "format": "lines", "delimiter": 10, "key": null, "version": 2 });
    assert_eq!(
        parse(stdout(lthash(["show", "--json"]).arg(&state))),
        with(shown)
    );
    for command in [
        lthash(["update", "--json", "--insert", "-"])
            .arg("--")
            .arg(&state)
            .write_stdin(""),
        lthash(["merge", "--json"])
            .arg(folder.path("out"))
            .arg(&state),
    ] {
        assert_eq!(parse(stdout(command)), one);
    }
}
