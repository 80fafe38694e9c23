//! Random multisets, through every command, against a model: a count for each record.

use crate::common::{Reference, generated};
use crate::folder::Folder;
use crate::{lthash, stdout};
use std::collections::BTreeMap;
use std::fs;

/// Random numbers that are the same in each run.
struct Random {
    bytes: std::vec::IntoIter<u8>,
}

impl Random {
    fn new(case: u32) -> Random {
        Random {
            bytes: generated("model", case, 20_000).into_iter(),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        let pair = [self.bytes.next().unwrap(), self.bytes.next().unwrap()];
        usize::from(u16::from_le_bytes(pair)) % bound
    }

    fn choose<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// How a format writes records, and what of each is hashed and printed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    Lines,
    Nul,
    Length,
    KeyValue,
    Csv,
}

impl Format {
    fn options(self) -> &'static [&'static str] {
        match self {
            Format::Lines => &[],
            Format::Nul => &["--delimiter", "nul"],
            Format::Length => &["--format", "length"],
            Format::KeyValue => &["--format", "kv"],
            Format::Csv => &["--format", "csv", "--no-header"],
        }
    }

    /// A record: two texts, which are a key and a value or two fields where the format has such.
    fn record(self, random: &mut Random) -> [String; 2] {
        let text = |random: &mut Random, parts: &[&str]| -> String {
            (0..random.below(3)).map(|_| random.choose(parts)).collect()
        };
        match self {
            Format::Lines | Format::Nul => {
                [text(random, &["a", "b ", "\r", "\"", ","]), String::new()]
            }
            Format::Length => [text(random, &["a", "\n", "\0", "é"]), String::new()],
            // Neither may be empty: such a pair counts for nothing.
            Format::KeyValue => [0; 2].map(|_| format!("{}x", text(random, &["k", "l"]))),
            Format::Csv => [0; 2].map(|_| text(random, &["a", "\"", ",", "\n", "\r\n", " "])),
        }
    }

    fn element(self, [one, two]: &[String; 2]) -> Vec<u8> {
        match self {
            Format::Lines | Format::Nul | Format::Length => one.clone().into_bytes(),
            Format::KeyValue => [one, two]
                .iter()
                .flat_map(|text| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat())
                .collect(),
            Format::Csv => [one, two].iter().fold(vec![0x82], |row, text| {
                assert!(text.len() < 24);
                [&row[..], &[0x60 | text.len() as u8], text.as_bytes()].concat()
            }),
        }
    }

    /// The bytes that a record counts for.
    fn size(self, record: &[String; 2]) -> usize {
        match self {
            Format::Csv => self.element(record).len(),
            _ => record.iter().map(String::len).sum(),
        }
    }

    fn write(self, [one, two]: &[String; 2], random: &mut Random) -> Vec<u8> {
        let hex = |text: &str| lthash::hex::encode(text);
        match self {
            Format::Lines => format!("{one}\n").into_bytes(),
            Format::Nul => format!("{one}\0").into_bytes(),
            Format::Length => [&(one.len() as u32).to_le_bytes()[..], one.as_bytes()].concat(),
            Format::KeyValue => {
                let end = random.choose(&["\n", "\r\n"]);
                format!("{}\t{}{end}", hex(one), hex(two)).into_bytes()
            }
            Format::Csv => {
                let mut field = |text: &str| {
                    let must = text.contains(['"', ',', '\n', '\r']);
                    if must || random.below(2) == 0 {
                        format!("\"{}\"", text.replace('"', "\"\""))
                    } else {
                        text.into()
                    }
                };
                let row = format!("{},{}", field(one), field(two));
                (row + random.choose(&["\n", "\r\n"])).into_bytes()
            }
        }
    }

    fn print(self, [one, two]: &[String; 2]) -> Vec<u8> {
        match self {
            Format::Lines => format!("{one}\n").into_bytes(),
            Format::Nul => format!("{one}\0").into_bytes(),
            Format::Length => format!("{}\n", one.as_bytes().escape_ascii()).into_bytes(),
            Format::KeyValue => {
                let hex = |text: &str| lthash::hex::encode(text);
                format!("{}\t{}\n", hex(one), hex(two)).into_bytes()
            }
            Format::Csv => {
                let field = |text: &str| match text.contains(['"', ',', '\n', '\r']) {
                    true => format!("\"{}\"", text.replace('"', "\"\"")),
                    false => text.into(),
                };
                format!("{},{}\n", field(one), field(two)).into_bytes()
            }
        }
    }
}

type Multiset = BTreeMap<[String; 2], i32>;

fn random_records(format: Format, random: &mut Random) -> Vec<[String; 2]> {
    (0..random.below(30))
        .map(|_| format.record(random))
        .collect()
}

