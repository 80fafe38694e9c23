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

/// So many bytes are written at a time, and so many may be overwritten behind what is appended to a [`Slot`].
pub(crate) const SLACK: usize = 16;

/// A place within a buffer, behind which there is room for what is appended and [`SLACK`].
pub(crate) struct Slot<'a> {
    pub buffer: &'a mut [u8],
    pub position: usize,
}

impl Slot<'_> {
    #[inline]
    fn write(&mut self, position: usize, bytes: [u8; SLACK]) {
        self.buffer[position..position + SLACK].copy_from_slice(&bytes);
    }
}

impl Output for Slot<'_> {
    #[inline]
    fn append_short(&mut self, bytes: u128, length: usize) {
        self.write(self.position, bytes.to_le_bytes());
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
    #[inline]
    fn append_range(&mut self, bytes: &[u8], start: usize, end: usize) {
        // Copies of a fixed length are much faster than one of any length if there are few.
        const MAX: usize = 4 * SLACK;
        let length = end - start;
        if length > MAX || start + length.next_multiple_of(SLACK) > bytes.len() {
            return self.append_bytes(&bytes[start..end]);
        }
        for offset in (0..length).step_by(SLACK) {
            let mut chunk = [0; SLACK];
            chunk.copy_from_slice(&bytes[start + offset..start + offset + SLACK]);
            self.write(self.position + offset, chunk);
        }
        self.position += length;
    }
}
