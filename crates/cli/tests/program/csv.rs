//! `--format csv`: rows, not lines.

use crate::common::{generated, not_tested};
use crate::folder::Folder;
use crate::{lthash, stdout, trouble};
use std::fs;
use std::process::Command;

type Row = Vec<Option<String>>;

/// The element of a row of text and NULLs: deterministic CBOR, RFC 8949, section 4.2.1.
fn element(row: &[Option<String>]) -> Vec<u8> {
    let head = |major: u8, length: usize| match length {
        0..24 => vec![major << 5 | length as u8],
        24..256 => vec![major << 5 | 24, length as u8],
        256..65_536 => [&[major << 5 | 25][..], &(length as u16).to_be_bytes()].concat(),
        _ => [&[major << 5 | 26][..], &(length as u32).to_be_bytes()].concat(),
    };
    let mut bytes = head(4, row.len());
    for field in row {
        match field {
            None => bytes.push(0xf6),
            Some(text) => bytes.extend([&head(3, text.len()), text.as_bytes()].concat()),
        }
    }
    bytes
}

fn line_of(rows: &[Row]) -> String {
    let elements: Vec<Vec<u8>> = rows.iter().map(|row| element(row)).collect();
    crate::sum_line(&elements)
}

fn rows(rows: &[&[&str]]) -> Vec<Row> {
    (rows.iter())
        .map(|row| row.iter().map(|field| Some((*field).into())).collect())
        .collect()
}

fn sum(options: &[&str], text: &str) -> assert_cmd::Command {
    let mut command = lthash(["sum", "--format", "csv"]);
    command.args(options).write_stdin(text);
    command
}

#[test]
fn how_rows_are_written_does_not_matter() {
    let expected = line_of(&rows(&[
        &["1", "a\nx"],
        &["2", ""],
        &["3", "say \"x\", or y"],
    ]));
    for text in [
        "id,text\n1,\"a\nx\"\n2,\n3,\"say \"\"x\"\", or y\"\n",
        "\"id\",\"text\"\n\"3\",\"say \"\"x\"\", or y\"\n\"2\",\"\"\n\"1\",\"a\nx\"",
        "\u{feff}id,text\r\n1,\"a\nx\"\r\n\r\n2,\"\"\r\n3,\"say \"\"x\"\", or y\"\r\n",
    ] {
        assert_eq!(stdout(&mut sum(&[], text)), expected, "{text}");
    }
    let tabs = "id\ttext\n1\t\"a\nx\"\n2\t\n3\tsay \"x\", or y\n";
    assert_eq!(stdout(&mut sum(&["--delimiter", "tab"], tabs)), expected);
}

#[test]
fn a_line_end_in_a_field_is_no_end_of_a_row() {
    let folder = Folder::new();
    let a = folder.file("a.csv", "id,text\n1,\"a\nx\"\n2,\"b\ny\"\n");
    let b = folder.file("b.csv", "id,text\n1,\"a\ny\"\n2,\"b\nx\"\n");
    lthash(["compare", "--format", "csv"])
        .args([&a, &b])
        .assert()
        .code(1);
    // As lines they are equal, and a warning says what may be wrong.
    lthash(["compare"]).args([&a, &b]).assert().code(0).stderr(format!(
        "lthash: warning: {}: line 2 has an odd number of quotes: if a field goes on in the next line, \
         rows are read by --format csv\n",
        a.display()
    ));
    let plain = folder.file("plain.csv", "id,text\n1,\"a, x\"\n");
    stdout(lthash(["sum"]).arg(plain));
}

