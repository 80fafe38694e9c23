//! What the bench prints: Markdown for people, or a line of JSON for each contender (`--json`), which benches/report reads.

use crate::paired::{Comparison, Quartiles};
use crate::processor::processor;
use serde_json::{Value, json};
use std::sync::OnceLock;

static AS_JSON: OnceLock<()> = OnceLock::new();

/// Prints JSON from now on.
pub fn use_json() {
    AS_JSON.get_or_init(|| ());
}

fn is_json() -> bool {
    AS_JSON.get().is_some()
}

/// Opens the output with the processor's name.
pub fn print_processor() {
    if !is_json() {
        println!("{}", processor());
    }
}

/// Opens a group.
pub fn print_heading(group: &str) {
    if !is_json() {
        println!("\n### {group}\n");
        println!("| case | contender | cycles | ns | ratio | rounds | free core |");
        println!("| --- | --- | --- | --- | --- | --- | --- |");
    }
}

/// Prints a comparison: how its contenders did in a case of a group.
pub fn print_rows(group: &str, case: &str, comparison: &Comparison) {
    for measured in &comparison.measured {
        if is_json() {
            let line = json!({
                "processor": processor(),
                "group": group,
                "case": case,
                "contender": measured.name,
                "cycles": quartiles(measured.cycles),
                "nanoseconds": quartiles(measured.nanoseconds),
                "ratio": quartiles(measured.ratio),
                "counted": measured.counted,
                "rounds": comparison.rounds,
            });
            println!("{line}");
        } else {
            println!(
                "| {case} | {} | {} | {} | {} | {} of {} | {:.2} |",
                measured.name,
                measured.cycles,
                measured.nanoseconds,
                measured.ratio,
                measured.counted,
                comparison.rounds,
                comparison.additions_per_cycle,
            );
        }
    }
}

fn quartiles(of: Quartiles) -> Value {
    json!({ "lower": of.lower, "median": of.median, "upper": of.upper })
}
