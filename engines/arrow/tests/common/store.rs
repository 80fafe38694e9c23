//! Random ways to store values: other types, layouts, nulls over garbage, slices.

use super::value::{Kind, Time, Value, one_of};
use arrow_array::types::*;
use arrow_array::*;
use arrow_buffer::{ArrowNativeType, BooleanBuffer, NullBuffer, OffsetBuffer, ScalarBuffer, i256};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use half::f16;
use proptest::prelude::*;
use proptest::test_runner::TestRng;
use std::sync::Arc;

/// The values in one of the ways in which they can be stored.
pub fn store(kind: &Kind, values: &[Value], random: &mut TestRng) -> ArrayRef {
    // Behind and before others.
    let mut padding = || -> Vec<Value> {
        let count = *one_of(random, &[0, 0, 1, 3, 9]);
        (0..count).map(|_| Value::random(kind, random)).collect()
    };
    let (before, after) = (padding(), padding());
    let padded = [&before, values, &after].concat();
    let array = match random.random_range(0..10) {
        0 => dictionary(kind, &padded, random),
        1 => runs(kind, &padded, random),
        _ => plain(kind, &padded, random),
    };
    array.slice(before.len(), values.len())
}

fn field(data_type: &DataType) -> FieldRef {
    Arc::new(Field::new("item", data_type.clone(), true))
}

/// Some values once or more often, and some that nobody has.
fn dictionary(kind: &Kind, values: &[Value], random: &mut TestRng) -> ArrayRef {
    let mut distinct = vec![Value::random(kind, random), Value::Null];
    let keys = values.iter().map(|value| {
        if *value == Value::Null && random.random_bool(0.5) {
            return None;
        }
        let known = distinct.iter().position(|known| same(known, value));
        let known = known.filter(|_| random.random_bool(0.8));
        Some(known.unwrap_or_else(|| {
            distinct.push(value.clone());
            distinct.len() - 1
        }))
    });
    let keys: Vec<Option<usize>> = keys.collect();
    let stored = store(kind, &distinct, random);
    fn of<T: ArrowDictionaryKeyType>(
        keys: &[Option<usize>],
        values: &ArrayRef,
        random: &mut TestRng,
    ) -> ArrayRef {
        // What stands under a null is no key.
        let garbage = T::Native::usize_as(random.random::<u64>() as usize);
        let native = |key: &Option<usize>| key.map_or(garbage, T::Native::usize_as);
        let nulls = NullBuffer::from_iter(keys.iter().map(Option::is_some));
        let keys = PrimitiveArray::<T>::new(keys.iter().map(native).collect(), Some(nulls));
        Arc::new(DictionaryArray::new(keys, values.clone()))
    }
    let of = match random.random_range(0..8) {
        0 if distinct.len() < 128 => of::<Int8Type>,
        1 if distinct.len() < 256 => of::<UInt8Type>,
        2 => of::<Int16Type>,
        3 => of::<UInt16Type>,
        4 => of::<UInt32Type>,
        5 => of::<Int64Type>,
        6 => of::<UInt64Type>,
        _ => of::<Int32Type>,
    };
    of(&keys, &stored, random)
}

/// Equal, but for NaN, and with the same sign of 0.
fn same(one: &Value, other: &Value) -> bool {
    format!("{one:?}") == format!("{other:?}")
}

fn runs(kind: &Kind, values: &[Value], random: &mut TestRng) -> ArrayRef {
    let (mut ends, mut distinct) = (Vec::<usize>::new(), Vec::<Value>::new());
    for (index, value) in values.iter().enumerate() {
        match ends.last_mut() {
            Some(end) if same(&distinct[distinct.len() - 1], value) && random.random_bool(0.8) => {
                *end = index + 1;
            }
            _ => {
                ends.push(index + 1);
                distinct.push(value.clone());
            }
        }
    }
    let stored = store(kind, &distinct, random);
    fn of<T: RunEndIndexType>(ends: &[usize], values: &ArrayRef) -> ArrayRef {
        let ends = ends.iter().map(|&end| T::Native::usize_as(end)).collect();
        Arc::new(RunArray::<T>::try_new(&PrimitiveArray::new(ends, None), values).unwrap())
    }
    match random.random_range(0..3) {
        0 => of::<Int16Type>(&ends, &stored),
        1 => of::<Int32Type>(&ends, &stored),
        _ => of::<Int64Type>(&ends, &stored),
    }
}

