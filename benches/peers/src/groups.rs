//! Many multisets at once, against one.

use crate::inputs::buffer;
use crate::output::{print_heading, print_rows};
use crate::paired::{Contender, compare};
use crate::peers::{kernels, name};
use lthash::{Accumulator, GroupedAccumulator, Kernels};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::hint::black_box;

const GROUPS: &str = "Groups";
const THREADS: &str = "Groups on two threads";
const LENGTH: usize = 64;
/// How many groups there are.
const COUNTS: [usize; 4] = [1, 16, 1024, 65_536];
/// The elements that a sample takes, at least: so many that what another sample left in the caches hardly counts.
const ELEMENTS: usize = 16 * 1024;

/// Elements spread at random over groups, against all of them in one accumulator.
pub fn groups() {
    print_heading(GROUPS);
    let input = buffer(ELEMENTS * LENGTH);
    let elements = |offset: usize| {
        black_box(&input[offset..])
            .chunks_exact(LENGTH)
            .take(ELEMENTS)
    };
    for kernels in kernels() {
        for count in COUNTS {
            let mut contenders = [one(kernels, elements), spread(kernels, count, elements)];
            let case = format!("{LENGTH} bytes, {count} groups, {}", name(kernels));
            print_rows(GROUPS, &case, &compare(&mut contenders));
        }
    }
}

/// Elements spread at random over many groups on two threads, against one. Run it unpinned, with two free cores.
pub fn threads() {
    print_heading(THREADS);
    let two = ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .expect("two threads");
    let input = buffer(ELEMENTS * LENGTH);
    for count in COUNTS {
        let order = random_groups(count);
        let pairs = |offset: usize| -> Vec<(usize, &[u8])> {
            let elements = black_box(&input[offset..]).chunks_exact(LENGTH).cycle();
            order
                .iter()
                .map(|&group| group as usize)
                .zip(elements)
                .take(8 * ELEMENTS)
                .collect()
        };
        let mut contenders = [false, true].map(|is_parallel| {
            let mut groups = GroupedAccumulator::new(count);
            let (two, pairs) = (&two, &pairs);
            let name = if is_parallel {
                "two threads"
            } else {
                "one thread"
            };
            Contender::new(name, move |times, offset| {
                let pairs = pairs(offset);
                for _ in 0..times {
                    if is_parallel {
                        two.install(|| groups.par_extend(pairs.par_iter().copied()));
                    } else {
                        groups.extend(pairs.iter().copied());
                    }
                }
            })
            .units(8 * ELEMENTS)
        });
        let case = format!("{LENGTH} bytes, {count} groups");
        print_rows(THREADS, &case, &compare(&mut contenders));
    }
}

fn one<'a, I: Iterator<Item = &'a [u8]>>(
    kernels: &'static Kernels,
    elements: impl Fn(usize) -> I + 'a,
) -> Contender<'a> {
    let mut accumulator = Accumulator::with_kernels(kernels);
    Contender::new("one accumulator", move |times, offset| {
        for _ in 0..times {
            for element in elements(offset) {
                accumulator.insert(element);
            }
        }
    })
    .units(ELEMENTS)
}

fn spread<'a, I: Iterator<Item = &'a [u8]>>(
    kernels: &'static Kernels,
    count: usize,
    elements: impl Fn(usize) -> I + 'a,
) -> Contender<'a> {
    let mut groups = GroupedAccumulator::with_kernels(kernels, count);
    let order = random_groups(count);
    let mut order = order.into_iter().cycle();
    Contender::new("groups", move |times, offset| {
        for _ in 0..times {
            for (element, group) in elements(offset).zip(&mut order) {
                groups.insert(group as usize, element);
            }
        }
    })
    .units(ELEMENTS)
}

/// Groups uniformly random in 0..count, the same in every run: many times as many as one sample takes.
fn random_groups(count: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 << 20];
    blake3::Hasher::new().finalize_xof().fill(&mut bytes);
    let (words, _) = bytes.as_chunks();
    words
        .iter()
        .map(|word| u32::from_le_bytes(*word) % count as u32)
        .collect()
}
