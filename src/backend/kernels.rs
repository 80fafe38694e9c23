//! The table of a backend's kernels.

use super::groups::GroupTable;
use super::input::{Input, Mode, Staged};
use super::limbs::Limbs;
use super::name::Backend;
use super::sums::GroupSums;
use super::uninit::Uninit;
use core::fmt;
use core::mem::MaybeUninit;

/// A backend's kernels: the proof that this processor can run them.
///
/// A reference can only be had from [`Backend::kernels`], for a backend that is available.
pub struct Kernels {
    pub(super) backend: Backend,
    pub(super) form: Option<&'static str>,
    /// Expands an input to its limbs, which it initialises and returns.
    pub(crate) expand: for<'a> fn(Mode<'_>, Input<'_>, &'a mut MaybeUninit<Limbs>) -> &'a mut Limbs,
    /// Adds the second limbs to the first, mod 2^16.
    pub(crate) add: fn(&mut Limbs, &Limbs),
    /// Subtracts the second limbs from the first, mod 2^16.
    pub(crate) sub: fn(&mut Limbs, &Limbs),
    /// Mixes many inputs into limbs, and their guards into a guard. If the iterator panics, it mixes none.
    pub(crate) batch: Batch,
    /// Mixes many inputs into their groups' sums.
    pub(crate) batch_groups: BatchGroups,
    /// Adds a group's sums to limbs.
    pub(crate) add_sums: fn(&mut Limbs, &mut GroupSums),
    /// Adds limbs to a group's sums.
    pub(crate) add_to_sums: fn(&mut GroupSums, &Limbs),
    /// Writes bytes as digits of the given sixteen, and returns the digits: all of the output, initialised.
    ///
    /// Safety: there are at least 32 bytes, and the output is twice as long.
    pub(crate) hex_encode: for<'a> unsafe fn(&[u8], &'a mut Uninit, &[u8; 16]) -> &'a mut [u8],
    /// Decodes digits. If all are good, it initialises all of the output and returns an empty slice. Otherwise it returns the
    /// digits, and leaves an output of up to 256 bytes as it was; a longer one is restored from the third argument if there is one,
    /// and may otherwise hold anything.
    ///
    /// It returns no `Result`, because the caller would then have to keep the digits across the call to name the bad one: on short
    /// text the pushes and pops of that cost more than the decoding.
    ///
    /// Safety: the output has at least 17 bytes and is half as long as the digits; the third argument is at least as long as
    /// the output.
    pub(crate) hex_decode:
        for<'d> unsafe fn(&'d [u8], &mut Uninit, Option<&mut Uninit>) -> &'d [u8],
}

type Batch = for<'a> fn(Mode<'_>, &mut dyn Iterator<Item = Staged<'a>>, &mut Limbs, &mut u128);
type BatchGroups = for<'a> fn(Mode<'_>, &mut dyn Iterator<Item = Staged<'a, u32>>, &mut GroupTable);

impl Kernels {
    /// The backend whose kernels these are.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Which of its backend's forms these are, if that has several: for tests, benches and the program.
    #[doc(hidden)]
    #[must_use]
    pub fn form(&self) -> Option<&'static str> {
        self.form
    }
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kernels").field(&self.backend).finish()
    }
}
