//! Assembles the kernels in asm/ where the target can run them.
//!
//! An assembled family sets the cfg `lthash_avx2` or `lthash_avx512`; without either the portable backend is the only one.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=asm");
    println!("cargo::rustc-check-cfg=cfg(lthash_avx2, lthash_avx512)");
    println!(r#"cargo::rustc-check-cfg=cfg(lthash_backend, values("portable", "avx2", "avx512"))"#);
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64")
        || env::var_os("CARGO_CFG_MIRI").is_some()
        || env::var("CARGO_CFG_LTHASH_BACKEND").as_deref() == Ok("portable")
    {
        return ExitCode::SUCCESS;
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let mut objects = Vec::new();
    for family in ["avx2", "avx512"] {
        objects.extend(assemble(&root, family));
        println!("cargo::rustc-cfg=lthash_{family}");
    }
    cc::Build::new().objects(objects).compile("lthash_kernels");
    ExitCode::SUCCESS
}

fn assemble(root: &Path, family: &str) -> Vec<PathBuf> {
    let suffix = format!("_{family}.S");
    let mut files: Vec<PathBuf> = root
        .join("asm")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(&suffix))
        .collect();
    files.sort();
    let prefix = format!(
        "lthash_{}_{}_{}_",
        env::var("CARGO_PKG_VERSION_MAJOR").unwrap(),
        env::var("CARGO_PKG_VERSION_MINOR").unwrap(),
        env::var("CARGO_PKG_VERSION_PATCH").unwrap()
    );
    cc::Build::new()
        .define("LTHASH_PREFIX", prefix.as_str())
        .include(root.join("asm"))
        .files(files)
        .compile_intermediates()
}
