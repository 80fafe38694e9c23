//! Which form of the AVX2 kernels a processor runs faster.
//!
//! In registers (asm/rounds_in_registers_avx2.h) or in flight (asm/rounds_in_flight_avx2.h): each was measured to take at least 14 %
//! longer than the other on some processor (asm/README.md). In flight is for AMD's from family 25 on, Zen 3 and later, as measured on
//! Zen 4 and Zen 5. All others have the form in registers: Intel's, as measured on Emerald Rapids; and those that nobody has measured (Zen 1
//! and 2, Hygon, Zhaoxin, unknown ones and those whose vendor a hypervisor hides), because it takes the fewest loads and stores.

use core::arch::x86_64::__cpuid;
use core::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const IN_REGISTERS: u8 = 1;
const IN_FLIGHT: u8 = 2;

/// Whether this processor runs the form in flight faster than the one in registers. It is asked once.
pub(super) fn is_in_flight_faster() -> bool {
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    let mut known = KNOWN.load(Ordering::Relaxed);
    if known == UNKNOWN {
        known = if ask() { IN_FLIGHT } else { IN_REGISTERS };
        KNOWN.store(known, Ordering::Relaxed);
    }
    known == IN_FLIGHT
}

#[cold]
fn ask() -> bool {
    // Newer versions of Rust have it as a safe function.
    #[allow(unused_unsafe)]
    // SAFETY: x86-64 processors have `cpuid`, and all that have `cpuid` have these two leaves.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    vendor.as_flattened() == b"AuthenticAMD" && processor_family(version.eax) >= 25
}

/// The family in a processor's signature (Intel SDM, volume 2, `CPUID`, figure 3-6; AMD APM, volume 3, appendix E.3.2).
fn processor_family(signature: u32) -> u32 {
    let base = signature >> 8 & 0xf;
    let extended = signature >> 20 & 0xff;
    if base == 0xf { base + extended } else { base }
}
