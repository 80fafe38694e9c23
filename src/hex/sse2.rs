//! 16 digits at a time, with the vectors that every x86-64 processor has.
//!
//! Where a length is no multiple of what is done at a time, the last step overlaps the one before.

use super::{gap, scalar};
use crate::backend::Uninit;
use core::arch::x86_64::*;

/// Initialises all of `out`, which is twice as long as the bytes.
#[inline(always)]
pub(crate) fn encode(bytes: &[u8], out: &mut Uninit, alphabet: &[u8; 16]) {
    let count = bytes.len();
    assert!(out.len() == 2 * count);
    let from = bytes.as_ptr();
    let to = out.as_mut_ptr().cast::<u8>();
    // SAFETY: the build has SSE2. Every vector is read and written within the `count` bytes and their digits.
    unsafe {
        if count >= 16 {
            let step = |at| {
                let [low, high] = digits_of(_mm_loadu_si128(from.add(at).cast()), alphabet);
                _mm_storeu_si128(to.add(2 * at).cast(), low);
                _mm_storeu_si128(to.add(2 * at + 16).cast(), high);
            };
            let mut at = 0;
            while at + 16 < count {
                step(at);
                at += 16;
            }
            step(count - 16);
        } else if count >= 8 {
            let first = _mm_loadl_epi64(from.cast());
            let last = _mm_loadl_epi64(from.add(count - 8).cast());
            let [first, last] = digits_of(_mm_unpacklo_epi64(first, last), alphabet);
            _mm_storeu_si128(to.cast(), first);
            _mm_storeu_si128(to.add(2 * count - 16).cast(), last);
        } else if count >= 4 {
            let first = from.cast::<i32>().read_unaligned();
            let last = from.add(count - 4).cast::<i32>().read_unaligned();
            let [digits, _] = digits_of(_mm_set_epi32(0, 0, last, first), alphabet);
            let last = _mm_unpackhi_epi64(digits, digits);
            _mm_storel_epi64(to.cast(), digits);
            _mm_storel_epi64(to.add(2 * count - 8).cast(), last);
        } else {
            scalar::encode(bytes, out, alphabet);
        }
    }
}

/// Initialises all of `out`, which is half as long as the digits, and returns true; or leaves it and returns false if a
/// digit is bad. Needs nothing saved.
#[inline(always)]
pub(crate) fn decode(digits: &[u8], out: &mut Uninit, _saved: Option<&mut Uninit>) -> bool {
    let count = out.len();
    assert!(digits.len() == 2 * count);
    let from = digits.as_ptr();
    let to = out.as_mut_ptr().cast::<u8>();
    // SAFETY: the build has SSE2. Every vector is read and written within the digits and their `count` bytes.
    unsafe {
        let load = |at: usize| _mm_loadu_si128(from.add(at).cast());
        if count > 32 {
            decode_long(digits, out)
        } else if count > 16 {
            let [a, b, c, d] = [0, 16, 2 * count - 32, 2 * count - 16].map(load);
            let errors = _mm_or_si128(errors_of(a, b), errors_of(c, d));
            let good = are_good(errors);
            if good {
                _mm_storeu_si128(to.cast(), bytes_of(a, b));
                _mm_storeu_si128(to.add(count - 16).cast(), bytes_of(c, d));
            }
            good
        } else if count > 8 {
            let [first, last] = [0, 2 * count - 16].map(load);
            let good = are_good(errors_of(first, last));
            if good {
                let bytes = bytes_of(first, last);
                _mm_storel_epi64(to.cast(), bytes);
                _mm_storel_epi64(to.add(count - 8).cast(), _mm_unpackhi_epi64(bytes, bytes));
            }
            good
        } else if count >= 4 {
            let first = _mm_loadl_epi64(from.cast());
            let last = _mm_loadl_epi64(from.add(2 * count - 8).cast());
            let digits = _mm_unpacklo_epi64(first, last);
            let good = are_good(errors_of(digits, digits));
            if good {
                let bytes = _mm_cvtsi128_si64(bytes_of(digits, digits));
                let last = to.add(count - 4).cast::<i32>();
                to.cast::<i32>().write_unaligned(bytes as i32);
                last.write_unaligned((bytes >> 32) as i32);
            }
            good
        } else {
            scalar::decode(digits, out, None)
        }
    }
}

