//! Rows as elements: values by another CBOR library, and properties, which a decoder of the tests' own reads back.

mod common;

use common::{Reference, backends};
use lthash::row::encode::{self, Unit};
use lthash::row::{Error, Row};
use lthash::{Accumulator, hex};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::str::FromStr;

// --- Values by cbor2 -------------------------------------------------------------------------------------------------

fn vectors() -> Json {
    serde_json::from_str(include_str!("vectors/rows.json")).unwrap()
}

fn parsed<T: FromStr<Err: std::fmt::Debug>>(text: &Json) -> T {
    text.as_str().unwrap().parse().unwrap()
}

fn small<T: TryFrom<i64, Error: std::fmt::Debug>>(number: &Json) -> T {
    number.as_i64().unwrap().try_into().unwrap()
}

/// Two's complement of 256 bits, little-endian, of a decimal integer.
fn wide(text: &str) -> [u8; 32] {
    let mut bytes = [0u8; 32];
    for digit in text.trim_start_matches('-').bytes() {
        let mut carry = u32::from(digit - b'0');
        for byte in &mut bytes {
            carry += u32::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
        assert_eq!(carry, 0);
    }
    if text.starts_with('-') {
        let mut carry = 1;
        for byte in &mut bytes {
            carry += u32::from(!*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
    }
    bytes
}

fn append(row: &mut Row, value: &Json) {
    let of = |index: usize| &value[index];
    match of(0).as_str().unwrap() {
        "null" => row.null(),
        "bool" => row.bool(of(1).as_bool().unwrap()),
        "integer" => row.integer(parsed::<i128>(of(1))),
        "decimal" => row.decimal(parsed(of(1)), small(of(2))),
        "wide_decimal" => row.wide_decimal(&wide(of(1).as_str().unwrap()), small(of(2))),
        "float" => {
            let bits = u64::from_str_radix(of(1).as_str().unwrap(), 16).unwrap();
            row.float(f64::from_bits(bits))
        }
        "text" => row.text(of(1).as_str().unwrap()),
        "bytes" => row.bytes(&hex::decode(of(1).as_str().unwrap()).unwrap()),
        "date" => row.date(small(of(1))),
        "time" => row.time(parsed(of(1)), parsed(of(2))).unwrap(),
        "timestamp" => row.timestamp(parsed(of(1)), parsed(of(2))).unwrap(),
        "local_timestamp" => row.local_timestamp(parsed(of(1)), parsed(of(2))).unwrap(),
        "duration" => row.duration(parsed(of(1)), parsed(of(2))).unwrap(),
        "interval" => row.interval(small(of(1)), small(of(2)), parsed(of(3))),
        "list" => {
            let items = of(1).as_array().unwrap();
            row.begin_list(items.len());
            items.iter().for_each(|item| append(row, item));
            row
        }
        "map" => {
            let entries = of(1).as_array().unwrap();
            row.begin_map(entries.len());
            for entry in entries {
                append(row, &entry[0]);
                append(row, &entry[1]);
            }
            row.end_map().unwrap()
        }
        kind => panic!("{kind}"),
    };
}

#[test]
fn elements_are_those_of_cbor2() {
    let vectors = vectors();
    let rows = vectors["rows"].as_array().unwrap();
    assert!(rows.len() > 20);
    let mut row = Row::new();
    let mut sum = Reference::new();
    let mut elements = Vec::new();
    for expected in rows {
        row.clear();
        for value in expected["values"].as_array().unwrap() {
            append(&mut row, value);
        }
        let element = row.as_element();
        assert_eq!(
            hex::encode(element),
            expected["element"],
            "{}",
            expected["name"]
        );
        assert!(element.ends_with(row.as_values()));
        sum.add(&Reference::of(None, element), 1);
        elements.push(element.to_vec());
    }
    for kernels in backends() {
        let mut accumulator = Accumulator::with_kernels(kernels);
        accumulator.extend(elements.iter().rev());
        let hash = accumulator.finish();
        assert!(hash == sum, "{kernels:?}");
        assert_eq!(hash.checksum().to_string(), vectors["checksum"]);
    }
}

// --- A decoder -------------------------------------------------------------------------------------------------------

/// A value as the normal form tells values apart.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Null,
    Bool(bool),
    /// Sign, decimal digits without zeros at either end, and a power of ten.
    Exact(bool, String, i64),
    /// A float that is no integer of 64 bits, by its bits; NaN has these.
    Float(u64),
    Text(String),
    Bytes(Vec<u8>),
    Date(i128),
    /// Tag or name, seconds, nanoseconds.
    Time(&'static str, i128, u32),
    Interval(i128, i128, i128),
    List(Vec<Value>),
    /// In order of the keys' bytes.
    Map(Vec<(Value, Value)>),
}

const NAN: u64 = 0x7ff8_0000_0000_0000;

fn exact(negative: bool, digits: &str, exponent: i64) -> Value {
    let digits = digits.trim_start_matches('0');
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Value::Exact(false, String::new(), 0);
    }
    let exponent = exponent + (digits.len() - kept.len()) as i64;
    Value::Exact(negative, kept.to_owned(), exponent)
}

/// Decimal digits of a big-endian integer plus `add`.
fn digits(bytes: &[u8], add: u32) -> String {
    let mut digits = vec![0u8];
    let mut times_and_plus = |times: u32, plus: u32| {
        let mut carry = plus;
        for digit in &mut digits {
            carry += u32::from(*digit) * times;
            *digit = (carry % 10) as u8;
            carry /= 10;
        }
        while carry > 0 {
            digits.push((carry % 10) as u8);
            carry /= 10;
        }
    };
    for &byte in bytes {
        times_and_plus(256, byte.into());
    }
    times_and_plus(1, add);
    digits
        .iter()
        .rev()
        .map(|digit| char::from(b'0' + digit))
        .collect()
}

/// Reads data items, and refuses what is not deterministic by RFC 8949, section 4.2.1, or not in normal form.
struct Decoder<'a> {
    rest: &'a [u8],
    /// Whether there was an integer of more than 128 bits with its sign.
    has_long_integer: bool,
}

impl<'a> Decoder<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    /// Major type, additional information and argument.
    fn head(&mut self) -> (u8, u8, u64) {
        let first = self.take(1)[0];
        let information = first & 31;
        if information < 24 {
            return (first >> 5, information, information.into());
        }
        assert!(information < 28, "indefinite or reserved");
        let argument = self.take(1 << (information - 24));
        let argument = argument
            .iter()
            .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        if first >> 5 != 7 {
            let smallest = [24, 1 << 8, 1 << 16, 1 << 32][usize::from(information - 24)];
            assert!(argument >= smallest, "not the shortest head");
        }
        (first >> 5, information, argument)
    }

    fn integer(&mut self) -> i128 {
        match self.head() {
            (0, _, argument) => argument.into(),
            (1, _, argument) => -1 - i128::from(argument),
            (major, ..) => panic!("an integer has major type {major}"),
        }
    }

    fn value(&mut self) -> Value {
        let (major, information, argument) = self.head();
        match major {
            0 | 1 => exact(
                major == 1,
                &digits(&argument.to_be_bytes(), major.into()),
                0,
            ),
            2 => Value::Bytes(self.take(argument as usize).to_vec()),
            3 => Value::Text(String::from_utf8(self.take(argument as usize).to_vec()).unwrap()),
            4 => Value::List((0..argument).map(|_| self.value()).collect()),
            5 => {
                let mut previous: &[u8] = &[];
                let entry = |_| {
                    let before = self.rest;
                    let key = self.value();
                    let bytes = &before[..before.len() - self.rest.len()];
                    assert_eq!(previous.cmp(bytes), Ordering::Less, "keys not in order");
                    previous = bytes;
                    (key, self.value())
                };
                Value::Map((0..argument).map(entry).collect())
            }
            6 => self.tagged(argument),
            _ => self.simple(information, argument),
        }
    }

    fn tagged(&mut self, tag: u64) -> Value {
        match tag {
            2 | 3 => {
                let Value::Bytes(bytes) = self.value() else {
                    panic!("a bignum of something else than bytes");
                };
                assert!(bytes.len() > 8 && bytes[0] != 0, "not the shortest integer");
                self.has_long_integer |=
                    bytes.len() > 16 || bytes.len() == 16 && bytes[0] >> 7 == 1;
                exact(tag == 3, &digits(&bytes, u32::from(tag == 3)), 0)
            }
            4 => {
                assert_eq!(self.head().0, 4);
                let exponent = self.integer();
                let Value::Exact(negative, digits, 0) = self.value() else {
                    panic!("a mantissa that is divisible by ten or no integer");
                };
                assert!(exponent < 0 && !digits.is_empty());
                Value::Exact(negative, digits, exponent as i64)
            }
            100 => Value::Date(self.integer()),
            1001 => self.extended("timestamp"),
            1002 => self.extended("duration"),
            27 => {
                let (_, _, length) = self.head();
                let Value::Text(name) = self.value() else {
                    panic!("no name");
                };
                match name.as_str() {
                    "interval" => Value::Interval(self.integer(), self.integer(), self.integer()),
                    "time" => self.parts("time", length == 3),
                    "timestamp" => self.parts("local timestamp", length == 3),
                    _ => panic!("{name}"),
                }
            }
            _ => panic!("tag {tag}"),
        }
    }

    fn extended(&mut self, kind: &'static str) -> Value {
        let (major, _, entries) = self.head();
        assert_eq!((major, self.integer()), (5, 1));
        let seconds = self.integer();
        if entries == 1 {
            return Value::Time(kind, seconds, 0);
        }
        assert_eq!((entries, self.integer()), (2, -9));
        self.nanoseconds(kind, seconds)
    }

    fn parts(&mut self, kind: &'static str, has_nanoseconds: bool) -> Value {
        let seconds = self.integer();
        if has_nanoseconds {
            self.nanoseconds(kind, seconds)
        } else {
            Value::Time(kind, seconds, 0)
        }
    }

    fn nanoseconds(&mut self, kind: &'static str, seconds: i128) -> Value {
        let nanoseconds = self.integer();
        assert!((1..1_000_000_000).contains(&nanoseconds));
        Value::Time(kind, seconds, nanoseconds as u32)
    }

    fn simple(&mut self, information: u8, argument: u64) -> Value {
        match information {
            20 | 21 => Value::Bool(information == 21),
            22 => Value::Null,
            25 => {
                let (exponent, fraction) = (argument >> 10 & 31, (argument & 1023) as f64);
                let magnitude = match exponent {
                    0 => fraction * 2f64.powi(-24),
                    31 if fraction == 0.0 => f64::INFINITY,
                    31 => {
                        assert_eq!(argument, 0x7e00, "another NaN");
                        return Value::Float(NAN);
                    }
                    _ => (1024.0 + fraction) * 2f64.powi(exponent as i32 - 25),
                };
                let sign = if argument >> 15 == 1 { -1.0 } else { 1.0 };
                Value::Float((sign * magnitude).to_bits())
            }
            26 => Value::Float(f64::from(f32::from_bits(argument as u32)).to_bits()),
            27 => Value::Float(argument),
            _ => panic!("simple value {information}"),
        }
    }
}

