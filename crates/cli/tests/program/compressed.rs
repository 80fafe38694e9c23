//! Compressed inputs.

use crate::common::not_tested;
use crate::folder::Folder;
use crate::{lthash, stdout, sum_line, trouble};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What `zstd --ultra -19 --check` makes of `one`, `two` in lines, then of `three`; between them a frame to be skipped.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd\x24\x08\x41\x00\x00one\ntwo\n\xe6\xa6\x0e\x40\
    \x53\x2a\x4d\x18\x03\x00\x00\x00???\
    \x28\xb5\x2f\xfd\x24\x06\x31\x00\x00three\n\xd7\x06\xfd\x28";

fn compress(program: &str, path: &Path, out: &Path) -> bool {
    match Command::new(program).arg("-c").arg(path).output() {
        Ok(output) if output.status.success() => {
            fs::write(out, output.stdout).unwrap();
            true
        }
        _ => {
            not_tested(&format!("files of {program}, which is not here"));
            false
        }
    }
}

#[test]
fn frames_follow_one_another() {
    assert_eq!(
        stdout(lthash(["sum"]).write_stdin(ZSTD)),
        sum_line(&["one", "two", "three"])
    );
    let records = ZSTD.split(|byte| *byte == b'\n').collect::<Vec<_>>();
    assert_eq!(
        stdout(lthash(["sum", "--no-decompress"]).write_stdin(ZSTD)),
        sum_line(&records)
    );
}

#[test]
fn what_is_damaged_is_trouble_at_its_place() {
    for end in [3, 10, ZSTD.len() - 1] {
        if end >= 4 {
            let message = trouble(lthash(["sum"]).write_stdin(&ZSTD[..end]));
            assert!(
                message.starts_with("lthash: standard input: record "),
                "{message}"
            );
        }
    }
    let mut wrong = ZSTD.to_vec();
    wrong[9] = b'O';
    assert!(trouble(lthash(["sum"]).write_stdin(wrong)).contains("a wrong checksum"));
}

#[test]
fn large_files_of_other_programs() {
    let folder = Folder::new();
    let text: String = (0..200_000)
        .map(|i| format!("{} {i}\n", i * 7919 % 1000))
        .collect();
    let plain = folder.file("plain", &text);
    let expected = stdout(lthash(["sum"]).arg(&plain));
    for program in ["gzip", "zstd"] {
        let out = folder.path("compressed");
        if !compress(program, &plain, &out) {
            continue;
        }
        assert_eq!(stdout(lthash(["sum"]).arg(&out)), expected, "{program}");
        assert_eq!(
            stdout(lthash(["compare"]).args([&plain, &out])),
            format!("equal: {expected}")
        );
        let bytes = fs::read(&out).unwrap();
        let twice = folder.file("twice", [&bytes[..], &bytes].concat());
        let both = stdout(lthash(["sum"]).args([&plain, &plain]));
        assert_eq!(stdout(lthash(["sum"]).arg(twice)), both, "{program}");
        let cut = folder.file("cut", &bytes[..bytes.len() / 2]);
        let message = trouble(lthash(["sum"]).arg(cut));
        assert!(message.contains("/cut: record "), "{message}");
        // A compressed state is no list of records either.
        let state = folder.state("state", "one\n", &[]);
        compress(program, &state, &out);
        assert!(trouble(lthash(["sum"]).arg(&out)).contains("is a state"));
    }
}
