//! Mutants: single changes of a decoded kernel, each of which must make a proof fail.
//!
//! The default tests take a sample; `cargo test --release --test kernels -- --ignored` takes all.

use crate::claims::{Call, claims};
use crate::decode::{Family, Kernel};
use crate::domain::{Domain, Numbers};
use crate::hex;
use crate::machine::{BUFFERS, CONSTANTS, Flow, Machine, Memory, Stop, Stopped};
use crate::objects::kernels;
use crate::proofs::{ENTRIES, check, enter, prove};
use crate::tables::Tables;
use crate::terms::Terms;
use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};
use std::collections::{BTreeMap, HashMap};

/// How many mutants of each kernel the sample has.
const SAMPLE: usize = 5;

/// Operations that are easily taken for one another, in the same form.
const SIBLINGS: [(&str, &str); 22] = [
    ("Vpaddd", "Vpsubd"),
    ("Vpaddw", "Vpaddd"),
    ("Vpaddw", "Vpsubw"),
    ("Vpsubw", "Vpaddw"),
    ("Vpxor", "Vpor"),
    ("Vpxord", "Vpord"),
    ("Vpor", "Vpxor"),
    ("Vpor", "Vpand"),
    ("Vpslld", "Vpsrld"),
    ("Vpsrld", "Vpslld"),
    ("Vprord", "Vpsrld"),
    ("Vprord", "Vpslld"),
    ("Vpunpckldq", "Vpunpckhdq"),
    ("Vpunpckhdq", "Vpunpckldq"),
    ("Vpunpcklqdq", "Vpunpckhqdq"),
    ("Vpunpckhqdq", "Vpunpcklqdq"),
    ("Vmovdqu", "Vmovdqa"),
    ("Vmovdqu32", "Vmovdqa32"),
    ("Vmovdqu64", "Vmovdqa64"),
    ("Add", "Sub"),
    ("Xor", "Or"),
    ("Dec", "Inc"),
];

/// The instruction set by name, to find an operation's sibling in the same form.
struct Codes(HashMap<String, Code>);

impl Codes {
    fn new() -> Self {
        Self(
            Code::values()
                .map(|code| (format!("{code:?}"), code))
                .collect(),
        )
    }

    /// The forms of an instruction's siblings that take the same operands.
    fn siblings(&self, instruction: &Instruction) -> Vec<Code> {
        let (name, form) = (
            format!("{:?}", instruction.mnemonic()),
            format!("{:?}", instruction.code()),
        );
        let siblings = SIBLINGS.iter().filter(|(from, _)| *from == name);
        siblings
            .filter_map(|(from, to)| self.0.get(&form.replacen(from, to, 1)).copied())
            .collect()
    }
}

/// Every single change of an instruction.
fn changes(codes: &Codes, instruction: &Instruction) -> Vec<Instruction> {
    let mut changes = Vec::new();
    if matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Endbr64) {
        return changes;
    }
    let mut change = |change: &dyn Fn(&mut Instruction)| {
        let mut changed = *instruction;
        change(&mut changed);
        if changed != *instruction {
            changes.push(changed);
        }
    };
    change(&|it| it.set_code(Code::Nopd));
    for code in codes.siblings(instruction) {
        change(&|it| it.set_code(code));
    }
    if instruction.is_jcc_short_or_near() {
        change(&|it| it.negate_condition_code());
    }
    for operand in 0..instruction.op_count() {
        match instruction.op_kind(operand) {
            OpKind::Register => {
                change(&|it| it.set_op_register(operand, next(it.op_register(operand))))
            }
            OpKind::Memory => {
                let size = instruction.memory_size().size() as u64;
                change(&|it| {
                    it.set_memory_displacement64(it.memory_displacement64().wrapping_add(size))
                });
                if !instruction.is_ip_rel_memory_operand() {
                    change(&|it| it.set_memory_base(next(it.memory_base())));
                }
            }
            _ => {
                if let Ok(value) = instruction.try_immediate(operand) {
                    change(&|it| it.set_immediate_u64(operand, value ^ 1));
                }
            }
        }
    }
    let registers: Vec<Register> = (0..instruction.op_count())
        .map(|i| instruction.op_register(i))
        .collect();
    if let [.., left, right] = registers[..] {
        let last = instruction.op_count() - 1;
        if left.size() == right.size() && !is_commutative(instruction) {
            change(&|it| {
                it.set_op_register(last - 1, right);
                it.set_op_register(last, left);
            });
        }
    }
    changes
}

