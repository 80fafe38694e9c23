//! Numbers: by value, so that 5, 5.00 and 5.0 are one.

use super::{Output, append_with_head, head, major};

/// An integer of up to 128 bits with its sign: in a head if it is in −2^64 … 2^64 − 1, else a bignum (RFC 8949, section 3.4.3).
#[inline(always)]
pub fn integer(out: &mut impl Output, value: impl Into<i128>) {
    let value = value.into();
    // CBOR's negative integers are −1 − argument.
    let argument = (value ^ (value >> 127)) as u128;
    match u64::try_from(argument) {
        Ok(argument) => {
            let (bytes, length) = head(u8::from(value < 0), argument);
            out.append_short(bytes, length);
        }
        Err(_) => bignum(out, value < 0, &argument.to_be_bytes()),
    }
}

/// A decimal number: `mantissa` × 10^−`scale`. If its value is integral, an integer; else a decimal fraction (RFC 8949, section
/// 3.4.4) whose mantissa is not divisible by ten.
#[inline(always)]
pub fn decimal(out: &mut impl Output, mantissa: i128, scale: i8) {
    match (i64::try_from(mantissa), u32::try_from(scale)) {
        (Ok(mantissa), Ok(scale)) => short_decimal(out, mantissa, scale),
        _ => big_decimal(
            out,
            mantissa < 0,
            Magnitude::from(mantissa.unsigned_abs()),
            scale,
        ),
    }
}

/// A decimal number whose mantissa is an integer of 256 bits: two's complement, little-endian.
pub fn wide_decimal(out: &mut impl Output, mantissa: &[u8; 32], scale: i8) {
    let (low, high) = mantissa.split_at(16);
    let [low, high] = [low, high].map(|half| {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(half);
        i128::from_le_bytes(bytes)
    });
    if high == low >> 127 {
        return decimal(out, low, scale);
    }
    let negative = high < 0;
    let (mut low, mut high) = (low as u128, high as u128);
    if negative {
        let carry;
        (low, carry) = (!low).overflowing_add(1);
        // The carry leaves 256 bits only from 0, which has been dealt with.
        high = !high + u128::from(carry);
    }
    big_decimal(out, negative, Magnitude::from_halves(low, high), scale);
}

/// A floating-point number. If its value is integral and in −2^63 … 2^64 − 1, an integer (so −0.0 is 0); else the shortest of
/// 16, 32 and 64 bits that keeps the value. All NaNs are one.
#[inline]
pub fn float(out: &mut impl Output, value: f64) {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    // Casts saturate, so the range's end is looked at by itself.
    if value < TWO_63 && value as i64 as f64 == value {
        return integer(out, value as i64);
    }
    if (TWO_63..2.0 * TWO_63).contains(&value) {
        return integer(out, value as u64);
    }
    fraction(out, value);
}

fn fraction(out: &mut impl Output, value: f64) {
    let single = value as f32;
    let (information, bits, size) = if value.is_nan() {
        (0xf9, 0x7e00, 2)
    } else if f64::from(single) != value {
        (0xfb, value.to_bits(), 8)
    } else if let Some(half) = half(single) {
        (0xf9, half.into(), 2)
    } else {
        (0xfa, single.to_bits().into(), 4)
    };
    let big_endian = (bits << (64 - 8 * size)).swap_bytes();
    out.append_short(u128::from(big_endian) << 8 | information, 1 + size);
}

/// The bits of the 16-bit float (IEEE 754's binary16) with the same value, which is not NaN, if there is one.
fn half(value: f32) -> Option<u16> {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 0xff) as i32 - 127;
    let fraction = bits & 0x7f_ffff;
    // What it has in units of the smallest that a 16-bit float of this size tells apart, and how many bits that leaves out.
    let (units, dropped) = match exponent {
        -24..=-15 => (1 << 23 | fraction, -1 - exponent),
        -14..=15 => (((exponent + 15) as u32) << 23 | fraction, 13),
        128 => (31 << 23, 13),
        _ => return None,
    };
    let kept = units >> dropped;
    (kept << dropped == units).then_some(sign | kept as u16)
}

#[inline(always)]
fn short_decimal(out: &mut impl Output, mantissa: i64, mut scale: u32) {
    let mut magnitude = mantissa.unsigned_abs();
    while scale > 0 {
        let Some(tenth) = tenth(magnitude) else {
            break;
        };
        magnitude = tenth;
        // 0 is divisible as often as one likes.
        scale = if tenth == 0 { 0 } else { scale - 1 };
    }
    let negative = u8::from(mantissa < 0);
    // Of a negative one this is the magnitude less 1; 0 has no sign.
    let mantissa = head(negative, magnitude.wrapping_sub(negative.into()));
    match scale {
        0 => out.append_short(mantissa.0, mantissa.1),
        1..=24 => append_with_head(out, fraction_prefix(scale).0, 3, mantissa),
        _ => append_with_head(out, fraction_prefix(scale).0, 4, mantissa),
    }
}

