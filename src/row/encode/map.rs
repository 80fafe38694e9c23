//! Maps, whose entries are in the order of their keys.

use super::{Output, begin, major};
use alloc::vec::Vec;

/// Begins a map: the next `len` keys, each with its value after it, are its entries, which [`sort_entries`] puts in order.
#[inline]
pub fn begin_map(out: &mut impl Output, len: usize) {
    begin(out, major::MAP, len);
}

/// Where in a buffer the encoding of an entry's key begins, that of its value begins, and that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where the key begins.
    pub key: usize,
    /// Where the key ends and the value begins.
    pub value: usize,
    /// Where the value ends.
    pub end: usize,
}

/// Puts a map's entries, which follow one another in a buffer, in the order of their keys' bytes (RFC 8949, section 4.2.1). Returns
/// false if a key occurs twice: such a map has no normal form.
///
/// The entries' places are then no longer those in the buffer. `sorted` is memory to work in.
///
/// # Panics
///
/// If an entry is not in the buffer, or its places are not in order. If entries do not follow one another, it may panic, or the
/// bytes are not those of a map.
pub fn sort_entries(buffer: &mut [u8], entries: &mut [Entry], sorted: &mut Vec<u8>) -> bool {
    let Some(first) = entries.first() else {
        return true;
    };
    let start = first.key;
    let key = |entry: &Entry| &buffer[entry.key..entry.value];
    if entries.is_sorted_by(|a, b| key(a) < key(b)) {
        return true;
    }
    entries.sort_unstable_by(|a, b| key(a).cmp(key(b)));
    if (entries.windows(2)).any(|pair| key(&pair[0]) == key(&pair[1])) {
        return false;
    }
    sorted.clear();
    for entry in entries {
        sorted.extend_from_slice(&buffer[entry.key..entry.end]);
    }
    buffer[start..][..sorted.len()].copy_from_slice(sorted);
    true
}
