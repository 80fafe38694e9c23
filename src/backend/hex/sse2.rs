//! 16 digits at a time, with the vectors that every x86-64 processor has.
//!
//! If a length is no multiple of a step's, the last step overlaps the one before it.

use super::digit::gap;
use crate::backend::uninit::{Uninit, as_init};
use core::arch::x86_64::*;

/// Writes the digits of fewer than 32 bytes to `out`, which is twice as long, and returns all of it, initialised.
#[inline(always)]
pub(crate) fn encode_short<'a>(
    bytes: &[u8],
    out: &'a mut Uninit,
    alphabet: &[u8; 16],
) -> &'a mut [u8] {
    let count = bytes.len();
    assert!(out.len() == 2 * count && count < 32);
    let from = bytes.as_ptr();
    let to = out.as_mut_ptr().cast::<u8>();
    // SAFETY: the build has SSE2. All is read and written within the `count` bytes and their digits, of which each is written.
    unsafe {
        if count >= 16 {
            if count > 16 {
                encode_16(from, to, alphabet);
            }
            encode_16(from.add(count - 16), to.add(2 * count - 32), alphabet);
        } else if count >= 8 {
            let first = _mm_loadl_epi64(from.cast());
            let last = _mm_loadl_epi64(from.add(count - 8).cast());
            let [first, last] = digits_of(_mm_unpacklo_epi64(first, last), alphabet);
            _mm_storeu_si128(to.cast(), first);
            _mm_storeu_si128(to.add(2 * count - 16).cast(), last);
        } else if count >= 4 {
            let first = load_4(from);
            let last = load_4(from.add(count - 4));
            let [digits, _] = digits_of(_mm_unpacklo_epi32(first, last), alphabet);
            _mm_storel_epi64(to.cast(), digits);
            let last = _mm_unpackhi_epi64(digits, digits);
            _mm_storel_epi64(to.add(2 * count - 8).cast(), last);
        } else if count >= 2 {
            let first = from.cast::<i16>().read_unaligned();
            let last = from.add(count - 2).cast::<i16>().read_unaligned();
            let bytes = _mm_set_epi16(0, 0, 0, 0, 0, 0, last, first);
            let [digits, _] = digits_of(bytes, alphabet);
            store_4(to, digits);
            store_4(to.add(2 * count - 4), _mm_srli_epi64::<32>(digits));
        } else if count == 1 {
            let [digits, _] = digits_of(_mm_cvtsi32_si128((*from).into()), alphabet);
            let digits = _mm_cvtsi128_si32(digits) as i16;
            to.cast::<i16>().write_unaligned(digits);
        }
        as_init(out)
    }
}

/// Writes the bytes' digits to `out`, which is twice as long, and returns all of it, initialised.
pub(crate) fn encode<'a>(bytes: &[u8], out: &'a mut Uninit, alphabet: &[u8; 16]) -> &'a mut [u8] {
    let count = bytes.len();
    if count < 32 {
        return encode_short(bytes, out, alphabet);
    }
    assert!(out.len() == 2 * count);
    let from = bytes.as_ptr();
    let to = out.as_mut_ptr().cast::<u8>();
    // SAFETY: the build has SSE2. All is read and written within the `count` bytes and their digits, of which each is written.
    unsafe {
        for at in (0..count).step_by(16) {
            let at = at.min(count - 16);
            encode_16(from.add(at), to.add(2 * at), alphabet);
        }
        as_init(out)
    }
}

/// Decodes the digits into `out`, which is half as long and has at most 16 bytes, and returns true. If a digit is bad, it
/// leaves `out` as it was and returns false.
#[inline(always)]
pub(crate) fn decode_short(digits: &[u8], out: &mut Uninit) -> bool {
    let count = out.len();
    assert!(digits.len() == 2 * count && count <= 16);
    let from = digits.as_ptr();
    let to = out.as_mut_ptr().cast::<u8>();
    // SAFETY: the build has SSE2. All is read and written within the digits and their `count` bytes, of which each is written.
    unsafe {
        if count > 8 {
            let first = values_of(_mm_loadu_si128(from.cast()));
            let last = values_of(_mm_loadu_si128(from.add(2 * count - 16).cast()));
            if !are_digits(_mm_and_si128(first, last)) {
                return false;
            }
            let bytes = bytes_of(first, last);
            // One write costs less than two.
            if count == 16 {
                _mm_storeu_si128(to.cast(), bytes);
            } else {
                _mm_storel_epi64(to.cast(), bytes);
                let last = _mm_unpackhi_epi64(bytes, bytes);
                _mm_storel_epi64(to.add(count - 8).cast(), last);
            }
        } else if count >= 4 {
            let first = _mm_loadl_epi64(from.cast());
            let last = _mm_loadl_epi64(from.add(2 * count - 8).cast());
            let values = values_of(_mm_unpacklo_epi64(first, last));
            if !are_digits(values) {
                return false;
            }
            let bytes = bytes_of(values, values);
            if count == 8 {
                _mm_storel_epi64(to.cast(), bytes);
            } else {
                store_4(to, bytes);
                store_4(to.add(count - 4), _mm_srli_epi64::<32>(bytes));
            }
        } else if count >= 2 {
            let four = _mm_unpacklo_epi32(load_4(from), load_4(from.add(2 * count - 4)));
            let values = values_of(_mm_unpacklo_epi64(four, four));
            if !are_digits(values) {
                return false;
            }
            let bytes = _mm_cvtsi128_si32(bytes_of(values, values));
            to.cast::<i16>().write_unaligned(bytes as i16);
            let last = to.add(count - 2).cast::<i16>();
            last.write_unaligned((bytes >> 16) as i16);
        } else if count == 1 {
            let values = values_of(_mm_set1_epi16(from.cast::<i16>().read_unaligned()));
            if !are_digits(values) {
                return false;
            }
            *to = _mm_cvtsi128_si32(bytes_of(values, values)) as u8;
        }
    }
    true
}

