//! What a kernel's banner says is so: its prototype is the one that Rust calls the kernel by, and its stack is what the proofs
//! found it to use.

#[allow(dead_code)]
#[path = "../build.rs"]
mod build_script;

use build_script::{INSTRUCTION_SETS, kernels};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A function's result, and its arguments' names and types as in `*const u8`, `*mut 2048 bytes`, `u32`.
type Prototype = (String, Vec<(String, String)>);

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// What is between two strings.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, behind) = text.split_once(from)?;
    Some(behind.split_once(to)?.0)
}

fn of_bytes(count: usize, element: &str) -> String {
    let size = match element {
        "uint8_t" | "u8" => 1,
        "uint16_t" | "u16" => 2,
        "uint32_t" | "u32" => 4,
        _ => panic!("an array of {element}"),
    };
    format!("{} bytes", count * size)
}

/// An argument in C, such as `const uint32_t sums[16][32]`.
fn argument_in_c(argument: &str) -> (String, String) {
    let (access, argument) = match argument.strip_prefix("const ") {
        Some(argument) => ("*const", argument),
        None => ("*mut", argument),
    };
    let (element, name) = argument.split_once(' ').unwrap();
    let plain = match element {
        "size_t" => "usize",
        "uint64_t" => "u64",
        "uint32_t" => "u32",
        "uint8_t" => "u8",
        named => named,
    };
    if let Some(name) = name.strip_prefix('*') {
        return (name.into(), format!("{access} {plain}"));
    }
    match name.split_once('[') {
        // How many depends on the instruction set.
        Some((name, _)) if element == "LaneGroup" => {
            (name.into(), format!("{access} groups of lanes"))
        }
        Some((name, lengths)) => {
            let lengths = lengths.trim_end_matches(']').split("][");
            let count = lengths.map(|length| length.parse::<usize>().unwrap());
            let bytes = of_bytes(count.product(), element);
            (name.into(), format!("{access} {bytes}"))
        }
        None => (name.into(), plain.into()),
    }
}

/// An argument in Rust, such as `sums: *mut LaneSums`.
fn argument_in_rust(argument: &str) -> (String, String) {
    let (name, of) = argument.split_once(": ").unwrap();
    let of = match of.rsplit_once(' ') {
        Some((access, "Limbs" | "LaneSums")) => format!("{access} 2048 bytes"),
        Some((access, "GuardBytes")) => format!("{access} 16 bytes"),
        Some((access, "LaneGroup<$lanes>")) => format!("{access} LaneGroup"),
        _ if of.ends_with(" [LaneGroup<$lanes>; $groups]") => {
            let (access, _) = of.split_once(" [").unwrap();
            format!("{access} groups of lanes")
        }
        _ => match between(of, "[", "]") {
            Some(array) => {
                let (element, count) = array.split_once("; ").unwrap();
                let (access, _) = of.split_once(" [").unwrap();
                format!("{access} {}", of_bytes(count.parse().unwrap(), element))
            }
            None => of.into(),
        },
    };
    (name.into(), of)
}

fn prototype(result: &str, arguments: &str, argument: fn(&str) -> (String, String)) -> Prototype {
    let arguments = arguments.split(',').map(str::trim);
    (result.into(), arguments.map(argument).collect())
}

/// The prototypes of the banner, a file's first comment, by symbol, without the prefix.
fn of_banner(text: &str, isa: &str) -> BTreeMap<String, Prototype> {
    let banner = between(text, "/*", "*/").unwrap();
    let words: Vec<&str> = (banner.lines())
        .flat_map(|line| line.trim_start().trim_start_matches('*').split_whitespace())
        .collect();
    let banner = words.join(" ");
    let mut prototypes = BTreeMap::new();
    for piece in banner.split(");") {
        let Some((head, arguments)) = piece.rsplit_once(&format!("_{isa}(")) else {
            continue;
        };
        let mut head = head.rsplit(' ');
        let name = format!("{}_{isa}", head.next().unwrap());
        let result = head.next().unwrap();
        prototypes.insert(name, prototype(result, arguments, argument_in_c));
    }
    prototypes
}

