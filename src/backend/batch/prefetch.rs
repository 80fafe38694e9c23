//! Prefetches, which the standard library has none of that is for writing.

use core::arch::asm;

/// Has a cache line reach the cache to be written: then no other core has to be asked again.
#[inline(always)]
pub(super) fn to_write(address: *mut u8) {
    // SAFETY: a prefetch changes nothing that a program sees. A processor without this instruction takes it for one that
    // does nothing.
    unsafe {
        asm!("prefetchw [{}]", in(reg) address, options(nostack, preserves_flags, readonly));
    }
}
