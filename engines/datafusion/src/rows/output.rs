//! [`Output`]: what an aggregate gives.

use crate::tally::Tally;
use datafusion::arrow::array::{ArrayRef, LargeBinaryBuilder, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::resources_datafusion_err;
use datafusion::error::Result;
use datafusion::scalar::ScalarValue;
use std::sync::Arc;

/// What an aggregate gives of a multiset.
#[derive(Clone, Copy, Debug)]
pub(super) enum Output {
    Checksum,
    State,
}

/// Hex digits of a checksum.
const DIGITS: usize = 64;

impl Output {
    pub fn data_type(self) -> DataType {
        match self {
            Output::Checksum => DataType::Utf8,
            Output::State => DataType::LargeBinary,
        }
    }

    pub fn scalar(self, tally: &Tally) -> ScalarValue {
        match self {
            Output::Checksum => ScalarValue::Utf8(Some(tally.hash.hash().checksum().to_string())),
            Output::State => ScalarValue::LargeBinary(Some(tally.state().to_bytes())),
        }
    }

    pub fn array(self, tallies: impl ExactSizeIterator<Item = Tally>) -> Result<ArrayRef> {
        let groups = tallies.len();
        Ok(match self {
            Output::Checksum => {
                // The offsets of Utf8 have 31 bits.
                let digits = i32::try_from(groups * DIGITS).map_err(|_| {
                    resources_datafusion_err!("{groups} checksums are too many for one batch")
                })?;
                let mut checksums = StringBuilder::with_capacity(groups, digits as usize);
                tallies.for_each(|tally| {
                    checksums.append_value(tally.hash.hash().checksum().to_string())
                });
                Arc::new(checksums.finish())
            }
            Output::State => {
                let mut states = LargeBinaryBuilder::with_capacity(
                    groups,
                    groups * lthash::state::State::MAX_BYTES,
                );
                tallies.for_each(|tally| states.append_value(tally.state().to_bytes()));
                Arc::new(states.finish())
            }
        })
    }
}
