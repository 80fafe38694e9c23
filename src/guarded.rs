//! [`Guarded`]: a hash with a guard that tells multiplicities apart.

use crate::LtHash;
use crate::backend::{Kernels, Mix, Mode, guard_of};
use core::fmt;
use core::iter::Sum;
use core::ops::{AddAssign, Neg, SubAssign};

/// A multiset's hash with its guard, which tells multiplicities apart that the hash alone cannot.
///
/// The limbs of an [`LtHash`] count mod 2^16, so an element that occurs 65,536 times adds up to nothing. The *guard* is
/// the sum mod 2^128 of the first 16 bytes of each element's hash, read as a little-endian number. It is added and
/// subtracted together with the hash, and 65,536 occurrences do move it.
///
/// ```
/// use lthash::{Guarded, LtHash};
///
/// let alice: Guarded = (0..65_536).map(|_| "alice").collect();
/// let bob: Guarded = (0..65_536).map(|_| "bob").collect();
/// assert_eq!(alice.hash(), bob.hash());
/// assert_ne!(alice, bob);
/// ```
///
/// A guard belongs to the elements that its hash was made from, so the two stay together. Both come from elements, from other
/// guarded hashes or from [stored bytes](Guarded::from_bytes). A bare [`LtHash`], which has no guard, cannot be mixed in.
///
/// # What the guard is for
///
/// The guard protects against multiplicities that differ by accident: if two multisets have equal hashes although their elements
/// occur differently often, their guards are equal by chance once in 2^128 (once in 2^112 where all multiplicities differ by
/// multiples of 65,536). It does not add to the lattice's strength. An additive hash of 128 bits alone does not stop someone who
/// chooses the elements (Wagner, *A Generalized Birthday Problem*, CRYPTO 2002, section 4, finds collisions in some 2^23
/// operations), so someone who can also repeat elements tens of thousands of times can still construct two multisets with equal
/// guarded hashes. Against everyone else, the strength is that of [`LtHash`].
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Guarded {
    hash: LtHash,
    guard: u128,
}

impl Guarded {
    /// The length of the byte form: 2064.
    pub const BYTES: usize = LtHash::BYTES + size_of::<u128>();

    /// The guarded hash of the empty multiset, the identity.
    #[must_use]
    pub const fn new() -> Guarded {
        Guarded {
            hash: LtHash::new(),
            guard: 0,
        }
    }

    /// The guarded hash of the multiset that holds `element` once.
    #[must_use]
    pub fn of(element: &[u8]) -> Guarded {
        Self::of_one(LtHash::of(element))
    }

    /// The guarded hash of the multiset that holds `element` once, under a key, as [`LtHash::of_keyed`].
    #[must_use]
    pub fn of_keyed(key: &[u8; 32], element: &[u8]) -> Guarded {
        Self::of_one(LtHash::of_keyed(key, element))
    }

    /// Adds the guard to the hash of one element, whose limbs begin with it.
    fn of_one(hash: LtHash) -> Guarded {
        let guard = guard_of(hash.limbs());
        Guarded { hash, guard }
    }

    /// Pairs a hash with the guard that was made together with it.
    pub(crate) const fn from_parts(hash: LtHash, guard: u128) -> Guarded {
        Guarded { hash, guard }
    }

    /// The hash.
    #[must_use]
    pub fn hash(&self) -> &LtHash {
        &self.hash
    }

    /// The hash alone, without its guard.
    #[must_use]
    pub fn into_hash(self) -> LtHash {
        self.hash
    }

    /// The guard: the sum mod 2^128 of the first 16 bytes, little-endian, of each element's hash.
    #[must_use]
    pub fn guard(&self) -> u128 {
        self.guard
    }

    /// Inserts an element: `*self += &Guarded::of(element)`.
    ///
    /// Many elements are faster through [`Extend`] or an [`Accumulator`](crate::Accumulator).
    pub fn insert(&mut self, element: &[u8]) {
        self.mix_in(&Guarded::of(element));
    }

    /// Removes an element: `*self -= &Guarded::of(element)`.
    ///
    /// Many elements are faster through an [`Accumulator`](crate::Accumulator).
    pub fn remove(&mut self, element: &[u8]) {
        self.mix_out(&Guarded::of(element));
    }

    /// Adds a multiset.
    pub fn mix_in(&mut self, other: &Guarded) {
        self.hash.mix_in(&other.hash);
        Mix::In.guard(&mut self.guard, other.guard);
    }

    /// Subtracts a multiset.
    pub fn mix_out(&mut self, other: &Guarded) {
        self.hash.mix_out(&other.hash);
        Mix::Out.guard(&mut self.guard, other.guard);
    }

    /// Whether this is the identity, which the empty multiset has.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.guard == 0 && self.hash.is_identity()
    }

    /// The bytes to store: those of the hash, then the guard, little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..LtHash::BYTES].copy_from_slice(&self.hash.to_bytes());
        bytes[LtHash::BYTES..].copy_from_slice(&self.guard.to_le_bytes());
        bytes
    }

    /// The guarded hash of which these are the [bytes](Guarded::to_bytes). Any bytes are those of a guarded hash.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Guarded {
        let mut guard = [0; 16];
        guard.copy_from_slice(&bytes[LtHash::BYTES..]);
        let mut hash = [0; LtHash::BYTES];
        hash.copy_from_slice(&bytes[..LtHash::BYTES]);
        Guarded::from_parts(LtHash::from_bytes(&hash), u128::from_le_bytes(guard))
    }
}

/// Shows the hash's checksum and the guard.
impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (checksum, guard) = (self.hash.checksum(), self.guard);
        write!(f, "Guarded(checksum {checksum}, guard {guard:032x})")
    }
}

impl From<Guarded> for LtHash {
    /// The hash alone, without its guard.
    fn from(guarded: Guarded) -> LtHash {
        guarded.into_hash()
    }
}

impl AddAssign<&Guarded> for Guarded {
    fn add_assign(&mut self, other: &Guarded) {
        self.mix_in(other);
    }
}

impl SubAssign<&Guarded> for Guarded {
    fn sub_assign(&mut self, other: &Guarded) {
        self.mix_out(other);
    }
}

impl Neg for &Guarded {
    type Output = Guarded;

    /// The inverse: every multiplicity negated.
    fn neg(self) -> Guarded {
        let mut negative = Guarded::new();
        negative -= self;
        negative
    }
}

impl Neg for Guarded {
    type Output = Guarded;

    /// The inverse: every multiplicity negated.
    fn neg(self) -> Guarded {
        -&self
    }
}

impl<'a> Sum<&'a Guarded> for Guarded {
    fn sum<I: Iterator<Item = &'a Guarded>>(hashes: I) -> Guarded {
        let mut sum = Guarded::new();
        hashes.for_each(|hash| sum += hash);
        sum
    }
}

impl Sum<Guarded> for Guarded {
    fn sum<I: Iterator<Item = Guarded>>(hashes: I) -> Guarded {
        let mut sum = Guarded::new();
        hashes.for_each(|hash| sum += &hash);
        sum
    }
}

/// Inserts elements in batches, as [`LtHash`]'s does.
impl<T: AsRef<[u8]>> Extend<T> for Guarded {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        Kernels::active().extend(
            Mode::Hash,
            &mut self.hash,
            &mut self.guard,
            Mix::In,
            elements,
        );
    }
}

/// The guarded hash of the multiset of the iterator's items.
impl<T: AsRef<[u8]>> FromIterator<T> for Guarded {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Guarded {
        let mut hash = Guarded::new();
        hash.extend(elements);
        hash
    }
}
