//! `lthash_row(a, b, …)`: the row's element.

use crate::rows::{Elements, signature};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::internal_err;
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
};
use datafusion_macros::user_doc;
use std::sync::Arc;

const NAME: &str = "lthash_row";

#[user_doc(
    doc_section(label = "General Functions"),
    description = "Returns the row's element, the bytes that lthash hashes: deterministic CBOR of the row's values. Rows are \
                   equal if their elements are, whatever types they have.",
    syntax_example = "lthash_row(expression1[, ..., expression_n])",
    sql_example = r#"```sql
> SELECT lthash_row(id, name) FROM yesterday EXCEPT ALL SELECT lthash_row(id, name) FROM today;
```"#,
    argument(
        name = "expression1, expression_n",
        description = "The values of a row, in this order. Any types that rows have, any number of them."
    ),
    related_udf(name = "lthash")
)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowElement {
    signature: Signature,
}

impl RowElement {
    pub fn new() -> RowElement {
        RowElement {
            signature: signature(),
        }
    }
}

impl ScalarUDFImpl for RowElement {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("{NAME} has return_field_from_args")
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs) -> Result<FieldRef> {
        Elements::try_new(NAME, &types(arguments.arg_fields))?;
        Ok(Arc::new(Field::new(NAME, DataType::Binary, false)))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let mut elements = Elements::try_new(NAME, &types(&arguments.arg_fields))?;
        let columns = (arguments.args.into_iter())
            .map(|argument| argument.into_array(arguments.number_rows))
            .collect::<Result<Vec<_>>>()?;
        Ok(ColumnarValue::Array(Arc::new(elements.rows(&columns)?)))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.doc()
    }
}

fn types(fields: &[FieldRef]) -> Vec<DataType> {
    fields
        .iter()
        .map(|field| field.data_type().clone())
        .collect()
}
