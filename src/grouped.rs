//! [`GroupedAccumulator`]: many multisets at once, hashed in batches.

#[cfg(feature = "rayon")]
mod parallel;

use crate::accumulator::{Key, MAX_STAGED_ELEMENT, Parts, Staging, mode};
use crate::backend::{GroupSums, GroupTable, Input, Kernels, Mix, Staged};
use crate::{Guarded, LtHash};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::{fmt, mem};

/// Hashes many multisets at once, the *groups*, which are numbered from 0: elements of all groups are hashed together in
/// batches, as an [`Accumulator`](crate::Accumulator) does for one.
///
/// This is for GROUP BY, for the modules of a store that each have a hash of their own, and for the buckets of a
/// comparison.
///
/// ```
/// use lthash::{GroupedAccumulator, Guarded};
///
/// let mut groups = GroupedAccumulator::new(2);
/// groups.insert(0, b"alice");
/// groups.insert(1, b"bob");
/// groups.insert(0, b"carol");
/// groups.remove(0, b"alice");
/// assert_eq!(groups.counts(), [1, 1]);
/// let hashes: Vec<Guarded> = groups.finish().collect();
/// assert_eq!(hashes, [Guarded::of(b"carol"), Guarded::of(b"bob")]);
/// ```
///
/// # Memory
///
/// Each group takes 2.1 KiB. In addition, elements are staged as in an [`Accumulator`](crate::Accumulator), and there is room for up
/// to 126 more groups: together less than 350 KiB. [`memory`](GroupedAccumulator::memory) returns the exact number.
///
/// With the feature `zeroize`, the key, what is staged and the groups' sums are wiped on drop, as are those of groups that are
/// dropped or taken out. Counts and the numbers of groups are not.
///
/// # Panics
///
/// Every function that takes a group panics if there is no such group.
#[derive(Clone)]
pub struct GroupedAccumulator {
    kernels: &'static Kernels,
    key: Option<Key>,
    /// Whether nothing has been mixed into any group yet.
    is_new: bool,
    /// The sums of all elements but those that are staged.
    groups: GroupTable,
    /// Each group's count, which includes staged elements.
    counts: Vec<i64>,
    staging: Staging,
    /// The group of each staged input.
    staged_groups: Vec<u32>,
}

impl GroupedAccumulator {
    /// `groups` empty multisets, on the active backend's kernels.
    ///
    /// # Panics
    ///
    /// If there are more than 2^32 groups.
    #[must_use]
    pub fn new(groups: usize) -> GroupedAccumulator {
        Self::with_kernels(Kernels::active(), groups)
    }

    /// `groups` empty multisets, on a certain backend's kernels.
    ///
    /// # Panics
    ///
    /// If there are more than 2^32 groups.
    #[must_use]
    pub fn with_kernels(kernels: &'static Kernels, groups: usize) -> GroupedAccumulator {
        let mut accumulator = GroupedAccumulator {
            kernels,
            key: None,
            is_new: true,
            groups: GroupTable::default(),
            counts: Vec::new(),
            staging: Staging::default(),
            staged_groups: Vec::new(),
        };
        accumulator.resize(groups);
        accumulator
    }

    /// The same multisets, whose further elements are hashed under a key, as by
    /// [`Accumulator::keyed`](crate::Accumulator::keyed).
    ///
    /// Call it directly after [`new`](GroupedAccumulator::new) or [`with_kernels`](GroupedAccumulator::with_kernels): hashes under
    /// different keys, or with and without one, must not be mixed.
    ///
    /// # Panics
    ///
    /// If anything has been inserted, removed or mixed in.
    #[must_use]
    pub fn keyed(mut self, key: &[u8; 32]) -> GroupedAccumulator {
        assert!(
            self.is_new,
            "a key was given to a GroupedAccumulator that has elements: call keyed first"
        );
        self.key = Some(Key(Box::new(*key)));
        self
    }

    /// The number of groups.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // it is the number of groups, each of which may be empty
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Appends empty groups, or drops the last groups and what they hold, until there are `groups`.
    ///
    /// Groups may be added one by one: the time for each is constant on average. At most 63 groups' sums are copied at a time,
    /// so while it adds groups this takes up to 131 KiB more than after it, and the counts' memory once more.
    ///
    /// # Panics
    ///
    /// If there would be more than 2^32.
    pub fn resize(&mut self, groups: usize) {
        assert!(
            u64::try_from(groups).is_ok_and(|groups| groups <= 1 << 32),
            "{groups} groups: expected at most 2^32"
        );
        if groups < self.len() {
            // Staged elements may belong to a group that is dropped.
            self.flush();
        }
        self.groups.resize(groups);
        self.counts.resize(groups, 0);
    }

    /// For each group, the number of elements inserted less the number removed. Elements of hashes that were
    /// [mixed in](GroupedAccumulator::mix_in) are not counted.
    #[must_use]
    pub fn counts(&self) -> &[i64] {
        &self.counts
    }

