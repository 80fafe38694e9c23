//! Published values through the public interface, on every backend. Each file names its source and its rules.

mod common;

use common::{backends, generated};
use lthash::kv::{self, Mutation};
use lthash::{Accumulator, Checksum, GroupedAccumulator, Guarded, Kernels, LtHash, hex};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

fn file(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn sei() -> Value {
    file(include_str!("vectors/sei.json"))
}

fn solana() -> Value {
    file(include_str!("vectors/solana.json"))
}

/// The guards of `sei` and of `solana`.
fn guards() -> Value {
    file(include_str!("vectors/guards.json"))
}

/// The field's bytes, or nothing if it is null.
fn bytes(object: &Value, field: &str) -> Option<Vec<u8>> {
    let field = object
        .get(field)
        .unwrap_or_else(|| panic!("no {field} in {object}"));
    Some(hex::decode(field.as_str()?).unwrap())
}

fn items<'a>(object: &'a Value, field: &str) -> &'a [Value] {
    let items = object[field].as_array().unwrap();
    assert!(!items.is_empty());
    items
}

fn check(hash: &LtHash, expected: &Value) {
    let limbs = items(expected, "first_8_limbs");
    assert_eq!(limbs.len(), 8);
    for (limb, expected) in hash.limbs().iter().zip(limbs) {
        assert_eq!(u64::from(*limb), expected.as_u64().unwrap(), "{expected}");
    }
    let checksum = expected["checksum"].as_str().unwrap();
    assert_eq!(hash.checksum().to_string(), checksum, "{expected}");
    assert_eq!(checksum.parse(), Ok(hash.checksum()));
}

fn check_guarded(guarded: &Guarded, expected: &Value, guard: &Value) {
    check(guarded.hash(), expected);
    let guard = u128::from_str_radix(guard.as_str().unwrap(), 16);
    assert_eq!(Ok(guarded.guard()), guard, "{expected}");
}

/// The hash of one element, by every way there is to it.
fn of(kernels: &'static Kernels, element: &[u8]) -> Guarded {
    let hash = Guarded::of(element);
    assert_eq!(&kernels.expand(element), hash.hash());
    let mut accumulator = Accumulator::with_kernels(kernels);
    accumulator.insert(element);
    assert_eq!(accumulator.take_guarded().as_ref(), Some(&hash));
    accumulator.extend([element]);
    assert_eq!(accumulator.take_guarded().as_ref(), Some(&hash));
    let mut parts = accumulator.element();
    for part in element.chunks(100) {
        parts.update(part);
    }
    parts.insert();
    assert_eq!(accumulator.take_guarded().as_ref(), Some(&hash));
    // Staged, so that a batch hashes it.
    accumulator.extend([element; 3]);
    accumulator.remove(element);
    accumulator.remove(element);
    assert_eq!(accumulator.take(), *hash.hash());
    let mut groups = GroupedAccumulator::with_kernels(kernels, 2);
    groups.insert(1, element);
    groups.remove(0, element);
    assert_eq!(groups.take(1), hash);
    assert_eq!(groups.take(0), -&hash);
    hash
}

#[test]
fn the_identity() {
    for vectors in [sei(), solana()] {
        check(&LtHash::new(), &vectors["identity"]);
        assert!(LtHash::new().is_identity());
    }
}

#[test]
fn messages() {
    let guards = &guards()["solana"]["messages"];
    for kernels in backends() {
        for vector in items(&solana(), "messages") {
            let length = vector["len"].as_u64().unwrap() as usize;
            let message = match vector.get("message") {
                Some(_) => bytes(vector, "message").unwrap(),
                None => generated("msg", length as u32, length),
            };
            assert_eq!(message.len(), length);
            check_guarded(&of(kernels, &message), vector, of_name(guards, vector));
        }
    }
}

