//! What encoding rows costs beside hashing them: TPC-H's lineitem, and each type.
//!
//! `cargo bench -p lthash-arrow`. `lineitem/hash` hashes the same elements, which have been encoded before; `insert` does both.

use arrow_array::builder::*;
use arrow_array::types::*;
use arrow_array::*;
use arrow_cast::cast;
use arrow_schema::{DataType, Field, IntervalUnit, TimeUnit};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lthash::Accumulator;
use lthash_arrow::RowHasher;
use std::hint::black_box;
use std::sync::Arc;
use tpchgen::generators::LineItemGenerator;

const ROWS: usize = 8192;

/// TPC-H's lineitem, 16 columns, with decimals of 15 digits, 2 of them behind the point.
fn lineitem(as_views: bool) -> RecordBatch {
    let rows: Vec<_> = LineItemGenerator::new(0.01, 1, 1)
        .iter()
        .take(ROWS)
        .collect();
    let integers = |get: fn(&tpchgen::generators::LineItem<'_>) -> i64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(rows.iter().map(get)))
    };
    let decimals = |get: fn(&tpchgen::generators::LineItem<'_>) -> i64| -> ArrayRef {
        let values = rows.iter().map(|row| i128::from(get(row)));
        let array = Decimal128Array::from_iter_values(values);
        Arc::new(array.with_precision_and_scale(15, 2).unwrap())
    };
    let texts = |get: fn(&tpchgen::generators::LineItem<'_>) -> String| -> ArrayRef {
        if as_views {
            Arc::new(StringViewArray::from_iter_values(rows.iter().map(get)))
        } else {
            Arc::new(StringArray::from_iter_values(rows.iter().map(get)))
        }
    };
    let dates = |get: fn(&tpchgen::generators::LineItem<'_>) -> i32| -> ArrayRef {
        Arc::new(Date32Array::from_iter_values(rows.iter().map(get)))
    };
    let numbers = rows.iter().map(|row| row.l_linenumber);
    RecordBatch::try_from_iter([
        ("l_orderkey", integers(|row| row.l_orderkey)),
        ("l_partkey", integers(|row| row.l_partkey)),
        ("l_suppkey", integers(|row| row.l_suppkey)),
        (
            "l_linenumber",
            Arc::new(Int32Array::from_iter_values(numbers)),
        ),
        ("l_quantity", decimals(|row| row.l_quantity * 100)),
        ("l_extendedprice", decimals(|row| row.l_extendedprice.0)),
        ("l_discount", decimals(|row| row.l_discount.0)),
        ("l_tax", decimals(|row| row.l_tax.0)),
        ("l_returnflag", texts(|row| row.l_returnflag.to_string())),
        ("l_linestatus", texts(|row| row.l_linestatus.to_string())),
        ("l_shipdate", dates(|row| row.l_shipdate.to_unix_epoch())),
        (
            "l_commitdate",
            dates(|row| row.l_commitdate.to_unix_epoch()),
        ),
        (
            "l_receiptdate",
            dates(|row| row.l_receiptdate.to_unix_epoch()),
        ),
        (
            "l_shipinstruct",
            texts(|row| row.l_shipinstruct.to_string()),
        ),
        ("l_shipmode", texts(|row| row.l_shipmode.to_string())),
        ("l_comment", texts(|row| row.l_comment.to_string())),
    ])
    .unwrap()
}

fn lineitems(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lineitem");
    group.throughput(Throughput::Elements(ROWS as u64));
    for (name, batch) in [("strings", lineitem(false)), ("views", lineitem(true))] {
        assert_eq!(batch.num_rows(), ROWS);
        let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
        let elements = rows.rows(&batch).unwrap();
        if name == "strings" {
            let bytes = elements.value_data().len() as f64 / ROWS as f64;
            println!("an element has {bytes:.0} bytes");
            group.bench_function("hash", |bencher| {
                let mut accumulator = Accumulator::new();
                bencher.iter(|| {
                    for element in elements.iter() {
                        accumulator.insert(element.unwrap());
                    }
                    accumulator.take()
                });
            });
        }
        group.bench_function(BenchmarkId::new("encode", name), |bencher| {
            bencher.iter(|| rows.for_each(&batch, |_, element| _ = black_box(element)));
        });
        group.bench_function(BenchmarkId::new("insert", name), |bencher| {
            let mut accumulator = Accumulator::new();
            bencher.iter(|| {
                rows.insert(&batch, &mut accumulator).unwrap();
                accumulator.take()
            });
        });
    }
    group.finish();
}

