//! Rows of several columns, made some at a time.

use crate::sink::{SLACK, Slot};
use crate::values::Node;
use lthash::row::encode;
use std::ops::Range;

/// At most so many rows are made at a time. More would leave a processor's nearest caches, fewer take longer a row.
const ROWS: usize = 128;

/// Rows that are made at a time have at most so many bytes, unless it is one row.
pub(crate) const BYTES: usize = 1 << 20;

/// The most bytes of a row's head.
const HEAD: usize = 9;

/// Makes rows and keeps the memory for it.
#[derive(Debug, Default)]
pub(crate) struct Block {
    buffer: Vec<u8>,
    /// Where each row begins.
    starts: Vec<usize>,
    /// Where each row ends so far.
    ends: Vec<usize>,
    /// Of each column, the length of the longest of the rows' values.
    longest: Vec<usize>,
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
        // A NULL takes a byte where a value takes none.
        let max: usize = columns.iter().map(|(_, column)| column.max().max(1)).sum();
        let max = HEAD + max + SLACK;
        let mut start = 0;
        while start < rows {
            self.ends.clear();
            self.ends.resize(ROWS.min(rows - start), max);
            self.longest.clear();
            for (nulls, column) in &columns {
                self.longest
                    .push(column.add_lengths(*nulls, start, &mut self.ends));
            }
            self.place(columns.len());
            let range = start..start + self.starts.len();
            for ((nulls, column), &longest) in columns.iter().zip(&self.longest) {
                let (buffer, ends) = (&mut self.buffer, &mut self.ends);
                column.write(*nulls, range.clone(), longest, buffer, ends);
            }
            start = range.end;
            self.emit(range, &mut each);
        }
        if self.buffer.len() > BYTES {
            self.buffer = Vec::new();
        }
    }

    /// Begins as many of the rows as fit [`BYTES`], and at least one. Each, whose length `ends` has, gets as much room, and its end.
    fn place(&mut self, columns: usize) {
        self.starts.clear();
        let mut start = 0;
        for &length in &self.ends {
            if start > 0 && start + length > BYTES {
                break;
            }
            self.starts.push(start);
            start += length;
        }
        self.ends.truncate(self.starts.len());
        if self.buffer.len() < start {
            self.buffer.resize(start, 0);
        }
        for (&start, end) in self.starts.iter().zip(&mut self.ends) {
            let mut slot = Slot::<0> {
                buffer: &mut self.buffer,
                position: start,
            };
            encode::begin_list(&mut slot, columns);
            *end = slot.position;
        }
    }

    fn emit(&self, rows: Range<usize>, each: &mut impl FnMut(usize, &[u8])) {
        for ((row, &start), &end) in rows.zip(&self.starts).zip(&self.ends) {
            each(row, &self.buffer[start..end]);
        }
    }
}
