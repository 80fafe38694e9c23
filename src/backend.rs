//! Which code runs: the backends, their tables of kernels, detection and overrides.

mod groups;
pub(crate) mod hex;

mod portable;
#[cfg(any(lthash_avx2, lthash_avx512))]
mod x86_64;

#[cfg(feature = "rayon")]
pub(crate) use groups::prefetch;
pub(crate) use groups::{GroupSums, GroupTable};

use alloc::string::String;
use core::fmt;
use core::mem::MaybeUninit;
use core::ptr;
use core::slice;
use core::str::FromStr;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A set's or an element's 1024 limbs.
pub(crate) type Limbs = [u16; 1024];

/// Memory for bytes, initialised or not.
pub(crate) type Uninit = [MaybeUninit<u8>];

/// # Safety
///
/// All of it is initialised.
#[inline]
unsafe fn as_init(out: &mut Uninit) -> &mut [u8] {
    // SAFETY: the same memory, all of it initialised.
    unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) }
}

/// An implementation of the kernels, named after the instruction set it needs.
///
/// Every backend computes the same bytes; they differ in speed alone.
///
/// # Which backend runs
///
/// The best one that this processor and its operating system have, unless an override names another. From the strongest:
///
/// 1. A caller passes the [`Kernels`] of a backend, for example to [`Accumulator::with_kernels`](crate::Accumulator::with_kernels).
/// 2. `RUSTFLAGS='--cfg lthash_backend="avx2"'` at build time; `portable` assembles nothing, and a value that is no
///    backend's name fails the build.
/// 3. The environment variable `LTHASH_BACKEND` (with the feature `std`), read once.
///
/// If an override in the environment names no backend, or if one names a backend that cannot run here, then the best one runs all the same:
/// [`requested`](Backend::requested) reports the override, and [`active`](Backend::active) tells what runs. Where no
/// assembler was found for the kernels, the build contains [`Portable`](Backend::Portable) alone; the build's warning of it is hidden by
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
        [Backend::Portable, Backend::Avx2, Backend::Avx512].into_iter()
    }

    /// The fastest backend that this build contains and this processor can run.
    #[must_use]
    pub fn detect() -> Backend {
        Self::available().last().unwrap_or(Backend::Portable)
    }

    /// Every backend that this build contains and this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Backend> {
        Self::all().filter(|backend| backend.kernels().is_ok())
    }

    /// The backend that an override names, if there is one: the build's `--cfg lthash_backend="…"`, or else (with the
    /// feature `std`) the environment variable `LTHASH_BACKEND`, which is read once, and where an empty value is none.
    ///
    /// # Errors
    ///
    /// If the override names no backend or one that cannot run here. [`Backend::detect`] is then in force.
    pub fn requested() -> Result<Option<Backend>, OverrideError> {
        let Some(name) = override_name() else {
            return Ok(None);
        };
        let backend: Backend = name.parse()?;
        backend.kernels()?;
        Ok(Some(backend))
    }

    /// The backend of every function that takes no [`Kernels`].
    #[must_use]
    pub fn active() -> Backend {
        Kernels::active().backend
    }

    /// This backend's kernels.
    ///
    /// # Errors
    ///
    /// If this build does not contain the backend or this processor cannot run it.
    pub fn kernels(self) -> Result<&'static Kernels, Unavailable> {
        match self {
            Backend::Portable => Ok(&portable::KERNELS),
            #[cfg(lthash_avx2)]
            Backend::Avx2 if x86_64::has_avx2() => Ok(x86_64::avx2_kernels()),
            #[cfg(lthash_avx512)]
            Backend::Avx512 if x86_64::has_avx512() => Ok(&x86_64::avx512::KERNELS),
            #[allow(unreachable_patterns)]
            _ => Err(Unavailable(self)),
        }
    }

    /// This backend's kernels in all forms, the one that [`kernels`](Backend::kernels) gives first: for tests and benches. None
    /// if this build does not contain the backend or this processor cannot run it.
    #[doc(hidden)]
    pub fn forms(self) -> impl Iterator<Item = &'static Kernels> {
        let chosen = self.kernels().ok();
        let all: &[&Kernels] = match self {
            #[cfg(lthash_avx2)]
            Backend::Avx2 if chosen.is_some() => &x86_64::AVX2_FORMS,
            _ => &[],
        };
        let others = all.iter().copied();
        let others = others.filter(move |form| chosen.is_none_or(|chosen| !ptr::eq(chosen, *form)));
        chosen.into_iter().chain(others)
    }

    /// The name that overrides use: `portable`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
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

