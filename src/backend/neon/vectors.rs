//! Vectors of four words, or of eight limbs.

// Newer versions of Rust have most of the intrinsics as safe functions.
#![allow(unused_unsafe)]

use core::arch::aarch64::*;

/// Four words, lane 0 in the lowest bytes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Vector(uint32x4_t);

impl Vector {
    /// One word in all lanes.
    #[inline(always)]
    pub(super) fn splat(word: u32) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe { vdupq_n_u32(word) })
    }

    #[inline(always)]
    pub(super) fn to_words(self, words: &mut [u32]) {
        assert!(words.len() == 4);
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and the reference covers what is read or written.
        unsafe { vst1q_u32(words.as_mut_ptr(), self.0) }
    }

    /// Four words of a slice.
    #[inline(always)]
    pub(super) fn of_words(words: &[u32]) -> Vector {
        assert!(words.len() == 4);
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and the reference covers what is read or written.
        Vector(unsafe { vld1q_u32(words.as_ptr()) })
    }

    /// Four little-endian words.
    #[inline(always)]
    pub(super) fn of_bytes(bytes: &[u8; 16]) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and the reference covers what is read or written.
        Vector(unsafe { vreinterpretq_u32_u8(vld1q_u8(bytes.as_ptr())) })
    }

    #[inline(always)]
    pub(super) fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and the reference covers what is read or written.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), vreinterpretq_u8_u32(self.0)) }
        bytes
    }

    /// Eight limbs, two a word.
    #[inline(always)]
    pub(super) fn of_limbs(limbs: &[u16]) -> Vector {
        assert!(limbs.len() == 8);
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and the reference covers what is read or written.
        Vector(unsafe { vreinterpretq_u32_u16(vld1q_u16(limbs.as_ptr())) })
    }

    #[inline(always)]
    pub(super) fn to_limbs(self, limbs: &mut [u16]) {
        assert!(limbs.len() == 8);
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and the reference covers what is read or written.
        unsafe { vst1q_u16(limbs.as_mut_ptr(), vreinterpretq_u16_u32(self.0)) }
    }

    #[inline(always)]
    pub(super) fn add(self, other: Vector) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe { vaddq_u32(self.0, other.0) })
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Vector) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe { veorq_u32(self.0, other.0) })
    }

    /// Adds limb by limb, mod 2^16.
    #[inline(always)]
    pub(super) fn add_limbs(self, other: Vector) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe {
            let (a, b) = (
                vreinterpretq_u16_u32(self.0),
                vreinterpretq_u16_u32(other.0),
            );
            vreinterpretq_u32_u16(vaddq_u16(a, b))
        })
    }

    /// Subtracts limb by limb, mod 2^16.
    #[inline(always)]
    pub(super) fn sub_limbs(self, other: Vector) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe {
            let (a, b) = (
                vreinterpretq_u16_u32(self.0),
                vreinterpretq_u16_u32(other.0),
            );
            vreinterpretq_u32_u16(vsubq_u16(a, b))
        })
    }

    /// Rotates each word right by 16 bits: swaps its halves.
    #[inline(always)]
    pub(super) fn rotate_16(self) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe { vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(self.0))) })
    }

    /// Rotates each word right by 12 bits.
    #[inline(always)]
    pub(super) fn rotate_12(self) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe { vsriq_n_u32::<12>(vshlq_n_u32::<20>(self.0), self.0) })
    }

    /// Rotates each word right by 8 bits, which moves whole bytes.
    #[inline(always)]
    pub(super) fn rotate_8(self) -> Vector {
        const BYTES: [u8; 16] = [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12];
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe {
            let bytes = vreinterpretq_u8_u32(self.0);
            vreinterpretq_u32_u8(vqtbl1q_u8(bytes, vld1q_u8(BYTES.as_ptr())))
        })
    }

    /// Rotates each word right by 7 bits.
    #[inline(always)]
    pub(super) fn rotate_7(self) -> Vector {
        // SAFETY: build.rs sets `lthash_neon` only where all code may use NEON, and no memory is touched.
        Vector(unsafe { vsriq_n_u32::<7>(vshlq_n_u32::<25>(self.0), self.0) })
    }
}

/// Four vectors' lanes: word i of vector j becomes word j of vector i.
#[inline(always)]
pub(super) fn transposed([a, b, c, d]: [Vector; 4]) -> [Vector; 4] {
    // SAFETY: the build has NEON.
    unsafe {
        let pairs = [
            vtrn1q_u32(a.0, b.0),
            vtrn2q_u32(a.0, b.0),
            vtrn1q_u32(c.0, d.0),
            vtrn2q_u32(c.0, d.0),
        ];
        let [ab_even, ab_odd, cd_even, cd_odd] = pairs.map(|pair| vreinterpretq_u64_u32(pair));
        [
            vtrn1q_u64(ab_even, cd_even),
            vtrn1q_u64(ab_odd, cd_odd),
            vtrn2q_u64(ab_even, cd_even),
            vtrn2q_u64(ab_odd, cd_odd),
        ]
        .map(|words| Vector(vreinterpretq_u32_u64(words)))
    }
}
