//! Wiping (feature `zeroize`).

use alloc::vec::Vec;
use zeroize::Zeroize;

/// Overwrites a vector's memory, if it has any. (Where it has none, the `zeroize` crate stores no bytes at an address that
/// is not mapped, and such a store takes a Zen 4 core some 500 cycles.)
pub(super) fn wipe<T: Zeroize>(vec: &mut Vec<T>) {
    if vec.capacity() > 0 {
        vec.zeroize();
    }
}