/// A column of each type, its values of many lengths, a tenth of them NULL.
fn columns() -> Vec<(&'static str, ArrayRef)> {
    let integers: Int64Array = (0..ROWS as i64)
        .map(|row| {
            (row % 10 != 0)
                .then_some(row.wrapping_mul(0x9e37_79b9_7f4a_7c15u64 as i64) >> (row % 60))
        })
        .collect();
    let small: Int64Array = (0..ROWS as i64)
        .map(|row| (row % 10 != 0).then_some(row * 7919 % 100_000))
        .collect();
    let text: StringArray = (0..ROWS)
        .map(|row| {
            (row % 10 != 0).then(|| "lorem ipsum dolor sit amet consectetur"[..row % 38].to_owned())
        })
        .collect();
    let to = |array: &dyn Array, data_type: &DataType| cast(array, data_type).unwrap();
    let decimal = |data_type: DataType| to(&to(&small, &DataType::Decimal128(38, 0)), &data_type);
    let mut lists = ListBuilder::new(Int64Builder::new());
    let mut maps = MapBuilder::new(None, StringBuilder::new(), Int64Builder::new());
    for row in 0..ROWS {
        for item in 0..row % 5 {
            lists.values().append_value((row * item) as i64);
            maps.keys()
                .append_value(["delta", "alpha", "gamma", "beta"][item]);
            maps.values().append_value(item as i64);
        }
        lists.append(row % 10 != 0);
        maps.append(row % 10 != 0).unwrap();
    }
    let fields = vec![
        Arc::new(Field::new("number", DataType::Int64, true)),
        Arc::new(Field::new("text", DataType::Utf8, true)),
    ];
    let structs = StructArray::new(
        fields.into(),
        vec![Arc::new(small.clone()), Arc::new(text.clone())],
        None,
    );
    let instants = PrimitiveArray::<TimestampMicrosecondType>::from_iter_values(
        (0..ROWS as i64).map(|row| row * 86_400_123_457),
    );
    let interval = IntervalMonthDayNanoArray::from_iter_values(
        (0..ROWS as i32)
            .map(|row| IntervalMonthDayNanoType::make_value(row % 12, row % 30, row.into())),
    );
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    vec![
        ("bool", to(&small, &DataType::Boolean)),
        ("int32", to(&small, &DataType::Int32)),
        ("int64", Arc::new(integers.clone())),
        ("float32", to(&integers, &DataType::Float32)),
        (
            "float64",
            Arc::new(Float64Array::from_iter(
                small
                    .iter()
                    .map(|value| value.map(|value| value as f64 / 7.0)),
            )),
        ),
        ("decimal64", decimal(DataType::Decimal64(12, 2))),
        ("decimal128", decimal(DataType::Decimal128(20, 2))),
        ("decimal256", decimal(DataType::Decimal256(40, 2))),
        ("text", Arc::new(text.clone())),
        ("text view", to(&text, &DataType::Utf8View)),
        ("binary", to(&text, &DataType::Binary)),
        ("dictionary", to(&text, &dictionary)),
        (
            "date32",
            to(&to(&small, &DataType::Int32), &DataType::Date32),
        ),
        (
            "date64",
            to(
                &to(&to(&small, &DataType::Int32), &DataType::Date32),
                &DataType::Date64,
            ),
        ),
        (
            "time64",
            to(&small, &DataType::Time64(TimeUnit::Microsecond)),
        ),
        (
            "timestamp",
            to(
                &instants,
                &DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into())),
            ),
        ),
        ("local timestamp", Arc::new(instants)),
        (
            "duration",
            to(&integers, &DataType::Duration(TimeUnit::Nanosecond)),
        ),
        (
            "interval",
            to(&interval, &DataType::Interval(IntervalUnit::MonthDayNano)),
        ),
        ("list", Arc::new(lists.finish())),
        ("struct", Arc::new(structs)),
        ("map", Arc::new(maps.finish())),
    ]
}

fn types(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(ROWS as u64));
    for (name, column) in columns() {
        let batch = RecordBatch::try_from_iter([("column", column)]).unwrap();
        let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| rows.for_each(&batch, |_, element| _ = black_box(element)));
        });
    }
    group.finish();
}

criterion_group!(benches, lineitems, types);
criterion_main!(benches);