/// The values of an element. Also checks that another implementation, ciborium, reads it and writes the same bytes, unless an
/// integer has more than 128 bits, which it does not read: cbor2 made such values above.
fn decoded(element: &[u8]) -> Vec<Value> {
    let mut decoder = Decoder {
        rest: element,
        has_long_integer: false,
    };
    let Value::List(values) = decoder.value() else {
        panic!("a row is no array");
    };
    assert!(decoder.rest.is_empty());
    if !decoder.has_long_integer {
        let read: ciborium::Value = ciborium::from_reader(element).unwrap();
        let mut written = Vec::new();
        ciborium::into_writer(&read, &mut written).unwrap();
        assert_eq!(hex::encode(&written), hex::encode(element));
    }
    values
}

// --- Properties ------------------------------------------------------------------------------------------------------

/// A value as a caller has it. There are several ways to have the same one.
#[derive(Clone, Debug)]
enum Given {
    Null,
    Bool(bool),
    Integer(i128),
    Decimal(i128, i8),
    Wide([u8; 32], i8),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    Date(i32),
    Time(&'static str, i64, u32),
    Interval(i32, i32, i64),
    List(Vec<Given>),
    Map(Vec<(Given, Given)>),
}

impl Given {
    fn append(&self, row: &mut Row) -> Result<(), Error> {
        match self {
            Given::Null => row.null(),
            Given::Bool(value) => row.bool(*value),
            Given::Integer(value) => row.integer(*value),
            Given::Decimal(mantissa, scale) => row.decimal(*mantissa, *scale),
            Given::Wide(mantissa, scale) => row.wide_decimal(mantissa, *scale),
            Given::Float(value) => row.float(*value),
            Given::Text(text) => row.text(text),
            Given::Bytes(bytes) => row.bytes(bytes),
            Given::Date(days) => row.date(*days),
            &Given::Time(kind, seconds, nanoseconds) => match kind {
                "time" => row.time(seconds, nanoseconds)?,
                "timestamp" => row.timestamp(seconds, nanoseconds)?,
                "local timestamp" => row.local_timestamp(seconds, nanoseconds)?,
                _ => row.duration(seconds, nanoseconds)?,
            },
            &Given::Interval(months, days, nanoseconds) => row.interval(months, days, nanoseconds),
            Given::List(items) => {
                row.begin_list(items.len());
                for item in items {
                    item.append(row)?;
                }
                row
            }
            Given::Map(entries) => {
                row.begin_map(entries.len());
                for (key, value) in entries {
                    key.append(row)?;
                    value.append(row)?;
                }
                row.end_map()?
            }
        };
        Ok(())
    }