/// Decodes the digits into `out`, which is half as long and has at least 16 bytes, and returns an empty slice. If a digit is
/// bad, it leaves `out` as it was and returns the digits. It needs no place to save to.
pub(crate) fn decode<'d>(
    digits: &'d [u8],
    out: &mut Uninit,
    _saved: Option<&mut Uninit>,
) -> &'d [u8] {
    let count = out.len();
    assert!(digits.len() == 2 * count && count >= 16);
    let from = digits.as_ptr();
    let to = out.as_mut_ptr().cast::<u8>();
    // SAFETY: the build has SSE2. All is read and written within the digits and their `count` bytes, of which each is written.
    unsafe {
        let values = |at: usize| {
            let digits = from.add(2 * at).cast();
            let (low, high) = (_mm_loadu_si128(digits), _mm_loadu_si128(digits.add(1)));
            (values_of(low), values_of(high))
        };
        // All are checked before the first byte is written.
        let starts = (0..count).step_by(16).map(|at| at.min(count - 16));
        let all = starts.clone().fold(splat(0xff), |all, at| {
            let (low, high) = values(at);
            _mm_and_si128(all, _mm_and_si128(low, high))
        });
        if !are_digits(all) {
            return digits;
        }
        for at in starts {
            let (low, high) = values(at);
            _mm_storeu_si128(to.add(at).cast(), bytes_of(low, high));
        }
    }
    &[]
}

#[inline(always)]
fn splat(byte: u8) -> __m128i {
    // SAFETY: the build has SSE2.
    unsafe { _mm_set1_epi8(byte as i8) }
}

/// # Safety
///
/// There are four bytes to read.
#[inline(always)]
unsafe fn load_4(from: *const u8) -> __m128i {
    // SAFETY: as the caller; the build has SSE2.
    unsafe { _mm_cvtsi32_si128(from.cast::<i32>().read_unaligned()) }
}

/// # Safety
///
/// There is room for four bytes.
#[inline(always)]
unsafe fn store_4(to: *mut u8, bytes: __m128i) {
    // SAFETY: as the caller; the build has SSE2.
    unsafe { to.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(bytes)) }
}

/// # Safety
///
/// There are 16 bytes to read, and room for their digits.
#[inline(always)]
unsafe fn encode_16(from: *const u8, to: *mut u8, alphabet: &[u8; 16]) {
    // SAFETY: as the caller; the build has SSE2.
    unsafe {
        let [low, high] = digits_of(_mm_loadu_si128(from.cast()), alphabet);
        _mm_storeu_si128(to.cast(), low);
        _mm_storeu_si128(to.add(16).cast(), high);
    }
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

/// 0x80 and its value for each digit, and less than 0x80 for each other byte.
#[inline(always)]
fn values_of(digits: __m128i) -> __m128i {
    // SAFETY: the build has SSE2.
    unsafe {
        // The addition takes '9' to 0xff, and what is above '9' wraps to small numbers. The saturating subtraction then takes '0' to
        // 0x80, and what is below '0' to less.
        let decimal = _mm_add_epi8(digits, splat(0xff - b'9'));
        let decimal = _mm_subs_epu8(decimal, splat(0x76));
        // Letters likewise, with 'f' and 'a' for '9' and '0'. Setting the bit by which the cases differ after a subtraction of
        // one keeps '@' and '`', the bytes before 'A' and 'a', from counting as letters.
        let less_one = _mm_add_epi8(digits, splat(0xff));
        let lower = _mm_or_si128(less_one, splat(0x20));
        let letter = _mm_add_epi8(lower, splat(0xff - (b'f' - 1)));
        let letter = _mm_subs_epu8(letter, splat(0x70));
        _mm_max_epu8(decimal, letter)
    }
}

/// Whether every byte was a digit, given the bitwise and of the [`values_of`] all vectors.
#[inline(always)]
fn are_digits(values: __m128i) -> bool {
    // SAFETY: the build has SSE2.
    unsafe { _mm_movemask_epi8(values) == 0xffff }
}

/// The 16 bytes of the [`values_of`] 32 digits.
#[inline(always)]
fn bytes_of(low: __m128i, high: __m128i) -> __m128i {
    // SAFETY: the build has SSE2.
    unsafe {
        // The low byte of a word is the first digit's value. In the sum, the upper byte is 16 times that plus the second digit's
        // value; its 0x80 is subtracted at the end.
        let words = |values| {
            let sums = _mm_add_epi16(_mm_slli_epi16::<12>(values), values);
            _mm_srli_epi16::<8>(sums)
        };
        _mm_xor_si128(_mm_packus_epi16(words(low), words(high)), splat(0x80))
    }
}
