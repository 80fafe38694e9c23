//! Mutants: single changes of a decoded kernel and single insertions into it, each of which must make a proof fail.
//!
//! The default tests take a sample; `cargo test --release --test kernels -- --ignored` takes all.

use crate::claims::{Call, claims};
use crate::decode::{InstructionSet, Kernel};
use crate::domain::{Domain, Numbers};
use crate::hex;
use crate::machine::{BUFFERS, CONSTANTS, Flow, Machine, Memory, Stop, Stopped};
use crate::objects::kernels;
use crate::proofs::{ENTRIES, check, enter, prove};
use crate::tables::Tables;
use crate::terms::Terms;
use iced_x86::{Code, Instruction, MemoryOperand, Mnemonic, OpKind, Register};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// How many mutants of each kernel the sample has.
const SAMPLE: usize = 7;
/// How many insertions are taken at each place.
const INSERTIONS: usize = 2;

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
    /// Other instructions around the one with this index.
    Inserted(usize, Insertion),
    /// Another value of the constants' byte with this index.
    Constant(usize, u8),
}

/// Instructions before another one and behind it.
#[derive(Clone)]
struct Insertion {
    before: Vec<Instruction>,
    behind: Vec<Instruction>,
}

/// What a mutant that is equivalent does with the course of the run at the changed instruction.
enum Course {
    Goes(Flow),
    /// It leaves the instruction out.
    Skips,
}

impl Insertion {
    /// A kernel's instructions with these around one of them. What jumps there meets those before it.
    fn into(&self, instructions: &[Instruction], index: usize) -> Vec<Instruction> {
        let around = &instructions[index];
        let lengths =
            [&self.before, &self.behind].map(|its| its.iter().map(|_| LENGTH).sum::<u64>());
        let moved = |address: u64, is_target: bool| match address {
            _ if address < around.ip() || is_target && address == around.ip() => address,
            _ if address == around.ip() => address + lengths[0],
            _ => address + lengths[0] + lengths[1],
        };
        let mut all = Vec::new();
        for (i, instruction) in instructions.iter().enumerate() {
            if i == index {
                for (place, inserted) in self.before.iter().enumerate() {
                    let mut inserted = *inserted;
                    inserted.set_len(LENGTH as usize);
                    inserted.set_ip(around.ip() + LENGTH * place as u64);
                    if inserted.is_jcc_short_or_near() {
                        inserted.set_near_branch64(moved(around.next_ip(), true));
                    }
                    all.push(inserted);
                }
            }
            let mut its = *instruction;
            its.set_ip(moved(instruction.ip(), false));
            if its.op_count() == 1 && its.op0_kind() == OpKind::NearBranch64 {
                its.set_near_branch64(moved(instruction.near_branch64(), true));
            }
            let next = its.next_ip();
            all.push(its);
            if i == index {
                for (place, inserted) in self.behind.iter().enumerate() {
                    let mut inserted = *inserted;
                    inserted.set_len(LENGTH as usize);
                    inserted.set_ip(next + LENGTH * place as u64);
                    all.push(inserted);
                }
            }
        }
        all
    }

    /// Runs the inserted instructions and the one that they are around, from where that stands.
    fn run<D: Domain>(
        &self,
        domain: &mut D,
        machine: &mut Machine<D>,
        around: &Instruction,
    ) -> Result<Course, Stop> {
        for inserted in &self.before {
            machine.step(domain, inserted)?;
            if machine.next == SKIPS {
                return Ok(Course::Skips);
            }
        }
        let flow = machine.step(domain, around)?;
        let next = machine.next;
        for inserted in &self.behind {
            machine.step(domain, inserted)?;
        }
        machine.next = next;
        Ok(Course::Goes(flow))
    }
}

/// What an inserted instruction counts for: that no two begin at one address is all that matters.
const LENGTH: u64 = 1;

/// Where a branch goes that skips the next instruction, while that is all that is to be known of it.
const SKIPS: u64 = u64::MAX;