/// By neither a dictionary nor runs, on this level.
fn plain(kind: &Kind, values: &[Value], random: &mut TestRng) -> ArrayRef {
    if *kind == Kind::Null {
        return Arc::new(NullArray::new(values.len()));
    }
    let is_valid: Vec<bool> = values.iter().map(|value| *value != Value::Null).collect();
    let has_nulls = is_valid.contains(&false) || random.random_bool(0.2);
    let nulls = has_nulls.then(|| NullBuffer::from(is_valid));
    // Garbage under nulls: what other rows have, or anything.
    let others: Vec<&Value> = values
        .iter()
        .filter(|value| **value != Value::Null)
        .collect();
    let filled = values.iter().map(|value| match value {
        Value::Null if others.is_empty() || random.random_bool(0.2) => {
            Value::not_null(kind, random)
        }
        Value::Null => (*one_of(random, &others)).clone(),
        value => value.clone(),
    });
    let filled: Vec<Value> = filled.collect();
    macro_rules! each {
        ($($value:pat => $result:expr),+) => {
            filled.iter().map(|value| match value { $($value => $result,)+ _ => unreachable!() }).collect()
        };
    }
    match kind {
        Kind::Null => unreachable!(),
        Kind::Boolean => {
            let values: BooleanBuffer = each!(Value::Boolean(value) => *value);
            Arc::new(BooleanArray::new(values, nulls))
        }
        Kind::Number { scale, .. } => {
            let mantissas: Vec<i128> = each!(Value::Number(mantissa) => *mantissa);
            numbers(&mantissas, *scale, nulls, random)
        }
        Kind::Float => {
            let values: Vec<f64> = each!(Value::Float(value) => *value);
            floats(&values, nulls, random)
        }
        Kind::Text => {
            let values: Vec<&[u8]> = each!(Value::Text(text) => text.as_bytes());
            match random.random_range(0..3) {
                0 => strings::<Utf8Type>(&values, nulls, random),
                1 => strings::<LargeUtf8Type>(&values, nulls, random),
                _ => views(
                    strings::<Utf8Type>(&values, nulls, random),
                    DataType::Utf8View,
                    random,
                ),
            }
        }
        Kind::Bytes(length) => {
            let values: Vec<&[u8]> = each!(Value::Bytes(bytes) => &bytes[..]);
            match (random.random_range(0..4), length) {
                (0, Some(size)) => {
                    let bytes = values.concat().into();
                    let len = values.len();
                    Arc::new(
                        FixedSizeBinaryArray::try_new_with_len(*size as i32, bytes, nulls, len)
                            .unwrap(),
                    )
                }
                (1, _) => strings::<LargeBinaryType>(&values, nulls, random),
                (2, _) => views(
                    strings::<BinaryType>(&values, nulls, random),
                    DataType::BinaryView,
                    random,
                ),
                _ => strings::<BinaryType>(&values, nulls, random),
            }
        }
        Kind::Date => {
            let days: Vec<i32> = each!(Value::Date(days) => *days);
            if random.random_bool(0.5) {
                return Arc::new(Date32Array::new(days.into(), nulls));
            }
            let milliseconds = days.iter().enumerate().map(|(index, &days)| {
                let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(index));
                // Under a null it may be no whole day.
                i64::from(days) * 86_400_000 + i64::from(is_null)
            });
            Arc::new(Date64Array::new(milliseconds.collect(), nulls))
        }
        Kind::Time { of, .. } => {
            let times: Vec<i128> = each!(Value::Time(time) => *time);
            self::times(*of, &times, nulls, random)
        }
        Kind::Interval => {
            let parts: Vec<(i32, i32, i64)> = each!(
                Value::Interval(months, days, nanoseconds) => (*months, *days, *nanoseconds)
            );
            intervals(&parts, nulls, random)
        }
        Kind::List(kind, length) => {
            let lists: Vec<&[Value]> = each!(Value::List(items) => &items[..]);
            self::lists(kind, *length, &lists, nulls, random)
        }
        Kind::Struct(fields) => {
            let structs: Vec<&[Value]> = each!(Value::Struct(values) => &values[..]);
            self::structs(fields, &structs, nulls, random)
        }
        Kind::Map(key, value) => {
            let maps: Vec<&[(Value, Value)]> = each!(Value::Map(entries) => &entries[..]);
            self::maps(key, value, &maps, nulls, random)
        }
    }
}

