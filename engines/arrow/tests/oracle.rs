//! Checksums against an oracle that shares nothing with this crate: oracle.py, in which pyarrow reads the same files, cbor2
//! encodes their rows, and blake3 and numpy add them up.
//!
//! It needs a Python with these packages: `LTHASH_PYTHON` names it, else it is `python3`; ci/engines.sh installs them. Where there
//! is none, `LTHASH_PYTHON=none` says so.

mod common;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, FieldRef, TimeUnit};
use common::{batches, checksum};
use parquet::arrow::ArrowWriter;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes each batch by itself and as a file of several batches.
fn write_ipc(folder: &Path, name: &str, batch: &RecordBatch) -> PathBuf {
    let path = folder.join(format!("{name}.arrow"));
    let file = File::create(&path).unwrap();
    let mut writer = FileWriter::try_new(file, &batch.schema()).unwrap();
    let half = batch.num_rows() / 2;
    // Both have the same dictionaries, which a file can have once only.
    writer.write(&batch.slice(0, half)).unwrap();
    writer
        .write(&batch.slice(half, batch.num_rows() - half))
        .unwrap();
    writer.finish().unwrap();
    path
}

/// `None` if Parquet, or its writer, has no such type, or does not keep its values: of a slice of runs it writes others, and
/// seconds are stored as milliseconds and `Date64` as days of 32 bits, which have no place for the extremes.
fn write_parquet(folder: &Path, name: &str, batch: &RecordBatch) -> Option<PathBuf> {
    let is_kept = |field: &FieldRef| {
        use DataType::*;
        !matches!(
            field.data_type(),
            RunEndEncoded(..) | Date64 | Time32(TimeUnit::Second) | Timestamp(TimeUnit::Second, _)
        )
    };
    if !batch.schema().fields().iter().all(is_kept) {
        return None;
    }
    let path = folder.join(format!("{name}.parquet"));
    let mut writer =
        ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).ok()?;
    writer.write(batch).ok()?;
    writer.close().ok()?;
    Some(path)
}

#[test]
fn checksums_are_those_of_other_libraries() {
    let python = std::env::var("LTHASH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if python == "none" {
        common::not_tested(
            "checksums against pyarrow, cbor2, blake3 and numpy: LTHASH_PYTHON is none",
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut paths, mut expected) = (Vec::new(), Vec::new());
    let mut in_parquet = 0;
    for (name, batch) in batches() {
        let line = format!("{} {}", batch.num_rows(), checksum(&batch));
        if !common::in_python(&batch) {
            continue;
        }
        paths.push(write_ipc(folder.path(), &name, &batch));
        expected.push(format!("{name}: {line}"));
        if let Some(path) = write_parquet(folder.path(), &name, &batch) {
            in_parquet += 1;
            paths.push(path);
            expected.push(format!("{name} (Parquet): {line}"));
        }
    }
    assert!(
        in_parquet > 25,
        "only {in_parquet} batches were written as Parquet"
    );
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle.py");
    let output = Command::new(&python).arg(script).args(&paths).output();
    let output = output.unwrap_or_else(|error| panic!("{python}: {error}"));
    assert!(
        output.status.success(),
        "{python} {script} failed. It needs pyarrow, cbor2, blake3 and numpy (ci/engines.sh installs them); \
         LTHASH_PYTHON=none says that there is none.\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), expected.len());
    for (expected, line) in expected.iter().zip(lines) {
        assert!(
            expected.ends_with(line),
            "{expected}, and the oracle has {line}"
        );
    }
}
