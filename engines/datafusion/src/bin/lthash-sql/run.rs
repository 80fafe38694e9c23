//! [`Runner`]: runs statements one after another, and prints what they give.

use crate::arguments::Format;
use crate::output::Printer;
use crate::progress::Progress;
use datafusion::common::{exec_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::dialect::dialect_from_str;
use futures::StreamExt;
use std::collections::VecDeque;
use tokio::runtime::Handle;
use tokio::task::JoinError;

pub struct Runner {
    session: SessionContext,
    format: Format,
    workers: Handle,
}

impl Runner {
    pub fn new(session: SessionContext, format: Format, workers: Handle) -> Runner {
        Runner {
            session,
            format,
            workers,
        }
    }

    /// Runs statements until one fails, or until Ctrl-C. If the text does not parse, none is run.
    pub async fn run(&self, sql: &str) -> Result<()> {
        for statement in self.parse(sql)? {
            let progress = Progress::new();
            let mut task = self.workers.spawn(run_statement(
                self.session.clone(),
                self.format,
                statement,
                progress.clone(),
            ));
            let result = tokio::select! {
                result = &mut task => joined(result),
                _ = tokio::signal::ctrl_c() => {
                    task.abort();
                    exec_err!("interrupted")
                }
            };
            // Here and not by the statement: one that failed or goes on leaves the terminal clear too.
            progress.finish();
            result?;
        }
        Ok(())
    }

    /// As the session's own parser, but several statements at once.
    fn parse(&self, sql: &str) -> Result<VecDeque<Statement>> {
        let depth = nesting(sql);
        if depth > MAX_NESTING {
            return plan_err!("brackets nest {depth} deep: expected at most {MAX_NESTING}");
        }
        let state = self.session.state();
        let options = &state.config_options().sql_parser;
        let dialect = dialect_from_str(options.dialect).expect("DataFusion knows its dialects");
        DFParserBuilder::new(sql)
            .with_dialect(dialect.as_ref())
            .with_recursion_limit(options.recursion_limit.get())
            .build()?
            .parse_statements()
    }
}

/// The parser has a limit of its own, but not for the types that `arrow_cast` takes as text.
const MAX_NESTING: usize = 1000;

/// How many brackets are open at most, in a statement or in a text.
fn nesting(sql: &str) -> usize {
    let (mut of_statement, mut most) = (0_usize, 0);
    for (index, part) in sql.split('\'').enumerate() {
        let is_text = index % 2 == 1;
        let mut open = if is_text { 0 } else { of_statement };
        for byte in part.bytes() {
            match byte {
                b'(' => open += 1,
                b')' => open = open.saturating_sub(1),
                b';' if !is_text => open = 0,
                _ => {}
            }
            most = most.max(open);
        }
        if !is_text {
            of_statement = open;
        }
    }
    most
}

/// What a task gave. A panic, which is printed by then, is an error.
pub fn joined<T>(result: std::result::Result<Result<T>, JoinError>) -> Result<T> {
    result.unwrap_or_else(|panic| Err(DataFusionError::External(Box::new(panic))))
}

async fn run_statement(
    session: SessionContext,
    format: Format,
    statement: Statement,
    progress: Progress,
) -> Result<()> {
    let plan = session.state().statement_to_plan(statement).await?;
    let data = session.execute_logical_plan(plan).await?;
    let context = data.task_ctx().into();
    let plan = data.create_physical_plan().await?;
    let schema = plan.schema();
    progress.start(&plan);
    let mut batches = execute_stream(plan, context)?;
    let mut printer = Printer::new(format, schema);
    while let Some(batch) = batches.next().await {
        progress.pause(|| printer.print(batch?))?;
    }
    progress.finish();
    printer.finish()
}

#[cfg(test)]
mod tests {
    use super::nesting;

    #[test]
    fn brackets_of_texts_and_statements_are_counted_by_themselves() {
        assert_eq!(nesting("SELECT ((1)), (2)"), 2);
        assert_eq!(nesting("VALUES (':('), (':(('), (')')"), 2);
        assert_eq!(nesting("SELECT (1; SELECT (2; SELECT (3"), 1);
        assert_eq!(
            nesting("SELECT f(g(arrow_cast(1, 'List(List(List(Int8)))')))"),
            3
        );
        assert_eq!(nesting("SELECT arrow_cast(1, 'a(;b(c)')"), 2);
    }
}
