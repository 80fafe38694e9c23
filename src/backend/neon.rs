//! The backend for AArch64: intrinsics, no assembly. Every processor that such a build runs on has NEON.
//!
//! One vector holds a state word of four counters or of four chunks. Two vectors a word are under way together: a quarter round is
//! a chain of dependent operations, and those of one vector a word, four at a time, fill little more than half of the four pipes of
//! an Apple M1 or a Neoverse V2.

mod absorb;
mod compression;
mod rounds;
mod vectors;
mod xof;

use super::batch::prelude::*;
use super::hex;
use absorb::{absorb, absorb_all_lanes, absorb_lanes};
use vectors::Vector;
use xof::{lanes_to_limbs, xof, xof_add, xof_sub};

table! {
    Backend::Neon, form: None,
    lanes: 2 vectors of 4, absorb_all_lanes: Some(absorb_all_lanes), lanes_that_pay: 3,
    hex: hex::encode, hex::decode
}

/// # Safety
///
/// `limbs` may be read and written, `other` read, and they do not overlap.
unsafe fn limbs_add(limbs: *mut Limbs, other: *const Limbs) {
    // SAFETY: as the caller.
    let (limbs, other) = unsafe { (&mut *limbs, &*other) };
    for (limbs, other) in limbs.chunks_exact_mut(8).zip(other.chunks_exact(8)) {
        Vector::of_limbs(limbs)
            .add_limbs(Vector::of_limbs(other))
            .to_limbs(limbs);
    }
}

/// # Safety
///
/// `limbs` may be read and written, `other` read, and they do not overlap.
unsafe fn limbs_sub(limbs: *mut Limbs, other: *const Limbs) {
    // SAFETY: as the caller.
    let (limbs, other) = unsafe { (&mut *limbs, &*other) };
    for (limbs, other) in limbs.chunks_exact_mut(8).zip(other.chunks_exact(8)) {
        Vector::of_limbs(limbs)
            .sub_limbs(Vector::of_limbs(other))
            .to_limbs(limbs);
    }
}
