//! `lthash-sql`: SQL with the functions of lthash-datafusion, on this machine or on a Ballista cluster.

mod arguments;
#[cfg(feature = "cluster")]
mod cluster;
mod output;
mod progress;
mod prompt;
mod run;
mod session;
mod settings;

use arguments::{Arguments, Query};
use clap::Parser;
use datafusion::error::{DataFusionError, Result};
use run::Runner;
use std::io::{IsTerminal, Read};
use std::process::ExitCode;
use tokio::runtime::{Builder, Handle};

/// Plans of nested expressions and types are walked by recursion. Only what is touched takes memory.
const STACK: usize = 64 << 20;

/// A query failed, or the arguments are wrong.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let workers = Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .build()
        .expect("threads can be started");
    // Queries may keep all workers busy: what waits for Ctrl-C has a runtime of its own.
    let control = Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("no thread is started");
    let result = control.block_on(run(arguments, workers.handle()));
    // Not waited for: an interrupted query may go on for long.
    workers.shutdown_background();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lthash-sql: {}", error.strip_backtrace());
            ExitCode::from(TROUBLE)
        }
    }
}

async fn run(arguments: Arguments, workers: &Handle) -> Result<()> {
    #[cfg(feature = "cluster")]
    if let Some(service) = arguments.service {
        return run::joined(workers.spawn(cluster::serve(service)).await);
    }
    query(arguments.query, workers).await
}

async fn query(query: Query, workers: &Handle) -> Result<()> {
    let session = session::open(&query).await?;
    let runner = Runner::new(session, query.format, workers.clone());
    if !query.commands.is_empty() {
        for command in &query.commands {
            runner.run(command).await?;
        }
        return Ok(());
    }
    match &query.file {
        Some(path) if path.as_os_str() != "-" => {
            let sql = std::fs::read_to_string(path).map_err(|error| {
                DataFusionError::IoError(error).context(path.display().to_string())
            })?;
            runner.run(&sql).await
        }
        None if std::io::stdin().is_terminal() => prompt::run(&runner).await,
        _ => {
            let mut sql = String::new();
            std::io::stdin().read_to_string(&mut sql)?;
            runner.run(&sql).await
        }
    }
}