/// So many of the insertions that there are at a place, taken by chance.
fn insertions(
    chooser: &mut Numbers,
    instruction_set: InstructionSet,
    count: usize,
) -> Vec<Insertion> {
    let below = |chooser: &mut Numbers, limit: u64| (chooser.random() % limit) as u32;
    let mut chosen = Vec::new();
    for _ in 0..count {
        let any = loop {
            let register = Register::RAX + below(chooser, 16);
            if register != Register::RSP {
                break register;
            }
        };
        let vector = match instruction_set {
            InstructionSet::Avx2 => Register::YMM0 + below(chooser, 16),
            InstructionSet::Avx512 => Register::YMM0 + below(chooser, 32),
        };
        let (base, displacement) = [
            (Register::RDI, 0),
            (Register::RDI, 8 * i64::from(below(chooser, 12))),
            (Register::RSI, 0),
            (Register::RSI, -1),
            (Register::RSP, -8),
            (Register::RSP, 64),
            (any, 0),
        ][below(chooser, 7) as usize];
        let memory = MemoryOperand::with_base_displ(base, displacement);
        let (zero, xor) = match instruction_set {
            InstructionSet::Avx2 => (Code::VEX_Vpxor_ymm_ymm_ymmm256, Code::Xor_rm64_r64),
            InstructionSet::Avx512 => {
                (Code::EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32, Code::Xor_rm64_r64)
            }
        };
        let one = match below(chooser, 9) {
            0 => Instruction::with_branch(Code::Je_rel8_64, SKIPS),
            1 => Instruction::with_branch(Code::Jb_rel8_64, SKIPS),
            2 => Instruction::with2(Code::Mov_rm64_r64, memory, any),
            3 => Instruction::with2(Code::VEX_Vmovdqu_xmmm128_xmm, memory, Register::XMM3),
            4 => Instruction::with2(Code::Mov_r64_rm64, any, memory),
            5 => Instruction::with2(xor, any, any),
            6 => Instruction::with3(zero, vector, vector, vector),
            7 => Instruction::with1(Code::Inc_rm64, any),
            _ => {
                let [push, pop] = [Code::Push_r64, Code::Pop_r64]
                    .map(|code| Instruction::with1(code, any).unwrap());
                chosen.push(Insertion {
                    before: vec![push],
                    behind: vec![pop],
                });
                continue;
            }
        };
        chosen.push(Insertion {
            before: vec![one.unwrap()],
            behind: Vec::new(),
        });
    }
    chosen
}

