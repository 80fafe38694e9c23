//! Allocations: there are none for each element, none for changes without effect, and no more bytes than is documented.
// Not with Windows' GNU environment: a thread's variables are allocated there, and this file's allocator uses some.
#![cfg(not(all(windows, target_env = "gnu")))]

mod common;

use common::{Reference, backends, generated};
use lthash::kv::{self, Mutation};
use lthash::row::Row;
use lthash::{Accumulator, GroupedAccumulator, hex};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    /// The bytes that this thread has allocated and not freed, and the most that this has been.
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    BYTES.set(BYTES.get() + change);
    PEAK.set(PEAK.get().max(BYTES.get()));
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        count(layout.size() as isize);
        // SAFETY: passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        count(size as isize - layout.size() as isize);
        // SAFETY: passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations that this thread makes in `work`.
fn allocations<T>(work: impl FnOnce() -> T) -> usize {
    let before = COUNT.get();
    let _result = work();
    COUNT.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| std::hint::black_box(Box::new(1))), 1);
}

#[test]
fn hash_chunk_allocates_nothing_an_element() {
    const FEW: usize = 16;
    let keys: Vec<Vec<u8>> = (0..1200).map(|i| generated("key", i, 52)).collect();
    let updates: Vec<Mutation<'_>> = keys
        .iter()
        .map(|key| Mutation {
            key,
            value: Some(&key[..32]),
            previous: Some(&key[1..33]),
        })
        .collect();
    for kernels in backends() {
        for count in [1, 10, 1200] {
            let made = allocations(|| kv::hash_chunk_with(kernels, &updates[..count]));
            assert!(made <= FEW, "{made} for {count} updates on {kernels:?}");
        }
    }
}

#[test]
fn what_changes_nothing_allocates_nothing() {
    let same = Mutation {
        key: b"key",
        value: Some(b"value"),
        previous: Some(b"value"),
    };
    let absent = Mutation {
        value: None,
        previous: None,
        ..same
    };
    for kernels in backends() {
        let made = allocations(|| kv::hash_chunk_with(kernels, &[same, absent]));
        assert_eq!(made, 0, "on {kernels:?}");
    }
}

#[test]
fn an_accumulator_keeps_its_allocations() {
    let element = generated("element", 0, 50_000);
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels);
        let mut work = || {
            for length in [0, 100, 1024] {
                accumulator.insert(&element[..length]);
            }
            for length in [0, 100, 600, 50_000] {
                let mut parts = accumulator.element();
                parts
                    .update(&element[..length / 2])
                    .update(&element[..length]);
                parts.remove();
            }
            let _hash = accumulator.take();
        };
        work();
        assert_eq!(allocations(work), 0, "on {kernels:?}");
    }
}

/// 64 KiB of staging; 16 KiB of an element that is given in parts; and temporarily, the memory in which a batch joins long
/// elements' chunks, or from which a growing buffer is copied.
#[test]
fn an_accumulator_takes_100_kib_at_most() {
    let long = generated("element", 0, 1 << 20);
    for kernels in backends() {
        let before = BYTES.get();
        PEAK.set(before);
        let mut accumulator = Accumulator::with_kernels(kernels);
        let lengths = [10; 1100].into_iter().chain((0..20_000).step_by(97));
        for length in lengths.chain([long.len()]) {
            accumulator.insert(&long[..length]);
            accumulator.remove(&long[..length / 2]);
        }
        let mut element = accumulator.element();
        for _ in 0..5 {
            element.update(&long[..333_333]);
        }
        element.insert();
        drop(accumulator.finish());
        let peak = PEAK.get() - before;
        assert!(
            (64 << 10..=100 << 10).contains(&peak),
            "{peak} bytes on {kernels:?}"
        );
        assert_eq!(BYTES.get(), before);
    }
}

