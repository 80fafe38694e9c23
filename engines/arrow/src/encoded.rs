//! Columns whose values nest, are shared or can fail. They are encoded before rows are made, unless that takes too much memory.

use crate::block::BYTES;
use crate::error::ValueError;
use crate::leaf::Leaf;
use crate::schema::can_fail;
use crate::sink::Sink;
use crate::values::{Column, Dictionary, Node, Values};
use arrow_array::Array;
use arrow_buffer::NullBuffer;
use std::cell::RefCell;
use std::ops::Range;

/// A column that is encoded before rows are made takes at most about so many bytes.
const LIMIT: usize = 16 << 20;

/// An array's values as a column's, none of which fails.
///
/// A dictionary's are encoded once, unless there are more of them than rows or one of them, which may be in no row, fails.
pub(crate) fn column<'a>(
    array: &'a dyn Array,
    node: Node<'a>,
) -> Result<Node<'a>, (usize, ValueError)> {
    if node.as_column().is_some() {
        return Ok(node);
    }
    if let Some(dictionary) = Dictionary::new(array)
        && dictionary.len <= array.len()
        && let Ok(encoded) = Encoded::new(0..dictionary.len, LIMIT, |index, out| {
            dictionary.values.append(index, out)
        })
        && encoded.len() == dictionary.len
    {
        return Ok(node.with_values(Shared {
            dictionary,
            encoded,
        }));
    }
    let rows = 0..array.len();
    let encoded = Encoded::new(rows.clone(), LIMIT, |row, out| node.append(row, out))?;
    if encoded.len() == array.len() {
        return Ok(Node::without_nulls(encoded));
    }
    if can_fail(array.data_type()) {
        let mut memory = Vec::new();
        for row in rows {
            memory.clear();
            let result = node.append(row, &mut memory);
            result.map_err(|error| (row, error))?;
        }
    }
    Ok(Node::without_nulls(Deferred {
        node,
        encoded: RefCell::default(),
    }))
}

/// Encodings behind one another.
#[derive(Default)]
pub(crate) struct Encoded {
    bytes: Vec<u8>,
    /// Where each begins, and where the last ends.
    offsets: Vec<usize>,
}

impl Encoded {
    /// The first of some values: as many as take no more than `limit` bytes, and the one with which it is more.
    fn new(
        range: Range<usize>,
        limit: usize,
        mut append: impl FnMut(usize, &mut Vec<u8>) -> Result<(), ValueError>,
    ) -> Result<Encoded, (usize, ValueError)> {
        let mut encoded = Encoded::default();
        for index in range {
            encoded.offsets.push(encoded.bytes.len());
            append(index, &mut encoded.bytes).map_err(|error| (index, error))?;
            if encoded.bytes.len() + encoded.offsets.len() * size_of::<usize>() > limit {
                break;
            }
        }
        encoded.offsets.push(encoded.bytes.len());
        Ok(encoded)
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }
}

impl Leaf for Encoded {
    const IS_VARIABLE: bool = true;

    fn max(&self) -> usize {
        0
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        out.append_range(&self.bytes, self.offsets[index], self.offsets[index + 1]);
    }

    #[inline]
    fn variable_length(&self, index: usize) -> usize {
        self.offsets[index + 1] - self.offsets[index]
    }
}

/// A dictionary's values, encoded once.
struct Shared<'a> {
    dictionary: Dictionary<'a>,
    encoded: Encoded,
}

impl Leaf for Shared<'_> {
    const IS_VARIABLE: bool = true;

    fn max(&self) -> usize {
        0
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        Leaf::append(&self.encoded, self.dictionary.key(index), out);
    }

    #[inline]
    fn variable_length(&self, index: usize) -> usize {
        self.encoded.variable_length(self.dictionary.key(index))
    }
}

/// Values, none of which fails, that are encoded when their rows are made.
struct Deferred<'a> {
    node: Node<'a>,
    /// Those of the rows whose lengths were asked for last.
    encoded: RefCell<Encoded>,
}

impl Values for Deferred<'_> {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.node.append(index, out)
    }

    fn as_column(&self) -> Option<&dyn Column> {
        Some(self)
    }
}

impl Column for Deferred<'_> {
    fn max(&self) -> usize {
        0
    }

    fn add_lengths(
        &self,
        _nulls: Option<&NullBuffer>,
        first: usize,
        lengths: &mut Vec<usize>,
    ) -> usize {
        let rows = first..first + lengths.len();
        let encoded = Encoded::new(rows, BYTES, |row, out| self.node.append(row, out));
        let encoded = encoded.expect("can_fail says that no value fails, or each has been checked");
        lengths.truncate(encoded.len());
        let longest = encoded.add_lengths(None, 0, lengths);
        *self.encoded.borrow_mut() = encoded;
        longest
    }

    fn write(
        &self,
        _nulls: Option<&NullBuffer>,
        rows: Range<usize>,
        longest: usize,
        buffer: &mut [u8],
        positions: &mut [usize],
    ) {
        let encoded = self.encoded.borrow();
        encoded.write(None, 0..rows.len(), longest, buffer, positions);
    }
}
