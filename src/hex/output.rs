//! Output slices as memory that may be uninitialised.

use crate::backend::Uninit;
use core::slice;

/// The slice, for code that writes initialised bytes to it and nothing else.
#[inline]
pub(super) fn as_uninit(out: &mut [u8]) -> &mut Uninit {
    // SAFETY: the same memory, whose bytes stay initialised because callers write initialised ones only.
    unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) }
}
