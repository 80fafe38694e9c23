//! Every backend against the `blake3` crate: elements of every length, in parts, in batches and keyed; and the laws of a
//! commutative group.

mod common;

use common::{Reference, backends, generated};
use lthash::{Accumulator, Guarded, LtHash};
use proptest::prelude::*;
use std::cell::Cell;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Every length up to one chunk, and lengths around each later chunk boundary.
fn lengths() -> impl Iterator<Item = usize> {
    let around_boundaries = (2..=4).flat_map(|chunks| chunks * 1024 - 2..=chunks * 1024 + 66);
    (0..=1100)
        .chain(around_boundaries)
        .chain([4999, 5000, 16_384, 16_385, 65_536])
}

/// Lengths on both sides of every boundary: empty, a block, two blocks, a chunk, two chunks, the longest staged element.
const MIXED: [usize; 18] = [
    0, 1, 63, 64, 65, 127, 128, 129, 512, 1023, 1024, 1025, 2048, 2049, 3072, 5000, 16_384, 16_385,
];

fn mixed(count: usize) -> Vec<Vec<u8>> {
    MIXED
        .iter()
        .filter(|&&length| length <= 3072)
        .cycle()
        .zip(0..count as u32)
        .map(|(&length, i)| generated("mixed", i, length))
        .collect()
}

#[test]
fn every_length() {
    let data = generated("every length", 0, 65_536);
    let mut sum = Reference::new();
    let mut accumulators: Vec<Accumulator> = backends()
        .iter()
        .map(|kernels| Accumulator::with_kernels(kernels))
        .collect();
    for length in lengths() {
        let element = &data[..length];
        let expected = Reference::of(None, element);
        sum.add(&expected, 1);
        for (kernels, accumulator) in iter::zip(backends(), &mut accumulators) {
            assert!(
                kernels.expand(element) == expected,
                "{kernels:?}, {length} bytes"
            );
            accumulator.insert(element);
        }
    }
    for accumulator in accumulators {
        let name = format!("{accumulator:?}");
        assert!(accumulator.finish_guarded() == sum, "{name}");
    }
}

#[test]
fn every_offset() {
    let data = generated("every offset", 0, 6000);
    let lengths = MIXED.iter().filter(|&&length| length <= 5000);
    for &length in lengths {
        let mut sum = Reference::new();
        for offset in 0..64 {
            let element = &data[offset..][..length];
            let expected = Reference::of(None, element);
            sum.add(&expected, 1);
            for kernels in backends() {
                assert!(
                    kernels.expand(element) == expected,
                    "{kernels:?}, {length} bytes at offset {offset}"
                );
            }
        }
        for kernels in backends() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.extend((0..64).map(|offset| &data[offset..][..length]));
            assert!(
                accumulator.finish_guarded() == sum,
                "{kernels:?}, {length} bytes"
            );
        }
    }
}

/// Inserts an element in two parts, with empty parts before, between and after them.
fn insert_split(accumulator: &mut Accumulator, element: &[u8], at: usize) {
    let (head, tail) = element.split_at(at);
    let mut parts = accumulator.element();
    parts
        .update(b"")
        .update(head)
        .update(b"")
        .update(tail)
        .update(b"");
    parts.insert();
}

#[test]
fn every_split() {
    for length in [0, 1, 63, 64, 65, 1023, 1024, 1025] {
        let element = generated("every split", length as u32, length);
        let mut expected = Reference::new();
        expected.add(&Reference::of(None, &element), length as i32 + 1);
        for kernels in backends() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            for at in 0..=length {
                insert_split(&mut accumulator, &element, at);
            }
            assert!(
                accumulator.finish_guarded() == expected,
                "{kernels:?}, {length} bytes"
            );
        }
    }
}

