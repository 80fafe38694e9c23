//! An interpreter for the kernels' instructions, over any domain of values.
//!
//! Registers and memory hold bytes of the domain. An instruction either moves bytes or joins lanes of them to words,
//! operates, and splits the result. What a kernel must not do stops the run: an access outside its buffers, constants
//! and frame, an address or a branch that depends on what a buffer holds, an instruction that is not known here.
//!
//! Of an address it is assumed that it lies in its region, which neither holds the address zero nor ends beyond the last
//! address, and that the region's alignment divides that of its first byte. Nothing is assumed of a sum or difference
//! that leaves the region.

use crate::decode::CONSTANTS_AT;
use crate::domain::{Domain, Operation as Op};
use iced_x86::{Code, ConditionCode, Instruction, Mnemonic, OpKind, Register};
use std::rc::Rc;

/// Why a run stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// The instruction, or this form of it, is missing here.
    Unknown,
    /// What the kernel may not do, or the domain cannot express.
    Fault(String),
}

/// Where and why.
#[derive(Clone, Debug)]
pub struct Stopped {
    pub at: u64,
    pub stop: Stop,
}

/// More instructions than any call takes.
const LIMIT: usize = 100_000;

impl From<String> for Stop {
    fn from(fault: String) -> Self {
        Stop::Fault(fault)
    }
}

fn fault<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fault(what.into()))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
    ReadWrite,
}

/// A stretch of memory that a kernel may touch.
#[derive(Clone)]
pub struct Region<D: Domain> {
    pub name: Rc<str>,
    pub base: D::Word,
    /// What divides the address of its first byte.
    pub alignment: u64,
    pub access: Access,
    /// `None` where nothing was ever written.
    pub bytes: Vec<Option<D::Byte>>,
}

impl<D: Domain> Region<D> {
    /// Whether an offset is that of a byte or of the region's end. Only these compare as their addresses do, and only
    /// their addresses are known not to be zero.
    fn spans(&self, offset: i64) -> bool {
        (0..=self.bytes.len() as i64).contains(&offset)
    }
}

/// The regions by number.
pub type Memory<D> = Vec<Region<D>>;

/// The stack, of which a kernel may use [`FRAME`] bytes below the return address.
pub const STACK: usize = 0;
/// The read-only data of the kernel's object.
pub const CONSTANTS: usize = 1;
/// The first of the call's buffers.
pub const BUFFERS: usize = 2;

/// The frame's limit: 4 KiB, a page, so that no call steps over a guard page.
pub const FRAME: usize = 4096;
/// Where the stack's region ends, beyond the return address.
pub const STACK_SIZE: usize = FRAME + 64;

/// What the flags are, where the domain knows it.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Flags {
    pub carry: Option<bool>,
    pub zero: Option<bool>,
    pub sign: Option<bool>,
    pub overflow: Option<bool>,
}

impl Flags {
    fn holds(&self, condition: ConditionCode) -> Option<bool> {
        use ConditionCode as Is;
        let less = || Some(self.sign? != self.overflow?);
        match condition {
            Is::e => self.zero,
            Is::ne => Some(!self.zero?),
            Is::b => self.carry,
            Is::ae => Some(!self.carry?),
            Is::be => Some(self.carry? || self.zero?),
            Is::a => Some(!(self.carry? || self.zero?)),
            Is::s => self.sign,
            Is::ns => Some(!self.sign?),
            Is::l => less(),
            Is::ge => Some(!less()?),
            Is::le => Some(less()? || self.zero?),
            Is::g => Some(!(less()? || self.zero?)),
            _ => None,
        }
    }
}

/// The state of a processor that runs a kernel.
#[derive(Clone)]
pub struct Machine<D: Domain> {
    pub general: [[D::Byte; 8]; 16],
    pub vector: [[D::Byte; 64]; 32],
    pub flags: Flags,
    pub memory: Memory<D>,
    /// The address of the next instruction.
    pub next: u64,
    /// Where the return address stands, as an offset into the stack's region.
    pub entry: usize,
    /// The deepest that `rsp` has been, likewise.
    pub deepest: usize,
}

pub const RSP: usize = 4;

/// What an instruction does with the course of the run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Flow {
    Continues,
    Returned,
}

type Bytes<D> = Vec<<D as Domain>::Byte>;

