//! Some groups' sums in one allocation.

use crate::backend::sums::GroupSums;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// The sums of up to [`Page::GROUPS`] groups. With the feature `zeroize` they are wiped on drop.
#[derive(Clone, Default)]
pub(super) struct Page(Vec<GroupSums>);

impl Page {
    /// The most groups of a page, which then has 132 KiB.
    pub(super) const GROUPS: usize = 64;

    /// Adds empty groups behind the last, or drops the last, until there are so many, [`Page::GROUPS`] at most.
    pub(super) fn resize(&mut self, groups: usize) {
        #[cfg(feature = "zeroize")]
        if groups < self.len() {
            wipe(&mut self[groups..]);
        }
        if groups > self.0.capacity() {
            // Not by the Vec itself: one that grows leaves a copy behind that nothing wipes.
            let capacity = groups.max(2 * self.0.capacity()).min(Self::GROUPS);
            let mut grown = Page(Vec::with_capacity(capacity));
            grown.0.extend_from_slice(self);
            *self = grown;
        }
        self.0.resize(groups, GroupSums::new());
    }

    /// A page of the first groups, so many.
    pub(super) fn first(&self, groups: usize) -> Page {
        Page(self[..groups].to_vec())
    }

    /// The bytes that are allocated.
    pub(super) fn memory(&self) -> usize {
        self.0.capacity() * size_of::<GroupSums>()
    }
}

impl Deref for Page {
    type Target = [GroupSums];

    #[inline]
    fn deref(&self) -> &[GroupSums] {
        &self.0
    }
}

impl DerefMut for Page {
    #[inline]
    fn deref_mut(&mut self) -> &mut [GroupSums] {
        &mut self.0
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Page {
    fn drop(&mut self) {
        wipe(self);
    }
}

#[cfg(feature = "zeroize")]
fn wipe(groups: &mut [GroupSums]) {
    use core::mem::MaybeUninit;
    use zeroize::Zeroize;

    let (start, length) = (
        groups.as_mut_ptr().cast::<MaybeUninit<u8>>(),
        size_of_val(groups),
    );
    // With the padding, which may hold what stood on the stack where the sums were copied from.
    // SAFETY: the groups' own memory; zeros are sums.
    unsafe { core::slice::from_raw_parts_mut(start, length) }.zeroize();
}
