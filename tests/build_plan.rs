//! The build script's decision, target by target.

#[allow(dead_code)]
#[path = "../build.rs"]
mod build_script;

use build_script::{Facts, ObjectFormat, Plan, plan};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Elf,
    MachO,
    Coff,
    /// COFF if the compiler is named and is clang, else unsupported.
    ClangCoff,
    Unsupported,
}
use Expected::*;

/// Targets of Rust 1.95, including all of x86-64, with architecture, pointer width, vendor, system, environment and ABI as
/// `rustc --print cfg --target` gives them ("-" where there is none). The last two are not targets of Rust's own: Linux
/// distributions put their name in the vendor's place.
#[rustfmt::skip]
const TARGETS: &[(&str, &str, Expected)] = &[
    // ELF.
    ("x86_64-unknown-linux-gnu", "x86_64 64 unknown linux gnu -", Elf),
    ("x86_64-unknown-linux-gnuasan", "x86_64 64 unknown linux gnu -", Elf),
    ("x86_64-unknown-linux-musl", "x86_64 64 unknown linux musl -", Elf),
    ("x86_64-unknown-linux-ohos", "x86_64 64 unknown linux ohos -", Elf),
    ("x86_64-linux-android", "x86_64 64 unknown android - -", Elf),
    ("x86_64-unknown-freebsd", "x86_64 64 unknown freebsd - -", Elf),
    ("x86_64-unknown-netbsd", "x86_64 64 unknown netbsd - -", Elf),
    ("x86_64-unknown-openbsd", "x86_64 64 unknown openbsd - -", Elf),
    ("x86_64-unknown-dragonfly", "x86_64 64 unknown dragonfly - -", Elf),
    ("x86_64-unknown-illumos", "x86_64 64 unknown illumos - -", Elf),
    // Mach-O.
    ("x86_64-apple-darwin", "x86_64 64 apple macos - -", MachO),
    ("x86_64h-apple-darwin", "x86_64 64 apple macos - -", MachO),
    // COFF, with GCC or clang.
    ("x86_64-pc-windows-gnu", "x86_64 64 pc windows gnu -", Coff),
    ("x86_64-pc-windows-gnullvm", "x86_64 64 pc windows gnu llvm", Coff),
    ("x86_64-uwp-windows-gnu", "x86_64 64 uwp windows gnu uwp", Coff),
    ("x86_64-win7-windows-gnu", "x86_64 64 win7 windows gnu -", Coff),
    // COFF, with clang alone.
    ("x86_64-pc-windows-msvc", "x86_64 64 pc windows msvc -", ClangCoff),
    ("x86_64-uwp-windows-msvc", "x86_64 64 uwp windows msvc uwp", ClangCoff),
    ("x86_64-win7-windows-msvc", "x86_64 64 win7 windows msvc -", ClangCoff),
    // x86-64, but not on the list.
    ("x86_64-apple-ios", "x86_64 64 apple ios sim sim", Unsupported),
    ("x86_64-apple-ios-macabi", "x86_64 64 apple ios macabi macabi", Unsupported),
    ("x86_64-apple-tvos", "x86_64 64 apple tvos sim sim", Unsupported),
    ("x86_64-apple-watchos-sim", "x86_64 64 apple watchos sim sim", Unsupported),
    ("x86_64-fortanix-unknown-sgx", "x86_64 64 fortanix unknown sgx fortanix", Unsupported),
    ("x86_64-lynx-lynxos178", "x86_64 64 unknown lynxos178 - -", Unsupported),
    ("x86_64-pc-cygwin", "x86_64 64 pc cygwin - -", Unsupported),
    ("x86_64-pc-nto-qnx710", "x86_64 64 pc nto nto71 -", Unsupported),
    ("x86_64-pc-nto-qnx710_iosock", "x86_64 64 pc nto nto71_iosock -", Unsupported),
    ("x86_64-pc-nto-qnx800", "x86_64 64 pc nto nto80 -", Unsupported),
    ("x86_64-pc-solaris", "x86_64 64 pc solaris - -", Unsupported),
    ("x86_64-unikraft-linux-musl", "x86_64 64 unikraft linux musl -", Unsupported),
    ("x86_64-unknown-fuchsia", "x86_64 64 unknown fuchsia - -", Unsupported),
    ("x86_64-unknown-haiku", "x86_64 64 unknown haiku - -", Unsupported),
    ("x86_64-unknown-helenos", "x86_64 64 unknown helenos - -", Unsupported),
    ("x86_64-unknown-hermit", "x86_64 64 unknown hermit - -", Unsupported),
    ("x86_64-unknown-hurd-gnu", "x86_64 64 unknown hurd gnu -", Unsupported),
    ("x86_64-unknown-l4re-uclibc", "x86_64 64 unknown l4re uclibc -", Unsupported),
    ("x86_64-unknown-linux-gnux32", "x86_64 32 unknown linux gnu x32", Unsupported),
    ("x86_64-unknown-linux-none", "x86_64 64 unknown linux - -", Unsupported),
    ("x86_64-unknown-managarm-mlibc", "x86_64 64 unknown managarm mlibc -", Unsupported),
    ("x86_64-unknown-motor", "x86_64 64 unknown motor - -", Unsupported),
    ("x86_64-unknown-none", "x86_64 64 unknown none - -", Unsupported),
    ("x86_64-unknown-redox", "x86_64 64 unknown redox relibc -", Unsupported),
    ("x86_64-unknown-trusty", "x86_64 64 unknown trusty - -", Unsupported),
    ("x86_64-unknown-uefi", "x86_64 64 unknown uefi - -", Unsupported),
    ("x86_64-wrs-vxworks", "x86_64 64 wrs vxworks gnu -", Unsupported),
    // Other processors.
    ("aarch64-unknown-linux-gnu", "aarch64 64 unknown linux gnu -", Unsupported),
    ("aarch64-apple-darwin", "aarch64 64 apple macos - -", Unsupported),
    ("aarch64-pc-windows-msvc", "aarch64 64 pc windows msvc -", Unsupported),
    ("arm64ec-pc-windows-msvc", "arm64ec 64 pc windows msvc -", Unsupported),
    ("armv7-unknown-linux-gnueabihf", "arm 32 unknown linux gnu eabihf", Unsupported),
    ("i586-unknown-linux-gnu", "x86 32 unknown linux gnu -", Unsupported),
    ("i686-unknown-linux-gnu", "x86 32 unknown linux gnu -", Unsupported),
    ("i686-pc-windows-gnu", "x86 32 pc windows gnu -", Unsupported),
    ("loongarch64-unknown-linux-gnu", "loongarch64 64 unknown linux gnu -", Unsupported),
    ("powerpc64-unknown-linux-gnu", "powerpc64 64 unknown linux gnu elfv1", Unsupported),
    ("riscv64gc-unknown-linux-gnu", "riscv64 64 unknown linux gnu -", Unsupported),
    ("s390x-unknown-linux-gnu", "s390x 64 unknown linux gnu -", Unsupported),
    ("thumbv7em-none-eabihf", "arm 32 unknown none - eabihf", Unsupported),
    ("wasm32-unknown-emscripten", "wasm32 32 unknown emscripten - -", Unsupported),
    ("wasm32-unknown-unknown", "wasm32 32 unknown unknown - -", Unsupported),
    ("wasm32-wasip1", "wasm32 32 unknown wasi p1 -", Unsupported),
    // Linux distributions' own.
    ("x86_64-alpine-linux-musl", "x86_64 64 alpine linux musl -", Elf),
    ("x86_64-chimera-linux-musl", "x86_64 64 chimera linux musl -", Elf),
];