/// Whether the last two operands may change places.
fn is_commutative(instruction: &Instruction) -> bool {
    use Mnemonic::*;
    matches!(
        instruction.mnemonic(),
        Vpaddw | Vpaddd | Vpmullw | Vpmulhuw | Vpxor | Vpxord | Vpor | Vpord | Vpand | Test
    )
}

/// The register after this one, never `rsp`. Vector registers 0 to 15 and 16 to 31 stay among themselves.
fn next(register: Register) -> Register {
    if register == Register::None {
        return register;
    }
    let number = register.number() as u32;
    let next = number & 16 | (number + 1) & 15;
    let next = if register.is_gpr() && next == 4 {
        5
    } else {
        next
    };
    register - number + next
}

/// One change of a kernel.
enum Mutant {
    /// Another instruction in the place of the one with this index.
    Instruction(usize, Instruction),
    /// Another value of the constants' byte with this index.
    Constant(usize, u8),
}

impl Mutant {
    fn of(&self, kernel: &Kernel) -> Kernel {
        let mut kernel = kernel.clone();
        match *self {
            Mutant::Instruction(index, changed) => kernel.instructions[index] = changed,
            Mutant::Constant(index, changed) => kernel.constants[index] = changed,
        }
        kernel
    }

    fn describe(&self, kernel: &Kernel) -> String {
        let symbol = &kernel.symbol;
        match *self {
            Mutant::Instruction(index, changed) => {
                let original = &kernel.instructions[index];
                format!(
                    "{symbol}+{:#x}: {changed} instead of {original}",
                    original.ip()
                )
            }
            Mutant::Constant(index, changed) => {
                format!(
                    "{symbol}: constant byte {index} is {changed:#04x} instead of {:#04x}",
                    kernel.constants[index]
                )
            }
        }
    }

    /// Whether what changes is the subtraction or the rounding that opens a frame: where that stands is nobody's business,
    /// if every proof holds.
    fn places_the_frame(&self, kernel: &Kernel) -> bool {
        let Mutant::Instruction(index, _) = *self else {
            return false;
        };
        let original = &kernel.instructions[index];
        let opens = matches!(original.mnemonic(), Mnemonic::Sub | Mnemonic::And);
        opens && original.op0_register() == Register::RSP
    }

    /// The rule by which this change makes no difference, if there is one.
    fn equivalence(
        &self,
        domain: &mut Terms,
        kernel: &Kernel,
        call: &Call<Terms>,
    ) -> Option<&'static str> {
        match *self {
            Mutant::Instruction(index, changed) => is_unused(domain, kernel, call, index, &changed),
            Mutant::Constant(index, changed) => {
                let ignored =
                    (changed ^ kernel.constants[index]) & 0x70 != 0 && changed & 0x80 == 0;
                (ignored && kernel.is_shuffle_control(index))
                    .then_some("in a bit that vpshufb ignores")
            }
        }
    }
}

const UNUSED: &str = "with a difference that nothing uses";

/// Whether all that a changed instruction does otherwise goes unused: the call is run with the original, and wherever it
/// has run, what the changed one would have left otherwise is replaced by what nobody knows.
fn is_unused(
    domain: &mut Terms,
    kernel: &Kernel,
    call: &Call<Terms>,
    index: usize,
    changed: &Instruction,
) -> Option<&'static str> {
    let (start, expected) = call.prepare(domain, kernel);
    let mut machine = enter(domain, &start, ENTRIES[0]);
    let mut rule = None;
    loop {
        let at = machine.index(&kernel.instructions).ok()?;
        let mut other = machine.clone();
        let flow = machine.step(domain, &kernel.instructions[at]).ok()?;
        if at == index {
            other.step(domain, changed).ok()?;
            let differs = machine.blur(&other, domain.unknown("anything"))?;
            rule = if differs || rule == Some(UNUSED) {
                Some(UNUSED)
            } else {
                Some("with the same effect")
            };
        }
        if flow == Flow::Returned {
            break;
        }
    }
    check(domain, &start, &machine, &expected).ok()?;
    rule
}

