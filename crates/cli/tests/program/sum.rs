//! `lthash sum`: what it prints of records of every kind.

use crate::common::{Reference, generated};
use crate::{counted_line, lthash, stdout, sum_line, trouble};
use std::fs;
use tempfile::TempDir;

#[test]
fn lines_of_all_files_are_one_multiset() {
    let folder = TempDir::new().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    fs::write(&a, "one\ntwo\n").unwrap();
    fs::write(&b, "three\none").unwrap();
    let expected = sum_line(&["one", "two", "three", "one"]);
    assert_eq!(stdout(lthash(["sum"]).arg(&a).arg(&b)), expected);
    assert_eq!(stdout(lthash(["sum"]).arg(&b).arg(&a)), expected);
    assert_eq!(
        stdout(lthash(["sum", "-"]).arg(&a).pipe_stdin(&b).unwrap()),
        expected
    );
}

#[test]
fn an_empty_line_is_a_record_and_an_empty_file_has_none() {
    for (text, records) in [
        ("", &[][..]),
        ("\n", &[""]),
        ("\n\n", &["", ""]),
        ("a\n\n", &["a", ""]),
        ("a", &["a"]),
        ("a\r\nb", &["a\r", "b"]),
    ] {
        assert_eq!(
            stdout(lthash(["sum"]).write_stdin(text)),
            sum_line(records),
            "{text:?}"
        );
    }
}

#[test]
fn any_byte_can_end_records() {
    let records = ["one", "", "two words\nand a line", "\u{1e}"];
    for (name, byte) in [("nul", 0), (",", b','), ("0xff", 0xff), ("0", b'0')] {
        let mut text = records.join("?").into_bytes();
        text.iter_mut()
            .filter(|b| **b == b'?')
            .for_each(|b| *b = byte);
        assert_eq!(
            stdout(lthash(["sum", "--delimiter", name]).write_stdin(text)),
            sum_line(&records),
            "{name}"
        );
    }
    for name in ["", "ab", "0x100", "0x", "é"] {
        assert!(trouble(&mut lthash(["sum", "--delimiter", name])).contains("--delimiter"));
    }
    for format in ["length", "kv"] {
        assert_eq!(
            trouble(&mut lthash([
                "sum",
                "--delimiter",
                "nul",
                "--format",
                format
            ])),
            "lthash: --delimiter goes with --format lines or csv only\n"
        );
    }
}

/// Records of lengths around those of blocks and chunks, so that their borders fall everywhere.
fn records_of_all_lengths() -> Vec<Vec<u8>> {
    const BLOCK: usize = 256 << 10;
    let lengths = [0, 1, 63, 64, 65, 1023, 1024, 1025, 5000, 100_000];
    let around_blocks = (BLOCK - 6..BLOCK + 2).chain(2 * BLOCK - 6..2 * BLOCK + 2);
    lengths
        .into_iter()
        .chain(around_blocks)
        .chain((0..300).map(|i| i * 17))
        .enumerate()
        .map(|(i, length)| {
            let mut record = generated("record", i as u32, length);
            record.iter_mut().for_each(|byte| *byte |= 1); // no NUL
            record
        })
        .collect()
}

#[test]
fn records_of_every_length_by_any_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let records = records_of_all_lengths();
    let expected = sum_line(&records);
    let delimited = folder.path().join("delimited");
    fs::write(&delimited, records.join(&0)).unwrap();
    let length = folder.path().join("length");
    let prefixed = records
        .iter()
        .flat_map(|record| [&(record.len() as u32).to_le_bytes(), &record[..]].concat());
    fs::write(&length, prefixed.collect::<Vec<u8>>()).unwrap();
    for threads in ["1", "2", "3", "100"] {
        let sum = ["sum", "--threads", threads];
        assert_eq!(
            stdout(lthash(sum).args(["--delimiter", "nul"]).arg(&delimited)),
            expected
        );
        assert_eq!(
            stdout(lthash(sum).args(["--format", "length"]).arg(&length)),
            expected
        );
        assert_eq!(
            stdout(
                lthash(sum)
                    .args(["--format", "length"])
                    .pipe_stdin(&length)
                    .unwrap()
            ),
            expected
        );
    }
}

#[test]
fn a_length_that_the_file_does_not_hold_is_an_error() {
    let record = [&3_u32.to_le_bytes()[..], b"abc"].concat();
    for (end, found) in [(8, 1), (10, 3), (11, 4), (13, 6)] {
        let text = record.repeat(2);
        assert_eq!(
            trouble(lthash(["sum", "--format", "length"]).write_stdin(&text[..end])),
            format!(
                "lthash: standard input: record 2, byte 7: the input ends within the record, \
                 {found} bytes after its beginning\n"
            )
        );
    }
    let long = [&1_000_000_u32.to_le_bytes()[..], &[7; 999_999]].concat();
    assert_eq!(
        trouble(lthash(["sum", "--format", "length"]).write_stdin(long)),
        "lthash: standard input: record 1, byte 0: the input ends within the record, \
         1000003 bytes after its beginning\n"
    );
}

#[test]
fn key_value_lines_are_hashed_as_flatkv_does() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/vectors/sei.json")).unwrap();
    for element in vectors["elements"].as_array().unwrap() {
        let [key, value] = ["key", "value"].map(|name| element[name].as_str().unwrap_or_default());
        let counted = !key.is_empty() && !value.is_empty();
        let bytes = if counted {
            (key.len() + value.len()) / 2
        } else {
            0
        };
        let expected = format!(
            "{}  {} records  {bytes} bytes\n",
            element["checksum"].as_str().unwrap(),
            usize::from(counted)
        );
        for line in [
            format!("{key}\t{value}\n"),
            format!("{key}\t{value}").to_uppercase(),
        ] {
            assert_eq!(
                stdout(lthash(["sum", "--format", "kv"]).write_stdin(line)),
                expected
            );
        }
    }
}