#[test]
fn splits_of_long_elements() {
    let ends = [
        0, 1, 63, 64, 65, 1023, 1024, 1025, 16_383, 16_384, 16_385, 32_768,
    ];
    for length in [
        2047, 2048, 2049, 3072, 4096, 5120, 7168, 8192, 8193, 16_383, 16_384, 16_385, 32_767,
        32_768, 32_769, 49_152, 65_536, 70_000,
    ] {
        let element = generated("long", length as u32, length);
        let expected = Reference::of(None, &element);
        let middle = [length / 2 - 1, length / 2, length / 2 + 1];
        let splits = ends
            .iter()
            .filter(|&&end| end <= length)
            .flat_map(|&end| [end, length - end])
            .chain(middle);
        for kernels in backends() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            for at in splits.clone() {
                insert_split(&mut accumulator, &element, at);
                assert!(
                    accumulator.take_guarded() == expected,
                    "{kernels:?}, {length} bytes split at {at}"
                );
            }
        }
    }
}

#[test]
fn parts_of_one_size() {
    let element = generated("parts", 0, 150_000);
    let expected = Reference::of(None, &element);
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels);
        for size in [
            1, 7, 64, 1000, 1024, 1025, 4096, 9000, 16_383, 16_384, 16_385, 32_768, 40_000, 65_537,
        ] {
            let mut parts = accumulator.element();
            for part in element.chunks(size) {
                parts.update(part);
            }
            parts.insert();
            assert!(
                accumulator.take_guarded() == expected,
                "{kernels:?}, parts of {size} bytes"
            );
        }
    }
}

/// Run it with `cargo test --release -- --ignored`.
#[test]
#[ignore = "hashes 8 GiB"]
fn an_element_of_more_than_4_gib() {
    let part = generated("huge", 0, 1 << 20);
    let mut hasher = blake3::Hasher::new();
    let mut accumulator = Accumulator::new();
    let mut element = accumulator.element();
    for _ in 0..=1 << 12 {
        hasher.update(&part);
        element.update(&part);
    }
    hasher.update(b"and one more");
    element.update(b"and one more");
    element.insert();
    let mut expected = [0; 2048];
    hasher.finalize_xof().fill(&mut expected);
    assert!(accumulator.finish().to_bytes() == expected);
}

#[test]
fn every_count() {
    let elements = mixed(100);
    let expansions: Vec<Reference> = elements
        .iter()
        .map(|element| Reference::of(None, element))
        .collect();
    for kernels in backends() {
        let mut inserted = Accumulator::with_kernels(kernels);
        let mut extended = Accumulator::with_kernels(kernels);
        let mut expected = Reference::new();
        for count in 0..=elements.len() {
            if count > 0 {
                expected.add(&expansions[count - 1], 1);
            }
            elements[..count]
                .iter()
                .for_each(|element| inserted.insert(element));
            assert!(
                inserted.take_guarded() == expected,
                "{kernels:?}, {count} elements inserted"
            );
            extended.extend(&elements[..count]);
            assert!(
                extended.take_guarded() == expected,
                "{kernels:?}, {count} elements extended"
            );
        }
    }
}

#[test]
fn every_count_of_short_elements() {
    for length in [1, 64, 65, 128, 1024] {
        let elements: Vec<Vec<u8>> = (0..40).map(|i| generated("short", i, length)).collect();
        let expansions: Vec<Reference> = elements
            .iter()
            .map(|element| Reference::of(None, element))
            .collect();
        for kernels in backends() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            let mut expected = Reference::new();
            for count in 1..=elements.len() {
                expected.add(&expansions[count - 1], 1);
                accumulator.extend(&elements[..count]);
                assert!(
                    accumulator.take_guarded() == expected,
                    "{kernels:?}, {count} elements of {length} bytes"
                );
            }
        }
    }
}

#[test]
fn insertions_and_removals_mixed() {
    let elements = mixed(100);
    let mut expected = Reference::new();
    for (i, element) in elements.iter().enumerate() {
        let times = if i % 3 == 0 { -1 } else { 1 };
        expected.add(&Reference::of(None, element), times);
    }
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels);
        for (i, element) in elements.iter().enumerate() {
            if i % 3 == 0 {
                accumulator.remove(element);
            } else {
                accumulator.insert(element);
            }
        }
        assert!(accumulator.take_guarded() == expected, "{kernels:?}");
        elements
            .iter()
            .for_each(|element| accumulator.insert(element));
        elements
            .iter()
            .rev()
            .for_each(|element| accumulator.remove(element));
        assert!(accumulator.finish().is_identity(), "{kernels:?}");
    }
}

