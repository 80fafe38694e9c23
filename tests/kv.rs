//! Key-value records: what counts, and by how much.

mod common;

use common::{Reference, backends, generated};
use lthash::kv::{self, Delta, Mutation};
use lthash::{Accumulator, Guarded, LtHash};

/// The element by its definition.
fn element(key: &[u8], value: &[u8]) -> Vec<u8> {
    let prefix = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    [&prefix(key)[..], key, &prefix(value), value].concat()
}

fn record(key: &[u8], value: &[u8]) -> Reference {
    Reference::of(None, &element(key, value))
}

fn mutation<'a>(
    key: &'a str,
    previous: impl Into<Option<&'a str>>,
    value: impl Into<Option<&'a str>>,
) -> Mutation<'a> {
    Mutation {
        key: key.as_bytes(),
        value: value.into().map(str::as_bytes),
        previous: previous.into().map(str::as_bytes),
    }
}

/// Checks a mutation's delta on every backend: records removed and inserted, keys and bytes.
fn check(mutation: Mutation<'_>, removed: &[&str], inserted: &[&str], keys: i64, bytes: i64) {
    let mut expected = Reference::new();
    for value in removed {
        expected.add(&record(mutation.key, value.as_bytes()), -1);
    }
    for value in inserted {
        expected.add(&record(mutation.key, value.as_bytes()), 1);
    }
    for kernels in backends() {
        let delta = kv::hash_chunk_with(kernels, &[mutation]);
        assert!(delta.hash == expected, "{kernels:?}, {mutation:?}");
        assert_eq!((delta.keys, delta.bytes), (keys, bytes), "{mutation:?}");
        let mut accumulator = Accumulator::with_kernels(kernels);
        accumulator.mutate(&mutation);
        assert!(
            accumulator.finish() == expected,
            "{kernels:?}, {mutation:?}"
        );
    }
}

#[test]
fn the_six_count_cases() {
    // Add, update longer, update shorter, same value, delete, delete of an absent key.
    check(mutation("key", None, "value"), &[], &["value"], 1, 8);
    check(
        mutation("key", "value", "longer value"),
        &["value"],
        &["longer value"],
        0,
        7,
    );
    check(mutation("key", "value", "v"), &["value"], &["v"], 0, -4);
    check(mutation("key", "value", "value"), &[], &[], 0, 0);
    check(mutation("key", "value", None), &["value"], &[], -1, -8);
    check(mutation("key", None, None), &[], &[], 0, 0);
}

#[test]
fn empty_is_absent() {
    check(mutation("key", "", "value"), &[], &["value"], 1, 8);
    check(mutation("key", "value", ""), &["value"], &[], -1, -8);
    check(mutation("key", "", ""), &[], &[], 0, 0);
    check(mutation("key", None, ""), &[], &[], 0, 0);
    check(mutation("key", "", None), &[], &[], 0, 0);
    check(mutation("", None, "value"), &[], &[], 0, 0);
    check(mutation("", "value", None), &[], &[], 0, 0);
    check(mutation("", "value", "new"), &[], &[], 0, 0);
}

#[test]
fn a_record_twice_counts_twice() {
    let add = mutation("k", None, "v");
    let delta = kv::hash_chunk(&[add, add]);
    let mut expected = Reference::new();
    expected.add(&record(b"k", b"v"), 2);
    assert!(delta.hash == expected);
    assert_eq!((delta.keys, delta.bytes), (2, 4));
}

#[test]
fn elements() {
    assert_eq!(
        kv::element(b"key", b"value").unwrap(),
        b"\x03\0\0\0key\x05\0\0\0value"
    );
    for (key, value) in [("", "value"), ("key", ""), ("", "")] {
        assert_eq!(kv::element(key.as_bytes(), value.as_bytes()), None);
        assert!(kv::hash_kv(key.as_bytes(), value.as_bytes()).is_identity());
    }
    // Around what one chunk, what is staged and what is compressed at once hold.
    for length in [
        1, 900, 1011, 1012, 1013, 3000, 16_371, 16_372, 16_373, 100_000,
    ] {
        let value = generated("value", 0, length);
        assert_eq!(
            kv::element(b"key!", &value).unwrap(),
            element(b"key!", &value)
        );
        let expected = record(b"key!", &value);
        assert!(kv::hash_kv(b"key!", &value) == expected, "{length}");
        for kernels in backends() {
            let add = Mutation {
                key: b"key!",
                value: Some(&value),
                previous: None,
            };
            let delta = kv::hash_chunk_with(kernels, &[add]);
            assert!(delta.hash == expected, "{kernels:?}, {length}");
            assert_eq!((delta.keys, delta.bytes), (1, 4 + length as i64));
        }
    }
}

