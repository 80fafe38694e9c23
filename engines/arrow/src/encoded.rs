//! Columns that are encoded before rows are made: those whose values nest, are shared or can fail.

use crate::error::ValueError;
use crate::leaf::Leaf;
use crate::sink::Sink;
use crate::values::{Dictionary, Node};
use arrow_array::Array;

/// An array's values as a column's.
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
        && let Ok(encoded) = Encoded::new(dictionary.len, |index, out| {
            dictionary.values.append(index, out)
        })
    {
        return Ok(node.with_values(Shared {
            dictionary,
            encoded,
        }));
    }
    let encoded = Encoded::new(array.len(), |row, out| node.append(row, out))?;
    Ok(Node::without_nulls(encoded))
}

/// Encodings behind one another.
pub(crate) struct Encoded {
    bytes: Vec<u8>,
    /// Where each begins, and where the last ends.
    offsets: Vec<usize>,
}

impl Encoded {
    fn new(
        len: usize,
        mut append: impl FnMut(usize, &mut Vec<u8>) -> Result<(), ValueError>,
    ) -> Result<Encoded, (usize, ValueError)> {
        let mut bytes = Vec::new();
        let mut offsets = Vec::with_capacity(len + 1);
        for index in 0..len {
            offsets.push(bytes.len());
            append(index, &mut bytes).map_err(|error| (index, error))?;
        }
        offsets.push(bytes.len());
        Ok(Encoded { bytes, offsets })
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
