//! The interpreter against the processor: every form of instruction that the interpreter knows, in random encodings on
//! random operands, and each one that the kernels use.

use crate::common;
use crate::decode::InstructionSet;
use crate::domain::{Domain, Numbers};
use crate::machine::{Access, BUFFERS, Flags, Machine, RSP, Region, STACK, STACK_SIZE, Stop};
use crate::objects::kernels;
use iced_x86::{
    Code as Form, CpuidFeature, Decoder, DecoderOptions, Encoder, EncodingKind, FlowControl,
    Instruction, Mnemonic, OpCodeOperandKind, OpKind, Register,
};
use std::arch::global_asm;
use std::collections::BTreeMap;
use std::mem::offset_of;
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// A processor's state before and after an instruction.
#[repr(C, align(64))]
struct State {
    vector: [[u8; 64]; 32],
    general: [u64; 16],
    flags: u64,
    /// Whether to load and store zmm0 to zmm31, or ymm0 to ymm15.
    wide: u64,
    /// Where the instruction stands, with stubs behind it that go to `lthash_tests_fell_through` and
    /// `lthash_tests_branched`.
    code: u64,
    branched: u64,
    rsp: u64,
}

global_asm!(
    ".lcomm lthash_tests_state, 8",
    ".lcomm lthash_tests_rax, 8",
    ".lcomm lthash_tests_code, 8",
    ".macro lthash_tests_vectors store",
    "cmp qword ptr [rax + {wide}], 0",
    "je 2f",
    ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
    ".if \\store",
    "vmovdqu64 [rax + 64 * \\i], zmm\\i",
    ".else",
    "vmovdqu64 zmm\\i, [rax + 64 * \\i]",
    ".endif",
    ".endr",
    "jmp 3f",
    "2:",
    ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
    ".if \\store",
    "vmovdqu [rax + 64 * \\i], ymm\\i",
    ".else",
    "vmovdqu ymm\\i, [rax + 64 * \\i]",
    ".endif",
    ".endr",
    "3:",
    ".endm",
    ".globl lthash_tests_execute",
    ".hidden lthash_tests_execute",
    "lthash_tests_execute:",
    ".irp register, rbx, rbp, r12, r13, r14, r15",
    "push \\register",
    ".endr",
    "mov [rip + lthash_tests_state], rdi",
    "mov rax, rdi",
    "mov [rax + {rsp}], rsp",
    "mov rcx, [rax + {code}]",
    "mov [rip + lthash_tests_code], rcx",
    "lthash_tests_vectors 0",
    "push [rax + {flags}]",
    "popfq",
    ".macro lthash_tests_general number, register",
    "mov \\register, [rax + {general} + 8 * \\number]",
    ".endm",
    "lthash_tests_general 1, rcx",
    "lthash_tests_general 2, rdx",
    "lthash_tests_general 3, rbx",
    "lthash_tests_general 4, rsp",
    "lthash_tests_general 5, rbp",
    "lthash_tests_general 6, rsi",
    "lthash_tests_general 7, rdi",
    ".irp i, 8, 9, 10, 11, 12, 13, 14, 15",
    "lthash_tests_general \\i, r\\i",
    ".endr",
    "lthash_tests_general 0, rax",
    "jmp [rip + lthash_tests_code]",
    ".globl lthash_tests_branched",
    ".hidden lthash_tests_branched",
    "lthash_tests_branched:",
    "mov [rip + lthash_tests_rax], rax",
    "mov rax, [rip + lthash_tests_state]",
    "mov qword ptr [rax + {branched}], 1",
    "jmp 4f",
    ".globl lthash_tests_fell_through",
    ".hidden lthash_tests_fell_through",
    "lthash_tests_fell_through:",
    "mov [rip + lthash_tests_rax], rax",
    "mov rax, [rip + lthash_tests_state]",
    "mov qword ptr [rax + {branched}], 0",
    "4:",
    ".macro lthash_tests_save number, register",
    "mov [rax + {general} + 8 * \\number], \\register",
    ".endm",
    "lthash_tests_save 1, rcx",
    "lthash_tests_save 2, rdx",
    "lthash_tests_save 3, rbx",
    "lthash_tests_save 4, rsp",
    "lthash_tests_save 5, rbp",
    "lthash_tests_save 6, rsi",
    "lthash_tests_save 7, rdi",
    ".irp i, 8, 9, 10, 11, 12, 13, 14, 15",
    "lthash_tests_save \\i, r\\i",
    ".endr",
    "mov rsp, [rax + {rsp}]",
    "pushfq",
    "pop qword ptr [rax + {flags}]",
    "mov rcx, [rip + lthash_tests_rax]",
    "mov [rax + {general}], rcx",
    "lthash_tests_vectors 1",
    "vzeroupper",
    ".irp register, r15, r14, r13, r12, rbp, rbx",
    "pop \\register",
    ".endr",
    "ret",
    wide = const offset_of!(State, wide),
    rsp = const offset_of!(State, rsp),
    flags = const offset_of!(State, flags),
    general = const offset_of!(State, general),
    code = const offset_of!(State, code),
    branched = const offset_of!(State, branched),
);

