//! Every public function fits a thread with a stack of 64 KiB on x86-64, in a debug build too. Other processors' debug
//! builds may take larger frames.
//!
//! ci/public-api.sh looks for a function of the public interface that is not named here.

mod common;

use common::{backends, generated};
use lthash::kv::{self, Delta, Mutation};
use lthash::row::encode::{self, Output, Unit};
use lthash::row::{self, Row};
use lthash::state::{Fingerprint, Records, State};
use lthash::{Accumulator, Backend, Checksum, GroupedAccumulator, Guarded, Kernels, LtHash, hex};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::thread;

const STACK: usize = if cfg!(target_arch = "x86_64") {
    64 * 1024
} else {
    256 * 1024
};

type Call = fn(&'static Kernels, &[u8]);

/// Calls each function on a stack of its own. An overflow ends the process, and the last name that was printed is the culprit's.
fn call_each(calls: &[(&str, Call)]) {
    let elements = [0, 64, 1024, 1025, 16_384, 16_385, 100_000, 2 << 20]
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
        ("remove_all", |_, element| {
            some().remove_all([element, b"another"]);
        }),
        ("from_iter", |_, element| {
            show(LtHash::from_iter([element, element]))
        }),
        ("mix_in", |kernels, element| {
            let other = kernels.expand(element);
            let mut hash = some();
            hash.mix_in(&other);
            hash.mix_out(&other);
            kernels.add(&mut hash, &other);
            kernels.sub(&mut hash, &other);
            let mut memory = MaybeUninit::uninit();
            let limbs = kernels.expand_limbs(None, element, &mut memory);
            kernels.add_limbs(limbs, other.limbs());
            kernels.sub_limbs(limbs, other.limbs());
            show((hash.checksum(), hash.is_identity(), hash.limbs()[0]));
        }),
    ]);
}

#[test]
fn guarded() {
    call_each(&[
        ("of", |_, element| {
            black_box(Guarded::of(element));
        }),
        ("of_keyed", |_, element| {
            black_box(Guarded::of_keyed(&[1; 32], element));
        }),
        ("insert", |_, element| {
            let mut hash = Guarded::from_iter([element]);
            hash.insert(element);
            hash.remove(element);
            hash.extend([element]);
            black_box((hash.guard(), hash.is_identity()));
            black_box(hash.into_hash());
        }),
        ("mix_in", |_, element| {
            let mut hash = Guarded::new();
            hash.mix_in(&Guarded::default());
            hash.mix_out(&Guarded::of(element));
            black_box((hash.hash().checksum(), format!("{hash:?}")));
        }),
        ("neg", |_, _| {
            black_box(-Guarded::new());
        }),
        ("sum", |_, _| {
            black_box([Guarded::new()].iter().sum::<Guarded>());
            black_box([Guarded::new()].into_iter().sum::<Guarded>());
        }),
        ("from_bytes", |_, _| {
            black_box(Guarded::from_bytes(&[1; Guarded::BYTES]).to_bytes());
        }),
    ]);
}

#[test]
fn states() {
    call_each(&[("state", |_, element| {
        let hash = Guarded::of(element);
        let state = State::new(Records::LINES, Some(Fingerprint::of(&[1; 32])));
        let mut state = state.with(&hash, 1, 1).unwrap();
        state.remove(&hash, 1, 1).unwrap();
        state.insert(&hash, 1, 1).unwrap();
        state.merge(&state.clone()).unwrap();
        let read = State::from_bytes(&state.to_bytes()).unwrap();
        assert!(read.compare(&state).unwrap().is_equal());
        assert!(read.kind().agree_with(Records::LINES) && read.key().is_some());
        black_box((read.version(), read.records(), read.bytes()));
        black_box((read.hash().checksum(), format!("{:?}", read.guarded())));
    })]);
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
        black_box((
            Backend::requested().ok(),
            Backend::active(),
            Backend::detect(),
        ));
    });
    check(|| {
        for backend in Backend::all() {
            assert_eq!(backend.name().parse(), Ok(backend));
        }
        for backend in Backend::available() {
            assert_eq!(backend.kernels().unwrap().backend(), backend);
        }
    });
}