/// The 1000 records of a published rule: keys of 52 bytes and values of 32, each updated.
#[test]
fn a_changeset_in_any_order_and_any_chunks() {
    let keys: Vec<Vec<u8>> = (0..1000).map(|i| generated("key", i, 52)).collect();
    let old: Vec<Vec<u8>> = (0..1000).map(|i| generated("old", i, 32)).collect();
    let new: Vec<Vec<u8>> = (0..1000).map(|i| generated("new", i, 33)).collect();
    let mut mutations: Vec<Mutation<'_>> = (0..1000)
        .map(|i| Mutation {
            key: &keys[i],
            value: (i % 10 != 0).then_some(&new[i]),
            previous: (i % 7 != 0).then_some(&old[i]),
        })
        .collect();
    let mut expected = Reference::new();
    let (mut count, mut bytes) = (0, 0);
    for mutation in &mutations {
        if let Some(value) = mutation.previous {
            expected.add(&record(mutation.key, value), -1);
            count -= 1;
            bytes -= 52 + 32;
        }
        if let Some(value) = mutation.value {
            expected.add(&record(mutation.key, value), 1);
            count += 1;
            bytes += 52 + 33;
        }
    }
    for kernels in backends() {
        mutations.reverse();
        let delta = kv::hash_chunk_with(kernels, &mutations);
        assert!(delta.hash == expected, "{kernels:?}");
        assert_eq!((delta.keys, delta.bytes), (count, bytes));

        let chunks: Vec<Delta> = mutations
            .chunks(77)
            .map(|chunk| kv::hash_chunk_with(kernels, chunk))
            .collect();
        assert_eq!(chunks.iter().sum::<Delta>(), delta);
        assert_eq!(chunks.into_iter().sum::<Delta>(), delta);
    }
}

#[test]
fn a_delta_and_its_inverse_cancel() {
    let forth = [mutation("a", None, "1"), mutation("b", "22", "2")];
    let back = [mutation("a", "1", None), mutation("b", "2", "22")];
    let mut delta = kv::hash_chunk(&forth);
    assert_ne!(delta, Delta::default());
    delta += &kv::hash_chunk(&back);
    assert_eq!(delta, Delta::default());
    assert_eq!(delta.hash, LtHash::new());
}

#[test]
fn keyed_records() {
    let key = [9; 32];
    let mut expected = Reference::of(Some(&key), &element(b"k", b"new"));
    expected.add(&Reference::of(Some(&key), &element(b"k", b"old")), -1);
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels).keyed(&key);
        accumulator.mutate(&mutation("k", "old", "new"));
        assert!(accumulator.finish() == expected, "{kernels:?}");
    }
}

#[test]
fn every_function_has_a_keyed_twin() {
    let hash_key = [9; 32];
    let of = |value: &[u8]| Reference::of(Some(&hash_key), &element(b"k", value));
    assert!(kv::hash_kv_keyed(&hash_key, b"k", b"new") == of(b"new"));
    assert!(kv::hash_kv_keyed(&hash_key, b"k", b"").is_identity());
    assert!(kv::hash_kv_keyed(&hash_key, b"", b"v").is_identity());

    let mut expected = of(b"longer");
    expected.add(&of(b"old"), -1);
    let update = [mutation("k", "old", "longer")];
    let mut deltas = vec![kv::hash_chunk_keyed(&hash_key, &update)];
    deltas.extend(
        backends()
            .iter()
            .map(|kernels| kv::hash_chunk_with_keyed(kernels, &hash_key, &update)),
    );
    #[cfg(feature = "rayon")]
    deltas.push(kv::par_hash_chunk_keyed(&hash_key, &update));
    for delta in deltas {
        assert!(delta.hash == expected);
        assert_eq!((delta.keys, delta.bytes), (0, 3));
    }
}

#[test]
fn mutate_tells_what_changes() {
    let mut accumulator = Accumulator::new();
    for (previous, value, keys, bytes) in [
        (None, Some("value"), 1, 8),
        (Some("value"), Some("longer value"), 0, 7),
        (Some("same"), Some("same"), 0, 0),
        (Some("longer value"), None, -1, -15),
        (Some("longer value"), Some(""), -1, -15),
        (None, Some("\0\0"), 1, 5),
    ] {
        let change = accumulator.mutate(&mutation("key", previous, value));
        assert_eq!((change.keys, change.bytes), (keys, bytes), "{value:?}");
    }
}