type Way<'a> = Box<dyn FnOnce() -> ArrayRef + 'a>;

fn any_way(mut ways: Vec<Way<'_>>, random: &mut TestRng) -> ArrayRef {
    ways.swap_remove(random.random_range(0..ways.len()))()
}

/// `mantissa` × 10^−`scale` as a mantissa of another scale.
fn rescaled(mantissa: i128, scale: i8, to: i8) -> Option<i256> {
    let mantissa = i256::from_i128(mantissa);
    let power = i256::from_i128(10).checked_pow(u32::from(to.abs_diff(scale)))?;
    if to >= scale {
        return mantissa.checked_mul(power);
    }
    (mantissa % power == i256::ZERO).then(|| mantissa / power)
}

fn numbers(
    mantissas: &[i128],
    scale: i8,
    nulls: Option<NullBuffer>,
    random: &mut TestRng,
) -> ArrayRef {
    let at = |to: i8| -> Option<Vec<i256>> {
        mantissas
            .iter()
            .map(|&mantissa| rescaled(mantissa, scale, to))
            .collect()
    };
    let mut ways: Vec<Way<'_>> = Vec::new();
    let nulls = &nulls;
    fn push<'a, T: ArrowPrimitiveType>(
        ways: &mut Vec<Way<'a>>,
        values: &[i256],
        of: impl Fn(i256) -> Option<T::Native>,
        nulls: &'a Option<NullBuffer>,
        finish: impl Fn(PrimitiveArray<T>) -> ArrayRef + 'a,
    ) {
        let values = values.iter().map(|&value| of(value));
        if let Some(values) = values.collect::<Option<Vec<T::Native>>>() {
            let array = PrimitiveArray::<T>::new(values.into(), nulls.clone());
            ways.push(Box::new(move || finish(array)));
        }
    }
    if let Some(integers) = at(0) {
        macro_rules! integers {
            ($($type:ty),+) => {$(
                let of = |value: i256| value.to_i128()?.try_into().ok();
                push::<$type>(&mut ways, &integers, of, nulls, |array| Arc::new(array));
            )+};
        }
        integers!(
            Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
            UInt64Type
        );
        let exact = |bits: u32| {
            move |value: i256| {
                let value = value
                    .to_i128()
                    .filter(|value| value.unsigned_abs() < 1 << bits)?;
                // 0 has two signs.
                Some(if value == 0 { -0.0 } else { value as f64 })
            }
        };
        push::<Float64Type>(&mut ways, &integers, exact(53), nulls, |array| {
            Arc::new(array)
        });
        let single = |value| exact(24)(value).map(|value| value as f32);
        push::<Float32Type>(&mut ways, &integers, single, nulls, |array| Arc::new(array));
        let half = |value| exact(11)(value).map(f16::from_f64);
        push::<Float16Type>(&mut ways, &integers, half, nulls, |array| Arc::new(array));
    }
    let scales = [scale, -128, -3, 0, 1, 2, random.random_range(0..38), 30];
    for to in scales {
        let Some(values) = at(to) else {
            continue;
        };
        macro_rules! decimals {
            ($type:ty, $of:expr) => {
                let precision = <$type>::MAX_PRECISION;
                let limit = i256::from_i128(10).checked_pow(precision.into()).unwrap();
                let fits = |value: &i256| *value < limit && *value > -limit;
                if values.iter().all(fits) && to <= precision as i8 {
                    push::<$type>(&mut ways, &values, $of, nulls, move |array| {
                        Arc::new(array.with_precision_and_scale(precision, to).unwrap())
                    });
                }
            };
        }
        decimals!(Decimal32Type, |value| value.to_i128()?.try_into().ok());
        decimals!(Decimal64Type, |value| value.to_i128()?.try_into().ok());
        decimals!(Decimal128Type, |value| value.to_i128());
        decimals!(Decimal256Type, Some);
    }
    any_way(ways, random)
}

