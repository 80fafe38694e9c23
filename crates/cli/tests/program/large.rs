//! Inputs of any size in flat memory.

use crate::common::{Reference, generated};
use crate::{counted_line, program, stdout, sum_line};
use assert_cmd::Command;
use std::fs::{self, File};
use std::io::Write;
use std::thread;
use tempfile::TempDir;

/// `lthash sum`, with no more than 30 MB of data where the system can see to it.
fn sum(arguments: &[&str]) -> Command {
    let limit = if cfg!(target_os = "linux") {
        "ulimit -d 30000 && "
    } else {
        ""
    };
    let script = format!("{limit}exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    let program = program();
    command
        .args(["-c", &script])
        .arg(program.get_program())
        .args(program.get_args())
        .arg("sum")
        .args(arguments);
    command
}

#[test]
fn a_record_of_100_megabytes() {
    let mut record = generated("large", 0, 100 << 20);
    record.iter_mut().for_each(|byte| *byte |= 1); // no NUL
    let delimited = [&record[..], b"\0after"].concat();
    let length = u32::try_from(record.len()).unwrap().to_le_bytes();
    let prefixed = [&length, &record[..], b"\x05\0\0\0after"].concat();
    let expected = sum_line(&[&record[..], b"after"]);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    for (content, options) in [
        (delimited, &["--delimiter", "nul"][..]),
        (prefixed, &["--format", "length"]),
    ] {
        fs::write(&file, content).unwrap();
        assert_eq!(stdout(sum(options).arg(&file)), expected);
        assert_eq!(stdout(sum(options).pipe_stdin(&file).unwrap()), expected);
    }
}

#[test]
fn a_sparse_file_of_5_gigabytes_without_a_newline() {
    const SIZE: usize = 5 << 30;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sparse");
    File::create(&path).unwrap().set_len(SIZE as u64).unwrap();
    let expected = thread::spawn(|| {
        let part = vec![0; 1 << 20];
        let mut hasher = blake3::Hasher::new();
        (0..SIZE / part.len()).for_each(|_| {
            hasher.update(&part);
        });
        Reference::from_output(hasher.finalize_xof())
    });
    let found = stdout(sum(&[]).arg(&path));
    let checksum = blake3::hash(&expected.join().unwrap().to_bytes());
    assert_eq!(found, format!("{checksum}  1 records  {SIZE} bytes\n"));
}

#[test]
fn many_records_through_a_pipe() {
    const COUNT: usize = 2_000_000;
    let records = ["", "one", "three"];
    let text = format!("{}\n", records.join("\n")).repeat(COUNT);
    let mut expected = Reference::new();
    for record in records {
        expected.add(&Reference::of(None, record.as_bytes()), COUNT as i32);
    }
    let checksum = blake3::hash(&expected.to_bytes());
    assert_eq!(
        stdout(sum(&["--threads", "4"]).write_stdin(text)),
        format!("{checksum}  {} records  {} bytes\n", 3 * COUNT, 8 * COUNT)
    );
}

#[test]
fn the_longest_key_value_lines() {
    let value = vec![0x5a; (4 << 20) - 100];
    let length = u32::try_from(value.len()).unwrap().to_le_bytes();
    let element = [&[1, 0, 0, 0, 0x61][..], &length, &value].concat();
    let mut expected = Reference::new();
    expected.add(&Reference::of(None, &element), 6);
    let record = [b"a", &value[..]].concat();
    let line = format!("61\t{}\n", "5a".repeat(value.len()));
    assert_eq!(
        stdout(sum(&["--format", "kv", "--threads", "4"]).write_stdin(line.repeat(6))),
        counted_line(&expected, &vec![record; 6])
    );
}

#[test]
fn a_named_pipe() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    let writer = path.clone();
    let writer = thread::spawn(move || {
        let mut pipe = File::options().write(true).open(writer).unwrap();
        for part in ["on", "e\ntwo", "\n"] {
            pipe.write_all(part.as_bytes()).unwrap();
        }
    });
    assert_eq!(stdout(sum(&[]).arg(&path)), sum_line(&["one", "two"]));
    writer.join().unwrap();
}
