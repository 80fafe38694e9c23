//! Guards against the `blake3` crate, and `Guarded`'s other functions.

mod common;

use common::{backends, generated};
use lthash::{Accumulator, Guarded, LtHash};

/// The first 16 bytes of the element's hash.
fn guard_of(element: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    blake3::Hasher::new()
        .update(element)
        .finalize_xof()
        .fill(&mut bytes);
    u128::from_le_bytes(bytes)
}

fn elements() -> Vec<Vec<u8>> {
    [0, 1, 64, 65, 1024, 1025, 5000]
        .map(|length| generated("guarded", 0, length))
        .into()
}

#[test]
fn a_guard_is_the_sum_of_the_hashes_first_bytes() {
    let mut all = Guarded::new();
    let mut sum = 0u128;
    for element in elements() {
        let one = Guarded::of(&element);
        assert_eq!(one.hash(), &LtHash::of(&element));
        assert_eq!(one.guard(), guard_of(&element));
        all.insert(&element);
        sum = sum.wrapping_add(guard_of(&element));
    }
    assert_eq!(all.hash(), &LtHash::from_iter(elements()));
    assert_eq!(all.guard(), sum);
    assert_eq!(all, Guarded::from_iter(elements()));
    for element in elements() {
        all.remove(&element);
    }
    assert!(all.is_identity());
}

#[test]
fn a_guard_follows_a_key() {
    let (key, element) = ([7; 32], b"element");
    let mut bytes = [0; 16];
    blake3::Hasher::new_keyed(&key)
        .update(element)
        .finalize_xof()
        .fill(&mut bytes);
    let keyed = Guarded::of_keyed(&key, element);
    assert_eq!(keyed.guard(), u128::from_le_bytes(bytes));
    assert_eq!(keyed.into_hash(), LtHash::of_keyed(&key, element));
}

#[test]
fn a_guard_counts_beyond_the_limbs() {
    let mut many = Guarded::new();
    let mut power = Guarded::of(b"element");
    // 65,536 times, by doubling.
    for _ in 0..16 {
        many = [&power, &power].into_iter().sum();
        power = many.clone();
    }
    assert!(many.hash().is_identity());
    assert!(!many.is_identity());
    assert_eq!(many.guard(), guard_of(b"element") << 16);
}

#[test]
fn guarded_hashes_add_up() {
    let [a, b] = [b"a", b"b"].map(|element| Guarded::of(element));
    let mut sum = a.clone();
    sum += &b;
    assert_eq!(sum, [a.clone(), b.clone()].into_iter().sum());
    assert_eq!(sum.guard(), guard_of(b"a").wrapping_add(guard_of(b"b")));
    sum -= &a;
    assert_eq!(sum, b);
    sum += &-&b;
    assert_eq!(sum, Guarded::default());
    assert_eq!((-a.clone()).guard(), guard_of(b"a").wrapping_neg());
    assert_eq!(LtHash::from(a), LtHash::of(b"a"));
}

#[test]
fn bytes_are_the_hash_and_the_guard() {
    let guarded = Guarded::from_iter(elements());
    let bytes = guarded.to_bytes();
    assert_eq!(bytes[..2048], guarded.hash().to_bytes());
    assert_eq!(bytes[2048..], guarded.guard().to_le_bytes());
    assert_eq!(Guarded::from_bytes(&bytes), guarded);
}

/// On every backend and by every function that adds to an accumulator, guards sum up as the `blake3` crate's output does.
#[test]
fn accumulators_sum_guards_up() {
    let lengths = [
        0, 1, 64, 65, 500, 1024, 1025, 3000, 8192, 8193, 16_384, 16_385, 70_000,
    ];
    for kernels in backends() {
        for count in [1, 2, 3, 5, 40, 300] {
            let mut accumulator = Accumulator::with_kernels(kernels);
            let (mut guard, mut hash) = (0u128, LtHash::new());
            for i in 0..count {
                let element = generated("sums", i, lengths[i as usize * 7 % lengths.len()]);
                let its_guard = guard_of(&element);
                match i % 5 {
                    0 => accumulator.insert(&element),
                    1 => accumulator.extend([&element]),
                    2 => {
                        let mut parts = accumulator.element();
                        for part in element.chunks(100) {
                            parts.update(part);
                        }
                        parts.insert();
                    }
                    3 => accumulator.mix_in_guarded(&Guarded::of(&element)),
                    _ => {
                        accumulator.remove(&element);
                        guard = guard.wrapping_sub(its_guard).wrapping_sub(its_guard);
                        hash -= &LtHash::of(&element);
                        hash -= &LtHash::of(&element);
                    }
                }
                guard = guard.wrapping_add(its_guard);
                hash += &LtHash::of(&element);
            }
            let clone = accumulator.clone();
            for guarded in [accumulator.take_guarded(), clone.finish_guarded()] {
                let guarded = guarded.unwrap();
                assert_eq!(guarded.guard(), guard, "{kernels:?}, {count} elements");
                assert_eq!(guarded.hash(), &hash);
            }
            assert_eq!(accumulator.finish_guarded(), Some(Guarded::new()));
        }
    }
}

#[test]
fn a_bare_hash_has_no_guard() {
    for mix in [Accumulator::mix_in, Accumulator::mix_out] {
        let mut accumulator = Accumulator::new();
        accumulator.insert(b"element");
        mix(&mut accumulator, &LtHash::new());
        accumulator.mix_in_guarded(&Guarded::of(b"another"));
        assert_eq!(accumulator.clone().finish_guarded(), None);
        assert_eq!(accumulator.take_guarded(), None);
        // Once taken from, the accumulator is empty and has a guard.
        accumulator.mix_out_guarded(&Guarded::of(b"element"));
        assert_eq!(accumulator.finish_guarded(), Some(-Guarded::of(b"element")));
    }
}

#[test]
#[cfg(feature = "rayon")]
fn guards_are_the_same_on_several_threads() {
    use rayon::prelude::*;

    let elements: Vec<Vec<u8>> = (0..2000).map(|i| generated("threads", i, 80)).collect();
    let one: Guarded = elements.iter().collect();
    let several: Guarded = elements.par_iter().collect();
    assert_eq!(several, one);
    let mut accumulator = Accumulator::new();
    accumulator.par_extend(&elements);
    accumulator.remove(b"another");
    let mut expected = one;
    expected.remove(b"another");
    assert_eq!(accumulator.finish_guarded(), Some(expected));
}
