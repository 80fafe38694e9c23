//! TPC-H's lineitem at scale 0.1 in sixteen Parquet files, hashed by a cluster, by one machine, by the program `lthash` and by
//! Python.
//!
//! `LTHASH_PROGRAM` names the program, and `LTHASH_PYTHON` a Python with pyarrow, cbor2, blake3 and numpy, else it is
//! `python3`; ci/sql.sh sets both. Where there is none, `none` says so.

use crate::PATIENT;
use crate::harness::{Cluster, alone};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::RecordBatchReader;
use datafusion::parquet::arrow::ArrowWriter;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use tpchgen::generators::LineItemGenerator;
use tpchgen_arrow::LineItemArrow;

const SCALE: f64 = 0.1;
const PARTS: i32 = 16;

/// By the column whose values Python groups by as well.
const GROUPS: &str = "l_linenumber";

fn make_files(folder: &Path) -> (SchemaRef, Vec<PathBuf>) {
    std::fs::create_dir(folder).unwrap();
    let part = |part| {
        let batches = LineItemArrow::new(LineItemGenerator::new(SCALE, part, PARTS));
        let path = folder.join(format!("{part}.parquet"));
        let schema = batches.schema();
        let file = File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, schema.clone(), None).unwrap();
        for batch in batches {
            writer.write(&batch.unwrap()).unwrap();
        }
        writer.close().unwrap();
        (schema, path)
    };
    let (mut schemas, paths): (Vec<_>, Vec<_>) = (1..=PARTS).map(part).unzip();
    (schemas.remove(0), paths)
}

/// Each group's rows and checksum, and those of all, as CSV lines.
fn by_python(files: &[PathBuf]) -> Option<String> {
    let python = std::env::var("LTHASH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if python == "none" {
        not_tested(
            "checksums of lineitem against pyarrow, cbor2, blake3 and numpy: LTHASH_PYTHON is none",
        );
        return None;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../arrow/tests/oracle.py");
    let mut command = Command::new(python);
    Some(output(command.args([script, "--by", GROUPS]).args(files)).replace(' ', ","))
}

/// The checksum of a CSV file's rows.
fn by_program(file: &Path) -> Option<String> {
    let program = match std::env::var("LTHASH_PROGRAM") {
        Ok(program) if program != "none" => program,
        _ => {
            not_tested(
                "checksums of lineitem against the program lthash: LTHASH_PROGRAM names none",
            );
            return None;
        }
    };
    let sum = output(
        Command::new(program)
            .args(["sum", "--format", "csv"])
            .arg(file),
    );
    Some(sum.split_whitespace().next().unwrap().to_owned())
}

fn output(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Says what goes untested here, so that a test which is passed over does not look like one that has passed.
fn not_tested(what: &str) {
    // Not by a macro, whose output the test harness would hold back.
    let line = format!("\nNOT TESTED: {what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

#[test]
fn a_cluster_one_machine_the_program_and_python_agree() {
    let cluster = Cluster::start(PATIENT);
    let folder = cluster.path("lineitem");
    let (schema, files) = make_files(&folder);
    let table = format!("'{}/'", folder.display());
    let python = thread::spawn(move || by_python(&files));

    // With the values' own types, in groups and of all.
    let rollup = format!(
        "SELECT count(*), lthash(*) FROM {table} GROUP BY ROLLUP ({GROUPS}) ORDER BY {GROUPS}"
    );
    let by_cluster = cluster.run(&[], &rollup);
    assert_eq!(by_cluster, alone(&rollup));

    // As text.
    let texts = |name: &str| format!("CAST({name} AS VARCHAR)");
    let texts: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| texts(field.name()))
        .collect();
    let texts = texts.join(", ");
    let of_texts = format!("SELECT lthash({texts}) AS checksum FROM {table}");
    let checksum = cluster.run(&[], &of_texts);
    assert_eq!(checksum, alone(&of_texts));
    let csv = cluster.path("lineitem.csv");
    alone(&format!(
        "COPY (SELECT {texts} FROM {table}) TO '{}' OPTIONS ('format.has_header' 'true')",
        csv.display()
    ));
    if let Some(by_program) = by_program(&csv) {
        assert_eq!(checksum, format!("checksum\n{by_program}\n"));
    }

    if let Some(by_python) = python.join().unwrap() {
        // A header is first, and NULLs, the group of all, are last.
        let (_, groups) = by_cluster.split_once('\n').unwrap();
        assert_eq!(groups, by_python);
    }
}
