//! A kernel's machine code, decoded, and the rules that it has to keep whatever it computes.

use crate::machine::{Stop, Stopped};
use crate::objects::kernels;
use iced_x86::{
    CpuidFeature, Encoder, EncodingKind, Instruction, InstructionInfoFactory,
    InstructionInfoOptions, Mnemonic, OpKind, Register,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// Where a kernel's read-only data stands when its code stands at 0.
pub const CONSTANTS_AT: u64 = 1 << 30;

/// An instruction set that kernels are written for, with the features that its gate checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstructionSet {
    Avx2,
    Avx512,
}

impl InstructionSet {
    pub const ALL: [InstructionSet; 2] = [InstructionSet::Avx2, InstructionSet::Avx512];

    pub fn name(self) -> &'static str {
        match self {
            InstructionSet::Avx2 => "avx2",
            InstructionSet::Avx512 => "avx512",
        }
    }

    /// Whether the gate allows an instruction that needs `feature`. Gates imply AVX and what x86-64 always has.
    pub fn allows(self, feature: CpuidFeature) -> bool {
        use CpuidFeature::*;
        let baseline = matches!(
            feature,
            INTEL8086 | INTEL186 | INTEL286 | INTEL386 | INTEL486 | X64 | CMOV | AVX | CET_IBT
        );
        let avx2 = matches!(feature, AVX2 | BMI2);
        let avx512 = matches!(feature, AVX512F | AVX512BW | AVX512VL);
        baseline || avx2 || (self == InstructionSet::Avx512 && avx512)
    }
}

impl InstructionSet {
    /// Whether this processor and its operating system have what the gate checks. An instruction set that goes unrun is named.
    pub fn can_run(self) -> bool {
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        let can = avx2 && (self == InstructionSet::Avx2 || avx512);
        if !can {
            crate::goes_without(
                self.name(),
                "not on this processor: its kernels are proven here and not run",
            );
        }
        can
    }
}

/// A kernel's machine code, at address 0, and its object's read-only data, at [`CONSTANTS_AT`].
#[derive(Clone)]
pub struct Kernel {
    pub symbol: String,
    /// Without prefix and instruction set.
    pub name: String,
    pub instruction_set: InstructionSet,
    pub code: Vec<u8>,
    pub instructions: Vec<Instruction>,
    /// The displacements that a linker fills in.
    pub relocated: Vec<Range<usize>>,
    pub constants: Vec<u8>,
    pub constants_alignment: u64,
}

