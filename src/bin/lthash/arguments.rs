//! The command line.

use crate::framing::{Format, Framing};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use lthash::Backend;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Set hashes of files' records: one checksum whatever the records' order.
///
/// The records of all FILEs are one multiset, whose hash is LtHash-16-1024 with BLAKE3: two multisets have the same
/// checksum exactly when they hold the same records equally often, in any order.
#[derive(Parser)]
#[command(name = "lthash", version, after_long_help = EPILOGUE, max_term_width = 100)]
pub struct Arguments {
    /// Compute with this backend instead of the fastest one here
    #[arg(long, global = true, value_name = "NAME", value_parser = backend_parser())]
    pub backend: Option<Backend>,

    #[command(subcommand)]
    pub command: Command,
}

const EPILOGUE: &str = "\
Exit status:
  0  done; for compare: equal
  1  for compare: different
  2  trouble, told on standard error as FILE: record NUMBER, byte OFFSET: what is wrong
     (records are counted from 1, bytes of the file from 0)
A closed pipe ends the program quietly.

Environment:
  LTHASH_BACKEND  the backend to compute with: portable, avx2 or avx512
  NO_COLOR        if set and not empty, help and errors have no colours

Examples:
  lthash sum export.csv
  pg_dump --data-only table | lthash sum
  lthash help sum";

#[derive(Subcommand)]
pub enum Command {
    Sum(Sum),
    Backends(Backends),
    Man(Man),
    Completions(Completions),
}

/// Print the checksum of the records of all FILEs together.
///
/// Prints one line:
///
///   CHECKSUM  RECORDS records  BYTES bytes
///
/// CHECKSUM is BLAKE3-256 of the set hash, 64 hexadecimal digits. RECORDS and BYTES count what was hashed, delimiters
/// and length prefixes left out. Compare the counts too: a record that occurs 65,536 times adds up to nothing.
#[derive(Args)]
#[command(after_long_help = SUM_EXAMPLES)]
pub struct Sum {
    #[command(flatten)]
    pub files: Files,

    #[command(flatten)]
    pub reading: Reading,
}

const SUM_EXAMPLES: &str = "\
Examples:
  lthash sum part-*.csv                        the rows of all parts, whatever their order
  find . -type f -print0 | lthash sum --delimiter nul";

/// The files that a command reads.
#[derive(Args)]
pub struct Files {
    /// Files of records; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,
}

/// How files are read.
#[derive(Args)]
pub struct Reading {
    /// How records lie in a file [default: lines]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// What ends a record of --format lines: newline, nul, a character, or a byte such as 0x1e [default: newline]
    #[arg(long, value_name = "BYTE", value_parser = parse_delimiter)]
    delimiter: Option<u8>,

    /// Hash under the key in this file: 32 bytes, or 64 hexadecimal digits
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,

    /// Compute on this many threads [default: all that the system offers]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

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
            (Some(_), Some(_)) => bail!("--delimiter goes with --format lines only"),
        })
    }

    pub fn threads(&self) -> NonZeroUsize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }
}

/// Print which backends there are, which is used, and why.
///
/// Prints one line a backend: its name, and `available` or `unavailable` (this build lacks it, or this processor cannot
/// run it). The one in use says why.
#[derive(Args)]
pub struct Backends {
    /// Check each available backend: published values, a second of random differences, ns an element
    #[arg(long)]
    pub check: bool,
}

/// Print a manual page, in roff, to read with man -l -
#[derive(Args)]
pub struct Man {
    /// The command whose page it is [default: the program's page]
    pub command: Option<String>,
}

/// Print a completion script for a shell
#[derive(Args)]
pub struct Completions {
    pub shell: Shell,
}

fn backend_parser() -> impl TypedValueParser<Value = Backend> {
    PossibleValuesParser::new(["portable", "avx2", "avx512"])
        .try_map(|name| name.parse::<Backend>())
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"newline" => Ok(b'\n'),
        b"nul" => Ok(0),
        [byte] => Ok(*byte),
        [b'0', b'x', ..] => u8::from_str_radix(&text[2..], 16).map_err(|_| wanted_delimiter()),
        _ => Err(wanted_delimiter()),
    }
}

fn wanted_delimiter() -> String {
    "expected newline, nul, one ASCII character, or a byte from 0x00 to 0xff".into()
}
