//! Random tables of random types, nested and not, each stored in several ways.

mod common;

use arrow_array::{Array, ArrayRef, BinaryArray, new_empty_array, new_null_array};
use arrow_schema::{Field, FieldRef};
use common::store::{shuffle, store};
use common::table::Table;
use common::value::{Kind, Value, random};
use lthash::{Accumulator, LtHash};
use lthash_arrow::RowHasher;
use proptest::prelude::*;
use std::sync::Arc;

fn hasher(columns: &[ArrayRef]) -> RowHasher {
    let field = |column: &ArrayRef| -> FieldRef {
        Arc::new(Field::new("column", column.data_type().clone(), true))
    };
    RowHasher::from_fields(&columns.iter().map(field).collect::<Vec<_>>()).unwrap()
}

fn rows(columns: &[ArrayRef]) -> BinaryArray {
    hasher(columns).rows(columns).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_table_has_one_checksum_however_it_is_stored(
        seed in any::<u64>(),
        columns in 1usize..5,
        count in 0usize..100,
    ) {
        let random = &mut random(seed);
        let mut table = Table::random(columns, count, random);
        let elements = table.elements();
        let expected = LtHash::from_iter(&elements);

        // Row by row.
        let stored = table.store(random);
        let types = || stored.iter().map(|column| column.data_type().to_string()).collect::<Vec<_>>();
        for (row, (actual, expected)) in rows(&stored).iter().zip(&elements).enumerate() {
            prop_assert_eq!(actual.unwrap(), expected, "row {} of {:?}: {:?}", row, types(), &table.rows[row]);
        }

        // In another order, each chunk in types of its own, some cut in two.
        shuffle(&mut table.rows, random);
        let mut accumulator = Accumulator::new();
        let mut rest = &table.rows[..];
        while !rest.is_empty() {
            let (chunk, others) = rest.split_at(random.random_range(1..=rest.len()));
            rest = others;
            let chunk = Table { kinds: table.kinds.clone(), rows: chunk.to_vec() };
            let columns = chunk.store(random);
            let cut = random.random_range(0..=chunk.rows.len());
            let mut hasher = hasher(&columns);
            for (start, length) in [(0, cut), (cut, chunk.rows.len() - cut)] {
                let columns: Vec<ArrayRef> = columns.iter().map(|column| column.slice(start, length)).collect();
                hasher.insert(&columns, &mut accumulator).unwrap();
            }
        }
        prop_assert_eq!(accumulator.finish(), expected.clone());

        // With one value changed.
        if count > 0 {
            let row = random.random_range(0..count);
            let column = random.random_range(0..columns);
            if let Some(other) = table.rows[row][column].other(&table.kinds[column], random) {
                let before = std::mem::replace(&mut table.rows[row][column], other);
                let changed = LtHash::from_iter(&rows(&table.store(random)).iter().flatten().collect::<Vec<_>>());
                prop_assert_ne!(changed, expected, "{:?} for {:?}", &table.rows[row][column], before);
            }
        }
    }

    #[test]
    fn arrays_of_no_value_and_of_nulls_have_rows(seed in any::<u64>(), length in 0usize..70) {
        let random = &mut random(seed);
        let kind = Kind::random(random, 3);
        let column = store(&kind, &[Value::random(&kind, random)], random);
        let columns = vec![new_empty_array(column.data_type())];
        prop_assert_eq!(rows(&columns).len(), 0);
        let columns = vec![new_null_array(column.data_type(), length)];
        let rows = rows(&columns);
        prop_assert_eq!(rows.len(), length);
        prop_assert!(rows.iter().all(|row| row == Some(&[0x81, 0xf6][..])), "{}", column.data_type());
    }
}
