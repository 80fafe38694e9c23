//! Checksums against an oracle that shares nothing with this crate: oracle.py, in which pyarrow reads the same files, cbor2
//! encodes their rows, and blake3 and numpy add them up.
//!
//! It needs a Python with these packages: `LTHASH_PYTHON` names it, else it is `python3`; ci/engines.sh installs them. Where there
//! is none, `LTHASH_PYTHON=none` says so.

mod common;

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::IntervalUnit::{DayTime, YearMonth};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use common::table::Table;
use common::value::random;
use common::{batches, has_type};
use lthash::Accumulator;
use lthash_arrow::RowHasher;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who has written a file, and with which types.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Arrow,
    Parquet,
    /// By pyarrow, with Arrow's types in its metadata.
    ByPyarrow,
    /// By pyarrow, with Parquet's own types alone.
    Plain,
}

impl Form {
    /// Whether a file has the values that were written. If not, both sides still have to read the same.
    fn keeps(self, batch: &RecordBatch) -> bool {
        use DataType::*;
        !has_type(batch, |data_type| match data_type {
            // The Parquet writer here makes other runs of a slice of runs.
            RunEndEncoded(..) => self == Form::Parquet,
            // Parquet has neither these, whose extremes it has no place for, ...
            Date64 | Time32(TimeUnit::Second) => self != Form::Arrow,
            // ... nor these, which it has as integers and as nothing.
            Duration(_) | FixedSizeList(_, 0) => self == Form::Plain,
            _ => false,
        })
    }
}

struct Written<'a> {
    batch: &'a RecordBatch,
    form: Form,
    path: PathBuf,
}

/// As an Arrow file of two batches. `None` if the writer has no such type, such as a dictionary of dictionaries.
fn write_arrow(path: PathBuf, batch: &RecordBatch) -> Option<PathBuf> {
    let file = File::create(&path).unwrap();
    let mut writer = FileWriter::try_new(file, &batch.schema()).ok()?;
    let half = batch.num_rows() / 2;
    // Both have the same dictionaries, which a file can have once only.
    for (start, length) in [(0, half), (half, batch.num_rows() - half)] {
        writer.write(&batch.slice(start, length)).ok()?;
    }
    writer.finish().unwrap();
    Some(path)
}

/// `None` if Parquet, or its writer, has no such type. What is in seconds and `Date64` is left out too: the file has milliseconds
/// and days of 32 bits, which have no place for the extremes, and readers make different values of what is then there.
fn write_parquet(path: PathBuf, batch: &RecordBatch) -> Option<PathBuf> {
    use DataType::*;
    if has_type(batch, |data_type| {
        matches!(
            data_type,
            Date64 | Time32(TimeUnit::Second) | Timestamp(TimeUnit::Second, _)
        )
    }) {
        return None;
    }
    let file = File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).ok()?;
    writer.write(batch).ok()?;
    writer.close().ok()?;
    Some(path)
}

/// The number of rows of a file and their checksum, as the oracle prints them.
fn line_of(path: &Path) -> Result<String, ArrowError> {
    let file = File::open(path)?;
    if path.extension() == Some("arrow".as_ref()) {
        return line(FileReader::try_new(file, None)?);
    }
    line(ParquetRecordBatchReaderBuilder::try_new(file)?.build()?)
}

fn line(
    batches: impl IntoIterator<Item = Result<RecordBatch, ArrowError>>,
) -> Result<String, ArrowError> {
    let (mut count, mut accumulator) = (0, Accumulator::new());
    for batch in batches {
        let batch = batch?;
        let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
        rows.insert(&batch, &mut accumulator).unwrap();
        count += batch.num_rows();
    }
    Ok(format!("{count} {}", accumulator.finish().checksum()))
}

/// What oracle.py prints.
fn oracle<'a>(python: &str, arguments: impl Iterator<Item = &'a OsStr>) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle.py");
    let output = Command::new(python).arg(script).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{python}: {error}"));
    assert!(
        output.status.success(),
        "{python} {script} failed. It needs pyarrow, cbor2, blake3 and numpy (ci/engines.sh installs them); \
         LTHASH_PYTHON=none says that there is none.\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Random tables, whose columns are random as to how they are stored.
fn random_batches() -> impl Iterator<Item = RecordBatch> {
    (0..100).map(|seed| {
        let random = &mut random(seed);
        let columns = Table::random(2, 30, random).store(random);
        RecordBatch::try_from_iter(["a", "b"].into_iter().zip(columns)).unwrap()
    })
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
    let path = |name: &str| folder.path().join(name);
    // pyarrow has no values for other intervals than those of months, days and nanoseconds.
    let is_foreign = |data_type: &_| matches!(data_type, DataType::Interval(YearMonth | DayTime));
    let mut batches: Vec<RecordBatch> = batches().into_iter().map(|(_, batch)| batch).collect();
    let fixed = batches.len();
    batches.extend(random_batches());
    let mut files = Vec::new();
    for (index, batch) in batches.iter().enumerate() {
        if has_type(batch, is_foreign) {
            continue;
        }
        let mut push = |form, path| files.push(Written { batch, form, path });
        if let Some(path) = write_arrow(path(&format!("{index}.arrow")), batch) {
            push(Form::Arrow, path);
        }
        // The writer has been seen to panic for lists of no length.
        if index < fixed
            && let Some(path) = write_parquet(path(&format!("{index}.parquet")), batch)
        {
            push(Form::Parquet, path);
        }
    }
    let arrow = files.iter().filter(|file| file.form == Form::Arrow);
    let arrow = arrow.map(|file| file.path.as_os_str());
    let to_parquet = ["--to-parquet".as_ref(), folder.path().as_os_str()];
    let by_pyarrow = oracle(&python, to_parquet.into_iter().chain(arrow));
    for line in by_pyarrow.lines() {
        let path = PathBuf::from(line);
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (index, form) = name.split_once(' ').unwrap();
        files.push(Written {
            batch: &batches[index.parse::<usize>().unwrap()],
            form: if form == "arrow" {
                Form::ByPyarrow
            } else {
                Form::Plain
            },
            path,
        });
    }

    let lines = oracle(&python, files.iter().map(|file| file.path.as_os_str()));
    assert_eq!(lines.lines().count(), files.len());
    let mut read = HashMap::new();
    for (Written { batch, form, path }, expected) in files.iter().zip(lines.lines()) {
        // Neither library reads every file that one of them has written.
        let Ok(actual) = line_of(path) else { continue };
        if expected.starts_with("not read") {
            continue;
        }
        assert_eq!(actual, expected, "{form:?}: {}", batch.schema());
        if form.keeps(batch) {
            let original = line([Ok((*batch).clone())]).unwrap();
            assert_eq!(actual, original, "{form:?}: {}", batch.schema());
        }
        *read.entry(format!("{form:?}")).or_insert(0) += 1;
    }
    for (form, least) in [
        ("Arrow", 275),
        ("Parquet", 150),
        ("ByPyarrow", 185),
        ("Plain", 185),
    ] {
        let count = read.get(form).copied().unwrap_or(0);
        assert!(count >= least, "{form}: {count} files have been read");
    }
}
