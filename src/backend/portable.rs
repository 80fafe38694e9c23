//! The backend without assembly: the `blake3` crate and plain loops.

use super::{Backend, Input, Kernels, Limbs, Mix, Mode, Staged, hex};
use core::mem::MaybeUninit;
use core::ptr;

pub(super) static KERNELS: Kernels = Kernels {
    backend: Backend::Portable,
    expand,
    add,
    sub,
    batch,
    hex_encode: hex::encode,
    hex_decode: hex::decode,
};

fn expand<'a>(
    mode: Mode<'_>,
    input: Input<'_>,
    limbs: &'a mut MaybeUninit<Limbs>,
) -> &'a mut Limbs {
    let limbs = limbs.write([0; 1024]);
    fill(mode, input, limbs);
    limbs
}

/// Expands an input to its limbs.
fn fill(mode: Mode<'_>, input: Input<'_>, limbs: &mut Limbs) {
    let mut xof = match input {
        Input::Element(element) => mode.hasher().update(element).finalize_xof(),
        Input::Parent([left, right]) => {
            blake3::hazmat::merge_subtrees_root_xof(left, right, mode.hazmat())
        }
    };
    // At once, because the `blake3` crate computes up to 16 output blocks side by side.
    xof.fill(as_bytes(limbs));
    for limb in limbs {
        *limb = u16::from_le(*limb);
    }
}

/// The limbs' memory.
fn as_bytes(limbs: &mut Limbs) -> &mut [u8; size_of::<Limbs>()] {
    // SAFETY: the same memory; bytes need no alignment, and whatever they are, two of them are a limb.
    unsafe { &mut *ptr::from_mut(limbs).cast() }
}

fn add(limbs: &mut Limbs, other: &Limbs) {
    for (limb, other) in limbs.iter_mut().zip(other) {
        *limb = limb.wrapping_add(*other);
    }
}

fn sub(limbs: &mut Limbs, other: &Limbs) {
    for (limb, other) in limbs.iter_mut().zip(other) {
        *limb = limb.wrapping_sub(*other);
    }
}

/// Aligned like a cache line: additions of limbs that are not take 7 % of a short element's time more.
#[repr(align(64))]
struct Aligned([Limbs; 2]);

fn batch(mode: Mode<'_>, inputs: &mut dyn Iterator<Item = Staged<'_>>, limbs: &mut Limbs) {
    let Some(first) = inputs.next() else {
        return;
    };
    // Summed up apart, so that nothing is mixed in if the iterator panics.
    let mut buffers = Aligned([[0; 1024]; 2]);
    let Aligned([sum, expanded]) = &mut buffers;
    fill(mode, first.input, sum);
    for Staged { input, mix } in inputs {
        fill(mode, input, expanded);
        // Relative to the first, which is added or subtracted with the sum.
        if mix == first.mix {
            add(sum, expanded);
        } else {
            sub(sum, expanded);
        }
    }
    match first.mix {
        Mix::In => add(limbs, sum),
        Mix::Out => sub(limbs, sum),
    }
}