impl Mutant {
    fn of(&self, kernel: &Kernel) -> Kernel {
        let mut kernel = kernel.clone();
        match *self {
            Mutant::Instruction(index, changed) => kernel.instructions[index] = changed,
            Mutant::Inserted(index, ref insertion) => {
                kernel.instructions = insertion.into(&kernel.instructions, index);
            }
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
            Mutant::Inserted(index, ref insertion) => {
                let original = &kernel.instructions[index];
                let text = |its: &[Instruction]| {
                    its.iter()
                        .map(Instruction::to_string)
                        .collect::<Vec<_>>()
                        .join("; ")
                };
                let (before, behind) = (text(&insertion.before), text(&insertion.behind));
                format!(
                    "{symbol}+{:#x}: {before} [{original}] {behind}",
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

    /// The instruction that is changed, or around which others are inserted.
    fn index(&self) -> Option<usize> {
        match *self {
            Mutant::Instruction(index, _) | Mutant::Inserted(index, _) => Some(index),
            Mutant::Constant(..) => None,
        }
    }

    /// The rule by which this change makes no difference to a call, if there is one.
    fn equivalence(&self, trial: &mut Trial<Terms>, kernel: &Kernel) -> Option<&'static str> {
        if let Mutant::Constant(index, changed) = *self {
            let ignored = (changed ^ kernel.constants[index]) & 0x70 != 0 && changed & 0x80 == 0;
            return (ignored && kernel.is_shuffle_control(index))
                .then_some("in a bit that vpshufb ignores");
        }
        let mut machine = trial.before(kernel, self.index());
        let rule = self.run_blurred(&mut trial.domain, kernel, &mut machine);
        let rule = rule.ok()?;
        check(&mut trial.domain, &trial.entered, &machine, &trial.expected).ok()?;
        rule
    }

    /// Runs the original, and wherever the changed instruction has run, what the change would have left otherwise is
    /// replaced by what nobody knows. If all is right at the end, no difference is used: the rule says which there was.
    fn run_blurred<D: Domain>(
        &self,
        domain: &mut D,
        kernel: &Kernel,
        machine: &mut Machine<D>,
    ) -> Result<Option<&'static str>, Stop> {
        let mut rule = None;
        loop {
            let at = machine.index(&kernel.instructions)?;
            let original = &kernel.instructions[at];
            let before = (Some(at) == self.index()).then(|| machine.clone());
            let flow = machine.step(domain, original)?;
            if let Some(mut other) = before {
                match self {
                    Mutant::Instruction(_, changed) => {
                        other.step(domain, changed)?;
                    }
                    Mutant::Inserted(_, insertion) => {
                        let course = insertion.run(domain, &mut other, original)?;
                        match course {
                            Course::Goes(its) if its == flow => {}
                            Course::Skips if flow == Flow::Continues => {
                                other.next = original.next_ip()
                            }
                            _ => return Err(Stop::Fault("returns elsewhere".into())),
                        }
                    }
                    Mutant::Constant(..) => {}
                }
                let anything = domain.unknown("anything");
                let differs = machine
                    .blur(&other, anything)
                    .ok_or_else(|| Stop::Fault("goes on elsewhere".into()))?;
                rule = if differs || rule == Some(UNUSED) {
                    Some(UNUSED)
                } else {
                    Some("with the same effect")
                };
            }
            if flow == Flow::Returned {
                return Ok(rule);
            }
        }
    }
}

const UNUSED: &str = "with a difference that nothing uses";

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
    let mut chooser = Numbers::new(INSERTIONS as u64, Vec::new());
    let inserted = (0..kernel.instructions.len()).flat_map(|index| {
        let insertions = insertions(&mut chooser, kernel.instruction_set, INSERTIONS);
        insertions
            .into_iter()
            .map(move |insertion| Mutant::Inserted(index, insertion))
    });
    let inserted: Vec<Mutant> = inserted.collect();
    instructions.chain(constants).chain(inserted).collect()
}

/// A call over one domain, to run changed kernels in.
struct Trial<D: Domain> {
    domain: D,
    entered: Machine<D>,
    expected: Memory<D>,
    /// The unchanged kernel's state when it first comes to the instruction with this index. The mutants of one
    /// instruction follow each other, and have this in common.
    arrived: Option<(usize, Machine<D>)>,
}

impl<D: Domain> Trial<D> {
    fn new(mut domain: D, kernel: &Kernel, call: &Call<D>) -> Self {
        let (start, expected) = call.prepare(&mut domain, kernel);
        let entered = enter(&mut domain, &start, ENTRIES[0]);
        Self {
            domain,
            entered,
            expected,
            arrived: None,
        }
    }

    /// The state up to which a mutant that is changed at this instruction does what the kernel does.
    fn before(&mut self, kernel: &Kernel, index: Option<usize>) -> Machine<D> {
        let Some(index) = index else {
            return self.entered.clone();
        };
        if let Some((at, machine)) = &self.arrived {
            if *at == index {
                return machine.clone();
            }
        }
        let mut machine = self.entered.clone();
        while machine.next != kernel.instructions[index].ip() {
            let at = machine.index(&kernel.instructions).unwrap();
            let flow = machine.step(&mut self.domain, &kernel.instructions[at]);
            if flow.unwrap() == Flow::Returned {
                machine = self.entered.clone();
                break;
            }
        }
        self.arrived = Some((index, machine.clone()));
        machine
    }

