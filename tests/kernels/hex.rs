//! The proofs of the hex kernels: every output byte is computed for every value of the
//! digits or the byte that it depends on, and these are its own.

use crate::claims::{Call, number, reads, same, updates, writes};
use crate::decode::{Kernel, kernels};
use crate::domain::Domain;
use crate::machine::{Machine, Memory};
use crate::proofs::{check, enter};
use crate::tables::{Tables, Value};
use std::collections::BTreeSet;

/// They are proven here and not among the others.
pub const KERNELS: [&str; 2] = ["hex_encode", "hex_decode"];

/// From the least that the kernels take: every distance of the last step from the one before, with none and with one
/// between the first and the last; and with two.
fn counts() -> impl Iterator<Item = usize> + Clone {
    (32..=96).chain([128])
}

fn kernel(name: &str) -> Kernel {
    let mut kernels = kernels().into_iter();
    kernels.find(|kernel| kernel.name == name).unwrap()
}

fn encode(count: usize) -> Call<Tables> {
    Call {
        kernel: "hex_encode",
        title: format!("{count} bytes"),
        arguments: vec![
            reads("bytes", count),
            number("count", 8, count),
            writes("digits", 2 * count),
            number("digit_count", 8, 2 * count),
            reads("alphabet", 16),
        ],
        specification: Box::new(|_| ()),
    }
}

/// What a decoding kernel is told to save to, and what it then promises of bytes with a bad digit.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Saved {
    Apart,
    SameAsBytes,
}

fn decode(count: usize, saved: Saved) -> Call<Tables> {
    Call {
        kernel: "hex_decode",
        title: format!("{count} bytes, saved {saved:?}"),
        arguments: vec![
            reads("digits", 2 * count),
            number("digit_count", 8, 2 * count),
            updates("bytes", count),
            number("count", 8, count),
            match saved {
                Saved::Apart => updates("saved", count),
                Saved::SameAsBytes => same("saved", "bytes"),
            },
        ],
        specification: Box::new(|_| ()),
    }
}

fn region<'a>(memory: &'a mut Memory<Tables>, name: &str) -> &'a mut Vec<Option<Value>> {
    let mut regions = memory.iter_mut();
    &mut regions.find(|region| &*region.name == name).unwrap().bytes
}

fn run(domain: &mut Tables, kernel: &Kernel, start: &Machine<Tables>) -> Machine<Tables> {
    assert!(!kernel.uses_the_stack());
    let mut machine = enter(domain, start, 8);
    let result = machine.run(domain, &kernel.instructions, |_| ());
    result.unwrap_or_else(|stopped| panic!("{}", kernel.describe(stopped)));
    machine
}

const ALPHABETS: [&[u8; 16]; 2] = [b"0123456789abcdef", b"0123456789ABCDEF"];

#[test]
fn hex_encode_is_proven() {
    prove_encode_of(&kernel("hex_encode"), counts());
}

fn prove_encode_of(kernel: &Kernel, counts: impl Iterator<Item = usize> + Clone) {
    let domain = &mut Tables::default();
    for alphabet in ALPHABETS {
        for count in counts.clone() {
            prove_encode(domain, kernel, count, alphabet);
        }
    }
}

fn prove_encode(domain: &mut Tables, kernel: &Kernel, count: usize, alphabet: &[u8; 16]) {
    domain.restart(None);
    let (mut start, mut expected) = encode(count).prepare(domain, kernel);
    let known = alphabet.map(|byte| Some(domain.byte(byte)));
    for memory in [&mut start.memory, &mut expected] {
        *region(memory, "alphabet") = known.to_vec();
    }
    for i in 0..count {
        let byte = region(&mut start.memory, "bytes")[i].unwrap();
        for (place, shift) in [(0, 4), (1, 0)] {
            let name = format!("digit {place} of {alphabet:?}");
            let digit = |values: &[u64]| alphabet[(values[0] >> shift & 15) as usize].into();
            let digit = domain.function(&name, &[byte], digit);
            region(&mut expected, "digits")[2 * i + place] = Some(digit);
        }
    }
    let end = run(domain, kernel, &start);
    check(domain, &start, &end, &expected).unwrap_or_else(|failure| panic!("{count}: {failure}"));
}

