//! Where encodings go.

use lthash::row::encode::Output;

/// An output that can be given a part of a buffer.
pub(crate) trait Sink: Output {
    /// Appends the bytes of a range, which is within them.
    fn append_range(&mut self, bytes: &[u8], start: usize, end: usize);
}

impl Sink for Vec<u8> {
    #[inline]
    fn append_range(&mut self, bytes: &[u8], start: usize, end: usize) {
        self.extend_from_slice(&bytes[start..end]);
    }
}

/// So many bytes are copied at a time.
const CHUNK: usize = 16;

/// So many bytes may be overwritten behind what is appended to a [`Slot`].
pub(crate) const SLACK: usize = 4 * CHUNK;

/// How many bytes to copy of each range if none is longer than `longest`: as many of each, since a copy of a fixed length is much
/// faster than one whose length changes. Zero if that would be more than [`SLACK`].
pub(crate) fn copied(longest: usize) -> usize {
    match longest.next_multiple_of(CHUNK) {
        copied @ ..=SLACK => copied,
        _ => 0,
    }
}

/// A place within a buffer, behind which there is room for what is appended and [`SLACK`].
pub(crate) struct Slot<'a> {
    pub buffer: &'a mut [u8],
    pub position: usize,
    /// What [`copied`] says of all ranges that are appended.
    pub copied: usize,
}

impl Slot<'_> {
    /// Copies `N` bytes, if there are as many.
    #[inline(always)]
    fn copy<const N: usize>(&mut self, bytes: &[u8], start: usize) -> Option<()> {
        let from = bytes.get(start..)?.first_chunk::<N>()?;
        self.buffer[self.position..][..N].copy_from_slice(from);
        Some(())
    }
}

impl Output for Slot<'_> {
    #[inline(always)]
    fn append_short(&mut self, bytes: u128, length: usize) {
        self.buffer[self.position..][..CHUNK].copy_from_slice(&bytes.to_le_bytes());
        self.position += length;
    }

    #[inline]
    fn append_bytes(&mut self, bytes: &[u8]) {
        let end = self.position + bytes.len();
        self.buffer[self.position..end].copy_from_slice(bytes);
        self.position = end;
    }
}

impl Sink for Slot<'_> {
    #[inline(always)]
    fn append_range(&mut self, bytes: &[u8], start: usize, end: usize) {
        let done = match self.copied {
            16 => self.copy::<16>(bytes, start),
            32 => self.copy::<32>(bytes, start),
            48 => self.copy::<48>(bytes, start),
            64 => self.copy::<64>(bytes, start),
            _ => None,
        };
        if done.is_none() {
            self.buffer[self.position..][..end - start].copy_from_slice(&bytes[start..end]);
        }
        self.position += end - start;
    }
}
