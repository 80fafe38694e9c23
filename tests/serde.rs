//! The feature `serde`: hex in human-readable formats, bytes in others, and nothing of another length.
#![cfg(feature = "serde")]

use lthash::{Checksum, LtHash};
use serde_test::{Configure, Token, assert_de_tokens_error, assert_tokens};

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
