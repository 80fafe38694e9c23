//! The encoding of single values, for those who lay rows out in their own way, such as column by column. [`Row`](super::Row) is
//! made of it.
//!
//! Each function appends one value in normal form to an [`Output`]. A row's element is [`begin_list`] with the number of its
//! values, and then these.
//!
//! ```
//! use lthash::row::{Row, encode};
//!
//! let mut element = Vec::new();
//! encode::begin_list(&mut element, 2);
//! encode::integer(&mut element, 1);
//! encode::text(&mut element, "pen");
//! assert_eq!(element, Row::new().integer(1).text("pen").as_element());
//! ```

mod map;
mod number;
pub(super) mod time;

pub use map::{Entry, begin_map, sort_entries};
pub use number::{decimal, float, integer, wide_decimal};
pub use time::{Unit, date, duration, interval, local_timestamp, time, timestamp};

use alloc::vec::Vec;

/// What encodings are appended to.
pub trait Output {
    /// Appends the lowest `length` bytes, at most 16, the lowest first. Bytes above those mean nothing.
    fn append_short(&mut self, bytes: u128, length: usize);

    /// Appends bytes.
    fn append_bytes(&mut self, bytes: &[u8]);
}

impl Output for Vec<u8> {
    #[inline]
    fn append_short(&mut self, bytes: u128, length: usize) {
        // A fixed number of bytes, which is faster to copy.
        let end = self.len() + length;
        self.extend_from_slice(&bytes.to_le_bytes());
        self.truncate(end);
    }

    #[inline]
    fn append_bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// CBOR's major types (RFC 8949, section 3.1).
pub(super) mod major {
    pub const UNSIGNED: u8 = 0;
    pub const BYTES: u8 = 2;
    pub const TEXT: u8 = 3;
    pub const ARRAY: u8 = 4;
    pub const MAP: u8 = 5;
    pub const TAG: u8 = 6;
}

/// The shortest head of a data item with this argument, and its length, up to 9 bytes (RFC 8949, section 3).
#[inline(always)]
pub(super) const fn head(major: u8, argument: u64) -> (u128, usize) {
    let form = &FORMS[(argument | 1).ilog2() as usize];
    let (information, length) = if argument < 24 {
        (argument as u8, 1)
    } else {
        (form.information, form.length)
    };
    let big_endian = (argument << form.shift).swap_bytes();
    let bytes = ((big_endian as u128) << 8) | (major << 5 | information) as u128;
    (bytes, length as usize)
}

/// The form of a head whose argument is 24 or more.
struct Form {
    /// So many bits of 64 are above the argument's bytes.
    shift: u8,
    information: u8,
    length: u8,
}

/// By the position of the argument's highest bit: the argument takes 1, 2, 4 or 8 bytes.
const FORMS: [Form; 64] = {
    let mut forms = [const {
        Form {
            shift: 0,
            information: 0,
            length: 0,
        }
    }; 64];
    let mut bit = 0;
    while bit < 64 {
        let size = (bit >= 8) as u8 + (bit >= 16) as u8 + (bit >= 32) as u8;
        forms[bit] = Form {
            shift: 64 - (8 << size),
            information: 24 + size,
            length: 1 + (1 << size),
        };
        bit += 1;
    }
    forms
};

/// Appends `length` bytes, at most 7, and then a head.
#[inline(always)]
fn append_with_head(
    out: &mut impl Output,
    prefix: u64,
    length: usize,
    (head, head_length): (u128, usize),
) {
    out.append_short(
        u128::from(prefix) | head << (8 * length),
        length + head_length,
    );
}

/// NULL.
#[inline]
pub fn null(out: &mut impl Output) {
    out.append_short(0xf6, 1);
}

/// True or false.
#[inline]
pub fn bool(out: &mut impl Output, value: bool) {
    out.append_short(0xf4 + u128::from(value), 1);
}

/// Text, its UTF-8 as it is.
#[inline]
pub fn text(out: &mut impl Output, text: &str) {
    begin_text(out, text.len());
    out.append_bytes(text.as_bytes());
}

/// Binary data.
#[inline]
pub fn bytes(out: &mut impl Output, bytes: &[u8]) {
    begin_bytes(out, bytes.len());
    out.append_bytes(bytes);
}

/// Begins a text: the next `len` bytes, which have to be UTF-8, are its own.
#[inline(always)]
pub fn begin_text(out: &mut impl Output, len: usize) {
    begin(out, major::TEXT, len);
}

/// Begins binary data: the next `len` bytes are its own.
#[inline(always)]
pub fn begin_bytes(out: &mut impl Output, len: usize) {
    begin(out, major::BYTES, len);
}

/// Begins a list, or a row: the next `len` values are its elements.
#[inline(always)]
pub fn begin_list(out: &mut impl Output, len: usize) {
    begin(out, major::ARRAY, len);
}

#[inline(always)]
fn begin(out: &mut impl Output, major: u8, len: usize) {
    // Usual lengths take one byte or two.
    if len < 256 {
        let (bytes, length) = if len < 24 {
            (len, 1)
        } else {
            (24 | len << 8, 2)
        };
        out.append_short((usize::from(major) << 5 | bytes) as u128, length);
    } else {
        let (head, length) = head(major, len as u64);
        out.append_short(head, length);
    }
}
