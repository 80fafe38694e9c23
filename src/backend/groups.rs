//! Many multisets' sums.

use super::Limbs;
use alloc::vec::{self, Vec};
use core::iter::{Flatten, Skip};
use core::mem;

/// A multiset's limbs, in the order in which its backend sums them up, and its guard.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct GroupSums {
    pub(super) limbs: Limbs,
    pub(crate) guard: u128,
}

impl GroupSums {
    /// The sums of the empty multiset.
    pub(crate) const fn new() -> GroupSums {
        GroupSums {
            limbs: [0; 1024],
            guard: 0,
        }
    }
}

/// The sums of groups 0 to `len() - 1`, in pages, so that few are copied when groups are added or split off.
#[derive(Clone, Default)]
pub(crate) struct GroupTable {
    /// Pages of `PAGE` groups, but for the last, which may have fewer.
    pages: Vec<Vec<GroupSums>>,
    /// So many of the first page are no longer groups, less than a page.
    gone: usize,
}

/// The groups of a page, which has 132 KiB.
const PAGE: usize = 64;

impl GroupTable {
    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.places() - self.gone
    }

    /// The number of groups and of those that are gone.
    fn places(&self) -> usize {
        let last = self.pages.last().map_or(0, Vec::len);
        self.pages.len().saturating_sub(1) * PAGE + last
    }

    /// Adds empty groups behind the last, or drops the last, until there are so many.
    pub(crate) fn resize(&mut self, groups: usize) {
        let places = self.gone + groups;
        self.pages.truncate(places.div_ceil(PAGE));
        loop {
            let before = self.pages.len().saturating_sub(1) * PAGE;
            if let Some(last) = self.pages.last_mut() {
                last.resize(PAGE.min(places - before), GroupSums::new());
            }
            if self.places() == places {
                return;
            }
            self.pages.push(Vec::new());
        }
    }

    /// Whether there are so few that their sums stay in a first-level cache.
    #[cfg(any(lthash_avx2, lthash_avx512))]
    #[inline]
    pub(super) fn is_small(&self) -> bool {
        match &self.pages[..] {
            [] => true,
            [page] => page.len() <= 8,
            _ => false,
        }
    }

    /// A group's sums.
    ///
    /// # Panics
    ///
    /// If there is no such group.
    #[inline]
    pub(crate) fn get_mut(&mut self, group: usize) -> &mut GroupSums {
        let place = self.gone + group;
        &mut self.pages[place / PAGE][place % PAGE]
    }

    /// Splits the first groups off; those behind them become the first.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub(crate) fn split_first(&mut self, groups: usize) -> GroupTable {
        assert!(groups <= self.len());
        let places = self.gone + groups;
        let rest = self.pages.split_off(places / PAGE);
        let mut first = GroupTable {
            pages: mem::replace(&mut self.pages, rest),
            gone: mem::replace(&mut self.gone, places % PAGE),
        };
        if self.gone > 0 {
            // The page that both have a part of.
            first.pages.push(self.pages[0][..self.gone].to_vec());
        }
        first
    }

    /// The bytes that are allocated.
    pub(crate) fn memory(&self) -> usize {
        let places: usize = self.pages.iter().map(Vec::capacity).sum();
        places * size_of::<GroupSums>() + self.pages.capacity() * size_of::<Vec<GroupSums>>()
    }
}

impl IntoIterator for GroupTable {
    type Item = GroupSums;
    type IntoIter = Skip<Flatten<vec::IntoIter<Vec<GroupSums>>>>;

    /// Each group's sums. A page is freed once all of it has been taken.
    fn into_iter(self) -> Self::IntoIter {
        self.pages.into_iter().flatten().skip(self.gone)
    }
}
