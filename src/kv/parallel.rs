//! Changesets on several threads (feature `rayon`).

use super::{Delta, Mutation, delta};
use crate::Accumulator;
use crate::parallel::MIN_ELEMENTS;
use alloc::boxed::Box;
use alloc::vec::Vec;
use rayon::prelude::*;

/// With this many mutations or more, a second thread gains more time than it takes to wake. A mutation is two elements at most.
const MIN_MUTATIONS: usize = MIN_ELEMENTS / 2;

/// [`hash_chunk`](super::hash_chunk) on several threads (feature `rayon`): the same delta. Fewer than 256 mutations are hashed on
/// one thread.
///
/// # Panics
///
/// As [`element`](super::element).
#[must_use]
pub fn par_hash_chunk(mutations: &[Mutation<'_>]) -> Delta {
    hash_on_threads(&Accumulator::new(), mutations)
}

/// [`par_hash_chunk`] under a key, as [`hash_kv_keyed`](super::hash_kv_keyed).
///
/// # Panics
///
/// As [`element`](super::element).
#[must_use]
pub fn par_hash_chunk_keyed(hash_key: &[u8; 32], mutations: &[Mutation<'_>]) -> Delta {
    hash_on_threads(&Accumulator::new().keyed(hash_key), mutations)
}

/// The delta of each of several modules' changesets, in the order of the modules, on several threads (feature `rayon`).
///
/// A thread hashes many small modules, and several threads share a large one. Fewer than 256 mutations in all are hashed on one thread.
///
/// ```
/// use lthash::kv::{self, Mutation};
///
/// let add = |key| Mutation { key, value: Some(b"1"), previous: None };
/// let (bank, staking) = (vec![add(b"alice"), add(b"bob")], vec![add(b"carol")]);
/// let deltas = kv::par_hash_modules(&[bank, staking]);
/// assert_eq!((deltas[0].keys, deltas[1].keys), (2, 1));
/// assert_eq!(deltas[1].hash, kv::hash_kv(b"carol", b"1"));
/// ```
///
/// # Panics
///
/// As [`element`](super::element).
#[must_use]
pub fn par_hash_modules<'a, M: AsRef<[Mutation<'a>]> + Sync>(modules: &[M]) -> Vec<Delta> {
    let empty = Accumulator::new();
    let hash = |accumulator: &mut Box<Accumulator>, module: &M| {
        let mutations = module.as_ref();
        if mutations.len() < MIN_MUTATIONS {
            delta(accumulator, mutations.iter().copied())
        } else {
            hash_on_threads(&empty, mutations)
        }
    };
    // One accumulator a thread, boxed, because rayon moves it.
    let begin = || Box::new(empty.begun_anew());
    let total = modules
        .iter()
        .map(|module| module.as_ref().len())
        .sum::<usize>();
    if total < MIN_MUTATIONS {
        let mut accumulator = begin();
        return modules
            .iter()
            .map(|module| hash(&mut accumulator, module))
            .collect();
    }
    modules.par_iter().map_init(begin, hash).collect()
}

/// The delta of mutations, hashed by accumulators like this empty one.
fn hash_on_threads(empty: &Accumulator, mutations: &[Mutation<'_>]) -> Delta {
    let hash = |mutations: &[Mutation<'_>]| {
        Box::new(delta(&mut empty.begun_anew(), mutations.iter().copied()))
    };
    if mutations.len() < MIN_MUTATIONS {
        return *hash(mutations);
    }
    // Several a thread, because they do not take equally long.
    let chunks = 4 * rayon::current_num_threads();
    let size = mutations.len().div_ceil(chunks).max(MIN_MUTATIONS / 2);
    // Boxed, because rayon has several copies of each in its frames.
    let sum = (mutations.par_chunks(size))
        .map(hash)
        .reduce_with(|mut sum, delta| {
            *sum += &delta;
            sum
        });
    sum.map_or_else(Delta::default, |sum| *sum)
}