#[test]
fn more_than_is_staged() {
    // More elements and more bytes than fit, each by a few and by many.
    for (count, length) in [
        (1024, 1),
        (1025, 1),
        (3000, 8),
        (64, 1024),
        (65, 1024),
        (9, 16_384),
    ] {
        let elements: Vec<Vec<u8>> = (0..count).map(|i| generated("many", i, length)).collect();
        let expected = Reference::sum(&elements);
        for kernels in backends() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            elements
                .iter()
                .for_each(|element| accumulator.insert(element));
            assert!(
                accumulator.take_guarded() == expected,
                "{kernels:?}, {count} elements of {length} bytes"
            );
            accumulator.extend(&elements);
            assert!(
                accumulator.take_guarded() == expected,
                "{kernels:?}, {count} elements of {length} bytes, extended"
            );
        }
    }
}

/// An element whose `as_ref` panics after `calls` calls.
struct Fragile<'a> {
    bytes: &'a [u8],
    calls: Cell<usize>,
}

impl AsRef<[u8]> for Fragile<'_> {
    fn as_ref(&self) -> &[u8] {
        let left = self
            .calls
            .get()
            .checked_sub(1)
            .expect("this panic is meant");
        self.calls.set(left);
        self.bytes
    }
}

#[test]
fn a_panic_in_an_element_leaves_whole_batches() {
    let elements = mixed(600);
    for kernels in backends() {
        for (count, at, inserted) in [
            (1, 0, 0),
            (2, 1, 0),
            (3, 2, 0),
            (300, 280, 256),
            (600, 599, 512),
        ] {
            for calls in 0..2 {
                let fragile = elements[..count]
                    .iter()
                    .enumerate()
                    .map(|(i, bytes)| Fragile {
                        bytes,
                        calls: Cell::new(if i == at { calls } else { usize::MAX }),
                    });
                let mut accumulator = Accumulator::with_kernels(kernels);
                let extend = AssertUnwindSafe(|| accumulator.extend(fragile));
                let panicked = catch_unwind(extend).is_err();
                // The number of calls for each element is not part of the interface.
                let expected = if panicked { inserted } else { count };
                assert!(panicked || calls > 0);
                assert!(
                    accumulator.finish_guarded() == Reference::sum(&elements[..expected]),
                    "{kernels:?}: {count} elements, of which number {at} panics after {calls} calls"
                );
            }
        }
    }
}

#[test]
fn a_key_comes_first() {
    let keyed = |used: fn(&mut Accumulator)| {
        let mut accumulator = Accumulator::new();
        used(&mut accumulator);
        catch_unwind(AssertUnwindSafe(|| accumulator.keyed(&[1; 32]))).is_ok()
    };
    assert!(keyed(|_| ()));
    assert!(keyed(|accumulator| {
        accumulator.insert(b"element");
        let _hash = accumulator.take();
    }));
    let uses: [fn(&mut Accumulator); 8] = [
        |accumulator| accumulator.insert(b"element"),
        |accumulator| accumulator.insert(&[0; 100]),
        |accumulator| accumulator.insert(&[0; 20_000]),
        |accumulator| accumulator.remove(b"element"),
        |accumulator| accumulator.extend(["element"]),
        |accumulator| accumulator.remove_all(["element"]),
        |accumulator| accumulator.mix_in(&LtHash::new()),
        |accumulator| accumulator.element().insert(),
    ];
    for used in uses {
        assert!(!keyed(used));
    }
}

#[test]
fn an_abandoned_element_leaves_no_trace() {
    let long = generated("abandoned", 0, 50_000);
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels);
        for abandoned in [&long[..100], &long[..5000], &long] {
            accumulator.insert(b"before");
            let mut element = accumulator.element();
            element.update(abandoned);
            drop(element);
            accumulator.insert(b"between");
            let mut element = accumulator.element();
            element.update(abandoned);
            std::mem::forget(element);
            let mut element = accumulator.element();
            element.update(b"aft").update(b"er");
            element.remove();
            let mut expected = Reference::sum(["before", "between"]);
            expected.add(&Reference::of(None, b"after"), -1);
            assert!(accumulator.take_guarded() == expected, "{kernels:?}");
        }
    }
}

