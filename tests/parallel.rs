//! The feature `rayon`: the hash is the same for any number of threads and any split.
#![cfg(feature = "rayon")]

mod common;

use common::{Reference, backends, generated};
use lthash::kv::{self, Mutation};
use lthash::{Accumulator, GroupedAccumulator, Guarded, LtHash};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

const THREADS: [usize; 2] = [1, 3];

fn elements(count: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|i| generated("parallel", i as u32, i * 37 % 300))
        .collect()
}

fn with_threads(threads: usize, work: impl FnOnce() + Send) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work);
}

#[test]
fn hashes() {
    // Numbers on both sides of the most that stay on one thread, and one that splits unevenly.
    for count in [0, 1, 511, 512, 1103] {
        let elements = elements(count);
        let expected = Reference::sum(&elements);
        for threads in THREADS {
            with_threads(threads, || {
                let hash: LtHash = elements.par_iter().collect();
                assert!(hash == expected, "{count} elements on {threads} threads");

                // An iterator that does not know its length.
                let mut hash = LtHash::of(b"before");
                hash.par_extend(elements.par_iter().filter(|_| true));
                hash.remove(b"before");
                assert!(hash == expected, "{count} elements on {threads} threads");
            });
        }
    }
}

#[test]
fn accumulators() {
    let key = [3; 32];
    let elements = elements(1000);
    let mut expected = Reference::new();
    for element in &elements {
        expected.add(&Reference::of(Some(&key), element), 1);
    }
    expected.add(&Reference::of(Some(&key), b"before"), 1);
    for kernels in backends() {
        with_threads(3, || {
            let mut accumulator = Accumulator::with_kernels(kernels).keyed(&key);
            accumulator.insert(b"before");
            accumulator.par_extend(&elements[..100]);
            accumulator.par_extend(&elements[100..]);
            assert!(accumulator.finish_guarded() == expected, "{kernels:?}");
        });
    }
}

#[test]
fn changesets() {
    for count in [0, 1, 255, 256, 703] {
        let keys = elements(count);
        let mutations: Vec<Mutation<'_>> = keys
            .iter()
            .enumerate()
            .map(|(i, key)| Mutation {
                key,
                value: (i % 3 != 0).then_some(b"value"),
                previous: (i % 5 != 0).then_some(b"previous"),
            })
            .collect();
        let expected = kv::hash_chunk(&mutations);
        for threads in THREADS {
            with_threads(threads, || {
                assert_eq!(
                    kv::par_hash_chunk(&mutations),
                    expected,
                    "{count}, {threads}"
                );
            });
        }
    }
}

#[test]
fn changesets_of_modules() {
    let keys = elements(1200);
    let mutations: Vec<Mutation<'_>> = (keys.iter())
        .map(|key| Mutation {
            key,
            value: Some(b"value"),
            previous: None,
        })
        .collect();
    // No module; few mutations, which stay on one thread; many small modules; a large module among small ones.
    for lengths in [&[][..], &[3, 0, 20], &[40; 30], &[5, 700, 0, 30, 465]] {
        let mut rest = &mutations[..];
        let modules: Vec<&[Mutation<'_>]> = (lengths.iter())
            .map(|&length| {
                let (module, others) = rest.split_at(length);
                rest = others;
                module
            })
            .collect();
        let expected: Vec<_> = modules
            .iter()
            .map(|module| kv::hash_chunk(module))
            .collect();
        for threads in THREADS {
            with_threads(threads, || {
                assert_eq!(
                    kv::par_hash_modules(&modules),
                    expected,
                    "{lengths:?}, {threads}"
                );
            });
        }
    }
}

#[test]
fn groups() {
    let elements = elements(3001);
    for kernels in backends() {
        // On both sides of the most that a thread has sums of its own for, with many elements for each and with few.
        for (groups, count) in [
            (1, 511),
            (1, 512),
            (64, 700),
            (65, 700),
            (65, 3001),
            (187, 3001),
            (188, 3001),
            (3000, 3001),
        ] {
            // The first of a page are gone.
            let mut one = GroupedAccumulator::with_kernels(kernels, groups + 70).keyed(&[7; 32]);
            let _ = one.take_first(70);
            one.remove(groups - 1, b"before");
            // Half of the elements in one group, the others in all.
            let pairs: Vec<(usize, &[u8])> = (elements[..count].iter().enumerate())
                .map(|(i, element)| {
                    let group = if i % 2 == 0 {
                        groups / 2
                    } else {
                        i * 7 % groups
                    };
                    (group, &element[..])
                })
                .collect();
            for threads in THREADS {
                let mut several = one.clone();
                let mut unknown = one.clone();
                with_threads(threads, || {
                    several.par_extend(pairs.par_iter().copied());
                    unknown.par_extend(pairs.par_iter().copied().filter(|_| true));
                });
                let mut one = one.clone();
                one.extend(pairs.iter().copied());
                let what =
                    format!("{groups} groups, {count} elements, {threads} threads, {kernels:?}");
                assert_eq!(several.counts(), one.counts(), "{what}");
                assert_eq!(unknown.counts(), one.counts(), "{what}");
                let expected: Vec<Guarded> = one.finish().collect();
                assert!(several.finish().eq(expected.iter().cloned()), "{what}");
                assert!(unknown.finish().eq(expected), "{what}");
            }
        }
    }
}

/// What a panic leaves behind is consistent: each group has as many elements as its count says.
#[test]
fn groups_after_a_panic() {
    const ABSENT: usize = 20_000;
    for groups in [10, 5000] {
        for bad in [0, 9_000, 19_999] {
            let mut grouped = GroupedAccumulator::new(groups);
            let result = catch_unwind(AssertUnwindSafe(|| {
                with_threads(3, || {
                    grouped.par_extend((0..20_000).into_par_iter().map(|i| {
                        let group = i * 7 % groups;
                        let group = if i == bad { ABSENT } else { group };
                        (group, (group as u32).to_le_bytes())
                    }));
                });
            }));
            assert!(result.is_err());
            let counts = grouped.counts().to_vec();
            assert!(counts.iter().sum::<i64>() < 20_000);
            for (group, hash) in grouped.finish().enumerate() {
                let count = counts[group] as usize;
                let element = (group as u32).to_le_bytes();
                assert_eq!(hash, Guarded::from_iter(vec![element; count]));
            }
        }
    }
}
