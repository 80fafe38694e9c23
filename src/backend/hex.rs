//! Hex without kernels: for the portable backend, and for input that is too short for a kernel.

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
