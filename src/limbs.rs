//! The kernels over limbs that a caller keeps, as bindings to other languages do.

use crate::LtHash;
use crate::backend::{Input, Kernels, Mode};
use core::mem::MaybeUninit;

/// Functions on limbs in memory that is aligned for `u16` only, and so cannot be an [`LtHash`].
///
/// ```
/// use core::mem::MaybeUninit;
/// use lthash::{Backend, LtHash};
///
/// let kernels = Backend::active().kernels()?;
/// let mut memory = MaybeUninit::uninit();
/// let limbs: &mut [u16; 1024] = kernels.expand_limbs(None, b"alice", &mut memory);
/// kernels.add_limbs(limbs, LtHash::of(b"bob").limbs());
/// assert_eq!(limbs, LtHash::from_iter(["alice", "bob"]).limbs());
/// # Ok::<(), lthash::Unavailable>(())
/// ```
impl Kernels {
    /// Initialises `limbs` to those of [`LtHash::of`], or of [`LtHash::of_keyed`] if there is a key, and returns them.
    pub fn expand_limbs<'a>(
        &self,
        key: Option<&[u8; 32]>,
        element: &[u8],
        limbs: &'a mut MaybeUninit<[u16; LtHash::LIMBS]>,
    ) -> &'a mut [u16; LtHash::LIMBS] {
        let mode = key.map_or(Mode::Hash, Mode::KeyedHash);
        (self.expand)(mode, Input::Element(element), limbs)
    }

    /// Adds `other` to `limbs`, each mod 2^16: [`LtHash::mix_in`].
    pub fn add_limbs(&self, limbs: &mut [u16; LtHash::LIMBS], other: &[u16; LtHash::LIMBS]) {
        (self.add)(limbs, other);
    }

    /// Subtracts `other` from `limbs`, each mod 2^16: [`LtHash::mix_out`].
    pub fn sub_limbs(&self, limbs: &mut [u16; LtHash::LIMBS], other: &[u16; LtHash::LIMBS]) {
        (self.sub)(limbs, other);
    }
}
