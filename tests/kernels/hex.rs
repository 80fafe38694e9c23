//! The proofs of the hex kernels: every output byte is computed for every value of the
//! digits or the byte that it depends on, and these are its own.

use crate::claims::{Call, number, reads, updates, writes};
use crate::decode::{InstructionSet, Kernel};
use crate::domain::Domain;
use crate::lengths;
use crate::machine::{Machine, Memory};
use crate::objects::kernels;
use crate::proofs::{check, enter};
use crate::tables::{Tables, Value};
use std::collections::BTreeSet;

/// They are proven here and not among the others.
pub const KERNELS: [&str; 2] = ["hex_encode", "hex_decode"];

/// Those of an instruction set.
pub fn kernels_of(instruction_set: InstructionSet) -> &'static [&'static str] {
    match instruction_set {
        InstructionSet::Avx2 => &["hex_encode", "hex_decode"],
        InstructionSet::Avx512 => &["hex_decode"],
    }
}

/// Every count from the least that the kernel takes to the last one that lengths.rs leaves to this file; and with another step.
fn encode_counts() -> impl Iterator<Item = usize> {
    (32..=288).chain([320])
}

/// From the least that the kernel takes: every distance of what is taken from the end from what is taken from the beginning,
/// and then of the last step between them from the one before; and with another step. First come those in which a wrong
/// kernel shows soonest, the last before another step.
fn decode_counts() -> impl Iterator<Item = usize> {
    [320, 288, 256, 128, 64, 32].into_iter().chain(17..=288)
}

/// Proves the kernels of this name, of every instruction set that has one.
fn prove_all(name: &str) {
    let named: Vec<Kernel> = kernels()
        .into_iter()
        .filter(|kernel| kernel.name == name)
        .collect();
    assert!(!named.is_empty());
    for kernel in named {
        prove(&mut Tables::default(), &kernel)
            .unwrap_or_else(|why| panic!("{}: {why}", kernel.symbol));
    }
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

/// Where a decoding kernel is told to save to.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Saved {
    ToBuffer,
    ToNull,
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
                Saved::ToBuffer => updates("saved", count),
                Saved::ToNull => number("saved", 8, 0),
            },
        ],
        specification: Box::new(|_| ()),
    }
}

fn region<'a>(memory: &'a mut Memory<Tables>, name: &str) -> &'a mut Vec<Option<Value>> {
    let mut regions = memory.iter_mut();
    &mut regions.find(|region| &*region.name == name).unwrap().bytes
}

/// Takes a kernel from the state at its entry to its return, or says why not.
pub type Run<'a> = &'a dyn Fn(&mut Tables, &mut Machine<Tables>) -> Result<(), String>;

fn run(domain: &mut Tables, start: &Machine<Tables>, run: Run) -> Result<Machine<Tables>, String> {
    let mut machine = enter(domain, start, 8);
    run(domain, &mut machine)?;
    Ok(machine)
}

/// That so long a beginning of a buffer is returned.
fn check_result(
    domain: &mut Tables,
    end: &Machine<Tables>,
    name: &str,
    length: usize,
) -> Result<(), String> {
    const RAX: usize = 0;
    const RDX: usize = 2;
    let (start, is) = (end.general(domain, RAX), end.general(domain, RDX));
    let begins = |(region, offset): (usize, i64)| &*end.memory[region].name == name && offset == 0;
    if !domain.address(start).is_some_and(begins) || domain.value(is) != Some(length as u64) {
        let (start, is) = (domain.show(start), domain.show(is));
        return Err(format!("{is} bytes at {start} are returned"));
    }
    Ok(())
}

const ALPHABETS: [&[u8; 16]; 2] = [b"0123456789abcdef", b"0123456789ABCDEF"];

#[test]
fn hex_encode_is_proven() {
    prove_all("hex_encode");
}

#[test]
fn hex_decode_is_proven() {
    prove_all("hex_decode");
}

/// Proves one of these kernels, or says what is wrong. A domain may know tables from an earlier proof.
pub fn prove(domain: &mut Tables, kernel: &Kernel) -> Result<(), String> {
    prove_as_run_by(domain, kernel, &|domain, machine| {
        let result = machine.run(domain, &kernel.instructions, |_| ());
        result.map_err(|stopped| kernel.describe(stopped))
    })
}