unsafe extern "C" {
    fn lthash_tests_execute(state: *mut State);
    fn lthash_tests_branched();
    fn lthash_tests_fell_through();
}

/// Where pointers into memory point, so that the kernels' displacements stay inside.
const MIDDLE: u64 = 2048;
/// The bytes of the buffer, as many as of the stack.
const SIZE: usize = STACK_SIZE;

/// Memory for an instruction to work on: the stack and a buffer.
#[repr(C, align(64))]
struct Memory([[u8; SIZE]; 2]);

/// A page to run code from.
struct Code(*mut u8);

impl Code {
    fn new() -> Self {
        let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, wherever there is room.
        let page = unsafe { libc::mmap(ptr::null_mut(), 4096, protection, flags, -1, 0) };
        assert_ne!(page, libc::MAP_FAILED);
        Self(page.cast())
    }

    /// Puts an instruction there with what follows it: if it is a branch, it goes to the second stub.
    fn write(&self, instruction: &Instruction) {
        let mut instruction = *instruction;
        let begin = self.0 as u64;
        let stub = |target: unsafe extern "C" fn()| {
            let jump = [0xff, 0x25, 0, 0, 0, 0]; // jmp [rip + 0]
            [&jump[..], &(target as usize as u64).to_le_bytes()].concat()
        };
        let stubs = [stub(lthash_tests_fell_through), stub(lthash_tests_branched)];
        if is_branch(&instruction) {
            instruction.set_near_branch64(begin + instruction.len() as u64 + stubs[0].len() as u64);
        }
        let mut encoder = Encoder::new(64);
        encoder.encode(&instruction, begin).unwrap();
        let mut code = encoder.take_buffer();
        if is_branch(&instruction) {
            assert_eq!(code.len(), instruction.len());
        }
        code.extend(stubs.concat());
        // SAFETY: the page is this value's own, and writable; the code is far shorter.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), self.0, code.len()) };
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the page is this value's own.
        unsafe { libc::munmap(self.0.cast(), 4096) };
    }
}

fn is_branch(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
    )
}

/// A register or a piece of memory that is as likely to be a special case as to be any.
fn operand(domain: &mut Numbers) -> u64 {
    match domain.random() % 8 {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => 0x8000_0000_8000_0000,
        _ => domain.random(),
    }
}

const CARRY: u64 = 1 << 0;
const ZERO: u64 = 1 << 6;
const SIGN: u64 = 1 << 7;
const OVERFLOW: u64 = 1 << 11;

/// Why an instruction was not compared, or what differs.
enum Otherwise {
    /// The interpreter does not know it.
    Unknown,
    /// The interpreter refuses what it does here.
    Refused(String),
    Differs(String),
}

