//! Makes the results' tables, and the chart, from what the peers' bench printed with `--json`.
//!
//!     cargo run --manifest-path benches/report/Cargo.toml -- MEASURED... >TABLES
//!     cargo run --manifest-path benches/report/Cargo.toml -- --chart benches/chart.svg MEASURED...

mod chart;
mod results;
mod tables;

use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let chart = arguments.first().is_some_and(|first| first == "--chart");
    if arguments.len() < if chart { 3 } else { 1 } {
        return Err("usage: lthash-report [--chart CHART.svg] MEASURED...".into());
    }
    let chart = chart.then(|| arguments.drain(..2).nth(1)).flatten();
    let results = results::read(&arguments)?;
    match chart {
        Some(path) => chart::draw(&results, path.as_ref()),
        None => {
            print!("{}", tables::markdown(&results));
            Ok(())
        }
    }
}