#[test]
fn deltas_subtract_negate_and_are_collected() {
    let mutations = [
        mutation("a", None, "1"),
        mutation("b", "22", "2"),
        mutation("c", "3", None),
    ];
    let [a, b, c] = mutations.map(|mutation| kv::hash_chunk(&[mutation]));
    let all: Delta = mutations.iter().collect();
    assert_eq!((all.keys, all.bytes), (0, -1));
    assert!(
        all.hash == {
            let mut expected = record(b"a", b"1");
            expected.add(&record(b"b", b"2"), 1);
            expected.add(&record(b"b", b"22"), -1);
            expected.add(&record(b"c", b"3"), -1);
            expected
        }
    );
    assert_eq!(mutations.into_iter().collect::<Delta>(), all);
    assert_eq!(
        [a.clone(), b.clone(), c].into_iter().collect::<Delta>(),
        all
    );

    let mut rest = all.clone();
    rest -= &a;
    rest -= &b;
    assert_eq!(rest, kv::hash_chunk(&mutations[2..]));
    let undo = mutation("a", "1", None);
    assert_eq!(-&a, kv::hash_chunk(&[undo]));
    assert_eq!(-a, kv::hash_chunk(&[undo]));
}

/// Where `libc` is a dev-dependency.
#[cfg(all(unix, target_arch = "x86_64"))]
mod longer_than_a_prefix_holds {
    use super::*;
    use std::{ptr, slice};

    /// Four gigabytes of address space, with no memory behind it.
    fn too_long() -> &'static [u8] {
        let length = 1 << 32;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, wherever there is room.
        let address = unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_READ, flags, -1, 0) };
        assert_ne!(address, libc::MAP_FAILED);
        // SAFETY: the mapping reads as zeros and is never removed.
        unsafe { slice::from_raw_parts(address.cast(), length) }
    }

    #[test]
    #[should_panic(
        expected = "a key of a record has 4294967296 bytes: expected at most 4294967295"
    )]
    fn a_key() {
        let _ = kv::element(too_long(), b"value");
    }

    #[test]
    #[should_panic(
        expected = "a value of a record has 4294967296 bytes: expected at most 4294967295"
    )]
    fn a_value() {
        let _ = kv::hash_kv(b"key", too_long());
    }

    #[test]
    fn counts_for_nothing_beside_an_empty_one() {
        assert_eq!(kv::element(too_long(), b""), None);
        assert_eq!(kv::element(b"", too_long()), None);
    }

    #[test]
    fn a_panic_leaves_the_accumulator_as_it_was() {
        for kernels in backends() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.insert(b"before");
            let mutation = Mutation {
                key: b"key",
                value: Some(too_long()),
                previous: Some(b"previous"),
            };
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                accumulator.mutate(&mutation);
            }));
            assert!(result.is_err());
            assert!(accumulator.finish() == Reference::sum(["before"]));
        }
    }
}

#[test]
fn a_deltas_guard_is_its_records() {
    let guard = |value: &[u8]| Guarded::of(&kv::element(b"key", value).unwrap());
    let mutation = |previous, value| Mutation {
        key: b"key",
        value,
        previous,
    };
    let first = kv::hash_chunk(&[mutation(None, Some(b"1"))]);
    let second = kv::hash_chunk(&[mutation(Some(b"1"), Some(b"2"))]);
    let mut expected = guard(b"2");
    expected -= &guard(b"1");
    assert_eq!(second.guarded(), Some(&expected));
    let mut sum = first.clone();
    sum += &second;
    assert_eq!(sum.guarded(), Some(&guard(b"2")));
    assert_eq!((-&sum).guarded(), Some(&-guard(b"2")));
    sum -= &second;
    assert_eq!(sum.guarded(), first.guarded());
    // Another hash has no guard, and neither has a sum with it.
    let mut other = first.clone();
    other.hash = LtHash::of(b"another");
    assert_eq!(other.guarded(), None);
    sum += &other;
    assert_eq!(sum.guarded(), None);
    // As it was, it has its guard again.
    other.hash = first.hash.clone();
    assert_eq!(other.guarded(), first.guarded());
    assert_eq!(Delta::default().guarded(), Some(&Guarded::new()));
}
