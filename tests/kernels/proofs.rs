//! The proofs: every kernel of the build, run over terms for every call that is claimed of it.

use crate::claims::{Call, PRESERVED, claims};
use crate::decode::{InstructionSet, Kernel};
use crate::domain::{Domain, Operation};
use crate::hex;
use crate::machine::{FRAME, Machine, Memory, RSP, STACK, STACK_SIZE};
use crate::objects::kernels;
use crate::recorded;
use crate::tables::Tables;
use crate::terms::Terms;
use iced_x86::{Instruction, Mnemonic};
use std::collections::BTreeMap;

/// The places, in bytes below a 64-byte boundary, where the return address can stand: the calling convention aligns
/// `rsp` to 16 bytes before a call.
pub const ENTRIES: [usize; 4] = [8, 24, 40, 56];

/// What the runs of a call showed beside the proof.
#[derive(Default)]
pub struct Shown {
    /// How often each kind of vector operation ran.
    operations: BTreeMap<&'static str, usize>,
    /// The deepest frame, in bytes.
    frame: usize,
}

/// Runs a kernel over terms, once for each place of the return address that it can tell from others, and compares with
/// what is claimed.
pub fn prove(domain: &mut Terms, kernel: &Kernel, call: &Call<Terms>) -> Result<Shown, String> {
    let (start, expected) = call.prepare(domain, kernel);
    let mut shown = Shown::default();
    let entries = if kernel.uses_the_stack() {
        &ENTRIES[..]
    } else {
        &ENTRIES[..1]
    };
    for &below in entries {
        let mut machine = enter(domain, &start, below);
        shown.operations.clear();
        let count = |instruction: &Instruction| {
            if let Some(kind) = kind(instruction) {
                *shown.operations.entry(kind).or_default() += 1;
            }
        };
        machine
            .run(domain, &kernel.instructions, count)
            .map_err(|stopped| kernel.describe(stopped))?;
        check(domain, &start, &machine, &expected)?;
        shown.frame = shown.frame.max(machine.entry - machine.deepest);
    }
    Ok(shown)
}

/// What is wrong with a kernel, by the house's rules and the first of its claims that does not hold.
pub fn faults(kernel: &Kernel) -> Vec<String> {
    let mut faults = kernel.faults();
    if hex::KERNELS.contains(&&*kernel.name) {
        faults.extend(hex::prove(&mut Tables::default(), kernel).err());
        return faults;
    }
    let domain = &mut Terms::default();
    let claims = claims(kernel.instruction_set);
    let mut failures = claims
        .iter()
        .filter(|call| call.kernel == kernel.name)
        .filter_map(|call| prove(domain, kernel, call).err());
    faults.extend(failures.next());
    faults
}

/// The state at a kernel's first instruction, with the return address `below` bytes under a 64-byte boundary.
pub fn enter<D: Domain>(domain: &mut D, start: &Machine<D>, below: usize) -> Machine<D> {
    let entry = STACK_SIZE - below;
    let offset = domain.number(8, entry as u64);
    let rsp = domain
        .operate(Operation::Add, start.memory[STACK].base, offset)
        .unwrap();
    let mut machine = start.clone();
    machine.general[RSP].copy_from_slice(&domain.split(rsp));
    (machine.entry, machine.deepest) = (entry, entry);
    machine
}

/// What must hold at a kernel's return, beside what the run itself insists on.
pub fn check<D: Domain>(
    domain: &mut D,
    start: &Machine<D>,
    end: &Machine<D>,
    expected: &Memory<D>,
) -> Result<(), String> {
    for (region, expected) in end.memory.iter().zip(expected).skip(STACK + 1) {
        let differs = |i: &usize| region.bytes[*i] != expected.bytes[*i];
        if let Some(i) = (0..region.bytes.len()).find(differs) {
            let mut show = |byte: Option<D::Byte>| match byte {
                Some(byte) => {
                    let word = domain.join(&[byte]);
                    domain.show(word)
                }
                None => "unwritten".into(),
            };
            let (is, should) = (show(region.bytes[i]), show(expected.bytes[i]));
            return Err(format!("{}[{i}] is {is}, should be {should}", region.name));
        }
    }
    for number in PRESERVED {
        if end.general[number] != start.general[number] {
            return Err(format!("register {number} is not what it was"));
        }
    }
    let zero = domain.byte(0);
    if let Some(number) =
        (0..16).find(|&number| end.vector[number][16..].iter().any(|&byte| byte != zero))
    {
        return Err(format!(
            "the upper half of vector register {number} is not clean"
        ));
    }
    if end.entry - end.deepest >= FRAME {
        return Err(format!("a frame of {} bytes", end.entry - end.deepest));
    }
    Ok(())
}

