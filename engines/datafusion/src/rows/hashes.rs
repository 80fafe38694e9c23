//! [`Hashes`]: the hashes of many groups.

use lthash::Guarded;
use std::collections::VecDeque;

/// Hashes by their groups' index. They stand in blocks, so that growth moves none, and what is taken is given back at once.
#[derive(Default)]
pub(super) struct Hashes {
    blocks: VecDeque<Box<[Guarded]>>,
    /// The index of group 0 in the first block.
    start: usize,
    len: usize,
}

/// Hashes in a block, of 256 KiB.
const BLOCK: usize = 128;

impl Hashes {
    /// Adds groups without rows until there are `groups`.
    pub fn grow(&mut self, groups: usize) {
        self.len = self.len.max(groups);
        while self.blocks.len() * BLOCK < self.start + self.len {
            self.blocks
                .push_back((0..BLOCK).map(|_| Guarded::new()).collect());
        }
    }

    pub fn get_mut(&mut self, group: usize) -> &mut Guarded {
        assert!(group < self.len, "group {group} of {}", self.len);
        let index = self.start + group;
        &mut self.blocks[index / BLOCK][index % BLOCK]
    }

    /// Takes the first group out; the others' indices are then lower by one.
    pub fn take_first(&mut self) -> Option<Guarded> {
        self.len = self.len.checked_sub(1)?;
        let hash = std::mem::take(&mut self.blocks[0][self.start]);
        self.start += 1;
        if self.start == BLOCK {
            self.blocks.pop_front();
            self.start = 0;
        }
        Some(hash)
    }

    /// The memory that they take, in bytes.
    pub fn memory(&self) -> usize {
        self.blocks.len() * BLOCK * size_of::<Guarded>()
            + self.blocks.capacity() * size_of::<Box<[Guarded]>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_their_hashes_while_others_come_and_go() {
        let (mut hashes, mut next, mut first) = (Hashes::default(), 0_u32, 0_u32);
        for step in 0..50_u32 {
            for _ in 0..step * 7 % 301 {
                let group = (next - first) as usize;
                hashes.grow(group + 1);
                hashes.get_mut(group).insert(&next.to_le_bytes());
                next += 1;
            }
            for _ in 0..(step * 11 % 203).min(next - first) {
                assert_eq!(hashes.take_first(), Some(Guarded::of(&first.to_le_bytes())));
                first += 1;
            }
            let blocks = ((next - first) as usize).div_ceil(BLOCK) + 1;
            assert!(hashes.memory() < (blocks + 1) * BLOCK * size_of::<Guarded>());
        }
        assert_eq!(hashes.len, (next - first) as usize);
        // Groups that come after others were taken have no rows.
        hashes.grow(hashes.len + 2 * BLOCK);
        while first < next {
            assert_eq!(hashes.take_first(), Some(Guarded::of(&first.to_le_bytes())));
            first += 1;
        }
        assert!((0..2 * BLOCK).all(|_| hashes.take_first() == Some(Guarded::new())));
        assert_eq!(hashes.take_first(), None);
    }
}
