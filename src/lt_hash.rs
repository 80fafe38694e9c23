//! [`LtHash`]: a multiset's 1024 limbs.

mod bytes;
mod operators;
mod text;
#[cfg(feature = "zeroize")]
mod wipe;

use crate::Checksum;
use crate::backend::{Input, Kernels, Limbs, Mix, Mode, Staged, guard_of};
use alloc::vec::Vec;
use core::fmt;
use core::iter;
use core::mem::MaybeUninit;
use core::ptr;

/// The hash of a multiset of byte strings: 1024 limbs of 16 bits.
///
/// An element's hash is BLAKE3's output for its bytes, extended to 2048 bytes and read as little-endian `u16`; a
/// multiset's is the sum of its elements' hashes, limb by limb mod 2^16. So the order of insertions and removals does
/// not matter, and removing is subtracting. This is LtHash-16-1024 of Lewi, Kim, Maykov and Weis, *Securing Update
/// Propagation with Homomorphic Hashing* (eprint 2019/227), with BLAKE3 as its XOF.
///
/// ```
/// use lthash::LtHash;
///
/// let mut set = LtHash::new();
/// set.insert(b"alice");
/// set.insert(b"bob");
/// set.remove(b"alice");
/// assert_eq!(set, LtHash::of(b"bob"));
/// ```
///
/// Hashes are summed up by operators and by [`Iterator::sum`]. There is no `AsRef<[u8]>`: [`Iterator::collect`] would take
/// hashes for elements and hash their bytes.
///
/// # What equal hashes say
///
/// Finding two different multisets with equal hashes takes about 2^200 operations by the paper's estimate, with one
/// exception that anyone can construct: multiplicities count mod 65,536, so **an element that occurs 65,536 times adds
/// up to nothing**. Where duplicates are possible, compare the number of elements too. Multiplicities may be negative:
/// removing an element that was never inserted is no error.
///
/// Compare whole hashes, or whole [checksums](LtHash::checksum), never a prefix. Hashes under a
/// [key](LtHash::of_keyed) and without one, or under different keys, do not add up to anything meaningful.
#[derive(Clone, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct LtHash {
    pub(crate) limbs: Limbs,
}

impl LtHash {
    /// The number of limbs: 1024.
    pub const LIMBS: usize = 1024;

    /// The length of the byte form: 2048.
    pub const BYTES: usize = 2 * Self::LIMBS;

    /// The hash of the empty multiset, the identity: all limbs are 0.
    #[must_use]
    pub const fn new() -> LtHash {
        LtHash {
            limbs: [0; Self::LIMBS],
        }
    }

    /// The hash of the multiset that holds `element` once.
    ///
    /// The empty element hashes like any other: it is not the identity.
    #[must_use]
    pub fn of(element: &[u8]) -> LtHash {
        Kernels::active().expand(element)
    }

    /// The hash of the multiset that holds `element` once, under a key: BLAKE3's keyed mode takes the place of its
    /// hash mode.
    ///
    /// A key helps where an attacker can choose the elements and see the outcome of comparisons but never the hashes: without the
    /// key, one cannot compute the element hashes that a collision would be built from. A key is of no use where others have to verify
    /// hashes. Under different keys an element has unrelated hashes: never mix them. For many elements use [`Accumulator::keyed`](crate::Accumulator::keyed).
    ///
    /// ```
    /// use lthash::{Accumulator, LtHash};
    ///
    /// let key = [7; 32];
    /// let mut set = Accumulator::new().keyed(&key);
    /// set.insert(b"alice");
    /// assert_eq!(set.finish(), LtHash::of_keyed(&key, b"alice"));
    /// assert_ne!(LtHash::of_keyed(&key, b"alice"), LtHash::of(b"alice"));
    /// ```
    #[must_use]
    pub fn of_keyed(key: &[u8; 32], element: &[u8]) -> LtHash {
        Kernels::active().expand_in(Mode::KeyedHash(key), Input::Element(element))
    }

