//! The hex kernels, which every assembly backend has.

use crate::backend::Uninit;

kernel! { "avx2":
    fn hex_encode(bytes: *const u8, count: usize, digits: *mut u8, digit_count: usize, alphabet: *const [u8; 16]);
    fn hex_decode(digits: *const u8, digit_count: usize, bytes: *mut u8, count: usize, saved: *mut u8) -> bool;
}

/// # Safety
///
/// There are at least 32 bytes, and `out` is twice as long.
#[inline(never)]
pub(super) unsafe fn encode(bytes: &[u8], out: &mut Uninit, alphabet: &[u8; 16]) {
    let (count, digit_count) = (bytes.len(), out.len());
    // SAFETY: as the caller; an assembly backend's table is only handed out where the gate holds.
    unsafe {
        let digits = out.as_mut_ptr().cast();
        hex_encode(bytes.as_ptr(), count, digits, digit_count, alphabet);
    }
}

/// # Safety
///
/// `out` has at least 32 bytes, there are twice as many digits, and `saved` is as long as `out`.
#[inline(never)]
pub(super) unsafe fn decode(digits: &[u8], out: &mut Uninit, saved: Option<&mut Uninit>) -> bool {
    let (digit_count, count) = (digits.len(), out.len());
    let bytes = out.as_mut_ptr().cast();
    let saved = saved.map_or(bytes, |saved| saved.as_mut_ptr().cast());
    // SAFETY: as the caller; an assembly backend's table is only handed out where the gate holds.
    unsafe { hex_decode(digits.as_ptr(), digit_count, bytes, count, saved) }
}
