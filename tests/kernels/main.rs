//! Proofs over the kernels' machine code, and what checks the proofs. README.md says what is claimed.

#[cfg(all(lthash_avx2, target_os = "linux"))]
mod claims;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod decode;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod domain;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod linked;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod machine;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod proofs;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod recorded;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod specification;
#[cfg(all(lthash_avx2, target_os = "linux"))]
mod terms;

/// The families whose kernels this build has and these tests can read (the objects of Linux).
const FAMILIES: [(&str, bool); 2] = [
    ("avx2", cfg!(all(lthash_avx2, target_os = "linux"))),
    ("avx512", cfg!(all(lthash_avx512, target_os = "linux"))),
];

#[test]
fn the_build_has_the_kernels_that_are_required() {
    let required = std::env::var("LTHASH_REQUIRE").unwrap_or_default();
    for (family, present) in FAMILIES {
        if !present {
            println!("{family}: no kernels in this build, so nothing is proven of them");
            assert!(
                !required.split(',').any(|name| name == family),
                "LTHASH_REQUIRE={required}: no {family} kernels"
            );
        }
    }
}
