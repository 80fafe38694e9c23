//! `lthash diff`.

use crate::buckets::Buckets;
use crate::differences::{Difference, Differences};
use crate::framing::Framing;
use crate::names::Name;
use crate::reading::{self, Reading};
use crate::scan::Scan;
use crate::tally::Hashing;
use crate::{output, status};
use anyhow::{Result, bail, ensure};
use clap::Args;
use lthash::Kernels;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print which records differ between two files, in whatever order they are.
///
/// Prints a line `- RECORD` for each record that only A holds and `+ RECORD` for each that only B holds; a record that one
/// of them holds more often is printed as often as it does. Lines come in order of their records or keys, or in several
/// such runs where many differ. Exits with 0 if the files hold the same records, 1 if they differ and 2 on trouble.
///
/// The files need be neither sorted nor small. They are read once to hash their records into buckets, and again, for the
/// buckets that differ, as often as it takes to print what differs: once, unless that is more than memory holds. Memory is
/// bounded: 360 MiB for records that differ (and those in their buckets), and 9 MiB for each thread. A record has at most 8
/// MiB. What is no regular file is copied to a temporary one.
///
/// With --format csv, rows are printed as the columns that count, quoted where they have to be; with --format length, bytes
/// that do not print are escaped. Records that end with another byte than a newline are printed with that byte behind them.
#[derive(Args)]
#[command(after_long_help = MORE)]
pub struct Diff {
    /// A file of records; - is standard input
    a: PathBuf,

    /// A file of records; - is standard input
    b: PathBuf,

    /// Of --format csv, print rows that are the same in these columns one after the other: names as a row of CSV, or numbers.
    /// Keys and values are always printed so
    #[arg(long, value_name = "COLUMNS")]
    key: Option<String>,

    /// Print only how many records differ
    #[arg(long)]
    summary: bool,

    /// Print at most this many records
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    #[command(flatten)]
    reading: Reading,
}

const MORE: &str = "\
Exit status:
  0  the same records
  1  different ones
  2  trouble

Examples:
  lthash diff yesterday.txt today.txt
  lthash diff --format csv --key id a.csv b.csv.gz
  lthash diff --summary <(psql -c 'copy t to stdout' one) <(psql -c 'copy t to stdout' other)";

pub fn run(kernels: &'static Kernels, diff: &Diff) -> Result<ExitCode> {
    let reading = &diff.reading;
    let (inputs, hash_key) = reading.inputs([&diff.a, &diff.b])?;
    ensure!(
        hash_key.is_none(),
        "--key-file does not go with diff, which prints no hash"
    );
    let framing = reading.framing()?.unwrap_or_default();
    let mut scan = Scan::new(framing, reading)?;
    scan.layout.table.key = match (&diff.key, framing) {
        (None, _) => None,
        (Some(names), Framing::Csv(_)) => Some(reading::columns("--key", names)?),
        (Some(name), Framing::KeyValue) if name == "key" => None,
        (Some(_), _) => bail!("--key goes with --format csv, or is `key` with --format kv"),
    };
    let mut inputs = inputs.into_iter();
    let (Some(a), Some(b)) = (inputs.next(), inputs.next()) else {
        bail!("expected two files");
    };
    let (a, b) = (a.repeatable()?, b.repeatable()?);
    let size = a.size().zip(b.size()).map(|(a, b)| a.saturating_add(b));
    let buckets =
        Buckets::for_size(size).differing(&Hashing { kernels, key: None }, &scan, &a, &b)?;
    let are_equal = buckets.are_none();
    let mut differences = Differences::new(&scan, &a, &b, buckets);
    let mut printer = Printer::new(diff, framing);
    while let Some(found) = differences.next()? {
        printer.print(&found)?;
        if printer.is_full() {
            break;
        }
    }
    ensure!(
        are_equal || printer.has_found(),
        "{} or {} changed while they were read",
        Name(&diff.a),
        Name(&diff.b)
    );
    printer.finish()?;
    Ok(status::compared(are_equal))
}

/// Lines are written so many bytes at a time.
const BUFFER: usize = 64 << 10;

/// Prints differences, or counts them.
struct Printer<'a> {
    diff: &'a Diff,
    framing: Framing,
    /// What is yet to be written.
    out: Vec<u8>,
    printed: u64,
    has_more: bool,
    only_a: u64,
    only_b: u64,
    /// Those of the same key.
    changed: u64,
}

impl<'a> Printer<'a> {
    fn new(diff: &'a Diff, framing: Framing) -> Self {
        Printer {
            diff,
            framing,
            out: Vec::new(),
            printed: 0,
            has_more: false,
            only_a: 0,
            only_b: 0,
            changed: 0,
        }
    }

    fn print(&mut self, differences: &[Difference]) -> Result<()> {
        let is_same_key = |a: &Difference, b: &Difference| a.key == b.key;
        for same_key in differences.chunk_by(is_same_key) {
            self.count(same_key);
            if self.diff.summary {
                continue;
            }
            for difference in same_key {
                self.print_record(difference)?;
            }
        }
        self.write_out()
    }

    fn write_out(&mut self) -> Result<()> {
        output::write(&self.out)?;
        self.out.clear();
        Ok(())
    }

    fn count(&mut self, same_key: &[Difference]) {
        let more = |sign: i64| -> u64 {
            (same_key.iter())
                .filter(|difference| difference.more.0.signum() == sign)
                .map(|difference| difference.more.0.unsigned_abs())
                .sum()
        };
        let (a, b) = (more(1), more(-1));
        let changed = a.min(b);
        self.only_a += a - changed;
        self.only_b += b - changed;
        self.changed += changed;
    }

    fn print_record(&mut self, difference: &Difference) -> Result<()> {
        let more = difference.more.0;
        let mut line = if more > 0 {
            b"- ".to_vec()
        } else {
            b"+ ".to_vec()
        };
        self.framing.print(&difference.text, &mut line);
        for _ in 0..more.unsigned_abs() {
            if self.diff.limit.is_some_and(|limit| self.printed >= limit) {
                self.has_more = true;
                break;
            }
            self.out.extend_from_slice(&line);
            self.printed += 1;
            if self.out.len() > BUFFER {
                self.write_out()?;
            }
        }
        Ok(())
    }

    /// Whether no more can be printed.
    fn is_full(&self) -> bool {
        self.has_more && !self.diff.summary
    }

    fn has_found(&self) -> bool {
        self.only_a + self.only_b + self.changed > 0
    }

    fn finish(&self) -> Result<()> {
        if self.diff.summary {
            output::line(format_args!("only in A: {} records", self.only_a))?;
            output::line(format_args!("only in B: {} records", self.only_b))?;
            if self.changed > 0 || self.diff.key.is_some() {
                output::line(format_args!("changed: {} records", self.changed))?;
            }
        }
        if self.has_more {
            output::warn("more records differ than --limit allows to print");
        }
        Ok(())
    }
}
