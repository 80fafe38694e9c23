//! The chart: an element's time by its length, one at a time and in batches.

use crate::results::{Measured, Quartiles};
use svg::Document;
use svg::node::element::{Line, Rectangle, Style, Text};

const LENGTHS: [&str; 5] = ["64", "128", "256", "512", "1024"];
/// One bar of every length.
struct Series {
    name: &'static str,
    backend: &'static str,
    group: &'static str,
    /// What follows the length in the names of the group's cases.
    suffix: &'static str,
    colour: &'static str,
}

impl Series {
    const fn one_at_a_time(
        name: &'static str,
        backend: &'static str,
        colour: &'static str,
    ) -> Series {
        Series {
            name,
            backend,
            group: "expand",
            suffix: "",
            colour,
        }
    }

    const fn in_batches(name: &'static str, backend: &'static str, colour: &'static str) -> Series {
        Series {
            name,
            backend,
            group: "batch",
            suffix: " x 1000",
            colour,
        }
    }

    fn time(&self, results: &[Measured], length: &str) -> Option<Quartiles> {
        let case = format!("{length}{}", self.suffix);
        let is_bar = |result: &&Measured| {
            (result.backend, &*result.group, &result.case) == (self.backend, self.group, &case)
        };
        results.iter().find(is_bar).map(|result| result.time)
    }
}

const SERIES: [Series; 5] = [
    Series::one_at_a_time("portable", "portable", "#9aa5b1"),
    Series::one_at_a_time("avx2, one at a time", "avx2", "#5b9bd5"),
    Series::in_batches("avx2, batches of 1000", "avx2", "#1f5fa8"),
    Series::one_at_a_time("avx512, one at a time", "avx512", "#f0a35e"),
    Series::in_batches("avx512, batches of 1000", "avx512", "#c05a12"),
];

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 90.0;
const BOTTOM: f64 = HEIGHT - 50.0;

/// The chart in SVG. Bars end at the median, whiskers at the quartiles.
pub fn svg(results: &[Measured], processor: &str) -> String {
    let measured = |series: &Series| {
        LENGTHS
            .iter()
            .any(|length| series.time(results, length).is_some())
    };
    let series: Vec<Series> = SERIES.into_iter().filter(measured).collect();
    let all = LENGTHS.iter().flat_map(|length| {
        series
            .iter()
            .filter_map(|series| series.time(results, length))
    });
    let longest = all.map(|time| time.upper).fold(1.0, f64::max);
    let step = tick(longest);
    let top = (longest / step).ceil() * step;
    let y = |nanoseconds: f64| BOTTOM - (BOTTOM - TOP) * nanoseconds / top;

    let mut chart = Document::new()
        .set("viewBox", (0, 0, WIDTH, HEIGHT))
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .add(Style::new(
            "text { fill: #333 } line { stroke: #888 } @media (prefers-color-scheme: dark) { text { fill: #ddd } }",
        ))
        .add(text("Nanoseconds an element, by its length in bytes", LEFT, 20.0, "start").set("font-size", 16))
        .add(text(processor, LEFT, 40.0, "start"));
    let mut nanoseconds = 0.0;
    while nanoseconds <= top {
        chart = chart
            .add(line(LEFT, y(nanoseconds), RIGHT, y(nanoseconds)).set("stroke-width", 0.3))
            .add(text(
                &format!("{nanoseconds}"),
                LEFT - 8.0,
                y(nanoseconds) + 4.0,
                "end",
            ));
        nanoseconds += step;
    }
    for (i, series) in series.iter().enumerate() {
        let x = LEFT + 130.0 * i as f64;
        chart = chart
            .add(rectangle(x, 56.0, 12.0, 12.0, series.colour))
            .add(text(series.name, x + 16.0, 66.0, "start").set("font-size", 10));
    }
    let length_width = (RIGHT - LEFT) / LENGTHS.len() as f64;
    let bar_width = 0.8 * length_width / series.len().max(1) as f64;
    for (i, length) in LENGTHS.iter().enumerate() {
        let start = LEFT + length_width * (i as f64 + 0.1);
        chart = chart.add(text(
            length,
            start + 0.4 * length_width,
            BOTTOM + 18.0,
            "middle",
        ));
        for (j, series) in series.iter().enumerate() {
            let Some(time) = series.time(results, length) else {
                continue;
            };
            let x = start + bar_width * j as f64;
            let middle = x + bar_width / 2.0 - 1.0;
            let label = format!("{:.0}", time.median);
            chart = chart
                .add(rectangle(
                    x,
                    y(time.median),
                    bar_width - 2.0,
                    BOTTOM - y(time.median),
                    series.colour,
                ))
                .add(line(middle, y(time.lower), middle, y(time.upper)))
                .add(text(&label, middle, y(time.upper) - 4.0, "middle").set("font-size", 9));
        }
    }
    chart.to_string() + "\n"
}

/// A round step that divides the axis in four to ten.
fn tick(longest: f64) -> f64 {
    let power = 10f64.powf((longest / 10.0).log10().ceil());
    [power / 4.0, power / 2.0]
        .into_iter()
        .find(|step| longest / step <= 10.0)
        .unwrap_or(power)
}

fn text(content: &str, x: f64, y: f64, anchor: &str) -> Text {
    Text::new(content)
        .set("x", x)
        .set("y", y)
        .set("text-anchor", anchor)
}

fn line(x1: f64, y1: f64, x2: f64, y2: f64) -> Line {
    Line::new()
        .set("x1", x1)
        .set("y1", y1)
        .set("x2", x2)
        .set("y2", y2)
}

fn rectangle(x: f64, y: f64, width: f64, height: f64, colour: &str) -> Rectangle {
    Rectangle::new()
        .set("x", x)
        .set("y", y)
        .set("width", width)
        .set("height", height)
        .set("fill", colour)
}
