//! Which rows of a batch count, and for which groups.

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray};
use datafusion::common::internal_err;
use datafusion::error::Result;

/// Whether FILTER lets a row through: NULL does not.
pub(crate) fn is_selected(filter: Option<&BooleanArray>, row: usize) -> bool {
    filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
}

/// Refuses columns that are not as long as the rows' groups.
pub(crate) fn check_length(
    values: &[ArrayRef],
    group_indices: &[usize],
    filter: Option<&BooleanArray>,
) -> Result<()> {
    let rows = group_indices.len();
    if values.iter().any(|column| column.len() != rows)
        || filter.is_some_and(|filter| filter.len() != rows)
    {
        return internal_err!("groups for {rows} rows, and columns of another length");
    }
    Ok(())
}