fn override_name() -> Option<&'static str> {
    if cfg!(lthash_backend = "portable") {
        return Some("portable");
    }
    if cfg!(lthash_backend = "avx2") {
        return Some("avx2");
    }
    if cfg!(lthash_backend = "avx512") {
        return Some("avx512");
    }
    #[cfg(feature = "std")]
    {
        static VARIABLE: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
        VARIABLE
            .get_or_init(|| {
                std::env::var_os("LTHASH_BACKEND")
                    .filter(|value| !value.is_empty())
                    .map(|value| value.to_string_lossy().into_owned())
            })
            .as_deref()
    }
    #[cfg(not(feature = "std"))]
    None
}

/// An unknown name where a backend's was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownBackend(pub String);

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown backend {:?}: expected portable, avx2 or avx512",
            self.0
        )
    }
}

impl core::error::Error for UnknownBackend {}

/// A backend that this build does not contain or this processor cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable(pub Backend);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backend {} is not available: available are", self.0)?;
        for (i, backend) in Backend::available().enumerate() {
            write!(f, "{} {backend}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for Unavailable {}

/// Why an override is not honoured.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OverrideError {
    /// It names no backend.
    Unknown(String),
    /// It names a backend that this build does not contain or this processor cannot run.
    Unavailable(Backend),
}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OverrideError::Unknown(name) => UnknownBackend(name.clone()).fmt(f),
            OverrideError::Unavailable(backend) => Unavailable(*backend).fmt(f),
        }
    }
}

impl core::error::Error for OverrideError {}

impl From<UnknownBackend> for OverrideError {
    fn from(error: UnknownBackend) -> Self {
        OverrideError::Unknown(error.0)
    }
}

impl From<Unavailable> for OverrideError {
    fn from(error: Unavailable) -> Self {
        OverrideError::Unavailable(error.0)
    }
}

/// A backend's kernels: the proof that this processor can run them.
///
/// A reference can only be had from [`Backend::kernels`], for a backend that is available.
pub struct Kernels {
    backend: Backend,
    form: Option<&'static str>,
    /// Expands an input to its limbs, which it initialises and returns.
    pub(crate) expand: for<'a> fn(Mode<'_>, Input<'_>, &'a mut MaybeUninit<Limbs>) -> &'a mut Limbs,
    /// Adds the second limbs to the first, mod 2^16.
    pub(crate) add: fn(&mut Limbs, &Limbs),
    /// Subtracts the second limbs from the first, mod 2^16.
    pub(crate) sub: fn(&mut Limbs, &Limbs),
    /// Mixes many inputs into limbs, and their guards into a guard; or none if the iterator panics.
    pub(crate) batch: Batch,
    /// Mixes many inputs into their groups' sums.
    pub(crate) batch_groups: BatchGroups,
    /// Adds a group's sums to limbs.
    pub(crate) add_sums: fn(&mut Limbs, &mut GroupSums),
    /// Adds limbs to a group's sums.
    pub(crate) add_to_sums: fn(&mut GroupSums, &Limbs),
    /// Writes bytes as digits of the given sixteen, and returns the digits: all of the output, initialised.
    ///
    /// Safety: there are at least 32 bytes, and the output is twice as long.
    pub(crate) hex_encode: for<'a> unsafe fn(&[u8], &'a mut Uninit, &[u8; 16]) -> &'a mut [u8],
    /// Decodes digits. If all are good, it initialises all of the output and returns an empty slice. Otherwise it returns the
    /// digits, and leaves an output of up to 256 bytes as it was; a longer one is restored from the third argument if there is one,
    /// and may otherwise hold anything.
    ///
    /// It returns no `Result`, because the caller would then have to keep the digits across the call to name the bad one: on short
    /// text the pushes and pops of that cost more than the decoding.
    ///
    /// Safety: the output has at least 17 bytes and is half as long as the digits; the third argument is as long as the output.
    pub(crate) hex_decode:
        for<'d> unsafe fn(&'d [u8], &mut Uninit, Option<&mut Uninit>) -> &'d [u8],
}