/// Runs an instruction in the interpreter and on the processor.
fn compare(code: &Code, instruction: &Instruction, wide: bool, seed: u64) -> Result<(), Otherwise> {
    let mut memory = Box::new(Memory([[0; SIZE]; 2]));
    let addresses = [0, 1].map(|i| memory.0[i].as_mut_ptr() as u64);
    let domain = &mut Numbers::new(seed, vec![addresses[0], 1 << 62, addresses[1]]);
    for piece in memory.0.as_flattened_mut().chunks_mut(8) {
        piece.copy_from_slice(&operand(domain).to_le_bytes());
    }
    let mut state = State {
        vector: [[0; 64]; 32],
        general: std::array::from_fn(|_| operand(domain)),
        flags: domain.random() & (CARRY | ZERO | SIGN | OVERFLOW) | 2,
        wide: wide.into(),
        code: code.0 as u64,
        branched: 0,
        rsp: 0,
    };
    let (registers, bytes) = if wide { (32, 64) } else { (16, 32) };
    for register in &mut state.vector[..registers] {
        for piece in register[..bytes].chunks_mut(8) {
            piece.copy_from_slice(&operand(domain).to_le_bytes());
        }
    }

    // Pointers: rsp into the stack, to the top where it makes room for a frame, and what moves into rsp; any other base
    // into the buffer, with a small index.
    let mut instruction = *instruction;
    let makes_room = instruction.mnemonic() == Mnemonic::Sub;
    let stack = addresses[STACK] + if makes_room { SIZE as u64 - 64 } else { MIDDLE };
    state.general[RSP] = stack;
    if instruction.op0_register() == Register::RSP {
        state.general[RSP] += 8 * (seed % 8);
        if instruction.op1_register().is_gpr64() {
            state.general[instruction.op1_register().number()] = stack + 64;
        }
    }
    let accesses_memory = instruction.op_kinds().any(|kind| kind == OpKind::Memory)
        && instruction.mnemonic() != Mnemonic::Lea;
    if instruction.is_ip_rel_memory_operand() {
        instruction.set_memory_base(Register::RDI);
        instruction.set_memory_displacement64(0);
        instruction.set_memory_displ_size(0);
    }
    if accesses_memory {
        if instruction.memory_index() != Register::None {
            state.general[instruction.memory_index().number()] = 64;
        }
        if instruction.memory_base() != Register::RSP {
            state.general[instruction.memory_base().number()] = addresses[1] + MIDDLE;
        }
    }

    let region = |name: &str, number: usize, base: u64, bytes: &[u8]| Region {
        name: name.into(),
        base: Numbers::new(0, vec![base; 3]).base(number, 1),
        alignment: 64,
        access: Access::ReadWrite,
        bytes: bytes.iter().copied().map(Some).collect(),
    };
    let flag = |bit: u64| Some(state.flags & bit != 0);
    let mut machine = Machine::<Numbers> {
        general: state.general.map(u64::to_le_bytes),
        vector: state.vector,
        flags: Flags {
            carry: flag(CARRY),
            zero: flag(ZERO),
            sign: flag(SIGN),
            overflow: flag(OVERFLOW),
        },
        memory: vec![
            region("the stack", 0, addresses[0], &memory.0[0]),
            region("nothing", 1, 0, &[]),
            region("the buffer", 2, addresses[1], &memory.0[1]),
        ],
        next: 0,
        entry: STACK_SIZE,
        deepest: STACK_SIZE,
    };
    machine
        .step(domain, &instruction)
        .map_err(|stop| match stop {
            Stop::Unknown => Otherwise::Unknown,
            Stop::Fault(why) => Otherwise::Refused(why),
        })?;
    code.write(&instruction);
    // SAFETY: the code is one instruction that the interpreter has just run, so it touches registers and the two pieces of
    // memory, and the stubs that lead back. The callers hold ALONE, so that nobody else uses the trampoline's variables.
    unsafe { lthash_tests_execute(&mut state) };
    differences(&state, &memory, &machine, &instruction).map_err(Otherwise::Differs)
}

