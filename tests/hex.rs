//! Hexadecimal text on every backend, against code that is written out here.

mod common;

use common::backends;
use lthash::{Kernels, hex};
use proptest::prelude::*;

/// The digits, from the standard library's formatting.
fn encoded(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes or the first bad digit, from the standard library's parsing.
fn decoded(text: &[u8]) -> Result<Vec<u8>, hex::Error> {
    let value = |(position, &byte): (usize, &u8)| {
        (byte as char)
            .to_digit(16)
            .map(|value| value as u8)
            .ok_or(hex::Error::InvalidDigit { position, byte })
    };
    let values: Vec<u8> = text
        .iter()
        .enumerate()
        .map(value)
        .collect::<Result<_, _>>()?;
    Ok(values
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect())
}

fn bytes(length: usize) -> Vec<u8> {
    common::generated("hex", 0, length)
}

/// Decodes with the given kernels, and asserts that an error leaves the output as it was.
fn decode_with(kernels: &Kernels, text: &[u8]) -> Result<Vec<u8>, hex::Error> {
    let before = common::generated("before", 0, text.len() / 2);
    let mut out = before.clone();
    match kernels.hex_decode(text, &mut out) {
        Ok(()) => Ok(out),
        Err(error) => {
            assert!(out == before, "{error}, but the output has changed");
            Err(error)
        }
    }
}

#[test]
fn every_length_and_every_backend() {
    let lengths = (0..=300).chain([2047, 2048, 2049, 65_536, 1 << 20, (1 << 20) + 1]);
    for length in lengths {
        let bytes = bytes(length);
        let text = encoded(&bytes);
        let upper = text.to_uppercase();
        assert_eq!(hex::encode(&bytes), text);
        assert_eq!(hex::encode_prefixed(&bytes), format!("0x{text}"));
        assert_eq!(hex::encode_upper(&bytes), upper);
        assert_eq!(hex::decode(&text).as_ref(), Ok(&bytes));
        assert_eq!(hex::decode(&upper).as_ref(), Ok(&bytes));
        assert_eq!(
            hex::decode_prefixed(format!("0x{text}")).as_ref(),
            Ok(&bytes)
        );
        assert_eq!(
            hex::decode_prefixed(format!("0X{upper}")).as_ref(),
            Ok(&bytes)
        );
        for kernels in backends() {
            let mut out = vec![0; 2 * length];
            assert_eq!(
                kernels.hex_encode(&bytes, &mut out),
                Ok(&mut text.clone()[..])
            );
            assert_eq!(decode_with(kernels, text.as_bytes()).as_ref(), Ok(&bytes));
            assert_eq!(decode_with(kernels, upper.as_bytes()).as_ref(), Ok(&bytes));
        }
    }
}

/// Every pair of bytes at every place of a text, so that every lane of a vector meets every pair, gives its value or an error
/// with the right position.
#[test]
fn every_pair_at_every_place() {
    let expected: Vec<_> = (0..=u16::MAX)
        .map(|pair| decoded(&pair.to_be_bytes()))
        .collect();
    // 32 bytes are decoded by every backend's own code, up to 16 by code that all share.
    let long = backends().iter().map(|&kernels| (kernels, 32));
    let short = [16, 15, 8, 7, 3, 1].map(|length| (backends()[0], length));
    for (kernels, length) in long.chain(short) {
        let bytes = bytes(length);
        let mut text = encoded(&bytes).into_bytes();
        for place in 0..length {
            let digits = 2 * place..2 * place + 2;
            for pair in 0..=u16::MAX {
                text[digits.clone()].copy_from_slice(&pair.to_be_bytes());
                let mut out = [0xa5; 32];
                let out = &mut out[..length];
                let result = kernels.hex_decode(&text, out);
                match &expected[usize::from(pair)] {
                    Ok(byte) => {
                        assert_eq!(result, Ok(()));
                        assert_eq!(out[place], byte[0]);
                        assert_eq!(out[..place], bytes[..place]);
                        assert_eq!(out[place + 1..], bytes[place + 1..]);
                    }
                    &Err(hex::Error::InvalidDigit { position, byte }) => {
                        let position = position + 2 * place;
                        assert_eq!(result, Err(hex::Error::InvalidDigit { position, byte }));
                        assert!(out.iter().all(|&byte| byte == 0xa5));
                    }
                    Err(error) => unreachable!("{error}"),
                }
            }
            text[digits].copy_from_slice(encoded(&bytes[place..=place]).as_bytes());
        }
    }
}

#[test]
fn a_bad_digit_at_every_position() {
    for length in (1..=300).chain([2048, 2049, 5000, 1_048_577]) {
        let text = encoded(&bytes(length)).into_bytes();
        // Every position in the shorter texts; in the longer ones, positions next to the end of a vector or of a buffer.
        let positions: Vec<usize> = match length {
            ..=300 => (0..text.len()).collect(),
            _ => [0, 63, 64, 127, 128, 4095, 4096, 4097]
                .into_iter()
                .chain([text.len() - 129, text.len() - 64, text.len() - 1])
                .filter(|&position| position < text.len())
                .collect(),
        };
        for position in positions {
            let mut text = text.clone();
            // Two bad digits: the error has the first.
            let last = text.len() - 1;
            text[last] = b'\xff';
            text[position] = b"g/:@`G\0\x80"[position % 8];
            let byte = text[position];
            let error = hex::Error::InvalidDigit { position, byte };
            for kernels in backends() {
                assert_eq!(decode_with(kernels, &text), Err(error));
            }
            assert_eq!(hex::decode(&text), Err(error));
            let prefixed = [b"0x", &text[..]].concat();
            let position = position + 2;
            assert_eq!(
                hex::decode_prefixed(prefixed),
                Err(hex::Error::InvalidDigit { position, byte })
            );
        }
    }
}

#[test]
fn errors_in_their_order() {
    use hex::Error::{InvalidDigit, Length, MissingPrefix, OddLength};
    let mut out = [0xa5; 2];
    let bad = |position, byte| Err(InvalidDigit { position, byte });

    assert_eq!(hex::decode(""), Ok(vec![]));
    assert_eq!(hex::decode("abc"), Err(OddLength));
    assert_eq!(hex::decode("xyz"), Err(OddLength));
    assert_eq!(hex::decode("0x12"), bad(1, b'x').map(|()| vec![]));
    assert_eq!(hex::decode_prefixed(""), Err(MissingPrefix));
    assert_eq!(hex::decode_prefixed("0"), Err(MissingPrefix));
    assert_eq!(hex::decode_prefixed("x012"), Err(MissingPrefix));
    assert_eq!(hex::decode_prefixed("0x"), Ok(vec![]));
    assert_eq!(hex::decode_prefixed("0xz"), Err(OddLength));
    assert_eq!(hex::decode_prefixed("0X0z"), bad(3, b'z').map(|()| vec![]));

    assert_eq!(hex::decode_to_slice("xyz", &mut out), Err(OddLength));
    let (expected, actual) = (3, 2);
    assert_eq!(
        hex::decode_to_slice("uvwxyz", &mut out),
        Err(Length { expected, actual })
    );
    assert_eq!(hex::decode_to_slice("12x4", &mut out), bad(2, b'x'));
    assert_eq!(
        hex::decode_prefixed_to_slice("1234", &mut out),
        Err(MissingPrefix)
    );
    assert_eq!(
        hex::decode_prefixed_to_slice("0xuvwxyz", &mut out),
        Err(Length { expected, actual })
    );
    assert_eq!(
        hex::decode_prefixed_to_slice("0x12x4", &mut out),
        bad(4, b'x')
    );
    assert_eq!(out, [0xa5; 2]);
    assert_eq!(hex::decode_prefixed_to_slice("0x12Fe", &mut out), Ok(()));
    assert_eq!(out, [0x12, 0xfe]);
}

/// Slices of the wrong length: too long and too short.
#[test]
fn lengths_that_do_not_match() {
    for (length, out_length) in [
        (0, 2),
        (1, 0),
        (1, 1),
        (1, 3),
        (4, 4096),
        (4096, 4),
        (32, 63),
    ] {
        let bytes = bytes(length);
        let mut out = vec![0xa5; out_length];
        for kernels in backends() {
            let (expected, actual) = (2 * length, out_length);
            assert_eq!(
                kernels.hex_encode(&bytes, &mut out),
                Err(hex::Error::Length { expected, actual })
            );
            if length != out_length {
                let expected = length;
                assert_eq!(
                    kernels.hex_decode(encoded(&bytes).as_bytes(), &mut out),
                    Err(hex::Error::Length { expected, actual })
                );
            }
        }
        assert!(out.iter().all(|&byte| byte == 0xa5));
    }
}

#[test]
fn errors_say_what_where_and_what_was_expected() {
    let shown = |error: hex::Error| error.to_string();
    assert_eq!(
        shown(hex::decode_prefixed("12").unwrap_err()),
        "hex text must begin with 0x"
    );
    assert_eq!(
        shown(hex::decode("123").unwrap_err()),
        "hex text has an odd number of digits"
    );
    assert_eq!(
        shown(hex::decode_to_slice("12", &mut [0; 2]).unwrap_err()),
        "length is 2: expected 1"
    );
    assert_eq!(
        shown(hex::decode("1\n").unwrap_err()),
        r"invalid hex digit '\n' at position 1: expected 0-9, a-f or A-F"
    );
}

#[test]
fn display_writes_digits() {
    for length in [0, 1, 31, 32, 127, 128, 129, 1000] {
        let bytes = bytes(length);
        let text = encoded(&bytes);
        let display = hex::display(&bytes);
        assert_eq!(format!("{display}"), text);
        assert_eq!(format!("{display:x}"), text);
        assert_eq!(format!("{display:X}"), text.to_uppercase());
        assert_eq!(format!("{display:#}"), format!("0x{text}"));
        assert_eq!(
            format!("{display:#X}"),
            format!("0x{}", text.to_uppercase())
        );
    }
}

const LITERAL: [u8; 5] = hex::const_decode("00fF10A0b9");
const DIGITS: [u8; 10] = hex::const_encode(&LITERAL);

#[test]
fn constants() {
    assert_eq!(LITERAL, [0x00, 0xff, 0x10, 0xa0, 0xb9]);
    assert_eq!(&DIGITS, b"00ff10a0b9");
    let all: [u8; 256] = std::array::from_fn(|i| i as u8);
    assert_eq!(
        &hex::const_encode::<256, 512>(&all)[..],
        encoded(&all).as_bytes()
    );
    for bad in ["", "0", "000", "0g", "/0", "0x00"] {
        let result = std::panic::catch_unwind(|| hex::const_decode::<1>(bad));
        assert!(result.is_err(), "{bad:?}");
    }
}

#[test]
fn append_keeps_what_is_there() {
    let mut text = String::from("hash: ");
    hex::append([0xab; 3], &mut text);
    text.push(' ');
    hex::append_prefixed([0xcd; 40], &mut text);
    assert_eq!(text, format!("hash: ababab 0x{}", "cd".repeat(40)));
}

proptest! {
    #[test]
    fn there_and_back(bytes: Vec<u8>, upper: bool) {
        let mut text = hex::encode(&bytes);
        prop_assert_eq!(&text, &encoded(&bytes));
        if upper {
            text.make_ascii_uppercase();
        }
        prop_assert_eq!(hex::decode(&text), Ok(bytes));
    }

    #[test]
    fn any_text(text in prop::collection::vec(prop_oneof![9 => "[0-9a-fA-F]", 1 => "."], 0..200)) {
        let text = text.concat();
        let expected = if text.len() % 2 == 0 {
            decoded(text.as_bytes())
        } else {
            Err(hex::Error::OddLength)
        };
        prop_assert_eq!(hex::decode(&text), expected.clone());
        if text.len() % 2 == 0 {
            for kernels in backends() {
                prop_assert_eq!(&decode_with(kernels, text.as_bytes()), &expected);
            }
        }
    }
}
