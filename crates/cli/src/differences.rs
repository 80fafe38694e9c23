//! The records that two inputs hold different numbers of, found in memory that is bounded.

use crate::buckets::{Buckets, spread};
use crate::csv::Columns;
use crate::decoder::Decoder;
use crate::input::{Input, Position};
use crate::scan::{Scan, Worker};
use anyhow::{Result, ensure};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all threads hold of records, at most.
const MEMORY: usize = 256 << 20;
/// What holding a record takes beside its bytes.
const OVERHEAD: usize = 128;

/// A record that differs.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// What it is sorted and paired by.
    pub key: Box<[u8]>,
    /// How often A holds it more than B. Those that A holds more often come first.
    pub more: std::cmp::Reverse<i64>,
    /// How it is printed.
    pub text: Box<[u8]>,
}

/// Finds differences, some at a time: those whose hashes, turned around, lie in one range after another.
pub struct Differences<'a> {
    scan: &'a Scan,
    a: &'a Input,
    b: &'a Input,
    buckets: Buckets,
    /// Where the next range begins, unless all is done.
    begin: Option<u64>,
    memory: usize,
}

impl<'a> Differences<'a> {
    pub fn new(scan: &'a Scan, a: &'a Input, b: &'a Input, buckets: Buckets) -> Self {
        let begin = (!buckets.are_none()).then_some(0);
        Differences {
            scan,
            a,
            b,
            buckets,
            begin,
            memory: MEMORY,
        }
    }

    /// The differences of the next range, in order.
    pub fn next(&mut self) -> Result<Option<Vec<Difference>>> {
        let Some(begin) = self.begin else {
            return Ok(None);
        };
        let range = Range {
            begin,
            last: AtomicU64::new(u64::MAX),
        };
        let mut all = Held::default();
        for (input, step) in [(self.a, 1), (self.b, -1)] {
            let held = self.scan.all(std::slice::from_ref(input), || Collector {
                buckets: &self.buckets,
                range: &range,
                step,
                decoder: Decoder::new(self.scan.layout.framing),
                held: Held::default(),
                share: self.memory / 2 / self.scan.threads(),
            })?;
            for collector in held {
                all.merge(collector.held, &range, self.memory / 2)?;
            }
        }
        all.keep(&range);
        let last = range.last.into_inner();
        self.begin = last.checked_add(1);
        let mut differences: Vec<Difference> = (all.records.into_iter())
            .filter(|(_, record)| record.more != 0)
            .map(|(element, record)| Difference {
                text: record.text.unwrap_or_else(|| element.clone()),
                key: record.key.unwrap_or(element),
                more: std::cmp::Reverse(record.more),
            })
            .collect();
        differences.sort_unstable();
        Ok(Some(differences))
    }
}

/// Which records are held: those whose hash, turned around, is from `begin` to `last`. The end comes nearer when memory gets
/// scarce.
struct Range {
    begin: u64,
    last: AtomicU64,
}

impl Range {
    fn holds(&self, hash: u64) -> bool {
        // Buckets are told by the upper bits, so the lower ones tell a bucket's records apart.
        let place = hash.reverse_bits();
        self.begin <= place && place <= self.last.load(Ordering::Relaxed)
    }

    /// Gives up the upper half, if there are two.
    fn halve(&self) -> bool {
        let begin = self.begin;
        let halved = |last| (begin < last).then(|| begin + (last - begin) / 2);
        (self.last)
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, halved)
            .is_ok()
    }
}

struct Record {
    hash: u64,
    more: i64,
    /// Where it is not the element.
    text: Option<Box<[u8]>>,
    key: Option<Box<[u8]>>,
}

/// Records by their elements.
#[derive(Default)]
struct Held {
    records: HashMap<Box<[u8]>, Record>,
    memory: usize,
}

fn memory(element: &[u8], record: &Record) -> usize {
    let length = |bytes: &Option<Box<[u8]>>| bytes.as_ref().map_or(0, |bytes| bytes.len());
    OVERHEAD + element.len() + length(&record.text) + length(&record.key)
}