fn file(format: Format, records: &[[String; 2]], random: &mut Random) -> Vec<u8> {
    records
        .iter()
        .flat_map(|record| format.write(record, random))
        .collect()
}

fn count(multiset: &mut Multiset, records: &[[String; 2]], step: i32) {
    for record in records {
        *multiset.entry(record.clone()).or_default() += step;
    }
}

fn line(format: Format, multiset: &Multiset) -> String {
    let mut sum = Reference::new();
    let (mut records, mut bytes) = (0, 0);
    for (record, &times) in multiset {
        sum.add(&Reference::of(None, &format.element(record)), times);
        records += times;
        bytes += times * format.size(record) as i32;
    }
    format!(
        "{}  {records} records  {bytes} bytes\n",
        blake3::hash(&sum.to_bytes())
    )
}

/// The lines that `diff` prints, in order of bytes.
fn differences(format: Format, a: &Multiset, b: &Multiset) -> Vec<Vec<u8>> {
    let mut all = a.clone();
    for (record, times) in b {
        *all.entry(record.clone()).or_default() -= times;
    }
    let mut lines = Vec::new();
    for (record, more) in all {
        let sign: &[u8] = if more > 0 { b"- " } else { b"+ " };
        let line = [sign, &format.print(&record)].concat();
        lines.extend(vec![line; more.unsigned_abs() as usize]);
    }
    lines
}

fn check(case: u32) {
    let random = &mut Random::new(case);
    let formats = [
        Format::Lines,
        Format::Nul,
        Format::Length,
        Format::KeyValue,
        Format::Csv,
    ];
    let format = formats[case as usize % formats.len()];
    let folder = Folder::new();
    let sets: Vec<Vec<[String; 2]>> = (0..3).map(|_| random_records(format, random)).collect();
    let files: Vec<_> = (sets.iter().enumerate())
        .map(|(i, records)| folder.file(&i.to_string(), file(format, records, random)))
        .collect();
    let state = folder.path("state");
    let mut model = Multiset::new();
    count(&mut model, &sets[0], 1);
    let sum = stdout(
        lthash(["sum", "--state"])
            .arg(&state)
            .arg(&files[0])
            .args(format.options()),
    );
    assert_eq!(sum, line(format, &model), "case {case}, {format:?}");
    count(&mut model, &sets[1], 1);
    count(&mut model, &sets[2], -1);
    let mut update = lthash(["update"]);
    update
        .arg(&state)
        .arg("--insert")
        .arg(&files[1])
        .arg("--remove")
        .arg(&files[2]);
    let expected = line(format, &model);
    assert_eq!(
        stdout(update.args(format.options())),
        expected,
        "case {case}, {format:?}"
    );
    let twice = folder.path("twice");
    stdout(lthash(["merge"]).arg(&twice).args([&state, &state]));
    model.values_mut().for_each(|times| *times *= 2);
    let shown = stdout(lthash(["show"]).arg(&twice));
    assert!(
        shown.contains(&line(format, &model)[..64]),
        "case {case}, {format:?}"
    );

    // The others, mixed: what is compared and told apart.
    let (mut a, mut b) = (sets[0].clone(), sets[0].clone());
    a.extend(sets[1].iter().take(random.below(4)).cloned());
    b.extend(sets[2].iter().take(random.below(4)).cloned());
    b.reverse();
    let (mut model_a, mut model_b) = (Multiset::new(), Multiset::new());
    count(&mut model_a, &a, 1);
    count(&mut model_b, &b, 1);
    fs::write(&files[0], file(format, &a, random)).unwrap();
    fs::write(&files[1], file(format, &b, random)).unwrap();
    let mut expected = differences(format, &model_a, &model_b);
    let code = i32::from(!expected.is_empty());
    for command in ["compare", "diff"] {
        let output = lthash([command])
            .args(&files[..2])
            .args(format.options())
            .assert()
            .code(code);
        if command == "diff" {
            let printed = output.get_output().stdout.clone();
            let mut found = printed.clone();
            // The lines may have newlines in them, so they are found one by one.
            expected.sort_by_key(|line| std::cmp::Reverse(line.len()));
            let total: usize = expected.iter().map(Vec::len).sum();
            assert_eq!(found.len(), total, "case {case}, {format:?}");
            for line in &expected {
                let at = found.windows(line.len()).position(|part| part == line);
                let at = at.unwrap_or_else(|| {
                    panic!(
                        "case {case}, {format:?}: {:?}",
                        line.escape_ascii().to_string()
                    )
                });
                found.splice(at..at + line.len(), std::iter::repeat_n(0xff, line.len()));
            }
        }
    }
}

#[test]
fn random_multisets() {
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            std::thread::spawn(move || (0..100).for_each(|case| check(4 * case + thread)))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