    /// Whether a mutant passes. What it does wrong does not matter, but that the interpreter knows all of it does.
    fn passes(&mut self, original: &Kernel, mutant: &Mutant, kernel: &Kernel) -> bool {
        let mut machine = self.before(original, mutant.index());
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
fn hunt(instruction_set: InstructionSet, kernel: &Kernel, sample: Option<usize>) -> Tally {
    let (over_terms, over_numbers) = (
        calls_of(kernel, claims(instruction_set)),
        calls_of(kernel, claims(instruction_set)),
    );
    // The call that mutants are tried on: one whose loops go round twice.
    let chosen = over_terms
        .iter()
        .position(|call| call.title == "2 blocks")
        .unwrap_or(0);
    let call = &over_terms[chosen];
    let mut terms = Trial::new(Terms::default(), kernel, call);
    // The unchanged kernel's terms are made before the mark, since states in which it was are kept.
    let mut unchanged = terms.entered.clone();
    unchanged
        .run(&mut terms.domain, &kernel.instructions, |_| {})
        .unwrap();
    let mark = terms.domain.mark();
    let regions = (BUFFERS + call.buffers().count()) as u64;
    let bases = (1..=regions).map(|region| region << 32).collect();
    let mut numbers = Trial::new(Numbers::new(1, bases), kernel, &over_numbers[chosen]);

    tally(kernel, sample, |mutant| {
        let changed = mutant.of(kernel);
        let fate = if sample.is_none() && !numbers.passes(kernel, mutant, &changed) {
            Fate::Killed
        } else if let Some(rule) = mutant.equivalence(&mut terms, kernel) {
            Fate::Equivalent(rule)
        } else if !terms.passes(kernel, mutant, &changed)
            || (over_terms.iter()).any(|call| prove(&mut terms.domain, &changed, call).is_err())
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
            Mutant::Instruction(..) | Mutant::Inserted(..) => {
                let rule = Cell::new(None);
                let blurred =
                    hex::prove_as_run_by(&mut tables.clone(), kernel, &|domain, machine| {
                        let its = mutant.run_blurred(domain, kernel, machine);
                        let its = its.map_err(|stop| format!("{stop:?}"))?;
                        rule.set(match rule.get() {
                            Some(UNUSED) => Some(UNUSED),
                            rule => its.or(rule),
                        });
                        Ok(())
                    });
                match rule.get() {
                    Some(rule) if blurred.is_ok() => Fate::Equivalent(rule),
                    _ => Fate::Alive,
                }
            }
        }
    })
}

fn calls_of<D: Domain>(kernel: &Kernel, claims: Vec<Call<D>>) -> Vec<Call<D>> {
    claims
        .into_iter()
        .filter(|call| call.kernel == kernel.name)
        .collect()
}

/// Tries mutants of an instruction set's kernels, over terms or over tables, and prints what became of them.
fn hunt_all(instruction_set: InstructionSet, over_tables: bool, sample: Option<usize>) {
    println!("kernel                  mutants  tried killed  equivalent");
    let mut alive = Vec::new();
    let is_meant = |kernel: &&Kernel| {
        kernel.instruction_set == instruction_set
            && hex::KERNELS.contains(&&*kernel.name) == over_tables
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
            hunt(instruction_set, kernel, sample)
        };
        let equivalent: Vec<String> = equivalent
            .iter()
            .map(|(rule, count)| format!("{count} {rule}"))
            .collect();
        let name = format!("{}_{}", kernel.name, instruction_set.name());
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
    hunt_all(InstructionSet::Avx2, false, Some(SAMPLE));
}

#[test]
fn a_sample_of_hex_mutants_is_killed() {
    hunt_all(InstructionSet::Avx2, true, Some(SAMPLE));
}

#[cfg(lthash_avx512)]
#[test]
fn a_sample_of_avx512_mutants_is_killed() {
    hunt_all(InstructionSet::Avx512, false, Some(SAMPLE));
}

#[cfg(lthash_avx512)]
#[test]
fn a_sample_of_avx512_hex_mutants_is_killed() {
    hunt_all(InstructionSet::Avx512, true, Some(SAMPLE));
}

#[test]
#[ignore = "takes minutes, even optimised"]
fn every_avx2_mutant_is_killed() {
    hunt_all(InstructionSet::Avx2, false, None);
}

#[test]
#[ignore = "takes minutes, even optimised"]
fn every_hex_mutant_is_killed() {
    hunt_all(InstructionSet::Avx2, true, None);
}

#[cfg(lthash_avx512)]
#[test]
#[ignore = "takes minutes, even optimised"]
fn every_avx512_mutant_is_killed() {
    hunt_all(InstructionSet::Avx512, false, None);
}

#[cfg(lthash_avx512)]
#[test]
#[ignore = "takes minutes, even optimised"]
fn every_avx512_hex_mutant_is_killed() {
    hunt_all(InstructionSet::Avx512, true, None);
}