    /// What it has to be read back as, but for the order of a map's entries.
    fn value(&self) -> Value {
        match self {
            Given::Null => Value::Null,
            Given::Bool(value) => Value::Bool(*value),
            Given::Integer(value) => exact(*value < 0, &value.unsigned_abs().to_string(), 0),
            Given::Decimal(mantissa, scale) => {
                let digits = mantissa.unsigned_abs().to_string();
                exact(*mantissa < 0, &digits, -i64::from(*scale))
            }
            Given::Wide(mantissa, scale) => {
                let negative = mantissa[31] >> 7 == 1;
                let complement: Vec<u8> = mantissa
                    .iter()
                    .rev()
                    .map(|byte| byte ^ if negative { 255 } else { 0 })
                    .collect();
                exact(
                    negative,
                    &digits(&complement, negative.into()),
                    -i64::from(*scale),
                )
            }
            Given::Float(value) if value.is_nan() => Value::Float(NAN),
            Given::Float(value) => {
                // Printing tells its exact digits.
                let text = format!("{value:.0}");
                let is_short = text.parse().is_ok_and(|integer: i128| {
                    (i128::from(i64::MIN)..=u64::MAX.into()).contains(&integer)
                        && integer as f64 == *value
                });
                if is_short {
                    exact(*value < 0.0, text.trim_start_matches('-'), 0)
                } else {
                    Value::Float(value.to_bits())
                }
            }
            Given::Text(text) => Value::Text(text.clone()),
            Given::Bytes(bytes) => Value::Bytes(bytes.clone()),
            Given::Date(days) => Value::Date((*days).into()),
            Given::Time(kind, seconds, nanoseconds) => {
                Value::Time(kind, (*seconds).into(), *nanoseconds)
            }
            Given::Interval(months, days, nanoseconds) => {
                Value::Interval((*months).into(), (*days).into(), (*nanoseconds).into())
            }
            Given::List(items) => Value::List(items.iter().map(Given::value).collect()),
            Given::Map(entries) => Value::Map(
                entries
                    .iter()
                    .map(|(key, value)| (key.value(), value.value()))
                    .collect(),
            ),
        }
    }

