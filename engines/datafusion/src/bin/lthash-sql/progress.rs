//! [`Progress`]: what a query has read so far, on a terminal.

use datafusion::physical_plan::ExecutionPlan;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::time::Duration;

const INTERVAL: Duration = Duration::from_millis(200);

/// What is cloned shows the same.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// For standard error, if that is a terminal.
    pub fn new() -> Progress {
        Progress {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
        }
    }

    /// Shows a plan's progress.
    pub fn start(&self, plan: &Arc<dyn ExecutionPlan>) {
        let bar = &self.bar;
        if !bar.is_hidden() {
            let plan = Arc::clone(plan);
            let rows = move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{}", HumanCount(rows_read(&plan) as u64));
            };
            let style = ProgressStyle::with_template("{spinner} {elapsed} {rows} rows read")
                .expect("the template is right")
                .with_key("rows", rows);
            bar.set_style(style);
            bar.enable_steady_tick(INTERVAL);
        }
    }

    /// Prints something else in between.
    pub fn pause<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Leaves the terminal clear, and shows nothing again.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The rows that the plan's leaves have given.
fn rows_read(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let children = plan.children();
    if children.is_empty() {
        return plan
            .metrics()
            .and_then(|metrics| metrics.output_rows())
            .unwrap_or(0);
    }
    children.into_iter().map(rows_read).sum()
}
