//! The program `lthash-sql` on one machine.
#![cfg(feature = "cli")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lthash-sql"));
    command.env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a run prints that has to succeed.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stderr), "", "{command:?}");
    text(&output.stdout)
}

/// The error of a run that has to fail.
fn trouble(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    assert_eq!(status.code(), Some(2), "{command:?}: {}", text(&stdout));
    assert_eq!(text(&stdout), "", "{command:?}");
    text(&stderr)
}

/// A folder with one table in two CSV files and one Parquet file.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write =
        |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    std::fs::create_dir(folder.path().join("days")).unwrap();
    write("days/1.csv", "id,name\n1,pen\n2,\n");
    write("days/2.csv", "id,name\n3,ink\n4,nib\n");
    write(
        "all.json",
        "{\"id\":4,\"name\":\"nib\"}\n{\"id\":2}\n{\"id\":3,\"name\":\"ink\"}\n{\"id\":1,\"name\":\"pen\"}\n",
    );
    printed(program().current_dir(folder.path()).args([
        "-c",
        "COPY (SELECT * FROM 'days/*.csv') TO 'all.parquet'",
        "--format",
        "csv",
    ]));
    printed(program().current_dir(folder.path()).args([
        "-c",
        "COPY (SELECT * FROM 'days/') TO 'all.arrow'",
        "--format",
        "csv",
    ]));
    folder
}

fn checksum(folder: &Path, table: &str) -> String {
    let sql = format!("SELECT lthash(id, name) AS c FROM '{table}'");
    let csv = printed(
        program()
            .current_dir(folder)
            .args(["--format", "csv", "-c", &sql]),
    );
    let (header, checksum) = csv.split_once('\n').unwrap();
    assert_eq!(header, "c");
    checksum.trim_end().to_owned()
}

#[test]
fn every_kind_of_file_gives_one_checksum() {
    let folder = folder();
    // By Python: cbor2, blake3 and numpy, of [1, "pen"], [2, None], [3, "ink"] and [4, "nib"].
    for table in [
        "days/*.csv",
        "days",
        "days/",
        "all.json",
        "all.parquet",
        "all.arrow",
    ] {
        assert_eq!(
            checksum(folder.path(), table),
            "7b24e9fd049f7713667400de319c975433833d48262132b9e4339f981db699a6",
            "{table}"
        );
    }
    assert_ne!(
        checksum(folder.path(), "days/1.csv"),
        checksum(folder.path(), "days/2.csv")
    );
}

