//! Which code runs.

use crate::status::Status;
use lthash::{Backend, Kernels, OverrideError};
use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The chosen backend's kernels; NULL until there are any.
static CHOSEN: AtomicPtr<Kernels> = AtomicPtr::new(ptr::null_mut());

/// The chosen backend's kernels.
#[inline]
pub(crate) fn kernels() -> &'static Kernels {
    // SAFETY: NULL, or stored by `choose` or `pin` from a `&'static Kernels`, which nothing writes to.
    unsafe { CHOSEN.load(Ordering::Relaxed).as_ref() }.unwrap_or_else(choose)
}

/// Chooses the library's active backend, unless another thread has chosen or pinned one meanwhile.
#[cold]
fn choose() -> &'static Kernels {
    let Ok(kernels) = Backend::active().kernels() else {
        unreachable!("the active backend is available")
    };
    let new = ptr::from_ref(kernels).cast_mut();
    let order = Ordering::Relaxed;
    match CHOSEN.compare_exchange(ptr::null_mut(), new, order, order) {
        Ok(_) => kernels,
        // SAFETY: as in `kernels`.
        Err(other) => unsafe { other.as_ref() }.unwrap_or(kernels),
    }
}

/// The name of the backend in use: `portable`, `neon`, `avx2` or `avx512`. The text is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn lthash_backend_active() -> *const c_char {
    name(kernels().backend()).as_ptr()
}

/// The name of a backend that this build contains and this processor can run, or NULL if there are no more than `index`.
/// The slowest has index 0. The text is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn lthash_backend_available(index: usize) -> *const c_char {
    match Backend::available().nth(index) {
        Some(backend) => name(backend).as_ptr(),
        None => ptr::null(),
    }
}

/// Makes all calls from now on use the backend of this name, or, if it is NULL, the one that the library chooses by itself.
/// A batch stays on the backend that it was made on. The bytes are the same on every backend.
///
/// Returns `LTHASH_STATUS_UNKNOWN_BACKEND` or `LTHASH_STATUS_UNAVAILABLE_BACKEND`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lthash_backend_pin(name: *const c_char) -> Status {
    if name.is_null() {
        CHOSEN.store(ptr::null_mut(), Ordering::Relaxed);
        return Status::Ok;
    }
    // SAFETY: text that ends in a NUL, by the caller's word.
    let name = unsafe { CStr::from_ptr(name) };
    let Some(backend) = name
        .to_str()
        .ok()
        .and_then(|name| name.parse::<Backend>().ok())
    else {
        return Status::UnknownBackend;
    };
    let Ok(kernels) = backend.kernels() else {
        return Status::UnavailableBackend;
    };
    CHOSEN.store(ptr::from_ref(kernels).cast_mut(), Ordering::Relaxed);
    Status::Ok
}

/// Whether the environment variable `LTHASH_BACKEND` is honoured, which names the backend that the library chooses. It is
/// read once.
///
/// Returns `LTHASH_STATUS_OK` if it is honoured or not set; `LTHASH_STATUS_UNKNOWN_BACKEND` or
/// `LTHASH_STATUS_UNAVAILABLE_BACKEND` if it is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn lthash_backend_requested() -> Status {
    match Backend::requested() {
        Ok(_) => Status::Ok,
        Err(OverrideError::Unavailable(_)) => Status::UnavailableBackend,
        Err(_) => Status::UnknownBackend,
    }
}

fn name(backend: Backend) -> &'static CStr {
    match backend {
        Backend::Portable => c"portable",
        Backend::Neon => c"neon",
        Backend::Avx2 => c"avx2",
        Backend::Avx512 => c"avx512",
        _ => c"unknown",
    }
}