    /// The memory that this takes, in bytes. While elements are hashed, it is up to 40 KiB more.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.key.as_ref().map_or(0, |key| size_of_val(&*key.0))
            + self.groups.memory()
            + self.counts.capacity() * size_of::<i64>()
            + self.staging.memory()
            + self.staged_groups.capacity() * size_of::<u32>()
    }

    /// Inserts an element into a group.
    pub fn insert(&mut self, group: usize, element: &[u8]) {
        self.counts[group] += 1;
        self.mix(group, Mix::In, element);
    }

    /// Removes an element from a group.
    pub fn remove(&mut self, group: usize, element: &[u8]) {
        self.counts[group] -= 1;
        self.mix(group, Mix::Out, element);
    }

    /// Adds a multiset to a group.
    pub fn mix_in(&mut self, group: usize, other: &Guarded) {
        assert!(
            group < self.len(),
            "there is no group {group}: there are {}",
            self.len()
        );
        self.is_new = false;
        let sums = self.groups.get_mut(group);
        (self.kernels.add_to_sums)(sums, other.hash().limbs());
        Mix::In.guard(&mut sums.guard, other.guard());
    }

    /// Each group's hash, in their order. The iterator frees the groups' memory as it goes, 64 groups at a time.
    #[must_use]
    pub fn finish(mut self) -> impl ExactSizeIterator<Item = Guarded> + use<> {
        self.flush();
        hashes(self.kernels, self.groups)
    }

    /// Takes a group's hash out; the group is then the empty multiset.
    #[must_use]
    pub fn take(&mut self, group: usize) -> Guarded {
        self.flush();
        self.counts[group] = 0;
        let mut sums = mem::replace(self.groups.get_mut(group), GroupSums::new());
        guarded(self.kernels, &mut sums)
    }

    /// Takes the first `groups` groups out and returns their hashes. The groups after them move down: what was group `groups` is
    /// then group 0.
    ///
    /// The sums of at most 64 groups are copied, and the counts of the groups that stay are moved. The iterator frees the
    /// memory of the groups that are taken out as it goes.
    ///
    /// # Panics
    ///
    /// If there are fewer groups.
    #[must_use]
    pub fn take_first(&mut self, groups: usize) -> impl ExactSizeIterator<Item = Guarded> + use<> {
        assert!(
            groups <= self.len(),
            "the first {groups} groups of {}",
            self.len()
        );
        self.flush();
        self.counts.drain(..groups);
        hashes(self.kernels, self.groups.split_first(groups))
    }

    fn mix(&mut self, group: usize, mix: Mix, element: &[u8]) {
        self.is_new = false;
        if element.len() <= MAX_STAGED_ELEMENT {
            self.make_room(element.len());
            self.staging.push_element(mix, [element]);
        } else {
            let mode = mode(&self.key);
            let mut parts = Parts::default();
            parts.update(mode, element);
            match parts.finish(mode) {
                Input::Element(element) => {
                    self.make_room(element.len());
                    self.staging.push_element(mix, [element]);
                }
                Input::Parent(children) => {
                    self.make_room(children.as_flattened().len());
                    self.staging.push_parent(mix, children);
                }
            }
        }
        self.staged_groups.push(group as u32);
    }

    fn make_room(&mut self, length: usize) {
        if !self.staging.has_room(length) {
            self.flush();
        }
    }

    /// Hashes the staged elements.
    fn flush(&mut self) {
        let mode = mode(&self.key);
        let groups = self.staged_groups.iter();
        (self.kernels.batch_groups)(
            mode,
            &mut (self.staging.inputs().zip(groups))
                .map(|(Staged { input, mix, .. }, &group)| Staged { input, mix, group }),
            &mut self.groups,
        );
        self.staging.clear();
        self.staged_groups.clear();
    }
}

/// The key, what is staged and pages of sums are wiped by themselves.
#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for GroupedAccumulator {}

/// The hash that a group's sums stand for.
fn guarded(kernels: &Kernels, sums: &mut GroupSums) -> Guarded {
    let mut hash = LtHash::new();
    (kernels.add_sums)(&mut hash.limbs, sums);
    Guarded::from_parts(hash, sums.guard)
}

/// The hashes that the groups' sums stand for.
fn hashes(
    kernels: &'static Kernels,
    groups: GroupTable,
) -> impl ExactSizeIterator<Item = Guarded> + use<> {
    groups.into_each(|sums| guarded(kernels, sums))
}

impl fmt::Debug for GroupedAccumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroupedAccumulator")
            .field("backend", &self.kernels.backend())
            .field("keyed", &self.key.is_some())
            .field("groups", &self.len())
            .field("staged", &self.staging.len())
            .finish_non_exhaustive()
    }
}

/// Inserts elements, each with its group. If the iterator or an item's `as_ref` panics, or an item's group does not exist, all items
/// before that one are inserted and no others.
impl<T: AsRef<[u8]>> Extend<(usize, T)> for GroupedAccumulator {
    fn extend<I: IntoIterator<Item = (usize, T)>>(&mut self, elements: I) {
        for (group, element) in elements {
            self.insert(group, element.as_ref());
        }
    }
}