/// That the processor and the interpreter left the same, as far as the latter says.
fn differences(
    state: &State,
    memory: &Memory,
    machine: &Machine<Numbers>,
    instruction: &Instruction,
) -> Result<(), String> {
    for (number, value) in state.general.into_iter().enumerate() {
        let interpreted = u64::from_le_bytes(machine.general[number]);
        if value != interpreted {
            return Err(format!(
                "general register {number} is {value:#x}, not {interpreted:#x}"
            ));
        }
    }
    if let Some(number) = (0..32).find(|&number| state.vector[number] != machine.vector[number]) {
        let (is, not) = (state.vector[number], machine.vector[number]);
        return Err(format!(
            "vector register {number} is {is:02x?}, not {not:02x?}"
        ));
    }
    for (number, bytes) in [STACK, BUFFERS].into_iter().zip(&memory.0) {
        // Below rsp the interpreter has forgotten what stands there.
        let region = &machine.memory[number];
        let differs = |(&is, &known): (&u8, &Option<u8>)| known.is_some_and(|known| known != is);
        if bytes.iter().zip(&region.bytes).any(differs) {
            return Err(format!("{} differs", region.name));
        }
    }
    let Flags {
        carry,
        zero,
        sign,
        overflow,
    } = machine.flags;
    for (bit, known) in [
        (CARRY, carry),
        (ZERO, zero),
        (SIGN, sign),
        (OVERFLOW, overflow),
    ] {
        if known.is_some_and(|known| known != (state.flags & bit != 0)) {
            return Err(format!("flag {bit:#x} is not {known:?}"));
        }
    }
    let branched = machine.next != instruction.next_ip();
    if branched != (state.branched == 1) {
        return Err(format!("branches: {branched}"));
    }
    Ok(())
}

/// The class of a register: those that one encoding or another sets apart.
fn class(register: Register) -> &'static str {
    let number = register.full_register().number();
    match register {
        Register::None => "none",
        Register::RIP => "rip",
        Register::AH | Register::CH | Register::DH | Register::BH => "second byte",
        _ if register.is_gpr() => match number {
            0 => "rax",
            RSP => "rsp",
            5..8 => "rbp, rsi, rdi",
            8.. => "r8 to r15",
            _ => "rcx, rdx, rbx",
        },
        _ => match number {
            0..8 => "0 to 7",
            8..16 => "8 to 15",
            _ => "16 to 31",
        },
    }
}

/// A form of an instruction as the kernels use it: less its displacement, and of its registers the classes alone.
fn form(instruction: &Instruction) -> String {
    let kinds: Vec<OpKind> = instruction.op_kinds().collect();
    let immediates: Vec<u64> = (0..instruction.op_count())
        .filter_map(|i| instruction.try_immediate(i).ok())
        .collect();
    let registers = (0..instruction.op_count()).map(|i| instruction.op_register(i));
    let memory = [instruction.memory_base(), instruction.memory_index()];
    let classes: Vec<&str> = registers.chain(memory).map(class).collect();
    format!(
        "{:?} {kinds:?} {immediates:x?} {classes:?} {}",
        instruction.code(),
        instruction.is_broadcast()
    )
}

fn needs_avx512(features: &[CpuidFeature]) -> bool {
    use CpuidFeature::*;
    let is_avx512 = |feature| matches!(feature, &AVX512F | &AVX512BW | &AVX512VL);
    features.iter().any(is_avx512)
}

