//! The backend without assembly: the `blake3` crate and plain loops.

use super::groups::GroupTable;
use super::hex;
use super::input::{Input, Mix, Mode, Staged};
use super::kernels::Kernels;
use super::limbs::{Limbs, guard_of};
use super::name::Backend;
use super::sums::GroupSums;
use core::mem::MaybeUninit;
use core::ptr;

pub(super) static KERNELS: Kernels = Kernels {
    backend: Backend::Portable,
    form: None,
    expand,
    add,
    sub,
    batch,
    batch_groups,
    add_sums,
    add_to_sums,
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

/// Aligned like a cache line. Adding limbs that are not aligned takes 7 % more of a short element's time.
#[repr(align(64))]
struct Aligned<const N: usize>([Limbs; N]);

fn batch(
    mode: Mode<'_>,
    inputs: &mut dyn Iterator<Item = Staged<'_>>,
    limbs: &mut Limbs,
    guard: &mut u128,
) {
    let Some(first) = inputs.next() else {
        return;
    };
    // Summed up separately, so that nothing is mixed in if the iterator panics.
    let mut buffers = Aligned([[0; 1024]; 2]);
    let Aligned([sum, expanded]) = &mut buffers;
    fill(mode, first.input, sum);
    let mut sum_guard = guard_of(sum);
    for Staged { input, mix, .. } in inputs {
        fill(mode, input, expanded);
        // Relative to the first, which is added or subtracted with the sum.
        let relative = if mix == first.mix { Mix::In } else { Mix::Out };
        mix_expanded(relative, expanded, sum, &mut sum_guard);
    }
    match first.mix {
        Mix::In => add(limbs, sum),
        Mix::Out => sub(limbs, sum),
    }
    first.mix.guard(guard, sum_guard);
}

fn batch_groups(
    mode: Mode<'_>,
    inputs: &mut dyn Iterator<Item = Staged<'_, u32>>,
    groups: &mut GroupTable,
) {
    let mut buffer = Aligned([[0; 1024]]);
    let Aligned([expanded]) = &mut buffer;
    for Staged { input, mix, group } in inputs {
        fill(mode, input, expanded);
        let sums = groups.get_mut(group as usize);
        mix_expanded(mix, expanded, &mut sums.limbs, &mut sums.guard);
    }
}

/// Mixes an element's limbs and their guard.
fn mix_expanded(mix: Mix, expanded: &Limbs, limbs: &mut Limbs, guard: &mut u128) {
    match mix {
        Mix::In => add(limbs, expanded),
        Mix::Out => sub(limbs, expanded),
    }
    mix.guard(guard, guard_of(expanded));
}

/// On this backend a group's sums are in order.
fn add_sums(limbs: &mut Limbs, sums: &mut GroupSums) {
    add(limbs, &sums.limbs);
}

fn add_to_sums(sums: &mut GroupSums, limbs: &Limbs) {
    add(&mut sums.limbs, limbs);
}
