//! States as the arguments of functions.

use datafusion::arrow::array::{ArrayRef, AsArray, LargeBinaryArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{exec_datafusion_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::{Signature, TypeSignature, Volatility};
use lthash::state::State;

/// One argument of any type, which is checked and not coerced. The example is what SHOW FUNCTIONS lists.
pub(crate) fn signature() -> Signature {
    let example = TypeSignature::Exact(vec![DataType::LargeBinary]);
    Signature::one_of(vec![TypeSignature::Any(1), example], Volatility::Immutable)
}

/// Checks, when a plan is made, that a function's argument can be a state.
pub(crate) fn check_type(function: &str, arguments: &[DataType]) -> Result<()> {
    let [argument] = arguments else {
        return plan_err!(
            "{function}: expected one argument, a state; found {}",
            arguments.len()
        );
    };
    let values = match argument {
        DataType::Dictionary(_, values) => values,
        other => other,
    };
    match values {
        DataType::Null
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Ok(()),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => plan_err!(
            "{function}: expected a state, which is binary; found {argument}. If these are hex digits, \
             {function}(decode(…, 'hex')) reads them"
        ),
        _ => plan_err!("{function}: expected a state, which is binary; found {argument}"),
    }
}

/// Binary values of any type as those of one.
pub(crate) fn binary(column: &ArrayRef) -> Result<LargeBinaryArray> {
    Ok(cast(column, &DataType::LargeBinary)?
        .as_binary::<i64>()
        .clone())
}

/// Reads a state.
pub(crate) fn read(function: &str, bytes: &[u8]) -> Result<State> {
    State::from_bytes(bytes).map_err(|error| exec_datafusion_err!("{function}: {error}"))
}