/// An instruction of a form, with random registers, addresses and immediates, as the decoder reads it. `None` if there is
/// no such encoding.
fn random_instance(domain: &mut Numbers, form: Form) -> Option<Instruction> {
    use OpCodeOperandKind::*;
    let op_code = form.op_code();
    let registers = if op_code.encoding() == EncodingKind::EVEX {
        32
    } else {
        16
    };
    let mut instruction = Instruction::new();
    instruction.set_code(form);
    for operand in 0..op_code.op_count() {
        let mut register = |first: Register, count: u64| first + (domain.random() % count) as u32;
        let kind = op_code.op_kind(operand);
        let chosen = match kind {
            r8_reg | r8_opcode | r8_or_mem => register(Register::AL, 20),
            r16_reg | r16_rm | r16_opcode | r16_or_mem => register(Register::AX, 16),
            r32_reg | r32_rm | r32_opcode | r32_vvvv | r32_or_mem => register(Register::EAX, 16),
            r64_reg | r64_rm | r64_opcode | r64_vvvv | r64_or_mem => register(Register::RAX, 16),
            xmm_reg | xmm_rm | xmm_vvvv | xmm_or_mem => register(Register::XMM0, registers),
            ymm_reg | ymm_rm | ymm_vvvv | ymm_or_mem => register(Register::YMM0, registers),
            zmm_reg | zmm_rm | zmm_vvvv | zmm_or_mem => register(Register::ZMM0, registers),
            al => Register::AL,
            ax => Register::AX,
            eax => Register::EAX,
            rax => Register::RAX,
            _ => Register::None,
        };
        let is_memory = match kind {
            mem => true,
            r8_or_mem | r16_or_mem | r32_or_mem | r64_or_mem | xmm_or_mem | ymm_or_mem
            | zmm_or_mem => domain.random() % 2 == 0,
            _ => false,
        };
        if is_memory {
            instruction.set_op_kind(operand, OpKind::Memory);
            let base = Register::RAX + (domain.random() % 16) as u32;
            instruction.set_memory_base(base);
            let index = Register::RAX + (domain.random() % 16) as u32;
            if domain.random() % 2 == 0 && index != Register::RSP && index != base {
                instruction.set_memory_index(index);
                instruction.set_memory_index_scale(1 << (domain.random() % 4));
            }
            let displacement = match domain.random() % 4 {
                0 => 0,
                1 => domain.random() % 64,
                _ => 64 * (domain.random() % 8),
            };
            let negative = domain.random() % 2 == 0;
            let displacement = if negative {
                displacement.wrapping_neg()
            } else {
                displacement
            };
            instruction.set_memory_displacement64(displacement);
            instruction.set_memory_displ_size(if displacement == 0 { 0 } else { 8 });
            if op_code.can_broadcast() {
                instruction.set_is_broadcast(domain.random() % 2 == 0);
            }
            continue;
        }
        if chosen != Register::None {
            instruction.set_op_kind(operand, OpKind::Register);
            instruction.set_op_register(operand, chosen);
            continue;
        }
        let immediate = match domain.random() % 3 {
            0 => domain.random() % 10,
            _ => domain.random(),
        };
        match kind {
            imm8 => instruction.set_immediate8(immediate as u8),
            imm8sex16 => instruction.set_immediate8to16(immediate as i8 as i16),
            imm8sex32 => instruction.set_immediate8to32((immediate as i8).into()),
            imm8sex64 => instruction.set_immediate8to64((immediate as i8).into()),
            imm16 => instruction.set_immediate16(immediate as u16),
            imm32 => instruction.set_immediate32(immediate as u32),
            imm32sex64 => instruction.set_immediate32to64((immediate as i32).into()),
            imm64 => instruction.set_immediate64(immediate),
            br64_1 | br64_4 => {
                instruction.set_near_branch64(if kind == br64_1 { 0x40 } else { 0x4000 });
                instruction.set_op_kind(operand, OpKind::NearBranch64);
                continue;
            }
            _ => return Option::None,
        }
        instruction.set_op_kind(
            operand,
            match kind {
                imm8 => OpKind::Immediate8,
                imm8sex16 => OpKind::Immediate8to16,
                imm8sex32 => OpKind::Immediate8to32,
                imm8sex64 => OpKind::Immediate8to64,
                imm16 => OpKind::Immediate16,
                imm32 => OpKind::Immediate32,
                imm32sex64 => OpKind::Immediate32to64,
                _ => OpKind::Immediate64,
            },
        );
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&instruction, 0).ok()?;
    let bytes = encoder.take_buffer();
    let decoded = Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE).decode();
    (decoded.code() == form && decoded.len() == bytes.len()).then_some(decoded)
}

