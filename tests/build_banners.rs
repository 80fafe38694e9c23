//! The banners of the kernels are true: a C prototype is the one that Rust declares, and the stack is what the proofs found.

#[allow(dead_code)]
#[path = "../build.rs"]
mod build_script;

use build_script::{INSTRUCTION_SETS, kernels};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file's first comment, with single spaces between words.
fn banner(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let (banner, _) = text.split_once("*/").unwrap();
    let words = banner.split_whitespace().filter(|word| *word != "*");
    words.collect::<Vec<&str>>().join(" ")
}

/// All files under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let under = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    };
    paths.flat_map(under).collect()
}

/// The C prototypes of the kernels that src/backend declares for an instruction set, by name: those in its `kernel!` blocks.
fn declared(instruction_set: &str) -> BTreeMap<String, String> {
    let mut declared = BTreeMap::new();
    for file in files(&root().join("src/backend")) {
        let text = fs::read_to_string(file).unwrap();
        for block in text.split("kernel! {").skip(1) {
            let (of, block) = block.split_once(':').unwrap();
            let of = of.trim();
            if !of.starts_with('$') && of != format!("{instruction_set:?}") {
                continue;
            }
            let (block, _) = block.split_once('}').unwrap();
            for function in block.split("fn ").skip(1) {
                let (name, behind) = function.split_once('(').unwrap();
                let (arguments, result) = behind.split_once(')').unwrap();
                let kernel = format!("{name}_{instruction_set}");
                let prototype = in_c(&kernel, arguments, result, instruction_set);
                declared.insert(kernel, prototype);
            }
        }
    }
    declared
}

fn in_c(kernel: &str, arguments: &str, result: &str, instruction_set: &str) -> String {
    let result = match result.trim_end().trim_end_matches(';').trim() {
        "" => "void",
        result => result.strip_prefix("-> ").unwrap(),
    };
    let arguments: Vec<String> = (arguments.split(',').map(str::trim))
        .filter(|argument| !argument.is_empty())
        .map(|argument| {
            let (name, of) = argument.split_once(": ").unwrap();
            c_type(of, instruction_set).replace('%', name)
        })
        .collect();
    format!("{result} {kernel}({});", arguments.join(", "))
}

/// The C declaration of an argument `%` of a type in Rust. How many vectors of lanes there are depends on the instruction set.
fn c_type(of: &str, instruction_set: &str) -> &'static str {
    match of {
        "usize" => "size_t %",
        "u64" => "uint64_t %",
        "u32" => "uint32_t %",
        "*const u8" => "const uint8_t *%",
        "*mut u8" => "uint8_t *%",
        "*const [u8; 16]" => "const uint8_t %[16]",
        "*mut [u32; 8]" => "uint32_t %[8]",
        "*mut GuardBytes" => "uint8_t %[16]",
        "*const Limbs" => "const uint16_t %[1024]",
        "*mut Limbs" => "uint16_t %[1024]",
        "*const LaneSums" => "const uint32_t %[16][32]",
        "*mut LaneSums" => "uint32_t %[16][32]",
        "*const RootNode" => "const RootNode *%",
        "*mut LaneVector<N>" => "LaneVector *%",
        "*mut [LaneVector<N>; K]" if instruction_set == "avx512" => "LaneVector %[2]",
        "*mut [LaneVector<N>; K]" => "LaneVector %[3]",
        of => panic!("no C type for {of}"),
    }
}

#[test]
fn banners_have_the_declared_prototypes() {
    for set in &INSTRUCTION_SETS {
        let mut declared = declared(set.name);
        for file in set.sources() {
            let path = root().join("asm").join(&file);
            let banner = banner(&path);
            let kernels = kernels(&path).unwrap();
            let prototypes = banner.matches(&format!("_{}(", set.name)).count();
            assert_eq!(prototypes, kernels.len(), "{file}");
            for kernel in kernels {
                let prototype = declared
                    .remove(&kernel)
                    .unwrap_or_else(|| panic!("{file}: src/backend does not declare {kernel}"));
                assert!(banner.contains(&prototype), "{file}: not {prototype}");
            }
        }
        assert!(declared.is_empty(), "not in asm/: {declared:?}");
    }
}

#[test]
fn a_prototype_in_c() {
    let arguments = "\n    sums: *mut LaneSums, from: *const u8,\n    count: usize,\n";
    let expected = "void add_x(uint32_t sums[16][32], const uint8_t *from, size_t count);";
    assert_eq!(in_c("add_x", arguments, ";\n", "x"), expected);
    let expected = "Bytes find_x(uint64_t word);";
    assert_eq!(in_c("find_x", "word: u64", " -> Bytes;", "x"), expected);
}

/// How far below its return address each kernel reaches, in bytes, by name, as tests/kernels has recorded it.
fn recorded_frames(instruction_set: &str) -> BTreeMap<String, usize> {
    let path = format!("tests/kernels/recorded/{instruction_set}.txt");
    let text = fs::read_to_string(root().join(path)).unwrap();
    let frame = |line: &str| {
        let mut columns = line.split_whitespace();
        let name = columns.next().unwrap().to_owned();
        (name, columns.nth(2).unwrap().parse().unwrap())
    };
    text.lines().skip(1).map(frame).collect()
}

/// A banner has the stack of the kernel that uses most. The hex kernels, which are not recorded, use none.
#[test]
fn banners_have_the_recorded_frames() {
    for set in &INSTRUCTION_SETS {
        let frames = recorded_frames(set.name);
        for file in set.sources() {
            let path = root().join("asm").join(&file);
            let banner = banner(&path);
            let (_, behind) = banner.split_once(" Stack: ").unwrap();
            let (stack, _) = behind.split_once('.').unwrap();
            let stack = match stack {
                "none" => 0,
                bytes => bytes.strip_suffix(" bytes").unwrap().parse().unwrap(),
            };
            let kernels = kernels(&path).unwrap();
            let deepest = kernels.iter().filter_map(|kernel| frames.get(kernel)).max();
            // With a frame, the return address counts too.
            let expected = match deepest {
                None | Some(0) => 0,
                Some(frame) => frame + 8,
            };
            assert_eq!(stack, expected, "{file}");
        }
    }
}