#[test]
fn a_wrong_key_value_line_is_named() {
    // The error is in line 60,001, after 60,000 lines of 8 bytes: not in the first block.
    for (line, what) in [
        (
            "616",
            "no tab: expected a key, a tab and a value, in hexadecimal",
        ),
        (
            "",
            "no tab: expected a key, a tab and a value, in hexadecimal",
        ),
        ("616\t62", "key: hex text has an odd number of digits"),
        ("61\t6", "value: hex text has an odd number of digits"),
        ("61\t6\r", "value: hex text has an odd number of digits"),
        (
            "61\t6g",
            "value: invalid hex digit 'g' at position 1: expected 0-9, a-f or A-F",
        ),
        (
            "0x61\t62",
            "key: invalid hex digit 'x' at position 1: expected 0-9, a-f or A-F",
        ),
    ] {
        let text = format!("{}{line}\n00\n", "6161\t62\n".repeat(60_000));
        assert_eq!(
            trouble(lthash(["sum", "--format", "kv", "--threads", "2"]).write_stdin(text)),
            format!("lthash: standard input: record 60001, byte 480000: {what}\n")
        );
    }
}

#[test]
fn long_key_value_lines() {
    let value = vec![0x5a; 4_000_000];
    let element = [
        &[1, 0, 0, 0, 0x61][..],
        &4_000_000_u32.to_le_bytes(),
        &value,
    ]
    .concat();
    let expected = counted_line(
        &Reference::of(None, &element),
        &[[b"a", &value[..]].concat()],
    );
    let line = format!("61\t{}\n", "5a".repeat(value.len()));
    assert_eq!(
        stdout(lthash(["sum", "--format", "kv"]).write_stdin(line.clone())),
        expected
    );
    let line = line.repeat(2).replacen('\n', "5a", 1);
    assert_eq!(
        trouble(lthash(["sum", "--format", "kv"]).write_stdin(line)),
        "lthash: standard input: record 1, byte 0: more than 8388608 bytes: \
         expected a record that fits\n"
    );
}

#[test]
fn keyed() {
    let folder = TempDir::new().unwrap();
    let key: [u8; 32] = *b"0123456789abcdef0123456789ABCDE\n";
    let digits: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut expected = Reference::of(Some(&key), b"one");
    expected.add(&Reference::of(Some(&key), b"two"), 1);
    let file = folder.path().join("key");
    for content in [
        &key[..],
        digits.as_bytes(),
        format!("{digits}\n").as_bytes(),
        format!("{}\r\n", digits.to_uppercase()).as_bytes(),
    ] {
        fs::write(&file, content).unwrap();
        assert_eq!(
            stdout(
                lthash(["sum", "--key-file"])
                    .arg(&file)
                    .write_stdin("one\ntwo\n")
            ),
            counted_line(&expected, &["one", "two"])
        );
    }
    for (content, what) in [
        (
            &b""[..],
            "expected 32 bytes or 64 hexadecimal digits, found 0 bytes",
        ),
        (
            &[b'0'; 33],
            "expected 32 bytes or 64 hexadecimal digits, found 33 bytes",
        ),
        (
            &[b'0'; 80],
            "expected 32 bytes or 64 hexadecimal digits, found at least 67 bytes",
        ),
        (
            &[b'g'; 64],
            "expected 64 hexadecimal digits, found something else at byte 0",
        ),
    ] {
        fs::write(&file, content).unwrap();
        assert_eq!(
            trouble(
                lthash(["sum", "--key-file"])
                    .arg(&file)
                    .write_stdin("one\n")
            ),
            format!("lthash: key file {}: {what}\n", file.display())
        );
    }
}

#[test]
fn each_file_by_itself() {
    let folder = TempDir::new().unwrap();
    let line = |records: &[&str], name: &str| {
        let checksum = blake3::hash(&Reference::sum(records).to_bytes());
        format!("{checksum}  {}  {name}\n", records.len())
    };
    fs::write(folder.path().join("a"), "one\ntwo\n").unwrap();
    fs::write(folder.path().join("b\\\n"), "three\n").unwrap();
    let output = lthash(["sum", "--each", "a", "-", "absent", "b\\\n"])
        .current_dir(folder.path())
        .write_stdin("four\n")
        .assert()
        .code(2)
        .get_output()
        .clone();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        [
            line(&["one", "two"], "a"),
            line(&["four"], "-"),
            format!("\\{}", line(&["three"], "b\\\\\\n")),
        ]
        .concat()
    );
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "lthash: absent: No such file or directory (os error 2)\n"
    );
}

#[test]
fn windows_line_ends_and_marks_say_nothing_of_keys_and_values() {
    let expected = stdout(lthash(["sum", "--format", "kv"]).write_stdin("61\t62\n63\t64\n"));
    for text in [
        "\u{feff}61\t62\r\n63\t64\r\n",
        "\u{feff}61\t62\n63\t64",
        "61\t62\r\n63\t64\r",
    ] {
        assert_eq!(
            stdout(lthash(["sum", "--format", "kv"]).write_stdin(text)),
            expected
        );
    }
    // An error's place still counts the mark.
    assert!(
        trouble(lthash(["sum", "--format", "kv"]).write_stdin("\u{feff}61\t62\nx"))
            .contains("record 2, byte 9: no tab")
    );
    // Lines are taken as they are.
    let lines = "\u{feff}one\r\n";
    assert_eq!(
        stdout(lthash(["sum"]).write_stdin(lines)),
        sum_line(&["\u{feff}one\r"])
    );
}
