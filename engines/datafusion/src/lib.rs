//! SQL functions for [Apache DataFusion](https://datafusion.apache.org): one checksum for a table's rows, in any order.
//!
//! Two tables hold the same rows, in any order, if their checksums are equal; and a checksum's *state* adds up, so tables can
//! be hashed in parts, on several threads or machines, and the parts put together.
//!
//! | function | kind | gives |
//! | --- | --- | --- |
//! | `lthash(a, b, …)` | aggregate | the checksum of the rows' multiset, 64 hex digits; of no rows the empty multiset's |
//! | `lthash_state(a, b, …)` | aggregate | the state, as docs/STATE.md of the repository has it: to store, to merge, to compare |
//! | `lthash_merge(state)` | aggregate | the sum of states; of no states NULL |
//! | `lthash_checksum(state)` | scalar | the checksum of a state |
//! | `lthash_row(a, b, …)` | scalar | the row's element, to look at or to compare by EXCEPT ALL |
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let ctx = SessionContext::new();
//! lthash_datafusion::register_all(&ctx)?;
//! let checksums = ctx
//!     .sql("SELECT lthash(id, name) FROM (VALUES (1, 'pen'), (2, NULL)) t (id, name)")
//!     .await?;
//! checksums.show().await?;
//! # Ok(())
//! # }
//! ```
//!
//! A row is an element in the normal form of [`lthash::row`]: equal values are equal whatever type an engine or a file has
//! them in, so 5, 5.00 and 5.0 are one value, and text is text in every string type. NULL is a value like any other. The
//! order of the arguments counts, the columns' names do not.
//!
//! The aggregates work in GROUP BY, as windows, with FILTER, over any partitioning, and in plans that spill or are sent to
//! other machines. `lthash(DISTINCT …)` is refused: `SELECT DISTINCT` in a subquery does it.
//!
//! # Many groups
//!
//! A group takes some 2.1 KiB, so a GROUP BY of a million groups needs 2.1 GiB, and a partial aggregation sends as much to
//! the final one. DataFusion's pool is told, and spills or refuses. Set
//! `datafusion.execution.skip_partial_aggregation_probe_ratio_threshold` to 1.0: otherwise DataFusion may send each row's
//! state, 2 KiB, in place of the row.
//!
//! # Features
//!
//! - `cli`: the program `lthash-sql`, for one machine.
//! - `cluster` (default): the program on a cluster of [Apache Ballista](https://datafusion.apache.org/ballista/) too, and the
//!   module [`cluster`], by which schedulers and executors of your own know these functions.
//!
//! A library that needs the functions alone takes `default-features = false`.
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

mod checksum;
#[cfg(feature = "cluster")]
pub mod cluster;
mod merge;
mod row;
mod rows;
mod selection;
mod states;
mod tally;
mod wildcards;

use datafusion::error::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion::prelude::SessionContext;
use std::sync::{Arc, LazyLock};

/// Registers all functions with a session, and what `lthash(*)` needs: a rule that puts columns in place of `*`.
///
/// # Errors
///
/// Those of the session's registry.
pub fn register_all(ctx: &SessionContext) -> Result<()> {
    ctx.add_analyzer_rule(Arc::new(wildcards::ExpandWildcards));
    let state = ctx.state_ref();
    let mut state = state.write();
    register_all_with(&mut *state)
}

/// Registers all functions with any registry: a session's state, or an engine's own.
///
/// # Errors
///
/// Those of the registry.
pub fn register_all_with(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in all_aggregate_functions() {
        registry.register_udaf(function)?;
    }
    for function in all_scalar_functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}

/// All aggregate functions.
#[must_use]
pub fn all_aggregate_functions() -> Vec<Arc<AggregateUDF>> {
    vec![lthash_udaf(), lthash_state_udaf(), lthash_merge_udaf()]
}

/// All scalar functions.
#[must_use]
pub fn all_scalar_functions() -> Vec<Arc<ScalarUDF>> {
    vec![lthash_checksum_udf(), lthash_row_udf()]
}

/// `lthash(a, b, …)`: the checksum of the rows' multiset.
#[must_use]
pub fn lthash_udaf() -> Arc<AggregateUDF> {
    static FUNCTION: LazyLock<Arc<AggregateUDF>> =
        LazyLock::new(|| Arc::new(rows::Checksum::new().into()));
    Arc::clone(&FUNCTION)
}

/// `lthash_state(a, b, …)`: the state of the rows' multiset.
#[must_use]
pub fn lthash_state_udaf() -> Arc<AggregateUDF> {
    static FUNCTION: LazyLock<Arc<AggregateUDF>> =
        LazyLock::new(|| Arc::new(rows::State::new().into()));
    Arc::clone(&FUNCTION)
}

/// `lthash_merge(state)`: the sum of states.
#[must_use]
pub fn lthash_merge_udaf() -> Arc<AggregateUDF> {
    static FUNCTION: LazyLock<Arc<AggregateUDF>> =
        LazyLock::new(|| Arc::new(merge::Merge::new().into()));
    Arc::clone(&FUNCTION)
}

/// `lthash_checksum(state)`: the checksum of a state.
#[must_use]
pub fn lthash_checksum_udf() -> Arc<ScalarUDF> {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> =
        LazyLock::new(|| Arc::new(checksum::ChecksumOfState::new().into()));
    Arc::clone(&FUNCTION)
}

/// `lthash_row(a, b, …)`: the row's element.
#[must_use]
pub fn lthash_row_udf() -> Arc<ScalarUDF> {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> =
        LazyLock::new(|| Arc::new(row::RowElement::new().into()));
    Arc::clone(&FUNCTION)
}
