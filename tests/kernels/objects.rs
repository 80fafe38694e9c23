//! The kernels of the build: their bytes from the objects that build.rs archived, linked by themselves.
//!
//! An object holds kernels and their constants and nothing else: whatever is not understood is an error, so that no code
//! of the archive goes unseen.

use crate::build_script;
use crate::decode::{CONSTANTS_AT, InstructionSet, Kernel};
use crate::{claims, hex};
use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use object::read::archive::ArchiveFile;
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags,
    SectionKind, SymbolFlags, SymbolKind, elf,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

type File<'data> = object::File<'data>;

/// What every kernel's symbol begins with.
pub const SYMBOL_PREFIX: &str = env!("LTHASH_SYMBOL_PREFIX");

/// The kernels of this build, by the archive that cargo linked.
pub fn kernels() -> Vec<Kernel> {
    let mut kernels: Vec<Kernel> = objects().into_iter().flatten().collect();
    kernels.sort_by(|a, b| a.symbol.cmp(&b.symbol));
    kernels
}

/// The same, object by object.
fn objects() -> Vec<Vec<Kernel>> {
    let path = concat!(env!("OUT_DIR"), "/liblthash_kernels.a");
    let archive = fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let archive_file = ArchiveFile::parse(&*archive).expect("an archive");
    let kernels = archive_file.members().map(|member| {
        let member = member.unwrap();
        let name = String::from_utf8_lossy(member.name());
        kernels_of(member.data(&*archive).unwrap()).unwrap_or_else(|why| panic!("{name}: {why}"))
    });
    kernels.collect()
}

/// The kernels of an object. An error says what else is in it.
pub fn kernels_of(object: &[u8]) -> Result<Vec<Kernel>, String> {
    let object = File::parse(object).map_err(|error| error.to_string())?;
    check_sections(&object)?;
    let mut kernels = Vec::new();
    for symbol in object.symbols() {
        if !matches!(symbol.kind(), SymbolKind::File | SymbolKind::Section) {
            check_symbol(&symbol)?;
            kernels.push(kernel(&object, &symbol)?);
        }
    }
    check_text(&object)?;
    Ok(kernels)
}

/// That nothing is loaded but code, constants and what unwinds the stack; that no linker changes or merges the constants;
/// and that the program's stack stays without execution.
fn check_sections(object: &File) -> Result<(), String> {
    let mut stack = None;
    for section in object.sections() {
        let name = section.name().map_err(|error| error.to_string())?;
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
            return Err("not an ELF object".into());
        };
        let flags = sh_flags.0;
        let (loaded, code) = (elf::SHF_ALLOC.0, elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0);
        let allowed = match name {
            ".text" => flags == code,
            ".rodata" => flags == loaded && section.relocations().count() == 0,
            ".eh_frame" | ".note.gnu.property" => flags == loaded,
            _ => section.size() == 0 || flags & loaded == 0,
        };
        if !allowed {
            return Err(format!("a section {name} with the flags {flags:#x}"));
        }
        if name == ".note.GNU-stack" {
            stack = Some(flags);
        }
    }
    if let Some(section) = object.section_by_name(".eh_frame") {
        check_unwinding(section.data().map_err(|error| error.to_string())?)?;
    }
    match stack {
        Some(0) => Ok(()),
        _ => Err("no note that the stack need not be executable".into()),
    }
}

/// That what unwinds the stack calls nothing: that each entry with what others have in common (Linux Standard Base Core 5.0,
/// section 10.6.1) has the augmentation `zR`, which has no place for a personality routine.
fn check_unwinding(entries: &[u8]) -> Result<(), String> {
    let mut rest = entries;
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let entry = behind.get(..length).ok_or("unwinding that ends early")?;
        let is_common = entry.starts_with(&[0; 4]);
        if is_common && !entry[4..].starts_with(b"\x01zR\0") {
            return Err("unwinding that calls a function".into());
        }
        rest = &behind[length..];
    }
    Ok(())
}

