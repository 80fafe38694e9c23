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

/// A place within a buffer, behind which there is room for what is appended and [`SLACK`]. `COPIED` is what [`copied`] says of all
/// ranges that are appended, or 0.
pub(crate) struct Slot<'a, const COPIED: usize> {
    pub buffer: &'a mut [u8],
    pub position: usize,
}

impl<const COPIED: usize> Output for Slot<'_, COPIED> {
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

impl<const COPIED: usize> Sink for Slot<'_, COPIED> {
    #[inline(always)]
    fn append_range(&mut self, bytes: &[u8], start: usize, end: usize) {
        match bytes.get(start..).and_then(|bytes| bytes.first_chunk()) {
            Some(from) if COPIED > 0 => {
                let from: &[u8; COPIED] = from;
                self.buffer[self.position..][..COPIED].copy_from_slice(from);
            }
            _ => self.buffer[self.position..][..end - start].copy_from_slice(&bytes[start..end]),
        }
        self.position += end - start;
    }
}