/// What it says that it takes, whatever has been done; and each group little more than its sums.
#[test]
fn groups_take_the_memory_that_they_say() {
    let element = generated("element", 0, 50_000);
    for kernels in backends() {
        for key in [None, Some(&[7; 32])] {
            let before = BYTES.get();
            PEAK.set(before);
            let (mut most, mut taken_before) = (0, 0);
            let mut groups = GroupedAccumulator::with_kernels(kernels, 0);
            if let Some(key) = key {
                groups = groups.keyed(key);
            }
            let mut check = |groups: &GroupedAccumulator| {
                let taken = (BYTES.get() - before) as usize + size_of::<GroupedAccumulator>();
                assert_eq!(groups.memory(), taken);
                most = most.max(groups.len());
                // The counts' memory alone may be that of more groups than there are.
                assert!(taken <= 2140 * groups.len() + 16 * most + (350 << 10));
                // A page may be copied, and the counts be moved.
                let peak = (PEAK.get() - before) as usize;
                assert!(peak <= taken.max(taken_before) + (160 << 10) + 16 * most);
                taken_before = taken;
                PEAK.set(BYTES.get());
            };
            check(&groups);
            for count in (1..70).chain([1000, 999, 64, 5000]) {
                groups.resize(count);
                check(&groups);
                for length in [0, 64, 1000, 5000, 16_384, 16_385, 50_000] {
                    groups.insert(count * 7 % count, &element[..length]);
                    check(&groups);
                }
            }
            for first in [0, 1, 63, 64, 100, 1000] {
                groups.take_first(first).for_each(drop);
                check(&groups);
            }
            let _ = groups.take(0);
            check(&groups);
            let hashes = groups.finish();
            drop(hashes);
            assert_eq!(BYTES.get(), before);
        }
    }
}

/// A million groups that are added one by one are never copied all together.
#[test]
fn groups_that_are_added_one_by_one_are_not_copied() {
    const GROUPS: usize = 20_000;
    let before = BYTES.get();
    PEAK.set(before);
    let mut groups = GroupedAccumulator::new(0);
    let made = allocations(|| {
        for count in 1..=GROUPS {
            groups.resize(count);
        }
    });
    assert!(made < GROUPS / 8, "{made} allocations");
    assert!(PEAK.get() - before < 2140 * GROUPS as isize + (350 << 10));
    // Nor are those that stay when others are taken out.
    PEAK.set(before);
    let taken = BYTES.get();
    for _ in 0..GROUPS / 100 {
        groups.take_first(100).for_each(drop);
    }
    assert!(PEAK.get() <= taken + (350 << 10));
}

/// 256 KiB of items, and an accumulator's own memory.
#[test]
fn few_large_items_are_held() {
    let items = || (0..10).map(|i| [i; 64 << 10]);
    for kernels in backends() {
        for knows_its_length in [true, false] {
            let before = BYTES.get();
            PEAK.set(before);
            let mut accumulator = Accumulator::with_kernels(kernels);
            if knows_its_length {
                accumulator.extend(items());
            } else {
                accumulator.extend(items().filter(|_| true));
            }
            assert!(accumulator.finish() == Reference::sum(items()));
            let peak = PEAK.get() - before;
            assert!(peak <= 356 << 10, "{peak} bytes on {kernels:?}");
        }
    }
}

#[test]
fn hex_allocates_its_text_once_or_not_at_all() {
    for length in [0, 4, 31, 32, 100, 5000] {
        let bytes = generated("hex", 0, length);
        let one = usize::from(length > 0);
        assert_eq!(allocations(|| hex::encode(&bytes)), one);
        assert_eq!(allocations(|| hex::encode_upper(&bytes)), one);
        assert_eq!(allocations(|| hex::encode_prefixed(&bytes)), 1);
        let mut text = String::with_capacity(4 * length + 2);
        let append = || {
            hex::append(&bytes, &mut text);
            hex::append_prefixed(&bytes, &mut text);
        };
        assert_eq!(allocations(append), 0);
        assert_eq!(allocations(|| hex::decode(&text[..2 * length])), one);
        let mut shown = String::with_capacity(2 * length);
        let show = || std::fmt::write(&mut shown, format_args!("{}", hex::display(&bytes)));
        assert_eq!(allocations(show), 0);
        assert_eq!(shown, text[..2 * length]);
        let mut out = vec![0; length];
        let decode = || hex::decode_to_slice(&shown, &mut out);
        assert_eq!(allocations(decode), usize::from(length > 2048));
    }
}

#[test]
fn a_row_keeps_its_memory() {
    let mut row = Row::new();
    let mut work = || {
        row.clear().null().integer(i128::MIN).decimal(i128::MAX, 1);
        row.wide_decimal(&[7; 32], -128).float(0.1).text("text");
        row.begin_map(3).text("b").begin_list(2).null().null();
        row.text("a").begin_map(0).end_map().unwrap();
        row.text("c").bool(true).end_map().unwrap();
        row.as_element().len()
    };
    work();
    assert_eq!(allocations(work), 0);
}
