//! Mutants: single changes of a decoded kernel, each of which must make a proof fail.
//!
//! A mutant runs from the state in which its instruction is first reached, over the same terms as the proof. The default
//! tests take a sample; `cargo test --release --test kernels -- --ignored` takes all.

use crate::claims::{Call, claims};
use crate::decode::{Family, Kernel, kernels};
use crate::domain::Domain;
use crate::machine::{CONSTANTS, Flow, Machine, Stop, Stopped};
use crate::proofs::{ENTRIES, check, enter, prove};
use crate::terms::Terms;
use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};
use std::collections::{BTreeMap, HashMap};

/// The sample is every so many-th of a kernel's mutants.
const SAMPLE: usize = 1009;

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
        Vpaddw | Vpaddd | Vpxor | Vpxord | Vpor | Vpord | Test
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
                (ignored && kernel.is_shuffle_control(index)).then_some("vpshufb ignores the bit")
            }
        }
    }
}

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
    let mut rule = "the same effect";
    loop {
        let at = machine.index(&kernel.instructions).ok()?;
        let mut other = machine.clone();
        let flow = machine.step(domain, &kernel.instructions[at]).ok()?;
        if at == index {
            other.step(domain, changed).ok()?;
            if machine.blur(&other, domain.unknown("anything"))? {
                rule = "a difference that nothing uses";
            }
        }
        if flow == Flow::Returned {
            break;
        }
    }
    check(domain, &start, &machine, &expected).ok()?;
    Some(rule)
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

/// Tries one mutant in `stride` of a kernel.
fn hunt(kernel: &Kernel, calls: &[&Call<Terms>], stride: usize) -> Tally {
    let (domain, codes) = (&mut Terms::default(), Codes::new());
    let (mut tally, mut survivors) = (Tally::default(), Vec::new());
    // Loops go round twice.
    let first = calls
        .iter()
        .find(|call| call.title == "2 blocks")
        .unwrap_or(&calls[0]);
    let (start, expected) = first.prepare(domain, kernel);
    let entered = enter(domain, &start, ENTRIES[0]);

    let mut attempt = |domain: &mut Terms, mutant: Mutant, mut machine: Machine<Terms>| {
        tally.mutants += 1;
        if tally.mutants % stride != 0 {
            return;
        }
        tally.tried += 1;
        let mark = domain.mark();
        let changed = mutant.of(kernel);
        let result = match machine.run(domain, &changed.instructions, |_| {}) {
            Err(Stopped {
                stop: Stop::Unknown,
                ..
            }) => panic!("unknown: {}", mutant.describe(kernel)),
            Err(stopped) => Err(changed.describe(stopped)),
            Ok(()) => check(domain, &start, &machine, &expected),
        };
        match result {
            Err(_) => tally.killed += 1,
            Ok(()) => survivors.push(mutant),
        }
        domain.forget(mark);
    };

    let mut machine = entered.clone();
    let mut reached = vec![false; kernel.instructions.len()];
    let mut flow = Flow::Continues;
    while flow == Flow::Continues {
        let index = machine.index(&kernel.instructions).unwrap();
        let instruction = &kernel.instructions[index];
        if !std::mem::replace(&mut reached[index], true) {
            for changed in changes(&codes, instruction) {
                attempt(domain, Mutant::Instruction(index, changed), machine.clone());
            }
        }
        flow = machine.step(domain, instruction).unwrap();
    }
    for index in kernel.constants_read() {
        for bit in 0..8 {
            let changed = kernel.constants[index] ^ 1 << bit;
            let mut machine = entered.clone();
            machine.memory[CONSTANTS].bytes[index] = Some(domain.byte(changed));
            attempt(domain, Mutant::Constant(index, changed), machine);
        }
    }
    tally.alive.extend(
        (0..reached.len())
            .filter(|&index| !reached[index])
            .map(|index| {
                format!(
                    "{}: {} never runs",
                    kernel.symbol, kernel.instructions[index]
                )
            }),
    );

    for survivor in survivors {
        let changed = survivor.of(kernel);
        if let Some(rule) = survivor.equivalence(domain, kernel, first) {
            *tally.equivalent.entry(rule).or_default() += 1;
        } else if calls
            .iter()
            .any(|call| prove(domain, &changed, call).is_err())
        {
            tally.killed += 1;
        } else {
            tally.alive.push(survivor.describe(kernel));
        }
    }
    tally
}

fn hunt_all(family: Family, stride: usize) {
    let claims = claims(family);
    let mut alive = Vec::new();
    println!("kernel                  mutants  tried killed  equivalent");
    for kernel in kernels().iter().filter(|kernel| kernel.family == family) {
        let calls: Vec<_> = claims
            .iter()
            .filter(|call| call.kernel == kernel.name)
            .collect();
        let tally = hunt(kernel, &calls, stride);
        let equivalent: Vec<String> = tally
            .equivalent
            .iter()
            .map(|(rule, count)| format!("{count}: {rule}"))
            .collect();
        let name = format!("{}_{}", kernel.name, family.name());
        println!(
            "{name:22} {:8} {:6} {:6}  {}",
            tally.mutants,
            tally.tried,
            tally.killed,
            equivalent.join("; ")
        );
        tally
            .alive
            .iter()
            .for_each(|alive| println!("alive: {alive}"));
        alive.extend(tally.alive);
    }
    assert!(alive.is_empty(), "{} alive", alive.len());
}

#[test]
fn a_sample_of_avx2_mutants_is_killed() {
    hunt_all(Family::Avx2, SAMPLE);
}

#[cfg(lthash_avx512)]
#[test]
fn a_sample_of_avx512_mutants_is_killed() {
    hunt_all(Family::Avx512, SAMPLE);
}

#[test]
#[ignore = "takes minutes, and an optimised build"]
fn every_avx2_mutant_is_killed() {
    hunt_all(Family::Avx2, 1);
}

#[cfg(lthash_avx512)]
#[test]
#[ignore = "takes minutes, and an optimised build"]
fn every_avx512_mutant_is_killed() {
    hunt_all(Family::Avx512, 1);
}
