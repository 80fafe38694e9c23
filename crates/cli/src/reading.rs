//! The options that say how files are read.

use crate::csv::{Fields, Table};
use crate::framing::{Format, Framing};
use crate::input::Input;
use crate::key::{self, Key};
use anyhow::{Result, bail, ensure};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// How files are read.
#[derive(Args)]
pub struct Reading {
    /// How records lie in a file [default: lines]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// What ends a record of --format lines, or stands between fields of --format csv: newline, nul, tab, a character, or a
    /// byte such as 0x1e [default: newline, or a comma]
    #[arg(long, value_name = "BYTE", value_parser = parse_delimiter)]
    delimiter: Option<u8>,

    /// Of --format csv, only these columns, in this order: names as a row of CSV, or numbers from 1 with --no-header
    #[arg(long, value_name = "COLUMNS")]
    columns: Option<String>,

    /// Of --format csv, the first line is a row too; otherwise it names the columns and is no record
    #[arg(long)]
    no_header: bool,

    /// Of --format csv, a field of this text is NULL, and not this text
    #[arg(long, value_name = "TEXT")]
    null: Option<String>,

    /// Hash under the key in this file: 32 bytes, or 64 hexadecimal digits; - is standard input
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,

    /// Read compressed files as they are; otherwise gzip and Zstandard are known by a file's first bytes
    #[arg(long)]
    pub no_decompress: bool,

    /// Fail if there are fewer records than this, as where the program that writes them has failed
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    min_records: u64,

    /// Compute on this many threads; 0 is all that the system offers [default: 0]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,

    /// Never show a progress bar (there is none unless standard error is a terminal)
    #[arg(long)]
    pub no_progress: bool,
}

impl Reading {
    /// What the options say about records, if anything.
    pub fn framing(&self) -> Result<Option<Framing>> {
        Ok(match (self.format, self.delimiter) {
            (None, None) => None,
            (None | Some(Format::Lines), delimiter) => {
                Some(Framing::Delimited(delimiter.unwrap_or(b'\n')))
            }
            (Some(Format::Length), None) => Some(Framing::Length),
            (Some(Format::Kv), None) => Some(Framing::KeyValue),
            (Some(Format::Csv), Some(b'"' | b'\r' | b'\n')) => {
                bail!("--delimiter of --format csv: expected no quote and no end of a line")
            }
            (Some(Format::Csv), delimiter) => Some(Framing::Csv(delimiter.unwrap_or(b','))),
            (Some(_), Some(_)) => bail!("--delimiter goes with --format lines or csv only"),
        })
    }

    /// What the options say about tables.
    ///
    /// # Errors
    ///
    /// If they say something, and records are of another framing.
    pub fn table(&self, framing: Framing) -> Result<Table> {
        let is_table = matches!(framing, Framing::Csv(_));
        ensure!(
            is_table || (self.columns.is_none() && !self.no_header && self.null.is_none()),
            "--columns, --no-header and --null go with --format csv only"
        );
        let chosen = self
            .columns
            .as_deref()
            .map(|names| columns("--columns", names));
        let null = self.null.clone().map(String::into_bytes);
        Ok(Table::new(self.no_header, chosen.transpose()?, null))
    }

    /// The inputs that arguments name, where `-` is standard input, and the key, if there is one.
    ///
    /// # Errors
    ///
    /// If standard input is named twice: the second reading would find nothing.
    pub fn inputs<'a>(
        &self,
        paths: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<(Vec<Input>, Option<Key>)> {
        let inputs: Vec<Input> = paths.into_iter().map(|path| Input::new(path)).collect();
        let key_input = self.key_file.as_deref().map(Input::new);
        let all = inputs.iter().chain(&key_input);
        ensure!(
            all.filter(|input| input.is_stdin()).count() <= 1,
            "standard input is named twice: it can be read only once"
        );
        let key = key_input.as_ref().map(key::read).transpose()?;
        Ok((inputs, key))
    }

    /// Checks that there are as many records as are expected at least.
    pub fn ensure_enough(&self, records: i64) -> Result<()> {
        ensure!(
            u64::try_from(records).is_ok_and(|records| records >= self.min_records),
            "{records} records: expected at least {}",
            self.min_records
        );
        Ok(())
    }

    pub fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.threads)
            .or_else(|| available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }
}

/// The names of columns that an option gives as a row of CSV.
pub fn columns(option: &str, names: &str) -> Result<Vec<Vec<u8>>> {
    let mut fields = Fields::new(b',');
    ensure!(
        fields.read(names.as_bytes()),
        "{option}: expected names in one row of CSV"
    );
    Ok(fields.iter().map(<[u8]>::to_vec).collect())
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"newline" => Ok(b'\n'),
        b"nul" => Ok(0),
        b"tab" => Ok(b'\t'),
        [byte] => Ok(*byte),
        [b'0', b'x', ..] => u8::from_str_radix(&text[2..], 16).map_err(|_| wanted_delimiter()),
        _ => Err(wanted_delimiter()),
    }
}

fn wanted_delimiter() -> String {
    "expected newline, nul, tab, one ASCII character, or a byte from 0x00 to 0xff".into()
}
