//! `lthash_merge(state)`: the sum of states.

use crate::selection::{check_length, is_selected};
use crate::states::{binary, check_type, read, signature};
use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, LargeBinaryBuilder};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{exec_datafusion_err, internal_err, not_impl_err};
use datafusion::error::Result;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, Documentation, EmitTo, GroupsAccumulator, ReversedUDAF,
    Signature,
};
use datafusion::scalar::ScalarValue;
use datafusion_macros::user_doc;
use lthash::state::State;
use std::sync::Arc;

pub(crate) const NAME: &str = "lthash_merge";

#[user_doc(
    doc_section(label = "General Functions"),
    description = "Returns the sum of states, which is the state of all their rows together. NULL states are skipped; of no \
                   states, it is NULL.",
    syntax_example = "lthash_merge(state)",
    sql_example = r#"```sql
> SELECT lthash_checksum(lthash_merge(state)) FROM states_by_day;
```"#,
    argument(
        name = "state",
        description = "A state, as lthash_state or the program lthash gives it: binary of any type."
    ),
    related_udf(name = "lthash_state"),
    related_udf(name = "lthash_checksum")
)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Merge {
    signature: Signature,
}

impl Merge {
    pub fn new() -> Merge {
        Merge {
            signature: signature(),
        }
    }
}

impl AggregateUDFImpl for Merge {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        check_type(NAME, arguments)?;
        Ok(DataType::LargeBinary)
    }

    fn accumulator(&self, arguments: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        refuse_distinct(&arguments)?;
        Ok(Box::new(Ungrouped::default()))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(
        &self,
        arguments: AccumulatorArgs,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        refuse_distinct(&arguments)?;
        Ok(Box::new(Grouped::default()))
    }

    fn state_fields(&self, arguments: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let name = format_state_name(arguments.name, "state");
        Ok(vec![Arc::new(Field::new(
            name,
            DataType::LargeBinary,
            true,
        ))])
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::Identical
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.doc()
    }
}

fn refuse_distinct(arguments: &AccumulatorArgs) -> Result<()> {
    if arguments.is_distinct {
        return not_impl_err!(
            "{NAME}(DISTINCT …): two parts of a table may have equal states, and both count"
        );
    }
    Ok(())
}

/// A sum of states: none until there is one, because the first says what its records are.
#[derive(Clone, Debug, Default)]
struct Sum(Option<Box<State>>);

impl Sum {
    fn merge(&mut self, bytes: &[u8]) -> Result<()> {
        let state = read(NAME, bytes)?;
        match &mut self.0 {
            None => self.0 = Some(Box::new(state)),
            Some(sum) => sum
                .merge(&state)
                .map_err(|error| exec_datafusion_err!("{NAME}: {error}"))?,
        }
        Ok(())
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        self.0.as_ref().map(|state| state.to_bytes())
    }

    fn size(&self) -> usize {
        size_of::<Sum>() + self.0.as_ref().map_or(0, |_| size_of::<State>())
    }
}

#[derive(Debug, Default)]
struct Ungrouped {
    sum: Sum,
}

impl Accumulator for Ungrouped {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [states] = values else {
            return internal_err!("{NAME} has one argument, found {}", values.len());
        };
        binary(states)?
            .iter()
            .flatten()
            .try_for_each(|state| self.sum.merge(state))
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::LargeBinary(self.sum.bytes()))
    }

    fn size(&self) -> usize {
        self.sum.size()
    }
}

#[derive(Debug, Default)]
struct Grouped {
    sums: Vec<Sum>,
    /// How many of them hold a state.
    held: usize,
}

impl GroupsAccumulator for Grouped {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        let [states] = values else {
            return internal_err!("{NAME} has one argument, found {}", values.len());
        };
        check_length(values, group_indices, filter)?;
        self.sums.resize(total_num_groups, Sum::default());
        let states = binary(states)?;
        for (row, &group) in group_indices.iter().enumerate() {
            if is_selected(filter, row) && states.is_valid(row) {
                self.held += usize::from(self.sums[group].0.is_none());
                self.sums[group].merge(states.value(row))?;
            }
        }
        Ok(())
    }

    fn merge_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        total_num_groups: usize,
    ) -> Result<()> {
        self.update_batch(values, group_indices, None, total_num_groups)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let sums = emit_to.take_needed(&mut self.sums);
        let mut states =
            LargeBinaryBuilder::with_capacity(sums.len(), sums.len() * State::MAX_BYTES);
        for sum in sums {
            self.held -= usize::from(sum.0.is_some());
            states.append_option(sum.bytes());
        }
        Ok(Arc::new(states.finish()))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate(emit_to)?])
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let rows = values.first().map_or(0, |states| states.len());
        let mut each = Grouped::default();
        each.update_batch(values, &(0..rows).collect::<Vec<_>>(), filter, rows)?;
        each.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.sums.capacity() * size_of::<Sum>() + self.held * size_of::<State>()
    }
}
