//! Memory that may not be initialised.

use core::mem::MaybeUninit;
use core::slice;

/// Memory for bytes, initialised or not.
pub(crate) type Uninit = [MaybeUninit<u8>];

/// # Safety
///
/// All of it is initialised.
#[inline]
pub(super) unsafe fn as_init(out: &mut Uninit) -> &mut [u8] {
    // SAFETY: the same memory, all of it initialised.
    unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) }
}
