//! Limbs, and the guard among them.

/// A set's or an element's 1024 limbs.
pub(crate) type Limbs = [u16; 1024];

/// The guard of the element that limbs are the expansion of: its first 16 bytes, little-endian.
pub(crate) fn guard_of(expanded: &Limbs) -> u128 {
    let first = expanded[..8].iter().rev();
    first.fold(0, |guard, &limb| guard << 16 | u128::from(limb))
}