fn facts(described: &str) -> Facts {
    let fields: Vec<&str> = described.split(' ').collect();
    let [arch, pointer_width, vendor, os, env, abi] = fields
        .try_into()
        .unwrap_or_else(|_| panic!("six fields: {described}"));
    let field = |text: &str| if text == "-" { "" } else { text }.to_owned();
    Facts {
        arch: field(arch),
        pointer_width: field(pointer_width),
        vendor: field(vendor),
        os: field(os),
        env: field(env),
        abi: field(abi),
        ..Facts::default()
    }
}

fn decided(facts: &Facts) -> Expected {
    match plan(facts) {
        Plan::Assemble(ObjectFormat::Elf) => Elf,
        Plan::Assemble(ObjectFormat::MachO) => MachO,
        Plan::Assemble(ObjectFormat::Coff) => Coff,
        Plan::Unsupported(_) => Unsupported,
        plan => panic!("neither assembled nor unsupported: {plan:?}"),
    }
}

#[test]
fn every_target_is_decided_from_its_facts() {
    for &(target, described, expected) in TARGETS {
        let without_clang = if expected == ClangCoff {
            Unsupported
        } else {
            expected
        };
        assert_eq!(decided(&facts(described)), without_clang, "{target}");
    }
}

#[test]
fn clang_assembles_for_msvc_and_changes_nothing_elsewhere() {
    for &(target, described, expected) in TARGETS {
        for compiler in [
            "clang",
            "clang-cl",
            "/usr/bin/clang-19",
            "ccache clang-cl.exe",
        ] {
            let facts = Facts {
                compiler: Some(compiler.into()),
                ..facts(described)
            };
            let with_clang = if expected == ClangCoff {
                Coff
            } else {
                expected
            };
            assert_eq!(decided(&facts), with_clang, "{target} with {compiler}");
        }
    }
}

