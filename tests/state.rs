//! States: their bytes, put together here as docs/STATE.md describes them; and merging and comparing.

mod common;

use common::Reference;
use lthash::state::{DecodeError, Fingerprint, MergeError, Records, State};
use lthash::{Guarded, LtHash};

const KEY: [u8; 32] = *b"a key of 32 bytes for the tests.";

/// The bytes that docs/STATE.md says a state of these elements has, with the guard in version 2.
fn documented(
    version: u32,
    kind: [u8; 2],
    key: Option<&[u8; 32]>,
    elements: &[&[u8]],
    counts: [i64; 2],
) -> Vec<u8> {
    let mut hash = Reference::new();
    let mut guard = 0u128;
    for element in elements {
        let hashed = Reference::of(key, element);
        guard = guard.wrapping_add(u128::from_le_bytes(
            hashed.to_bytes()[..16].try_into().unwrap(),
        ));
        hash.add(&hashed, 1);
    }
    let mut bytes = vec![0x89, 0x4c, 0x74, 0x48, 0x61, 0x73, 0x68, 0x0a];
    bytes.extend(version.to_le_bytes());
    bytes.extend([kind[0], kind[1], u8::from(key.is_some()), 0]);
    bytes.extend(key.map_or([0; 32], |key| {
        let context = "lthash 2026-11-30 12:00:00 fingerprint of a state's key";
        blake3::derive_key(context, key)
    }));
    bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    bytes.extend(hash.to_bytes());
    if version == 2 {
        bytes.extend(guard.to_le_bytes());
    }
    seal(bytes)
}

/// Appends the integrity check.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let check = blake3::hash(&bytes);
    bytes.extend(check.as_bytes());
    bytes
}

/// The bytes with one of them changed, and a new integrity check.
fn changed(bytes: &[u8], at: usize, value: u8) -> Vec<u8> {
    let mut bytes = bytes[..bytes.len() - 32].to_vec();
    bytes[at] = value;
    seal(bytes)
}

fn lines(elements: &[&[u8]]) -> State {
    let bytes = elements.iter().map(|element| element.len() as i64).sum();
    let multiset: Guarded = elements.iter().collect();
    State::new(Records::LINES, None)
        .with(&multiset, elements.len() as i64, bytes)
        .unwrap()
}

#[test]
fn bytes_are_the_documented_ones() {
    let elements: [&[u8]; 3] = [b"alice", b"bob", b"bob"];
    assert_eq!(
        lines(&elements).to_bytes(),
        documented(2, [0, 10], None, &elements, [3, 11])
    );

    let keyed = Guarded::of_keyed(&KEY, b"alice");
    let state = State::new(Records::Rows, Some(Fingerprint::of(&KEY))).with(&keyed, 1, 5);
    let expected = documented(2, [3, 1], Some(&KEY), &[b"alice"], [1, 5]);
    assert_eq!(state.unwrap().to_bytes(), expected);
    assert_eq!(expected.len(), State::MAX_BYTES);

    for (records, kind) in [
        (Records::Delimited(0), [0, 0]),
        (Records::LengthPrefixed, [1, 0]),
        (Records::KeyValue, [2, 0]),
        (Records::Rows, [3, 1]),
    ] {
        let bytes = documented(2, kind, None, &[], [0, 0]);
        assert_eq!(State::new(records, None).to_bytes(), bytes, "{records}");
        assert_eq!(State::from_bytes(&bytes), Ok(State::new(records, None)));
    }
}

#[test]
fn both_versions_are_read_and_written_as_they_were() {
    let elements: [&[u8]; 2] = [b"alice", b"bob"];
    for version in [1, 2] {
        let bytes = documented(version, [0, 10], Some(&KEY), &elements, [2, -8]);
        let state = State::from_bytes(&bytes).unwrap();
        assert_eq!(state.version(), version);
        assert_eq!(state.guarded().is_some(), version == 2);
        assert_eq!((state.records(), state.bytes()), (2, -8));
        assert_eq!(state.key(), Some(Fingerprint::of(&KEY)));
        assert_eq!(*state.hash(), {
            let mut hash = Reference::of(Some(&KEY), b"alice");
            hash.add(&Reference::of(Some(&KEY), b"bob"), 1);
            hash
        });
        assert_eq!(state.to_bytes(), bytes);
    }
}

#[test]
fn a_version_1_state_gets_no_guard_from_anywhere() {
    let old = State::from_bytes(&documented(1, [0, 10], None, &[b"alice"], [1, 5])).unwrap();
    let new = lines(&[b"bob"]);
    let sum = documented(1, [0, 10], None, &[b"alice", b"bob"], [2, 8]);

    let mut updated = old.clone();
    updated.insert(new.guarded().unwrap(), 1, 3).unwrap();
    assert_eq!(updated.to_bytes(), sum);
    updated.remove(new.guarded().unwrap(), 1, 3).unwrap();
    assert_eq!(updated, old);

    for (mut one, other) in [(old.clone(), &new), (new.clone(), &old)] {
        one.merge(other).unwrap();
        assert_eq!(one.to_bytes(), sum);
    }
}

