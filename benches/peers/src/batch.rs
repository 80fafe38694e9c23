//! Many elements together: the accumulators, and changesets of key-value records.

use crate::inputs::{buffer, random_lengths};
use crate::output::{print_heading, print_rows};
use crate::paired::{Contender, compare};
use crate::peers::{blake3_insert, kernels, name, solana_of};
use lthash::kv::{Mutation, hash_chunk_with};
use lthash::{Accumulator, Kernels, LtHash};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use solana_lattice_hash::batch::Accumulator as SolanaAccumulator;
use solana_lattice_hash::lt_hash::LtHash as SolanaLtHash;
use std::hint::black_box;
use std::ops::Range;

/// The elements of a batch: few enough to stay in the second-level cache at 1024 bytes each.
const ELEMENTS: usize = 256;

const BATCHES: &str = "Elements in batches";
const CHANGESETS: &str = "Changesets: an update";
const THREADS: &str = "Threads";

/// Elements side by side in one buffer.
struct Elements {
    input: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

impl Elements {
    fn new(lengths: impl IntoIterator<Item = usize>) -> Elements {
        let mut end = 0;
        let ranges: Vec<_> = lengths
            .into_iter()
            .map(|length| {
                let start = end;
                end += length;
                start..end
            })
            .collect();
        Elements {
            input: buffer(end),
            ranges,
        }
    }

    fn count(&self) -> usize {
        self.ranges.len()
    }

    /// The elements, `offset` bytes further on.
    fn at(&self, offset: usize) -> impl Iterator<Item = &[u8]> + Clone {
        let input = black_box(&self.input[offset..]);
        self.ranges.iter().map(move |range| &input[range.clone()])
    }

    fn blake3(&self) -> Contender<'_> {
        Contender::new("blake3 and a loop", |times, offset| {
            let mut limbs = [0; 1024];
            for element in self.at(offset).cycle().take(times) {
                blake3_insert(black_box(&mut limbs), element);
            }
        })
    }