/// The same with another way to run the kernel.
pub fn prove_as_run_by(domain: &mut Tables, kernel: &Kernel, by: Run) -> Result<(), String> {
    if kernel.uses_the_stack() {
        return Err("one run will not do for a kernel that uses the stack".into());
    }
    lengths::check(kernel).map_err(|failure| format!("of any length: {failure}"))?;
    if kernel.name == "hex_encode" {
        for alphabet in ALPHABETS {
            for count in encode_counts() {
                prove_encode(domain, kernel, by, count, alphabet)
                    .map_err(|failure| format!("{count} bytes: {failure}"))?;
            }
        }
        return Ok(());
    }
    let mut checks = BTreeSet::new();
    for count in decode_counts() {
        for saved in [Saved::ToBuffer, Saved::ToNull] {
            for good in [true, false] {
                prove_decode(domain, kernel, by, count, saved, good, &mut checks).map_err(
                    |failure| format!("{count} bytes, saved {saved:?}, good {good}: {failure}"),
                )?;
            }
        }
    }
    Ok(())
}

fn prove_encode(
    domain: &mut Tables,
    kernel: &Kernel,
    by: Run,
    count: usize,
    alphabet: &[u8; 16],
) -> Result<(), String> {
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
            let digit = domain.function(&name, &[byte], digit)?;
            region(&mut expected, "digits")[2 * i + place] = Some(digit);
        }
    }
    let end = run(domain, &start, by)?;
    check(domain, &start, &end, &expected)?;
    check_result(domain, &end, "digits", 2 * count)
}

/// Every byte's value as a digit, or nothing, by the definition.
fn digit_values() -> [Option<u64>; 256] {
    let mut values = [None; 256];
    for (i, digit) in b"00112233445566778899aAbBcCdDeEfF".iter().enumerate() {
        values[usize::from(*digit)] = Some(i as u64 / 2);
    }
    values
}

/// The run for digits that are all good, or for others. `checks` are the tables of which it is known that they are zero
/// just for good digits.
fn prove_decode(
    domain: &mut Tables,
    kernel: &Kernel,
    by: Run,
    count: usize,
    saved: Saved,
    good: bool,
    checks: &mut BTreeSet<usize>,
) -> Result<(), String> {
    let digit_values = digit_values();
    let value = |digit: u64| digit_values[digit as usize];
    domain.restart(Some(good));
    let (mut start, mut expected) = decode(count, saved).prepare(domain, kernel);
    let mut end = run(domain, &start, by)?;

    // The one branch on data asks whether functions of single digits are zero: just for the good ones.
    let digits = region(&mut start.memory, "digits").clone();
    let digits: Vec<Value> = digits.into_iter().map(Option::unwrap).collect();
    let mut asked = BTreeSet::new();
    for condition in domain.conditions() {
        let (table, inputs) = domain.parts(condition)?;
        if checks.insert(table) {
            for (index, &error) in domain.values(table).iter().enumerate() {
                let is_good = |i| value((index >> (8 * i) & 0xff) as u64).is_some();
                let all_good = (0..inputs.len()).all(is_good);
                if (error == 0) != all_good {
                    return Err(format!("for digits {index:#x} the check gives {error:#x}"));
                }
            }
        }
        asked.extend(inputs);
    }
    let mut all = BTreeSet::new();
    for &digit in &digits {
        all.extend(domain.parts(digit)?.1);
    }
    if asked != all {
        return Err("not all digits are checked".into());
    }
    let length = if good { 0 } else { 2 * count };
    check_result(domain, &end, "digits", length)?;

    if good {
        // The bytes are compared where all digits are good, since there are no others in this run.
        for i in 0..count {
            let pair = [digits[2 * i], digits[2 * i + 1]];
            let of = |values: &[u64]| match (value(values[0]), value(values[1])) {
                (Some(high), Some(low)) => high << 4 | low,
                _ => 0,
            };
            let byte = domain.function("a byte of two digits", &pair, of)?;
            region(&mut expected, "bytes")[i] = Some(byte);
            let is = region(&mut end.memory, "bytes")[i].unwrap();
            let of = |values: &[u64]| match (value(values[1]), value(values[2])) {
                (Some(_), Some(_)) => values[0],
                _ => 0,
            };
            let is = domain.function("for good digits", &[is, pair[0], pair[1]], of)?;
            region(&mut end.memory, "bytes")[i] = Some(is);
        }
    } else if saved == Saved::ToNull && count > 256 {
        *region(&mut expected, "bytes") = region(&mut end.memory, "bytes").clone();
    }
    if saved == Saved::ToBuffer {
        *region(&mut expected, "saved") = region(&mut end.memory, "saved").clone();
    }
    check(domain, &start, &end, &expected)
}
