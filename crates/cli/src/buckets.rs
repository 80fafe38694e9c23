//! Records spread over buckets by a fast hash, and the difference of two inputs in each bucket.

use crate::csv::Columns;
use crate::decoder::Decoder;
use crate::framing::Framing;
use crate::input::{Input, Place};
use crate::scan::{Scan, Worker};
use anyhow::Result;
use lthash::{GroupedAccumulator, Guarded, Kernels};
use std::sync::{Mutex, PoisonError};
use twox_hash::XxHash3_64;

/// More buckets find the records that differ among fewer others, and take more memory: 2.1 KiB each, in every thread.
const MOST: u64 = 4096;
const LEAST: u64 = 64;
/// As many bytes of the inputs are worth a bucket.
const BYTES: u64 = 256 << 10;

/// The hash that spreads records: XXH3 of 64 bits (xxHash's specification, version 0.2.0). Buckets are told by its upper bits.
pub fn spread(key: &[u8]) -> u64 {
    XxHash3_64::oneshot(key)
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
        kernels: &'static Kernels,
        scan: &Scan,
        a: &Input,
        b: &Input,
    ) -> Result<Buckets> {
        let hash = |input: &Input, sums: Vec<Sums>| -> Result<Vec<Sums>> {
            let idle = Mutex::new(sums);
            let take_idle = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut sums = scan.all(std::slice::from_ref(input), || {
                take_idle().unwrap_or_else(|| Sums::new(kernels, scan.layout.framing, &self))
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
}

/// What a thread has summed up in each bucket.
struct Sums {
    buckets: Buckets,
    decoder: Decoder,
    groups: GroupedAccumulator,
    /// Whether records are taken out, not put in.
    removing: bool,
}

impl Sums {
    fn new(kernels: &'static Kernels, framing: Framing, buckets: &Buckets) -> Sums {
        Sums {
            buckets: buckets.clone(),
            decoder: Decoder::new(framing),
            groups: GroupedAccumulator::with_kernels(kernels, buckets.counts.len()),
            removing: false,
        }
    }
}

impl Worker for Sums {
    fn take(&mut self, bytes: &[u8], place: Place<'_>, columns: Option<&Columns>) -> Result<()> {
        let (buckets, groups, removing) = (&self.buckets, &mut self.groups, self.removing);
        self.decoder.each(bytes, place, columns, &mut |record| {
            let bucket = buckets.index(spread(record.key));
            if removing {
                groups.remove(bucket, record.element);
            } else {
                groups.insert(bucket, record.element);
            }
            Ok(())
        })
    }
}
