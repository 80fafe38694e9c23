//! Rows of several columns, made some at a time.

use crate::sink::SLACK;
use crate::values::Node;
use lthash::row::encode;
use std::ops::Range;

/// At most so many rows are made at a time: a table's usual rows fit a processor's first cache.
const ROWS: usize = 64;

/// Rows that are made at a time have at most so many bytes, unless it is one row.
const BYTES: usize = 1 << 20;

/// Makes rows and keeps the memory for it.
#[derive(Debug, Default)]
pub(crate) struct Block {
    buffer: Vec<u8>,
    /// Where each row begins.
    starts: Vec<usize>,
    /// Where each row ends so far.
    ends: Vec<usize>,
}

impl Block {
    /// Calls `each` with each row's index and element.
    ///
    /// # Panics
    ///
    /// If a node is no column's, or has fewer than `rows` values.
    pub fn for_each(
        &mut self,
        columns: &[Node<'_>],
        rows: usize,
        mut each: impl FnMut(usize, &[u8]),
    ) {
        let columns = columns
            .iter()
            .map(|node| node.as_column().expect("a column"));
        let columns: Vec<_> = columns.collect();
        let mut head = Vec::new();
        encode::begin_list(&mut head, columns.len());
        // A NULL takes a byte where a value takes none.
        let max: usize = columns.iter().map(|(_, column)| column.max().max(1)).sum();
        let mut start = 0;
        while start < rows {
            let range = start..rows.min(start + ROWS);
            self.ends.clear();
            self.ends.resize(range.len(), head.len() + max + SLACK);
            for (nulls, column) in &columns {
                column.add_lengths(*nulls, range.clone(), &mut self.ends);
            }
            self.place(&head);
            let range = start..start + self.starts.len();
            for (nulls, column) in &columns {
                column.write(*nulls, range.clone(), &mut self.buffer, &mut self.ends);
            }
            start = range.end;
            self.emit(range, &mut each);
        }
        if self.buffer.len() > BYTES {
            self.buffer = Vec::new();
        }
    }

    /// Gives each row as much room as its end says, and begins it: as many rows as [`BYTES`] are enough for, and at least one.
    fn place(&mut self, head: &[u8]) {
        self.starts.clear();
        let mut start = 0;
        for end in &mut self.ends {
            if start > 0 && start + *end > BYTES {
                break;
            }
            self.starts.push(start);
            start += std::mem::replace(end, start + head.len());
        }
        self.ends.truncate(self.starts.len());
        if self.buffer.len() < start {
            self.buffer.resize(start, 0);
        }
        for &start in &self.starts {
            self.buffer[start..start + head.len()].copy_from_slice(head);
        }
    }

    fn emit(&self, rows: Range<usize>, each: &mut impl FnMut(usize, &[u8])) {
        for ((row, &start), &end) in rows.zip(&self.starts).zip(&self.ends) {
            each(row, &self.buffer[start..end]);
        }
    }
}
