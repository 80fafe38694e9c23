//! The hex kernels for any length beyond those that are run: that more turns of a loop are the same turn.
//!
//! hex.rs runs them over tables for particular lengths. Here the general registers alone run, over terms, with a count of
//! which nothing is known but that it is larger than `MORE_THAN`; vectors are left out. It is shown that
//!
//! - a branch depends on nothing but comparisons of the count with numbers up to that, of two pointers into one buffer, on
//!   whether `saved` is null, and on the test of the digits;
//! - a loop is one whose turn moves each register by a constant, whatever the count and however many turns there were:
//!   the state behind a turn that begins with K turns done is the one before it with K + 1 for K (induction on K);
//! - no vector register takes anything from a general one, nor the other way round, so vectors know nothing of the count;
//! - a comparison of pointers that ends no loop has one answer for all counts. One that ends a loop moves, with the count and
//!   with the turns, as each buffer does of which a turn takes its bytes. So the number of turns is that of the whole steps in
//!   the count and a constant, which hex.rs's runs show, as they have every rest of the count by a step;
//! - every address, comparison and result is linear in the count and the numbers of turns. So is what the contract wants,
//!   and two such functions that agree in all the lengths and turns that hex.rs runs agree in all;
//! - a turn takes nothing from the turn before but what no turn changes and what is only added to by an or, neither in
//!   vector registers nor in memory: what it reads of buffers that are written is within the bytes that are its own.

use crate::claims::{Call, any, number, reads, updates, writes};
use crate::decode::Kernel;
use crate::domain::{Domain, Operation};
use crate::machine::{Flags, Flow, Machine, Region};
use crate::proofs::{check as check_end, enter};
use crate::terms::{Term, Terms};
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The counts that are meant are larger: hex.rs runs those up to this one by one.
const MORE_THAN: u64 = 256;

/// More loops and forks than there are one in another.
const DEPTH: usize = 8;

const ANSWERS: [Ordering; 3] = [Ordering::Less, Ordering::Equal, Ordering::Greater];

/// Checks a hex kernel.
pub fn check(kernel: &Kernel) -> Result<(), String> {
    for saved in [updates("saved", 0), number("saved", 8, 0)] {
        for good in [true, false] {
            let arguments = match &*kernel.name {
                "hex_encode" => vec![
                    reads("bytes", 0),
                    any("count", 8),
                    writes("digits", 0),
                    any("digit_count", 8),
                    reads("alphabet", 0),
                ],
                _ => vec![
                    reads("digits", 0),
                    any("digit_count", 8),
                    updates("bytes", 0),
                    any("count", 8),
                    match saved.kind {
                        crate::claims::Kind::Number { .. } => number("saved", 8, 0),
                        _ => updates("saved", 0),
                    },
                ],
            };
            run(kernel, arguments, good)?;
        }
    }
    Ok(())
}

fn run(kernel: &Kernel, arguments: Vec<crate::claims::Argument>, good: bool) -> Result<(), String> {
    let domain = &mut Terms::default();
    let call = Call {
        kernel: "",
        title: String::new(),
        arguments,
        specification: Box::new(|_| ()),
    };
    let (mut start, expected) = call.prepare(domain, kernel);
    // Of the caller's vectors nothing is looked at here, and all of them end clean.
    let zero = domain.byte(0);
    start.vector = [[zero; 64]; 32];
    let count = domain.input("count", 8);
    let twice = domain.operate(Operation::Add, count, count)?;
    let digit_count = domain.input("digit_count", 8);
    let place = (start.general.iter())
        .position(|register| domain.split(digit_count) == register)
        .unwrap();
    start.general[place].copy_from_slice(&domain.split(twice));
    let begun = enter(domain, &start, 8);
    let mut slice = Slice {
        kernel,
        domain,
        count,
        good,
        accesses: Vec::new(),
        executed: Vec::new(),
        loops: 0,
    };
    let ends = slice.explore(begun, DEPTH)?;
    if slice.loops == 0 {
        return Err("it has no loop".into());
    }
    for end in ends {
        check_end(domain, &start, &end, &expected)?;
        for number in [0, 2] {
            let result = end.general(domain, number);
            if domain.linear(result).is_none() {
                return Err(format!("returns {}", domain.show(result)));
            }
        }
    }
    Ok(())
}

