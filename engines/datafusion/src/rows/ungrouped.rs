//! [`Ungrouped`]: the rows of one group, of a whole table or of a window.

use super::elements::Elements;
use super::output::Output;
use crate::tally::{self, Tally};
use datafusion::arrow::array::ArrayRef;
use datafusion::error::Result;
use datafusion::logical_expr::Accumulator;
use datafusion::scalar::ScalarValue;

#[derive(Debug)]
pub(super) struct Ungrouped {
    elements: Elements,
    output: Output,
    /// Rows that came since the tally was last asked for, and are not in its hash yet.
    recent: lthash::Accumulator,
    tally: Tally,
}

impl Ungrouped {
    pub fn new(elements: Elements, output: Output) -> Ungrouped {
        Ungrouped {
            elements,
            output,
            recent: lthash::Accumulator::new(),
            tally: Tally::default(),
        }
    }

    /// The tally of all rows.
    fn tally(&mut self) -> &Tally {
        let recent = self
            .recent
            .take_guarded()
            .expect("no bare hash was mixed in");
        self.tally.hash.mix_in(&recent);
        &self.tally
    }
}

impl Accumulator for Ungrouped {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.elements.for_each(values, |_, element| {
            self.recent.insert(element);
            self.tally.records += 1;
            self.tally.bytes += element.len() as i64;
        })
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.elements.for_each(values, |_, element| {
            self.recent.remove(element);
            self.tally.records -= 1;
            self.tally.bytes -= element.len() as i64;
        })
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for other in tally::from_columns(states)? {
            self.tally.mix_in(&other);
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(tally::to_scalars(self.tally()))
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let output = self.output;
        Ok(output.scalar(self.tally()))
    }

    fn size(&self) -> usize {
        size_of_val(self) + STAGING
    }
}

/// About what an accumulator stages of elements. It is bounded.
const STAGING: usize = 64 * 1024;
