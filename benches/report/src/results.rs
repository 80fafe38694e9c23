//! Criterion's results, as it leaves them in `target/criterion`.

use serde_json::Value;
use std::error::Error;
use std::fs;
use std::path::Path;

/// The backends, slowest first: the table's columns.
pub const BACKENDS: [&str; 3] = ["portable", "avx2", "avx512"];

/// The bench's groups in their order.
const GROUPS: [&str; 8] = [
    "expand",
    "mix_in",
    "mix_out",
    "hash_kv",
    "hash_chunk",
    "batch",
    "checksum",
    "expand_then_sha256",
];

/// One case of a group on one backend.
pub struct Measured {
    pub group: String,
    pub case: String,
    pub backend: &'static str,
    pub time: Quartiles,
}

/// Nanoseconds for an operation, or for an element of many, over criterion's samples.
#[derive(Clone, Copy)]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
}

impl Measured {
    /// Whether the README has room for it: of the batches, those of 1000.
    pub fn is_typical(&self) -> bool {
        self.group != "batch" || self.case.ends_with("x 1000")
    }

    fn order(&self) -> impl Ord + use<> {
        let group = GROUPS.iter().position(|group| *group == self.group);
        // By a case's numbers, the last first: "64 x 1000" after "128 x 33". Cases without come last.
        let mut numbers: Vec<u64> = self
            .case
            .split(' ')
            .map(|word| word.parse().unwrap_or(u64::MAX))
            .collect();
        numbers.reverse();
        (group, numbers, self.case.clone())
    }
}

/// Reads the last result of every case, in the order of the bench.
pub fn read(directory: &Path) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut results = Vec::new();
    collect(directory, &mut results)
        .map_err(|error| format!("{}: {error}; run the bench first", directory.display()))?;
    results.sort_by_cached_key(Measured::order);
    Ok(results)
}

fn collect(directory: &Path, results: &mut Vec<Measured>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.ends_with("new") {
            results.extend(measured(&path)?);
        } else if path.is_dir() {
            collect(&path, results)?;
        }
    }
    Ok(())
}

/// What one directory holds; nothing if it is no backend's.
fn measured(directory: &Path) -> Result<Option<Measured>, Box<dyn Error>> {
    let json = |name| -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_slice(&fs::read(directory.join(name))?)?)
    };
    let (benchmark, sample) = (json("benchmark.json")?, json("sample.json")?);
    let text = |key: &str| benchmark[key].as_str().unwrap_or_default();
    let Some(backend) = BACKENDS
        .into_iter()
        .find(|backend| *backend == text("function_id"))
    else {
        return Ok(None);
    };
    let numbers = |key: &str| {
        sample[key]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
    };
    let elements = benchmark["throughput"]["Elements"].as_f64().unwrap_or(1.0);
    let mut times: Vec<f64> = numbers("times")
        .zip(numbers("iters"))
        .map(|(time, iterations)| time / iterations / elements)
        .collect();
    times.sort_by(f64::total_cmp);
    let last = times.len().checked_sub(1).ok_or("a case without samples")?;
    let at = |quarter: usize| times[(quarter * last + 2) / 4];
    Ok(Some(Measured {
        group: text("group_id").into(),
        case: text("value_str").into(),
        backend,
        time: Quartiles {
            lower: at(1),
            median: at(2),
            upper: at(3),
        },
    }))
}
