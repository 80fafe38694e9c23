//! Compares the backends by criterion's last results.
//!
//!     cargo bench --bench lthash
//!     cargo run --manifest-path benches/report/Cargo.toml [-- README.md]
//!
//! Prints the comparison as Markdown. Given the README's path, it also rewrites what stands there between
//! `<!-- bench:begin -->` and `<!-- bench:end -->`, and the chart benches/chart.svg. What the peers' bench printed comes
//! with them, in short, if it was kept:
//!
//!     cargo bench --ignore-rust-version --manifest-path benches/peers/Cargo.toml -- of mix batch chunk threads | tee target/peers.md

mod chart;
mod peers;
#[path = "../../processor.rs"]
mod processor;
mod results;
mod table;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const BEGIN: &str = "<!-- bench:begin -->\n";
const END: &str = "<!-- bench:end -->";

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let results = results::read(&target.join("criterion"))?;
    let processor = processor::processor();
    println!("{}", table::markdown(&results, &processor));
    if let Some(readme) = env::args_os().nth(1) {
        fs::write(
            root.join("benches/chart.svg"),
            chart::svg(&results, &processor),
        )?;
        let table = table::markdown(
            results.iter().filter(|result| result.is_typical()),
            &processor,
        );
        let mut figures = format!("{table}\n![Time by an element's length](benches/chart.svg)\n");
        if let Ok(printed) = fs::read_to_string(target.join("peers.md")) {
            figures += "\nAgainst other crates, the two sides measured in turn in one process: medians (and quartiles) for one element \
                or update.\n\n";
            figures += &peers::summary(&printed);
        }
        rewrite(Path::new(&readme), &figures)?;
    }
    Ok(())
}

/// Replaces what stands between the markers.
fn rewrite(path: &Path, figures: &str) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let markers = || {
        let (before, rest) = text.split_once(BEGIN)?;
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    };
    let (before, after) = markers().ok_or_else(|| {
        format!(
            "{}: no lines {} and {END}",
            path.display(),
            BEGIN.trim_end()
        )
    })?;
    fs::write(path, format!("{before}{BEGIN}\n{figures}\n{END}{after}"))?;
    Ok(())
}
