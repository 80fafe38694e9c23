//! [`Accumulator`]: many elements, hashed in batches.

mod parts;
mod staging;
#[cfg(feature = "zeroize")]
mod wipe;

use crate::backend::{Backend, Input, Kernels, Mix, Mode, Staged, guard_of};
use crate::{Guarded, LtHash};
use alloc::boxed::Box;
use blake3::{BLOCK_LEN, CHUNK_LEN};
use core::{fmt, iter, mem};
pub(crate) use parts::Parts;
pub(crate) use staging::{MAX_STAGED_ELEMENT, Staging};

/// Hashes a multiset in batches: elements are staged and then hashed many at a time, which is faster than one at a time,
/// above all for elements of more than 64 bytes. Removing is as fast as inserting, and neither order nor lengths matter.
///
/// ```
/// use lthash::{Accumulator, LtHash};
///
/// let mut accumulator = Accumulator::new();
/// for name in ["alice", "bob", "carol"] {
///     accumulator.insert(name.as_bytes());
/// }
/// accumulator.remove(b"bob");
/// assert_eq!(accumulator.finish(), LtHash::from_iter(["alice", "carol"]));
/// ```
///
/// For one to four short elements [`LtHash::insert`] and [`LtHash::extend`](Extend::extend) are faster by some percent, because
/// [`finish`](Accumulator::finish) moves the accumulator's hash of 2 KiB. An accumulator that is used again, by
/// [`take`](Accumulator::take), is about as fast as they are.
///
/// # Memory
///
/// Elements of up to 16 KiB are copied to be staged: at most 64 KiB and 1024 elements, in memory that is allocated when it is
/// first needed and then kept. Of a longer element, only 64 bytes are staged. An accumulator takes 100 KiB at most. [`Extend`]
/// copies no elements, but holds up to 256 of its iterator's items at a time (no further item once these have 256 KiB), which may
/// have memory of their own.
///
/// With the feature `zeroize` an accumulator is wiped on drop: its key, its staged elements, the chaining values of long elements'
/// chunks, and the hash. Stack frames and registers, through which all of these pass, are not wiped, nor are elements that
/// [`Extend`] is given by value, which are dropped as any value is.
///
/// # What equal hashes say
///
/// As for [`LtHash`], an element that occurs 65,536 times adds up to nothing. [`finish_guarded`](Accumulator::finish_guarded) and
/// [`take_guarded`](Accumulator::take_guarded) return a [`Guarded`], whose guard tells such multiplicities apart.
#[derive(Clone)]
pub struct Accumulator {
    kernels: &'static Kernels,
    key: Option<Key>,
    /// The hash of all elements but those that are staged.
    hash: LtHash,
    /// Its guard, if all of it has one.
    guard: u128,
    is_guarded: bool,
    /// Whether nothing has been mixed into the hash yet.
    is_new: bool,
    staging: Staging,
    /// Empty; it keeps the allocations of the last element that was given in parts.
    parts: Parts,
}

impl Accumulator {
    /// An empty multiset, on the active backend's kernels.
    #[inline]
    #[must_use]
    pub fn new() -> Accumulator {
        Self::with_kernels(Kernels::active())
    }