#[test]
fn messages_mixed() {
    let (vectors, guards) = (solana(), &guards()["solana"]);
    let check_both = |hash: &LtHash, guarded: Option<Guarded>, name: &str| {
        let guarded = guarded.unwrap();
        check_guarded(&guarded, &vectors[name], &guards[name]);
        assert_eq!(hash, guarded.hash());
    };
    for kernels in backends() {
        let [hello, world] = ["hello", "world!"].map(|message| of(kernels, message.as_bytes()));
        let mut hash = hello.hash().clone();
        let mut accumulator = Accumulator::with_kernels(kernels);
        accumulator.mix_in_guarded(&hello);
        kernels.add(&mut hash, world.hash());
        accumulator.insert(b"world!");
        let sum = accumulator.clone().finish_guarded();
        check_both(&hash, sum, "hello_plus_world");
        kernels.sub(&mut hash, hello.hash());
        accumulator.mix_out_guarded(&hello);
        let sum = accumulator.finish_guarded();
        check_both(&hash, sum, "hello_plus_world_minus_hello");
        let mut hash = LtHash::new();
        kernels.sub(&mut hash, hello.hash());
        let mut accumulator = Accumulator::with_kernels(kernels);
        accumulator.remove(b"hello");
        let sum = accumulator.finish_guarded();
        check_both(&hash, sum, "identity_minus_hello");
    }
}

#[test]
fn accounts() {
    let (vectors, guards) = (solana(), &guards()["solana"]);
    for kernels in backends() {
        let mut state = Accumulator::with_kernels(kernels);
        let mut accounts = GroupedAccumulator::with_kernels(kernels, 0);
        for vector in items(&vectors, "accounts") {
            let lamports: u64 = vector["lamports"].as_str().unwrap().parse().unwrap();
            let data = match vector.get("data_rule").and_then(Value::as_str) {
                None => bytes(vector, "data").unwrap(),
                Some(r#"X("data", 4, 10000)"#) => generated("data", 4, 10000),
                Some(rule) => panic!("unknown rule {rule}"),
            };
            let message = [
                &lamports.to_le_bytes()[..],
                &data,
                &[u8::from(vector["executable"].as_bool().unwrap())],
                &bytes(vector, "owner").unwrap(),
                &bytes(vector, "pubkey").unwrap(),
            ]
            .concat();
            accounts.resize(accounts.len() + 1);
            if lamports != 0 {
                let guard = of_name(&guards["accounts"], vector);
                check_guarded(&of(kernels, &message), vector, guard);
                state.insert(&message);
                accounts.insert(accounts.len() - 1, &message);
            }
        }
        let state = state.finish_guarded().unwrap();
        let name = "state_of_accounts";
        check_guarded(&state, &vectors[name], &guards[name]);
        let mut sum = Guarded::new();
        for (account, vector) in accounts.finish().zip(items(&vectors, "accounts")) {
            check_guarded(&account, vector, of_name(&guards["accounts"], vector));
            sum.mix_in(&account);
        }
        assert_eq!(sum, state);
    }
}

#[test]
fn records() {
    let guards = &guards()["sei"]["elements"];
    for kernels in backends() {
        for vector in items(&sei(), "elements") {
            let key = bytes(vector, "key").unwrap();
            let value = bytes(vector, "value").unwrap();
            let element = kv::element(&key, &value);
            assert_eq!(element, bytes(vector, "serialized"), "{vector}");
            let hash = element.map_or(Guarded::new(), |element| of(kernels, &element));
            check_guarded(&hash, vector, of_name(guards, vector));
            check(&kv::hash_kv(&key, &value), vector);
            let mutation = Mutation {
                key: &key,
                value: Some(&value),
                previous: None,
            };
            let delta = kv::hash_chunk_with(kernels, &[mutation]);
            assert_eq!(delta.guarded(), Some(&hash));
            check(&delta.hash, vector);
        }
    }
}

/// A vector's entry in an object of names.
fn of_name<'a>(object: &'a Value, vector: &Value) -> &'a Value {
    &object[vector["name"].as_str().unwrap()]
}

/// An entry of a changeset with its bytes.
struct Entry {
    key: Vec<u8>,
    value: Option<Vec<u8>>,
    previous: Option<Vec<u8>>,
}

impl Entry {
    fn of_pair(pair: &Value) -> Entry {
        let is_delete = pair["delete"].as_bool().unwrap();
        Entry {
            key: bytes(pair, "key").unwrap(),
            value: bytes(pair, "value").filter(|_| !is_delete),
            previous: bytes(pair, "last_value"),
        }
    }