#[test]
fn threads() {
    fn assert_send_sync<T: Send + Sync + 'static>() {}
    assert_send_sync::<Accumulator>();
    assert_send_sync::<LtHash>();

    let elements = mixed(100);
    let expected = Reference::sum(&elements);
    for kernels in backends() {
        let mut begun = Accumulator::with_kernels(kernels);
        begun.insert(&elements[0]);
        let hash: LtHash = std::thread::scope(|scope| {
            let first = scope.spawn(|| begun.finish());
            let rest = elements[1..].chunks(33).map(|elements| {
                scope.spawn(move || {
                    let mut accumulator = Accumulator::with_kernels(kernels);
                    accumulator.extend(elements);
                    accumulator.finish()
                })
            });
            let threads: Vec<_> = iter::once(first).chain(rest).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .sum()
        });
        assert!(hash == expected, "{kernels:?}");
    }
}

#[test]
fn keyed() {
    let key: &[u8; 32] = &generated("key", 0, 32).try_into().unwrap();
    let elements = mixed(40);
    for kernels in backends() {
        let mut batch = Accumulator::with_kernels(kernels).keyed(key);
        let mut sum = Reference::new();
        for element in &elements {
            let expected = Reference::of(Some(key), element);
            sum.add(&expected, 1);
            batch.insert(element);

            let mut one = Accumulator::with_kernels(kernels).keyed(key);
            one.insert(element);
            assert!(one.take_guarded() == expected, "{kernels:?}");
            one.extend([element]);
            assert!(one.take_guarded() == expected, "{kernels:?}");
            insert_split(&mut one, element, element.len() / 2);
            assert!(one.take_guarded() == expected, "{kernels:?}");
            assert!(LtHash::of_keyed(key, element) == expected);
        }
        assert!(batch.clone().finish_guarded() == sum, "{kernels:?}");
        assert!(batch.finish_guarded() == sum, "{kernels:?}");
    }
}

#[test]
fn a_clone_goes_its_own_way() {
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels);
        accumulator.insert(b"both");
        let mut clone = accumulator.clone();
        clone.insert(b"clone");
        accumulator.insert(b"original");
        assert!(accumulator.finish_guarded() == Reference::sum(["both", "original"]));
        assert!(clone.finish_guarded() == Reference::sum(["both", "clone"]));
    }
}

#[test]
fn multiplicities_count_mod_65536() {
    let mut hash = LtHash::of(b"element");
    for _ in 0..16 {
        assert!(!hash.is_identity());
        let copy = hash.clone();
        hash += &copy;
    }
    assert!(hash.is_identity());
    assert_eq!(hash.checksum(), LtHash::new().checksum());
}

#[test]
fn debug_output_is_short() {
    let mut accumulator = Accumulator::new().keyed(&[0xab; 32]);
    accumulator.insert(b"hashed at once");
    accumulator.insert(b"element");
    let text = format!("{:?}", accumulator.element());
    assert!(text.contains("keyed: true, staged: 1"), "{text}");
    assert!(!text.contains("171") && !text.contains("ab, ab"), "{text}");
    let text = format!("{:?}", LtHash::new());
    assert!(text.contains("be2a8de3") && text.len() < 100, "{text}");
}

#[test]
fn operators() {
    let [a, b] = [b"a", b"b"].map(|element| LtHash::of(element));
    let of = |times: [i32; 2]| {
        let mut expected = Reference::new();
        expected.add(&Reference::of(None, b"a"), times[0]);
        expected.add(&Reference::of(None, b"b"), times[1]);
        expected
    };
    let (sum, difference) = (of([1, 1]), of([1, -1]));
    assert!(&a + &b == sum);
    assert!(&a + b.clone() == sum);
    assert!(a.clone() + &b == sum);
    assert!(a.clone() + b.clone() == sum);
    assert!(&a - &b == difference);
    assert!(&a - b.clone() == difference);
    assert!(a.clone() - &b == difference);
    assert!(a.clone() - b.clone() == difference);
    let mut hash = a.clone();
    hash += b.clone();
    assert!(hash == sum);
    hash -= b.clone();
    hash -= &b;
    assert!(hash == difference);
    assert!(-hash == of([-1, 1]));
}