/// Every mutant of a kernel.
fn mutants(kernel: &Kernel) -> Vec<Mutant> {
    let codes = Codes::new();
    let instructions = kernel
        .instructions
        .iter()
        .enumerate()
        .flat_map(|(index, instruction)| {
            changes(&codes, instruction)
                .into_iter()
                .map(move |changed| Mutant::Instruction(index, changed))
        });
    let constants = kernel.constants_read().into_iter().flat_map(|index| {
        (0..8).map(move |bit| Mutant::Constant(index, kernel.constants[index] ^ 1 << bit))
    });
    instructions.chain(constants).collect()
}

/// A call over one domain, to run changed kernels in.
struct Trial<D: Domain> {
    domain: D,
    entered: Machine<D>,
    expected: Memory<D>,
}

impl<D: Domain> Trial<D> {
    fn new(mut domain: D, kernel: &Kernel, call: &Call<D>) -> Self {
        let (start, expected) = call.prepare(&mut domain, kernel);
        let entered = enter(&mut domain, &start, ENTRIES[0]);
        Self {
            domain,
            entered,
            expected,
        }
    }

    /// Whether a changed kernel passes. What it does wrong does not matter, but that the interpreter knows all of it does.
    fn passes(&mut self, kernel: &Kernel) -> bool {
        let mut machine = self.entered.clone();
        for (byte, &changed) in machine.memory[CONSTANTS]
            .bytes
            .iter_mut()
            .zip(&kernel.constants)
        {
            *byte = Some(self.domain.byte(changed));
        }
        match machine.run(&mut self.domain, &kernel.instructions, |_| {}) {
            Ok(()) => check(&mut self.domain, &self.entered, &machine, &self.expected).is_ok(),
            Err(Stopped {
                at,
                stop: Stop::Unknown,
            }) => panic!("{}+{at:#x}: an unknown mutant", kernel.symbol),
            Err(_) => false,
        }
    }
}

/// What became of a kernel's mutants.
#[derive(Default)]
struct Tally {
    mutants: usize,
    tried: usize,
    killed: usize,
    equivalent: BTreeMap<&'static str, usize>,
    alive: Vec<String>,
}

