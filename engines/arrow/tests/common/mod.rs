//! What the tests share: columns of every type with its extremes.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod store;
pub mod table;
pub mod value;

use arrow_array::builder::*;
use arrow_array::types::*;
use arrow_array::*;
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer, i256};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use half::f16;
use lthash::{Accumulator, Checksum};
use lthash_arrow::RowHasher;
use std::io::Write;
use std::sync::Arc;

/// Says what goes untested here, so that a test which is passed over does not look like one that has passed.
pub fn not_tested(what: &str) {
    // Not by a macro, whose output the test harness would hold back.
    let line = format!("\nNOT TESTED: {what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

pub fn checksum(batch: &RecordBatch) -> Checksum {
    let mut accumulator = Accumulator::new();
    let mut rows = RowHasher::try_new(&batch.schema()).unwrap();
    rows.insert(batch, &mut accumulator).unwrap();
    accumulator.finish().checksum()
}

/// Puts a null where there is none, over each fifth value, which stays in place.
fn with_nulls<T: ArrowPrimitiveType>(values: Vec<T::Native>) -> PrimitiveArray<T> {
    let nulls = NullBuffer::from_iter((0..values.len()).map(|index| index % 5 != 4));
    PrimitiveArray::new(values.into(), Some(nulls))
}

fn integers<T: ArrowPrimitiveType>(
    extremes: &[T::Native],
    of: impl Fn(i64) -> T::Native,
) -> ArrayRef {
    let near = [0, 1, -1, 10, 23, 24, -24, -25, 100, 127, -128];
    let values = extremes.iter().copied().chain(near.map(of));
    Arc::new(with_nulls::<T>(values.collect()))
}

fn of_64_bits<T: ArrowPrimitiveType<Native = i64>>() -> PrimitiveArray<T> {
    let ends = [
        23,
        24,
        255,
        256,
        65_535,
        65_536,
        4_294_967_295,
        4_294_967_296,
        i64::MAX,
    ];
    let values = ends.into_iter().flat_map(|end| [end, -end, -1 - end]);
    with_nulls(
        values
            .chain([
                0,
                1,
                999_999_999,
                -999_999_999,
                1_000_000_000,
                86_399_999_999_999,
            ])
            .collect(),
    )
}

fn of_32_bits<T: ArrowPrimitiveType<Native = i32>>() -> PrimitiveArray<T> {
    with_nulls(vec![
        0,
        1,
        -1,
        86_399,
        86_400,
        999,
        1000,
        1001,
        i32::MAX,
        i32::MIN,
    ])
}

fn decimals() -> Vec<(String, ArrayRef)> {
    let wide: Vec<i256> = [
        "0",
        "1",
        "-1",
        "10",
        "-10",
        "100",
        "12345678901234567890",
        "-18446744073709551616",
        "18446744073709551615",
    ]
    .into_iter()
    .chain([
        "99999999999999999999999999999999999999",
        "-99999999999999999999999999999999999999",
        "10000000000000000000000000000",
    ])
    .chain(["9999999999999999999999999999999999999999999999999999999999999999999999999999"])
    .chain(["-9999999999999999999999999999999999999999999999999999999999999999999999999990"])
    .map(|digits| i256::from_string(digits).unwrap())
    .collect();
    let digits = |count: usize| i256::from_string(&"9".repeat(count)).unwrap();
    let fitting = |count: usize| {
        wide.iter()
            .copied()
            .filter(move |&value| value <= digits(count) && value >= -digits(count))
    };
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    for scale in [0, 1, 2, 9] {
        let values = fitting(9)
            .map(|value| value.to_i128().unwrap() as i32)
            .collect();
        let array = with_nulls::<Decimal32Type>(values)
            .with_precision_and_scale(9, scale)
            .unwrap();
        columns.push((format!("decimal32 {scale}"), Arc::new(array)));
        let values = fitting(18)
            .map(|value| value.to_i128().unwrap() as i64)
            .collect();
        let array = with_nulls::<Decimal64Type>(values)
            .with_precision_and_scale(18, scale)
            .unwrap();
        columns.push((format!("decimal64 {scale}"), Arc::new(array)));
    }
    for scale in [-128, -38, -3, 0, 1, 2, 19, 37, 38] {
        let values = fitting(38).map(|value| value.to_i128().unwrap()).collect();
        let array = with_nulls::<Decimal128Type>(values)
            .with_precision_and_scale(38, scale)
            .unwrap();
        columns.push((format!("decimal128 {scale}"), Arc::new(array)));
    }
    for scale in [-128, -76, -3, 0, 2, 25, 76] {
        let array = with_nulls::<Decimal256Type>(wide.clone())
            .with_precision_and_scale(76, scale)
            .unwrap();
        columns.push((format!("decimal256 {scale}"), Arc::new(array)));
    }
    columns
}

fn floats() -> Vec<(String, ArrayRef)> {
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        0.1,
        1.5,
        65504.0,
        65505.0,
        1e10,
        -1e18,
        2f64.powi(63),
        2f64.powi(64),
        2f64.powi(64) - 2048.0,
        -2f64.powi(63),
        -9.3e18,
        1e300,
        5e-324,
        1.0e-7,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
        2f64.powi(-24),
        2f64.powi(-149),
        1.0 + f64::EPSILON,
    ];
    let halves = values.iter().map(|&value| f16::from_f64(value)).collect();
    let singles = values.iter().map(|&value| value as f32).collect();
    vec![
        (
            "float16".into(),
            Arc::new(with_nulls::<Float16Type>(halves)) as ArrayRef,
        ),
        (
            "float32".into(),
            Arc::new(with_nulls::<Float32Type>(singles)),
        ),
        (
            "float64".into(),
            Arc::new(with_nulls::<Float64Type>(values.to_vec())),
        ),
    ]
}

fn texts() -> Vec<(String, ArrayRef)> {
    let lengths = [
        0, 1, 5, 11, 12, 13, 15, 16, 17, 23, 24, 31, 32, 33, 48, 63, 64, 65, 80, 255, 256, 70_000,
    ];
    let mut text: Vec<Option<String>> = lengths
        .iter()
        .map(|&length| {
            Some(
                "abcdefghijklmnopqrstuvwxyz"
                    .chars()
                    .cycle()
                    .take(length)
                    .collect(),
            )
        })
        .collect();
    text.extend(["é", "e\u{301}", "€", "𝄞", "\0", " a ", "5"].map(|text| Some(text.to_owned())));
    text.extend([None, Some("last".to_owned())]);
    let strings = StringArray::from(text);
    let mut columns: Vec<(String, ArrayRef)> = [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
    ]
    .into_iter()
    .map(|data_type| (data_type.to_string(), cast(&strings, &data_type).unwrap()))
    .collect();
    let fixed = [b"12345".as_slice(), b"\0\0\0\0\0", b"\xff\xfe\xfd\xfc\xfb"];
    let fixed = fixed.map(Some).into_iter().chain([None]);
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(fixed, 5).unwrap();
    columns.push(("fixed".into(), Arc::new(fixed)));
    let keys: [DataType; 8] = [
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        DataType::Int64,
        DataType::UInt8,
        DataType::UInt16,
        DataType::UInt32,
        DataType::UInt64,
    ];
    let few = StringArray::from(vec![
        Some("a"),
        Some("b"),
        None,
        Some("a"),
        Some("long enough for a buffer of views"),
        Some("b"),
    ]);
    for key in keys {
        let data_type = DataType::Dictionary(Box::new(key.clone()), Box::new(DataType::Utf8));
        columns.push((format!("dictionary {key}"), cast(&few, &data_type).unwrap()));
    }
    // A null value, and a value that no row has.
    let values = Int64Array::from(vec![Some(1), None, Some(i64::MIN), Some(5)]);
    let keys = Int32Array::from(vec![
        Some(0),
        Some(1),
        None,
        Some(2),
        Some(0),
        Some(1),
        Some(2),
    ]);
    columns.push((
        "dictionary with nulls".into(),
        Arc::new(DictionaryArray::new(keys, Arc::new(values.clone()))),
    ));
    // More values than rows.
    let keys = UInt8Array::from(vec![Some(3), None]);
    columns.push((
        "large dictionary".into(),
        Arc::new(DictionaryArray::new(keys, Arc::new(values.clone()))),
    ));
    let ends = Int32Array::from(vec![2, 3, 7, 8]);
    columns.push((
        "runs".into(),
        Arc::new(RunArray::try_new(&ends, &values).unwrap()),
    ));
    let ends = Int16Array::from(vec![1, 3, 4, 9]);
    let runs = RunArray::try_new(&ends, &values).unwrap().slice(2, 6);
    columns.push(("sliced runs".into(), Arc::new(runs)));
    columns
}

fn times() -> Vec<(String, ArrayRef)> {
    let mut columns: Vec<(String, ArrayRef)> = vec![
        ("date32".into(), Arc::new(of_32_bits::<Date32Type>())),
        (
            "time32 s".into(),
            Arc::new(of_32_bits::<Time32SecondType>()),
        ),
        (
            "time32 ms".into(),
            Arc::new(of_32_bits::<Time32MillisecondType>()),
        ),
        (
            "time64 us".into(),
            Arc::new(of_64_bits::<Time64MicrosecondType>()),
        ),
        (
            "time64 ns".into(),
            Arc::new(of_64_bits::<Time64NanosecondType>()),
        ),
        (
            "duration s".into(),
            Arc::new(of_64_bits::<DurationSecondType>()),
        ),
        (
            "duration ms".into(),
            Arc::new(of_64_bits::<DurationMillisecondType>()),
        ),
        (
            "duration us".into(),
            Arc::new(of_64_bits::<DurationMicrosecondType>()),
        ),
        (
            "duration ns".into(),
            Arc::new(of_64_bits::<DurationNanosecondType>()),
        ),
    ];
    for zone in [None, Some("UTC"), Some("+02:00")] {
        let name = zone.unwrap_or("local");
        columns.extend([
            (
                format!("timestamp s {name}"),
                Arc::new(of_64_bits::<TimestampSecondType>().with_timezone_opt(zone)) as ArrayRef,
            ),
            (
                format!("timestamp ms {name}"),
                Arc::new(of_64_bits::<TimestampMillisecondType>().with_timezone_opt(zone)),
            ),
            (
                format!("timestamp us {name}"),
                Arc::new(of_64_bits::<TimestampMicrosecondType>().with_timezone_opt(zone)),
            ),
            (
                format!("timestamp ns {name}"),
                Arc::new(of_64_bits::<TimestampNanosecondType>().with_timezone_opt(zone)),
            ),
        ]);
    }
    // 5 days under the nulls, the others over what is no whole day.
    let days = [0i64, 1, -1, 20_000, 7, 106_751_991_167, -106_751_991_167];
    let mut milliseconds: Vec<i64> = days.map(|days| days * 86_400_000).to_vec();
    milliseconds[4] = 1;
    columns.push((
        "date64".into(),
        Arc::new(with_nulls::<Date64Type>(milliseconds)),
    ));
    let intervals = [
        (0, 0, 0),
        (1, -1, 1),
        (i32::MAX, i32::MIN, i64::MIN),
        (-12, 30, i64::MAX),
        (5, 5, 5),
    ];
    let intervals = intervals.map(|(months, days, nanoseconds)| {
        IntervalMonthDayNanoType::make_value(months, days, nanoseconds)
    });
    columns.push((
        "interval".into(),
        Arc::new(with_nulls::<IntervalMonthDayNanoType>(intervals.to_vec())),
    ));
    let day_time = [(0, 0), (1, -1), (i32::MAX, i32::MIN), (5, 5), (5, 5)]
        .map(|(days, milliseconds)| IntervalDayTimeType::make_value(days, milliseconds));
    columns.push((
        "interval of days".into(),
        Arc::new(with_nulls::<IntervalDayTimeType>(day_time.to_vec())),
    ));
    columns.push((
        "interval of months".into(),
        Arc::new(of_32_bits::<IntervalYearMonthType>()),
    ));
    columns
}

fn field(name: &str, data_type: &DataType) -> FieldRef {
    Arc::new(Field::new(name, data_type.clone(), true))
}

fn nested() -> Vec<(String, ArrayRef)> {
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    let numbers = Arc::new(of_64_bits::<Int64Type>()) as ArrayRef;
    // Offsets that leave items out at both ends and within, and a null over items.
    let offsets = vec![1, 1, 4, 6, 30];
    let nulls = Some(NullBuffer::from(vec![true, true, false, true]));
    let item = field("item", &DataType::Int64);
    let list = ListArray::new(
        item.clone(),
        OffsetBuffer::new(offsets.clone().into()),
        numbers.clone(),
        nulls.clone(),
    );
    let large = LargeListArray::new(
        item.clone(),
        OffsetBuffer::new(offsets.iter().map(|&offset| i64::from(offset)).collect()),
        numbers.clone(),
        nulls.clone(),
    );
    let views = ListViewArray::new(
        item.clone(),
        vec![9, 0, 3, 7].into(),
        vec![2, 0, 3, 24].into(),
        numbers.clone(),
        nulls.clone(),
    );
    let large_views = LargeListViewArray::new(
        item.clone(),
        vec![9, 0, 3, 7].into(),
        vec![2, 0, 3, 24].into(),
        numbers.clone(),
        nulls.clone(),
    );
    let fixed = FixedSizeListArray::new(item.clone(), 3, numbers.slice(0, 12), nulls.clone());
    let empty = FixedSizeListArray::try_new_with_length(
        item.clone(),
        0,
        numbers.slice(0, 0),
        nulls.clone(),
        4,
    )
    .unwrap();
    columns.push(("list".into(), Arc::new(list.clone())));
    columns.push(("large list".into(), Arc::new(large)));
    columns.push(("list view".into(), Arc::new(views)));
    columns.push(("large list view".into(), Arc::new(large_views)));
    columns.push(("fixed list".into(), Arc::new(fixed)));
    columns.push(("empty fixed list".into(), Arc::new(empty)));

    let text = StringArray::from(vec![Some("x"), None, Some("under a null"), Some("")]);
    let fields = Fields::from(vec![
        field("text", text.data_type()),
        field("list", list.data_type()),
        field("", &DataType::Int64),
    ]);
    let structs = StructArray::new(
        fields,
        vec![
            Arc::new(text.clone()),
            Arc::new(list.clone()),
            numbers.slice(3, 4),
        ],
        nulls.clone(),
    );
    columns.push(("struct".into(), Arc::new(structs.clone())));
    columns.push((
        "struct without fields".into(),
        Arc::new(StructArray::new_empty_fields(4, nulls.clone())),
    ));

    let mut maps = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    for keys in [&["b", "a", "long", "c"][..], &[], &["z", "y"], &["only"]] {
        for key in keys {
            maps.keys().append_value(key);
            maps.values()
                .append_option((key.len() == 1).then_some(key.as_bytes()[0].into()));
        }
        maps.append(keys.len() != 2).unwrap();
    }
    let maps = maps.finish();
    columns.push(("map".into(), Arc::new(maps.clone())));
    // Keys of several lengths and signs, whose order by length and by bytes differ.
    let mut by_number = MapBuilder::new(None, Int64Builder::new(), BooleanBuilder::new());
    for keys in [&[256, -1, 10, 24][..], &[i64::MIN, 0], &[1], &[]] {
        for &key in keys {
            by_number.keys().append_value(key);
            by_number.values().append_value(key > 0);
        }
        by_number.append(true).unwrap();
    }
    columns.push(("map by number".into(), Arc::new(by_number.finish())));

    let deep = Fields::from(vec![
        field("map", maps.data_type()),
        field("struct", structs.data_type()),
    ]);
    let deep = StructArray::new(deep, vec![Arc::new(maps), Arc::new(structs)], None);
    let offsets = OffsetBuffer::new(ScalarBuffer::from(vec![0, 2, 2, 3, 4]));
    let lists = ListArray::new(
        field("item", deep.data_type()),
        offsets,
        Arc::new(deep),
        None,
    );
    columns.push(("list of structs".into(), Arc::new(lists.clone())));
    let keys = Int8Array::from(vec![Some(2), Some(0), None, Some(3), Some(2)]);
    columns.push((
        "dictionary of lists".into(),
        Arc::new(DictionaryArray::new(keys, Arc::new(lists))),
    ));
    let words = cast(
        &text,
        &DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
    )
    .unwrap();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(vec![0, 1, 1, 4, 4]));
    columns.push((
        "list of dictionary".into(),
        Arc::new(ListArray::new(
            field("item", words.data_type()),
            offsets,
            words,
            None,
        )),
    ));
    columns
}