/// The trampoline has variables of its own, so one comparison uses it at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn the_interpreter_agrees_with_the_processor() {
    const INSTANCES: usize = 2;
    const RUNS: u64 = 4;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let wide = InstructionSet::Avx512.can_run();
    if !InstructionSet::Avx2.can_run() {
        return;
    }
    let mut forms = BTreeMap::<String, Vec<Instruction>>::new();
    for instruction in kernels().iter().flat_map(|kernel| &kernel.instructions) {
        let instances = forms.entry(form(instruction)).or_default();
        if instances.len() < INSTANCES && instruction.mnemonic() != Mnemonic::Ret {
            instances.push(*instruction);
        }
    }
    let (code, mut agree, mut unrun, mut failures) = (Code::new(), 0, 0, Vec::new());
    for (form, instances) in &forms {
        if !wide && instances.iter().any(|it| needs_avx512(it.cpuid_features())) {
            unrun += 1;
            continue;
        }
        let before = failures.len();
        for instruction in instances {
            let runs = (0..RUNS).map(|seed| compare(&code, instruction, wide, seed));
            let failure = match runs.filter_map(Result::err).next() {
                None => continue,
                Some(Otherwise::Unknown) => "it is unknown".into(),
                Some(Otherwise::Refused(why) | Otherwise::Differs(why)) => why,
            };
            failures.push(format!("{instruction} ({form}): {failure}"));
        }
        agree += usize::from(failures.len() == before);
    }
    println!("{agree} forms of the kernels' instructions agree with the processor");
    if unrun > 0 {
        common::not_tested(&format!(
            "{unrun} forms of AVX-512 instructions against the processor, which lacks them"
        ));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Compares so many random encodings of every form that a gate allows and the interpreter knows.
fn compare_forms(instances: usize) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let wide = InstructionSet::Avx512.can_run();
    if !InstructionSet::Avx2.can_run() {
        return;
    }
    let (code, domain) = (Code::new(), &mut Numbers::new(0, Vec::new()));
    let (mut known, mut compared, mut refused, mut never, mut failures) =
        (0, 0, 0, Vec::new(), Vec::new());
    for form in Form::values() {
        let features = form.cpuid_features();
        let allowed = features
            .iter()
            .all(|&feature| InstructionSet::Avx512.allows(feature));
        let is_return = form.mnemonic() == Mnemonic::Ret;
        if !form.op_code().mode64() || !allowed || is_return || !wide && needs_avx512(features) {
            continue;
        }
        let (mut its, mut is_known) = (0, false);
        // Encodings that do not exist, that the interpreter refuses or does not know are drawn again.
        for _ in 0..4 * instances {
            let Some(instruction) = random_instance(domain, form) else {
                continue;
            };
            match compare(&code, &instruction, wide, domain.random()) {
                Ok(()) => its += 1,
                Err(Otherwise::Unknown) if !is_known => break,
                Err(Otherwise::Unknown) => {}
                Err(Otherwise::Refused(_)) => refused += 1,
                Err(Otherwise::Differs(why)) => {
                    failures.push(format!("{instruction} ({form:?}): {why}"));
                    break;
                }
            }
            is_known = true;
            if its == instances {
                break;
            }
        }
        known += usize::from(is_known);
        compared += its;
        if is_known && its == 0 {
            never.push(form);
        }
    }
    println!(
        "{known} forms of instructions that the interpreter knows: {compared} random encodings agree with the processor, \
         {refused} were refused; always refused: {never:?}"
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn random_encodings_agree_with_the_processor() {
    compare_forms(8);
}

#[test]
#[ignore = "takes minutes, even optimised"]
fn many_random_encodings_agree_with_the_processor() {
    compare_forms(4000);
}