/// What becomes of a mutant.
enum Fate {
    Killed,
    /// By this rule.
    Equivalent(&'static str),
    Alive,
}

/// What becomes of so many of a kernel's mutants, evenly spread, or else of all.
fn tally(kernel: &Kernel, sample: Option<usize>, mut fate: impl FnMut(&Mutant) -> Fate) -> Tally {
    let mutants = mutants(kernel);
    let step = sample.map_or(1, |sample| mutants.len().div_ceil(sample));
    let mut tally = Tally {
        mutants: mutants.len(),
        ..Tally::default()
    };
    for mutant in mutants.iter().skip(step / 2).step_by(step) {
        tally.tried += 1;
        match fate(mutant) {
            Fate::Killed => tally.killed += 1,
            Fate::Equivalent(rule) => *tally.equivalent.entry(rule).or_default() += 1,
            Fate::Alive => tally.alive.push(mutant.describe(kernel)),
        }
    }
    tally
}

/// Tries mutants over terms. Where all are tried, those that compute something else from random numbers are killed by that
/// alone, as no proof of them can hold; the others run over terms.
fn hunt(family: Family, kernel: &Kernel, sample: Option<usize>) -> Tally {
    let (over_terms, over_numbers) = (
        calls_of(kernel, claims(family)),
        calls_of(kernel, claims(family)),
    );
    // The call that mutants are tried on: one whose loops go round twice.
    let chosen = over_terms
        .iter()
        .position(|call| call.title == "2 blocks")
        .unwrap_or(0);
    let call = &over_terms[chosen];
    let mut terms = Trial::new(Terms::default(), kernel, call);
    let mark = terms.domain.mark();
    let regions = (BUFFERS + call.buffers().count()) as u64;
    let bases = (1..=regions).map(|region| region << 32).collect();
    let mut numbers = Trial::new(Numbers::new(1, bases), kernel, &over_numbers[chosen]);

    tally(kernel, sample, |mutant| {
        let changed = mutant.of(kernel);
        let fails = (sample.is_none() && !numbers.passes(&changed)) || !terms.passes(&changed);
        let fate = if fails {
            Fate::Killed
        } else if let Some(rule) = mutant.equivalence(&mut terms.domain, kernel, call) {
            Fate::Equivalent(rule)
        } else if over_terms
            .iter()
            .any(|call| prove(&mut terms.domain, &changed, call).is_err())
        {
            Fate::Killed
        } else if mutant.places_the_frame(kernel) {
            Fate::Equivalent("with the frame elsewhere")
        } else {
            Fate::Alive
        };
        terms.domain.forget(mark);
        fate
    })
}

/// The same of a hex kernel, which is proven over tables. A constant's bit may be one that no digit's value depends on, and a
/// jump may be one over work that is done again: every value is tried, so where the whole proof holds they are equivalent.
fn hunt_hex(kernel: &Kernel, sample: Option<usize>) -> Tally {
    let mut tables = Tables::default();
    hex::prove(&mut tables, kernel).unwrap();
    let is_left_out = |index: usize, changed: &Instruction| {
        let original = &kernel.instructions[index];
        original.is_jcc_short_or_near() && changed.mnemonic() == Mnemonic::Nop
    };
    tally(kernel, sample, |mutant| {
        if hex::prove(&mut tables.clone(), &mutant.of(kernel)).is_err() {
            return Fate::Killed;
        }
        match mutant {
            Mutant::Constant(..) => Fate::Equivalent("in a bit that no value depends on"),
            Mutant::Instruction(index, changed) if is_left_out(*index, changed) => {
                Fate::Equivalent("by work that is done again")
            }
            Mutant::Instruction(..) => Fate::Alive,
        }
    })
}

fn calls_of<D: Domain>(kernel: &Kernel, claims: Vec<Call<D>>) -> Vec<Call<D>> {
    claims
        .into_iter()
        .filter(|call| call.kernel == kernel.name)
        .collect()
}

/// Tries mutants of a family's kernels, over terms or over tables, and prints what became of them.
fn hunt_all(family: Family, over_tables: bool, sample: Option<usize>) {
    println!("kernel                  mutants  tried killed  equivalent");
    let mut alive = Vec::new();
    let is_meant = |kernel: &&Kernel| {
        kernel.family == family && hex::KERNELS.contains(&&*kernel.name) == over_tables
    };
    for kernel in kernels().iter().filter(is_meant) {
        let Tally {
            mutants,
            tried,
            killed,
            equivalent,
            alive: its,
        } = if over_tables {
            hunt_hex(kernel, sample)
        } else {
            hunt(family, kernel, sample)
        };
        let equivalent: Vec<String> = equivalent
            .iter()
            .map(|(rule, count)| format!("{count} {rule}"))
            .collect();
        let name = format!("{}_{}", kernel.name, family.name());
        println!(
            "{name:22} {mutants:8} {tried:6} {killed:6}  {}",
            equivalent.join(", ")
        );
        alive.extend(its);
    }
    assert!(alive.is_empty(), "alive:\n{}", alive.join("\n"));
}

#[test]
fn a_sample_of_avx2_mutants_is_killed() {
    hunt_all(Family::Avx2, false, Some(SAMPLE));
}

#[test]
fn a_sample_of_hex_mutants_is_killed() {
    hunt_all(Family::Avx2, true, Some(SAMPLE));
}

#[cfg(lthash_avx512)]
#[test]
fn a_sample_of_avx512_mutants_is_killed() {
    hunt_all(Family::Avx512, false, Some(SAMPLE));
}

#[test]
#[ignore = "takes minutes, even optimised"]
fn every_avx2_mutant_is_killed() {
    hunt_all(Family::Avx2, false, None);
}

#[test]
#[ignore = "takes minutes, even optimised"]
fn every_hex_mutant_is_killed() {
    hunt_all(Family::Avx2, true, None);
}

#[cfg(lthash_avx512)]
#[test]
#[ignore = "takes minutes, even optimised"]
fn every_avx512_mutant_is_killed() {
    hunt_all(Family::Avx512, false, None);
}