    /// The same value in another way, if there is one.
    fn respelled(&self) -> Given {
        match self {
            Given::Integer(value) => match (value.checked_mul(1000), *value as f64) {
                (_, float) if float as i128 == *value && i64::try_from(*value).is_ok() => {
                    Given::Float(float)
                }
                (Some(thousands), _) => Given::Decimal(thousands, 3),
                _ => Given::Decimal(*value, 0),
            },
            &Given::Decimal(mantissa, scale) => match mantissa.checked_mul(10) {
                Some(tens) if scale < 127 => Given::Decimal(tens, scale + 1),
                _ => {
                    let mut bytes = [if mantissa < 0 { 255 } else { 0 }; 32];
                    bytes[..16].copy_from_slice(&mantissa.to_le_bytes());
                    Given::Wide(bytes, scale)
                }
            },
            &Given::Float(value) if value.is_nan() => {
                Given::Float(-f64::from_bits(value.to_bits() ^ 1))
            }
            Given::Float(0.0) => Given::Float(-0.0),
            Given::List(items) => Given::List(items.iter().map(Given::respelled).collect()),
            Given::Map(entries) => {
                let respelled =
                    |(key, value): &(Given, Given)| (key.respelled(), value.respelled());
                Given::Map(entries.iter().rev().map(respelled).collect())
            }
            other => other.clone(),
        }
    }
}

fn element(values: &[Given]) -> Result<Vec<u8>, Error> {
    let mut row = Row::new();
    for value in values {
        value.append(&mut row)?;
    }
    Ok(row.as_element().to_vec())
}

/// Puts maps' entries in the order that the decoder, which checks it, has seen.
fn same(given: &Value, read: &Value) -> bool {
    match (given, read) {
        (Value::List(given), Value::List(read)) => {
            given.len() == read.len()
                && given
                    .iter()
                    .zip(read)
                    .all(|(given, read)| same(given, read))
        }
        (Value::Map(given), Value::Map(read)) => {
            given.len() == read.len()
                && (given.iter()).all(|(key, value)| {
                    read.iter()
                        .any(|entry| same(key, &entry.0) && same(value, &entry.1))
                })
        }
        _ => given == read,
    }
}

/// Integers of every length, with those at its ends.
fn integers() -> impl Strategy<Value = i128> {
    (any::<i128>(), 0u32..128, -2i128..=2, any::<bool>()).prop_map(
        |(random, shift, near, is_near)| {
            if is_near {
                (1i128 << shift.min(126)) * near.signum() + near
            } else {
                random >> shift
            }
        },
    )
}

fn given() -> impl Strategy<Value = Given> {
    let nanoseconds = prop_oneof![Just(0u32), Just(999_999_999), 0u32..1_000_000_000];
    let kinds = prop_oneof![
        Just("time"),
        Just("timestamp"),
        Just("local timestamp"),
        Just("duration")
    ];
    let leaf =
        prop_oneof![
            Just(Given::Null),
            any::<bool>().prop_map(Given::Bool),
            integers().prop_map(Given::Integer),
            (integers(), any::<i8>()).prop_map(|(mantissa, scale)| Given::Decimal(mantissa, scale)),
            (integers(), 0i8..4).prop_map(|(mantissa, scale)| Given::Decimal(mantissa, scale)),
            (any::<[u8; 32]>(), 0usize..32, any::<i8>()).prop_map(|(mut bytes, kept, scale)| {
                let sign = if bytes[kept] >> 7 == 1 { 255 } else { 0 };
                bytes[kept + 1..].fill(sign);
                Given::Wide(bytes, scale)
            }),
            any::<f64>().prop_map(Given::Float),
            any::<u64>().prop_map(|bits| Given::Float(f64::from_bits(bits))),
            any::<u32>().prop_map(|bits| Given::Float(f32::from_bits(bits).into())),
            integers().prop_map(|integer| Given::Float(integer as f64)),
            (-100_000i32..100_000).prop_map(|eighths| Given::Float(f64::from(eighths) / 8.0)),
            any::<String>().prop_map(Given::Text),
            vec(any::<u8>(), 0..40).prop_map(Given::Bytes),
            any::<i32>().prop_map(Given::Date),
            (kinds, any::<i64>(), nanoseconds)
                .prop_map(|(kind, seconds, nanoseconds)| Given::Time(kind, seconds, nanoseconds)),
            (any::<i32>(), any::<i32>(), any::<i64>())
                .prop_map(|(months, days, rest)| Given::Interval(months, days, rest)),
        ];
    leaf.prop_recursive(4, 40, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..30).prop_map(Given::List),
            vec((inner.clone(), inner), 0..6).prop_map(Given::Map),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn values_are_read_back(values in vec(given(), 0..6)) {
        let Ok(element) = element(&values) else {
            // Keys occur twice rarely; a test of its own has them.
            return Ok(());
        };
        let read = decoded(&element);
        let expected: Vec<Value> = values.iter().map(Given::value).collect();
        prop_assert!(same(&Value::List(expected.clone()), &Value::List(read.clone())), "{expected:?} is read as {read:?}");
    }

    #[test]
    fn equal_values_have_equal_bytes(values in vec(given(), 0..4)) {
        let respelled: Vec<Given> = values.iter().map(Given::respelled).collect();
        match (element(&values), element(&respelled)) {
            (Ok(one), Ok(other)) => prop_assert_eq!(hex::encode(one), hex::encode(other), "{:?}", respelled),
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    #[test]
    fn different_rows_have_different_bytes(one in vec(given(), 0..4), other in vec(given(), 0..4)) {
        let values = |row: &[Given]| Value::List(row.iter().map(Given::value).collect());
        if let (Ok(first), Ok(second)) = (element(&one), element(&other)) {
            prop_assert_eq!(first == second, same(&values(&one), &values(&other)));
        }
    }

    #[test]
    fn counts_of_every_unit_are_the_same_time(seconds in -9_000_000_000i64..9_000_000_000) {
        fn encoded(encode: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
            let mut bytes = Vec::new();
            encode(&mut bytes);
            bytes
        }
        let units = [(Unit::Second, 1), (Unit::Millisecond, 1_000), (Unit::Microsecond, 1_000_000), (Unit::Nanosecond, 1_000_000_000)];
        let mut row = Row::new();
        row.time(seconds, 0)?.timestamp(seconds, 0)?.local_timestamp(seconds, 0)?.duration(seconds, 0)?;
        for (unit, per_second) in units {
            let all = encoded(|out| {
                encode::time(out, seconds * per_second, unit);
                encode::timestamp(out, seconds * per_second, unit);
                encode::local_timestamp(out, seconds * per_second, unit);
                encode::duration(out, seconds * per_second, unit);
            });
            prop_assert_eq!(&all, row.as_values());
            if per_second > 1 {
                // One unit before: rounded down.
                let before = encoded(|out| encode::timestamp(out, seconds * per_second - 1, unit));
                let mut row = Row::new();
                row.timestamp(seconds - 1, (1_000_000_000 - 1_000_000_000 / per_second) as u32)?;
                prop_assert_eq!(&before, row.as_values());
            }
        }
    }
}

#[test]
fn every_float_of_16_bits_takes_three_bytes_or_is_an_integer() {
    let mut integers = 0;
    for bits in 0..=u16::MAX {
        let head = [0xf9, (bits >> 8) as u8, bits as u8];
        let is_nan = bits & 0x7fff > 0x7c00;
        if is_nan && bits != 0x7e00 {
            continue;
        }
        let mut decoder = Decoder {
            rest: &head,
            has_long_integer: false,
        };
        let Value::Float(value) = decoder.value() else {
            panic!("no float");
        };
        let value = f64::from_bits(value);
        let mut row = Row::new();
        row.float(value);
        if value.fract() == 0.0 {
            assert_eq!(
                row.as_values(),
                Row::new().integer(value as i64).as_values()
            );
            integers += 1;
        } else {
            assert_eq!(row.as_values(), head);
        }
    }
    // Two zeros; 1 to 2048; and from there to 65504 those that 16 bits have: 1023 of up to 4095, 1024 of each further power of two.
    assert_eq!(integers, 2 + 2 * (2048 + 5 * 1024 - 1));
}

// --- Errors, misuse and memory ---------------------------------------------------------------------------------------

#[test]
fn errors_name_the_value() {
    let mut row = Row::new();
    row.null().integer(1);
    let before = row.as_element().to_vec();
    let second = |of| Error::Nanoseconds {
        value: 2,
        of,
        nanoseconds: 1_000_000_000,
    };
    assert_eq!(row.time(0, 1_000_000_000).unwrap_err(), second("time"));
    assert_eq!(
        row.timestamp(0, 1_000_000_000).unwrap_err(),
        second("timestamp")
    );
    assert_eq!(
        row.local_timestamp(0, 1_000_000_000).unwrap_err(),
        second("local timestamp")
    );
    let error = row.duration(0, 1_000_000_000).unwrap_err();
    assert_eq!(
        error.to_string(),
        "value 2 of the row: a duration has 1000000000 nanoseconds: expected under 1000000000"
    );
    assert_eq!(row.as_element(), before, "the row is as it was");
    assert!(row.timestamp(0, 999_999_999).is_ok());

    row.clear().null().begin_list(1);
    assert!(matches!(
        row.time(0, u32::MAX),
        Err(Error::Nanoseconds { value: 1, .. })
    ));

    row.clear().null().begin_map(3);
    row.integer(5).null().text("a").null().decimal(50, 1).null();
    let error = row.end_map().unwrap_err();
    assert_eq!(error, Error::RepeatedKey { value: 1 });
    assert_eq!(
        error.to_string(),
        "value 1 of the row: a map has a key twice"
    );
    assert_eq!(row.clear().as_element(), [0x80]);
}

#[test]
fn misuse_panics() {
    let panics = |misuse: fn(&mut Row)| {
        let result = std::panic::catch_unwind(|| misuse(&mut Row::new()));
        assert!(result.is_err());
    };
    panics(|row| assert!(row.begin_list(2).null().as_element().is_empty()));
    panics(|row| assert!(row.begin_list(1).as_values().is_empty()));
    panics(|row| assert!(row.begin_map(0).as_element().is_empty()));
    panics(|row| drop(row.end_map().map(drop)));
    panics(|row| drop(row.begin_map(1).end_map().map(drop)));
    panics(|row| drop(row.begin_map(1).null().end_map().map(drop)));
    panics(|row| drop(row.begin_list(1).end_map().map(drop)));
    panics(|row| {
        row.begin_map(1).null().null().null();
    });
}

#[test]
fn lists_and_maps_nest_deep() {
    let mut row = Row::new();
    for depth in 0..10_000 {
        if depth % 2 == 0 {
            row.begin_list(1);
        } else {
            row.begin_map(1).null();
        }
    }
    row.bool(true);
    for _ in 0..5_000 {
        row.end_map().unwrap();
    }
    assert_eq!(
        row.as_element(),
        [&[0x81][..], &[0x81, 0xa1, 0xf6].repeat(5_000), &[0xf5]].concat()
    );
    let list = row.clear().begin_list(0).as_element();
    assert_eq!(list, [0x81, 0x80]);
    assert_eq!(Row::default().as_element(), [0x80]);
    assert_eq!(
        format!("{:?}", Row::new().text("secret")),
        "Row { values: 1, bytes: 7, .. }"
    );
}