#[test]
fn columns_are_chosen_and_ordered() {
    let folder = Folder::new();
    let a = folder.file("a.csv", "id,\"the, name\",at\n1,one,x\n2,two,y\n");
    let b = folder.file("b.csv", "at,id,\"the, name\"\nz,2,two\nz,1,one\n");
    let columns = ["--columns", "\"the, name\",id"];
    let expected = line_of(&rows(&[&["one", "1"], &["two", "2"]]));
    for file in [&a, &b] {
        assert_eq!(
            stdout(lthash(["sum", "--format", "csv"]).args(columns).arg(file)),
            expected
        );
    }
    // Each by itself, they may be what they are.
    let each = stdout(lthash(["sum", "--format", "csv", "--each"]).args([&a, &b]));
    assert_eq!(each.lines().count(), 2);
    stdout(lthash(["sum", "--format", "csv", "--check", "-"]).write_stdin(each));
    let numbers = ["--no-header", "--columns", "2,1"];
    assert_eq!(stdout(&mut sum(&numbers, "1,one,x\n2,two,y\n")), expected);
    // Without a choice, columns in another order are no other rows, but a mistake.
    assert_eq!(
        trouble(lthash(["compare", "--format", "csv"]).args([&a, &b])),
        format!(
            "lthash: {}: record 1, byte 0: the columns are at,id,\\\"the, name\\\": expected id,\\\"the, name\\\",at, \
             as {} has them; --columns chooses and orders columns\n",
            b.display(),
            a.display()
        )
    );
    for (options, what) in [
        (&["--columns", "absent"][..], "no column is named absent"),
        (&["--columns", "a"], "more than one column is named a"),
        (
            &["--no-header", "--columns", "4"],
            "no column 4: expected a number from 1 to 3",
        ),
        (
            &["--no-header", "--columns", "0"],
            "no column 0: expected a number from 1 to 3",
        ),
    ] {
        let message = trouble(&mut sum(options, "a,a,b\n1,2,3\n"));
        assert_eq!(
            message,
            format!("lthash: standard input: record 1, byte 0: {what}\n")
        );
    }
}

#[test]
fn a_text_can_stand_for_null() {
    let text = "a,b\n\\N,x\n,\\N\n";
    let with = |null: &str| -> Vec<Row> {
        (rows(&[&["\\N", "x"], &["", "\\N"]]).into_iter())
            .map(|row| {
                row.into_iter()
                    .map(|field| field.filter(|field| field != null))
                    .collect()
            })
            .collect()
    };
    assert_eq!(
        stdout(&mut sum(&["--null", "\\N"], text)),
        line_of(&with("\\N"))
    );
    assert_eq!(stdout(&mut sum(&["--null", ""], text)), line_of(&with("")));
    assert_eq!(stdout(&mut sum(&[], text)), line_of(&with("nothing")));
}

#[test]
fn the_first_line_is_no_row_unless_said_so() {
    assert_eq!(
        stdout(&mut sum(&["--no-header"], "a,b\n1,2\n")),
        line_of(&rows(&[&["a", "b"], &["1", "2"]]))
    );
    assert_eq!(stdout(&mut sum(&[], "a,b\n")), line_of(&[]));
    assert_eq!(stdout(&mut sum(&[], "")), line_of(&[]));
    assert_eq!(stdout(&mut sum(&[], "\n\r\n")), line_of(&[]));
    let folder = Folder::new();
    let (a, b) = (folder.file("a", "x\n1\n"), folder.file("b", "x\n2\n"));
    assert_eq!(
        stdout(lthash(["sum", "--format", "csv"]).args([a, b])),
        line_of(&rows(&[&["1"], &["2"]]))
    );
}

#[test]
fn what_is_no_table_is_trouble_at_its_place() {
    for (text, what) in [
        (
            "a,b\n1,2\n3\n",
            "record 3, byte 8: 1 fields: expected 2, as in the first line",
        ),
        (
            "a,b\n1,2,3\n",
            "record 2, byte 4: 3 fields: expected 2, as in the first line",
        ),
        (
            "a,b\n1,2\n3,\"4\n",
            "record 3, byte 8: the input ends within a quoted field of the row, 5 bytes after its beginning",
        ),
        (
            "\"a,b\n",
            "record 1, byte 0: the input ends within a quoted field of the row, 5 bytes after its beginning",
        ),
        (
            "a\n1\n\n2\n",
            "record 3, byte 4: an empty line in a table of one column: expected \"\" for an empty field, or no line",
        ),
    ] {
        assert_eq!(
            trouble(&mut sum(&[], text)),
            format!("lthash: standard input: {what}\n")
        );
    }
    let mut command = lthash(["sum", "--format", "csv"]);
    command.write_stdin(b"a,b\n1,\xff\n".to_vec());
    assert_eq!(
        trouble(&mut command),
        "lthash: standard input: record 2, byte 4: field 2 is no UTF-8: \"\\xff\"\n"
    );
    let long = format!("a,b\n1,\"{}\"\n", "x".repeat(9 << 20));
    assert!(trouble(&mut sum(&[], &long)).contains("record 2, byte 4: more than 8388608 bytes"));
    for options in [["--columns", "a"], ["--null", ""]] {
        assert_eq!(
            trouble(&mut lthash(["sum"].iter().chain(&options))),
            "lthash: --columns, --no-header and --null go with --format csv only\n"
        );
    }
}