    fn solana_batch(&self) -> Contender<'_> {
        let mut accumulator = SolanaAccumulator::new();
        Contender::new("solana-lattice-hash batch", move |times, offset| {
            for _ in 0..times {
                for element in self.at(offset) {
                    accumulator.add_message(element);
                }
                let hash = accumulator.take_lt_hash();
                black_box(&hash);
            }
        })
        .units(self.count())
    }

    fn solana_remove(&self) -> Contender<'_> {
        Contender::new("solana-lattice-hash", |times, offset| {
            let mut set = SolanaLtHash::identity();
            for element in self.at(offset).cycle().take(times) {
                black_box(&mut set).mix_out(&solana_of(element));
            }
        })
    }

    fn lthash(
        &self,
        operation: &'static str,
        kernels: &'static Kernels,
        work: fn(&mut Accumulator, &Elements, usize),
    ) -> Contender<'_> {
        let mut accumulator = Accumulator::with_kernels(kernels);
        let name = format!("{} {operation}", name(kernels));
        Contender::new(name, move |times, offset| {
            for _ in 0..times {
                work(&mut accumulator, self, offset);
                let hash = accumulator.take();
                black_box(&hash);
            }
        })
        .units(self.count())
    }

    fn insert(&self, kernels: &'static Kernels) -> Contender<'_> {
        self.lthash("insert", kernels, |accumulator, elements, offset| {
            for element in elements.at(offset) {
                accumulator.insert(element);
            }
        })
    }

    fn remove(&self, kernels: &'static Kernels) -> Contender<'_> {
        self.lthash("remove", kernels, |accumulator, elements, offset| {
            for element in elements.at(offset) {
                accumulator.remove(element);
            }
        })
    }

    fn extend(&self, kernels: &'static Kernels) -> Contender<'_> {
        self.lthash("extend", kernels, |accumulator, elements, offset| {
            accumulator.extend(elements.at(offset));
        })
    }

    /// Compares ways to insert: the baseline against lthash's two.
    fn print_inserts(&self, case: &str, baseline: Contender<'_>) {
        let mut contenders = vec![baseline];
        contenders
            .extend(kernels().flat_map(|kernels| [self.insert(kernels), self.extend(kernels)]));
        print_rows(BATCHES, case, &compare(&mut contenders));
    }
}

/// Elements in batches, against one at a time and against solana-lattice-hash's batches.
pub fn batch() {
    print_heading(BATCHES);
    let elements = Elements::new([64; ELEMENTS]);
    elements.print_inserts("64 bytes, against one at a time", elements.blake3());
    for length in [1, 32, 64, 128, 256, 512, 1024, 1025] {
        let elements = Elements::new([length; ELEMENTS]);
        elements.print_inserts(&format!("{length} bytes"), elements.solana_batch());
    }
    let elements = Elements::new(random_lengths(ELEMENTS));
    elements.print_inserts("random lengths of 1 to 1024 bytes", elements.solana_batch());

    let elements = Elements::new([64; 7]);
    elements.print_inserts("64 bytes, batches of 7", elements.solana_batch());

    let elements = Elements::new([64; ELEMENTS]);
    let mut contenders = vec![elements.solana_remove()];
    contenders.extend(kernels().map(|kernels| elements.remove(kernels)));
    print_rows(BATCHES, "64 bytes, removed", &compare(&mut contenders));
}

const MUTATIONS: usize = 1000;
const KEY: usize = 52;
const VALUE: usize = 32;

/// A changeset of updates, against one element at a time with the `blake3` crate.
pub fn chunk() {
    let record = KEY + 2 * VALUE;
    let input = buffer(MUTATIONS * record);
    let mutations = |offset: usize| {
        let records = black_box(&input[offset..]).chunks_exact(record);
        records.take(MUTATIONS).map(|record| Mutation {
            key: &record[..KEY],
            value: Some(&record[KEY..KEY + VALUE]),
            previous: Some(&record[KEY + VALUE..]),
        })
    };
    let mut contenders = vec![Contender::new("blake3 and a loop", |times, offset| {
        let mut limbs = [0; 1024];
        let mut element = Vec::new();
        for mutation in mutations(offset).cycle().take(times) {
            for value in [mutation.previous, mutation.value].into_iter().flatten() {
                element.clear();
                for part in [mutation.key, value] {
                    element.extend_from_slice(&(part.len() as u32).to_le_bytes());
                    element.extend_from_slice(part);
                }
                // The loop of a mix out costs the same as a mix in's.
                blake3_insert(black_box(&mut limbs), &element);
            }
        }
    })];
    for kernels in kernels() {
        let name = name(kernels);
        let run = move |times, offset| {
            let mutations: Vec<_> = mutations(offset).collect();
            for _ in 0..times {
                let delta = hash_chunk_with(kernels, black_box(&mutations));
                black_box(&delta);
            }
        };
        contenders.push(Contender::new(name, run).units(MUTATIONS));
    }
    print_heading(CHANGESETS);
    print_rows(
        CHANGESETS,
        "1000 updates, key 52, value 32 bytes",
        &compare(&mut contenders),
    );
}

/// Many elements on two threads, against one. Run it unpinned, with two free cores.
pub fn threads() {
    const MANY: usize = 100_000;
    let elements = Elements::new([64; MANY]);
    let two = ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .expect("two threads");
    let mut contenders = [
        Contender::new("one thread", |times, offset| {
            for _ in 0..times {
                black_box(elements.at(offset).collect::<LtHash>());
            }
        })
        .units(MANY),
        Contender::new("two threads", |times, offset| {
            let elements: Vec<&[u8]> = elements.at(offset).collect();
            for _ in 0..times {
                black_box(two.install(|| elements.par_iter().collect::<LtHash>()));
            }
        })
        .units(MANY),
    ];
    print_heading(THREADS);
    print_rows(
        THREADS,
        "64 bytes, 100,000 elements",
        &compare(&mut contenders),
    );
}