/// That a symbol is a function's, hidden, of a size, in the code.
fn check_symbol<'data>(symbol: &impl ObjectSymbol<'data>) -> Result<(), String> {
    let name = symbol.name().map_err(|error| error.to_string())?;
    let SymbolFlags::Elf { st_info, st_other } = symbol.flags() else {
        return Err("not an ELF object".into());
    };
    let global_function = elf::STB_GLOBAL | elf::STT_FUNC;
    if symbol.is_undefined() {
        Err(format!("{name} is not defined"))
    } else if (st_info, st_other.visibility()) != (global_function, elf::STV_HIDDEN) {
        Err(format!(
            "{name} is no hidden global function: {st_info:?}, {st_other:?}"
        ))
    } else if symbol.size() == 0 {
        Err(format!("{name} has no size"))
    } else {
        Ok(())
    }
}

/// That kernels do not overlap, and that nothing is between them but the nops that align them.
fn check_text(object: &File) -> Result<(), String> {
    let Some(text) = object.section_by_name(".text") else {
        return Ok(());
    };
    let code = text.data().map_err(|error| error.to_string())?;
    let mut ranges: Vec<(u64, u64)> = object
        .symbols()
        .filter(|symbol| symbol.section_index() == Some(text.index()) && symbol.size() > 0)
        .map(|symbol| (symbol.address(), symbol.address() + symbol.size()))
        .collect();
    ranges.sort();
    let (alignment, aligned) = (
        text.align(),
        ranges.iter().all(|(begin, _)| begin % 64 == 0),
    );
    if alignment < 64 || !aligned {
        return Err("a kernel's entry is not aligned to 64 bytes".into());
    }
    ranges.push((code.len() as u64, u64::MAX));
    let mut end = 0;
    for (begin, its_end) in ranges {
        let gap = code
            .get(end as usize..begin as usize)
            .ok_or_else(|| format!("kernels overlap at {begin:#x}"))?;
        let is_nop = |it: iced_x86::Instruction| it.mnemonic() == Mnemonic::Nop;
        let decoder = Decoder::new(64, gap, DecoderOptions::NONE);
        if gap.len() >= 64 || !decoder.into_iter().all(is_nop) {
            return Err(format!("code without a name at {end:#x}..{begin:#x}"));
        }
        end = its_end;
    }
    for (offset, _) in text.relocations() {
        let inside = |symbol: object::Symbol| {
            (symbol.address()..symbol.address() + symbol.size()).contains(&offset)
        };
        if !object.symbols().any(inside) {
            return Err(format!("a relocation outside of kernels at {offset:#x}"));
        }
    }
    Ok(())
}

fn kernel<'data>(
    object: &File<'data>,
    symbol: &impl ObjectSymbol<'data>,
) -> Result<Kernel, String> {
    let name = symbol.name().unwrap();
    let (stem, instruction_set) = name
        .strip_prefix(SYMBOL_PREFIX)
        .and_then(|rest| rest.rsplit_once('_'))
        .ok_or_else(|| format!("{name}: not a kernel's name"))?;
    let instruction_set = InstructionSet::ALL
        .into_iter()
        .find(|known| known.name() == instruction_set)
        .ok_or_else(|| format!("{name}: no such instruction set"))?;
    let text = symbol
        .section_index()
        .and_then(|index| object.section_by_index(index).ok())
        .filter(|section| section.name() == Ok(".text"))
        .ok_or_else(|| format!("{name} is not in the code"))?;
    let mut code = text
        .data_range(symbol.address(), symbol.size())
        .ok()
        .flatten()
        .ok_or_else(|| format!("{name} is not all in the code"))?
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
            return Err(format!(
                "{name}+{at:#x}: not a PC-relative relocation: {relocation:?}"
            ));
        };
        let section = match relocation.target() {
            RelocationTarget::Symbol(target) => object
                .symbol_by_index(target)
                .ok()
                .filter(|target| target.kind() == SymbolKind::Section)
                .and_then(|target| object.section_by_index(target.section_index()?).ok()),
            _ => None,
        };
        let section = section
            .filter(|section| section.kind() == SectionKind::ReadOnlyData)
            .ok_or_else(|| format!("{name}+{at:#x} refers to something else than constants"))?;
        if constants
            .as_ref()
            .is_some_and(|known| *known != section.index())
        {
            return Err(format!("{name}: two sections of constants"));
        }
        constants = Some(section.index());
        let field = at..at + 4;
        let displacement = CONSTANTS_AT as i64 + relocation.addend() - at as i64;
        code[field.clone()].copy_from_slice(&i32::try_from(displacement).unwrap().to_le_bytes());
        relocated.push(field);
    }
    let constants = constants.map(|index| object.section_by_index(index).unwrap());

    Ok(Kernel {
        symbol: name.into(),
        name: stem.into(),
        instruction_set,
        instructions: Decoder::with_ip(64, &code, 0, DecoderOptions::NONE)
            .into_iter()
            .collect(),
        code,
        relocated,
        constants_alignment: constants.as_ref().map_or(1, |section| section.align()),
        constants: constants.map_or(Vec::new(), |section| section.data().unwrap().to_vec()),
    })
}

