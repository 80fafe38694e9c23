//! `sum --buckets`, `compare` of states that have buckets, and `records`.

use crate::folder::Folder;
use crate::{lthash, stdout, sum_line, trouble};
use std::fs;
use std::path::{Path, PathBuf};

/// What a state has, and each bucket behind it.
const STATE: usize = 2160;

/// Records, and the bucket of 16 that Python's xxhash 4.1.0 has for each: `xxh3_64_intdigest(record) >> 60`.
const RECORDS: [(&str, usize); 8] = [
    ("alice", 4),
    ("bob", 1),
    ("carol", 14),
    ("dave", 3),
    ("erin", 15),
    ("frank", 12),
    ("grace", 5),
    ("heidi", 5),
];

fn lines(records: impl IntoIterator<Item = &'static str>) -> String {
    records
        .into_iter()
        .map(|record| format!("{record}\n"))
        .collect()
}

fn all() -> String {
    lines(RECORDS.map(|(record, _)| record))
}

fn with_buckets(folder: &Folder, name: &str, text: &str, number: &str) -> PathBuf {
    folder.state(name, text, &["--buckets", number])
}

fn compare(a: &Path, b: &Path, options: &[&str]) -> (i32, String, String) {
    let output = lthash(["compare"]).args([a, b]).args(options).assert();
    let output = output.get_output();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

#[test]
fn each_bucket_is_a_state_of_its_records() {
    let folder = Folder::new();
    for options in [&[][..], &["--threads", "1"], &["--threads", "7"]] {
        let options = [&["--buckets", "16"], options].concat();
        let state = fs::read(folder.state("state", &all(), &options)).unwrap();
        assert_eq!(state.len(), 17 * STATE);
        let whole = fs::read(folder.state("whole", &all(), &[])).unwrap();
        assert_eq!(state[..STATE], whole);
        for bucket in 0..16 {
            let records = RECORDS.iter().filter(|(_, of)| *of == bucket);
            let text = lines(records.map(|(record, _)| *record));
            let alone = fs::read(folder.state("alone", &text, &[])).unwrap();
            assert_eq!(state[(1 + bucket) * STATE..][..STATE], alone, "{bucket}");
        }
    }
    // Under a key, buckets are the same and hashes are not.
    let key = folder.file("key", [7; 32]);
    let options = ["--key-file", key.to_str().unwrap()];
    let keyed = folder.state(
        "keyed",
        &all(),
        &[&options[..], &["--buckets", "16"]].concat(),
    );
    let grace = folder.state("alone", "grace\nheidi\n", &options);
    assert_eq!(
        fs::read(keyed).unwrap()[6 * STATE..][..STATE],
        fs::read(grace).unwrap()
    );
}

#[test]
fn buckets_that_differ_are_named_and_their_records_printed() {
    let folder = Folder::new();
    let here = with_buckets(&folder, "here", &all(), "16");
    let there = with_buckets(
        &folder,
        "there",
        &all().replace("carol\n", "").replace("bob", "alice"),
        "16",
    );
    let (code, text, said) = compare(&here, &there, &[]);
    assert_eq!((code, said.as_str()), (1, ""));
    assert!(
        text.ends_with("different buckets of 16: 1,4,14\n"),
        "{text}"
    );
    let json = compare(&here, &there, &["--json"]).1;
    assert!(
        json.contains(r#""buckets":{"different":[1,4,14],"of":16}"#),
        "{json}"
    );
    let file = folder.file("file", all());
    let records = |buckets: &str, options: &[&str]| {
        let mut command = lthash(["records", "--buckets", buckets, "--of", "16"]);
        stdout(command.args(options).arg(&file))
    };
    assert_eq!(records("1,4,14", &[]), "alice\nbob\ncarol\n");
    assert_eq!(records("5", &["--threads", "7"]), "grace\nheidi\n");
    assert_eq!(records("0,2", &[]), "");

    assert_eq!(compare(&here, &here, &[]).0, 0);
    let equal = compare(&here, &here, &["--json"]).1;
    assert!(
        equal.contains(r#""buckets":{"different":[],"of":16}"#),
        "{equal}"
    );
    // With records or a state without buckets, and with others, there is no bucket to compare.
    let plain = folder.state("plain", "alice\n", &[]);
    for other in [&plain, &file] {
        let (_, text, said) = compare(&here, other, &[]);
        assert!(
            !text.contains("bucket") && !said.contains("bucket"),
            "{text}{said}"
        );
    }
    let other = with_buckets(&folder, "other", "alice\n", "32");
    assert_eq!(
        compare(&here, &other, &[]).2,
        "lthash: warning: buckets were not compared: there are 16 and 32\n"
    );
    let equal = with_buckets(&folder, "other", &all(), "32");
    assert_eq!(
        compare(&here, &equal, &[]),
        (
            0,
            format!("equal: {}", sum_line(&RECORDS.map(|(record, _)| record))),
            String::new()
        )
    );
}

/// As for `RECORDS`, of keys and of rows in normal form, which are arrays of texts in CBOR.
#[test]
fn keys_and_rows_have_buckets() {
    let folder = Folder::new();
    let pairs = folder.file(
        "pairs",
        "616c696365\t01\n626f62\t02\n616C696365\t03\n\t04\n",
    );
    let print = |options: &[&str], file: &Path| {
        stdout(lthash(["records", "--of", "16"]).args(options).arg(file))
    };
    assert_eq!(
        print(&["--format", "kv", "--buckets", "4"], &pairs),
        "616c696365\t01\n616C696365\t03\n"
    );
    assert_eq!(
        print(&["--format", "kv", "--buckets", "1"], &pairs),
        "626f62\t02\n"
    );
    let rows = folder.file("rows", "name,n\nalice,1\n\"bob\",\"2\"\r\nbob,3\n");
    for (bucket, row) in [("14", "alice,1\n"), ("9", "bob,2\n"), ("1", "bob,3\n")] {
        assert_eq!(print(&["--format", "csv", "--buckets", bucket], &rows), row);
    }
    let other = folder.file("other", "name,n\nalice,1\nbob,4\nbob,3\n");
    let states = [("one", &rows), ("other.state", &other)].map(|(name, file)| {
        let path = folder.path(name);
        let mut sum = lthash(["sum", "--format", "csv", "--buckets", "16", "--state"]);
        stdout(sum.arg(&path).arg(file));
        path
    });
    let text = compare(&states[0], &states[1], &[]).1;
    assert!(
        text.contains("different buckets of 16: 9,") || text.contains(",9\n"),
        "{text}"
    );
}

#[test]
fn a_state_with_buckets_is_shown_and_not_changed() {
    let folder = Folder::new();
    let state = with_buckets(&folder, "state", &all(), "2");
    let before = fs::read(&state).unwrap();
    let shown = stdout(lthash(["show"]).arg(&state));
    assert!(
        shown.contains("records: 8\n") && shown.ends_with("buckets: 2\n"),
        "{shown}"
    );
    assert!(stdout(lthash(["show", "--json"]).arg(&state)).contains(r#""buckets":2"#));
    let refusal =
        "has 2 buckets, which this command does not support: expected a state without buckets";
    let file = folder.file("file", "zoe\n");
    let said = trouble(lthash(["update"]).arg(&state).arg("--insert").arg(&file));
    assert!(said.contains(refusal) && said.contains("state: "), "{said}");
    let said = trouble(lthash(["merge"]).arg(folder.path("out")).arg(&state));
    assert!(said.contains(refusal), "{said}");
    assert_eq!(fs::read(&state).unwrap(), before);
    // It is replaced, and used as a state where no bucket matters.
    assert_eq!(compare(&state, &folder.file("all", all()), &[]).0, 0);
    folder.state("state", "zoe\n", &[]);
    assert_eq!(fs::read(&state).unwrap().len(), STATE);
    let said = trouble(lthash(["sum"]).arg(with_buckets(&folder, "state", "", "2")));
    assert!(said.contains("is a state, or the remains of one"), "{said}");
}

#[test]
fn damaged_and_cut_short() {
    let folder = Folder::new();
    let state = fs::read(with_buckets(&folder, "state", &all(), "4")).unwrap();
    let said = |content: Vec<u8>| trouble(lthash(["show"]).arg(folder.file("damaged", content)));
    for (length, expected) in [
        (
            5 * STATE - 1,
            "has 10799 bytes: expected 2160 for the state and as many for each bucket",
        ),
        (
            4 * STATE,
            "of which there are a power of two from 2 to 65536",
        ),
        (3 * STATE, "its buckets do not add up to its checksum"),
        (2 * STATE, "has 4320 bytes"),
        (STATE + 1, "2160"),
    ] {
        let said = said(state[..length].to_vec());
        assert!(
            said.contains("damaged: ") && said.contains(expected),
            "{length}: {said}"
        );
    }
    let mut changed = state.clone();
    changed[3 * STATE + 100] ^= 1;
    assert!(said(changed).contains("bucket 2: "));
    let longer = [&state[..], b"more"].concat();
    assert!(said(longer).contains("has 10804 bytes"));
}

#[test]
fn numbers_that_are_none() {
    let folder = Folder::new();
    let path = folder.path("state");
    for number in ["0", "1", "3", "131072", "-2", "many", ""] {
        let option = format!("--buckets={number}");
        let mut sum = lthash(["sum", &option, "--state"]);
        let said = trouble(sum.arg(&path).write_stdin(""));
        assert!(
            said.contains("expected a power of two from 2 to 65536"),
            "{said}"
        );
        let of = format!("--of={number}");
        let said = trouble(lthash(["records", "--buckets", "0", &of]).write_stdin(""));
        assert!(
            said.contains("expected a power of two from 2 to 65536"),
            "{said}"
        );
    }
    assert!(!path.exists());
    let said = trouble(lthash(["sum", "--buckets", "2"]).write_stdin(""));
    assert!(said.contains("--state"), "{said}");
    let said = trouble(lthash(["records", "--buckets", "3,16", "--of", "16"]).write_stdin(""));
    assert!(
        said.contains("there is no bucket 16 of 16: expected 0 to 15"),
        "{said}"
    );
}
