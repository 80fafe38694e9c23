//! Rows of Apache Arrow's record batches as elements of the multiset hash LtHash: one checksum for a table, whatever it is
//! stored in.
//!
//! [`RowHasher`] encodes rows as [`lthash::row::Row`] does, column by column: by value, so that the types, dictionaries, batches and
//! files that hold a table make no difference. docs/ROWS.md of the repository defines the form, and which types are equal.
//!
//! ```
//! use arrow_array::{ArrayRef, Decimal128Array, Int32Array, Int64Array, RecordBatch, StringArray, StringViewArray};
//! use lthash::Accumulator;
//! use lthash_arrow::RowHasher;
//! use std::sync::Arc;
//!
//! fn checksum(columns: Vec<(&str, ArrayRef)>) -> Result<lthash::Checksum, Box<dyn std::error::Error>> {
//!     let batch = RecordBatch::try_from_iter(columns)?;
//!     let mut table = Accumulator::new();
//!     RowHasher::try_new(&batch.schema())?.insert(&batch, &mut table)?;
//!     Ok(table.finish().checksum())
//! }
//!
//! let narrow = checksum(vec![
//!     ("id", Arc::new(Int32Array::from(vec![1, 2]))),
//!     ("name", Arc::new(StringArray::from(vec![Some("pen"), None]))),
//!     ("price", Arc::new(Decimal128Array::from(vec![150, 900]).with_precision_and_scale(9, 2)?)),
//! ])?;
//! // Other types, another order of the rows, the same table:
//! let wide = checksum(vec![
//!     ("id", Arc::new(Int64Array::from(vec![2, 1]))),
//!     ("name", Arc::new(StringViewArray::from(vec![None, Some("pen")]))),
//!     ("price", Arc::new(Decimal128Array::from(vec![9000, 1500]).with_precision_and_scale(38, 3)?)),
//! ])?;
//! assert_eq!(narrow, wide);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod block;
mod encoded;
mod error;
mod hasher;
mod leaf;
mod schema;
mod sink;
mod values;

pub use error::{Error, ValueError};
pub use hasher::{Columns, RowHasher};