/// Every byte's value as a digit, or nothing, by the definition.
fn digit_values() -> [Option<u64>; 256] {
    let mut values = [None; 256];
    for (i, digit) in b"00112233445566778899aAbBcCdDeEfF".iter().enumerate() {
        values[usize::from(*digit)] = Some(i as u64 / 2);
    }
    values
}

#[test]
fn hex_decode_is_proven() {
    prove_decode_of(&kernel("hex_decode"), counts());
}

fn prove_decode_of(kernel: &Kernel, counts: impl Iterator<Item = usize>) {
    let domain = &mut Tables::default();
    let mut checks = BTreeSet::new();
    for count in counts {
        for saved in [Saved::Apart, Saved::SameAsBytes] {
            for good in [true, false] {
                prove_decode(domain, kernel, count, saved, good, &mut checks);
            }
        }
    }
}

/// Whether the proof of a changed kernel fails.
pub fn proof_fails(changed: &Kernel) -> bool {
    let proof = std::panic::AssertUnwindSafe(|| match changed.name.as_str() {
        "hex_encode" => prove_encode_of(changed, counts()),
        _ => prove_decode_of(changed, counts()),
    });
    std::panic::catch_unwind(proof).is_err()
}

/// The run for digits that are all good, or for others. `checks` are the tables of which it is known that they are zero
/// just for good digits.
fn prove_decode(
    domain: &mut Tables,
    kernel: &Kernel,
    count: usize,
    saved: Saved,
    good: bool,
    checks: &mut BTreeSet<usize>,
) {
    let digit_values = digit_values();
    let value = |digit: u64| digit_values[digit as usize];
    let context = format!("{count} bytes, saved {saved:?}, good {good}");
    domain.restart(Some(good));
    let (mut start, mut expected) = decode(count, saved).prepare(domain, kernel);
    let mut end = run(domain, kernel, &start);

    // The one branch on data asks whether functions of single digits are zero: just for the good ones.
    let digits = region(&mut start.memory, "digits").clone();
    let digits: Vec<Value> = digits.into_iter().map(Option::unwrap).collect();
    let mut asked = BTreeSet::new();
    for condition in domain.conditions() {
        let (table, inputs) = domain.parts(condition);
        if checks.insert(table) {
            for (index, &error) in domain.values(table).iter().enumerate() {
                let is_good = |i| value((index >> (8 * i) & 0xff) as u64).is_some();
                let all_good = (0..inputs.len()).all(is_good);
                assert_eq!(error == 0, all_good, "{context}: digits {index:#x}");
            }
        }
        asked.extend(inputs);
    }
    let all: BTreeSet<u32> = digits
        .iter()
        .flat_map(|&digit| domain.parts(digit).1)
        .collect();
    assert_eq!(asked, all, "{context}: the digits that are checked");
    let result = domain.byte(good.into());
    assert_eq!(end.general[0][0], result, "{context}: the result");

    if good {
        // The bytes are compared where all digits are good, since there are no others in this run.
        for i in 0..count {
            let pair = [digits[2 * i], digits[2 * i + 1]];
            let of = |values: &[u64]| match (value(values[0]), value(values[1])) {
                (Some(high), Some(low)) => high << 4 | low,
                _ => 0,
            };
            let byte = domain.function("a byte of two digits", &pair, of);
            region(&mut expected, "bytes")[i] = Some(byte);
            let is = region(&mut end.memory, "bytes")[i].unwrap();
            let of = |values: &[u64]| match (value(values[1]), value(values[2])) {
                (Some(_), Some(_)) => values[0],
                _ => 0,
            };
            let is = domain.function("for good digits", &[is, pair[0], pair[1]], of);
            region(&mut end.memory, "bytes")[i] = Some(is);
        }
    } else if saved == Saved::SameAsBytes && count > 64 {
        *region(&mut expected, "bytes") = region(&mut end.memory, "bytes").clone();
    }
    if saved == Saved::Apart {
        *region(&mut expected, "saved") = region(&mut end.memory, "saved").clone();
    }
    check(domain, &start, &end, &expected).unwrap_or_else(|failure| panic!("{context}: {failure}"));
}
