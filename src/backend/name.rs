//! The backends and their names.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// An implementation of the kernels, named after the instruction set it needs.
///
/// Every backend computes the same bytes; they differ in speed alone.
///
/// # Which backend runs
///
/// The best one that this processor and its operating system have, unless an override names another. From the strongest:
///
/// 1. A caller passes the [`Kernels`](crate::Kernels) of a backend, for example to
///    [`Accumulator::with_kernels`](crate::Accumulator::with_kernels).
/// 2. `RUSTFLAGS='--cfg lthash_backend="avx2"'` at build time; `portable` builds no kernels, and a value that is no
///    backend's name fails the build.
/// 3. The environment variable `LTHASH_BACKEND` (with the feature `std`), read once.
///
/// If an override in the environment names no backend, or if one names a backend that cannot run here, then the best one runs all the same:
/// [`requested`](Backend::requested) reports the override, and [`active`](Backend::active) tells what runs. Where an
/// x86-64 build found no assembler for the kernels, it contains [`Portable`](Backend::Portable) alone; the build's warning of it is hidden by
/// Cargo for dependencies, so ask [`available`](Backend::available).
///
/// AVX-512 is not detected on macOS, where the system grants its registers on first use only: Intel Macs use AVX2.
///
/// # What a backend covers
///
/// Whatever backend is chosen, the `blake3` crate computes [checksums](crate::LtHash::checksum) and compresses elements of
/// more than 1024 bytes, at least in part. It detects for itself what the processor has. A program that must not execute
/// AVX-512 instructions names a backend other than [`Avx512`](Backend::Avx512) and also turns on the `blake3` crate's
/// feature `no_avx512`, which Cargo then turns on for all that depend on the crate:
///
/// ```toml
/// [dependencies]
/// blake3 = { version = "1", default-features = false, features = ["no_avx512"] }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// The `blake3` crate and plain loops: runs everywhere.
    Portable,
    /// 128-bit vectors, four output blocks in each; needs NEON. A build for a little-endian AArch64 target has it and runs on that
    /// target's every processor (Apple silicon, Graviton), unless the target is for software floating point.
    Neon,
    /// 256-bit vectors, eight output blocks in each; needs AVX2 and BMI2 (Haswell, Zen and later).
    Avx2,
    /// 512-bit vectors, sixteen output blocks in each; needs AVX512F, AVX512BW, AVX512VL, AVX2 and BMI2 (Skylake-X, Ice Lake, Zen 4
    /// and later).
    Avx512,
}

impl Backend {
    /// Every backend that there is, slowest first, whether or not this build contains it and this processor can run it.
    ///
    /// ```
    /// use lthash::Backend;
    ///
    /// for backend in Backend::all() {
    ///     let here = if backend.kernels().is_ok() { "available" } else { "not available" };
    ///     println!("{backend} is {here}");
    /// }
    /// ```
    pub fn all() -> impl Iterator<Item = Backend> {
        [
            Backend::Portable,
            Backend::Neon,
            Backend::Avx2,
            Backend::Avx512,
        ]
        .into_iter()
    }

    /// The name that overrides use: `portable`, `neon`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
            Backend::Neon => "neon",
            Backend::Avx2 => "avx2",
            Backend::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    /// The backend of this [name](Backend::name).
    ///
    /// # Errors
    ///
    /// If there is none; case counts.
    fn from_str(name: &str) -> Result<Backend, UnknownBackend> {
        Self::all()
            .find(|backend| backend.name() == name)
            .ok_or_else(|| UnknownBackend(name.into()))
    }
}

/// An unknown name where a backend's was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBackend(pub String);

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown backend {:?}: expected portable, neon, avx2 or avx512",
            self.0
        )
    }
}

impl core::error::Error for UnknownBackend {}