impl<D: Domain> Machine<D> {
    /// Runs one instruction, which stands at `next`.
    pub fn step(&mut self, domain: &mut D, instruction: &Instruction) -> Result<Flow, Stop> {
        let rsp = self.general[RSP];
        let flow = Step {
            machine: self,
            domain,
            instruction,
        }
        .run()?;
        if self.general[RSP] != rsp {
            let offset = self.stack_offset(domain)?;
            self.deepest = self.deepest.min(offset);
            // What is below may be overwritten at any time, by a signal's handler.
            self.memory[STACK].bytes[..offset].fill(None);
        }
        Ok(flow)
    }

    pub fn general(&self, domain: &mut D, number: usize) -> D::Word {
        domain.join(&self.general[number])
    }

    /// Runs to the return. `each` sees every instruction before it runs.
    pub fn run(
        &mut self,
        domain: &mut D,
        code: &[Instruction],
        mut each: impl FnMut(&Instruction),
    ) -> Result<(), Stopped> {
        for _ in 0..LIMIT {
            let at = self.next;
            let stopped = |stop| Stopped { at, stop };
            let instruction = &code[self.index(code).map_err(stopped)?];
            each(instruction);
            if self.step(domain, instruction).map_err(stopped)? == Flow::Returned {
                return Ok(());
            }
        }
        let (at, stop) = (self.next, Stop::Fault("runs on and on".into()));
        Err(Stopped { at, stop })
    }

    /// Which instruction is next.
    pub fn index(&self, code: &[Instruction]) -> Result<usize, Stop> {
        let index = code.binary_search_by_key(&self.next, Instruction::ip);
        index.map_err(|_| Stop::Fault("no instruction begins here".into()))
    }

    /// Replaces by `anything` every byte in which the state differs from another, forgets flags that differ and what was
    /// never written in one of the two, and says whether there was any of that. `None` if the two go on elsewhere.
    pub fn blur(&mut self, other: &Self, anything: D::Byte) -> Option<bool> {
        if (self.next, self.entry) != (other.next, other.entry) {
            return None;
        }
        let mut differs = false;
        let flags = &mut self.flags;
        for (flag, other) in [
            (&mut flags.carry, other.flags.carry),
            (&mut flags.zero, other.flags.zero),
            (&mut flags.sign, other.flags.sign),
            (&mut flags.overflow, other.flags.overflow),
        ] {
            if *flag != other {
                (*flag, differs) = (None, true);
            }
        }
        let mut blur = |byte: &mut D::Byte, other: D::Byte| {
            if *byte != other {
                (*byte, differs) = (anything, true);
            }
        };
        let registers = self
            .general
            .as_flattened_mut()
            .iter_mut()
            .chain(self.vector.as_flattened_mut());
        let others = other
            .general
            .as_flattened()
            .iter()
            .chain(other.vector.as_flattened());
        registers
            .zip(others)
            .for_each(|(byte, &other)| blur(byte, other));
        let mut unwritten = false;
        for (region, other) in self.memory.iter_mut().zip(&other.memory) {
            for (slot, &other) in region.bytes.iter_mut().zip(&other.bytes) {
                match (&mut *slot, other) {
                    (Some(byte), Some(other)) => blur(byte, other),
                    (None, None) => {}
                    _ => (*slot, unwritten) = (None, true),
                }
            }
        }
        Some(differs || unwritten)
    }

    /// Where in the stack's region `rsp` points.
    fn stack_offset(&self, domain: &mut D) -> Result<usize, Stop> {
        let rsp = self.general(domain, RSP);
        match domain.address(rsp) {
            Some((STACK, offset)) if (0..=self.entry as i64).contains(&offset) => {
                Ok(offset as usize)
            }
            _ => fault(format!("rsp is {}, outside the frame", domain.show(rsp))),
        }
    }
}

/// One instruction and what it acts on.
struct Step<'a, D: Domain> {
    machine: &'a mut Machine<D>,
    domain: &'a mut D,
    instruction: &'a Instruction,
}

