//! The hex kernels: the encoder of all assembly backends, and the decoders.

use crate::backend::uninit::Uninit;
use core::{ptr, slice};

/// What a kernel gives back of what it was given.
#[repr(C)]
struct Bytes {
    start: *mut u8,
    length: usize,
}

kernel! { "avx2":
    fn hex_encode(bytes: *const u8, count: usize, digits: *mut u8, digit_count: usize, alphabet: *const [u8; 16]) -> Bytes;
}

/// # Safety
///
/// There are at least 32 bytes, and `out` is twice as long.
#[inline(never)]
pub(super) unsafe fn encode<'a>(
    bytes: &[u8],
    out: &'a mut Uninit,
    alphabet: &[u8; 16],
) -> &'a mut [u8] {
    let (count, digit_count) = (bytes.len(), out.len());
    // SAFETY: as the caller; an assembly backend's table is only handed out where the gate holds. The kernel gives all of
    // `out`, initialised.
    unsafe {
        let digits = out.as_mut_ptr().cast();
        let digits = hex_encode(bytes.as_ptr(), count, digits, digit_count, alphabet);
        slice::from_raw_parts_mut(digits.start, digits.length)
    }
}

/// A decoder: the kernel of an instruction set.
macro_rules! decoder {
    ($name:ident, $isa:literal) => {
        /// # Safety
        ///
        /// `out` has at least 17 bytes, there are twice as many digits, and `saved` is at least as long as `out`.
        #[inline(never)]
        pub(super) unsafe fn $name<'d>(
            digits: &'d [u8],
            out: &mut Uninit,
            saved: Option<&mut Uninit>,
        ) -> &'d [u8] {
            kernel! { $isa:
                fn hex_decode(digits: *const u8, digit_count: usize, bytes: *mut u8, count: usize, saved: *mut u8) -> Bytes;
            }
            let (digit_count, count) = (digits.len(), out.len());
            let saved = saved.map_or(ptr::null_mut(), |saved| saved.as_mut_ptr().cast());
            // SAFETY: as the caller; an assembly backend's table is only handed out where the gate holds. The kernel gives all
            // of `digits` or none of them.
            unsafe {
                let bytes = out.as_mut_ptr().cast();
                let bad = hex_decode(digits.as_ptr(), digit_count, bytes, count, saved);
                slice::from_raw_parts(bad.start, bad.length)
            }
        }
    };
}

decoder!(decode_avx2, "avx2");
#[cfg(lthash_avx512)]
decoder!(decode_avx512, "avx512");
