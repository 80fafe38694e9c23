//! Every public function fits a thread with a stack of 64 KiB on x86-64, in a debug build too. Other processors' debug
//! builds may take larger frames.

mod common;

use common::{backends, generated};
use lthash::kv::{self, Delta, Mutation};
use lthash::{Accumulator, Backend, Checksum, Kernels, LtHash, hex};
use std::hint::black_box;
use std::thread;

const STACK: usize = if cfg!(target_arch = "x86_64") {
    64 * 1024
} else {
    256 * 1024
};

type Call = fn(&'static Kernels, &[u8]);

/// Calls each function on a stack of its own. An overflow ends the process: the last name printed is at fault.
fn call_each(calls: &[(&str, Call)]) {
    let elements = [0, 64, 1024, 1025, 16_384, 16_385, 100_000, 4 << 20]
        .map(|length| generated("stack", 0, length));
    for kernels in backends() {
        for element in &elements {
            for (name, call) in calls {
                println!("{name}, {kernels:?}, {} bytes", element.len());
                thread::scope(|scope| {
                    thread::Builder::new()
                        .stack_size(STACK)
                        .spawn_scoped(scope, || call(kernels, element))
                        .unwrap();
                });
            }
        }
    }
}

#[test]
fn hashes() {
    fn some() -> LtHash {
        LtHash::of(b"element")
    }
    fn show<T>(value: T) {
        black_box(value);
    }
    call_each(&[
        ("of", |_, element| show(LtHash::of(element))),
        ("of_keyed", |_, element| {
            show(LtHash::of_keyed(&[1; 32], element))
        }),
        ("expand", |kernels, element| show(kernels.expand(element))),
        ("insert", |_, element| some().insert(element)),
        ("remove", |_, element| some().remove(element)),
        ("extend", |_, element| some().extend([element, b"another"])),
        ("from_iter", |_, element| {
            show(LtHash::from_iter([element, element]))
        }),
    ]);
}

#[test]
fn groups() {
    fn check(call: fn()) {
        thread::Builder::new()
            .stack_size(STACK)
            .spawn(call)
            .unwrap()
            .join()
            .unwrap();
    }
    check(|| {
        let mut hash = LtHash::of(b"element");
        hash += &LtHash::new();
        hash -= &LtHash::new();
    });
    check(|| assert!((-LtHash::new()).is_identity()));
    check(|| assert!((-&LtHash::default()).is_identity()));
    check(|| {
        black_box([LtHash::new(), LtHash::new()].iter().sum::<LtHash>());
    });
    check(|| {
        black_box([LtHash::new(), LtHash::new()].into_iter().sum::<LtHash>());
    });
    check(|| {
        black_box(LtHash::from_bytes(&[1; 2048]).to_bytes());
    });
    check(|| {
        black_box(LtHash::try_from(&[1; 2048][..]).unwrap());
    });
    check(|| {
        black_box(format!(
            "{:?} {:#x}",
            LtHash::new(),
            LtHash::new().checksum()
        ));
    });
    check(|| {
        let text = LtHash::new().checksum().to_string();
        black_box(text.parse::<Checksum>().unwrap());
    });
    check(|| {
        let text = hex::encode(LtHash::new().to_bytes());
        black_box(hex::decode(text).unwrap());
    });
    check(|| {
        black_box((
            Backend::requested().ok(),
            Backend::active(),
            Backend::detect(),
        ));
    });
}

#[test]
fn accumulators() {
    call_each(&[
        ("insert", |kernels, element| {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.insert(element);
            accumulator.remove(element);
            black_box(accumulator.finish());
        }),
        ("extend", |kernels, element| {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.extend([element, element]);
            black_box(accumulator.take());
        }),
        ("element", |_, element| {
            let mut accumulator = Accumulator::new();
            let mut parts = accumulator.element();
            parts.update(&element[..element.len() / 3]).update(element);
            parts.insert();
            black_box(accumulator.finish());
        }),
        ("keyed", |kernels, element| {
            let mut accumulator = Accumulator::with_kernels(kernels).keyed(&[1; 32]);
            accumulator.insert(element);
            black_box(accumulator.clone().finish());
        }),
        ("mix_in", |kernels, _| {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.mix_in(&LtHash::new());
            accumulator.mix_out(&LtHash::new());
            black_box(format!("{accumulator:?}"));
        }),
    ]);
}

#[test]
fn records() {
    fn add(value: &[u8]) -> Mutation<'_> {
        Mutation {
            key: b"key",
            value: Some(value),
            previous: Some(b"previous"),
        }
    }
    call_each(&[
        ("hash_kv", |_, value| {
            black_box(kv::hash_kv(b"key", value));
        }),
        ("hash_chunk", |_, value| {
            black_box(kv::hash_chunk(&[add(value)]));
        }),
        ("hash_chunk_with", |kernels, value| {
            let mut delta = kv::hash_chunk_with(kernels, &[add(value)]);
            delta += &Delta::default();
            black_box(delta);
        }),
        ("sum", |_, _| {
            black_box(
                [Delta::default(), Delta::default()]
                    .into_iter()
                    .sum::<Delta>(),
            );
        }),
        ("mutate", |kernels, value| {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.mutate(&add(value));
            black_box(accumulator.finish());
        }),
    ]);
}