impl<D: Domain> Step<'_, D> {
    fn run(&mut self) -> Result<Flow, Stop> {
        use Mnemonic::*;
        let instruction = self.instruction;
        if instruction.has_op_mask()
            || instruction.has_rep_prefix()
            || instruction.has_repne_prefix()
            || instruction.has_lock_prefix()
        {
            return Err(Stop::Unknown);
        }
        self.machine.next = instruction.next_ip();
        match instruction.mnemonic() {
            // Moves of whole operands. Writing a register clears what stands above.
            Mov | Movzx | Vmovdqu | Vmovdqu8 | Vmovdqu16 | Vmovdqu32 | Vmovdqu64 | Vmovdqa
            | Vmovdqa32 | Vmovdqa64 | Vmovups | Vmovaps => {
                let value = self.read(1)?;
                self.write(0, value)
            }
            Vmovd => self.move_low(4),
            Vmovq => self.move_low(8),
            Vpbroadcastb => self.broadcast(1),
            Vpbroadcastw => self.broadcast(2),
            Vpbroadcastd => self.broadcast(4),
            Vpbroadcastq => self.broadcast(8),
            Vbroadcasti128 | Vbroadcasti32x4 | Vbroadcasti64x2 => self.broadcast(16),
            Vbroadcasti32x8 | Vbroadcasti64x4 => self.broadcast(32),

            // Vector operations by lane.
            Vpaddb => self.lanes(Op::Add, 1),
            Vpaddw => self.lanes(Op::Add, 2),
            Vpaddd => self.lanes(Op::Add, 4),
            Vpaddq => self.lanes(Op::Add, 8),
            Vpsubb => self.lanes(Op::Subtract, 1),
            Vpsubw => self.lanes(Op::Subtract, 2),
            Vpsubd => self.lanes(Op::Subtract, 4),
            Vpsubq => self.lanes(Op::Subtract, 8),
            Vpxor | Vpxord | Vpxorq => self.lanes(Op::Xor, 4),
            Vpor | Vpord | Vporq => self.lanes(Op::Or, 4),
            Vpand | Vpandd | Vpandq => self.lanes(Op::And, 4),
            Vpandn => self.lanes(Op::AndNot, 4),
            Vpternlogd | Vpternlogq => self.ternary_logic(),
            Vpmullw => self.lanes(Op::Multiply, 2),
            Vpmulhuw => self.lanes(Op::MultiplyHigh, 2),
            Vpmaddubsw => self.lanes(Op::MultiplyAddBytes, 2),
            Vpsllw => self.lanes(Op::ShiftLeft, 2),
            Vpsrlw => self.lanes(Op::ShiftRight, 2),
            Vpslld => self.lanes(Op::ShiftLeft, 4),
            Vpsrld => self.lanes(Op::ShiftRight, 4),
            Vpsllq => self.lanes(Op::ShiftLeft, 8),
            Vpsrlq => self.lanes(Op::ShiftRight, 8),
            Vprord => self.lanes(Op::RotateRight, 4),

            // Permutations: within 128-bit blocks, then across them.
            Vpunpckldq => self.unpack(4, 0),
            Vpunpckhdq => self.unpack(4, 8),
            Vpunpcklqdq => self.unpack(8, 0),
            Vpunpckhqdq => self.unpack(8, 8),
            Vpackuswb => self.pack_words(),
            Vpmovzxbw => {
                let zero = self.domain.byte(0);
                let value = self.read(1)?;
                let words = value.into_iter().flat_map(|byte| [byte, zero]);
                self.write(0, words.collect())
            }
            Vpshufb => self.shuffle_bytes(),
            Vpshufd => {
                let control = self.immediate(2)?;
                self.permute_blocks(&[1], 4, |lane| (0, control >> (2 * lane) & 3))
            }
            Vshufps => {
                let control = self.immediate(3)?;
                self.permute_blocks(&[1, 2], 4, |lane| (lane / 2, control >> (2 * lane) & 3))
            }
            Vpblendd => {
                let control = self.immediate(3)?;
                self.permute(&[1, 2], 4, |lane| (control >> lane & 1, lane))
            }
            Vpblendw => {
                let control = self.immediate(3)?;
                self.permute_blocks(&[1, 2], 2, |lane| (control >> lane & 1, lane))
            }
            Vpalignr => self.align_right(),
            Vpermq => {
                let control = self.immediate(2)?;
                self.permute(&[1], 8, |lane| {
                    (0, lane & !3 | control >> (2 * (lane & 3)) & 3)
                })
            }
            Vpermd => self.permute_by_index(1, &[2]),
            Vpermt2d => self.permute_by_index(1, &[0, 2]),
            Vpermi2d => self.permute_by_index(0, &[1, 2]),
            Vperm2i128 => self.permute_halves(),
            Vshufi32x4 | Vshufi64x2 => self.shuffle_blocks(),
            Vinserti128 | Vinserti32x4 | Vinserti64x2 => self.insert(16),
            Vinserti32x8 | Vinserti64x4 => self.insert(32),
            Vextracti128 | Vextracti32x4 | Vextracti64x2 => self.extract(16),
            Vextracti32x8 | Vextracti64x4 => self.extract(32),
            Vpinsrd => {
                let lane = self.immediate(3)? & 3;
                let mut value = self.read(1)?;
                let element = self.read(2)?;
                value[4 * lane..4 * lane + 4].copy_from_slice(&element);
                self.write(0, value)
            }
            Vpextrd => {
                let lane = self.immediate(2)? & 3;
                let value = self.read(1)?[4 * lane..4 * lane + 4].to_vec();
                self.write(0, value)
            }
            Vzeroupper => {
                let zero = self.domain.byte(0);
                for register in &mut self.machine.vector[..16] {
                    register[16..].fill(zero);
                }
                Ok(())
            }

            Vptest => {
                let (left, right) = (self.read(0)?, self.read(1)?);
                let mut both = Vec::new();
                for (left, right) in left.into_iter().zip(right) {
                    let (left, right) = (self.domain.join(&[left]), self.domain.join(&[right]));
                    let word = self.domain.operate(Op::And, left, right)?;
                    both.extend(self.domain.split(word));
                }
                self.machine.flags = Flags {
                    zero: self.domain.are_zero(&both),
                    ..Flags::default()
                };
                Ok(())
            }

            // General-purpose registers.
            Add => self.arithmetic(Op::Add, true),
            Sub => self.arithmetic(Op::Subtract, true),
            Cmp => self.arithmetic(Op::Subtract, false),
            And => self.arithmetic(Op::And, true),
            Test => self.arithmetic(Op::And, false),
            Or => self.arithmetic(Op::Or, true),
            Xor => self.arithmetic(Op::Xor, true),
            Inc => self.count(Op::Add),
            Dec => self.count(Op::Subtract),
            Rorx => self.lanes(Op::RotateRight, self.size(0)),
            Lea => {
                let value = self.effective_address(self.size(0))?;
                let value = self.domain.split(value);
                self.write(0, value)
            }
            Push if instruction.code() == Code::Push_r64 => {
                let value = self.read(0)?;
                self.move_stack(Op::Subtract)?;
                let rsp = self.machine.general(self.domain, RSP);
                self.store(rsp, &value)
            }
            Pop if instruction.code() == Code::Pop_r64 => {
                let rsp = self.machine.general(self.domain, RSP);
                let value = self.load(rsp, 8)?;
                self.move_stack(Op::Add)?;
                self.write(0, value)
            }
            Endbr64 | Nop => Ok(()),

            // Control flow: direct branches, and a return that takes nothing from the stack but its address.
            Jmp if instruction.op0_kind() == OpKind::NearBranch64 => {
                self.machine.next = instruction.near_branch64();
                Ok(())
            }
            Ret if instruction.code() == Code::Retnq => return self.ret(),
            _ if instruction.is_jcc_short_or_near()
                && instruction.op0_kind() == OpKind::NearBranch64 =>
            {
                if self.condition()? {
                    self.machine.next = instruction.near_branch64();
                }
                Ok(())
            }
            _ => Err(Stop::Unknown),
        }?;
        Ok(Flow::Continues)
    }

    fn ret(&mut self) -> Result<Flow, Stop> {
        if self.machine.stack_offset(self.domain)? != self.machine.entry {
            return fault("rsp is not where it was");
        }
        Ok(Flow::Returned)
    }

    fn condition(&self) -> Result<bool, Stop> {
        match self.machine.flags.holds(self.instruction.condition_code()) {
            Some(holds) => Ok(holds),
            None => fault("a branch that depends on data"),
        }
    }

    fn move_stack(&mut self, operation: Op) -> Result<(), Stop> {
        let (rsp, eight) = (
            self.machine.general(self.domain, RSP),
            self.domain.number(8, 8),
        );
        let rsp = self.domain.operate(operation, rsp, eight)?;
        self.machine.general[RSP].copy_from_slice(&self.domain.split(rsp));
        Ok(())
    }

    // Operands.

    /// The bytes of operand `i`. A broadcast counts as what it fills.
    fn size(&self, i: u32) -> usize {
        match self.instruction.op_kind(i) {
            OpKind::Register => self.instruction.op_register(i).size(),
            OpKind::Memory if self.instruction.is_broadcast() => self.size(0),
            OpKind::Memory => self.instruction.memory_size().size(),
            _ => self.size(0),
        }
    }

    fn immediate(&self, i: u32) -> Result<usize, Stop> {
        match self.instruction.op_kind(i) {
            OpKind::Immediate8 => Ok(self.instruction.immediate8().into()),
            _ => Err(Stop::Unknown),
        }
    }

    fn read(&mut self, i: u32) -> Result<Bytes<D>, Stop> {
        let size = self.size(i);
        match self.instruction.op_kind(i) {
            OpKind::Register => {
                let register = self.instruction.op_register(i);
                Ok(match RegisterBytes::of(register)? {
                    RegisterBytes::General { number, first } => {
                        self.machine.general[number][first..][..size].to_vec()
                    }
                    RegisterBytes::Vector(number) => self.machine.vector[number][..size].to_vec(),
                })
            }
            OpKind::Memory => {
                let address = self.effective_address(8)?;
                if self.instruction.is_broadcast() {
                    let element =
                        self.load(address, self.instruction.memory_size().element_size())?;
                    return Ok(element.repeat(size / element.len()));
                }
                self.load(address, size)
            }
            _ => {
                let value = self
                    .instruction
                    .try_immediate(i)
                    .map_err(|_| Stop::Unknown)?;
                let value = self.domain.number(size, value);
                Ok(self.domain.split(value))
            }
        }
    }

    /// Writes an operand. A value longer than it is cut; one that is shorter, or that goes to a register which an
    /// instruction always writes whole, is extended with zeros.
    fn write(&mut self, i: u32, mut value: Bytes<D>) -> Result<(), Stop> {
        let (size, zero) = (self.size(i), self.domain.byte(0));
        value.resize(size, zero);
        match self.instruction.op_kind(i) {
            OpKind::Register => match RegisterBytes::of(self.instruction.op_register(i))? {
                RegisterBytes::General { number, first } => {
                    value.resize(size.max(if size == 4 { 8 } else { 0 }), zero);
                    self.machine.general[number][first..][..value.len()].copy_from_slice(&value);
                }
                RegisterBytes::Vector(number) => {
                    value.resize(64, zero);
                    self.machine.vector[number].copy_from_slice(&value);
                }
            },
            OpKind::Memory => {
                let address = self.effective_address(8)?;
                self.store(address, &value)?;
            }
            _ => return Err(Stop::Unknown),
        }
        Ok(())
    }

    // Memory.

    /// Base + index · scale + displacement, mod 2^(8 · width).
    fn effective_address(&mut self, width: usize) -> Result<D::Word, Stop> {
        let instruction = self.instruction;
        if instruction.segment_prefix() != Register::None {
            return Err(Stop::Unknown);
        }
        if instruction.memory_base() == Register::RIP {
            let offset = self.domain.number(
                8,
                instruction
                    .memory_displacement64()
                    .wrapping_sub(CONSTANTS_AT),
            );
            return Ok(self.domain.operate(
                Op::Add,
                self.machine.memory[CONSTANTS].base,
                offset,
            )?);
        }
        let mut address = self
            .domain
            .number(width, instruction.memory_displacement64());
        let scale = instruction.memory_index_scale().trailing_zeros();
        for (register, shift) in [
            (instruction.memory_base(), 0),
            (instruction.memory_index(), scale),
        ] {
            if register == Register::None {
                continue;
            }
            if !register.is_gpr64() {
                return Err(Stop::Unknown);
            }
            let value = self
                .domain
                .join(&self.machine.general[register.number()][..width]);
            let shift = self.domain.number(width, shift.into());
            let value = self.domain.operate(Op::ShiftLeft, value, shift)?;
            address = self.domain.operate(Op::Add, address, value)?;
        }
        Ok(address)
    }

    fn load(&mut self, address: D::Word, size: usize) -> Result<Bytes<D>, Stop> {
        let (region, offset) = self.access(address, size, Access::Read)?;
        let region = &self.machine.memory[region];
        match region.bytes[offset..offset + size]
            .iter()
            .copied()
            .collect()
        {
            Some(bytes) => Ok(bytes),
            None => fault(format!(
                "reads what nobody wrote: {}[{offset}..{}]",
                region.name,
                offset + size
            )),
        }
    }

    fn store(&mut self, address: D::Word, bytes: &[D::Byte]) -> Result<(), Stop> {
        let (region, offset) = self.access(address, bytes.len(), Access::Write)?;
        for (slot, &byte) in self.machine.memory[region].bytes[offset..]
            .iter_mut()
            .zip(bytes)
        {
            *slot = Some(byte);
        }
        Ok(())
    }

    /// Where `size` bytes at `address` stand, if the kernel may access them so.
    fn access(
        &mut self,
        address: D::Word,
        size: usize,
        access: Access,
    ) -> Result<(usize, usize), Stop> {
        let Some((number, offset)) = self.domain.address(address) else {
            return fault(format!(
                "an address that depends on data: {}",
                self.domain.show(address)
            ));
        };
        let rsp = self.machine.stack_offset(self.domain)?;
        let region = &self.machine.memory[number];
        let allowed = match number {
            STACK => rsp as i64..self.machine.entry as i64,
            _ => 0..region.bytes.len() as i64,
        };
        let place = format!("{}[{offset}..{}]", region.name, offset + size as i64);
        if offset < allowed.start || offset + size as i64 > allowed.end {
            return fault(format!("{access:?} outside {}: {place}", region.name));
        }
        if region.access != Access::ReadWrite && region.access != access {
            return fault(format!(
                "{access:?} of {place}, which is {:?} only",
                region.access
            ));
        }
        if is_aligned_only(self.instruction.mnemonic())
            && (region.alignment % size as u64 != 0 || offset % size as i64 != 0)
        {
            return fault(format!("{place} need not be aligned"));
        }
        Ok((number, offset as usize))
    }

    // General-purpose arithmetic.

    fn arithmetic(&mut self, operation: Op, keep: bool) -> Result<(), Stop> {
        let (left, right) = (self.read(0)?, self.read(1)?);
        let right = self.domain.join(&right);
        self.combine(operation, left, right, keep)
    }

    /// inc and dec, which leave the carry flag.
    fn count(&mut self, operation: Op) -> Result<(), Stop> {
        let carry = self.machine.flags.carry;
        let left = self.read(0)?;
        let one = self.domain.number(left.len(), 1);
        self.combine(operation, left, one, true)?;
        self.machine.flags.carry = carry;
        Ok(())
    }

    fn combine(
        &mut self,
        operation: Op,
        left: Bytes<D>,
        right: D::Word,
        keep: bool,
    ) -> Result<(), Stop> {
        let width = left.len();
        let left = self.domain.join(&left);
        let result = self.domain.operate(operation, left, right)?;
        // Within a region, which does not wrap, addresses compare as offsets do, and none is zero.
        let place = |word| {
            let place = self.domain.address(word);
            place.filter(|&(region, offset)| self.machine.memory[region].spans(offset))
        };
        let below = match [left, right].map(place) {
            [Some((region, left)), Some((other, right))] if region == other => Some(left < right),
            _ => None,
        };
        let is_address = place(result).is_some();
        let [left, right, value] = [left, right, result].map(|word| self.domain.value(word));
        let top = |value: u64| value >> (8 * width - 1) & 1 == 1;
        self.machine.flags = Flags {
            zero: value
                .map(|value| value == 0)
                .or(is_address.then_some(false)),
            sign: value.map(top),
            ..match (operation, left, right, value) {
                (Op::And | Op::Or | Op::Xor, ..) => Flags {
                    carry: Some(false),
                    overflow: Some(false),
                    ..Flags::default()
                },
                (Op::Add, Some(left), Some(right), Some(value)) => Flags {
                    carry: Some(value < left),
                    overflow: Some(top((left ^ value) & (right ^ value))),
                    ..Flags::default()
                },
                (Op::Subtract, None, None, Some(_)) => Flags {
                    carry: below,
                    ..Flags::default()
                },
                (Op::Subtract, Some(left), Some(right), Some(value)) => Flags {
                    carry: Some(left < right),
                    overflow: Some(top((left ^ right) & (left ^ value))),
                    ..Flags::default()
                },
                _ => Flags::default(),
            }
        };
        if keep {
            let result = self.domain.split(result);
            self.write(0, result)?;
        }
        Ok(())
    }

    // Vectors, lane by lane.

    /// Operand 0 = operand 1 `operation` operand 2 in lanes of `width` bytes; an immediate is the same for all lanes.
    fn lanes(&mut self, operation: Op, width: usize) -> Result<(), Stop> {
        let immediate = self.instruction.op_kind(2) == OpKind::Immediate8;
        if !immediate && matches!(operation, Op::ShiftLeft | Op::ShiftRight | Op::RotateRight) {
            return Err(Stop::Unknown);
        }
        let left = self.read(1)?;
        let right = if immediate {
            let count = self.domain.number(width, self.immediate(2)? as u64);
            self.domain.split(count).repeat(left.len() / width)
        } else {
            self.read(2)?
        };
        let mut result = Vec::with_capacity(left.len());
        for (left, right) in left.chunks(width).zip(right.chunks(width)) {
            let (left, right) = (self.domain.join(left), self.domain.join(right));
            let word = self.domain.operate(operation, left, right)?;
            result.extend(self.domain.split(word));
        }
        self.write(0, result)
    }

    /// Each bit of operand 0 becomes the bit of the immediate that it, operand 1's and operand 2's number, from its highest bit on.
    fn ternary_logic(&mut self) -> Result<(), Stop> {
        let table = self.immediate(3)?;
        let (first, second, third) = (self.read(0)?, self.read(1)?, self.read(2)?);
        let mut result = Vec::with_capacity(first.len());
        let sources = second.chunks(4).zip(third.chunks(4));
        for (first, (second, third)) in first.chunks(4).zip(sources) {
            let [first, second, third] = [first, second, third].map(|it| self.domain.join(it));
            let if_set = self.binary_logic(table >> 4, second, third)?;
            let if_clear = self.binary_logic(table & 15, second, third)?;
            // What the first is or-ed to need not be known.
            let word = if table >> 4 == 15 {
                self.domain.operate(Op::Or, first, if_clear)?
            } else {
                let if_set = self.domain.operate(Op::And, first, if_set)?;
                let if_clear = self.domain.operate(Op::AndNot, first, if_clear)?;
                self.domain.operate(Op::Or, if_set, if_clear)?
            };
            result.extend(self.domain.split(word));
        }
        self.write(0, result)
    }

    /// The same of two words of four bytes and four bits: an or of what sets a bit.
    fn binary_logic(
        &mut self,
        table: usize,
        left: D::Word,
        right: D::Word,
    ) -> Result<D::Word, Stop> {
        let ones = self.domain.number(4, 0xffff_ffff);
        let mut sum = self.domain.number(4, 0);
        for index in (0..4).filter(|index| table >> index & 1 == 1) {
            let term = match index {
                0 => {
                    let either = self.domain.operate(Op::Or, left, right)?;
                    self.domain.operate(Op::Xor, either, ones)?
                }
                1 => self.domain.operate(Op::AndNot, left, right)?,
                2 => self.domain.operate(Op::AndNot, right, left)?,
                _ => self.domain.operate(Op::And, left, right)?,
            };
            sum = self.domain.operate(Op::Or, sum, term)?;
        }
        Ok(sum)
    }

    // Moves of bytes.

    fn move_low(&mut self, size: usize) -> Result<(), Stop> {
        let mut value = self.read(1)?;
        value.truncate(size);
        self.write(0, value)
    }

    /// Fills operand 0 with the first `width` bytes of operand 1.
    fn broadcast(&mut self, width: usize) -> Result<(), Stop> {
        let element = self.read(1)?[..width].to_vec();
        let value = element.repeat(self.size(0) / width);
        self.write(0, value)
    }

    /// Each lane of operand 0 becomes the lane of the source that `pick` names: a place in `sources`, and a lane in it.
    fn permute(
        &mut self,
        sources: &[u32],
        width: usize,
        pick: impl Fn(usize) -> (usize, usize),
    ) -> Result<(), Stop> {
        let sources = sources
            .iter()
            .map(|&source| self.read(source))
            .collect::<Result<Vec<_>, _>>()?;
        let mut value = Vec::new();
        for lane in 0..self.size(0) / width {
            let (source, lane) = pick(lane);
            value.extend_from_slice(&sources[source][lane * width..][..width]);
        }
        self.write(0, value)
    }

    /// The same in each block of 128 bits by itself.
    fn permute_blocks(
        &mut self,
        sources: &[u32],
        width: usize,
        pick: impl Fn(usize) -> (usize, usize),
    ) -> Result<(), Stop> {
        let lanes = 16 / width;
        self.permute(sources, width, |lane| {
            let (source, inner) = pick(lane % lanes);
            (source, lane / lanes * lanes + inner)
        })
    }

    /// Interleaves lanes of operands 1 and 2, of each block those from byte `first` on.
    fn unpack(&mut self, width: usize, first: usize) -> Result<(), Stop> {
        self.permute_blocks(&[1, 2], width, |lane| (lane % 2, first / width + lane / 2))
    }

    /// `index` names the operand with the lanes' numbers in the `tables`, one behind the other.
    fn permute_by_index(&mut self, index: u32, tables: &[u32]) -> Result<(), Stop> {
        let mut indices = Vec::new();
        for lane in self.read(index)?.chunks(4) {
            indices.push(self.known(lane)?);
        }
        let lanes = indices.len();
        self.permute(tables, 4, |lane| {
            (indices[lane] / lanes % tables.len(), indices[lane] % lanes)
        })
    }

    fn known(&mut self, bytes: &[D::Byte]) -> Result<usize, Stop> {
        let word = self.domain.join(bytes);
        match self.domain.value(word) {
            Some(value) => Ok(value as usize),
            None => fault("a permutation that depends on data"),
        }
    }

    fn shuffle_bytes(&mut self) -> Result<(), Stop> {
        let (source, control) = (self.read(1)?, self.read(2)?);
        let mut value = Vec::new();
        for (table, control) in source.chunks(16).zip(control.chunks(16)) {
            let table: [D::Byte; 16] = table.try_into().unwrap();
            for &control in control {
                value.push(self.domain.look_up(table, control)?);
            }
        }
        self.write(0, value)
    }

    /// Words of operand 1 and then of operand 2 to bytes, in each block of 128 bits by itself.
    fn pack_words(&mut self) -> Result<(), Stop> {
        let (low, high) = (self.read(1)?, self.read(2)?);
        let mut value = Vec::new();
        for (low, high) in low.chunks(16).zip(high.chunks(16)) {
            for word in low.chunks(2).chain(high.chunks(2)) {
                let word = self.domain.join(word);
                let byte = self.domain.operate(Op::SaturateToByte, word, word)?;
                value.push(self.domain.split(byte)[0]);
            }
        }
        self.write(0, value)
    }

    fn align_right(&mut self) -> Result<(), Stop> {
        let (high, low, shift, zero) = (
            self.read(1)?,
            self.read(2)?,
            self.immediate(3)?,
            self.domain.byte(0),
        );
        let mut value = Vec::new();
        for (high, low) in high.chunks(16).zip(low.chunks(16)) {
            let mut wide = [low, high].concat();
            wide.resize(32 + 256, zero);
            value.extend_from_slice(&wide[shift..][..16]);
        }
        self.write(0, value)
    }

    /// Each half of operand 0 is one of the four halves of operands 1 and 2, or zero.
    fn permute_halves(&mut self) -> Result<(), Stop> {
        let (halves, control, zero) = (
            [self.read(1)?, self.read(2)?].concat(),
            self.immediate(3)?,
            self.domain.byte(0),
        );
        let half = |control: usize| match control & 8 {
            0 => halves[16 * (control & 3)..][..16].to_vec(),
            _ => vec![zero; 16],
        };
        self.write(0, [half(control), half(control >> 4)].concat())
    }

    /// The lower blocks of operand 0 are any of operand 1's, the upper ones any of operand 2's.
    fn shuffle_blocks(&mut self) -> Result<(), Stop> {
        let (blocks, control) = (self.size(0) / 16, self.immediate(3)?);
        let bits = blocks.trailing_zeros() as usize;
        self.permute(&[1, 2], 16, |block| {
            (block * 2 / blocks, control >> (bits * block) & (blocks - 1))
        })
    }

    fn insert(&mut self, width: usize) -> Result<(), Stop> {
        let (mut value, part, lane) = (self.read(1)?, self.read(2)?, self.immediate(3)?);
        let lanes = value.len() / width;
        value[lane % lanes * width..][..width].copy_from_slice(&part);
        self.write(0, value)
    }

    fn extract(&mut self, width: usize) -> Result<(), Stop> {
        let (value, lane) = (self.read(1)?, self.immediate(2)?);
        let lanes = value.len() / width;
        self.write(0, value[lane % lanes * width..][..width].to_vec())
    }
}

/// Where the machine keeps a register's bytes.
enum RegisterBytes {
    General {
        number: usize,
        /// The first byte: 1 of ah, ch, dh and bh.
        first: usize,
    },
    Vector(usize),
}

impl RegisterBytes {
    fn of(register: Register) -> Result<Self, Stop> {
        let high_byte = matches!(
            register,
            Register::AH | Register::BH | Register::CH | Register::DH
        );
        if register.is_gpr() {
            Ok(RegisterBytes::General {
                number: register.full_register().number(),
                first: high_byte.into(),
            })
        } else if register.is_vector_register() {
            Ok(RegisterBytes::Vector(register.number()))
        } else {
            Err(Stop::Unknown)
        }
    }
}

/// Whether an instruction faults on an address that is no multiple of the operand's size.
fn is_aligned_only(mnemonic: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(mnemonic, Vmovdqa | Vmovdqa32 | Vmovdqa64 | Vmovaps)
}
