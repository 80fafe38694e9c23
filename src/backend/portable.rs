//! The backend without assembly: the `blake3` crate and plain loops.

use super::{Backend, Input, Kernels, Limbs, Mix, Mode, Staged};
use crate::hex::fallback;
use core::mem::MaybeUninit;

pub(super) static KERNELS: Kernels = Kernels {
    backend: Backend::Portable,
    expand,
    add,
    sub,
    batch,
    hex_encode: fallback::encode,
    hex_decode: fallback::decode,
};

fn expand<'a>(
    mode: Mode<'_>,
    input: Input<'_>,
    limbs: &'a mut MaybeUninit<Limbs>,
) -> &'a mut Limbs {
    let mut xof = match input {
        Input::Element(element) => mode.hasher().update(element).finalize_xof(),
        Input::Parent([left, right]) => {
            blake3::hazmat::merge_subtrees_root_xof(left, right, mode.hazmat())
        }
    };
    let limbs = limbs.write([0; 1024]);
    let mut block = [0; 64];
    for limbs in limbs.chunks_exact_mut(32) {
        xof.fill(&mut block);
        for (limb, bytes) in limbs.iter_mut().zip(block.chunks_exact(2)) {
            *limb = u16::from_le_bytes([bytes[0], bytes[1]]);
        }
    }
    limbs
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

fn batch(mode: Mode<'_>, inputs: &mut dyn Iterator<Item = Staged<'_>>, limbs: &mut Limbs) {
    for staged in inputs {
        let mut expanded = MaybeUninit::uninit();
        let expanded = expand(mode, staged.input, &mut expanded);
        match staged.mix {
            Mix::In => add(limbs, expanded),
            Mix::Out => sub(limbs, expanded),
        }
    }
}