/// The instruction sets that this build has.
fn instruction_sets() -> impl Iterator<Item = InstructionSet> {
    let built = |instruction_set: &InstructionSet| match instruction_set {
        InstructionSet::Avx2 => true,
        InstructionSet::Avx512 => cfg!(lthash_avx512),
    };
    InstructionSet::ALL.into_iter().filter(built)
}

/// The kernels that the sources of a crate declare, `name_family`: those in the blocks of the macro `kernel!`.
fn declared(sources: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            declared(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for block in text.split("kernel! {").skip(1) {
            let (head, block) = block.split_once(':').unwrap();
            let block = block.split_once('}').unwrap().0;
            let names = block.split("fn ").skip(1);
            for name in names.filter_map(|it| Some(it.split_once('(')?.0)) {
                for instruction_set in instruction_sets().map(InstructionSet::name) {
                    if head.trim().starts_with('$') || head.trim() == format!("{instruction_set:?}")
                    {
                        found.insert(format!("{name}_{instruction_set}"));
                    }
                }
            }
        }
    }
}

#[test]
fn no_kernel_goes_unseen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // What build.rs assembles, by the sources that it names.
    let sources: Vec<String> = build_script::INSTRUCTION_SETS
        .iter()
        .filter(|instruction_set| {
            instruction_sets().any(|built| built.name() == instruction_set.name)
        })
        .flat_map(build_script::InstructionSet::sources)
        .collect();
    assert_eq!(objects().len(), sources.len(), "objects of {sources:?}");
    let mut assembled = BTreeSet::new();
    for file in &sources {
        let names = build_script::kernels(&root.join("asm").join(file)).unwrap();
        assert!(!names.is_empty(), "{file} has no kernel");
        assembled.extend(names.iter().map(|name| format!("{SYMBOL_PREFIX}{name}")));
    }

    let kernels = kernels();
    let decoded: BTreeSet<String> = kernels.iter().map(|kernel| kernel.symbol.clone()).collect();
    assert_eq!(decoded.len(), kernels.len(), "two kernels of one name");
    assert_eq!(
        decoded, assembled,
        "of the archive, and by KERNEL() in the sources"
    );

    let decoded: BTreeSet<String> = kernels
        .iter()
        .map(|kernel| format!("{}_{}", kernel.name, kernel.instruction_set.name()))
        .collect();
    let mut declares = BTreeSet::new();
    declared(&root.join("src/backend"), &mut declares);
    assert_eq!(
        decoded, declares,
        "of the archive, and as src/ declares them"
    );

    let mut claimed = BTreeSet::new();
    for instruction_set in instruction_sets() {
        let of_hex = hex::kernels_of(instruction_set).iter();
        claimed.extend(of_hex.map(|name| format!("{name}_{}", instruction_set.name())));
        let claims = claims::claims::<crate::terms::Terms>(instruction_set);
        let name = |call: &claims::Call<_>| format!("{}_{}", call.kernel, instruction_set.name());
        claimed.extend(claims.iter().map(name));
    }
    assert_eq!(decoded, claimed, "of the archive, and by the claims");
}
