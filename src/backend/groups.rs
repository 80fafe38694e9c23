//! Many multisets' sums.

mod page;
#[cfg(any(feature = "rayon", lthash_avx2, lthash_neon))]
mod prefetch;

use super::sums::GroupSums;
use alloc::vec::Vec;
use core::mem;
use page::Page;
#[cfg(any(feature = "rayon", lthash_avx2, lthash_neon))]
pub(crate) use prefetch::prefetch;

/// The sums of groups 0 to `len() - 1`, in pages, so that few are copied when groups are added or split off.
#[derive(Clone, Default)]
pub(crate) struct GroupTable {
    /// Pages of `Page::GROUPS` groups, but for the last, which may have fewer.
    pages: Vec<Page>,
    /// The number of groups at the beginning of the first page that have been split off, less than a page.
    gone: usize,
}

impl GroupTable {
    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.places() - self.gone
    }

    /// The number of groups and of those that are gone.
    fn places(&self) -> usize {
        let last = self.pages.last().map_or(0, |page| page.len());
        self.pages.len().saturating_sub(1) * Page::GROUPS + last
    }

    /// Adds empty groups behind the last, or drops the last, until there are so many.
    pub(crate) fn resize(&mut self, groups: usize) {
        let places = self.gone + groups;
        self.pages.truncate(places.div_ceil(Page::GROUPS));
        loop {
            let before = self.pages.len().saturating_sub(1) * Page::GROUPS;
            if let Some(last) = self.pages.last_mut() {
                last.resize(Page::GROUPS.min(places - before));
            }
            if self.places() == places {
                return;
            }
            self.pages.push(Page::default());
        }
    }

    /// Whether there are so few that their sums stay in a second-level cache: a page at most.
    #[cfg(any(lthash_avx2, lthash_neon))]
    #[inline]
    pub(super) fn is_small(&self) -> bool {
        self.pages.len() <= 1
    }

    /// A group's sums.
    ///
    /// # Panics
    ///
    /// If there is no such group.
    #[inline]
    pub(crate) fn get_mut(&mut self, group: usize) -> &mut GroupSums {
        let place = self.gone + group;
        &mut self.pages[place / Page::GROUPS][place % Page::GROUPS]
    }

    /// A group's place: its number and those split off before it on the first page.
    #[cfg(feature = "rayon")]
    pub(crate) fn place(&self, group: usize) -> usize {
        self.gone + group
    }

    /// The sums of all groups in order, in a slice for every `size` places, 1 to 64 and a power of two. A group is in slice
    /// `place / size`; the first slices have fewer groups, or none.
    #[cfg(feature = "rayon")]
    pub(crate) fn slices_mut(&mut self, size: usize) -> impl Iterator<Item = &mut [GroupSums]> {
        let mut gone = self.gone;
        let slices = (self.pages.iter_mut()).flat_map(move |page| page.chunks_mut(size));
        slices.map(move |slice| {
            let gone_here = gone.min(slice.len());
            gone -= gone_here;
            &mut slice[gone_here..]
        })
    }

    /// Splits the first groups off; those behind them become the first.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub(crate) fn split_first(&mut self, groups: usize) -> GroupTable {
        assert!(groups <= self.len());
        let places = self.gone + groups;
        let rest = self.pages.split_off(places / Page::GROUPS);
        let mut first = GroupTable {
            pages: mem::replace(&mut self.pages, rest),
            gone: mem::replace(&mut self.gone, places % Page::GROUPS),
        };
        if self.gone > 0 {
            // The page that both have a part of.
            first.pages.push(self.pages[0].first(self.gone));
        }
        first
    }

    /// What `each` makes of each group's sums, in order. Each page is freed before the first group
    /// of the next is given out.
    pub(crate) fn into_each<T>(
        self,
        mut each: impl FnMut(&mut GroupSums) -> T,
    ) -> impl ExactSizeIterator<Item = T> {
        let groups = self.len();
        let mut pages = self.pages.into_iter();
        let mut page = pages.next().unwrap_or_default();
        let mut place = self.gone;
        (0..groups).map(move |_| {
            if place == page.len() {
                page = pages.next().unwrap_or_default();
                place = 0;
            }
            place += 1;
            each(&mut page[place - 1])
        })
    }

    /// The bytes that are allocated.
    pub(crate) fn memory(&self) -> usize {
        let pages: usize = self.pages.iter().map(Page::memory).sum();
        pages + self.pages.capacity() * size_of::<Page>()
    }
}