impl Kernel {
    /// What stands in the code against the house's rules, whatever it computes.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut previous = Mnemonic::INVALID;
        for instruction in &self.instructions {
            let mut fault = |what: &str| {
                faults.push(format!(
                    "{}+{:#x}: {instruction}: {what}",
                    self.symbol,
                    instruction.ip()
                ))
            };
            if instruction.is_invalid() {
                fault("not an instruction");
            }
            if instruction.mnemonic() == Mnemonic::Ret && previous != Mnemonic::Vzeroupper {
                fault("not directly behind vzeroupper");
            }
            for feature in instruction.cpuid_features() {
                if !self.instruction_set.allows(*feature) {
                    fault(&format!("needs {feature:?}, which the gate does not check"));
                }
            }
            if !self.is_plainly_encoded(instruction) {
                fault("not as an assembler encodes it: processors may differ on its prefixes");
            }
            if !self.is_relocated_plainly(instruction) {
                fault(
                    "what the linker fills in is not the displacement of constants, or it fills in none",
                );
            }
            let vector = instruction
                .op_kinds()
                .enumerate()
                .any(|(i, _)| instruction.op_register(i as u32).is_vector_register());
            if vector
                && !matches!(
                    instruction.encoding(),
                    EncodingKind::VEX | EncodingKind::EVEX
                )
            {
                fault("a vector instruction in the legacy encoding");
            }
            previous = instruction.mnemonic();
        }
        if !matches!(previous, Mnemonic::Ret | Mnemonic::Jmp) {
            faults.push(format!(
                "{}: the last instruction lets the processor run on",
                self.symbol
            ));
        }
        faults
    }

    /// Whether an instruction stands there without prefixes that mean nothing (of which a branch's operand size means
    /// something to some processors), in the bytes that the decoder's own encoder gives it. Nops may be padded.
    fn is_plainly_encoded(&self, instruction: &Instruction) -> bool {
        let mut encoder = Encoder::new(64);
        let bytes = &self.code[instruction.ip() as usize..instruction.next_ip() as usize];
        instruction.mnemonic() == Mnemonic::Nop
            || encoder.encode(instruction, instruction.ip()).is_ok()
                && encoder.take_buffer() == bytes
    }

    /// Whether the linker fills in an instruction's displacement from rip if it has one, and else nothing.
    fn is_relocated_plainly(&self, instruction: &Instruction) -> bool {
        let (begin, end) = (instruction.ip() as usize, instruction.next_ip() as usize);
        let mut fields =
            (self.relocated.iter()).filter(|field| field.start < end && begin < field.end);
        let (field, more) = (fields.next(), fields.next());
        if !instruction.is_ip_rel_memory_operand() {
            return field.is_none();
        }
        // The displacement stands before an immediate of at most one byte, which alone may follow.
        let behind = usize::from(
            instruction
                .op_kinds()
                .any(|kind| kind == OpKind::Immediate8),
        );
        more.is_none()
            && field.is_some_and(|field| field.start >= begin && field.end + behind == end)
    }

    /// The constants that an instruction reads.
    fn constants_of(&self, instruction: &Instruction) -> Range<usize> {
        let size = match instruction.memory_size() {
            size if instruction.is_ip_rel_memory_operand() && instruction.is_broadcast() => {
                size.element_size()
            }
            size if instruction.is_ip_rel_memory_operand() => size.size(),
            _ => return 0..0,
        };
        let first = (instruction.memory_displacement64() - CONSTANTS_AT) as usize;
        first..first + size
    }

    /// Which bytes of the constants the kernel reads.
    pub fn constants_read(&self) -> BTreeSet<usize> {
        self.instructions
            .iter()
            .flat_map(|instruction| self.constants_of(instruction))
            .collect()
    }

    /// Whether a byte of the constants does nothing but control shuffles, from memory or by way of a register that holds
    /// nothing else.
    pub fn is_shuffle_control(&self, byte: usize) -> bool {
        let controls = |instruction: &Instruction| instruction.mnemonic() == Mnemonic::Vpshufb;
        let mut reads = self
            .instructions
            .iter()
            .filter(|instruction| self.constants_of(instruction).contains(&byte));
        reads.all(|read| {
            let register = read.op0_register();
            let uses = |it: &Instruction| (0..it.op_count()).any(|i| it.op_register(i) == register);
            let others = || {
                self.instructions
                    .iter()
                    .filter(|it| it.ip() != read.ip() && uses(it))
            };
            controls(read)
                || others().all(|it| {
                    controls(it) && it.op0_register() != register && it.op1_register() != register
                })
        })
    }

    /// Whether any instruction but `ret` has to do with `rsp`.
    pub fn uses_the_stack(&self) -> bool {
        let mut factory = InstructionInfoFactory::new();
        self.instructions.iter().any(|instruction| {
            let info = factory.info_options(instruction, InstructionInfoOptions::NO_MEMORY_USAGE);
            let rsp = info
                .used_registers()
                .iter()
                .any(|used| used.register().full_register() == Register::RSP);
            rsp && instruction.mnemonic() != Mnemonic::Ret
        })
    }

    /// Where and why a run stopped, for messages.
    pub fn describe(&self, Stopped { at, stop }: Stopped) -> String {
        let instruction = self
            .instructions
            .iter()
            .find(|instruction| instruction.ip() == at);
        let text = instruction.map_or("?".into(), Instruction::to_string);
        let why = match stop {
            Stop::Unknown => "the interpreter does not know this instruction".into(),
            Stop::Fault(fault) => fault,
        };
        format!("+{at:#x}: {text}: {why}")
    }
}

#[test]
fn every_kernel_keeps_the_house_rules() {
    let faults: Vec<String> = kernels().iter().flat_map(Kernel::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
