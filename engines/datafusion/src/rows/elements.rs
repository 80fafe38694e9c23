//! [`Elements`]: the arguments of a call as the elements of rows.

use datafusion::arrow::array::{ArrayRef, BinaryArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{exec_datafusion_err, plan_datafusion_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{Signature, TypeSignature, Volatility};
use lthash_arrow::RowHasher;
use std::sync::Arc;

/// Makes elements of the arguments of one call.
#[derive(Debug)]
pub(crate) struct Elements {
    function: &'static str,
    /// The names, which are not part of a row, are for errors.
    fields: Vec<FieldRef>,
    hasher: RowHasher,
}

impl Elements {
    /// Of arguments of these types. A plan error names the argument that rows cannot have, and its type.
    pub fn try_new(function: &'static str, types: &[DataType]) -> Result<Elements> {
        if types.is_empty() {
            return plan_err!("{function}: expected at least one argument");
        }
        let fields = types.iter().enumerate().map(|(index, data_type)| {
            Arc::new(Field::new(
                format!("argument {}", index + 1),
                data_type.clone(),
                true,
            ))
        });
        Elements::of_fields(function, fields.collect())
    }

    /// One that another thread may use.
    pub fn try_clone(&self) -> Result<Elements> {
        Elements::of_fields(self.function, self.fields.clone())
    }

    fn of_fields(function: &'static str, fields: Vec<FieldRef>) -> Result<Elements> {
        let hasher = RowHasher::from_fields(&fields)
            .map_err(|error| plan_datafusion_err!("{function}: {error}"))?;
        Ok(Elements {
            function,
            fields,
            hasher,
        })
    }

    /// Calls `each` with each row's index and element. If there is an error, it is called for none.
    pub fn for_each(&mut self, columns: &[ArrayRef], each: impl FnMut(usize, &[u8])) -> Result<()> {
        self.hasher
            .for_each(columns, each)
            .map_err(|error| failed(self.function, &error))
    }

    /// The elements of rows.
    pub fn rows(&mut self, columns: &[ArrayRef]) -> Result<BinaryArray> {
        self.hasher
            .rows(columns)
            .map_err(|error| failed(self.function, &error))
    }
}

/// Any number of arguments of any types, which are not coerced. The example is what SHOW FUNCTIONS lists.
pub(crate) fn signature() -> Signature {
    let example = TypeSignature::Exact(vec![DataType::Int64, DataType::Utf8]);
    Signature::one_of(
        vec![TypeSignature::VariadicAny, example],
        Volatility::Immutable,
    )
}

fn failed(function: &str, error: &lthash_arrow::Error) -> DataFusionError {
    exec_datafusion_err!("{function}: {error}")
}
