//! Hex without kernels: for input too short for them, and for the portable backend's table.

mod digit;
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod digit_by_digit;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2;

pub(crate) use digit::{digit, is_digit, value};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use digit_by_digit::{decode, decode_short, encode, encode_short};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use sse2::{decode, decode_short, encode, encode_short};
