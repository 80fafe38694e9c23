//! The program's arguments.

use clap::{Args, Parser, ValueEnum};
use datafusion::prelude::SessionContext;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  Compare two exports:
    lthash-sql -c \"SELECT lthash(id, name) FROM 'a.csv' UNION ALL SELECT lthash(id, name) FROM 'b.parquet'\"
  Find the day that differs:
    lthash-sql -c \"SELECT day, lthash(id, name) FROM 'exports/' GROUP BY day ORDER BY day\"

Exit status: 0 if all statements ran, 2 if there was trouble.";

/// Runs SQL over CSV, JSON, Parquet and Arrow files, with functions that give one checksum for a table's rows in any order.
#[derive(Debug, Parser)]
#[command(name = "lthash-sql", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(flatten)]
    pub query: Query,
    #[cfg(feature = "cluster")]
    #[command(subcommand)]
    pub service: Option<crate::cluster::Service>,
}

#[derive(Args, Debug)]
pub struct Query {
    /// A file of SQL statements; `-` or nothing is standard input: a prompt if that is a terminal
    pub file: Option<PathBuf>,
    /// Runs SQL statements, and reads no file; may be given more than once
    #[arg(
        short = 'c',
        long = "command",
        value_name = "SQL",
        conflicts_with = "file"
    )]
    pub commands: Vec<String>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Limits the memory of queries, as in 512M or 3G: they spill to disk, or fail
    #[arg(long, value_name = "SIZE", value_parser = memory_limit)]
    pub memory_limit: Option<usize>,
    /// Runs queries on the Ballista cluster with this scheduler
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "memory_limit")]
    pub cluster: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Table,
    /// An array of objects for each statement
    Json,
    /// With a header line
    Csv,
}

fn memory_limit(text: &str) -> Result<usize, String> {
    match SessionContext::parse_capacity_limit("--memory-limit", text) {
        Ok(0) => Err("expected more than 0".into()),
        Ok(limit) => Ok(limit),
        Err(error) => Err(format!(
            "{}: expected a number and K, M or G",
            error.strip_backtrace()
        )),
    }
}