/// An access to memory by a vector instruction.
#[derive(Clone)]
struct Access {
    address: Term,
    size: u64,
}

/// The general registers' part of runs.
struct Slice<'a> {
    kernel: &'a Kernel,
    domain: &'a mut Terms,
    count: Term,
    /// What the test of the digits says.
    good: bool,
    /// What ran since this was last cleared.
    accesses: Vec<Access>,
    executed: Vec<Instruction>,
    loops: usize,
}

enum Event {
    Returned,
    Asks(Question),
}

/// A comparison of two pointers into one buffer, whose answer is open.
struct Question {
    /// Where the instruction stands.
    at: u64,
    /// The left pointer less the right one: what does not depend on an input, and how often each input is in it.
    constant: i64,
    inputs: BTreeMap<Term, i64>,
}

impl Slice<'_> {
    /// Every state in which a run that begins here can return.
    fn explore(
        &mut self,
        mut machine: Machine<Terms>,
        depth: usize,
    ) -> Result<Vec<Machine<Terms>>, String> {
        if depth == 0 {
            return Err("forks too often".into());
        }
        let Event::Asks(question) = self.advance(&mut machine)? else {
            return Ok(vec![machine]);
        };
        let at = question.at;
        // The first turn, if this is a loop.
        let mut turns = Vec::new();
        for answer in ANSWERS {
            let mut turn = answered(&machine, answer);
            if matches!(self.advance(&mut turn)?, Event::Asks(again) if again.at == at) {
                turns.push((answer, turn));
            }
        }
        let Some((turning, second)) = turns.pop() else {
            let answer = self.answer(&question)?;
            return self.explore(answered(&machine, answer), depth - 1);
        };
        if !turns.is_empty() {
            return Err(format!("+{at:#x}: a loop that goes on by two answers"));
        }
        self.loops += 1;

        // The state with K turns done.
        let done = self.domain.input(&format!("turns at depth {depth}"), 8);
        let mut moves = [None; 16];
        let mut any_turn = machine.clone();
        for (number, step) in moves.iter_mut().enumerate() {
            let [before, behind] = [&machine, &second].map(|it| it.general(self.domain, number));
            let moved = self.domain.operate(Operation::Subtract, behind, before)?;
            let moved = self.domain.value(moved).ok_or_else(|| {
                format!(
                    "+{at:#x}: register {number} moves by no constant: {}",
                    self.domain.show(moved)
                )
            })?;
            *step = Some(moved);
            let by = self.times(done, moved)?;
            let now = self.domain.operate(Operation::Add, before, by)?;
            any_turn.general[number].copy_from_slice(&self.domain.split(now));
        }
        self.accesses.clear();
        self.executed.clear();
        let mut next = answered(&any_turn, turning);
        let question = match self.advance(&mut next)? {
            Event::Asks(again) if again.at == at => again,
            _ => return Err(format!("+{at:#x}: a loop that later goes elsewhere")),
        };
        for (number, moved) in moves.into_iter().enumerate() {
            let before = any_turn.general(self.domain, number);
            let moved = self.domain.number(8, moved.unwrap());
            let expected = self.domain.operate(Operation::Add, before, moved)?;
            if next.general(self.domain, number) != expected {
                return Err(format!("+{at:#x}: register {number} later moves otherwise"));
            }
        }
        self.check_vectors(at)?;
        let steps = self.check_memory(at, done, &any_turn)?;
        self.check_turns(&question, done, &steps)?;

        let mut ends = Vec::new();
        for answer in ANSWERS.into_iter().filter(|&answer| answer != turning) {
            ends.extend(self.explore(answered(&any_turn, answer), depth - 1)?);
        }
        Ok(ends)
    }

    /// The answer to a question that has one answer, whatever the count.
    fn answer(&self, question: &Question) -> Result<Ordering, String> {
        let by_count = question.inputs.get(&self.count).copied().unwrap_or(0);
        let least = by_count * (MORE_THAN as i64 + 1) + question.constant;
        let is_known = question.inputs.keys().all(|&input| input == self.count)
            && (by_count == 0 || by_count.signum() == least.signum());
        is_known
            .then_some(least.cmp(&0))
            .ok_or_else(|| format!("+{:#x}: the answer changes with the count", question.at))
    }

    /// That a loop's question makes it turn as often as its buffers want, but for a constant that the lengths which are run
    /// show: with the count, each turn's bytes of every buffer being as many as the question moves by; or as often as an
    /// earlier loop turned.
    fn check_turns(
        &self,
        question: &Question,
        done: Term,
        steps: &[(i64, i64)],
    ) -> Result<(), String> {
        let by_turn = question.inputs.get(&done).copied().unwrap_or(0);
        let mut others = question.inputs.iter().filter(|(input, _)| **input != done);
        let fits = match (others.next(), others.next()) {
            (Some((&input, &by)), None) if input == self.count => {
                let fits = |&(length, step): &(i64, i64)| by_turn * length == -by * step;
                steps.iter().all(fits)
            }
            (Some((_, &by)), None) => by_turn == -by,
            _ => false,
        };
        (fits && by_turn != 0)
            .then_some(())
            .ok_or_else(|| format!("+{:#x}: the turns are not the buffers'", question.at))
    }

    /// A multiple of a term.
    fn times(&mut self, term: Term, factor: u64) -> Result<Term, String> {
        let mut product = self.domain.number(8, 0);
        for bit in (0..64).rev() {
            product = self.domain.operate(Operation::Add, product, product)?;
            if factor >> bit & 1 == 1 {
                product = self.domain.operate(Operation::Add, product, term)?;
            }
        }
        Ok(product)
    }

    /// Runs to the return or to the next comparison of pointers, whose answer is open.
    fn advance(&mut self, machine: &mut Machine<Terms>) -> Result<Event, String> {
        for _ in 0..10_000 {
            let index = machine.index(&self.kernel.instructions);
            let index = index.map_err(|stop| format!("{stop:?}"))?;
            let instruction = self.kernel.instructions[index];
            let failed = |why: String| format!("+{:#x}: {instruction}: {why}", instruction.ip());
            self.executed.push(instruction);
            let has = |kind| instruction.op_kinds().any(|its| its == kind);
            let is_vector = (0..instruction.op_count())
                .any(|i| instruction.op_register(i).is_vector_register());
            match instruction.mnemonic() {
                Mnemonic::Vptest => machine.flags = zero_is(self.good),
                _ if is_vector => {
                    let mut registers =
                        (0..instruction.op_count()).map(|i| instruction.op_register(i));
                    if registers.any(Register::is_gpr) {
                        return Err(failed(
                            "a vector and a general register depend on each other".into(),
                        ));
                    }
                }
                Mnemonic::Test
                    if has(OpKind::Register)
                        && instruction.op0_register() == instruction.op1_register()
                        && instruction.op0_register().is_gpr64() =>
                {
                    let tested = machine.general(self.domain, instruction.op0_register().number());
                    let null = self.domain.value(tested).map(|value| value == 0);
                    let whole = self.domain.linear(tested);
                    let is_buffer = whole.is_some_and(|it| {
                        it.region.is_some() && it.constant == 0 && it.inputs.is_empty()
                    });
                    match null.or(is_buffer.then_some(false)) {
                        Some(null) => machine.flags = zero_is(null),
                        None => return Err(failed("a test of what is no buffer".into())),
                    }
                }
                Mnemonic::Lea
                    if instruction.op0_register().is_gpr64()
                        && instruction.memory_base() != Register::RIP =>
                {
                    let address = self.address(machine, &instruction)?;
                    let to = instruction.op0_register().number();
                    machine.general[to].copy_from_slice(&self.domain.split(address));
                    machine.next = instruction.next_ip();
                    continue;
                }
                Mnemonic::Cmp => {
                    let [left, right] = [0, 1].map(|i| match instruction.op_kind(i) {
                        OpKind::Register if instruction.op_register(i).is_gpr64() => {
                            Some(machine.general(self.domain, instruction.op_register(i).number()))
                        }
                        OpKind::Register | OpKind::Memory => None,
                        _ => Some(self.domain.number(8, instruction.immediate(i))),
                    });
                    let (Some(left), Some(right)) = (left, right) else {
                        return Err(failed("a comparison of something else".into()));
                    };
                    let small = self.domain.value(right).is_some_and(|it| it <= MORE_THAN);
                    if left == self.count && small {
                        machine.flags = Flags {
                            carry: Some(false),
                            zero: Some(false),
                            ..Flags::default()
                        };
                    } else {
                        let [left, right] = [left, right].map(|it| self.domain.linear(it));
                        let regions = (
                            left.as_ref().and_then(|it| it.region),
                            right.as_ref().and_then(|it| it.region),
                        );
                        if regions.0.is_none() || regions.0 != regions.1 {
                            return Err(failed("a comparison of something else".into()));
                        }
                        let mut inputs = BTreeMap::<Term, i64>::new();
                        let [left, right] = [left, right].map(Option::unwrap);
                        let length = by_count(&machine.memory[left.region.unwrap()]);
                        for (side, sign) in [(&left, 1), (&right, -1)] {
                            for &(input, factor) in &side.inputs {
                                let factor = factor as i64;
                                // It is in the buffer for the lengths that are run. So it stays there.
                                if input == self.count && !(0..=length).contains(&factor) {
                                    return Err(failed("a pointer that leaves the buffer".into()));
                                }
                                *inputs.entry(input).or_default() += sign * factor;
                            }
                        }
                        inputs.retain(|_, factor| *factor != 0);
                        machine.next = instruction.next_ip();
                        return Ok(Event::Asks(Question {
                            at: instruction.ip(),
                            constant: left.constant.wrapping_sub(right.constant) as i64,
                            inputs,
                        }));
                    }
                }
                _ => {
                    if has(OpKind::Memory) && instruction.mnemonic() != Mnemonic::Nop {
                        return Err(failed("an access by a general register".into()));
                    }
                    let flow = machine.step(self.domain, &instruction);
                    if flow.map_err(|stop| failed(format!("{stop:?}")))? == Flow::Returned {
                        return Ok(Event::Returned);
                    }
                    continue;
                }
            }
            if has(OpKind::Memory) && instruction.memory_base() != Register::RIP {
                let address = self.address(machine, &instruction)?;
                let linear = self.domain.linear(address);
                if linear.is_none_or(|it| it.region.is_none()) {
                    return Err(failed(format!("at {}", self.domain.show(address))));
                }
                let size = instruction.memory_size().size() as u64;
                self.accesses.push(Access { address, size });
            }
            machine.next = instruction.next_ip();
        }
        Err("runs on and on".into())
    }

    fn address(
        &mut self,
        machine: &Machine<Terms>,
        instruction: &Instruction,
    ) -> Result<Term, String> {
        let mut address = self.domain.number(8, instruction.memory_displacement64());
        for (register, scale) in [
            (instruction.memory_base(), 1),
            (instruction.memory_index(), instruction.memory_index_scale()),
        ] {
            if register == Register::None {
                continue;
            }
            if !register.is_gpr64() {
                return Err(format!("{instruction}: an address of another width"));
            }
            let value = machine.general(self.domain, register.number());
            let value = self.times(value, scale.into())?;
            address = self.domain.operate(Operation::Add, address, value)?;
        }
        Ok(address)
    }

    /// That what ran, a turn, takes nothing from the turn before by a vector register, unless it only ors something to it.
    fn check_vectors(&self, at: u64) -> Result<(), String> {
        let mut factory = InstructionInfoFactory::new();
        let (mut written, mut taken) = (BTreeSet::new(), BTreeSet::new());
        let adds_to = |instruction: &Instruction| {
            let to = instruction.op0_register();
            let from = [instruction.op1_register(), instruction.op2_register()];
            let taken = from.iter().filter(|&&it| it == to).count();
            let adds = match instruction.mnemonic() {
                Mnemonic::Vpor => taken == 1,
                // Where operand 0 has a bit set, the result has.
                Mnemonic::Vpternlogd => taken == 0 && instruction.immediate8() >> 4 == 15,
                _ => false,
            };
            adds.then_some(to.full_register())
        };
        for instruction in &self.executed {
            for used in factory.info(instruction).used_registers() {
                let register = used.register();
                if !register.is_vector_register()
                    || adds_to(instruction) == Some(register.full_register())
                {
                    continue;
                }
                let reads = !matches!(used.access(), OpAccess::Write);
                if reads && !written.contains(&register.full_register()) {
                    taken.insert(register.full_register());
                }
            }
            for used in factory.info(instruction).used_registers() {
                let writes = !matches!(used.access(), OpAccess::Read | OpAccess::CondRead);
                let register = used.register();
                if writes && register.is_vector_register() && adds_to(instruction).is_none() {
                    written.insert(register.full_register());
                }
            }
        }
        let mut added = self.executed.iter().filter_map(adds_to);
        let both = taken.intersection(&written).next().copied();
        let both = both.or_else(|| added.find(|it| taken.contains(it) || written.contains(it)));
        match both {
            Some(register) => Err(format!(
                "+{at:#x}: a turn takes {register:?} from the turn before"
            )),
            None => Ok(()),
        }
    }

    /// That the bytes of each buffer that a turn touches are its own: as many as the next turn's are further. Gives each
    /// buffer's length for one of the count, and how far that is.
    fn check_memory(
        &mut self,
        at: u64,
        done: Term,
        machine: &Machine<Terms>,
    ) -> Result<Vec<(i64, i64)>, String> {
        let mut touched = BTreeMap::<usize, (Option<u64>, Vec<(u64, u64)>)>::new();
        for Access { address, size } in self.accesses.clone() {
            let linear = self.domain.linear(address).unwrap();
            let region = linear.region.unwrap();
            let step = linear.inputs.iter().find(|(input, _)| *input == done);
            let step = step.map_or(0, |&(_, step)| step);
            let name = |region: &Region<Terms>| region.name.clone();
            let name = name(&machine.memory[region]);
            let (steps, bytes) = touched.entry(region).or_default();
            if steps.is_some_and(|its| its != step) || step == 0 {
                return Err(format!("+{at:#x}: a turn's place in {name} is not its own"));
            }
            *steps = Some(step);
            bytes.push((linear.constant, size));
        }
        let mut all_steps = Vec::new();
        for (region, (step, bytes)) in touched {
            let step = step.unwrap() as i64;
            let begin = bytes.iter().map(|(at, _)| *at as i64).min().unwrap();
            let end = bytes
                .iter()
                .map(|(at, size)| *at as i64 + *size as i64)
                .max()
                .unwrap();
            if end - begin > step.abs() {
                return Err(format!("+{at:#x}: turns share bytes of region {region}"));
            }
            all_steps.push((by_count(&machine.memory[region]), step.abs()));
        }
        Ok(all_steps)
    }
}

/// How many bytes a buffer has for one of the count.
fn by_count(region: &Region<Terms>) -> i64 {
    match &*region.name {
        "digits" => 2,
        _ => 1,
    }
}

fn zero_is(zero: bool) -> Flags {
    Flags {
        zero: Some(zero),
        ..Flags::default()
    }
}

/// The state after a comparison with this answer.
fn answered(machine: &Machine<Terms>, answer: Ordering) -> Machine<Terms> {
    let mut machine = machine.clone();
    machine.flags = Flags {
        carry: Some(answer == Ordering::Less),
        zero: Some(answer == Ordering::Equal),
        ..Flags::default()
    };
    machine
}