#[test]
fn statements_come_from_options_files_and_standard_input() {
    let folder = folder();
    let sql = "CREATE EXTERNAL TABLE d (id BIGINT, name VARCHAR) STORED AS CSV LOCATION 'days/' OPTIONS ('format.has_header' 'true');\n\
               SELECT count(*) AS n FROM d; -- a comment; and another\n\
               SELECT ';' AS semicolon;";
    let expected = "n\n4\nsemicolon\n;\n";
    std::fs::write(folder.path().join("q.sql"), sql).unwrap();
    let base = || {
        let mut command = program();
        command.current_dir(folder.path()).args(["--format", "csv"]);
        command
    };
    assert_eq!(printed(base().arg("q.sql")), expected);
    assert_eq!(printed(base().args(["-c", sql])), expected);
    assert_eq!(
        printed(base().args(["-c", "SELECT 1 AS a", "-c", "SELECT 2 AS a"])),
        "a\n1\na\n2\n"
    );
    for arguments in [&[][..], &["-"]] {
        let mut child = base()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(sql.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(text(&output.stdout), expected);
    }
}

#[test]
fn results_are_tables_json_or_csv() {
    let sql = "SELECT 1 AS a, NULL AS b, X'00ff' AS c UNION ALL SELECT 2, 'x', NULL ORDER BY a";
    let with = |format: &str| printed(program().args(["--format", format, "-c", sql]));
    assert_eq!(with("csv"), "a,b,c\n1,,00ff\n2,x,\n");
    assert_eq!(
        with("json"),
        "[{\"a\":1,\"b\":null,\"c\":\"00ff\"},{\"a\":2,\"b\":\"x\",\"c\":null}]\n"
    );
    let table = printed(program().args(["-c", sql]));
    assert!(table.contains("| 2 | x |"), "{table}");
    let none = "SELECT 1 AS a WHERE false";
    assert_eq!(
        printed(program().args(["--format", "json", "-c", none])),
        "[]\n"
    );
    assert_eq!(
        printed(program().args(["--format", "csv", "-c", none])),
        "a\n"
    );
    assert!(printed(program().args(["-c", none])).contains("| a |"));
    assert_eq!(
        printed(program().args(["-c", "CREATE TABLE x AS VALUES (1)"])),
        ""
    );
}

#[test]
fn trouble_is_told_and_is_2() {
    let folder = folder();
    let in_folder = |sql: &str| trouble(program().current_dir(folder.path()).args(["-c", sql]));
    std::fs::write(
        folder.path().join("broken.parquet"),
        "PAR1 and nothing else",
    )
    .unwrap();
    let parquet = std::fs::read(folder.path().join("all.parquet")).unwrap();
    let half = parquet.len() / 2;
    let deep = format!("{}1{}\n", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    for (file, content) in [
        ("ragged.csv", &b"a,b\n1,2\n1,2,3\n"[..]),
        ("bytes.csv", b"a,b\n1,x\n2,\xff\n"),
        ("half.json", b"{\"a\":1}\n{\"a\":\n"),
        ("mixed.json", b"{\"a\":1}\n{\"a\":{\"b\":2}}\n"),
        ("deep.json", deep.as_bytes()),
        ("empty.csv", b""),
        ("half.parquet", &parquet[..half]),
    ] {
        std::fs::write(folder.path().join(file), content).unwrap();
    }
    std::fs::create_dir(folder.path().join("mixed")).unwrap();
    for (file, value) in [("1", "1"), ("2", "'x'")] {
        let sql = format!("COPY (SELECT {value} AS a) TO 'mixed/{file}.parquet'");
        printed(
            program()
                .current_dir(folder.path())
                .args(["-c", &sql, "--format", "csv"]),
        );
    }
    for (sql, words) in [
        ("SELEC 1", "SELEC"),
        ("SELECT lthash(a) FROM 'missing.csv'", "missing.csv"),
        ("SELECT lthash(a) FROM 'broken.parquet'", "arquet"),
        ("SELECT lthash(a, b) FROM 'ragged.csv'", "ragged.csv"),
        ("SELECT lthash(*) FROM 'bytes.csv'", "UTF-8"),
        ("SELECT lthash(*) FROM 'half.json'", "JSON"),
        ("SELECT lthash(*) FROM 'mixed.json'", "json"),
        ("SELECT lthash(*) FROM 'deep.json'", "recursion"),
        ("SELECT lthash(*) FROM 'empty.csv'", "have no columns"),
        ("SELECT lthash(*) FROM 'half.parquet'", "arquet"),
        ("SELECT lthash(a) FROM 'mixed/'", "a"),
        ("SELECT lthash(c) FROM 'days/'", "c"),
        ("SELECT 1; SELEC 2", "SELEC"),
        ("SELECT lthash_merge(name) FROM 'days/'", "lthash_merge"),
    ] {
        let error = in_folder(sql);
        assert!(
            error.starts_with("lthash-sql: ") && error.contains(words),
            "{sql}: {error}"
        );
        assert!(!error.contains("panicked"), "{sql}: {error}");
    }
    let deep = |before: &str, open: &str, value: &str| {
        let sql = format!(
            "{before}{}{value}{}",
            open.repeat(100_000),
            ")".repeat(100_000)
        );
        std::fs::write(folder.path().join("deep.sql"), sql).unwrap();
        trouble(program().arg(folder.path().join("deep.sql")))
    };
    deep("SELECT ", "(", "1");
    let error = deep("SELECT lthash(arrow_cast(NULL, '", "List(", "Int64");
    assert!(error.contains("nest 100000 deep"), "{error}");
    trouble(program().arg("missing.sql"));
    trouble(program().args(["--memory-limit", "3 apples", "-c", "SELECT 1"]));
    trouble(program().args(["--memory-limit", "0", "-c", "SELECT 1"]));
    trouble(program().args(["--format", "yaml"]));
}

#[test]
fn memory_is_limited() {
    let sql = "SELECT count(*) AS n, count(DISTINCT c) AS d FROM \
               (SELECT lthash(value) AS c FROM range(60000) GROUP BY value)";
    let limited = |limit: &str| {
        let mut command = program();
        command.args([
            "--format",
            "csv",
            "--memory-limit",
            limit,
            "-c",
            "SET datafusion.execution.target_partitions = 2",
            "-c",
            sql,
        ]);
        command
    };
    assert_eq!(printed(&mut limited("1G")), "n,d\n60000,60000\n");
    assert!(trouble(&mut limited("100K")).contains("Resources exhausted"));
}

#[test]
fn ctrl_c_ends_a_query() {
    let mut child = program()
        .args([
            "-c",
            "SELECT lthash(a.value, b.value) FROM range(1000000) a, range(1000000) b",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    for _ in 0..300 {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(2));
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    child.kill().unwrap();
    panic!("the query goes on");
}
