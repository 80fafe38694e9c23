//! The build script with assemblers that are good, old, idle or absent.
//!
//! These tests run where the host's own compiler makes x86-64 ELF objects. Where there is no `cc`, they report that and pass, or
//! fail if `LTHASH_REQUIRE_ASM` is set.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

#[allow(dead_code)]
#[path = "../build.rs"]
mod build_script;
mod common;

use build_script::{Assembled, INSTRUCTION_SETS, ObjectFormat, Sources, files, kernels};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

fn asm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("asm")
}

/// Whether this machine has a `cc`. The tests of a cross build may run on a machine without one.
fn has_cc() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok();
    assert!(
        found || std::env::var_os("LTHASH_REQUIRE_ASM").is_none(),
        "LTHASH_REQUIRE_ASM is set, but there is no cc"
    );
    if !found {
        common::not_tested("assembling, since there is no `cc` on this machine");
    }
    found
}

/// A folder for one test: it holds a script that is run in the assembler's place, with the variables `$source` and `$object`, and
/// what the build script writes.
///
/// Only one exists at a time. Otherwise a process that another thread starts could inherit the script while it is written, and
/// the system would refuse to run it.
struct Sandbox {
    folder: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Sandbox {
    fn new(test: &str) -> Sandbox {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("build_assembler-{test}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("out")).unwrap();
        Sandbox {
            folder,
            _alone: alone,
        }
    }

    fn out(&self) -> PathBuf {
        self.folder.join("out")
    }

    fn archive(&self) -> PathBuf {
        self.out().join("liblthash_kernels.a")
    }

    /// The outcome of the build script with an assembler that runs these lines of shell script.
    fn assemble_with(&self, script: &str) -> Assembled {
        let compiler = self.folder.join("cc");
        let header = r#"#!/bin/sh
case $1 in -E) exec cc "$@" ;; esac # cc asks which compiler this is
object= source= last=
for word; do
  case $last in -o) object=$word ;; esac
  case $word in *.S) source=$word ;; esac
  last=$word
done
"#;
        fs::write(&compiler, format!("{header}{script}\n")).unwrap();
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
        self.assemble(&compiler, ObjectFormat::Elf)
    }

    fn assemble(&self, compiler: &Path, format: ObjectFormat) -> Assembled {
        self.assemble_and_archive(compiler, "ar", format)
    }

    fn assemble_and_archive(
        &self,
        compiler: &Path,
        archiver: &str,
        format: ObjectFormat,
    ) -> Assembled {
        let mut build = cc::Build::new();
        build
            .target("x86_64-unknown-linux-gnu")
            .host("x86_64-unknown-linux-gnu")
            .opt_level(0)
            .debug(false)
            .compiler(compiler)
            .archiver(archiver);
        let sources = Sources::read(&asm()).unwrap();
        Assembled::assemble(build, &sources, &self.out(), format)
    }
}

/// Asserts that the message says what is missing, why, and what to install.
fn assert_message(kernels: &Assembled, missing: &str, why: &str) {
    let message = kernels.missing.as_deref().unwrap_or_default();
    assert!(message.contains(missing), "{message:?} lacks {missing:?}");
    assert!(message.contains(why), "{message:?} lacks {why:?}");
    assert!(message.contains("apt install gcc"), "{message:?}");
    assert!(!message.contains('\n'), "{message:?}");
}

#[test]
fn every_file_is_listed_and_names_its_kernels() {
    let listed: BTreeSet<String> = files().collect();
    let present: BTreeSet<String> = fs::read_dir(asm())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".S") || name.ends_with(".h"))
        .collect();
    assert_eq!(listed, present);
    for set in &INSTRUCTION_SETS {
        for file in set.sources() {
            let kernels = kernels(&asm().join(&file)).unwrap();
            assert!(!kernels.is_empty(), "{file} has no KERNEL(name) line");
            for kernel in kernels {
                assert!(kernel.ends_with(set.name), "{file} has {kernel}");
            }
        }
    }
}

/// A copy of asm/ in which each file has the name and contents that `change` returns; without those for which it returns `None`.
fn changed(
    sandbox: &Sandbox,
    change: impl Fn(&str, Vec<u8>) -> Option<(String, Vec<u8>)>,
) -> PathBuf {
    let folder = sandbox.folder.join("asm");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    for file in files() {
        let contents = fs::read(asm().join(&file)).unwrap();
        if let Some((name, contents)) = change(&file, contents) {
            fs::write(folder.join(name), contents).unwrap();
        }
    }
    folder
}

#[test]
fn the_prefix_has_the_version_and_follows_every_file() {
    let sandbox = Sandbox::new("prefix");
    let prefix = |folder: &Path| Sources::read(folder).unwrap().prefix;
    let original = prefix(&asm());
    let version = env!("CARGO_PKG_VERSION").split(['-', '+']).next().unwrap();
    let start = format!("lthash_{}_", version.replace('.', "_"));
    let fingerprint = original.strip_prefix(&start).unwrap();
    let (digits, end) = fingerprint.split_at(16);
    assert!(
        digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    );
    assert_eq!(end, "_");
    assert_eq!(
        prefix(&changed(&sandbox, |file, contents| Some((
            file.into(),
            contents
        )))),
        original
    );

    let mut prefixes = BTreeSet::from([original]);
    for changed_file in files() {
        let folder = changed(&sandbox, |file, mut contents| {
            if file == changed_file {
                contents.push(b'\n');
            }
            Some((file.into(), contents))
        });
        assert!(prefixes.insert(prefix(&folder)), "{changed_file}");
    }
    // Two files with their contents exchanged.
    let folder = changed(&sandbox, |file, contents| {
        let name = match file {
            "limbs_avx2.S" => "xof_avx2.S",
            "xof_avx2.S" => "limbs_avx2.S",
            other => other,
        };
        Some((name.into(), contents))
    });
    assert!(prefixes.insert(prefix(&folder)));
}

