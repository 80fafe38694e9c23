//! The comparison table.

use crate::results::{BACKENDS, Measured, Quartiles};
use std::fmt::Write;

/// The table in Markdown: a row for each case, and for each backend that was measured a column with the time and its
/// spread, and the change against portable.
pub fn markdown<'a>(results: impl IntoIterator<Item = &'a Measured>, processor: &str) -> String {
    let results: Vec<&Measured> = results.into_iter().collect();
    let (measured, lacking): (Vec<_>, Vec<_>) = BACKENDS
        .into_iter()
        .partition(|backend| results.iter().any(|result| result.backend == *backend));
    let mut text = format!("{processor}; backends measured: {}", measured.join(", "));
    if !lacking.is_empty() {
        write!(text, "; not available here: {}", lacking.join(", ")).unwrap();
    }
    text += ".\n\
        Medians of criterion's samples for one operation, or for one element or update of many, ± the wider quartile; then \
        the change against portable, ~ where the quartiles overlap.\n\n| bench |";
    let mut rule = String::from("| --- |");
    for backend in &measured {
        text += &format!(" {backend} |");
        rule += " ---: |";
        if *backend != BACKENDS[0] {
            text += " change |";
            rule += " ---: |";
        }
    }
    text += &format!("\n{rule}\n");
    for row in results.chunk_by(|a, b| (&a.group, &a.case) == (&b.group, &b.case)) {
        let column = |backend| {
            let cell = row.iter().find(|result| result.backend == backend);
            cell.map(|result| result.time)
        };
        let portable = column(BACKENDS[0]);
        write!(text, "| {}/{} |", row[0].group, row[0].case).unwrap();
        for backend in &measured {
            let time = column(backend);
            write!(text, " {} |", time.map_or("–".into(), with_spread)).unwrap();
            if *backend != BACKENDS[0] {
                let change = portable
                    .zip(time)
                    .map(|(portable, time)| change(portable, time));
                write!(text, " {} |", change.unwrap_or("–".into())).unwrap();
            }
        }
        text.push('\n');
    }
    text
}

/// Such as `489 ns ± 1 %`.
fn with_spread(time: Quartiles) -> String {
    let (divisor, unit) = match time.median {
        ..1e3 => (1.0, "ns"),
        1e3..1e6 => (1e3, "µs"),
        _ => (1e6, "ms"),
    };
    let median = time.median / divisor;
    let digits = match median {
        ..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    let spread = (time.upper - time.median).max(time.median - time.lower) / time.median;
    format!("{median:.digits$} {unit} ± {:.0} %", 100.0 * spread)
}

/// Such as `−79.2 %`.
fn change(portable: Quartiles, time: Quartiles) -> String {
    if time.lower <= portable.upper && portable.lower <= time.upper {
        return "~".into();
    }
    let change = 100.0 * (time.median / portable.median - 1.0);
    format!("{change:+.1} %").replace('-', "−")
}
