//! `lthash_checksum(state)`: the checksum of a state.

use crate::states::{binary, check_type, read, signature};
use datafusion::arrow::array::{Array, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature,
};
use datafusion_macros::user_doc;
use std::sync::Arc;

const NAME: &str = "lthash_checksum";

#[user_doc(
    doc_section(label = "General Functions"),
    description = "Returns the checksum of a state, 64 hex digits: what lthash gives for the same rows. Of NULL, it is NULL.",
    syntax_example = "lthash_checksum(state)",
    sql_example = r#"```sql
> SELECT day, lthash_checksum(state) FROM states_by_day;
```"#,
    argument(
        name = "state",
        description = "A state, as lthash_state, lthash_merge or the program lthash gives it."
    ),
    related_udf(name = "lthash_state"),
    related_udf(name = "lthash_merge")
)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChecksumOfState {
    signature: Signature,
}

impl ChecksumOfState {
    pub fn new() -> ChecksumOfState {
        ChecksumOfState {
            signature: signature(),
        }
    }
}

impl ScalarUDFImpl for ChecksumOfState {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        check_type(NAME, arguments)?;
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [states] = &ColumnarValue::values_to_arrays(&arguments.args)?[..] else {
            return exec_err!(
                "{NAME}: expected one argument, found {}",
                arguments.args.len()
            );
        };
        let states = binary(states)?;
        let mut checksums = StringBuilder::with_capacity(states.len(), states.len() * 64);
        for state in &states {
            match state {
                Some(state) => {
                    checksums.append_value(read(NAME, state)?.hash().checksum().to_string())
                }
                None => checksums.append_null(),
            }
        }
        Ok(ColumnarValue::Array(Arc::new(checksums.finish())))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.doc()
    }
}