/// A number's tenth part, if it is divisible by ten.
#[inline]
fn tenth(number: u64) -> Option<u64> {
    // The product with the inverse of five, mod 2^64, is the fifth part of a multiple of five, and greater than u64::MAX / 5 for any
    // other number (Granlund and Montgomery, Division by Invariant Integers using Multiplication, section 9). The rotation halves an
    // even product, and moves the lowest bit of an odd one to the top, above the limit.
    const INVERSE_OF_FIVE: u64 = 0xcccc_cccc_cccc_cccd;
    let tenth = number.wrapping_mul(INVERSE_OF_FIVE).rotate_right(1);
    (tenth <= u64::MAX / 10).then_some(tenth)
}

/// Of a decimal fraction what comes before its mantissa: tag 4, an array of two, the exponent −`scale`, which is not 0. Its length is 3
/// bytes, or 4 if the scale is above 24.
#[inline]
fn fraction_prefix(scale: u32) -> (u64, usize) {
    // The exponent is −1 − argument.
    let argument = u64::from(scale) - 1;
    if argument < 24 {
        (0x20_82c4 | argument << 16, 3)
    } else {
        (0x38_82c4 | argument << 24, 4)
    }
}

/// As [`decimal`], for what has more than 64 bits or a negative scale.
#[cold]
#[inline(never)]
fn big_decimal(out: &mut impl Output, negative: bool, mut magnitude: Magnitude, scale: i8) {
    for _ in scale..0 {
        magnitude.multiply_by_ten();
    }
    let mut scale = u32::try_from(scale).unwrap_or(0);
    while scale > 0 && magnitude.divide_by_ten() {
        scale -= 1;
    }
    if scale > 0 {
        let (prefix, length) = fraction_prefix(scale);
        out.append_short(prefix.into(), length);
    }
    if negative {
        magnitude.subtract_one();
    }
    match magnitude.to_u64() {
        Some(argument) => {
            let (bytes, length) = head(negative.into(), argument);
            out.append_short(bytes, length);
        }
        None => bignum(out, negative, &magnitude.to_be_bytes()),
    }
}

/// A bignum: tag 2, or 3 if it is negative, and the argument's bytes without zeros before them.
#[cold]
#[inline(never)]
fn bignum(out: &mut impl Output, negative: bool, argument: &[u8]) {
    let zeros = argument.iter().take_while(|&&byte| byte == 0).count();
    let tag = head(major::TAG, 2 + u64::from(negative));
    out.append_short(tag.0, tag.1);
    super::bytes(out, &argument[zeros..]);
}

/// An unsigned integer: limbs of 64 bits, the lowest first. A mantissa of 256 bits times 10^128 has fewer than 682 bits.
struct Magnitude([u64; Magnitude::LIMBS]);

impl From<u128> for Magnitude {
    fn from(value: u128) -> Magnitude {
        Magnitude::from_halves(value, 0)
    }
}

impl Magnitude {
    const LIMBS: usize = 11;

    fn from_halves(low: u128, high: u128) -> Magnitude {
        let mut limbs = [0; Magnitude::LIMBS];
        for (pair, half) in limbs.chunks_exact_mut(2).zip([low, high]) {
            pair.copy_from_slice(&[half as u64, (half >> 64) as u64]);
        }
        Magnitude(limbs)
    }

    fn multiply_by_ten(&mut self) {
        let mut carry = 0;
        for limb in &mut self.0 {
            let product = u128::from(*limb) * 10 + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
    }

    /// Whether it is divisible by ten; if not, it stays as it is.
    fn divide_by_ten(&mut self) -> bool {
        if self.0[0] % 2 != 0 {
            return false;
        }
        let mut quotient = [0; Magnitude::LIMBS];
        let mut remainder = 0;
        for (limb, digit) in self.0.iter().zip(&mut quotient).rev() {
            let dividend = remainder << 64 | u128::from(*limb);
            *digit = (dividend / 10) as u64;
            remainder = dividend % 10;
        }
        if remainder == 0 {
            self.0 = quotient;
        }
        remainder == 0
    }

    /// Of 0 it gives the greatest; no caller has it.
    fn subtract_one(&mut self) {
        for limb in &mut self.0 {
            let borrow;
            (*limb, borrow) = limb.overflowing_sub(1);
            if !borrow {
                break;
            }
        }
    }

    fn to_u64(&self) -> Option<u64> {
        (self.0[1..].iter().all(|&limb| limb == 0)).then_some(self.0[0])
    }

    fn to_be_bytes(&self) -> [u8; 8 * Magnitude::LIMBS] {
        let mut bytes = [0; 8 * Magnitude::LIMBS];
        for (chunk, limb) in bytes.chunks_exact_mut(8).rev().zip(&self.0) {
            chunk.copy_from_slice(&limb.to_be_bytes());
        }
        bytes
    }
}
