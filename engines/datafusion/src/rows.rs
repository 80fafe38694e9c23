//! `lthash(a, b, …)` and `lthash_state(a, b, …)`: the hash of rows, given as a checksum or as a state.

mod elements;
mod grouped;
mod output;
mod ungrouped;

pub(crate) use elements::{Elements, signature};

use crate::tally::{self, Tally};
use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::not_impl_err;
use datafusion::error::Result;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, Signature,
};
use datafusion::scalar::ScalarValue;
use datafusion_macros::user_doc;
use output::Output;

/// What both aggregates have in common, for the impls below.
macro_rules! aggregate_of_rows {
    ($name:ident, $function:literal, $output:expr) => {
        impl $name {
            pub fn new() -> $name {
                $name {
                    signature: signature(),
                }
            }
        }

        impl AggregateUDFImpl for $name {
            fn name(&self) -> &str {
                $function
            }

            fn signature(&self) -> &Signature {
                &self.signature
            }

            fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
                Elements::try_new($function, arguments)?;
                Ok($output.data_type())
            }

            fn is_nullable(&self) -> bool {
                false
            }

            fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
                Ok($output.scalar(&Tally::default()))
            }

            fn accumulator(&self, arguments: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
                let elements = elements($function, &arguments)?;
                Ok(Box::new(ungrouped::Ungrouped::new(elements, $output)))
            }

            fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
                true
            }

            fn create_groups_accumulator(
                &self,
                arguments: AccumulatorArgs,
            ) -> Result<Box<dyn GroupsAccumulator>> {
                let elements = elements($function, &arguments)?;
                Ok(Box::new(grouped::Grouped::new(elements, $output)))
            }

            fn state_fields(&self, arguments: StateFieldsArgs) -> Result<Vec<FieldRef>> {
                Ok(tally::fields(arguments.name))
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
    };
}

/// The elements of an aggregate's arguments. A plan with DISTINCT is refused here, because its types alone do not show it.
fn elements(function: &'static str, arguments: &AccumulatorArgs) -> Result<Elements> {
    if arguments.is_distinct {
        return not_impl_err!(
            "{function}(DISTINCT …): take the distinct rows first, as in \
             SELECT {function}(a, b) FROM (SELECT DISTINCT a, b FROM t)"
        );
    }
    let types: Vec<DataType> = (arguments.expr_fields.iter())
        .map(|field| field.data_type().clone())
        .collect();
    Elements::try_new(function, &types)
}

#[user_doc(
    doc_section(label = "General Functions"),
    description = "Returns the checksum of the multiset of rows, 64 hex digits: equal for the same rows in any order. \
                   Equal values count as equal whatever their type; NULL is a value. Of no rows, it is the checksum of the \
                   empty multiset.",
    syntax_example = "lthash(expression1[, ..., expression_n])",
    sql_example = r#"```sql
> SELECT lthash(id, name) FROM (VALUES (1, 'pen'), (2, NULL)) t (id, name);
```"#,
    argument(
        name = "expression1, expression_n",
        description = "The values of a row, in this order. Any types that rows have, any number of them."
    ),
    related_udf(name = "lthash_state")
)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Checksum {
    signature: Signature,
}
aggregate_of_rows!(Checksum, "lthash", Output::Checksum);

#[user_doc(
    doc_section(label = "General Functions"),
    description = "Returns the state of the multiset of rows: its hash and counts, to store, to merge by lthash_merge, and to \
                   compare.",
    syntax_example = "lthash_state(expression1[, ..., expression_n])",
    sql_example = r#"```sql
> SELECT day, lthash_state(id, name) FROM t GROUP BY day;
```"#,
    argument(
        name = "expression1, expression_n",
        description = "The values of a row, in this order. Any types that rows have, any number of them."
    ),
    related_udf(name = "lthash_merge"),
    related_udf(name = "lthash_checksum")
)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    signature: Signature,
}
aggregate_of_rows!(State, "lthash_state", Output::State);
