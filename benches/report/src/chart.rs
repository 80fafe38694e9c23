//! The chart: an element's time by its length, one at a time and in batches.

use crate::results::Measured;
use plotters::prelude::*;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::path::Path;

const LENGTHS: [&str; 5] = ["64", "128", "256", "512", "1024"];

/// A bar of every length: its legend, its group and contender in the peers' bench, its colour.
const SERIES: [(&str, &str, &str, RGBColor); 6] = [
    ("the blake3 crate", ALONE, "blake3", RGBColor(120, 120, 120)),
    (
        "portable, one at a time",
        ALONE,
        "lthash portable",
        RGBColor(185, 185, 185),
    ),
    (
        "avx2, one at a time",
        ALONE,
        "lthash avx2",
        RGBColor(120, 175, 225),
    ),
    (
        "avx2, in batches",
        BATCHES,
        "lthash avx2 extend",
        RGBColor(31, 95, 168),
    ),
    (
        "avx512, one at a time",
        ALONE,
        "lthash avx512",
        RGBColor(245, 175, 110),
    ),
    (
        "avx512, in batches",
        BATCHES,
        "lthash avx512 extend",
        RGBColor(192, 90, 18),
    ),
];
const ALONE: &str = "An element's hash";
const BATCHES: &str = "Elements in batches";

/// Draws it as SVG. A bar ends at the median, its line at the quartiles.
pub fn draw(results: &[Measured], path: &Path) -> Result<(), Box<dyn Error>> {
    let time = |length: &str, group: &str, contender: &str| {
        let case = format!("{length} bytes");
        results
            .iter()
            .find(|measured| {
                (&*measured.group, &measured.case, &*measured.contender)
                    == (group, &case, contender)
            })
            .map(|measured| measured.nanoseconds)
    };
    let measured: Vec<_> = SERIES
        .iter()
        .filter(|(_, group, contender, _)| time(LENGTHS[0], group, contender).is_some())
        .collect();
    let first = results.first().ok_or("nothing was measured")?;
    let times = LENGTHS.iter().flat_map(|length| {
        measured
            .iter()
            .filter_map(|(_, group, contender, _)| time(length, group, contender))
    });
    let longest = times.map(|time| time.upper).fold(1.0, f64::max);

    let root = SVGBackend::new(path, (800, 600)).into_drawing_area();
    root.fill(&WHITE)?;
    let title = format!("Nanoseconds an element, {}", first.processor);
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(56)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..LENGTHS.len() as f64, 0.0..1.05 * longest)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(8)
        .y_label_formatter(&|nanoseconds| format!("{nanoseconds:.0}"))
        .max_light_lines(1)
        .x_desc("bytes of an element")
        .label_style(("sans-serif", 18))
        .draw()?;
    let centred = TextStyle::from(("sans-serif", 18)).pos(Pos::new(HPos::Center, VPos::Top));
    for (i, length) in LENGTHS.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(i as f64 + 0.5, 0.0));
        root.draw(&Text::new(*length, (x, y + 8), centred.clone()))?;
    }
    let width = 0.84 / measured.len() as f64;
    for (i, (name, group, contender, colour)) in measured.iter().enumerate() {
        let bars = LENGTHS
            .iter()
            .enumerate()
            .filter_map(|(group_number, length)| {
                let start = group_number as f64 + 0.08 + width * i as f64;
                Some((start, time(length, group, contender)?))
            });
        let bars: Vec<_> = bars.collect();
        let style = colour.filled();
        chart
            .draw_series(bars.iter().map(|(start, time)| {
                Rectangle::new([(*start, 0.0), (start + 0.9 * width, time.median)], style)
            }))?
            .label(*name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 7), (x + 14, y + 7)], style));
        chart.draw_series(bars.iter().map(|(start, time)| {
            let middle = start + 0.45 * width;
            PathElement::new([(middle, time.lower), (middle, time.upper)], BLACK)
        }))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 18))
        .border_style(BLACK.mix(0.3))
        .background_style(WHITE)
        .draw()?;
    root.present()?;
    Ok(())
}