fn floats(values: &[f64], nulls: Option<NullBuffer>, random: &mut TestRng) -> ArrayRef {
    let is = |narrow: f64, value: f64| narrow == value || narrow.is_nan() && value.is_nan();
    let mut ways: Vec<Way<'_>> = vec![Box::new(|| {
        Arc::new(Float64Array::new(values.to_vec().into(), nulls.clone()))
    })];
    if values
        .iter()
        .all(|&value| is(f64::from(value as f32), value))
    {
        ways.push(Box::new(|| {
            let values = values.iter().map(|&value| value as f32).collect();
            Arc::new(Float32Array::new(values, nulls.clone()))
        }));
    }
    if values
        .iter()
        .all(|&value| is(f16::from_f64(value).to_f64(), value))
    {
        ways.push(Box::new(|| {
            let values = values.iter().map(|&value| f16::from_f64(value)).collect();
            Arc::new(Float16Array::new(values, nulls.clone()))
        }));
    }
    any_way(ways, random)
}

/// Offsets that do not begin at 0, and bytes that nobody has.
fn strings<T: ByteArrayType>(
    values: &[&[u8]],
    nulls: Option<NullBuffer>,
    random: &mut TestRng,
) -> ArrayRef {
    let unused = "x".repeat(random.random_range(0..3));
    let mut bytes = unused.clone().into_bytes();
    let mut offsets = vec![T::Offset::usize_as(bytes.len())];
    for value in values {
        bytes.extend_from_slice(value);
        offsets.push(T::Offset::usize_as(bytes.len()));
    }
    bytes.extend(unused.as_bytes());
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Arc::new(GenericByteArray::<T>::new(offsets, bytes.into(), nulls))
}

/// Views of one buffer, or of several.
fn views(strings: ArrayRef, data_type: DataType, random: &mut TestRng) -> ArrayRef {
    let views = cast(&strings, &data_type).unwrap();
    if random.random_bool(0.5) {
        return views;
    }
    let half = views.len() / 2;
    let halves = [
        strings.slice(0, half),
        strings.slice(half, strings.len() - half),
    ];
    let halves = halves.map(|half| cast(&half, &data_type).unwrap());
    arrow_select::concat::concat(&[&halves[0], &halves[1]]).unwrap()
}

/// Times in units of so many nanoseconds, if they are whole ones.
fn counts<T: ArrowNativeType + TryFrom<i128>>(
    times: &[i128],
    unit: i128,
) -> Option<ScalarBuffer<T>> {
    let count = |time: &i128| {
        let count = (time % unit == 0).then_some(time / unit)?;
        count.try_into().ok()
    };
    times.iter().map(count).collect()
}