#[test]
fn what_is_missing_of_the_sources_is_named() {
    let sandbox = Sandbox::new("incomplete");
    let lacking = |missing: &dyn Fn(&str) -> bool| {
        let folder = changed(&sandbox, |file, contents| {
            (!missing(file)).then(|| (file.into(), contents))
        });
        Sources::read(&folder).err().unwrap_or_default()
    };
    assert_eq!(lacking(&|_| false), "");
    let message = lacking(&|file| file == "abi.h");
    assert!(message.contains("asm/ lacks abi.h."), "{message}");
    let message = lacking(&|_| true);
    for file in files() {
        assert!(message.contains(&file), "{message} lacks {file}");
    }
    assert!(!message.contains("GCC"), "{message}");
}

#[test]
fn a_good_assembler_builds_everything() {
    if !has_cc() {
        return;
    }
    let sandbox = Sandbox::new("good");
    let kernels = sandbox.assemble(Path::new("cc"), ObjectFormat::Elf);
    assert_eq!(kernels.missing, None);
    assert_eq!(kernels.built, ["avx2", "avx512"]);
    assert!(sandbox.archive().exists());
}

#[test]
fn an_assembler_without_avx512_leaves_avx2() {
    if !has_cc() {
        return;
    }
    let sandbox = Sandbox::new("old");
    let kernels = sandbox.assemble_with("exec cc -Wa,-march=znver2 \"$@\"");
    assert_eq!(kernels.built, ["avx2"]);
    assert_message(&kernels, "without its avx512 kernels", "_avx512.S");
    let names = Command::new("ar")
        .arg("t")
        .arg(sandbox.archive())
        .output()
        .unwrap();
    let names = String::from_utf8(names.stdout).unwrap();
    assert!(
        names.contains("limbs_avx2") && !names.contains("avx512"),
        "{names}"
    );
}

/// If one file is refused, all kernels of its instruction set are left out, so that no table of kernels is incomplete.
#[test]
fn one_refused_file_leaves_out_its_instruction_set() {
    if !has_cc() {
        return;
    }
    for (refused, built) in [("limbs_avx2", &[][..]), ("limbs_avx512", &["avx2"][..])] {
        let sandbox = Sandbox::new(&format!("refused-{refused}"));
        let script = format!("case $source in *{refused}.S) exit 1 ;; esac\nexec cc \"$@\"");
        let kernels = sandbox.assemble_with(&script);
        assert_eq!(kernels.built, built);
        assert_message(&kernels, "avx512 kernels", refused);
    }
}

#[test]
fn no_assembler_leaves_nothing() {
    let sandbox = Sandbox::new("absent");
    let kernels = sandbox.assemble(Path::new("/nonexistent/cc"), ObjectFormat::Elf);
    assert!(kernels.built.is_empty());
    assert_message(&kernels, "avx2 and avx512 kernels", "/nonexistent/cc");
}

#[test]
fn an_assembler_that_does_nothing_is_noticed() {
    if !has_cc() {
        return;
    }
    let idle = [
        ("nothing", "exit 0", "wrote no object"),
        ("empty", ": >$object", "64-bit Elf object"),
        (
            "other-format",
            r"printf '\317\372\355\376' >$object",
            "64-bit Elf object",
        ),
        ("32-bit", "echo | as --32 -o $object", "64-bit Elf object"),
        ("no-symbols", "echo | as -o $object", "lacks lthash_"),
    ];
    for (name, script, why) in idle {
        let sandbox = Sandbox::new(name);
        let kernels = sandbox.assemble_with(script);
        assert!(kernels.built.is_empty(), "{name}");
        assert_message(&kernels, "avx2 and avx512 kernels", why);
    }
    let kernels = Sandbox::new("true").assemble(Path::new("true"), ObjectFormat::Elf);
    assert!(kernels.built.is_empty());
    assert_message(&kernels, "avx2 and avx512 kernels", "wrote no object");
}

#[test]
fn objects_of_another_format_are_refused() {
    if !has_cc() {
        return;
    }
    for format in [ObjectFormat::MachO, ObjectFormat::Coff] {
        let sandbox = Sandbox::new(&format!("{format:?}"));
        let kernels = sandbox.assemble(Path::new("cc"), format);
        assert!(kernels.built.is_empty());
        assert_message(
            &kernels,
            "avx2 and avx512 kernels",
            &format!("{format:?} object"),
        );
    }
}

#[test]
fn an_archiver_that_is_absent_or_does_nothing_is_noticed() {
    if !has_cc() {
        return;
    }
    for (archiver, why) in [
        ("/nonexistent/ar", "/nonexistent/ar"),
        ("true", "no archive"),
    ] {
        let sandbox = Sandbox::new("archiver");
        let kernels = sandbox.assemble_and_archive(Path::new("cc"), archiver, ObjectFormat::Elf);
        assert!(kernels.built.is_empty());
        assert_message(&kernels, "avx2 and avx512 kernels", why);
    }
}

/// If an assembler stops writing objects, those of an earlier build are not taken for its own.
#[test]
fn old_objects_do_not_count() {
    if !has_cc() {
        return;
    }
    let sandbox = Sandbox::new("again");
    let first = sandbox.assemble_with("exec cc \"$@\"");
    assert_eq!(first.built, ["avx2", "avx512"]);
    let second = sandbox.assemble_with("exit 0");
    assert!(second.built.is_empty());
    assert_message(&second, "avx2 and avx512 kernels", "wrote no object");
}