#[test]
fn bytes_of_a_wrong_length() {
    for length in [0, 2047, 2049] {
        let error = LtHash::try_from(&vec![0; length][..]).unwrap_err();
        assert_eq!((error.expected, error.actual), (2048, length));
        assert_eq!(
            error.to_string(),
            format!("{length} bytes were given: expected 2048")
        );
    }
}

/// A call of one of an accumulator's functions.
#[derive(Clone, Debug)]
enum Step {
    Insert(Vec<u8>),
    Remove(Vec<u8>),
    InsertParts(Vec<Vec<u8>>),
    RemoveParts(Vec<Vec<u8>>),
    Abandon(Vec<u8>),
    Extend(Vec<Vec<u8>>),
    RemoveAll(Vec<Vec<u8>>),
    MixIn(Vec<u8>),
    MixOut(Vec<u8>),
    MixInBare(Vec<u8>),
    MixOutBare(Vec<u8>),
    Clone,
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let length = prop_oneof![
        4 => 0..200_usize,
        2 => prop::sample::select(&MIXED[..]),
        1 => 1000..1100_usize,
        1 => 0..20_000_usize,
    ];
    (any::<u32>(), length).prop_map(|(i, length)| generated("proptest", i, length))
}

fn step() -> impl Strategy<Value = Step> {
    let some = || prop::collection::vec(bytes(), 0..5);
    prop_oneof![
        4 => bytes().prop_map(Step::Insert),
        4 => bytes().prop_map(Step::Remove),
        2 => some().prop_map(Step::InsertParts),
        2 => some().prop_map(Step::RemoveParts),
        1 => bytes().prop_map(Step::Abandon),
        2 => some().prop_map(Step::Extend),
        2 => some().prop_map(Step::RemoveAll),
        1 => bytes().prop_map(Step::MixIn),
        1 => bytes().prop_map(Step::MixOut),
        // In some sequences, which then have no guard.
        1 => prop::option::weighted(0.1, bytes()).prop_map(|of| of.map_or(Step::Clone, Step::MixInBare)),
        1 => prop::option::weighted(0.1, bytes()).prop_map(|of| of.map_or(Step::Clone, Step::MixOutBare)),
        1 => Just(Step::Clone),
    ]
}

impl Step {
    fn apply(&self, accumulator: &mut Accumulator) {
        match self {
            Step::Insert(element) => accumulator.insert(element),
            Step::Remove(element) => accumulator.remove(element),
            Step::InsertParts(parts) | Step::RemoveParts(parts) => {
                let mut element = accumulator.element();
                for part in parts {
                    element.update(part);
                }
                match self {
                    Step::InsertParts(_) => element.insert(),
                    _ => element.remove(),
                }
            }
            Step::Abandon(part) => {
                let mut element = accumulator.element();
                element.update(part);
            }
            Step::Extend(elements) => accumulator.extend(elements),
            Step::RemoveAll(elements) => accumulator.remove_all(elements),
            Step::MixIn(element) => accumulator.mix_in_guarded(&Guarded::of(element)),
            Step::MixOut(element) => accumulator.mix_out_guarded(&Guarded::of(element)),
            Step::MixInBare(element) => accumulator.mix_in(&LtHash::of(element)),
            Step::MixOutBare(element) => accumulator.mix_out(&LtHash::of(element)),
            Step::Clone => *accumulator = accumulator.clone(),
        }
    }

    /// The same, element by element with the `blake3` crate.
    fn apply_to_reference(&self, key: Option<&[u8; 32]>, sum: &mut Reference) {
        let mut add = |key, element: &[u8], times| sum.add(&Reference::of(key, element), times);
        match self {
            Step::Insert(element) => add(key, element, 1),
            Step::Remove(element) => add(key, element, -1),
            Step::InsertParts(parts) => add(key, &parts.concat(), 1),
            Step::RemoveParts(parts) => add(key, &parts.concat(), -1),
            Step::Extend(elements) => elements.iter().for_each(|element| add(key, element, 1)),
            Step::RemoveAll(elements) => elements.iter().for_each(|element| add(key, element, -1)),
            Step::MixIn(element) | Step::MixInBare(element) => add(None, element, 1),
            Step::MixOut(element) | Step::MixOutBare(element) => add(None, element, -1),
            Step::Abandon(_) | Step::Clone => {}
        }
    }
}

