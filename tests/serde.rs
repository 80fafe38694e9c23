//! The feature `serde`: hex in human-readable formats, bytes in others, and nothing of another length.
#![cfg(feature = "serde")]

use lthash::kv::{self, Delta, Mutation};
use lthash::{Checksum, Guarded, LtHash};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_test::{Configure, Token, assert_de_tokens_error, assert_tokens};
use std::fmt::Debug;

// BLAKE3 of 2048 zero bytes: the identity's checksum in both of tests/vectors.
const TEXT: &str = "be2a8de3dcf46c94ce85cdc8e07ac308f4d8a95490d956c38d780fd610db0813";
const BYTES: &[u8; 32] = b"\xbe\x2a\x8d\xe3\xdc\xf4\x6c\x94\xce\x85\xcd\xc8\xe0\x7a\xc3\x08\
    \xf4\xd8\xa9\x54\x90\xd9\x56\xc3\x8d\x78\x0f\xd6\x10\xdb\x08\x13";

#[test]
fn checksums() {
    let checksum = LtHash::new().checksum();
    assert_tokens(&checksum.readable(), &[Token::Str(TEXT)]);
    assert_tokens(&checksum.compact(), &[Token::Bytes(BYTES)]);
    assert_eq!(
        serde_json::to_string(&checksum).unwrap(),
        format!("\"{TEXT}\"")
    );
    assert_eq!(
        serde_json::from_str::<Checksum>(&format!("\"{TEXT}\"")).unwrap(),
        checksum
    );
}

#[test]
fn hashes() {
    // Limb 1 is 0x0201, so its bytes are 01 02.
    let mut bytes = [0; 2048];
    bytes[2..4].copy_from_slice(&[1, 2]);
    let hash = LtHash::from_bytes(&bytes);
    assert_eq!(hash.limbs()[1], 0x0201);
    let text: &'static str = format!("00000102{}", "0".repeat(4088)).leak();
    assert_tokens(&hash.clone().readable(), &[Token::Str(text)]);
    assert_tokens(
        &hash.clone().compact(),
        &[Token::Bytes(bytes.to_vec().leak())],
    );
    let json = serde_json::to_string(&hash).unwrap();
    assert_eq!(json, format!("\"{text}\""));
    assert_eq!(serde_json::from_str::<LtHash>(&json).unwrap(), hash);
}

#[test]
fn guarded_hashes() {
    let guarded = Guarded::of(b"element");
    let text: &'static str = lthash::hex::encode(guarded.to_bytes()).leak();
    assert_tokens(&guarded.clone().readable(), &[Token::Str(text)]);
    let bytes = guarded.to_bytes().to_vec().leak();
    assert_tokens(&guarded.compact(), &[Token::Bytes(bytes)]);
}

/// An update of the key `k`: its value gets one byte longer.
fn delta() -> Delta {
    let (key, value) = (b"k".as_slice(), Some(b"vv".as_slice()));
    let previous = Some(b"v".as_slice());
    kv::hash_chunk(&[Mutation {
        key,
        value,
        previous,
    }])
}