    /// An empty multiset, on a certain backend's kernels.
    ///
    /// ```
    /// use lthash::{Accumulator, Backend};
    ///
    /// for backend in Backend::available() {
    ///     let mut accumulator = Accumulator::with_kernels(backend.kernels()?);
    ///     accumulator.insert(b"alice");
    ///     assert_eq!(accumulator.finish(), lthash::LtHash::of(b"alice"));
    /// }
    /// # Ok::<(), lthash::Unavailable>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn with_kernels(kernels: &'static Kernels) -> Accumulator {
        Accumulator {
            kernels,
            key: None,
            hash: LtHash::new(),
            guard: 0,
            is_guarded: true,
            is_new: true,
            staging: Staging::default(),
            parts: Parts::default(),
        }
    }

    /// The same multiset, whose further elements are hashed under a key: BLAKE3's keyed mode takes the place of its
    /// hash mode, as in [`LtHash::of_keyed`], which says when that is worth having.
    ///
    /// Call it directly after [`new`](Accumulator::new) or [`with_kernels`](Accumulator::with_kernels): hashes under different
    /// keys, or with and without one, must not be mixed.
    ///
    /// # Panics
    ///
    /// If anything has been inserted, removed or mixed in or out since the accumulator was made or last
    /// [taken](Accumulator::take) from.
    #[must_use]
    pub fn keyed(mut self, key: &[u8; 32]) -> Accumulator {
        assert!(
            self.is_new && self.staging.len() == 0,
            "a key was given to an Accumulator that has elements: call keyed first"
        );
        self.key = Some(Key(Box::new(*key)));
        self
    }

    /// Inserts an element.
    pub fn insert(&mut self, element: &[u8]) {
        if self.is_new && self.staging.len() == 0 && element.len() <= BLOCK_LEN {
            // The first element may be the only one, which need be neither staged nor added. A batch gains little on one so short.
            self.is_new = false;
            let input = Input::Element(element);
            self.kernels
                .expand_into(mode(&self.key), input, &mut self.hash);
            self.guard = guard_of(&self.hash.limbs);
        } else {
            self.mix(Mix::In, [element]);
        }
    }

    /// Removes an element.
    pub fn remove(&mut self, element: &[u8]) {
        self.mix(Mix::Out, [element]);
    }

    /// Removes elements in batches, as [`Extend`] inserts them.
    ///
    /// ```
    /// use lthash::{Accumulator, LtHash};
    ///
    /// let mut accumulator = Accumulator::new();
    /// accumulator.extend(["alice", "bob", "carol"]);
    /// accumulator.remove_all(["alice", "carol"]);
    /// assert_eq!(accumulator.finish(), LtHash::of(b"bob"));
    /// ```
    pub fn remove_all<T: AsRef<[u8]>>(&mut self, elements: impl IntoIterator<Item = T>) {
        self.is_new = false;
        self.kernels.extend(
            mode(&self.key),
            &mut self.hash,
            &mut self.guard,
            Mix::Out,
            elements,
        );
    }

    /// Adds a multiset, given by its hash alone. The sum has no guard.
    pub fn mix_in(&mut self, other: &LtHash) {
        self.is_guarded = false;
        self.is_new = false;
        self.kernels.add(&mut self.hash, other);
    }

    /// Subtracts a multiset, given by its hash alone. The difference has no guard.
    pub fn mix_out(&mut self, other: &LtHash) {
        self.is_guarded = false;
        self.is_new = false;
        self.kernels.sub(&mut self.hash, other);
    }

    /// Adds a multiset, with its guard.
    pub fn mix_in_guarded(&mut self, other: &Guarded) {
        self.is_new = false;
        self.kernels.add(&mut self.hash, other.hash());
        Mix::In.guard(&mut self.guard, other.guard());
    }

    /// Subtracts a multiset, with its guard.
    pub fn mix_out_guarded(&mut self, other: &Guarded) {
        self.is_new = false;
        self.kernels.sub(&mut self.hash, other.hash());
        Mix::Out.guard(&mut self.guard, other.guard());
    }

    /// Begins an element that is given in parts.
    ///
    /// ```
    /// use lthash::{Accumulator, LtHash};
    ///
    /// let mut accumulator = Accumulator::new();
    /// let mut element = accumulator.element();
    /// element.update(b"al").update(b"ice");
    /// element.insert();
    /// assert_eq!(accumulator.finish(), LtHash::of(b"alice"));
    /// ```
    pub fn element(&mut self) -> Element<'_> {
        Element {
            parts: mem::take(&mut self.parts),
            accumulator: self,
        }
    }

    /// The multiset's hash.
    #[must_use]
    pub fn finish(mut self) -> LtHash {
        self.flush();
        self.into_hash()
    }

    /// The multiset's hash; the accumulator keeps its kernels, key and allocations and begins anew with the empty
    /// multiset.
    #[must_use]
    pub fn take(&mut self) -> LtHash {
        self.flush();
        self.guard = 0;
        self.is_guarded = true;
        self.is_new = true;
        mem::take(&mut self.hash)
    }

    /// The multiset's hash and its guard, or nothing if a hash without one was mixed in or out.
    ///
    /// ```
    /// use lthash::{Accumulator, Guarded, LtHash};
    ///
    /// let mut accumulator = Accumulator::new();
    /// accumulator.insert(b"alice");
    /// let guarded = accumulator.clone().finish_guarded();
    /// assert_eq!(guarded, Some(Guarded::of(b"alice")));
    ///
    /// accumulator.mix_in(&LtHash::of(b"bob"));
    /// assert_eq!(accumulator.finish_guarded(), None);
    /// ```
    #[must_use]
    pub fn finish_guarded(mut self) -> Option<Guarded> {
        self.flush();
        let (guard, is_guarded) = (self.guard, self.is_guarded);
        is_guarded.then(|| Guarded::from_parts(self.into_hash(), guard))
    }

    /// The multiset's hash and its guard, or nothing if a hash without one was mixed in or out. The accumulator begins anew,
    /// as after [`take`](Accumulator::take).
    #[must_use]
    pub fn take_guarded(&mut self) -> Option<Guarded> {
        self.flush();
        let (guard, is_guarded) = (self.guard, self.is_guarded);
        let hash = self.take();
        is_guarded.then(|| Guarded::from_parts(hash, guard))
    }

    #[cfg(not(feature = "zeroize"))]
    fn into_hash(self) -> LtHash {
        self.hash
    }

    /// A value that is wiped on drop cannot be moved apart, so the hash is copied.
    #[cfg(feature = "zeroize")]
    fn into_hash(mut self) -> LtHash {
        mem::take(&mut self.hash)
    }

    /// An empty multiset on the same kernels and under the same key.
    #[cfg(feature = "rayon")]
    pub(crate) fn begun_anew(&self) -> Accumulator {
        let mut accumulator = Accumulator::with_kernels(self.kernels);
        accumulator.key = self.key.clone();
        accumulator
    }

    /// Mixes in an accumulator that has staged nothing.
    #[cfg(feature = "rayon")]
    pub(crate) fn mix_in_flushed(&mut self, other: &Accumulator) {
        self.is_guarded &= other.is_guarded;
        self.is_new = false;
        self.kernels.add(&mut self.hash, &other.hash);
        Mix::In.guard(&mut self.guard, other.guard);
    }

    /// Mixes the element that is the parts' concatenation.
    #[inline]
    pub(crate) fn mix<const N: usize>(&mut self, mix: Mix, parts: [&[u8]; N]) {
        let length = parts
            .iter()
            .fold(0, |sum: usize, part| sum.saturating_add(part.len()));
        if let ([element], true) = (parts.as_slice(), length > CHUNK_LEN) {
            if self.kernels.backend() == Backend::Portable {
                // It mixes such elements one at a time anyway, so a copy would gain nothing.
                self.is_new = false;
                let input = iter::once(Staged {
                    input: Input::Element(element),
                    mix,
                    group: (),
                });
                let mode = mode(&self.key);
                return (self.kernels).mix(mode, &mut self.hash, &mut self.guard, input);
            }
        }
        if length <= MAX_STAGED_ELEMENT {
            self.make_room(length);
            self.staging.push_element(mix, parts);
        } else {
            let mut element = self.element();
            for part in parts {
                element.update(part);
            }
            element.mix(mix);
        }
    }

    fn make_room(&mut self, length: usize) {
        if !self.staging.has_room(length) {
            self.flush();
        }
    }

    /// Hashes the staged elements.
    pub(crate) fn flush(&mut self) {
        if self.staging.len() == 0 {
            return;
        }
        self.is_new = false;
        let mode = mode(&self.key);
        self.kernels
            .mix(mode, &mut self.hash, &mut self.guard, self.staging.inputs());
        self.staging.clear();
    }
}