/// Each type's column as a batch, some of them sliced, and one batch of columns of many types.
pub fn batches() -> Vec<(String, RecordBatch)> {
    let mut columns: Vec<(String, ArrayRef)> = vec![
        ("null".into(), Arc::new(NullArray::new(5))),
        (
            "boolean".into(),
            Arc::new(BooleanArray::from(vec![
                Some(true),
                Some(false),
                None,
                Some(true),
            ])),
        ),
        (
            "int8".into(),
            integers::<Int8Type>(&[i8::MIN, i8::MAX], |value| value as i8),
        ),
        (
            "int16".into(),
            integers::<Int16Type>(&[i16::MIN, i16::MAX], |value| value as i16),
        ),
        (
            "int32".into(),
            integers::<Int32Type>(&[i32::MIN, i32::MAX], |value| value as i32),
        ),
        (
            "int64".into(),
            integers::<Int64Type>(&[i64::MIN, i64::MAX], |value| value),
        ),
        (
            "uint8".into(),
            integers::<UInt8Type>(&[u8::MAX], |value| value as u8),
        ),
        (
            "uint16".into(),
            integers::<UInt16Type>(&[u16::MAX], |value| value as u16),
        ),
        (
            "uint32".into(),
            integers::<UInt32Type>(&[u32::MAX], |value| value as u32),
        ),
        (
            "uint64".into(),
            integers::<UInt64Type>(&[u64::MAX], |value| value as u64),
        ),
        (
            "int64 by length".into(),
            Arc::new(of_64_bits::<Int64Type>()),
        ),
    ];
    columns.extend(decimals());
    columns.extend(floats());
    columns.extend(texts());
    columns.extend(times());
    columns.extend(nested());
    let mut batches: Vec<(String, RecordBatch)> = Vec::new();
    for (name, column) in &columns {
        let batch = RecordBatch::try_from_iter([("column", column.clone())]).unwrap();
        if batch.num_rows() > 3 {
            batches.push((
                format!("{name}, sliced"),
                batch.slice(1, batch.num_rows() - 2),
            ));
        }
        batches.push((name.clone(), batch));
    }
    // 30 columns, so that the row's head takes two bytes, and as many rows as the shortest has.
    let many = columns
        .iter()
        .filter(|(_, column)| column.len() >= 7)
        .take(30);
    let many = many.map(|(name, column)| (name.as_str(), column.slice(0, 7)));
    batches.push((
        "many columns".into(),
        RecordBatch::try_from_iter(many).unwrap(),
    ));
    batches
}

/// Whether a column's type, or one within it, is one of these.
pub fn has_type(batch: &RecordBatch, is: impl Fn(&DataType) -> bool) -> bool {
    fn any(data_type: &DataType, is: &dyn Fn(&DataType) -> bool) -> bool {
        use DataType::*;
        is(data_type)
            || match data_type {
                List(item) | LargeList(item) | FixedSizeList(item, _) => any(item.data_type(), is),
                ListView(item) | LargeListView(item) => any(item.data_type(), is),
                Struct(fields) => fields.iter().any(|field| any(field.data_type(), is)),
                Map(entries, _) => any(entries.data_type(), is),
                Dictionary(_, values) => any(values, is),
                RunEndEncoded(_, values) => any(values.data_type(), is),
                _ => false,
            }
    }
    let mut columns = batch.columns().iter();
    columns.any(|column| any(column.data_type(), &is))
}
