//! What the peers' bench measured: a line of JSON for each contender of a case.

use serde::Deserialize;
use std::error::Error;
use std::fmt;
use std::fs;

/// How a contender did in a case of a group.
#[derive(Deserialize)]
pub struct Measured {
    pub processor: String,
    pub group: String,
    pub case: String,
    pub contender: String,
    /// Core cycles for one unit: an element, an update, a call.
    pub cycles: Quartiles,
    pub nanoseconds: Quartiles,
    /// How many times as fast as the case's first contender.
    pub ratio: Quartiles,
}

/// Over the rounds that counted.
#[derive(Clone, Copy, Deserialize)]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
}

/// With three digits, the quartiles in brackets: `5.12 (5.10–5.15)`.
impl fmt::Display for Quartiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.median {
            ..10.0 => 2,
            10.0..100.0 => 1,
            _ => 0,
        };
        let Quartiles {
            lower,
            median,
            upper,
        } = self;
        write!(f, "{median:.digits$} ({lower:.digits$}–{upper:.digits$})")
    }
}

/// Reads the files, one behind the other.
pub fn read(paths: &[String]) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut results = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        for (line, text) in text.lines().enumerate() {
            let measured = serde_json::from_str(text)
                .map_err(|error| format!("{path}, line {}: {error}", line + 1))?;
            results.push(measured);
        }
    }
    Ok(results)
}
