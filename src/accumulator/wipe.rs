//! Wiping (feature `zeroize`).

use alloc::vec::Vec;
use zeroize::Zeroize;

/// Overwrites a vector's memory, if it has any. (For a vector without memory, the `zeroize` crate would execute a store of no bytes to
/// an address that is not mapped, which takes a Zen 4 core some 500 cycles.)
pub(super) fn wipe<T: Zeroize>(vec: &mut Vec<T>) {
    if vec.capacity() > 0 {
        vec.zeroize();
    }
}