    /// Inserts an element: `*self += &LtHash::of(element)`.
    ///
    /// Many elements are faster through [`Extend`] or an [`Accumulator`](crate::Accumulator).
    pub fn insert(&mut self, element: &[u8]) {
        self.mix_in(&LtHash::of(element));
    }

    /// Removes an element: `*self -= &LtHash::of(element)`.
    ///
    /// Many elements are faster through an [`Accumulator`](crate::Accumulator).
    pub fn remove(&mut self, element: &[u8]) {
        self.mix_out(&LtHash::of(element));
    }

    /// Removes elements in batches, as [`Extend`] inserts them.
    ///
    /// ```
    /// use lthash::LtHash;
    ///
    /// let mut set = LtHash::from_iter(["alice", "bob", "carol"]);
    /// set.remove_all(["alice", "carol"]);
    /// assert_eq!(set, LtHash::of(b"bob"));
    /// ```
    pub fn remove_all<T: AsRef<[u8]>>(&mut self, elements: impl IntoIterator<Item = T>) {
        Kernels::active().extend(Mode::Hash, self, &mut 0, Mix::Out, elements);
    }

    /// Adds a multiset, limb by limb mod 2^16.
    pub fn mix_in(&mut self, other: &LtHash) {
        Kernels::active().add(self, other);
    }

    /// Subtracts a multiset, limb by limb mod 2^16.
    pub fn mix_out(&mut self, other: &LtHash) {
        Kernels::active().sub(self, other);
    }

    /// The 32-byte digest to compare and to store: BLAKE3 of [`to_bytes`](LtHash::to_bytes).
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        Checksum(blake3::hash(&self.to_bytes()).into())
    }

    /// Whether this is the identity, which the empty multiset has (and one whose multiplicities are all multiples of
    /// 65,536).
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.limbs.iter().all(|&limb| limb == 0)
    }

    /// The limbs.
    #[must_use]
    pub const fn limbs(&self) -> &[u16; Self::LIMBS] {
        &self.limbs
    }
}

impl Default for LtHash {
    /// The identity.
    fn default() -> LtHash {
        LtHash::new()
    }
}

/// Shows the checksum; the limbs are had from [`LtHash::limbs`].
impl fmt::Debug for LtHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LtHash(checksum {})", self.checksum())
    }
}

/// Inserts elements in batches, which is faster than one at a time, above all for elements of more than 64 bytes.
///
/// Up to 256 of the iterator's items are held at a time, and read where they are; no more are taken while these have
/// 256 KiB. If the iterator or an item's `as_ref` panics, whole batches before that are inserted, and no other of its
/// items, on every backend.
impl<T: AsRef<[u8]>> Extend<T> for LtHash {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        Kernels::active().extend(Mode::Hash, self, &mut 0, Mix::In, elements);
    }
}

/// The hash of the multiset of the iterator's items, computed as by [`Extend`].
impl<T: AsRef<[u8]>> FromIterator<T> for LtHash {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> LtHash {
        let mut hash = LtHash::new();
        hash.extend(elements);
        hash
    }
}

/// How many of an iterator's elements are held at a time, at most.
const HELD_ELEMENTS: usize = 256;

/// While those held have so many bytes in all, none is added: elements of megabytes are not held by the hundred.
const HELD_BYTES: usize = 256 * 1024;

/// Fewer inputs than this are faster one at a time: a batch has a beginning and an end of its own.
const MIN_BATCH: usize = 3;

impl Kernels {
    /// The hash of the multiset that holds `element` once, as [`LtHash::of`].
    #[must_use]
    pub fn expand(&self, element: &[u8]) -> LtHash {
        self.expand_in(Mode::Hash, Input::Element(element))
    }

