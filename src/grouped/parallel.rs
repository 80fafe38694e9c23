//! Many multisets on several threads (feature `rayon`).
//!
//! A thread sums elements up in groups of its own, and then adds those sums to the shared ones. So no lock is held while
//! elements are hashed, and a group that most elements belong to is no bottleneck. Where there are many groups, a thread has
//! room for few of them at a time, so that its memory does not grow with their number.

use super::GroupedAccumulator;
use crate::backend::{GroupSums, Kernels, Mix, prefetch};
use crate::parallel::MIN_ELEMENTS;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;
use core::sync::atomic::{AtomicPtr, Ordering};
use rayon::iter::{IntoParallelIterator, ParallelExtend, ParallelIterator};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// With at most this many groups, and at least this many elements for each, a thread has sums of its own for all groups.
const FEW_GROUPS: usize = 1024;
const MANY_ELEMENTS: usize = 16;

/// Of more it has sums for so many at a time, which stay in a second-level cache.
const OWN_GROUPS: usize = 64;

/// The length of the table that finds one of those, which is never more than a quarter full.
const SLOTS: usize = 4 * OWN_GROUPS;

/// About so many locks at most: many more than threads, so that these rarely meet.
const LOCKS: usize = 1024;

/// So many groups before a group's turn, its shared sums are asked for.
const AHEAD: usize = 8;

/// Inserts elements, each with its group, on several threads. If the iterator knows that it has fewer than 512, they are
/// inserted on one.
///
/// The hashes are the same for any number of threads. While this runs, each thread takes at most 250 KiB, or, if there are at most
/// 1024 groups and at least 16 elements for each, 2.1 KiB a group and 100 KiB.
///
/// ```
/// use lthash::{GroupedAccumulator, Guarded};
/// use rayon::prelude::*;
///
/// let mut groups = GroupedAccumulator::new(10);
/// groups.par_extend((0..10_000_usize).into_par_iter().map(|i| (i % 10, i.to_le_bytes())));
/// assert_eq!(groups.counts(), [1000; 10]);
/// let last = (0..1000).map(|i| (10 * i + 9_usize).to_le_bytes());
/// assert_eq!(groups.take(9), Guarded::from_iter(last));
/// ```
///
/// # Panics
///
/// If an element's group does not exist. After that, or after a panic of the iterator or of an item's `as_ref`, some of the
/// elements are inserted, each with its guard and count, and the others are not.
impl<T: AsRef<[u8]> + Send> ParallelExtend<(usize, T)> for GroupedAccumulator {
    fn par_extend<I: IntoParallelIterator<Item = (usize, T)>>(&mut self, elements: I) {
        let elements = elements.into_par_iter();
        let count = elements.opt_len().unwrap_or(usize::MAX);
        if count < MIN_ELEMENTS {
            return self.extend(elements.collect::<Vec<_>>());
        }
        let groups = self.len();
        let is_few = groups <= OWN_GROUPS.max(FEW_GROUPS.min(count / MANY_ELEMENTS));
        let own_groups = if is_few { groups } else { OWN_GROUPS };
        self.is_new = false;
        let empty = self.begun_anew();
        let shared = Shared::new(self);
        // Threads' sums while they have nothing to do. An iterator is split into more parts than there are threads.
        let idle: Mutex<Vec<Box<Own>>> = Mutex::default();
        elements
            .fold(
                || {
                    // A statement by itself: the lock is not held while sums are made.
                    let own = lock(&idle).pop();
                    own.unwrap_or_else(|| Own::new(&empty, own_groups, is_few))
                },
                |mut own, (group, element)| {
                    own.insert(&shared, group, element.as_ref());
                    own
                },
            )
            .for_each(|own| lock(&idle).push(own));
        let all = mem::take(&mut *lock(&idle));
        all.into_par_iter()
            .for_each(|mut own| own.hand_over(&shared));
    }
}

impl GroupedAccumulator {
    /// No multisets, on the same kernels and under the same key.
    fn begun_anew(&self) -> GroupedAccumulator {
        let mut accumulator = GroupedAccumulator::with_kernels(self.kernels, 0);
        accumulator.key = self.key.clone();
        accumulator
    }
}

/// The sums and counts that threads add to.
struct Shared<'a> {
    kernels: &'static Kernels,
    groups: usize,
    /// The place of group 0.
    first_place: usize,
    /// A power of two.
    places_a_slice: usize,
    slices: Vec<Slice<'a>>,
}

/// Some groups, one behind the other.
struct Slice<'a> {
    first_group: usize,
    /// Where the sums begin, to ask for them. Neither changed nor read through: it is atomic because a plain pointer is not shared
    /// between threads.
    start: AtomicPtr<GroupSums>,
    sums_and_counts: Mutex<(&'a mut [GroupSums], &'a mut [i64])>,
}

