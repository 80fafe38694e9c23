//! `lthash records`.

use crate::buckets::{self, Buckets, spread};
use crate::csv::Columns;
use crate::decoder::Decoder;
use crate::framing::Framing;
use crate::input::Position;
use crate::output;
use crate::reading::Reading;
use crate::scan::{Scan, Worker};
use anyhow::{Result, ensure};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the records of some buckets.
///
/// Where two states have buckets and differ, compare names the buckets that do. This prints their records on each side, so
/// that no more than those need to be brought together. They are printed in the order of the files, as diff prints them but
/// without its signs.
///
/// A record's bucket is told by the upper bits of its XXH3 hash of 64 bits: of a key-value pair, that of the key; of a row, that
/// of its normal form (docs/ROWS.md).
#[derive(Args)]
#[command(after_long_help = MORE)]
pub struct Records {
    /// Files of records; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,

    /// The buckets, counted from 0
    #[arg(
        long,
        value_name = "BUCKET,...",
        value_delimiter = ',',
        required = true
    )]
    buckets: Vec<usize>,

    /// How many buckets there are, as sum --buckets was told
    #[arg(long, value_name = "N", value_parser = buckets::parse_number)]
    of: usize,

    #[command(flatten)]
    reading: Reading,
}

const MORE: &str = "\
Exit status:
  0  done
  2  trouble

Examples:
  lthash sum --state here.state --buckets 1024 export.csv     on each of two machines
  lthash compare here.state there.state                       where one of the states has been copied to
  lthash records --buckets 17,305 --of 1024 export.csv        on each again, with what compare has named";

pub fn run(records: &Records) -> Result<ExitCode> {
    let reading = &records.reading;
    let (inputs, hash_key) = reading.inputs(&records.files)?;
    ensure!(
        hash_key.is_none(),
        "--key-file does not go with records, which prints no hash"
    );
    for bucket in &records.buckets {
        ensure!(
            *bucket < records.of,
            "--buckets: there is no bucket {bucket} of {}: expected 0 to {}",
            records.of,
            records.of - 1
        );
    }
    let framing = reading.framing()?.unwrap_or_default();
    let scan = Scan::new(framing, reading)?.in_order();
    let buckets = Buckets::some(records.of, &records.buckets);
    let read = scan.all(&inputs, || Printer {
        framing,
        decoder: Decoder::new(framing),
        buckets: buckets.clone(),
        text: Vec::new(),
        out: Vec::new(),
        records: 0,
    })?;
    reading.ensure_enough(read.iter().map(|printer| printer.records).sum())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the records of some buckets.
struct Printer {
    framing: Framing,
    decoder: Decoder,
    buckets: Buckets,
    /// The record that is printed.
    text: Vec<u8>,
    /// What is yet to be written.
    out: Vec<u8>,
    /// How many were read.
    records: i64,
}

impl Worker for Printer {
    fn take(
        &mut self,
        bytes: &[u8],
        position: Position<'_>,
        columns: Option<&Columns>,
    ) -> Result<()> {
        let Printer {
            framing,
            buckets,
            text,
            out,
            records,
            ..
        } = self;
        self.decoder.each(bytes, position, columns, &mut |record| {
            *records += 1;
            if buckets.hold(spread(record.key)) {
                text.clear();
                record.text.write(text);
                framing.print(text, out);
            }
            Ok(())
        })?;
        output::write(out)?;
        out.clear();
        Ok(())
    }
}
