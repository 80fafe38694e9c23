//! Hashing on several threads (feature `rayon`).

use crate::{Accumulator, Guarded, LtHash};
use alloc::boxed::Box;
use alloc::vec::Vec;
use rayon::iter::{FromParallelIterator, IntoParallelIterator, ParallelExtend, ParallelIterator};

/// With this many elements or more, a second thread gains more time than it takes to wake.
pub(crate) const MIN_ELEMENTS: usize = 512;

/// Inserts elements on several threads. Fewer than 512 are hashed on one thread, if the iterator knows its length.
///
/// The hash is the same for any number of threads.
impl<T: AsRef<[u8]> + Send> ParallelExtend<T> for Accumulator {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, elements: I) {
        let elements = elements.into_par_iter();
        if elements.opt_len().is_some_and(|count| count < MIN_ELEMENTS) {
            return self.extend(elements.collect::<Vec<T>>());
        }
        let hashed = elements
            // Boxed, because rayon moves it for each element.
            .fold(
                || Box::new(self.begun_anew()),
                |mut accumulator, element| {
                    accumulator.insert(element.as_ref());
                    accumulator
                },
            )
            .map(|mut accumulator| {
                accumulator.flush();
                accumulator
            })
            .reduce_with(|mut sum, other| {
                sum.mix_in_flushed(&other);
                sum
            });
        if let Some(hashed) = hashed {
            self.mix_in_flushed(&hashed);
        }
    }
}

/// Inserts elements on several threads, as [`Accumulator`]'s does.
impl<T: AsRef<[u8]> + Send> ParallelExtend<T> for LtHash {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, elements: I) {
        let mut accumulator = Accumulator::new();
        accumulator.par_extend(elements);
        self.mix_in(&accumulator.finish());
    }
}

/// Inserts elements on several threads, as [`Accumulator`]'s does.
impl<T: AsRef<[u8]> + Send> ParallelExtend<T> for Guarded {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, elements: I) {
        let mut accumulator = Accumulator::new();
        accumulator.mix_in_guarded(self);
        accumulator.par_extend(elements);
        if let Some(sum) = accumulator.finish_guarded() {
            *self = sum;
        }
    }
}

/// The hash of the multiset of the iterator's items, computed as by [`ParallelExtend`].
///
/// ```
/// use lthash::LtHash;
/// use rayon::prelude::*;
///
/// let hash: LtHash = ["alice", "bob"].par_iter().collect();
/// assert_eq!(hash, LtHash::from_iter(["alice", "bob"]));
/// ```
impl<T: AsRef<[u8]> + Send> FromParallelIterator<T> for LtHash {
    fn from_par_iter<I: IntoParallelIterator<Item = T>>(elements: I) -> LtHash {
        let mut hash = LtHash::new();
        hash.par_extend(elements);
        hash
    }
}

/// The guarded hash of the multiset of the iterator's items, computed as by [`ParallelExtend`].
impl<T: AsRef<[u8]> + Send> FromParallelIterator<T> for Guarded {
    fn from_par_iter<I: IntoParallelIterator<Item = T>>(elements: I) -> Guarded {
        let mut hash = Guarded::new();
        hash.par_extend(elements);
        hash
    }
}