#[test]
fn deltas() {
    let hash: &'static str = lthash::hex::encode(delta().hash.to_bytes()).leak();
    let guard = delta().guarded().unwrap().guard().to_le_bytes();
    let guard: &'static str = lthash::hex::encode(guard).leak();
    let fields = [
        Token::Struct {
            name: "Delta",
            len: 4,
        },
        Token::Str("hash"),
        Token::Str(hash),
        Token::Str("keys"),
        Token::I64(0),
        Token::Str("bytes"),
        Token::I64(1),
        Token::Str("guard"),
        Token::Some,
        Token::Str(guard),
        Token::StructEnd,
    ];
    assert_tokens(&delta().readable(), &fields);

    let read = |text: &str| serde_json::from_str::<Delta>(text).map_err(|error| error.to_string());
    // A delta that is read back has its guard. A hash that the caller sets has none, nor has what is read of it.
    let mut written = delta();
    let read_back = read(&serde_json::to_string(&written).unwrap()).unwrap();
    assert_eq!(read_back.guarded(), written.guarded());
    written.hash.insert(b"another");
    let text = serde_json::to_string(&written).unwrap();
    assert!(text.ends_with(r#""guard":null}"#), "{text}");
    assert_eq!(read(&text).unwrap().guarded(), None);
    // Fields in another order, and one of a later version.
    let text = format!(r#"{{"bytes":1,"later":[2],"keys":0,"hash":"{hash}"}}"#);
    assert_eq!(read(&text), Ok(delta()));
    for (text, error) in [
        (
            format!(r#"{{"keys":0,"hash":"{hash}"}}"#),
            "missing field `bytes`",
        ),
        (r#"{"keys":0,"keys":0}"#.into(), "duplicate field `keys`"),
        (
            r#"[]"#.into(),
            "invalid length 0, expected a delta: hash, keys, bytes and guard",
        ),
        ("1".into(), "expected a delta: hash, keys, bytes and guard"),
    ] {
        let message = read(&text).unwrap_err();
        assert!(message.contains(error), "{message}");
    }
}

#[test]
fn wrong_lengths() {
    type Readable<T> = serde_test::Readable<T>;
    type Compact<T> = serde_test::Compact<T>;
    assert_de_tokens_error::<Readable<Checksum>>(
        &[Token::Str(&TEXT[2..])],
        "invalid length 62, expected 32 bytes or 64 hex digits",
    );
    assert_de_tokens_error::<Compact<Checksum>>(
        &[Token::Bytes(&BYTES[1..])],
        "invalid length 31, expected 32 bytes or 64 hex digits",
    );
    assert_de_tokens_error::<Readable<LtHash>>(
        &[Token::Str(TEXT)],
        "invalid length 64, expected 2048 bytes or 4096 hex digits",
    );
    assert_de_tokens_error::<Compact<LtHash>>(
        &[Token::Bytes(&[0; 2049])],
        "invalid length 2049, expected 2048 bytes or 4096 hex digits",
    );
}

#[test]
fn wrong_digits() {
    let text = TEXT.replacen("dc", "xc", 1);
    let error = serde_json::from_str::<Checksum>(&format!("\"{text}\"")).unwrap_err();
    assert!(error.to_string().contains("'x' at position 8"), "{error}");
    let error = serde_json::from_str::<Checksum>("[1, 2, 3]").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected 32 bytes or 64 hex digits"),
        "{error}"
    );
}

/// CBOR (RFC 8949): byte strings are major type 2, their lengths in the head.
#[test]
fn a_binary_format() {
    fn read<T: serde::de::DeserializeOwned>(cbor: &[u8]) -> Result<T, String> {
        ciborium::from_reader(cbor).map_err(|error| error.to_string())
    }
    let checksum = LtHash::new().checksum();
    let hash = LtHash::of(b"element");
    let pair = (checksum, hash);
    let mut written = Vec::new();
    ciborium::into_writer(&pair, &mut written).unwrap();
    let (checksum, hash) = &pair;
    let expected = [
        &[0x82, 0x58, 32],
        &checksum.0[..],
        &[0x59, 8, 0],
        &hash.to_bytes(),
    ];
    assert_eq!(written, expected.concat());
    assert_eq!(read(&written), Ok(pair.clone()));

    let short = [&[0x58, 31], &checksum.0[1..]].concat();
    assert!(
        read::<Checksum>(&short)
            .unwrap_err()
            .contains("invalid length 31")
    );
    let long = [&[0x59, 8, 1, 0], &hash.to_bytes()[..]].concat();
    assert!(
        read::<LtHash>(&long)
            .unwrap_err()
            .contains("invalid length 2049")
    );
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Bytes {
    #[serde(with = "lthash::hex::serde")]
    plain: Vec<u8>,
    #[serde(with = "lthash::hex::serde::prefixed")]
    prefixed: [u8; 2],
}

#[test]
fn hex_modules() {
    let bytes = Bytes {
        plain: vec![0xab],
        prefixed: [0x01, 0xff],
    };
    let tokens = |plain, prefixed| {
        let (name, len) = ("Bytes", 2);
        [
            Token::Struct { name, len },
            Token::Str("plain"),
            plain,
            Token::Str("prefixed"),
            prefixed,
            Token::StructEnd,
        ]
    };
    let text = tokens(Token::Str("ab"), Token::Str("0x01ff"));
    assert_tokens(&bytes.readable(), &text);
    let compact = Bytes {
        plain: vec![0xab],
        prefixed: [0x01, 0xff],
    };
    let binary = tokens(Token::Bytes(&[0xab]), Token::Bytes(&[0x01, 0xff]));
    assert_tokens(&compact.compact(), &binary);
    for (text, error) in [
        (
            r#"{"plain":"a","prefixed":"0x0102"}"#,
            "odd number of digits",
        ),
        (r#"{"plain":"","prefixed":"0102"}"#, "must begin with 0x"),
        (r#"{"plain":"0g","prefixed":"0x0102"}"#, "position 1"),
        (r#"{"plain":"","prefixed":"0x01"}"#, "invalid length 1"),
    ] {
        let message = serde_json::from_str::<Bytes>(text).unwrap_err().to_string();
        assert!(message.contains(error), "{message}");
    }
}

/// A byte string's head in MessagePack (bin 8), postcard (a varint) and bincode 1 (64 bits).
#[test]
fn heads_of_byte_strings() {
    let checksum = LtHash::new().checksum();
    let with_head = |head: &[u8]| [head, BYTES].concat();
    let written = rmp_serde::to_vec(&checksum).unwrap();
    assert_eq!(written, with_head(&[0xc4, 32]));
    let written = postcard::to_allocvec(&checksum).unwrap();
    assert_eq!(written, with_head(&[32]));
    let written = bincode::serialize(&checksum).unwrap();
    assert_eq!(written, with_head(&[32, 0, 0, 0, 0, 0, 0, 0]));
}

/// A value with every type and every module that serde knows of this crate.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct All {
    checksum: Checksum,
    hash: LtHash,
    delta: Delta,
    #[serde(with = "lthash::hex::serde")]
    plain: Vec<u8>,
    #[serde(with = "lthash::hex::serde::prefixed")]
    prefixed: [u8; 3],
    #[serde(with = "lthash::hex::serde::option")]
    some: Option<Vec<u8>>,
    #[serde(with = "lthash::hex::serde::option")]
    none: Option<Vec<u8>>,
    #[serde(with = "lthash::hex::serde::prefixed::option")]
    some_prefixed: Option<[u8; 2]>,
    #[serde(with = "lthash::hex::serde::prefixed::option")]
    none_prefixed: Option<[u8; 2]>,
}

fn all() -> All {
    let hash = LtHash::of(b"element");
    All {
        checksum: hash.checksum(),
        hash,
        delta: delta(),
        plain: vec![0xab; 5000],
        prefixed: [0, 1, 0xff],
        // Two bytes that could be read as two digits.
        some: Some(b"ab".to_vec()),
        none: None,
        some_prefixed: Some(*b"0x"),
        none_prefixed: None,
    }
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Flattened {
    id: u32,
    #[serde(flatten)]
    all: All,
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u32),
    All(Box<All>),
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    All(All),
    Flattened(Flattened),
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", content = "content")]
enum Beside {
    All(All),
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Named {
    All(All),
}

fn survives_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let written = serde_json::to_string(value).unwrap();
    assert!(!written.contains('['), "an array of bytes and not digits");
    assert_eq!(&serde_json::from_str::<T>(&written).unwrap(), value);
    let through_value = serde_json::from_value::<T>(serde_json::to_value(value).unwrap());
    assert_eq!(&through_value.unwrap(), value);
}

fn survives_cbor<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let mut written = Vec::new();
    ciborium::into_writer(value, &mut written).unwrap();
    assert_eq!(&ciborium::from_reader::<T, _>(&*written).unwrap(), value);
}

fn survives_message_pack<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let written = rmp_serde::to_vec_named(value).unwrap();
    assert_eq!(&rmp_serde::from_slice::<T>(&written).unwrap(), value);
    assert_eq!(&rmp_serde::from_read::<_, T>(&*written).unwrap(), value);
}

fn survives_postcard<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let written = postcard::to_allocvec(value).unwrap();
    assert_eq!(&postcard::from_bytes::<T>(&written).unwrap(), value);
}

fn survives_bincode<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let written = bincode::serialize(value).unwrap();
    assert_eq!(&bincode::deserialize::<T>(&written).unwrap(), value);
    assert_eq!(
        &bincode::deserialize_from::<_, T>(&*written).unwrap(),
        value
    );
}

fn survives_formats_that_describe_themselves<T>(value: &T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    survives_json(value);
    survives_cbor(value);
    survives_message_pack(value);
}

#[test]
fn every_format_gives_back_what_it_was_given() {
    survives_formats_that_describe_themselves(&all());
    survives_postcard(&all());
    survives_bincode(&all());
    survives_formats_that_describe_themselves(&Named::All(all()));
    survives_postcard(&Named::All(all()));
    survives_bincode(&Named::All(all()));
}

/// In such places serde buffers values, and does not pass on whether the format is human-readable.
#[test]
fn flattened_and_tagged_values_come_back() {
    let flattened = || Flattened { id: 7, all: all() };
    survives_formats_that_describe_themselves(&flattened());
    survives_formats_that_describe_themselves(&Untagged::All(all().into()));
    survives_formats_that_describe_themselves(&Untagged::Number(7));
    survives_formats_that_describe_themselves(&Tagged::All(all()));
    survives_formats_that_describe_themselves(&Tagged::Flattened(flattened()));
    survives_formats_that_describe_themselves(&Beside::All(all()));
}

/// The documented limit: values in such places need a format that describes itself.
#[test]
fn other_formats_refuse_flattened_and_untagged_values() {
    let flattened = Flattened { id: 7, all: all() };
    assert!(postcard::to_allocvec(&flattened).is_err());
    assert!(bincode::serialize(&flattened).is_err());
    let written = postcard::to_allocvec(&Untagged::All(all().into())).unwrap();
    assert!(postcard::from_bytes::<Untagged>(&written).is_err());
    let written = bincode::serialize(&Untagged::All(all().into())).unwrap();
    assert!(bincode::deserialize::<Untagged>(&written).is_err());
}

#[test]
fn optional_bytes() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Optional {
        #[serde(with = "lthash::hex::serde::option", default)]
        plain: Option<Vec<u8>>,
        #[serde(with = "lthash::hex::serde::prefixed::option", default)]
        prefixed: Option<[u8; 1]>,
    }
    let read = |text| serde_json::from_str::<Optional>(text).map_err(|error| error.to_string());
    let optional = |plain: Option<&[u8]>, prefixed| Optional {
        plain: plain.map(Into::into),
        prefixed,
    };
    assert_eq!(read("{}"), Ok(optional(None, None)));
    assert_eq!(
        read(r#"{"plain":null,"prefixed":null}"#),
        Ok(optional(None, None))
    );
    assert_eq!(read(r#"{"plain":""}"#), Ok(optional(Some(&[]), None)));
    assert_eq!(
        read(r#"{"plain":"0aFf","prefixed":"0x7f"}"#),
        Ok(optional(Some(&[0x0a, 0xff]), Some([0x7f])))
    );
    for (text, message) in [
        (r#"{"plain":"0g"}"#, "'g' at position 1"),
        (r#"{"prefixed":"7f"}"#, "must begin with 0x"),
        (r#"{"prefixed":"0x7f7f"}"#, "invalid length 2"),
        (r#"{"plain":7}"#, "bytes or hex digits"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

/// The text may have the prefix that [`Checksum`]'s `{:#x}` writes.
#[test]
fn prefixed_text() {
    let text = format!("\"0x{TEXT}\"");
    let checksum = serde_json::from_str::<Checksum>(&text).unwrap();
    assert_eq!(checksum, LtHash::new().checksum());
}
