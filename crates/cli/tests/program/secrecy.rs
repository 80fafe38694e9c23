//! A key is told by nothing that the program prints or writes.

use crate::folder::Folder;
use crate::lthash;
use std::fs;

const KEY: [u8; 32] =
    *b"\x8d\xf4Zq\xe9w\x02#kJ\xfe\x90\xc7vW^\xb1x%Gp\xa6\xd0\x1f!\x99\xe2\x0c=u\x83~";
/// So many bytes of a key in a row, or digits of one, are found by no chance.
const RUN: usize = 4;

/// A piece of the key, as bytes or as digits of either case, that stands in this output.
fn piece(output: &[u8]) -> Option<Vec<u8>> {
    let digits: String = KEY.iter().map(|byte| format!("{byte:02x}")).collect();
    let digits = digits.as_bytes();
    let upper = digits.to_ascii_uppercase();
    let pieces = KEY.windows(RUN);
    let pieces = pieces.chain(digits.windows(2 * RUN).chain(upper.windows(2 * RUN)));
    let mut found = pieces.filter(|piece| output.windows(piece.len()).any(|part| part == *piece));
    found.next().map(<[u8]>::to_vec)
}

/// Runs the program in the folder, and checks that it says something, and nothing of the key.
fn tells_nothing(folder: &Folder, code: i32, arguments: &str) {
    let output = lthash(arguments.split(' '))
        .current_dir(folder.root())
        .write_stdin("one\n")
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&told);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {text}");
    assert!(!told.is_empty(), "{arguments}");
    assert_eq!(piece(&told), None, "{arguments}: {text}");
}

#[test]
fn the_search_finds_pieces() {
    let digits: String = KEY.iter().map(|byte| format!("{byte:02x}")).collect();
    let upper = digits.to_uppercase();
    for told in [
        &KEY[3..9],
        &digits.as_bytes()[20..30],
        &upper.as_bytes()[54..],
    ] {
        assert!(piece(&[b"some ", told, b" more"].concat()).is_some());
    }
    assert_eq!(piece(b"some and more"), None);
}

#[test]
fn no_output_and_no_state_tells_a_key() {
    let folder = Folder::new();
    let digits: String = KEY.iter().map(|byte| format!("{byte:02x}")).collect();
    folder.file("raw", KEY);
    folder.file("digits", format!("{digits}\n"));
    folder.file("a", "one\ntwo\n");
    folder.file("b", "one\n2\n");
    for (code, arguments) in [
        (0, "sum --key-file raw --state s a"),
        (0, "sum --key-file digits --state t b"),
        (0, "sum --key-file raw --json a"),
        (0, "sum --key-file raw --each a b"),
        (0, "sum --key-file digits --each --json a b"),
        (0, "update s --key-file raw --insert b"),
        (0, "update s --key-file digits --remove b --json"),
        (0, "sum --key-file raw --state u --buckets 4 a"),
        (0, "sum --key-file raw --state v --buckets 4 b"),
        (1, "compare u v"),
        (0, "show u"),
        (0, "show s"),
        (0, "show s --json"),
        (0, "merge m s t"),
        (0, "merge m s t --json"),
        (0, "compare s a --key-file raw"),
        (1, "compare s t"),
        (1, "compare s t --json"),
        (
            1,
            "sum --key-file raw --expect 0000000000000000000000000000000000000000000000000000000000000000 a",
        ),
        // Errors about states under a key, and without it.
        (2, "update s --insert a"),
        (2, "compare s a"),
        (2, "sum --key-file raw --state s raw absent"),
    ] {
        tells_nothing(&folder, code, arguments);
    }
    for state in ["s", "t", "u", "v", "m"] {
        let bytes = fs::read(folder.path(state)).unwrap();
        assert_eq!(piece(&bytes), None, "{state}");
    }
}

#[test]
fn no_error_about_a_key_file_tells_it() {
    let folder = Folder::new();
    let digits: String = KEY.iter().map(|byte| format!("{byte:02x}")).collect();
    folder.file("records", "one\n");
    let state = folder.state("state", "one\n", &[]);
    assert_eq!(piece(&fs::read(state).unwrap()), None);
    for content in [
        &KEY[..31],
        &[&KEY[..], b"\n"].concat(),
        &digits.as_bytes()[..63],
        format!("{digits}0").as_bytes(),
        format!("{digits}\n\n").as_bytes(),
        format!("{}\t", &digits[..63]).as_bytes(),
        // Text that is no key, whose characters are a secret all the same.
        &[&KEY[..], &KEY[..]].concat(),
    ] {
        folder.file("key", content);
        for arguments in [
            "sum --key-file key records",
            "update state --key-file key --insert records",
            // Given where a state is wanted.
            "show key",
            "sum --state key records",
            "merge out key state",
        ] {
            tells_nothing(&folder, 2, arguments);
        }
    }
    // Which character is wrong is said by its position alone: of a passphrase it would be a part.
    folder.file("key", format!("{}Q{}", &digits[..40], &digits[41..]));
    let error = crate::trouble(lthash(["sum", "--key-file", "key"]).current_dir(folder.root()));
    assert_eq!(
        error,
        "lthash: key file key: expected 64 hexadecimal digits, found something else at byte 40\n"
    );
}