impl Held {
    /// Drops what the range does not hold any more.
    fn keep(&mut self, range: &Range) {
        self.records
            .retain(|_, record| record.more != 0 && range.holds(record.hash));
        self.memory = (self.records.iter())
            .map(|(element, record)| memory(element, record))
            .sum();
    }

    /// Gives up records where these take more than a share of the memory, until half of it is free.
    fn fit(&mut self, range: &Range, share: usize) -> Result<()> {
        if self.memory <= share {
            return Ok(());
        }
        self.keep(range);
        while self.memory > share / 2 && self.records.len() > 1 {
            if !range.halve() {
                ensure!(
                    self.memory <= MEMORY,
                    "more records of one key differ than {MEMORY} bytes of memory hold: \
                     expected a key that tells records apart"
                );
                break;
            }
            self.keep(range);
        }
        Ok(())
    }

    fn merge(&mut self, other: Held, range: &Range, share: usize) -> Result<()> {
        for (element, record) in other.records {
            if !range.holds(record.hash) {
                continue;
            }
            match self.records.get_mut(&element) {
                Some(held) => held.more += record.more,
                None => {
                    self.memory += memory(&element, &record);
                    self.records.insert(element, record);
                    self.fit(range, share)?;
                }
            }
        }
        Ok(())
    }
}

/// What one thread collects.
struct Collector<'a> {
    buckets: &'a Buckets,
    range: &'a Range,
    /// What an occurrence counts.
    step: i64,
    decoder: Decoder,
    held: Held,
    share: usize,
}

impl Worker for Collector<'_> {
    fn take(
        &mut self,
        bytes: &[u8],
        position: Position<'_>,
        columns: Option<&Columns>,
    ) -> Result<()> {
        let Collector {
            buckets,
            range,
            step,
            held,
            share,
            ..
        } = self;
        self.decoder.each(bytes, position, columns, &mut |found| {
            let hash = spread(found.key);
            if !buckets.hold(hash) || !range.holds(hash) {
                return Ok(());
            }
            if let Some(record) = held.records.get_mut(found.element) {
                record.more += *step;
                return Ok(());
            }
            let mut text = Vec::new();
            found.text.write(&mut text);
            let unless_element = |bytes: &[u8]| (bytes != found.element).then(|| bytes.into());
            let record = Record {
                hash,
                more: *step,
                text: unless_element(&text),
                key: unless_element(found.key),
            };
            held.memory += memory(found.element, &record);
            held.records.insert(found.element.into(), record);
            held.fit(range, *share)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::framing::Framing;
    use std::fs;

    #[test]
    fn all_differences_are_found_in_little_memory() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = |name: &str, numbers: &mut dyn Iterator<Item = u32>| {
            let path = folder.path().join(name);
            let lines: String = numbers.map(|number| format!("{number}\n")).collect();
            fs::write(&path, lines).unwrap();
            Input::new(&path)
        };
        // Those from 3000 on are in both; each number of B is there twice.
        let a = file("a", &mut (0..5000));
        let b = file("b", &mut (3000..9000).chain(3000..9000));
        let scan = Scan::plain(Framing::default());
        let mut differences = Differences::new(&scan, &a, &b, Buckets::for_size(Some(0)));
        differences.memory = 100 * OVERHEAD;
        let (mut found, mut runs) = (Vec::new(), 0);
        while let Some(some) = differences.next().unwrap() {
            assert!(some.len() <= 100);
            found.extend(some);
            runs += 1;
        }
        assert!(runs > 80, "{runs}");
        let mut found: Vec<(u32, i64)> = (found.iter())
            .map(|found| {
                (
                    String::from_utf8_lossy(&found.text).parse().unwrap(),
                    found.more.0,
                )
            })
            .collect();
        found.sort_unstable();
        let expected = (0..9000).map(|number| match number {
            0..3000 => (number, 1),
            3000..5000 => (number, -1),
            _ => (number, -2),
        });
        assert!(found.into_iter().eq(expected));
    }
}
