//! What each operation costs on every backend that this processor has.
//!
//! Every sample puts its stack and its input at another offset, so that the spread covers alignment. ci/bench.sh runs it and compares
//! the backends.

mod inputs;
mod offsets;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use inputs::{buffer, random_lengths};
use lthash::kv::{self, Mutation};
use lthash::{Accumulator, Backend, Kernels, LtHash};
use offsets::Offsets;
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::hint::black_box;
use std::time::{Duration, Instant};

const KEY: usize = 52;
const VALUE: usize = 32;
const LENGTHS: [usize; 7] = [1, 64, 128, 256, 512, 1024, 1025];
const COUNTS: [usize; 10] = [1, 2, 3, 7, 8, 9, 16, 17, 33, 1000];

/// Measures a case's column. `work`'s input begins at the given offset of its buffer.
fn bench<T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    column: &str,
    case: impl Display,
    mut work: impl FnMut(usize) -> T,
) {
    let mut sample = 0;
    group.bench_function(BenchmarkId::new(column, case), |bencher| {
        bencher.iter_custom(|iterations| {
            let offsets = Offsets::of_sample(sample);
            sample += 1;
            let mut duration = Duration::ZERO;
            offsets.run(|| {
                let start = Instant::now();
                for _ in 0..iterations {
                    black_box(work(offsets.input));
                }
                duration = start.elapsed();
            });
            duration
        });
    });
}

/// The backends' columns.
fn kernels() -> impl Iterator<Item = (&'static str, &'static Kernels)> {
    Backend::available().filter_map(|backend| Some((backend.name(), backend.kernels().ok()?)))
}

fn expand(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("expand");
    for length in LENGTHS {
        let input = buffer(length);
        group.throughput(Throughput::Bytes(length as u64));
        for (column, kernels) in kernels() {
            bench(&mut group, column, length, |offset| {
                kernels.expand(black_box(&input[offset..][..length]))
            });
        }
    }
}

fn mix(criterion: &mut Criterion, name: &str, mix: fn(&Kernels, &mut LtHash, &LtHash)) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(LtHash::BYTES as u64));
    for (column, kernels) in kernels() {
        let mut set = LtHash::of(b"set");
        let other = LtHash::of(b"other");
        bench(&mut group, column, LtHash::BYTES, |_| {
            mix(kernels, black_box(&mut set), black_box(&other));
        });
    }
}

fn mix_in(criterion: &mut Criterion) {
    mix(criterion, "mix_in", Kernels::add);
}

fn mix_out(criterion: &mut Criterion) {
    mix(criterion, "mix_out", Kernels::sub);
}

/// A record serialised and expanded, as `kv::hash_kv` does with the active backend.
fn hash_kv(criterion: &mut Criterion) {
    let input = buffer(KEY + VALUE);
    let mut group = criterion.benchmark_group("hash_kv");
    group.throughput(Throughput::Elements(1));
    for (column, kernels) in kernels() {
        bench(&mut group, column, format!("{KEY} + {VALUE}"), |offset| {
            let (key, value) = black_box(&input[offset..][..KEY + VALUE]).split_at(KEY);
            kv::element(key, value).map(|element| kernels.expand(&element))
        });
    }
}

/// 1000 updates: each takes the previous value out and puts the new one in.
fn hash_chunk(criterion: &mut Criterion) {
    const UPDATES: usize = 1000;
    const RECORD: usize = KEY + 2 * VALUE;
    let input = buffer(UPDATES * RECORD);
    let updates: Vec<Mutation<'_>> = input
        .chunks_exact(RECORD)
        .take(UPDATES)
        .map(|record| Mutation {
            key: &record[..KEY],
            value: Some(&record[KEY..KEY + VALUE]),
            previous: Some(&record[KEY + VALUE..]),
        })
        .collect();
    let mut group = criterion.benchmark_group("hash_chunk");
    group.throughput(Throughput::Elements(UPDATES as u64));
    for (column, kernels) in kernels() {
        bench(&mut group, column, UPDATES, |_| {
            kv::hash_chunk_with(kernels, black_box(&updates))
        });
    }
}

/// So many elements into an accumulator, and their sum out of it.
fn batch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("batch");
    let mut cases: Vec<(String, Vec<usize>)> = Vec::new();
    for count in COUNTS {
        for length in LENGTHS {
            cases.push((format!("{length} x {count}"), vec![length; count]));
        }
        cases.push((format!("random x {count}"), random_lengths(count)));
    }
    for (case, lengths) in cases {
        let input = buffer(lengths.iter().sum());
        group.throughput(Throughput::Elements(lengths.len() as u64));
        for (column, kernels) in kernels() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            bench(&mut group, column, &case, |offset| {
                let mut rest = black_box(&input[offset..]);
                for &length in &lengths {
                    let element;
                    (element, rest) = rest.split_at(length);
                    accumulator.insert(element);
                }
                accumulator.take()
            });
        }
    }
}

/// The same code under every column, the `blake3` crate's: how far its columns differ is how far to trust the others.
fn checksum(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checksum");
    group.throughput(Throughput::Bytes(LtHash::BYTES as u64));
    for (column, kernels) in kernels() {
        let hash = kernels.expand(b"set");
        bench(&mut group, column, LtHash::BYTES, |_| {
            black_box(&hash).checksum()
        });
    }
}

/// An expansion, then SHA-256 of its 2048 bytes, which on x86-64 is legacy SSE code: on some processors it pays for upper
/// halves of vector registers that are left dirty. The second case leaves one dirty on purpose, and shows what a kernel
/// without `vzeroupper` would cost.
fn expand_then_sha256(criterion: &mut Criterion) {
    const LENGTH: usize = 64;
    let input = buffer(LENGTH);
    let mut group = criterion.benchmark_group("expand_then_sha256");
    group.throughput(Throughput::Bytes(LENGTH as u64));
    for (column, kernels) in kernels() {
        let mut sides: Vec<(&str, fn())> = vec![("clean", || {})];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            sides.push(("dirty upper half", dirty_upper_half));
        }
        for (side, after_expansion) in sides {
            bench(&mut group, column, side, |offset| {
                let hash = kernels.expand(black_box(&input[offset..][..LENGTH]));
                after_expansion();
                Sha256::digest(hash.to_bytes())
            });
        }
    }
}

/// Sets the upper half of a register. Only where there is AVX2.
#[cfg(target_arch = "x86_64")]
fn dirty_upper_half() {
    // SAFETY: the caller has made sure of AVX2; nothing but the named register is changed.
    unsafe {
        std::arch::asm!(
            "vpcmpeqd ymm15, ymm15, ymm15",
            out("ymm15") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

criterion_group! {
    name = benches;
    // Some two hundred cases: a second each.
    config = Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    targets = expand, mix_in, mix_out, hash_kv, hash_chunk, batch, checksum, expand_then_sha256
}
criterion_main!(benches);