    /// The rule that the changeset of 100 generated pairs gives.
    fn of_rule(i: u32) -> Entry {
        let size = i as usize;
        Entry {
            key: generated("key", i, 20 + size % 33),
            value: (i % 11 != 10).then(|| generated("new", i, 1 + size * 13 % 160)),
            previous: (i % 5 != 0).then(|| generated("old", i, 1 + size * 7 % 96)),
        }
    }

    fn mutation(&self) -> Mutation<'_> {
        Mutation {
            key: &self.key,
            value: self.value.as_deref(),
            previous: self.previous.as_deref(),
        }
    }
}

#[test]
fn changesets() {
    let guards = &guards()["sei"]["changesets"];
    for kernels in backends() {
        let mut states = HashMap::from([("identity".to_owned(), Guarded::new())]);
        for vector in items(&sei(), "changesets") {
            let count = vector["count"].as_u64().unwrap();
            let entries: Vec<Entry> = match (vector.get("pairs"), vector.get("rule")) {
                (Some(pairs), None) => pairs
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(Entry::of_pair)
                    .collect(),
                (None, Some(_)) => (0..count as u32).map(Entry::of_rule).collect(),
                (None, None) => Vec::new(),
                (Some(_), Some(_)) => panic!("pairs and a rule"),
            };
            assert_eq!(entries.len() as u64, count);
            let mutations: Vec<Mutation<'_>> = entries.iter().map(Entry::mutation).collect();
            let previous = &states[vector["prev"].as_str().unwrap()];

            let guard = of_name(guards, vector);
            let check = |state: &Guarded| check_guarded(state, vector, guard);

            let delta = kv::hash_chunk_with(kernels, &mutations);
            let mut state = previous.clone();
            state += delta.guarded().unwrap();
            check(&state);
            let mut hash = previous.hash().clone();
            hash += &delta.hash;
            assert_eq!(&hash, state.hash());

            let mut accumulator = Accumulator::with_kernels(kernels);
            accumulator.mix_in_guarded(previous);
            for mutation in mutations.iter().rev() {
                accumulator.mutate(mutation);
            }
            check(&accumulator.finish_guarded().unwrap());

            let mut groups = GroupedAccumulator::with_kernels(kernels, 2);
            groups.mix_in(1, previous);
            for Mutation {
                key,
                value,
                previous,
            } in &mutations
            {
                if let Some(element) = previous.and_then(|previous| kv::element(key, previous)) {
                    groups.remove(1, &element);
                }
                if let Some(element) = value.and_then(|value| kv::element(key, value)) {
                    groups.insert(1, &element);
                }
            }
            check(&groups.take(1));

            states.insert(vector["name"].as_str().unwrap().to_owned(), state);
        }
    }
}

#[test]
fn a_checksum_is_text_in_hex() {
    let text = "be2a8de3dcf46c94ce85cdc8e07ac308f4d8a95490d956c38d780fd610db0813";
    let checksum = LtHash::new().checksum();
    assert_eq!(checksum.to_string(), text);
    assert_eq!(format!("{checksum:x}"), text);
    assert_eq!(format!("{checksum:#x}"), format!("0x{text}"));
    assert_eq!(format!("{checksum:?}"), format!("Checksum({text})"));
    assert_eq!(format!("{checksum:>70}"), format!("      {text}"));
    assert_eq!(text.to_uppercase().parse(), Ok(checksum));
    assert_eq!(format!("{checksum:#x}").parse(), Ok(checksum));
    assert_eq!(hex::encode(checksum), text);
    assert_eq!(checksum, Checksum(checksum.0));

    type Parsed = Result<Checksum, hex::Error>;
    let wrong: Parsed = text[..62].parse();
    let (expected, actual) = (64, 62);
    assert_eq!(wrong, Err(hex::Error::Length { expected, actual }));
    let odd: Parsed = text[..63].parse();
    assert_eq!(odd, Err(hex::Error::OddLength));
    let (position, byte) = (9, b'g');
    let digit: Parsed = text.replacen("c", "g", 1).parse();
    assert_eq!(digit, Err(hex::Error::InvalidDigit { position, byte }));
    // Positions and lengths count the prefix.
    let digit: Parsed = format!("0X{text}").replacen("c", "g", 1).parse();
    let position = position + 2;
    assert_eq!(digit, Err(hex::Error::InvalidDigit { position, byte }));
    let short: Parsed = format!("0x{}", &text[2..]).parse();
    let (expected, actual) = (66, 64);
    assert_eq!(short, Err(hex::Error::Length { expected, actual }));
    let nothing: Parsed = "0x".parse();
    let actual = 2;
    assert_eq!(nothing, Err(hex::Error::Length { expected, actual }));
}