/// The hash is wiped, too: whoever has elements' hashes under a key can look for collisions among them without the key.
#[cfg(feature = "zeroize")]
impl Drop for Accumulator {
    fn drop(&mut self) {
        use zeroize::Zeroize;

        self.hash.zeroize();
        self.guard.zeroize();
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Accumulator {}

impl Default for Accumulator {
    /// An empty multiset, on the active backend's kernels.
    fn default() -> Accumulator {
        Accumulator::new()
    }
}

impl fmt::Debug for Accumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("backend", &self.kernels.backend())
            .field("keyed", &self.key.is_some())
            .field("staged", &self.staging.len())
            .finish_non_exhaustive()
    }
}

/// Inserts elements in batches of up to 256, reading them where they are.
///
/// If the iterator or an item's `as_ref` panics, the items of whole batches before that are inserted, and no others, on every
/// backend.
impl<T: AsRef<[u8]>> Extend<T> for Accumulator {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        self.is_new = false;
        self.kernels.extend(
            mode(&self.key),
            &mut self.hash,
            &mut self.guard,
            Mix::In,
            elements,
        );
    }
}

/// An element that is given in parts, begun by [`Accumulator::element`].
///
/// The accumulator changes only by [`insert`](Element::insert) or [`remove`](Element::remove); an element that is dropped or
/// forgotten leaves no trace. An element of up to 16 KiB is held and then hashed in a batch, as if it had been given whole. Of a
/// longer one, no more than the last 16 KiB are held, and a chaining value for each complete subtree before them; it is compressed
/// at the `blake3` crate's full speed, however short its parts are.
#[must_use = "an element that is neither inserted nor removed does nothing"]
pub struct Element<'a> {
    accumulator: &'a mut Accumulator,
    parts: Parts,
}