#[test]
fn multiplicities_are_told_apart_where_both_have_guards() {
    let many = |element: &[u8]| {
        let mut hash = Guarded::of(element);
        for _ in 0..16 {
            let same = hash.clone();
            hash.mix_in(&same);
        }
        let state = State::new(Records::LINES, None);
        state.with(&hash, 65_536, 3 * 65_536).unwrap()
    };
    let (aaa, bbb) = (many(b"aaa"), many(b"bbb"));
    let comparison = aaa.compare(&bbb).unwrap();
    assert!(!comparison.is_equal());
    assert!(comparison.hash && comparison.records && comparison.bytes);
    assert_eq!(comparison.guard, Some(false));
    assert_eq!(*aaa.hash(), LtHash::new());

    let old = State::from_bytes(&documented(1, [0, 10], None, &[], [65_536, 196_608])).unwrap();
    let comparison = old.compare(&bbb).unwrap();
    assert_eq!(comparison.guard, None);
    assert!(comparison.is_equal());
}

#[test]
fn whatever_differs_is_said() {
    let one = lines(&[b"alice"]);
    let other = State::new(Records::LINES, None);
    let other = other.with(&Guarded::of(b"bob"), 2, 7).unwrap();
    let comparison = one.compare(&other).unwrap();
    assert!(!comparison.hash && !comparison.records && !comparison.bytes);
    assert_eq!(comparison.guard, Some(false));

    let comparison = one.compare(&one.clone()).unwrap();
    assert_eq!(comparison.guard, Some(true));
    assert!(comparison.is_equal());
}

#[test]
fn what_does_not_belong_together_is_refused_and_leaves_the_state() {
    let keyed = State::new(Records::LINES, Some(Fingerprint::of(&KEY)));
    let state = |kind| State::new(kind, None);
    let delimited = state(Records::Delimited(0));
    assert!(delimited.compare(&state(Records::LengthPrefixed)).is_ok());

    for (one, other) in [
        (Records::LINES, Records::KeyValue),
        (Records::LengthPrefixed, Records::Rows),
        (Records::KeyValue, Records::Rows),
    ] {
        let error = MergeError::Records(one, other);
        assert_eq!(state(one).compare(&state(other)), Err(error.clone()));
        assert_eq!(state(one).merge(&state(other)), Err(error));
    }
    let mut one = lines(&[b"alice"]);
    let before = one.clone();
    let error = MergeError::Key(None, Some(Fingerprint::of(&KEY)));
    assert_eq!(one.merge(&keyed), Err(error));

    let most = State::new(Records::LINES, None);
    let most = most.with(&Guarded::of(b"bob"), 1, i64::MAX).unwrap();
    assert_eq!(one.merge(&most), Err(MergeError::Count));
    assert_eq!(
        one.insert(&Guarded::of(b"bob"), i64::MAX, 0),
        Err(MergeError::Count)
    );
    assert_eq!(
        one.remove(&Guarded::of(b"bob"), 0, i64::MIN),
        Err(MergeError::Count)
    );
    assert_eq!(one, before);
}

#[test]
fn bytes_that_are_no_state_say_why() {
    let good = documented(2, [0, 10], None, &[b"alice"], [1, 5]);
    let error = |bytes: &[u8]| State::from_bytes(bytes).unwrap_err();

    let not_a_state = "not a state of lthash: begins with \"616c\", expected 894c74486173680a";
    assert_eq!(error(b"al").to_string(), not_a_state);
    assert_eq!(error(&changed(&good, 8, 3)), DecodeError::Version(3));
    for length in 8..good.len() {
        let expected = if length < 12 { 12 } else { 2160 };
        let actual = length;
        let error = error(&good[..length]);
        assert_eq!(error, DecodeError::Length { expected, actual });
    }
    let longer = [&good[..], b"\n"].concat();
    assert_eq!(
        error(&longer).to_string(),
        "damaged: 2161 bytes, expected 2160"
    );
    for at in 12..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        assert_eq!(error(&bytes), DecodeError::Damaged, "byte {at}");
    }
    assert_eq!(error(&changed(&good, 12, 4)), DecodeError::Records(4, 10));
    assert_eq!(error(&changed(&good, 12, 2)), DecodeError::Records(2, 10));
    assert_eq!(error(&changed(&good, 14, 2)), DecodeError::Key(2, 0));
    assert_eq!(error(&changed(&good, 15, 1)), DecodeError::Key(0, 1));
    // A fingerprint, but no key.
    assert_eq!(error(&changed(&good, 20, 1)), DecodeError::Key(0, 0));
    // Rows exist since version 2.
    let rows = documented(1, [3, 1], None, &[], [0, 0]);
    assert_eq!(error(&rows), DecodeError::Records(3, 1));
}
