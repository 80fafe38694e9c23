//! The feature `zeroize`: memory that is freed holds no key, no bytes of an element and no chaining value of one of its chunks.
#![cfg(feature = "zeroize")]
// Not with Windows' GNU environment: a thread's variables are allocated there, and this file's allocator uses some.
#![cfg(not(all(windows, target_env = "gnu")))]

use lthash::{Accumulator, Backend, GroupedAccumulator, LtHash};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The key, and the bytes that elements consist of.
const SECRET: [u8; 32] = [0xa7; 32];

struct Searching;

thread_local! {
    /// The bytes that are searched for.
    static SOUGHT: Cell<[u8; 32]> = const { Cell::new(SECRET) };
    static FOUND: Cell<usize> = const { Cell::new(0) };
}

/// # Safety
///
/// There are `length` bytes at `pointer`, initialised or not.
unsafe fn search(pointer: *mut u8, length: usize) {
    let sought = SOUGHT.get();
    for i in 0..(length + 1).saturating_sub(sought.len()) {
        // SAFETY: inside the memory. A volatile read of a byte yields some value, whatever was written before.
        let is_there = |j: usize| unsafe { pointer.add(i + j).read_volatile() } == sought[j];
        if (0..sought.len()).all(is_there) {
            FOUND.set(FOUND.get() + 1);
            return;
        }
    }
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Searching {
    // Zeroed, so that whatever is found was written since.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    // `realloc` is the default: it allocates, copies and frees.

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller frees the whole allocation.
        unsafe { search(pointer, layout.size()) };
        // SAFETY: passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Searching = Searching;

fn found<T>(work: impl FnOnce() -> T) -> usize {
    let before = FOUND.get();
    drop(work());
    FOUND.get() - before
}

/// The chaining value of one of an element's chunks.
fn chaining_value(index: u64, chunk: &[u8]) -> [u8; 32] {
    use blake3::hazmat::HasherExt;

    blake3::Hasher::new()
        .set_input_offset(1024 * index)
        .update(chunk)
        .finalize_non_root()
}

#[test]
fn the_search_finds() {
    assert_eq!(found(|| Box::new(SECRET)), 1);
    assert_eq!(found(|| SECRET.to_vec()), 1);
    assert_eq!(found(|| vec![0; 1000]), 0);
}

#[test]
fn the_key() {
    assert_eq!(found(|| Box::new(Accumulator::new().keyed(&SECRET))), 0);
    assert_eq!(
        found(|| Box::new(Accumulator::new().keyed(&SECRET).keyed(&[0; 32]))),
        0
    );
}

/// A value that is moved leaves its bytes in its old place.
#[test]
fn the_key_of_an_accumulator_that_is_moved() {
    let keyed = || Accumulator::new().keyed(&SECRET);
    assert_eq!(found(|| Box::new(keyed()).finish()), 0);
    let collect = || (0..20).map(|_| keyed()).filter(|_| true).collect();
    assert_eq!(found::<Vec<Accumulator>>(collect), 0);
}

/// Chaining values in the lanes of a batch, and of an element in parts.
#[test]
fn chaining_values() {
    SOUGHT.set(chaining_value(1, &SECRET.repeat(32)));
    assert_eq!(found(|| Box::new(SOUGHT.get())), 1);
    let long = SECRET.repeat(100);
    let found = found(|| {
        let mut accumulator = Box::new(Accumulator::new());
        for _ in 0..20 {
            accumulator.insert(&long);
        }
        let mut element = accumulator.element();
        element.update(&long[..1500]).update(&long[1500..]);
        element.insert();
        accumulator.take()
    });
    assert_eq!(found, 0);
}

/// Elements whose last chunk is finished long before the others, so that very many are under way at once.
#[test]
fn chaining_values_of_many_elements_under_way() {
    let long = SECRET.repeat(256);
    for backend in Backend::available() {
        let kernels = backend.kernels().unwrap();
        for chunks in 1..8 {
            let element = &long[..1024 * chunks + 1];
            SOUGHT.set(chaining_value(chunks as u64, &SECRET[..1]));
            let found = found(|| {
                let mut accumulator = Accumulator::with_kernels(kernels);
                accumulator.extend([element; 100]);
                accumulator.take()
            });
            assert_eq!(found, 0, "{} bytes on {backend}", element.len());
        }
    }
}

#[test]
#[cfg(feature = "rayon")]
fn other_threads_keys() {
    use rayon::prelude::*;

    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let found = pool.unwrap().install(|| {
        let elements = vec![[1; 40]; 5000];
        let mut accumulator = Accumulator::new().keyed(&SECRET);
        found(|| {
            accumulator.par_extend(&elements);
            for count in [10, 5000] {
                let mut groups = GroupedAccumulator::new(count).keyed(&SECRET);
                groups.par_extend((0..5000).into_par_iter().map(|i| (i % count, SECRET)));
            }
        })
    });
    assert_eq!(found, 0);
}

#[test]
fn what_is_staged() {
    let long = SECRET.repeat(1000);
    let found = found(|| {
        let mut accumulator = Box::new(Accumulator::new());
        for length in [32, 100, 1000, 10_000, long.len()] {
            accumulator.insert(&long[..length]);
        }
        let mut clone = accumulator.clone();
        for _ in 0..20 {
            accumulator.insert(&long[..5000]);
            clone.remove(&long[..5000]);
        }
        (accumulator, clone)
    });
    assert_eq!(found, 0);
}

#[test]
fn a_hash() {
    use zeroize::Zeroize;

    let of = || Box::new(LtHash::from_bytes(&[0xa7; 2048]));
    assert_eq!(found(of), 1);
    let wiped = || {
        let mut hash = of();
        hash.zeroize();
        assert!(hash.is_identity());
        hash
    };
    assert_eq!(found(wiped), 0);
}

/// The hash of one element under a key, which is the accumulator's whole hash.
#[test]
fn an_accumulators_hash() {
    fn assert_zeroize_on_drop<T: zeroize::ZeroizeOnDrop>() {}
    assert_zeroize_on_drop::<Accumulator>();

    let bytes = LtHash::of_keyed(&[1; 32], b"element").to_bytes();
    SOUGHT.set(bytes[64..96].try_into().unwrap());
    assert_eq!(found(|| Box::new(bytes)), 1);
    for backend in Backend::available() {
        let kernels = backend.kernels().unwrap();
        let found = found(|| {
            let mut accumulator = Box::new(Accumulator::with_kernels(kernels).keyed(&[1; 32]));
            accumulator.insert(b"element");
            accumulator
        });
        assert_eq!(found, 0, "on {backend}");
    }
}

/// Of elements under a key, in groups that are dropped, taken out or moved as others are added.
#[test]
fn groups_hashes() {
    fn assert_zeroize_on_drop<T: zeroize::ZeroizeOnDrop>() {}
    assert_zeroize_on_drop::<GroupedAccumulator>();

    let bytes = LtHash::of_keyed(&SECRET, b"element").to_bytes();
    for backend in Backend::available() {
        let kernels = backend.kernels().unwrap();
        // On the assembly backends sums are in another order: what 16 counters' first words have there.
        let mut sums = [0; 32];
        for (word, bytes) in sums.chunks_exact_mut(4).zip(bytes.chunks_exact(64)) {
            word.copy_from_slice(&bytes[..4]);
        }
        let in_order = bytes[..32].try_into().unwrap();
        let groups = |count| {
            let mut groups = GroupedAccumulator::with_kernels(kernels, count).keyed(&SECRET);
            for group in 0..count {
                groups.insert(group, b"element");
            }
            groups
        };
        for sought in [sums, in_order, SECRET] {
            SOUGHT.set(sought);
            let works: [&dyn Fn(); 5] = [
                &|| drop(Box::new(groups(3))),
                &|| {
                    let mut groups = groups(3);
                    groups.resize(1);
                    groups.resize(70);
                },
                &|| {
                    let mut groups = groups(1);
                    for count in 2..70 {
                        groups.resize(count);
                        groups.insert(count - 1, b"element");
                        let _ = groups.clone();
                    }
                },
                &|| {
                    let mut groups = groups(200);
                    let _ = groups.take(199);
                    groups.take_first(70).for_each(drop);
                    groups.take_first(10).for_each(drop);
                    drop(groups.take_first(10));
                },
                &|| groups(130).finish().take(65).for_each(drop),
            ];
            for (i, work) in works.iter().enumerate() {
                assert_eq!(found(work), 0, "{i} on {backend}");
            }
        }
    }
}

#[test]
fn an_element_in_parts() {
    let long = SECRET.repeat(1000);
    let found = found(|| {
        let mut accumulator = Box::new(Accumulator::new());
        let mut element = accumulator.element();
        element.update(&long[..100]).update(&long[..500]);
        element.insert();
        let mut element = accumulator.element();
        element.update(&long[..100]).update(&long[..5000]);
        element.insert();
        let mut element = accumulator.element();
        element.update(&long[..100]).update(&long[..20_000]);
        drop(element);
        let mut element = accumulator.element();
        element.update(&long[..100]).update(&long);
        element.insert();
        accumulator
    });
    assert_eq!(found, 0);
}
