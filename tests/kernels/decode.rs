//! The kernels of the build: their bytes from the objects that build.rs archived, linked by themselves and decoded.

use crate::machine::{Stop, Stopped};
use iced_x86::{
    CpuidFeature, Decoder, DecoderOptions, EncodingKind, Instruction, InstructionInfoFactory,
    InstructionInfoOptions, Mnemonic, Register,
};
use object::read::archive::ArchiveFile;
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionKind,
    SymbolKind, elf,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// Where a kernel's read-only data stands when its code stands at 0.
pub const CONSTANTS_AT: u64 = 1 << 30;

/// A family of kernels, with the features that its gate checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Avx2,
    Avx512,
}

impl Family {
    pub const ALL: [Family; 2] = [Family::Avx2, Family::Avx512];

    pub fn name(self) -> &'static str {
        match self {
            Family::Avx2 => "avx2",
            Family::Avx512 => "avx512",
        }
    }

    /// Whether the gate allows an instruction that needs `feature`. Gates imply AVX and what x86-64 always has.
    fn allows(self, feature: CpuidFeature) -> bool {
        use CpuidFeature::*;
        let baseline = matches!(
            feature,
            INTEL8086 | INTEL186 | INTEL286 | INTEL386 | INTEL486 | X64 | CMOV | AVX | CET_IBT
        );
        let avx2 = matches!(feature, AVX2 | BMI2);
        let avx512 = matches!(feature, AVX512F | AVX512BW | AVX512VL);
        baseline || avx2 || (self == Family::Avx512 && avx512)
    }
}

impl Family {
    /// Whether this processor and its operating system have what the gate checks. A family that goes unrun is named.
    pub fn can_run(self) -> bool {
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        let can = avx2 && (self == Family::Avx2 || avx512);
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
    /// Without prefix and family.
    pub name: String,
    pub family: Family,
    pub code: Vec<u8>,
    pub instructions: Vec<Instruction>,
    /// The displacements that a linker fills in.
    pub relocated: Vec<Range<usize>>,
    pub constants: Vec<u8>,
    pub constants_alignment: u64,
}

/// The kernels of this build, by the archive that cargo linked.
pub fn kernels() -> Vec<Kernel> {
    let path = concat!(env!("OUT_DIR"), "/liblthash_kernels.a");
    let archive = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut kernels = Vec::new();
    for member in ArchiveFile::parse(&*archive).expect("an archive").members() {
        let data = member.unwrap().data(&*archive).unwrap();
        let object = object::File::parse(data).expect("an object");
        for symbol in object
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0)
        {
            kernels.push(kernel(&object, &symbol));
        }
    }
    kernels.sort_by(|a, b| a.symbol.cmp(&b.symbol));
    kernels
}

fn kernel<'data>(object: &object::File<'data>, symbol: &impl ObjectSymbol<'data>) -> Kernel {
    let name = symbol.name().unwrap();
    let (stem, family) = name
        .strip_prefix(env!("LTHASH_SYMBOL_PREFIX"))
        .and_then(|rest| rest.rsplit_once('_'))
        .unwrap_or_else(|| panic!("{name}: not a kernel's name"));
    let family = Family::ALL
        .into_iter()
        .find(|known| known.name() == family)
        .unwrap_or_else(|| panic!("{name}: no such family"));
    let text = object
        .section_by_index(symbol.section_index().unwrap())
        .unwrap();
    let mut code = text
        .data_range(symbol.address(), symbol.size())
        .unwrap()
        .unwrap()
        .to_vec();

    let mut constants = None;
    let mut relocated = Vec::new();
    for (offset, relocation) in text.relocations() {
        let Some(at) = offset
            .checked_sub(symbol.address())
            .map(|at| at as usize)
            .filter(|&at| at < code.len())
        else {
            continue;
        };
        let RelocationFlags::Elf {
            r_type: elf::R_X86_64_PC32,
        } = relocation.flags()
        else {
            panic!("{name}+{at:#x}: not a PC-relative relocation: {relocation:?}")
        };
        let RelocationTarget::Symbol(target) = relocation.target() else {
            panic!("{name}+{at:#x}: {relocation:?}")
        };
        let target = object.symbol_by_index(target).unwrap();
        let section = object
            .section_by_index(target.section_index().unwrap())
            .unwrap();
        assert_eq!(
            section.kind(),
            SectionKind::ReadOnlyData,
            "{name}+{at:#x} refers to {:?}",
            section.name()
        );
        assert!(
            constants
                .as_ref()
                .is_none_or(|known| *known == section.index()),
            "{name}: two sections of constants"
        );
        constants = Some(section.index());
        let field = at..at + 4;
        let displacement =
            CONSTANTS_AT as i64 + target.address() as i64 + relocation.addend() - at as i64;
        code[field.clone()].copy_from_slice(&i32::try_from(displacement).unwrap().to_le_bytes());
        relocated.push(field);
    }
    let constants = constants.map(|index| object.section_by_index(index).unwrap());

    Kernel {
        symbol: name.into(),
        name: stem.into(),
        family,
        instructions: Decoder::with_ip(64, &code, 0, DecoderOptions::NONE)
            .into_iter()
            .collect(),
        code,
        relocated,
        constants_alignment: constants.as_ref().map_or(1, |section| section.align()),
        constants: constants.map_or(Vec::new(), |section| section.data().unwrap().to_vec()),
    }
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
                if !self.family.allows(*feature) {
                    fault(&format!("needs {feature:?}, which the gate does not check"));
                }
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
fn every_family_of_the_build_has_kernels() {
    for family in Family::ALL {
        let assembled = cfg!(lthash_avx2) && (family == Family::Avx2 || cfg!(lthash_avx512));
        let seen = kernels()
            .iter()
            .filter(|kernel| kernel.family == family)
            .count();
        assert_eq!(assembled, seen > 0, "{} has {seen} kernels", family.name());
    }
}

#[test]
fn every_kernel_keeps_the_house_rules() {
    let faults: Vec<String> = kernels().iter().flat_map(Kernel::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
