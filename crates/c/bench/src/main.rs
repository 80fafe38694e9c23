//! Times the C interface's functions, as a C program calls them in the shared library, beside the library's own, in turns.

use lthash::kv::{self, Mutation};
use lthash::{Accumulator, LtHash};
use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;
use std::time::{Duration, Instant};

#[repr(C)]
#[derive(Clone, Copy)]
struct Bytes {
    data: *const c_void,
    length: usize,
}

impl Bytes {
    fn of(bytes: &[u8]) -> Bytes {
        Bytes {
            data: bytes.as_ptr().cast(),
            length: bytes.len(),
        }
    }
}

#[repr(C)]
struct Delta {
    limbs: [u16; 1024],
    keys: i64,
    bytes: i64,
}

#[link(name = "lthash")]
unsafe extern "C" {
    fn lthash_of(hash: *mut u16, element: *const c_void, length: usize) -> i32;
    fn lthash_insert_many(
        hash: *mut u16,
        key: *const u8,
        elements: *const Bytes,
        count: usize,
    ) -> i32;
    fn lthash_batch_new(key: *const u8) -> *mut c_void;
    fn lthash_batch_insert(batch: *mut c_void, element: *const c_void, length: usize) -> i32;
    fn lthash_batch_take(batch: *mut c_void, hash: *mut u16) -> i32;
    fn lthash_kv_changeset(
        delta: *mut Delta,
        key: *const u8,
        mutations: *const [Bytes; 3],
        count: usize,
    ) -> i32;
}

const ROUNDS: usize = 601;

/// Times two functions in turns, and prints the medians of each and of the turns' ratios, with the ratios' quartiles.
fn compare(name: &str, mut rust: impl FnMut(), mut c: impl FnMut()) {
    let time = |function: &mut dyn FnMut(), calls: u32| {
        let start = Instant::now();
        (0..calls).for_each(|_| function());
        start.elapsed().as_secs_f64() / f64::from(calls)
    };
    let mut calls = 1;
    while time(&mut rust, calls) * f64::from(calls) < Duration::from_micros(500).as_secs_f64() {
        calls *= 2;
    }
    time(&mut c, calls);
    let turns: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|_| (time(&mut rust, calls), time(&mut c, calls)))
        .collect();
    let quartile = |values: &mut Vec<f64>, quarter: usize| {
        values.sort_by(f64::total_cmp);
        values[quarter * (ROUNDS - 1) / 4]
    };
    let mut ratios = turns.iter().map(|(rust, c)| c / rust).collect();
    println!(
        "{name:44} {:10.0} ns {:10.0} ns   {:.3} ({:.3} to {:.3})",
        1e9 * quartile(&mut turns.iter().map(|turn| turn.0).collect(), 2),
        1e9 * quartile(&mut turns.iter().map(|turn| turn.1).collect(), 2),
        quartile(&mut ratios, 2),
        quartile(&mut ratios, 1),
        quartile(&mut ratios, 3),
    );
}

/// Bytes of this length that no other index has.
fn field(index: usize, length: usize) -> Vec<u8> {
    let mut field = vec![index as u8; length];
    field[..4.min(length)].copy_from_slice(&(index as u32).to_le_bytes()[..4.min(length)]);
    field
}

fn main() {
    let element = field(7, 64);
    let mut limbs = [0; 1024];
    // SAFETY (here and below): what the functions of lthash.h want.
    compare(
        "of, 64 bytes",
        || drop(black_box(LtHash::of(black_box(&element)))),
        || unsafe {
            lthash_of(limbs.as_mut_ptr(), element.as_ptr().cast(), 64);
            black_box(&limbs);
        },
    );

    for length in [64, 256, 1024] {
        for count in [16, 100, 1000] {
            let elements: Vec<Vec<u8>> = (0..count).map(|index| field(index, length)).collect();
            let slices: Vec<Bytes> = elements.iter().map(|element| Bytes::of(element)).collect();

            let mut hash = LtHash::new();
            let mut limbs = [0; 1024];
            compare(
                &format!("insert_many, {count} elements of {length} bytes"),
                || hash.extend(black_box(&elements)),
                || unsafe {
                    lthash_insert_many(
                        limbs.as_mut_ptr(),
                        ptr::null(),
                        black_box(&slices).as_ptr(),
                        count,
                    );
                },
            );

            let mut accumulator = Accumulator::new();
            // SAFETY: as above.
            let batch = unsafe { lthash_batch_new(ptr::null()) };
            compare(
                &format!("batch, {count} elements of {length} bytes"),
                || {
                    for element in black_box(&elements) {
                        accumulator.insert(element);
                    }
                    drop(black_box(accumulator.take()));
                },
                || unsafe {
                    for element in black_box(&slices) {
                        lthash_batch_insert(batch, element.data, element.length);
                    }
                    lthash_batch_take(batch, limbs.as_mut_ptr());
                    black_box(&limbs);
                },
            );
        }
    }

    for count in [10, 100, 1000] {
        let keys: Vec<Vec<u8>> = (0..count).map(|index| field(index, 52)).collect();
        let old: Vec<Vec<u8>> = (0..count).map(|index| field(index, 32)).collect();
        let new: Vec<Vec<u8>> = (0..count).map(|index| field(index + count, 32)).collect();
        let mutations: Vec<Mutation<'_>> = (0..count)
            .map(|i| Mutation {
                key: &keys[i],
                value: Some(&new[i]),
                previous: Some(&old[i]),
            })
            .collect();
        let of_c: Vec<[Bytes; 3]> = (0..count)
            .map(|i| [Bytes::of(&keys[i]), Bytes::of(&new[i]), Bytes::of(&old[i])])
            .collect();
        let mut delta = Delta {
            limbs: [0; 1024],
            keys: 0,
            bytes: 0,
        };
        compare(
            &format!("changeset, {count} updates"),
            || drop(black_box(kv::hash_chunk(black_box(&mutations)))),
            || unsafe {
                lthash_kv_changeset(&mut delta, ptr::null(), black_box(&of_c).as_ptr(), count);
            },
        );
        black_box((delta.keys, delta.bytes));
    }
}