fn hash() -> impl Strategy<Value = LtHash> {
    any::<u32>().prop_map(|i| {
        let bytes = generated("hash", i, LtHash::BYTES);
        LtHash::from_bytes(&bytes.try_into().unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 30,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_steps(
        key in prop::option::of(any::<[u8; 32]>()),
        steps in prop::collection::vec(step(), 0..30),
    ) {
        let mut expected = Reference::new();
        for step in &steps {
            step.apply_to_reference(key.as_ref(), &mut expected);
        }
        let is_bare = |step: &Step| matches!(step, Step::MixInBare(_) | Step::MixOutBare(_));
        let has_guard = !steps.iter().any(is_bare);
        for kernels in backends() {
            let mut accumulator = Accumulator::with_kernels(kernels);
            if let Some(key) = &key {
                accumulator = accumulator.keyed(key);
            }
            for step in &steps {
                step.apply(&mut accumulator);
            }
            prop_assert!(accumulator.clone().finish() == expected, "{:?}", kernels);
            if has_guard {
                prop_assert!(accumulator.finish_guarded() == expected, "{:?}", kernels);
            } else {
                prop_assert_eq!(accumulator.finish_guarded(), None, "{:?}", kernels);
            }
        }
    }

    #[test]
    fn group_laws(a in hash(), b in hash(), c in hash()) {
        let plus = |a: &LtHash, b: &LtHash| {
            let mut sum = a.clone();
            sum += b;
            sum
        };
        let minus = |a: &LtHash, b: &LtHash| {
            let mut difference = a.clone();
            difference -= b;
            difference
        };
        prop_assert!(plus(&a, &b) == plus(&b, &a));
        prop_assert!(plus(&plus(&a, &b), &c) == plus(&a, &plus(&b, &c)));
        prop_assert!(plus(&a, &LtHash::new()) == a);
        prop_assert!(plus(&a, &-&a).is_identity());
        prop_assert!(minus(&plus(&a, &b), &b) == a);
        prop_assert!(plus(&a, &-b.clone()) == minus(&a, &b));
        prop_assert!([&a, &b, &c].into_iter().sum::<LtHash>() == plus(&plus(&a, &b), &c));
        prop_assert!([a.clone(), b.clone()].into_iter().sum::<LtHash>() == plus(&a, &b));
    }

    #[test]
    fn limbs_add_and_subtract(a in hash(), b in hash()) {
        for kernels in backends() {
            let (mut sum, mut difference) = (a.clone(), a.clone());
            kernels.add(&mut sum, &b);
            kernels.sub(&mut difference, &b);
            for i in 0..LtHash::LIMBS {
                let (a, b) = (a.limbs()[i], b.limbs()[i]);
                prop_assert_eq!(sum.limbs()[i], a.wrapping_add(b));
                prop_assert_eq!(difference.limbs()[i], a.wrapping_sub(b));
            }
        }
    }

    #[test]
    fn bytes_are_little_endian(hash in hash()) {
        let bytes = hash.to_bytes();
        for (bytes, limb) in bytes.chunks_exact(2).zip(hash.limbs()) {
            prop_assert_eq!(u16::from(bytes[0]) | u16::from(bytes[1]) << 8, *limb);
        }
        prop_assert_eq!(hash.checksum().0, *blake3::hash(&bytes).as_bytes());
        prop_assert!(LtHash::from_bytes(&bytes) == hash);
        prop_assert!(LtHash::try_from(&bytes[..]) == Ok(hash));
    }

    #[test]
    fn one_at_a_time(elements in prop::collection::vec(bytes(), 0..10)) {
        let expected = Reference::sum(&elements);
        let mut hash = LtHash::new();
        elements.iter().for_each(|element| hash.insert(element));
        prop_assert!(hash == expected);
        prop_assert!(elements.iter().collect::<LtHash>() == expected);
        let mut extended = LtHash::default();
        extended.extend(&elements);
        prop_assert!(extended == expected);
        elements.iter().rev().for_each(|element| hash.remove(element));
        prop_assert!(hash.is_identity());
    }
}
