//! The command line.

use crate::backends::Backends;
use crate::compare::Compare;
use crate::diff::Diff;
use crate::manual::{Completions, Man};
use crate::merge::Merge;
use crate::records::Records;
use crate::show::Show;
use crate::sum::Sum;
use crate::update::Update;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use lthash::Backend;

/// Set hashes of files' records: one checksum whatever the records' order.
///
/// Records, such as a file's lines, are hashed as a multiset by LtHash-16-1024 with BLAKE3. The checksum does not depend on
/// their order or on how they are spread over files, and records can be inserted and removed later.
#[derive(Parser)]
#[command(
    name = "lthash",
    version,
    after_long_help = MORE,
    max_term_width = 100,
    args_override_self = true
)]
pub struct Arguments {
    /// Compute with this backend instead of the fastest one here
    #[arg(long, global = true, value_name = "NAME", value_parser = backend_parser())]
    pub backend: Option<Backend>,

    #[command(subcommand)]
    pub command: Command,
}

const MORE: &str = "\
Exit status:
  0  done; for compare and diff: equal
  1  for compare and diff: different; for sum and update: another checksum than --expect or --check wants
  2  trouble, told on standard error as FILE: record NUMBER, byte OFFSET: what is wrong
     (records are counted from 1, bytes of the file from 0, decompressed if it is compressed)
A closed pipe ends the program quietly.

Environment:
  LTHASH_BACKEND  the backend to compute with: portable, neon, avx2 or avx512
  NO_COLOR        if set and not empty, help and errors have no colours

Examples:
  lthash sum export.csv
  lthash compare export-a.csv export-b.csv
  lthash diff export-a.csv export-b.csv
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
    Diff(Diff),
    Records(Records),
    Backends(Backends),
    Man(Man),
    Completions(Completions),
}

fn backend_parser() -> impl TypedValueParser<Value = Backend> {
    PossibleValuesParser::new(Backend::all().map(Backend::name))
        .try_map(|name| name.parse::<Backend>())
}
