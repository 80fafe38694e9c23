//! Rows of arrays: the same rows in other types and layouts have one checksum, and what has no normal form is refused by name.

mod common;

use arrow_array::builder::{Int32Builder, MapBuilder, StringBuilder};
use arrow_array::types::*;
use arrow_array::*;
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, UnionFields, UnionMode};
use common::{batches, checksum};
use lthash::row::Row;
use lthash::{Accumulator, GroupedAccumulator, Guarded};
use lthash_arrow::{Error, RowHasher, ValueError};
use std::sync::Arc;

fn batch(columns: Vec<ArrayRef>) -> RecordBatch {
    let names = ["a", "b", "c", "d", "e", "f"];
    RecordBatch::try_from_iter(names.into_iter().zip(columns)).unwrap()
}

fn field(name: &str, data_type: DataType) -> FieldRef {
    Arc::new(Field::new(name, data_type, true))
}

fn refusal(data_type: DataType) -> Error {
    RowHasher::from_fields(&[field("first", DataType::Null), field("x", data_type)]).unwrap_err()
}

#[test]
fn types_without_a_normal_form_are_refused_by_name() {
    let members =
        UnionFields::try_new(vec![0], vec![Field::new("n", DataType::Int32, true)]).unwrap();
    for mode in [UnionMode::Sparse, UnionMode::Dense] {
        let union = DataType::Union(members.clone(), mode);
        let within = DataType::new_list(union.clone(), true);
        let in_struct = DataType::Struct(Fields::from(vec![field("u", within.clone())]));
        let in_dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(union.clone()));
        let in_runs = DataType::RunEndEncoded(
            field("ends", DataType::Int16),
            field("values", union.clone()),
        );
        for data_type in [union.clone(), within, in_struct, in_dictionary, in_runs] {
            let error = refusal(data_type);
            let expected = Error::Unsupported {
                column: 1,
                name: "x".into(),
                data_type: union.clone(),
            };
            assert_eq!(error, expected);
            assert!(
                error
                    .to_string()
                    .starts_with("column 1 (x): the type Union"),
                "{error}"
            );
        }
    }
    let twice = Fields::from(vec![field("n", DataType::Int8), field("n", DataType::Int8)]);
    let error = refusal(DataType::new_list(DataType::Struct(twice), true));
    assert_eq!(
        error.to_string(),
        "column 1 (x): a struct has two fields named n"
    );
}

#[test]
fn types_are_nested_up_to_128_deep() {
    // As lists and structs in turn.
    let nested = |depth: usize| {
        let mut array: ArrayRef = Arc::new(Int32Array::from(vec![7]));
        for level in 0..depth {
            let item = field("x", array.data_type().clone());
            array = match level % 2 {
                0 => Arc::new(ListArray::new(
                    item,
                    OffsetBuffer::from_lengths([1]),
                    array,
                    None,
                )),
                _ => Arc::new(StructArray::new(vec![item].into(), vec![array], None)),
            };
        }
        array
    };
    let deep = batch(vec![nested(128)]);
    let rows = RowHasher::try_new(&deep.schema()).unwrap().rows(&deep);
    let expected = [&[0x81][..], &[0xa1, 0x61, b'x', 0x81].repeat(64), &[7]].concat();
    assert_eq!(rows.unwrap().value(0), expected);
    for depth in [129, 1000] {
        let error = refusal(nested(depth).data_type().clone());
        let expected = Error::Depth {
            column: 1,
            name: "x".into(),
        };
        assert_eq!(error, expected);
        assert_eq!(
            error.to_string(),
            "column 1 (x): types are nested more than 128 deep"
        );
    }
}

#[test]
fn columns_have_to_be_those_of_the_fields() {
    let mut rows =
        RowHasher::from_fields(&[field("a", DataType::Int32), field("b", DataType::Utf8)]).unwrap();
    let mut accumulator = Accumulator::new();
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["x", "y", "z"]));
    let mut error = |columns: Vec<ArrayRef>| {
        rows.insert(&columns, &mut accumulator)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(vec![numbers.clone()]),
        "there are 1 columns: expected 2"
    );
    assert_eq!(
        error(vec![numbers.clone(), numbers.clone()]),
        "column 1 (b) has the type Int32: expected Utf8"
    );
    assert_eq!(
        error(vec![numbers.clone(), texts.clone()]),
        "column 1 (b) has 3 values: expected 2"
    );
    assert!(accumulator.finish().is_identity());
}

#[test]
fn a_value_that_has_no_normal_form_leaves_everything_as_it_was() {
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
    let dates: ArrayRef = Arc::new(Date64Array::from(vec![0, 86_400_000, 5]));
    let mut maps = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    for keys in [["a", "b"], ["a", "a"], ["b", "a"]] {
        for key in keys {
            maps.keys().append_value(key);
            maps.values().append_value(1);
        }
        maps.append(true).unwrap();
    }
    let bad: [(ArrayRef, usize, ValueError); 2] = [
        (dates, 2, ValueError::PartialDay { milliseconds: 5 }),
        (Arc::new(maps.finish()), 1, ValueError::RepeatedKey),
    ];
    for (column, row, reason) in bad {
        let keys = Int8Array::from(vec![0, 1, 2]);
        let unused = DictionaryArray::new(Int8Array::from(vec![0, 0, 0]), column.clone());
        let used: ArrayRef = Arc::new(DictionaryArray::new(keys, column.clone()));
        for column in [column, used] {
            let batch = batch(vec![numbers.clone(), column]);
            let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
            let mut accumulator = Accumulator::new();
            let error = rows.insert(&batch, &mut accumulator).unwrap_err();
            let expected = Error::Value {
                column: 1,
                name: "b".into(),
                row,
                reason: reason.clone(),
            };
            assert_eq!(error, expected);
            assert!(
                accumulator.finish().is_identity(),
                "no row has been inserted"
            );
        }
        // In no row, it is in nobody's way.
        checksum(&batch(vec![Arc::new(unused)]));
    }
}

