//! [`Tally`]: what an aggregate keeps of a multiset of rows, and the columns that carry it between an engine's phases.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, FixedSizeBinaryArray, Int64Array};
use datafusion::arrow::buffer::Buffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{exec_err, internal_err};
use datafusion::error::Result;
use datafusion::logical_expr::utils::format_state_name;
use datafusion::scalar::ScalarValue;
use lthash::Guarded;
use lthash::state::{Records, State};
use std::sync::Arc;

/// A multiset of rows: its hash, and how many rows and bytes of their elements there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub hash: Guarded,
    pub records: i64,
    pub bytes: i64,
}

impl Tally {
    /// The state of these rows.
    pub fn state(&self) -> State {
        State::new(Records::Rows, None)
            .with(&self.hash, self.records, self.bytes)
            .expect("the counts are added to zero")
    }

    pub fn mix_in(&mut self, other: &Tally) {
        self.hash.mix_in(&other.hash);
        self.records = self.records.wrapping_add(other.records);
        self.bytes = self.bytes.wrapping_add(other.bytes);
    }
}

/// The columns of a partial state, under the name of its aggregate: hash with its guard, rows, bytes.
///
/// Fixed sizes, because the offsets of `Binary` overflow at 2^20 groups.
pub(crate) fn fields(name: &str) -> Vec<FieldRef> {
    let field =
        |part, data_type| Arc::new(Field::new(format_state_name(name, part), data_type, false));
    vec![
        field("hash", DataType::FixedSizeBinary(Guarded::BYTES as i32)),
        field("records", DataType::Int64),
        field("bytes", DataType::Int64),
    ]
}

/// The columns of tallies.
pub(crate) fn to_columns(tallies: impl ExactSizeIterator<Item = Tally>) -> Result<Vec<ArrayRef>> {
    let groups = tallies.len();
    let mut hashes = Vec::with_capacity(groups * Guarded::BYTES);
    let mut records = Vec::with_capacity(groups);
    let mut bytes = Vec::with_capacity(groups);
    for tally in tallies {
        hashes.extend_from_slice(&tally.hash.to_bytes());
        records.push(tally.records);
        bytes.push(tally.bytes);
    }
    let hashes =
        FixedSizeBinaryArray::try_new(Guarded::BYTES as i32, Buffer::from_vec(hashes), None)?;
    Ok(vec![
        Arc::new(hashes),
        Arc::new(Int64Array::from(records)),
        Arc::new(Int64Array::from(bytes)),
    ])
}

/// One tally, as scalars.
pub(crate) fn to_scalars(tally: &Tally) -> Vec<ScalarValue> {
    vec![
        ScalarValue::FixedSizeBinary(Guarded::BYTES as i32, Some(tally.hash.to_bytes().to_vec())),
        ScalarValue::Int64(Some(tally.records)),
        ScalarValue::Int64(Some(tally.bytes)),
    ]
}

/// The tallies of columns, one a row.
pub(crate) fn from_columns(columns: &[ArrayRef]) -> Result<impl Iterator<Item = Tally>> {
    let [hashes, records, bytes] = columns else {
        return internal_err!("a partial state has 3 columns, found {}", columns.len());
    };
    let (Some(hashes), Some(records), Some(bytes)) = (
        hashes.as_fixed_size_binary_opt(),
        records.as_primitive_opt::<Int64Type>(),
        bytes.as_primitive_opt::<Int64Type>(),
    ) else {
        let found: Vec<_> = columns.iter().map(|column| column.data_type()).collect();
        return internal_err!("a partial state with columns of other types: {found:?}");
    };
    if hashes.value_size() != Guarded::BYTES {
        return exec_err!(
            "a partial state of {} bytes: expected {}",
            hashes.value_size(),
            Guarded::BYTES
        );
    }
    if hashes.null_count() + records.null_count() + bytes.null_count() > 0 {
        return internal_err!("a partial state is NULL");
    }
    Ok((0..hashes.len()).map(|row| {
        let mut hash = [0; Guarded::BYTES];
        hash.copy_from_slice(hashes.value(row));
        Tally {
            hash: Guarded::from_bytes(&hash),
            records: records.value(row),
            bytes: bytes.value(row),
        }
    }))
}