    fn expand_in(&self, mode: Mode<'_>, input: Input<'_>) -> LtHash {
        let mut hash = MaybeUninit::<LtHash>::uninit();
        // SAFETY: an LtHash begins with its limbs (`repr(C)`), nothing else borrows this one, and a MaybeUninit may be
        // uninitialised.
        let limbs = unsafe { &mut *hash.as_mut_ptr().cast::<MaybeUninit<Limbs>>() };
        (self.expand)(mode, input, limbs);
        // SAFETY: the entry has initialised all limbs, and an LtHash has nothing else.
        unsafe { hash.assume_init() }
    }

    /// Makes `hash` that of the multiset that holds the input once.
    pub(crate) fn expand_into(&self, mode: Mode<'_>, input: Input<'_>, hash: &mut LtHash) {
        let limbs = ptr::from_mut(&mut hash.limbs).cast::<MaybeUninit<Limbs>>();
        // SAFETY: the limbs are borrowed for this alone. Through a MaybeUninit they could be left uninitialised, but the
        // entry initialises all of them.
        (self.expand)(mode, input, unsafe { &mut *limbs });
    }

    /// Adds `other` to `hash`, limb by limb mod 2^16.
    pub fn add(&self, hash: &mut LtHash, other: &LtHash) {
        (self.add)(&mut hash.limbs, &other.limbs);
    }

    /// Subtracts `other` from `hash`, limb by limb mod 2^16.
    pub fn sub(&self, hash: &mut LtHash, other: &LtHash) {
        (self.sub)(&mut hash.limbs, &other.limbs);
    }

    /// Mixes elements into `hash` and `guard` in batches, reading them where they are.
    pub(crate) fn extend<T: AsRef<[u8]>>(
        &self,
        mode: Mode<'_>,
        hash: &mut LtHash,
        guard: &mut u128,
        mix: Mix,
        elements: impl IntoIterator<Item = T>,
    ) {
        let mut elements = elements.into_iter().fuse();
        if let (_, Some(0..MIN_BATCH)) = elements.size_hint() {
            // Too few to allocate room for.
            let Some(first) = elements.next() else {
                return;
            };
            match elements.next() {
                None => self.mix(mode, hash, guard, iter::once(staged(mix, &first))),
                Some(second) => {
                    let both = [staged(mix, &first), staged(mix, &second)];
                    self.mix(mode, hash, guard, both.into_iter());
                }
            }
        }
        let most = HELD_BYTES
            .div_ceil(size_of::<T>().max(1))
            .min(HELD_ELEMENTS);
        let mut held = Vec::with_capacity(elements.size_hint().0.min(most));
        loop {
            let mut bytes = 0;
            while held.len() < HELD_ELEMENTS && bytes < HELD_BYTES {
                let Some(element) = elements.next() else {
                    break;
                };
                bytes += element.as_ref().len();
                held.push(element);
            }
            if held.is_empty() {
                return;
            }
            self.mix(mode, hash, guard, held.iter().map(|held| staged(mix, held)));
            held.clear();
        }
    }

    /// Mixes inputs into `hash` and `guard`, in a batch if that is faster. If the iterator panics, a batch mixes none of them.
    pub(crate) fn mix<'a>(
        &self,
        mode: Mode<'_>,
        hash: &mut LtHash,
        guard: &mut u128,
        mut inputs: impl ExactSizeIterator<Item = Staged<'a>>,
    ) {
        if inputs.len() >= MIN_BATCH {
            return (self.batch)(mode, &mut inputs, &mut hash.limbs, guard);
        }
        for Staged { input, mix, .. } in inputs {
            let expanded = self.expand_in(mode, input);
            match mix {
                Mix::In => self.add(hash, &expanded),
                Mix::Out => self.sub(hash, &expanded),
            }
            mix.guard(guard, guard_of(&expanded.limbs));
        }
    }
}

fn staged<T: AsRef<[u8]>>(mix: Mix, element: &T) -> Staged<'_> {
    Staged {
        input: Input::Element(element.as_ref()),
        mix,
        group: (),
    }
}