#[test]
fn no_other_compiler_is_asked_to_assemble_for_msvc() {
    for &(target, described, expected) in TARGETS {
        for compiler in ["cl", "cl.exe", "ml64.exe", "cc", ""] {
            let facts = Facts {
                compiler: Some(compiler.into()),
                ..facts(described)
            };
            if expected == ClangCoff {
                assert_eq!(decided(&facts), Unsupported, "{target} with {compiler:?}");
            }
        }
    }
}

/// If any one fact is not on the list, there are no kernels, whatever the other facts are.
#[test]
fn each_fact_counts() {
    for &(target, described, expected) in TARGETS {
        if expected == Unsupported {
            continue;
        }
        for field in 0..6 {
            let mut fields: Vec<&str> = described.split(' ').collect();
            fields[field] = "unheard-of";
            assert_eq!(
                decided(&facts(&fields.join(" "))),
                Unsupported,
                "{target}: {fields:?}"
            );
        }
    }
}

#[test]
fn miri_docs_rs_and_the_portable_pin_assemble_nothing_and_say_nothing() {
    for &(target, described, _) in TARGETS {
        let facts = facts(described);
        let quiet = [
            Facts {
                miri: true,
                ..facts.clone()
            },
            Facts {
                docs_rs: true,
                ..facts.clone()
            },
            Facts {
                backend: Some("portable".into()),
                ..facts.clone()
            },
        ];
        for facts in quiet {
            assert_eq!(plan(&facts), Plan::Portable, "{target}");
        }
    }
}

#[test]
fn aarch64_has_neon_where_its_target_does() {
    let facts = |endian: &str, features: &str| Facts {
        endian: endian.into(),
        features: features.into(),
        ..facts("aarch64 64 unknown linux gnu -")
    };
    let usual = facts("little", "neon");
    assert_eq!(plan(&usual), Plan::Neon);
    assert_eq!(plan(&facts("little", "aes,neon,sha3")), Plan::Neon);
    for unsupported in [
        facts("big", "neon"),
        facts("little", "fp-armv8"),
        facts("little", ""),
        Facts {
            arch: "arm".into(),
            ..usual.clone()
        },
    ] {
        assert_eq!(decided(&unsupported), Unsupported);
    }
    for portable in [
        Facts {
            miri: true,
            ..usual.clone()
        },
        Facts {
            backend: Some("portable".into()),
            ..usual
        },
    ] {
        assert_eq!(plan(&portable), Plan::Portable);
    }
}

#[test]
fn a_pin_to_kernels_changes_nothing_in_what_is_built() {
    for &(target, described, _) in TARGETS {
        for backend in ["neon", "avx2", "avx512"] {
            let pinned = Facts {
                backend: Some(backend.into()),
                ..facts(described)
            };
            assert_eq!(plan(&pinned), plan(&facts(described)), "{target}");
        }
    }
}

#[test]
fn a_pin_to_anything_else_is_refused() {
    for backend in ["", "sse2", "AVX2", "avx2,portable"] {
        let pinned = Facts {
            backend: Some(backend.into()),
            ..facts(TARGETS[0].1)
        };
        let Plan::Refuse(message) = plan(&pinned) else {
            panic!("{backend:?} was not refused");
        };
        assert!(message.contains(&format!("{backend:?}")), "{message}");
        for name in ["portable", "neon", "avx2", "avx512"] {
            assert!(message.contains(&format!("{name:?}")), "{message}");
        }
    }
}
