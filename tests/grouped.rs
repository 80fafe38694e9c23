//! A grouped accumulator against one accumulator for each group, on every backend.

mod common;

use common::{backends, generated};
use lthash::{Accumulator, GroupedAccumulator, Guarded, Kernels};
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A call of one of the functions that change a group.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Insert,
    Remove,
    MixIn,
}

/// Lengths around every boundary of the engine.
const LENGTHS: [usize; 16] = [
    0, 1, 63, 64, 65, 128, 1000, 1024, 1025, 2048, 4097, 8192, 8193, 16_384, 16_385, 50_000,
];

/// A sequence of steps, the same for every run: mostly short elements, in groups that are not in order.
fn steps(groups: usize, count: usize) -> Vec<(usize, Step, Vec<u8>)> {
    let random = generated("steps", 0, 4 * count);
    (random.chunks_exact(4).enumerate())
        .map(|(i, random)| {
            let group = u16::from_le_bytes([random[0], random[1]]) as usize % groups;
            let step = match random[2] {
                0..200 => Step::Insert,
                200..250 => Step::Remove,
                _ => Step::MixIn,
            };
            let length = if random[3] < 32 {
                LENGTHS[random[3] as usize % LENGTHS.len()]
            } else {
                random[3] as usize
            };
            (group, step, generated("element", i as u32, length))
        })
        .collect()
}

/// An accumulator for each group.
struct Separate {
    accumulators: Vec<Accumulator>,
    counts: Vec<i64>,
}

impl Separate {
    fn new(kernels: &'static Kernels, key: Option<&[u8; 32]>, groups: usize) -> Separate {
        let accumulator = Accumulator::with_kernels(kernels);
        let accumulator = match key {
            Some(key) => accumulator.keyed(key),
            None => accumulator,
        };
        Separate {
            accumulators: vec![accumulator; groups],
            counts: vec![0; groups],
        }
    }

    fn take(&mut self, group: usize) -> Guarded {
        self.counts[group] = 0;
        self.accumulators[group].take_guarded().unwrap()
    }

    fn finish(self) -> Vec<Guarded> {
        let accumulators = self.accumulators.into_iter();
        accumulators
            .map(|accumulator| accumulator.finish_guarded().unwrap())
            .collect()
    }
}

fn apply(
    grouped: &mut GroupedAccumulator,
    separate: &mut Separate,
    (group, step, element): &(usize, Step, Vec<u8>),
) {
    let accumulator = &mut separate.accumulators[*group];
    match step {
        Step::Insert => {
            grouped.insert(*group, element);
            accumulator.insert(element);
            separate.counts[*group] += 1;
        }
        Step::Remove => {
            grouped.remove(*group, element);
            accumulator.remove(element);
            separate.counts[*group] -= 1;
        }
        Step::MixIn => {
            grouped.mix_in(*group, &Guarded::of(element));
            accumulator.mix_in_guarded(&Guarded::of(element));
        }
    }
}

fn grouped(kernels: &'static Kernels, key: Option<&[u8; 32]>, groups: usize) -> GroupedAccumulator {
    let grouped = GroupedAccumulator::with_kernels(kernels, groups);
    match key {
        Some(key) => grouped.keyed(key),
        None => grouped,
    }
}

#[test]
fn groups_are_accumulators() {
    for kernels in backends() {
        for key in [None, Some(&[7; 32])] {
            for groups in [1, 2, 8, 9, 64, 65, 300] {
                let mut separate = Separate::new(kernels, key, groups);
                let mut grouped = grouped(kernels, key, groups);
                assert_eq!(grouped.len(), groups);
                for step in &steps(groups, 1500) {
                    apply(&mut grouped, &mut separate, step);
                }
                assert_eq!(grouped.counts(), separate.counts);
                let hashes = grouped.finish();
                assert_eq!(hashes.len(), groups);
                assert!(
                    hashes.eq(separate.finish()),
                    "{kernels:?}, {groups} groups, key {key:?}"
                );
            }
        }
    }
}

#[test]
fn groups_are_taken_added_and_dropped() {
    for kernels in backends() {
        let mut separate = Separate::new(kernels, None, 150);
        let mut grouped = grouped(kernels, None, 150);
        let empty = Accumulator::with_kernels(kernels);
        for (i, chunk) in steps(150, 1200).chunks(100).enumerate() {
            for (group, step, element) in chunk {
                let group = group % grouped.len();
                apply(
                    &mut grouped,
                    &mut separate,
                    &(group, *step, element.clone()),
                );
            }
            let last = grouped.len() - 1;
            assert_eq!(grouped.take(last), separate.take(last));
            // A change of a clone does not change the original.
            let mut clone = grouped.clone();
            clone.insert(0, b"another");
            let first = [1, 63, 64, 0, 70][i % 5].min(last);
            let taken: Vec<Guarded> = grouped.take_first(first).collect();
            let expected: Vec<Accumulator> = separate.accumulators.drain(..first).collect();
            let expected = expected.into_iter().map(|it| it.finish_guarded().unwrap());
            assert!(taken.into_iter().eq(expected));
            separate.counts.drain(..first);
            let groups = [149, 65, 150, 1, 200][i % 5];
            grouped.resize(groups);
            separate.accumulators.resize(groups, empty.clone());
            separate.counts.resize(groups, 0);
            assert_eq!(grouped.len(), groups);
            assert_eq!(grouped.counts(), separate.counts);
        }
        assert!(grouped.finish().eq(separate.finish()), "{kernels:?}");
    }
}