fn times(of: Time, times: &[i128], nulls: Option<NullBuffer>, random: &mut TestRng) -> ArrayRef {
    let nulls = &nulls;
    let zone = *one_of(random, &["UTC", "+00:00", "-08:30", "Europe/Berlin"]);
    let mut ways: Vec<Way<'_>> = Vec::new();
    macro_rules! way {
        ($type:ty, $unit:expr, $finish:expr) => {
            if let Some(counts) = counts(times, $unit) {
                ways.push(Box::new(move || {
                    let finish: fn(PrimitiveArray<$type>, &str) -> ArrayRef = $finish;
                    finish(PrimitiveArray::<$type>::new(counts, nulls.clone()), zone)
                }));
            }
        };
    }
    match of {
        Time::OfDay => {
            way!(Time32SecondType, 1_000_000_000, |array, _| Arc::new(array));
            way!(Time32MillisecondType, 1_000_000, |array, _| Arc::new(array));
            way!(Time64MicrosecondType, 1_000, |array, _| Arc::new(array));
            way!(Time64NanosecondType, 1, |array, _| Arc::new(array));
        }
        Time::Duration => {
            way!(DurationSecondType, 1_000_000_000, |array, _| Arc::new(
                array
            ));
            way!(DurationMillisecondType, 1_000_000, |array, _| Arc::new(
                array
            ));
            way!(DurationMicrosecondType, 1_000, |array, _| Arc::new(array));
            way!(DurationNanosecondType, 1, |array, _| Arc::new(array));
        }
        Time::LocalTimestamp => {
            way!(TimestampSecondType, 1_000_000_000, |array, _| Arc::new(
                array
            ));
            way!(TimestampMillisecondType, 1_000_000, |array, _| Arc::new(
                array
            ));
            way!(TimestampMicrosecondType, 1_000, |array, _| Arc::new(array));
            way!(TimestampNanosecondType, 1, |array, _| Arc::new(array));
        }
        Time::Timestamp => {
            way!(TimestampSecondType, 1_000_000_000, |array, zone| Arc::new(
                array.with_timezone(zone)
            ));
            way!(TimestampMillisecondType, 1_000_000, |array, zone| Arc::new(
                array.with_timezone(zone)
            ));
            way!(TimestampMicrosecondType, 1_000, |array, zone| Arc::new(
                array.with_timezone(zone)
            ));
            way!(TimestampNanosecondType, 1, |array, zone| Arc::new(
                array.with_timezone(zone)
            ));
        }
    }
    any_way(ways, random)
}

fn intervals(
    parts: &[(i32, i32, i64)],
    nulls: Option<NullBuffer>,
    random: &mut TestRng,
) -> ArrayRef {
    let mut ways: Vec<Way<'_>> = vec![Box::new(|| {
        let values = parts.iter().map(|&(months, days, nanoseconds)| {
            IntervalMonthDayNanoType::make_value(months, days, nanoseconds)
        });
        Arc::new(IntervalMonthDayNanoArray::new(
            values.collect(),
            nulls.clone(),
        ))
    })];
    let months = parts
        .iter()
        .map(|&(months, days, nanoseconds)| (days == 0 && nanoseconds == 0).then_some(months));
    if let Some(months) = months.collect::<Option<ScalarBuffer<i32>>>() {
        let nulls = nulls.clone();
        ways.push(Box::new(|| {
            Arc::new(IntervalYearMonthArray::new(months, nulls))
        }));
    }
    let days = parts.iter().map(|&(months, days, nanoseconds)| {
        let milliseconds = i32::try_from(nanoseconds / 1_000_000).ok()?;
        (months == 0 && nanoseconds % 1_000_000 == 0)
            .then(|| IntervalDayTimeType::make_value(days, milliseconds))
    });
    if let Some(days) = days.collect::<Option<ScalarBuffer<_>>>() {
        let nulls = nulls.clone();
        ways.push(Box::new(|| {
            Arc::new(IntervalDayTimeArray::new(days, nulls))
        }));
    }
    any_way(ways, random)
}

fn lists(
    kind: &Kind,
    length: Option<usize>,
    lists: &[&[Value]],
    nulls: Option<NullBuffer>,
    random: &mut TestRng,
) -> ArrayRef {
    if let Some(length) = length
        && random.random_bool(0.5)
    {
        let items = store(kind, &lists.concat(), random);
        let (field, size) = (field(items.data_type()), length as i32);
        let array = FixedSizeListArray::try_new_with_length(field, size, items, nulls, lists.len());
        return Arc::new(array.unwrap());
    }
    fn of<O: OffsetSizeTrait>(
        kind: &Kind,
        lists: &[&[Value]],
        nulls: Option<NullBuffer>,
        random: &mut TestRng,
    ) -> ArrayRef {
        // Items that nobody has at both ends.
        let mut items = vec![Value::random(kind, random)];
        let mut offsets = vec![O::usize_as(items.len())];
        for list in lists {
            items.extend_from_slice(list);
            offsets.push(O::usize_as(items.len()));
        }
        items.push(Value::random(kind, random));
        let items = store(kind, &items, random);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let field = field(items.data_type());
        Arc::new(GenericListArray::<O>::new(field, offsets, items, nulls))
    }
    fn views_of<O: OffsetSizeTrait>(
        kind: &Kind,
        lists: &[&[Value]],
        nulls: Option<NullBuffer>,
        random: &mut TestRng,
    ) -> ArrayRef {
        // In any order, with items between them that nobody has.
        let mut order: Vec<usize> = (0..lists.len()).collect();
        shuffle(&mut order, random);
        let (mut items, mut offsets) = (Vec::new(), vec![O::default(); lists.len()]);
        for index in order {
            offsets[index] = O::usize_as(items.len());
            items.extend_from_slice(lists[index]);
            items.extend(random.random_bool(0.3).then(|| Value::random(kind, random)));
        }
        let sizes: Vec<O> = lists.iter().map(|list| O::usize_as(list.len())).collect();
        let items = store(kind, &items, random);
        let field = field(items.data_type());
        let (offsets, sizes) = (offsets.into(), sizes.into());
        Arc::new(GenericListViewArray::<O>::new(
            field, offsets, sizes, items, nulls,
        ))
    }
    let of = match random.random_range(0..4) {
        0 => of::<i32>,
        1 => of::<i64>,
        2 => views_of::<i32>,
        _ => views_of::<i64>,
    };
    of(kind, lists, nulls, random)
}

