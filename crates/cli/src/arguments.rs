//! The command line.

use crate::backends;
use crate::framing::{Format, Framing};
use crate::key::{self, Key};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use lthash::Backend;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Set hashes of files' records: one checksum whatever the records' order.
///
/// Records, such as a file's lines, are hashed as a multiset by LtHash-16-1024 with BLAKE3. The checksum does not depend on
/// their order or on how they are spread over files, and records can be inserted and removed later.
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
  lthash compare export-a.csv export-b.csv
  lthash sum --state table.state table.csv
  lthash update table.state --insert new.csv --remove old.csv
  lthash help update";

#[derive(Subcommand)]
pub enum Command {
    Sum(Sum),
    Update(Update),
    Show(Show),
    Merge(Merge),
    Compare(Compare),
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
///
/// With --json, one object with the fields checksum, records and bytes, and with --each also name (and name_bytes, in
/// hexadecimal, where the name is not UTF-8).
#[derive(Args)]
#[command(after_long_help = SUM_EXAMPLES)]
pub struct Sum {
    /// Files of records; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,

    /// Print one line a file instead: CHECKSUM  RECORDS  NAME
    #[arg(long)]
    pub each: bool,

    /// Also write the multiset to this file, for update, show, merge and compare
    #[arg(long, value_name = "STATE", conflicts_with = "each")]
    pub state: Option<PathBuf>,

    /// Warn of records that occur 65,536 times or more, which the checksum cannot tell from fewer (slower)
    #[arg(long)]
    pub check_multiplicity: bool,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub printing: Printing,
}

const SUM_EXAMPLES: &str = "\
Examples:
  lthash sum part-*.csv                 the rows of all parts, whatever their order
  lthash sum --each part-*.csv          each part by itself
  lthash sum --state table.state table.csv
  find . -type f -print0 | lthash sum --delimiter nul";

/// Insert records into a state and remove records from it.
///
/// The state is replaced as a whole: after a crash at any point it is the old one or the new one. Updates of one state at
/// the same time wait for each other. Records are read as they were when the state was made, unless options say
/// otherwise. More can be removed than was inserted; counts then are negative. Prints what sum prints.
#[derive(Args)]
#[command(after_long_help = UPDATE_EXAMPLES)]
pub struct Update {
    /// The state, from sum --state
    pub state: PathBuf,

    /// Files whose records are inserted; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "remove")]
    pub insert: Vec<PathBuf>,

    /// Files whose records are removed; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub remove: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub printing: Printing,
}

const UPDATE_EXAMPLES: &str = "\
Examples:
  lthash update table.state --insert new.csv --remove old.csv
  comm -13 yesterday today | lthash update table.state --insert -";

/// Print what a state holds.
///
/// Prints lines NAME: VALUE for the checksum, the counts of records and bytes, the kind of records, the key's fingerprint
/// and the format's version. With --json, one object with the fields checksum, records, bytes, format, delimiter, key and
/// version.
#[derive(Args)]
pub struct Show {
    pub state: PathBuf,

    #[command(flatten)]
    pub printing: Printing,
}

/// Write the sum of states to OUT.
///
/// The parts of a multiset can be hashed on different machines or at different times. They must hold the same kind of
/// records: key-value records or others, under the same key or none. OUT may be one of them. Prints what sum prints.
#[derive(Args)]
#[command(after_long_help = MERGE_EXAMPLES)]
pub struct Merge {
    /// Where to write; a state there is replaced, another file is not
    pub out: PathBuf,

    /// The states
    #[arg(value_name = "STATE", required = true)]
    pub states: Vec<PathBuf>,

    #[command(flatten)]
    pub printing: Printing,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  lthash merge all.state monday.state tuesday.state";

/// Compare two multisets, each a file of records or a state.
///
/// Exits with 0 if they are equal, 1 if they differ and 2 on trouble, as diff does. Prints one line if they are equal, and
/// otherwise a line for each of the checksums, records and bytes that differ, with the value of A and that of B. With
/// --json, one object with the fields equal, a and b; these two hold what sum --each --json prints. Files of records are read as
/// a state beside them says, unless options say otherwise.
#[derive(Args)]
#[command(after_long_help = COMPARE_EXAMPLES)]
pub struct Compare {
    /// A file of records or a state; - is standard input
    pub a: PathBuf,

    /// A file of records or a state; - is standard input
    pub b: PathBuf,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub printing: Printing,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  lthash compare export-a.csv export-b.csv && echo same rows
  psql -c 'copy t to stdout' replica | lthash compare table.state -";

/// How results are printed.
#[derive(Args)]
pub struct Printing {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
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
    key_file: Option<PathBuf>,

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

    /// The key in the file that the options name, if they do.
    pub fn key(&self) -> Result<Option<Key>> {
        self.key_file.as_deref().map(key::read).transpose()
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
    PossibleValuesParser::new(backends::NAMES).try_map(|name| name.parse::<Backend>())
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