#[test]
fn no_groups() {
    for kernels in backends() {
        let mut none = GroupedAccumulator::with_kernels(kernels, 0);
        assert_eq!((none.len(), none.counts()), (0, &[][..]));
        assert_eq!(none.take_first(0).count(), 0);
        assert_eq!(none.finish().count(), 0);
    }
}

/// Groups that are dropped or taken out leave nothing behind for those that are added later.
#[test]
fn groups_begin_anew() {
    for kernels in backends() {
        for groups in [1, 10, 64, 65, 200] {
            for taken in [0, 1, 63] {
                let fill = |grouped: &mut GroupedAccumulator| {
                    for group in 0..grouped.len() {
                        grouped.insert(group, &group.to_le_bytes());
                        grouped.mix_in(group, &Guarded::of(b"another"));
                    }
                };
                let mut grouped = grouped(kernels, None, groups + taken);
                fill(&mut grouped);
                let _ = grouped.take_first(taken);
                grouped.resize(0);
                assert_eq!((grouped.len(), grouped.counts().len()), (0, 0));
                grouped.resize(groups);
                assert_eq!(grouped.counts(), vec![0; groups]);
                fill(&mut grouped);
                assert_eq!(grouped.take_first(groups).count(), groups);
                assert_eq!(grouped.len(), 0);
                grouped.resize(2);
                grouped.insert(1, b"element");
                let hashes: Vec<Guarded> = grouped.finish().collect();
                assert_eq!(hashes, [Guarded::new(), Guarded::of(b"element")]);
            }
        }
    }
}

#[test]
fn hashes_are_taken_one_by_one() {
    for kernels in backends() {
        let mut grouped = grouped(kernels, None, 100);
        for i in 0..300 {
            let element = generated("one by one", i, i as usize % 100 * 20);
            let group = i as usize * 37 % 100;
            grouped.insert(group, &element);
            assert_eq!(grouped.take(group), Guarded::of(&element), "{kernels:?}");
            assert_eq!(grouped.counts(), [0; 100]);
        }
        assert!(grouped.finish().all(|hash| hash.is_identity()));
    }
}

/// More elements of each length than there are lanes and waiting root nodes: they are mixed in another order than they came in.
#[test]
fn elements_of_all_lengths_meet() {
    for kernels in backends() {
        for groups in [2, 70, 500] {
            let mut grouped = grouped(kernels, None, groups);
            let mut separate = Separate::new(kernels, None, groups);
            for i in 0..700 {
                let element = generated("meet", i, LENGTHS[i as usize % LENGTHS.len()]);
                let group = i as usize * 7 % groups;
                let step = [Step::Insert, Step::Remove][i as usize / 3 % 2];
                apply(&mut grouped, &mut separate, &(group, step, element));
            }
            assert!(grouped.finish().eq(separate.finish()), "{kernels:?}");
        }
    }
}

/// A call that panics changes nothing, but for an iterator's items before the one that panics: they are inserted.
#[test]
fn after_a_panic() {
    for kernels in backends() {
        let mut grouped = grouped(kernels, None, 13);
        let _ = grouped.take_first(3);
        grouped.insert(9, b"element");
        for absent in [10, 60, 61, 64, 1 << 20, usize::MAX] {
            let works: [&dyn Fn(&mut GroupedAccumulator); 7] = [
                &|grouped| grouped.insert(absent, b"element"),
                &|grouped| grouped.remove(absent, &[0; 20_000]),
                &|grouped| grouped.mix_in(absent, &Guarded::of(b"element")),
                &|grouped| drop(grouped.take(absent)),
                &|grouped| drop(grouped.take_first(absent.max(11))),
                &|grouped| grouped.resize(usize::MAX),
                &|grouped| grouped.extend(iter::once_with(|| -> (usize, &[u8]) { panic!() })),
            ];
            for (i, work) in works.iter().enumerate() {
                let result = catch_unwind(AssertUnwindSafe(|| work(&mut grouped)));
                assert!(result.is_err(), "{i}, group {absent}");
                assert_eq!(grouped.counts(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
            }
        }
        let items = (0..700).map(|i| (i % 10, [i as u8; 40]));
        let result = catch_unwind(AssertUnwindSafe(|| {
            grouped.extend(items.clone().chain([(10, [0; 40]), (0, [0; 40])]));
        }));
        assert!(result.is_err());
        let mut expected = vec![Guarded::new(); 10];
        expected[9].insert(b"element");
        items.for_each(|(group, element)| expected[group].insert(&element));
        assert!(grouped.finish().eq(expected), "{kernels:?}");
    }
}

/// 2.1 KiB for each group, and a constant.
#[test]
fn memory_is_as_documented() {
    for groups in [0, 1, 100, 5000] {
        let mut grouped = GroupedAccumulator::new(groups);
        for i in 0..5000 {
            if groups > 0 {
                grouped.insert(i % groups, &[0; 1000]);
            }
        }
        let most = groups * 2151 + 250 * 1024;
        let least = groups * 2048;
        assert!((least..most).contains(&grouped.memory()), "{groups} groups");
        grouped.resize(groups + 1);
        assert!(grouped.memory() < most + 2151);
    }
}

#[test]
#[should_panic(expected = "the len is 2 but the index is 2")]
fn a_group_that_there_is_not() {
    GroupedAccumulator::new(2).insert(2, b"element");
}

#[test]
#[should_panic(expected = "the first 3 groups of 2")]
fn more_groups_than_there_are() {
    let _ = GroupedAccumulator::new(2).take_first(3);
}