impl Element<'_> {
    /// Appends a part, which may be empty.
    pub fn update(&mut self, part: &[u8]) -> &mut Self {
        self.parts.update(mode(&self.accumulator.key), part);
        self
    }

    /// Inserts the element, the concatenation of its parts.
    pub fn insert(self) {
        self.mix(Mix::In);
    }

    /// Removes the element, the concatenation of its parts.
    pub fn remove(self) {
        self.mix(Mix::Out);
    }

    fn mix(self, mix: Mix) {
        let Element {
            accumulator,
            mut parts,
        } = self;
        match parts.finish(mode(&accumulator.key)) {
            Input::Element(element) => accumulator.mix(mix, [element]),
            Input::Parent(children) => {
                accumulator.make_room(children.as_flattened().len());
                accumulator.staging.push_parent(mix, children);
            }
        }
        parts.clear();
        accumulator.parts = parts;
    }
}

/// Each write appends a part. It never fails and takes the whole buffer.
///
/// ```
/// use lthash::{Accumulator, LtHash};
///
/// let mut accumulator = Accumulator::new();
/// let mut element = accumulator.element();
/// std::io::copy(&mut "alice".as_bytes(), &mut element)?;
/// element.insert();
/// assert_eq!(accumulator.finish(), LtHash::of(b"alice"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "std")]
impl std::io::Write for Element<'_> {
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.update(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Element")
            .field("accumulator", &self.accumulator)
            .finish_non_exhaustive()
    }
}

/// A key, wiped on drop with the feature `zeroize`. Boxed, because an accumulator that is moved leaves its bytes behind.
#[derive(Clone)]
pub(crate) struct Key(pub(crate) Box<[u8; 32]>);

#[cfg(feature = "zeroize")]
impl Drop for Key {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut *self.0);
    }
}

/// The mode of BLAKE3 that elements are hashed in.
pub(crate) fn mode(key: &Option<Key>) -> Mode<'_> {
    match key {
        Some(Key(key)) => Mode::KeyedHash(key),
        None => Mode::Hash,
    }
}