#[test]
fn every_batch_is_the_sum_of_its_slices_and_removed_by_itself() {
    for (name, batch) in batches() {
        let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
        let mut accumulator = Accumulator::new();
        for row in (0..batch.num_rows()).rev() {
            rows.insert(&batch.slice(row, 1), &mut accumulator).unwrap();
        }
        assert_eq!(
            accumulator.clone().finish().checksum(),
            checksum(&batch),
            "{name}"
        );
        rows.remove(&batch, &mut accumulator).unwrap();
        assert!(accumulator.finish().is_identity(), "{name}");
    }
}

#[test]
fn groups_are_the_sums_of_their_rows() {
    for (name, batch) in batches() {
        let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
        let groups: Vec<usize> = (0..batch.num_rows()).map(|row| row * row % 3).collect();
        let mut expected = vec![Guarded::new(); 4];
        for (element, &group) in rows.rows(&batch).unwrap().iter().zip(&groups) {
            expected[group].insert(element.unwrap());
        }
        let mut grouped = GroupedAccumulator::new(4);
        rows.insert_grouped(&batch, &groups, &mut grouped).unwrap();
        rows.insert_grouped(&batch, &groups, &mut grouped).unwrap();
        rows.remove_grouped(&batch, &groups, &mut grouped).unwrap();
        assert!(grouped.finish().eq(expected), "{name}");
    }
    let columns: Vec<ArrayRef> = vec![Arc::new(Int32Array::from(vec![1, 2]))];
    let mut rows = RowHasher::from_fields(&[field("a", DataType::Int32)]).unwrap();
    let mut grouped = GroupedAccumulator::new(2);
    let mut error = |groups: &[usize]| {
        rows.insert_grouped(&columns, groups, &mut grouped)
            .unwrap_err()
    };
    assert_eq!(
        error(&[0]),
        Error::Groups {
            expected: 2,
            actual: 1
        }
    );
    assert_eq!(
        error(&[1, 2]),
        Error::Group {
            row: 1,
            group: 2,
            groups: 2
        }
    );
    assert!(
        grouped.finish().all(|hash| hash.is_identity()),
        "no row has been inserted"
    );
}

#[test]
fn intervals_are_equal_by_their_parts() {
    let months = IntervalYearMonthArray::from(vec![14]);
    let days = IntervalDayTimeArray::from(vec![IntervalDayTimeType::make_value(-3, 250)]);
    let mut rows = Vec::new();
    for column in [Arc::new(months) as ArrayRef, Arc::new(days)] {
        let batch = batch(vec![column]);
        rows.push(
            RowHasher::try_new(&batch.schema())
                .unwrap()
                .rows(&batch)
                .unwrap(),
        );
    }
    assert_eq!(rows[0].value(0), Row::new().interval(14, 0, 0).as_element());
    assert_eq!(
        rows[1].value(0),
        Row::new().interval(0, -3, 250_000_000).as_element()
    );
}

#[test]
fn batches_of_any_size_have_rows() {
    let empty = RecordBatch::new_empty(Arc::new(Schema::new(vec![field("a", DataType::Utf8)])));
    assert_eq!(
        RowHasher::try_new(&empty.schema())
            .unwrap()
            .rows(&empty)
            .unwrap()
            .len(),
        0
    );
    let options = RecordBatchOptions::new().with_row_count(Some(3));
    let no_columns =
        RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &options).unwrap();
    let rows = RowHasher::try_new(&no_columns.schema())
        .unwrap()
        .rows(&no_columns)
        .unwrap();
    assert_eq!(rows.iter().collect::<Vec<_>>(), [Some(&[0x80][..]); 3]);
    // More rows than are made at a time, and more columns than a head of one byte has.
    let numbers =
        |start: i64| Arc::new(Int64Array::from_iter_values(start..start + 1000)) as ArrayRef;
    let many =
        RecordBatch::try_from_iter((0..300).map(|column| (column.to_string(), numbers(column))))
            .unwrap();
    let rows = RowHasher::try_new(&many.schema())
        .unwrap()
        .rows(&many)
        .unwrap();
    let mut row = Row::new();
    for (index, element) in rows.iter().enumerate() {
        row.clear();
        for column in 0..300 {
            row.integer(column + index as i64);
        }
        assert_eq!(element.unwrap(), row.as_element());
    }
}

#[test]
fn a_value_without_a_normal_form_is_found_behind_any_number_of_bytes() {
    let mut maps = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
    let text = "lorem ipsum ".repeat(1 << 17);
    for row in 0..20 {
        for key in ["a", if row == 18 { "a" } else { "b" }] {
            maps.keys().append_value(key);
            maps.values().append_value(&text);
        }
        maps.append(true).unwrap();
    }
    let batch = batch(vec![Arc::new(maps.finish())]);
    let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
    let error = rows.for_each(&batch, |_, _| panic!("a row is made"));
    let expected = Error::Value {
        column: 0,
        name: "a".into(),
        row: 18,
        reason: ValueError::RepeatedKey,
    };
    assert_eq!(error, Err(expected));
    let mut count = 0;
    rows.for_each(&batch.slice(0, 18), |_, _| count += 1)
        .unwrap();
    assert_eq!(count, 18);
}