/// The kind of a vector operation; vzeroupper is none.
fn kind(instruction: &Instruction) -> Option<&'static str> {
    let name = format!("{:?}", instruction.mnemonic());
    const KINDS: [(&str, &str); 14] = [
        ("Vpadd", "add"),
        ("Vpsub", "add"),
        ("Vpxor", "xor"),
        ("Vpor", "or"),
        ("Vpand", "and"),
        ("Vpsll", "shift"),
        ("Vpsrl", "shift"),
        ("Vpro", "rotate"),
        ("Vmov", "move"),
        ("Vpbroadcast", "move"),
        ("Vbroadcast", "move"),
        ("Vzero", ""),
        ("V", "shuffle"),
        ("", ""),
    ];
    let (_, kind) = KINDS
        .into_iter()
        .find(|(prefix, _)| name.starts_with(prefix))?;
    (!kind.is_empty()).then_some(kind)
}

fn prove_all(instruction_set: InstructionSet) {
    let domain = &mut Terms::default(); // shared: what two runs have in common is computed once
    let claims = claims(instruction_set);
    let mut failures = Vec::new();
    let mut table = TABLE.to_string();
    for kernel in kernels().into_iter().filter(|kernel| {
        kernel.instruction_set == instruction_set && !hex::KERNELS.contains(&&*kernel.name)
    }) {
        let mut proven = Vec::new();
        let mut last = Shown::default();
        for call in claims.iter().filter(|call| call.kernel == kernel.name) {
            match prove(domain, &kernel, call) {
                Ok(shown) => {
                    proven.push(call.title.as_str());
                    last = shown;
                }
                Err(failure) => {
                    failures.push(format!("{} ({}): {failure}", kernel.symbol, call.title))
                }
            }
        }
        if claims.iter().all(|call| call.kernel != kernel.name) {
            failures.push(format!("{}: nothing is claimed of it", kernel.symbol));
        }
        let operations: Vec<String> = last
            .operations
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        // Without what the assembler and the compiler's defaults decide.
        let own = |instruction: &&Instruction| {
            !matches!(instruction.mnemonic(), Mnemonic::Endbr64 | Mnemonic::Nop)
        };
        let own: Vec<&Instruction> = kernel.instructions.iter().filter(own).collect();
        table += &format!(
            "{:26} {:5} {:6} {:5}  {:66} {}\n",
            format!("{}_{}", kernel.name, instruction_set.name()),
            own.iter()
                .map(|instruction| instruction.len())
                .sum::<usize>(),
            own.len(),
            last.frame,
            operations.join(", "),
            match proven[..] {
                [first, .., last] => format!("{first} … {last}"),
                _ => proven.concat(),
            },
        );
    }
    println!("{table}{PROVEN}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    recorded::compare(instruction_set, &table);
}

#[test]
fn every_avx2_kernel_is_proven() {
    prove_all(InstructionSet::Avx2);
}

#[cfg(lthash_avx512)]
#[test]
fn every_avx512_kernel_is_proven() {
    prove_all(InstructionSet::Avx512);
}

const TABLE: &str = "\
kernel                     bytes instr. frame  vector operations of its last call                                 proven calls
";

const PROVEN: &str = "\
Proven of each call, for every content of the buffers, every address that the alignments allow and every flags argument:
outputs equal to the specification's; reads inside inputs, constants and frame; writes inside outputs and frame; nothing
below rsp; frame under 4096 bytes; rsp and callee-saved registers restored; upper halves clean at ret; no address or branch
that depends on data; no aligned access to what need not be aligned. Of the code: the gate's instruction sets alone, VEX or
EVEX encodings, vzeroupper before every ret.";
