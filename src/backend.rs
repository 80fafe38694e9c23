//! Which code runs: the backends, their tables of kernels, detection and overrides.

#[cfg(any(lthash_avx2, lthash_neon))]
mod batch;
mod groups;
pub(crate) mod hex;
mod input;
mod kernels;
mod limbs;
mod name;
#[cfg(lthash_neon)]
mod neon;
mod portable;
mod sums;
mod uninit;
#[cfg(lthash_avx2)]
mod x86_64;

pub(crate) use groups::GroupTable;
#[cfg(feature = "rayon")]
pub(crate) use groups::prefetch;
pub(crate) use input::{Input, Mix, Mode, Staged};
pub use kernels::Kernels;
pub(crate) use limbs::{Limbs, guard_of};
pub use name::{Backend, UnknownBackend};
pub(crate) use sums::GroupSums;
pub(crate) use uninit::Uninit;

use alloc::string::String;
use core::fmt;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

impl Backend {
    /// The fastest backend that this build contains and this processor can run.
    #[must_use]
    pub fn detect() -> Backend {
        Self::available().last().unwrap_or(Backend::Portable)
    }

    /// Every backend that this build contains and this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Backend> {
        Self::all().filter(|backend| backend.kernels().is_ok())
    }

    /// The backend that an override names, if there is one: the build's `--cfg lthash_backend="…"`, or else (with the feature
    /// `std`) the environment variable `LTHASH_BACKEND`, which is read once. An empty variable is no override.
    ///
    /// # Errors
    ///
    /// If the override names no backend or one that cannot run here. The backend is then that of [`Backend::detect`].
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
            #[cfg(lthash_neon)]
            Backend::Neon => Ok(&neon::KERNELS),
            #[allow(unreachable_patterns)]
            _ => Err(Unavailable(self)),
        }
    }

    /// This backend's kernels in all forms, the one that [`kernels`](Backend::kernels) gives first: for tests and benches. Empty
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
}

fn override_name() -> Option<&'static str> {
    if cfg!(lthash_backend = "portable") {
        return Some("portable");
    }
    if cfg!(lthash_backend = "avx2") {
        return Some("avx2");
    }
    if cfg!(lthash_backend = "neon") {
        return Some("neon");
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

impl Kernels {
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
