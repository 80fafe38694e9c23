//! Hexadecimal text: size × crate × direction. Ratios are to lthash, the first contender.

use crate::inputs::buffer;
use crate::offsets::MAX_OFFSET;
use crate::output::{print_heading, print_rows};
use crate::paired::{Comparison, Contender, compare};
use hex_simd::{AsciiCase, Out};
use std::hint::black_box;

const HEX: &str = "Hex, from a slice into a slice";

const LENGTHS: [usize; 11] = [4, 8, 15, 16, 20, 32, 64, 128, 256, 2048, 65_536];

/// From a slice into a slice.
pub fn hex() {
    print_heading(HEX);
    let mut logarithms = [0.0; 2];
    for length in LENGTHS {
        let bytes = buffer(length);
        let encode =
            |name, run: fn(&[u8], &mut [u8])| contender(name, &bytes, length, 2 * length, run);
        let comparison = compare(&mut [
            encode("lthash", |bytes, out| {
                let _ = black_box(lthash::hex::encode_to_slice(bytes, out));
            }),
            encode("const-hex", |bytes, out| {
                let _ = black_box(const_hex::encode_to_slice(bytes, out));
            }),
            encode("faster-hex", |bytes, out| {
                let _ = black_box(faster_hex::hex_encode(bytes, out));
            }),
            encode("hex-simd", |bytes, out| {
                let out = Out::from_slice(out);
                let _ = black_box(hex_simd::encode(bytes, out, AsciiCase::Lower));
            }),
        ]);
        print_rows(HEX, &format!("{length} bytes, encoded"), &comparison);
        logarithms[0] += ratio_to_best(&comparison).ln();

        let text = lthash::hex::encode(&bytes).into_bytes();
        let decode =
            |name, run: fn(&[u8], &mut [u8])| contender(name, &text, 2 * length, length, run);
        let comparison = compare(&mut [
            decode("lthash", |text, out| {
                let _ = black_box(lthash::hex::decode_to_slice(text, out));
            }),
            decode("const-hex", |text, out| {
                let _ = black_box(const_hex::decode_to_slice(text, out));
            }),
            decode("faster-hex", |text, out| {
                let _ = black_box(faster_hex::hex_decode(text, out));
            }),
            decode("hex-simd", |text, out| {
                let _ = black_box(hex_simd::decode(text, Out::from_slice(out)));
            }),
        ]);
        print_rows(HEX, &format!("{length} bytes, decoded"), &comparison);
        logarithms[1] += ratio_to_best(&comparison).ln();
    }
    for (direction, logarithm) in ["encode", "decode"].into_iter().zip(logarithms) {
        let mean = (logarithm / LENGTHS.len() as f64).exp();
        eprintln!(
            "\nlthash's geometric mean over the sizes, {direction}: {mean:.2} times the best other crate's speed"
        );
    }
}

/// Work on `length` bytes of `source` at the round's offset, into `out_length` bytes that move the other way.
fn contender<'a>(
    name: &str,
    source: &'a [u8],
    length: usize,
    out_length: usize,
    run: fn(&[u8], &mut [u8]),
) -> Contender<'a> {
    let mut out = vec![0; MAX_OFFSET + out_length];
    Contender::new(name, move |times, offset| {
        let source = &source[offset..][..length];
        let out = &mut out[MAX_OFFSET - offset..][..out_length];
        for _ in 0..times {
            run(black_box(source), black_box(out));
        }
    })
}

/// How many times as fast as the best of the others the first contender, lthash, is.
fn ratio_to_best(comparison: &Comparison) -> f64 {
    let others = comparison.measured[1..].iter();
    let best = others.map(|other| other.ratio.median).fold(0.0, f64::max);
    1.0 / best
}