#[test]
fn states_hold_rows() {
    let folder = Folder::new();
    let table = folder.file("table.csv", "id,text\n1,\"a\nx\"\n2,b\n");
    let state = folder.state(
        "state",
        &fs::read_to_string(&table).unwrap(),
        &["--format", "csv"],
    );
    stdout(lthash(["compare"]).args([&state, &table]));
    let added = folder.file("added.csv", "id,text\r\n3,\"c\"\r\n");
    let expected = line_of(&rows(&[&["1", "a\nx"], &["2", "b"], &["3", "c"]]));
    assert_eq!(
        stdout(lthash(["update"]).arg(&state).arg("--insert").arg(&added)),
        expected
    );
    assert!(
        trouble(lthash(["compare", "--format", "lines"]).args([&state, &table]))
            .contains("holds rows, not keyed: the options say lines")
    );
}

/// Long rows, and rows that lie across blocks, by any number of threads.
#[test]
fn rows_of_every_length() {
    let mut all = Vec::new();
    let mut text = String::from("a,b\n");
    for i in 0..4000 {
        let length = if i % 500 == 0 { 300_000 + i } else { i % 97 };
        let field: String = generated("row", i as u32, length)
            .iter()
            .map(|byte| ['a', '\n', '"', ',', 'é', '\r'][usize::from(byte % 6)])
            .collect();
        text += &format!("{i},\"{}\"\n", field.replace('"', "\"\""));
        all.push(vec![Some(i.to_string()), Some(field)]);
    }
    let expected = line_of(&all);
    let folder = Folder::new();
    let file = folder.file("file", &text);
    for threads in ["1", "2", "100"] {
        let mut command = lthash(["sum", "--format", "csv", "--threads", threads]);
        assert_eq!(stdout(command.arg(&file)), expected);
    }
}

const PYTHON: &str = "
import csv, json, random, sys
random.seed(int(sys.argv[1]))
width = random.randint(2, 5)
fields = ['', 'a', '\"', ',', '\\n', '\\r\\n', 'b c', 'é', '\"\"', ' x ', '\\\\', ';']
field = lambda: ''.join(random.choice(fields) for _ in range(random.randint(0, 4)))
rows = [[field() for _ in range(width)] for _ in range(random.randint(0, 40))]
with open('table.csv', 'w', newline='', encoding=random.choice(['utf-8', 'utf-8-sig'])) as file:
    writer = csv.writer(file, quoting=random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
                        lineterminator=random.choice(['\\n', '\\r\\n']))
    writer.writerow([f'c{i}' for i in range(width)])
    writer.writerows(random.sample(rows, len(rows)))
with open('table.csv', newline='', encoding='utf-8-sig') as file:
    read = list(csv.reader(file))[1:]
assert sorted(read) == sorted(rows)
print(json.dumps(read))
";

#[test]
fn rows_are_those_of_pythons_csv() {
    let folder = Folder::new();
    for seed in 0..30 {
        let output = Command::new("python3")
            .args(["-c", PYTHON, &seed.to_string()])
            .current_dir(folder.root())
            .output();
        let Ok(output) = output else {
            return not_tested("csv against Python's: there is no python3");
        };
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let read: Vec<Vec<String>> = serde_json::from_slice(&output.stdout).unwrap();
        let read: Vec<Row> = (read.into_iter())
            .map(|row| row.into_iter().map(Some).collect())
            .collect();
        assert_eq!(
            stdout(lthash(["sum", "--format", "csv"]).arg(folder.path("table.csv"))),
            line_of(&read),
            "seed {seed}"
        );
    }
}