#[test]
fn texts() {
    call_each(&[
        ("encode", |_, bytes| {
            black_box(hex::encode(bytes));
            black_box(hex::encode_prefixed(bytes));
            black_box(hex::encode_upper(bytes));
        }),
        ("append", |_, bytes| {
            let mut text = String::new();
            hex::append(bytes, &mut text);
            hex::append_prefixed(bytes, &mut text);
            black_box(text);
        }),
        ("display", |_, bytes| {
            black_box(format!(
                "{} {:#X}",
                hex::display(bytes),
                hex::display(bytes)
            ));
        }),
        ("decode", |_, bytes| {
            let text = hex::encode_prefixed(bytes);
            assert_eq!(hex::decode_prefixed(&text).unwrap(), bytes);
            assert_eq!(hex::decode(&text[2..]).unwrap(), bytes);
        }),
        ("to_slice", |_, bytes| {
            let mut text = vec![0; 2 * bytes.len()];
            let text = hex::encode_to_slice(bytes, &mut text).unwrap();
            let mut decoded = vec![0; bytes.len()];
            hex::decode_to_slice(&*text, &mut decoded).unwrap();
            hex::decode_prefixed_to_slice(format!("0x{text}"), &mut decoded).unwrap();
            assert_eq!(decoded, bytes);
        }),
        ("kernels", |kernels, bytes| {
            let mut text = vec![0; 2 * bytes.len()];
            let text = kernels.hex_encode(bytes, &mut text).unwrap();
            let mut decoded = vec![0; bytes.len()];
            kernels.hex_decode(text.as_bytes(), &mut decoded).unwrap();
            assert_eq!(decoded, bytes);
        }),
        ("const", |_, _| {
            let text: [u8; 4096] = hex::const_encode(black_box(&[0x5a; 2048]));
            let text = std::str::from_utf8(&text).unwrap();
            assert_eq!(hex::const_decode::<2048>(text), [0x5a; 2048]);
        }),
    ]);
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
            accumulator.remove_all([element, element]);
            black_box(accumulator.take());
        }),
        ("element", |_, element| {
            let mut accumulator = Accumulator::new();
            let mut parts = accumulator.element();
            parts.update(&element[..element.len() / 3]).update(element);
            parts.insert();
            let mut parts = accumulator.element();
            parts.update(element);
            parts.remove();
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
            accumulator.mix_in_guarded(&Guarded::new());
            accumulator.mix_out_guarded(&Guarded::new());
            black_box(format!("{accumulator:?}"));
            black_box(accumulator.take_guarded());
            black_box(accumulator.finish_guarded());
        }),
    ]);
}

