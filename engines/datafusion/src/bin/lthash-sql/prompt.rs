//! The prompt, with history.

use crate::run::Runner;
use datafusion::error::{DataFusionError, Result};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Editor, Helper};
use std::path::PathBuf;

/// Reads statements, each ended by a semicolon, until `\q` or the end of input. A statement that fails does not end it.
pub async fn run(runner: &Runner) -> Result<()> {
    let mut editor = Editor::<Statements, DefaultHistory>::new().map_err(external)?;
    editor.set_helper(Some(Statements));
    let history = history();
    if let Some(history) = &history {
        // There is none the first time.
        let _ = editor.load_history(history);
    }
    println!(
        "lthash-sql {}: statements end with a semicolon, \\q ends",
        env!("CARGO_PKG_VERSION")
    );
    loop {
        let line = match editor.readline("> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(external(error)),
        };
        match line.trim() {
            "" => continue,
            "\\q" => break,
            statement => {
                editor.add_history_entry(statement).map_err(external)?;
                if let Err(error) = runner.run(statement).await {
                    eprintln!("{}", error.strip_backtrace());
                }
            }
        }
    }
    if let Some(history) = &history
        && let Err(error) = editor.save_history(history)
    {
        eprintln!("lthash-sql: {}: {error}", history.display());
    }
    Ok(())
}

fn history() -> Option<PathBuf> {
    Some(std::env::home_dir()?.join(".lthash_sql_history"))
}

fn external(error: ReadlineError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Lets a statement go on over lines until its semicolon.
struct Statements;

impl Validator for Statements {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let input = context.input().trim();
        let is_complete = input.is_empty() || input.starts_with('\\') || input.ends_with(';');
        Ok(if is_complete {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

impl Completer for Statements {
    type Candidate = String;
}
impl Hinter for Statements {
    type Hint = String;
}
impl Highlighter for Statements {}
impl Helper for Statements {}