/// [`decode`] of more than 32 bytes: all digits are checked before the first byte is written.
#[inline(never)]
fn decode_long(digits: &[u8], out: &mut Uninit) -> bool {
    let count = out.len();
    assert!(count >= 16 && digits.len() == 2 * count);
    let from = digits.as_ptr();
    let to = out.as_mut_ptr().cast::<u8>();
    // SAFETY: the build has SSE2. Every vector is read and written within the digits and their `count` bytes.
    unsafe {
        let load = |at: usize| {
            let digits = from.add(2 * at).cast();
            (_mm_loadu_si128(digits), _mm_loadu_si128(digits.add(1)))
        };
        let mut errors = _mm_setzero_si128();
        let mut at = 0;
        while at < count {
            let (low, high) = load(at.min(count - 16));
            errors = _mm_or_si128(errors, errors_of(low, high));
            at += 16;
        }
        if !are_good(errors) {
            return false;
        }
        at = 0;
        while at < count {
            let start = at.min(count - 16);
            let (low, high) = load(start);
            _mm_storeu_si128(to.add(start).cast(), bytes_of(low, high));
            at += 16;
        }
        true
    }
}

#[inline(always)]
fn splat(byte: u8) -> __m128i {
    // SAFETY: the build has SSE2.
    unsafe { _mm_set1_epi8(byte as i8) }
}

/// The 32 digits of 16 bytes.
#[inline(always)]
fn digits_of(bytes: __m128i, alphabet: &[u8; 16]) -> [__m128i; 2] {
    // SAFETY: the build has SSE2.
    unsafe {
        let digit = |values| {
            let letters = _mm_cmpgt_epi8(values, splat(9));
            let gaps = _mm_and_si128(letters, splat(gap(alphabet)));
            _mm_add_epi8(_mm_add_epi8(values, splat(b'0')), gaps)
        };
        let high = digit(_mm_and_si128(_mm_srli_epi16::<4>(bytes), splat(0x0f)));
        let low = digit(_mm_and_si128(bytes, splat(0x0f)));
        [_mm_unpacklo_epi8(high, low), _mm_unpackhi_epi8(high, low)]
    }
}

/// All bits of each byte that is no decimal digit.
#[inline(always)]
fn not_decimal(digits: __m128i) -> __m128i {
    // SAFETY: the build has SSE2.
    unsafe {
        // The comparison is signed: '0' goes to its least number.
        let from_zero = _mm_add_epi8(digits, splat(0x80 - b'0'));
        _mm_cmpgt_epi8(from_zero, splat(0x80 + 9))
    }
}

/// All bits of each byte that is no digit in either of the vectors.
#[inline(always)]
fn errors_of(low: __m128i, high: __m128i) -> __m128i {
    // SAFETY: the build has SSE2.
    unsafe {
        let errors = |digits| {
            let from_a = _mm_add_epi8(_mm_and_si128(digits, splat(!0x20)), splat(0x80 - b'A'));
            let not_letter = _mm_cmpgt_epi8(from_a, splat(0x80 + 5));
            _mm_and_si128(not_decimal(digits), not_letter)
        };
        _mm_or_si128(errors(low), errors(high))
    }
}

#[inline(always)]
fn are_good(errors: __m128i) -> bool {
    // SAFETY: the build has SSE2.
    unsafe { _mm_movemask_epi8(errors) == 0 }
}

/// The 16 bytes of 32 good digits.
#[inline(always)]
fn bytes_of(low: __m128i, high: __m128i) -> __m128i {
    // SAFETY: the build has SSE2.
    unsafe {
        let words = |digits| {
            let nines = _mm_and_si128(not_decimal(digits), splat(9));
            let values = _mm_and_si128(_mm_add_epi8(digits, nines), splat(0x0f));
            // A word has the high digit's value in its low byte.
            _mm_srli_epi16::<8>(_mm_or_si128(values, _mm_slli_epi16::<12>(values)))
        };
        _mm_packus_epi16(words(low), words(high))
    }
}