#[test]
fn grouped_accumulators() {
    call_each(&[
        ("insert", |kernels, element| {
            let mut groups = GroupedAccumulator::with_kernels(kernels, 3).keyed(&[1; 32]);
            groups.insert(0, element);
            groups.remove(2, element);
            groups.extend([(1, element)]);
            groups.resize(4);
            black_box((groups.len(), groups.memory(), groups.counts()[0]));
            black_box(groups.clone().take(0));
            black_box(groups.take_first(2).count());
            black_box(groups.finish().collect::<Vec<_>>());
        }),
        ("mix_in", |_, element| {
            let mut groups = GroupedAccumulator::new(1);
            groups.mix_in(0, &Guarded::of(element));
            black_box(format!("{groups:?}"));
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
        ("element", |_, value| {
            black_box(kv::element(b"key", value));
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
        ("keyed", |kernels, value| {
            let key = [1; 32];
            black_box(kv::hash_kv_keyed(&key, b"key", value));
            black_box(kv::hash_chunk_keyed(&key, &[add(value)]));
            black_box(kv::hash_chunk_with_keyed(kernels, &key, &[add(value)]));
        }),
        ("guarded", |_, value| {
            let delta: Delta = [add(value)].iter().collect();
            black_box(delta.guarded());
            black_box(-delta);
        }),
        ("mutate", |kernels, value| {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.mutate(&add(value));
            black_box(accumulator.finish());
        }),
    ]);
}

/// Here the caller's stack is small, and those of the pool's threads are not: a waiting thread of a pool takes on other work, so
/// how large its stack has to be depends on the program that made the pool.
#[test]
#[cfg(feature = "rayon")]
fn threads() {
    use rayon::prelude::*;

    call_each(&[
        ("par_iter", |_, element| {
            let elements = vec![&element[..element.len() / 1000]; 1000];
            let hash: LtHash = elements.par_iter().collect();
            let mut accumulator = Accumulator::new();
            accumulator.par_extend(&elements);
            assert_eq!(accumulator.finish(), hash);
        }),
        ("par_extend of groups", |kernels, element| {
            let element = &element[..element.len() / 1000];
            for count in [3, 5000] {
                let mut groups = GroupedAccumulator::with_kernels(kernels, count);
                groups.par_extend((0..1000).into_par_iter().map(|i| (i % count, element)));
                black_box(groups.take(0));
            }
        }),
        ("par_hash_chunk", |_, element| {
            let mutation = Mutation {
                key: b"key",
                value: Some(&element[..element.len() / 1000]),
                previous: None,
            };
            black_box(kv::par_hash_chunk(&vec![mutation; 1000]));
            black_box(kv::par_hash_chunk_keyed(&[1; 32], &vec![mutation; 1000]));
            black_box(kv::par_hash_modules(&[vec![mutation; 600], vec![mutation]]));
        }),
    ]);
}

#[test]
#[cfg(feature = "serde")]
fn formats() {
    call_each(&[
        ("LtHash", |_, element| {
            let hash = LtHash::of(element);
            let text = serde_json::to_string(&hash).unwrap();
            assert_eq!(serde_json::from_str::<LtHash>(&text).unwrap(), hash);
        }),
        ("Checksum", |_, element| {
            let checksum = LtHash::of(element).checksum();
            let text = serde_json::to_string(&checksum).unwrap();
            assert_eq!(serde_json::from_str::<Checksum>(&text).unwrap(), checksum);
        }),
        ("bytes", |_, bytes| {
            use hex::serde::{deserialize, prefixed, serialize};

            let mut json = serde_json::Serializer::new(Vec::new());
            serialize(bytes, &mut json).unwrap();
            let text = json.into_inner();
            let mut json = serde_json::Deserializer::from_slice(&text);
            let read: Vec<u8> = deserialize(&mut json).unwrap();
            assert_eq!(read, bytes);

            let mut json = serde_json::Serializer::new(Vec::new());
            prefixed::serialize(bytes, &mut json).unwrap();
            let text = json.into_inner();
            let mut json = serde_json::Deserializer::from_slice(&text);
            let read: Vec<u8> = prefixed::deserialize(&mut json).unwrap();
            assert_eq!(read, bytes);
        }),
    ]);
}

#[test]
fn rows() {
    call_each(&[
        ("row", |_, bytes| {
            let mut row = Row::new();
            row.clear()
                .null()
                .bool(true)
                .integer(i128::MAX)
                .bytes(bytes);
            row.decimal(i128::MIN, -128).wide_decimal(&[7; 32], -128);
            row.float(0.1).text("text").date(1).interval(1, 2, 3);
            black_box((row.as_element().len(), row.as_values().len()));
            black_box(format!("{row:?}"));
        }),
        ("map", |_, bytes| {
            fn map<'a>(row: &'a mut Row, bytes: &[u8]) -> Result<&'a mut Row, row::Error> {
                row.time(1, 2)?.timestamp(1, 2)?.local_timestamp(1, 2)?;
                row.duration(1, 2)?.begin_map(2).null().bytes(bytes);
                row.bool(true).begin_list(1).null().end_map()
            }
            map(&mut Row::default(), bytes).unwrap();
        }),
        ("encode", |_, bytes| {
            let mut out = Vec::new();
            encode::begin_list(&mut out, 13);
            encode::null(&mut out);
            encode::bool(&mut out, true);
            encode::integer(&mut out, i128::MAX);
            encode::decimal(&mut out, i128::MIN, -128);
            encode::wide_decimal(&mut out, &[7; 32], -128);
            encode::float(&mut out, 0.1);
            encode::text(&mut out, "text");
            encode::bytes(&mut out, bytes);
            encode::date(&mut out, i64::MIN);
            encode::time(&mut out, -1, Unit::Second);
            encode::timestamp(&mut out, -1, Unit::Millisecond);
            encode::local_timestamp(&mut out, -1, Unit::Microsecond);
            encode::duration(&mut out, -1, Unit::Nanosecond);
            encode::interval(&mut out, 1, 2, 3);
            encode::begin_text(&mut out, 0);
            encode::begin_bytes(&mut out, 0);
            encode::begin_map(&mut out, 1);
            let key = out.len();
            encode::null(&mut out);
            let value = out.len();
            encode::null(&mut out);
            let end = out.len();
            let mut entries = [encode::Entry { key, value, end }];
            assert!(encode::sort_entries(
                &mut out,
                &mut entries,
                &mut Vec::new()
            ));
            out.append_short(0xf6, 1);
            out.append_bytes(bytes);
            black_box(out);
        }),
    ]);
}
