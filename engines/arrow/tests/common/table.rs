//! Random tables.

use super::store::store;
use super::value::{Kind, Value, one_of};
use arrow_array::ArrayRef;
use lthash::row::Row;
use proptest::test_runner::TestRng;

/// Each row has a value of each kind.
pub struct Table {
    pub kinds: Vec<Kind>,
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// Of random kinds and values.
    pub fn random(columns: usize, rows: usize, random: &mut TestRng) -> Table {
        let kinds = (0..columns).map(|_| {
            let depth = *one_of(random, &[0, 0, 1, 2, 3]);
            Kind::random(random, depth)
        });
        let kinds: Vec<Kind> = kinds.collect();
        let mut row = |_| {
            kinds
                .iter()
                .map(|kind| Value::random(kind, random))
                .collect()
        };
        let rows = (0..rows).map(&mut row).collect();
        Table { kinds, rows }
    }

    /// The rows' elements, by the builder.
    pub fn elements(&self) -> Vec<Vec<u8>> {
        let mut row = Row::new();
        let elements = self.rows.iter().map(|values| {
            row.clear();
            for (value, kind) in values.iter().zip(&self.kinds) {
                value.write(kind, &mut row);
            }
            row.as_element().to_vec()
        });
        elements.collect()
    }

    /// Each column in one of the ways in which it can be stored.
    pub fn store(&self, random: &mut TestRng) -> Vec<ArrayRef> {
        let columns = self.kinds.iter().enumerate().map(|(index, kind)| {
            let values: Vec<Value> = self.rows.iter().map(|row| row[index].clone()).collect();
            store(kind, &values, random)
        });
        columns.collect()
    }
}