type Batch = for<'a> fn(Mode<'_>, &mut dyn Iterator<Item = Staged<'a>>, &mut Limbs, &mut u128);
type BatchGroups = for<'a> fn(Mode<'_>, &mut dyn Iterator<Item = Staged<'a, u32>>, &mut GroupTable);

impl Kernels {
    /// The backend whose kernels these are.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Which of its backend's forms these are, if that has several: for tests, benches and the program.
    #[doc(hidden)]
    #[must_use]
    pub fn form(&self) -> Option<&'static str> {
        self.form
    }

    /// The active backend's kernels.
    #[inline]
    pub(crate) fn active() -> &'static Kernels {
        Self::chosen().unwrap_or_else(Self::choose)
    }

    /// The active backend's kernels, once they are chosen.
    #[inline]
    pub(crate) fn chosen() -> Option<&'static Kernels> {
        // SAFETY: ACTIVE is null or was stored below from a `&'static Kernels`, which nothing ever writes to.
        unsafe { ACTIVE.load(Ordering::Relaxed).as_ref() }
    }

    #[cold]
    fn choose() -> &'static Kernels {
        let requested = Backend::requested().ok().flatten();
        let backend = requested.unwrap_or_else(Backend::detect);
        let kernels = backend.kernels().unwrap_or(&portable::KERNELS);
        ACTIVE.store(ptr::from_ref(kernels).cast_mut(), Ordering::Relaxed);
        kernels
    }
}

static ACTIVE: AtomicPtr<Kernels> = AtomicPtr::new(ptr::null_mut());

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kernels").field(&self.backend).finish()
    }
}

/// BLAKE3's modes that element hashes come in.
#[derive(Clone, Copy)]
pub(crate) enum Mode<'k> {
    Hash,
    KeyedHash(&'k [u8; 32]),
}

impl Mode<'_> {
    pub(crate) fn hasher(self) -> blake3::Hasher {
        match self {
            Mode::Hash => blake3::Hasher::new(),
            Mode::KeyedHash(key) => blake3::Hasher::new_keyed(key),
        }
    }

    pub(crate) fn hazmat(&self) -> blake3::hazmat::Mode<'_> {
        match self {
            Mode::Hash => blake3::hazmat::Mode::Hash,
            Mode::KeyedHash(key) => blake3::hazmat::Mode::KeyedHash(key),
        }
    }
}

/// What an expansion starts from.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    /// A whole element.
    Element(&'a [u8]),
    /// The chaining values of the left and the right half of an element of more than one chunk.
    Parent(&'a [blake3::hazmat::ChainingValue; 2]),
}

/// Whether an element is added to a set or taken out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mix {
    In,
    Out,
}

impl Mix {
    /// Mixes an element's guard into a multiset's.
    #[inline]
    pub(crate) fn guard(self, guard: &mut u128, element: u128) {
        *guard = match self {
            Mix::In => guard.wrapping_add(element),
            Mix::Out => guard.wrapping_sub(element),
        };
    }
}

/// The guard of the element that limbs are the expansion of: its first 16 bytes, little-endian.
pub(crate) fn guard_of(expanded: &Limbs) -> u128 {
    let first = expanded[..8].iter().rev();
    first.fold(0, |guard, &limb| guard << 16 | u128::from(limb))
}

/// An input of a batch, and of which group if there are several.
#[derive(Clone, Copy)]
pub(crate) struct Staged<'a, G = ()> {
    pub(crate) input: Input<'a>,
    pub(crate) mix: Mix,
    pub(crate) group: G,
}