/// The prototypes of a file's `kernel!` blocks, by name.
fn of_rust(path: &str) -> BTreeMap<String, Prototype> {
    let text = read(path);
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let mut prototypes = BTreeMap::new();
    for block in text.split(" kernel! { ").skip(1) {
        let (block, _) = block.split_once(" }").unwrap();
        for function in block.split("fn ").skip(1) {
            let (name, behind) = function.split_once('(').unwrap();
            let (arguments, result) = behind.split_once(')').unwrap();
            let result = between(result, "-> ", ";").unwrap_or("void");
            prototypes.insert(name.into(), prototype(result, arguments, argument_in_rust));
        }
    }
    prototypes
}

#[test]
fn banners_and_declarations_agree() {
    let mut compared = 0;
    for set in &INSTRUCTION_SETS {
        let mut declared = of_rust("src/backend/x86_64.rs");
        if set.name == "avx2" {
            declared.extend(of_rust("src/backend/x86_64/hex.rs"));
        }
        for file in set.sources() {
            let path = format!("asm/{file}");
            let in_banner = of_banner(&read(&path), set.name);
            let kernels = kernels(&Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).unwrap();
            assert_eq!(in_banner.len(), kernels.len(), "{path}: {in_banner:?}");
            for kernel in kernels {
                let name = kernel.strip_suffix(set.name).unwrap().trim_end_matches('_');
                let declared = declared.remove(name);
                assert_eq!(
                    in_banner.get(&kernel),
                    declared.as_ref(),
                    "{path}: {kernel}"
                );
                compared += 1;
            }
        }
        assert!(declared.is_empty(), "{}: no kernels {declared:?}", set.name);
    }
    assert!(compared >= 18, "{compared} kernels");
}

/// How far below its return address each kernel reaches, in bytes, by name, as tests/kernels has recorded it.
fn recorded_frames(isa: &str) -> BTreeMap<String, usize> {
    read(&format!("tests/kernels/recorded/{isa}.txt"))
        .lines()
        .skip(1)
        .map(|line| {
            let mut columns = line.split_whitespace();
            let name = columns.next().unwrap().to_owned();
            (name, columns.nth(2).unwrap().parse().unwrap())
        })
        .collect()
}

/// A file's banner is for the kernel that uses most. The hex kernels, which are recorded nowhere, use none.
#[test]
fn banners_and_recorded_frames_agree() {
    for set in &INSTRUCTION_SETS {
        let frames = recorded_frames(set.name);
        for file in set.sources() {
            let path = format!("asm/{file}");
            let text = read(&path);
            let stack = match between(&text, " Stack: ", ".").unwrap() {
                "none" => 0,
                bytes => bytes.strip_suffix(" bytes").unwrap().parse().unwrap(),
            };
            let deepest = of_banner(&text, set.name)
                .keys()
                .filter_map(|kernel| frames.get(kernel))
                .max();
            // With a frame, the return address counts too.
            let expected = match deepest {
                None | Some(0) => 0,
                Some(frame) => frame + 8,
            };
            assert_eq!(stack, expected, "{path}");
        }
    }
}

#[test]
fn what_differs_is_told_apart() {
    let banner = "/*\n * Sums.\n *\n *   void add_x(uint32_t sums[16][32], const uint8_t *from,\n *              size_t count);   some words\n */";
    let prototypes = of_banner(banner, "x");
    let (result, arguments) = &prototypes["add_x"];
    assert_eq!(result, "void");
    let rust = ["sums: *mut LaneSums", "from: *const u8", "count: usize"];
    assert_eq!(*arguments, rust.map(argument_in_rust));
    for other in [
        "sums: *const LaneSums",
        "sum: *mut LaneSums",
        "sums: *mut [u32; 8]",
        "sums: *mut u8",
    ] {
        assert_ne!(arguments[0], argument_in_rust(other));
    }
}
