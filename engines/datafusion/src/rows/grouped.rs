//! [`Grouped`]: the rows of many groups.

use super::elements::Elements;
use super::output::Output;
use crate::selection::{check_length, is_selected};
use crate::tally::{self, Tally};
use datafusion::arrow::array::{Array, ArrayRef, BooleanArray};
use datafusion::error::Result;
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};
use lthash::GroupedAccumulator;

pub(super) struct Grouped {
    elements: Elements,
    output: Output,
    hashes: GroupedAccumulator,
    counts: Vec<Counts>,
}

/// How many rows of a group there are, and bytes of their elements.
#[derive(Clone, Copy, Default)]
struct Counts {
    records: i64,
    bytes: i64,
}

impl Grouped {
    pub fn new(elements: Elements, output: Output) -> Grouped {
        Grouped {
            elements,
            output,
            hashes: GroupedAccumulator::new(0),
            counts: Vec::new(),
        }
    }

    fn grow(&mut self, groups: usize) {
        let groups = groups.max(self.counts.len());
        self.hashes.resize(groups);
        self.counts.resize(groups, Counts::default());
    }

    /// Takes groups out, in order.
    fn emit(&mut self, emit_to: EmitTo) -> impl ExactSizeIterator<Item = Tally> + use<> {
        let counts = emit_to.take_needed(&mut self.counts);
        let hashes = self.hashes.take_first(counts.len());
        hashes.zip(counts).map(|(hash, counts)| Tally {
            hash,
            records: counts.records,
            bytes: counts.bytes,
        })
    }
}

impl GroupsAccumulator for Grouped {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        check_length(values, group_indices, filter)?;
        self.grow(total_num_groups);
        self.elements.for_each(values, |row, element| {
            if is_selected(filter, row) {
                let group = group_indices[row];
                self.hashes.insert(group, element);
                self.counts[group].records += 1;
                self.counts[group].bytes += element.len() as i64;
            }
        })
    }

    fn merge_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        total_num_groups: usize,
    ) -> Result<()> {
        check_length(values, group_indices, None)?;
        self.grow(total_num_groups);
        for (tally, &group) in tally::from_columns(values)?.zip(group_indices) {
            self.hashes.mix_in(group, &tally.hash);
            let counts = &mut self.counts[group];
            counts.records = counts.records.wrapping_add(tally.records);
            counts.bytes = counts.bytes.wrapping_add(tally.bytes);
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let output = self.output;
        output.array(self.emit(emit_to))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        tally::to_columns(self.emit(emit_to))
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let rows = values.first().map_or(0, |column| column.len());
        let mut each = Grouped::new(self.elements.try_clone()?, self.output);
        each.update_batch(values, &(0..rows).collect::<Vec<_>>(), filter, rows)?;
        each.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        let counts = self.counts.capacity() * size_of::<Counts>();
        size_of_val(self) - size_of_val(&self.hashes) + self.hashes.memory() + counts
    }
}