fn structs(
    fields: &[(String, Kind)],
    structs: &[&[Value]],
    nulls: Option<NullBuffer>,
    random: &mut TestRng,
) -> ArrayRef {
    if let Some((_, kind)) = fields.first()
        && fields.iter().all(|field| field.1 == *kind)
        && random.random_bool(0.4)
    {
        let entries = structs.iter().map(|values| {
            let names = fields.iter().map(|(name, _)| Value::Text(name.clone()));
            names.zip(values.iter().cloned()).collect()
        });
        let entries: Vec<Vec<_>> = entries.collect();
        let entries: Vec<&[_]> = entries.iter().map(|entries| &entries[..]).collect();
        return maps(&Kind::Text, kind, &entries, nulls, random);
    }
    let mut order: Vec<usize> = (0..fields.len()).collect();
    shuffle(&mut order, random);
    let columns = order.into_iter().map(|index| {
        let (name, kind) = &fields[index];
        let values: Vec<Value> = structs.iter().map(|values| values[index].clone()).collect();
        let column = store(kind, &values, random);
        (Field::new(name, column.data_type().clone(), true), column)
    });
    let (fields, columns): (Vec<Field>, Vec<ArrayRef>) = columns.unzip();
    let fields = Fields::from(fields);
    Arc::new(StructArray::try_new_with_length(fields, columns, nulls, structs.len()).unwrap())
}

fn maps(
    key: &Kind,
    value: &Kind,
    maps: &[&[(Value, Value)]],
    nulls: Option<NullBuffer>,
    random: &mut TestRng,
) -> ArrayRef {
    let mut entries = vec![(Value::not_null(key, random), Value::random(value, random))];
    let mut offsets = vec![entries.len() as i32];
    for (index, map) in maps.iter().enumerate() {
        let start = entries.len();
        entries.extend_from_slice(map);
        shuffle(&mut entries[start..], random);
        // Under a null a key may occur twice.
        if nulls.as_ref().is_some_and(|nulls| nulls.is_null(index)) {
            entries.extend_from_slice(map);
        }
        offsets.push(entries.len() as i32);
    }
    let (keys, values): (Vec<Value>, Vec<Value>) = entries.into_iter().unzip();
    // By no dictionary or runs, whose keys Arrow cannot tell from nulls.
    let (keys, values) = (plain(key, &keys, random), store(value, &values, random));
    let fields = Fields::from(vec![
        Field::new("keys", keys.data_type().clone(), false),
        Field::new("values", values.data_type().clone(), true),
    ]);
    let entries = StructArray::new(fields, vec![keys, values], None);
    let field = Arc::new(Field::new("entries", entries.data_type().clone(), false));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Arc::new(MapArray::new(field, offsets, entries, nulls, false))
}

pub fn shuffle<T>(items: &mut [T], random: &mut TestRng) {
    for index in (1..items.len()).rev() {
        items.swap(index, random.random_range(0..=index));
    }
}
