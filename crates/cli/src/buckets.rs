//! Records spread over buckets by a fast hash, and the difference of two inputs in each bucket.

use crate::csv::Columns;
use crate::decoder::Decoder;
use crate::framing::Framing;
use crate::input::{Input, Position};
use crate::scan::{Scan, Worker};
use crate::tally::Hashing;
use anyhow::Result;
use lthash::state::State;
use lthash::{GroupedAccumulator, Guarded};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use twox_hash::XxHash3_64;

/// More buckets find the records that differ among fewer others, and take more memory: 2.1 KiB each, in every thread.
const MOST: u64 = 4096;
const LEAST: u64 = 64;
/// The most buckets of a state.
pub const MOST_OF_STATE: usize = 1 << 16;
/// The most memory for the sums of a state's buckets on all threads. The states that are made of them, and the file's bytes, come on
/// top: 2.1 KiB a bucket each.
const MEMORY: usize = 1 << 30;
/// Which numbers of buckets a state may have, in words.
pub const NUMBERS: &str = "a power of two from 2 to 65536";
/// As many bytes of the inputs are worth a bucket.
const BYTES: u64 = 256 << 10;

/// The hash that spreads records: XXH3 of 64 bits (xxHash's specification, version 0.2.0). Buckets are told by its upper bits.
pub fn spread(key: &[u8]) -> u64 {
    XxHash3_64::oneshot(key)
}

/// Whether a state may have so many buckets.
pub fn is_number(number: usize) -> bool {
    number.is_power_of_two() && (2..=MOST_OF_STATE).contains(&number)
}

/// How many threads may hash a state's buckets. Each has sums of its own for all of them.
pub fn most_threads(number: usize) -> NonZeroUsize {
    let memory = number * State::MAX_BYTES;
    NonZeroUsize::new(MEMORY / memory).unwrap_or(NonZeroUsize::MIN)
}

pub fn parse_number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| is_number(number));
    number.ok_or_else(|| format!("expected {NUMBERS}"))
}

/// Which buckets there are, and which of them count.
#[derive(Clone, Debug)]
pub struct Buckets {
    bits: u32,
    counts: Vec<bool>,
}

impl Buckets {
    /// As many as inputs of this size are worth.
    pub fn for_size(size: Option<u64>) -> Buckets {
        let wanted = size.map_or(MOST, |size| size / BYTES);
        let number = wanted.clamp(LEAST, MOST).next_power_of_two();
        Buckets {
            bits: number.ilog2(),
            counts: vec![true; number as usize],
        }
    }

    /// `number` buckets, a power of two and at least 2, of which some count: those of `counting`, each below `number`.
    pub fn some(number: usize, counting: &[usize]) -> Buckets {
        let mut counts = vec![false; number];
        for &bucket in counting {
            counts[bucket] = true;
        }
        Buckets {
            bits: number.ilog2(),
            counts,
        }
    }

    pub fn index(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.bits)) as usize
    }

    pub fn hold(&self, hash: u64) -> bool {
        self.counts[self.index(hash)]
    }

    pub fn are_none(&self) -> bool {
        !self.counts.contains(&true)
    }

    /// Those in which the records of two inputs differ.
    pub fn differing(
        mut self,
        hashing: &Hashing,
        scan: &Scan,
        a: &Input,
        b: &Input,
    ) -> Result<Buckets> {
        let hash = |input: &Input, sums: Vec<Sums>| -> Result<Vec<Sums>> {
            let idle = Mutex::new(sums);
            let take_idle = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut sums = scan.all(std::slice::from_ref(input), || {
                take_idle().unwrap_or_else(|| Sums::new(hashing, scan.layout.framing, &self))
            })?;
            sums.extend(idle.into_inner().unwrap_or_else(PoisonError::into_inner));
            Ok(sums)
        };
        let mut sums = hash(a, Vec::new())?;
        sums.iter_mut().for_each(|sums| sums.removing = true);
        let sums = hash(b, sums)?;
        let mut records = vec![0_i64; self.counts.len()];
        let mut hashes = vec![Guarded::new(); self.counts.len()];
        for sums in sums {
            (records.iter_mut().zip(sums.groups.counts())).for_each(|(sum, count)| *sum += count);
            (hashes.iter_mut().zip(sums.groups.finish())).for_each(|(sum, hash)| *sum += &hash);
        }
        for (counts, (records, hash)) in self.counts.iter_mut().zip(records.iter().zip(&hashes)) {
            *counts = *records != 0 || !hash.is_identity();
        }
        Ok(self)
    }

    /// The state of each bucket, of the kind of `empty`.
    pub fn states(
        &self,
        hashing: &Hashing,
        scan: &Scan,
        inputs: &[Input],
        empty: &State,
    ) -> Result<Vec<State>> {
        let sums = scan.all(inputs, || Sums::new(hashing, scan.layout.framing, self))?;
        let mut states = vec![empty.clone(); self.counts.len()];
        for sums in sums {
            let counts: Vec<i64> = sums.groups.counts().to_vec();
            let each = sums.groups.finish().zip(counts.iter().zip(&sums.bytes));
            for (state, (hash, (&records, &bytes))) in states.iter_mut().zip(each) {
                state.insert(&hash, records, bytes)?;
            }
        }
        Ok(states)
    }
}

/// What a thread has summed up in each bucket.
struct Sums {
    buckets: Buckets,
    decoder: Decoder,
    groups: GroupedAccumulator,
    /// Those of each bucket's records.
    bytes: Vec<i64>,
    /// Whether records are taken out, not put in.
    removing: bool,
}

impl Sums {
    fn new(hashing: &Hashing, framing: Framing, buckets: &Buckets) -> Sums {
        let number = buckets.counts.len();
        let groups = GroupedAccumulator::with_kernels(hashing.kernels, number);
        Sums {
            buckets: buckets.clone(),
            decoder: Decoder::new(framing),
            groups: match &hashing.key {
                Some(key) => groups.keyed(key),
                None => groups,
            },
            bytes: vec![0; number],
            removing: false,
        }
    }
}

impl Worker for Sums {
    fn take(
        &mut self,
        bytes: &[u8],
        position: Position<'_>,
        columns: Option<&Columns>,
    ) -> Result<()> {
        let (buckets, groups, removing) = (&self.buckets, &mut self.groups, self.removing);
        let sizes = &mut self.bytes;
        self.decoder.each(bytes, position, columns, &mut |record| {
            let bucket = buckets.index(spread(record.key));
            if removing {
                groups.remove(bucket, record.element);
                sizes[bucket] -= record.size as i64;
            } else {
                groups.insert(bucket, record.element);
                sizes[bucket] += record.size as i64;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_of_all_threads_take_at_most_a_gibibyte() {
        assert_eq!(most_threads(MOST_OF_STATE).get(), 7);
        for number in (1..=16).map(|bits| 1 << bits) {
            let threads = most_threads(number).get();
            let memory = |threads: usize| threads * number * 2160;
            assert!(
                memory(threads) <= 1 << 30 && memory(threads + 1) > 1 << 30,
                "{number}"
            );
        }
    }
}