impl<'a> Shared<'a> {
    fn new(accumulator: &'a mut GroupedAccumulator) -> Shared<'a> {
        let groups = accumulator.len();
        let first_place = accumulator.groups.place(0);
        let places_a_slice = (groups / LOCKS).clamp(1, 64).next_power_of_two();
        let mut counts = &mut accumulator.counts[..];
        let slices = (accumulator.groups.slices_mut(places_a_slice)).map(|sums| {
            let first_group = groups - counts.len();
            let (its_counts, others) = mem::take(&mut counts).split_at_mut(sums.len());
            counts = others;
            Slice {
                first_group,
                start: AtomicPtr::new(sums.as_mut_ptr()),
                sums_and_counts: Mutex::new((sums, its_counts)),
            }
        });
        Shared {
            kernels: accumulator.kernels,
            groups,
            first_place,
            places_a_slice,
            slices: slices.collect(),
        }
    }

    /// The slice that a group is in, and its index there.
    fn locate(&self, group: usize) -> (&Slice<'a>, usize) {
        let slice = &self.slices[(self.first_place + group) / self.places_a_slice];
        (slice, group - slice.first_group)
    }

    fn prefetch(&self, group: usize) {
        let (slice, index) = self.locate(group);
        prefetch(slice.start.load(Ordering::Relaxed).wrapping_add(index));
    }

    /// Adds to a group.
    fn add(&self, group: usize, sums: &GroupSums, count: i64) {
        let (slice, index) = self.locate(group);
        let (shared, counts) = &mut *lock(&slice.sums_and_counts);
        let shared = &mut shared[index];
        // Limb by limb, which is right in whatever order this backend has them.
        (self.kernels.add)(&mut shared.limbs, &sums.limbs);
        Mix::In.guard(&mut shared.guard, sums.guard);
        counts[index] += count;
    }
}

/// A thread's own sums.
struct Own {
    accumulator: GroupedAccumulator,
    /// Which groups the accumulator's are.
    groups: Vec<usize>,
    /// Unless these are all groups: at a group's first slot or behind it, before the next slot that is free, 1 + its index in
    /// `groups`.
    slots: [u8; SLOTS],
    are_all: bool,
}

impl Own {
    fn new(empty: &GroupedAccumulator, groups: usize, are_all: bool) -> Box<Own> {
        let mut accumulator = empty.clone();
        accumulator.resize(groups);
        Box::new(Own {
            accumulator,
            groups: (0..if are_all { groups } else { 0 }).collect(),
            // Not an Option: what None leaves uninitialised would be moved to the heap as it stood on the stack.
            slots: [0; SLOTS],
            are_all,
        })
    }

    fn insert(&mut self, shared: &Shared<'_>, group: usize, element: &[u8]) {
        let index = if self.are_all {
            group
        } else {
            match find(&self.slots, &self.groups, group) {
                Ok(index) => index,
                Err(slot) => self.begin(shared, group, slot),
            }
        };
        self.accumulator.insert(index, element);
    }

    /// Begins a group, whose entry is to be at a slot, and returns its index.
    fn begin(&mut self, shared: &Shared<'_>, group: usize, mut slot: usize) -> usize {
        assert!(
            group < shared.groups,
            "there is no group {group}: there are {}",
            shared.groups
        );
        if self.groups.len() == OWN_GROUPS {
            self.hand_over(shared);
            self.groups.clear();
            self.slots = [0; SLOTS];
            slot = first_slot(group);
        }
        self.groups.push(group);
        self.slots[slot] = self.groups.len() as u8;
        self.groups.len() - 1
    }

    /// Adds its sums and counts to the shared ones, and makes them zero.
    fn hand_over(&mut self, shared: &Shared<'_>) {
        self.accumulator.flush();
        for (index, &group) in self.groups.iter().enumerate() {
            if let Some(&group) = self.groups.get(index + AHEAD) {
                shared.prefetch(group);
            }
            let sums = self.accumulator.groups.get_mut(index);
            let count = mem::take(&mut self.accumulator.counts[index]);
            shared.add(group, sums, count);
            *sums = GroupSums::new();
        }
    }
}

/// A group's index, or the slot for its entry.
fn find(slots: &[u8; SLOTS], groups: &[usize], group: usize) -> Result<usize, usize> {
    let mut slot = first_slot(group);
    loop {
        match usize::from(slots[slot]).checked_sub(1) {
            None => return Err(slot),
            Some(index) if groups[index] == group => return Ok(index),
            Some(_) => slot = (slot + 1) % SLOTS,
        }
    }
}

/// The first slot that may have a group's entry, by multiplicative hashing (Knuth, *The Art of Computer Programming*, volume 3,
/// section 6.4).
fn first_slot(group: usize) -> usize {
    let hash = (group as u32).wrapping_mul(0x9e37_79b9);
    (hash >> (u32::BITS - SLOTS.ilog2())) as usize
}

/// What a lock guards. Nothing panics while it is held.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
