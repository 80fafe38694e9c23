//! Proofs over the kernels' machine code, and what checks the proofs. README.md says what is claimed.

#[allow(dead_code)]
#[cfg(all(lthash_avx2, target_os = "linux"))]
#[path = "../../build.rs"]
mod build_script;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod calls;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod claims;
#[path = "../common/mod.rs"]
mod common;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod decode;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod domain;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod hex;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod lengths;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod linked;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod machine;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod mutants;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod objects;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod processor;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod proofs;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod recorded;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod specification;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod tables;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod terms;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod wrong;

/// The instruction sets whose kernels this build has and these tests can read (the objects of Linux).
const INSTRUCTION_SETS: [(&str, bool); 2] = [
    ("avx2", cfg!(all(lthash_avx2, target_os = "linux"))),
    ("avx512", cfg!(all(lthash_avx512, target_os = "linux"))),
];

/// Names what goes unchecked in an instruction set. On Linux that is a failure where `LTHASH_REQUIRE` names the instruction set.
fn goes_without(instruction_set: &str, why: &str) {
    common::not_tested(&format!("{instruction_set}: {why}"));
    let required = std::env::var("LTHASH_REQUIRE").unwrap_or_default();
    assert!(
        cfg!(not(target_os = "linux")) || !required.split(',').any(|name| name == instruction_set),
        "LTHASH_REQUIRE={required}, but {instruction_set} is {why}"
    );
}

#[test]
fn the_build_has_kernels() {
    for (instruction_set, present) in INSTRUCTION_SETS {
        if !present {
            goes_without(
                instruction_set,
                "not in this build: nothing is proven of its kernels",
            );
        }
    }
}