#[test]
fn a_checksum_is_32_bytes() {
    let checksum = LtHash::new().checksum();
    let bytes: [u8; 32] = checksum.into();
    assert_eq!(bytes, checksum.0);
    assert_eq!(Checksum::from(bytes), checksum);
    assert_eq!(Checksum::try_from(&bytes[..]), Ok(checksum));
    for length in [0, 31, 33, 2048] {
        let error = Checksum::try_from(&vec![0; length][..]).unwrap_err();
        assert_eq!((error.expected, error.actual), (32, length));
    }
}

/// Limb 0 is 0x3412 and limb 1023 is 0x00ff: bytes 12 34 at the front and ff 00 at the end.
#[test]
fn a_hash_is_2048_bytes_or_1024_limbs_or_text() {
    const BYTES: [u8; 2048] = {
        let mut bytes = [0; 2048];
        (bytes[0], bytes[1], bytes[2046]) = (0x12, 0x34, 0xff);
        bytes
    };
    const HASH: LtHash = LtHash::from_bytes(&BYTES);
    let mut limbs = [0; 1024];
    (limbs[0], limbs[1023]) = (0x3412, 0x00ff);
    assert_eq!(HASH.limbs(), &limbs);
    assert_eq!(LtHash::from(limbs), HASH);
    assert_eq!(<[u16; 1024]>::from(HASH), limbs);
    assert_eq!(LtHash::from(BYTES), HASH);
    assert_eq!(<[u8; 2048]>::from(HASH), BYTES);

    let text = format!("1234{}ff00", "0".repeat(4088));
    assert_eq!(format!("{HASH:x}"), text);
    assert_eq!(format!("{HASH:#x}"), format!("0x{text}"));
    assert_eq!(text.parse(), Ok(HASH));
    assert_eq!(format!("0x{}", text.to_uppercase()).parse(), Ok(HASH));
    type Parsed = Result<LtHash, hex::Error>;
    let short: Parsed = text[2..].parse();
    let (expected, actual) = (4096, 4094);
    assert_eq!(short, Err(hex::Error::Length { expected, actual }));
    let odd: Parsed = text[1..].parse();
    assert_eq!(odd, Err(hex::Error::OddLength));
    let digit: Parsed = text.replacen("ff", "fg", 1).parse();
    let (position, byte) = (4093, b'g');
    assert_eq!(digit, Err(hex::Error::InvalidDigit { position, byte }));
}

#[test]
fn hashes_are_keys_of_maps() {
    let hashes = [LtHash::new(), LtHash::of(b"a"), LtHash::of(b"b")];
    let seen: HashSet<LtHash> = hashes.iter().chain(&hashes).cloned().collect();
    assert_eq!(seen.len(), 3);
    assert!(hashes.iter().all(|hash| seen.contains(hash)));
}

/// `LtHash` is not `AsRef<[u8]>`: if it were, `collect` would hash hashes as elements, where `sum` is meant.
#[test]
fn a_hash_is_no_element() {
    trait IsNoElement<Marker> {
        fn checked() {}
    }
    impl<T> IsNoElement<()> for T {}
    struct Element;
    impl<T: AsRef<[u8]>> IsNoElement<Element> for T {}
    // If `LtHash` implemented `AsRef<[u8]>`, this would be ambiguous and would not compile.
    <LtHash as IsNoElement<_>>::checked();
}
