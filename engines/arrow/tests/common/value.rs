//! Random kinds of values, values of them, and the rows that they make by the builder.

use lthash::row::Row;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// What is random, from a seed.
pub fn random(seed: u64) -> TestRng {
    TestRng::from_seed(
        RngAlgorithm::ChaCha,
        &[seed.to_le_bytes(), [0; 8], [0; 8], [0; 8]].concat(),
    )
}

pub fn one_of<'a, T>(random: &mut TestRng, from: &'a [T]) -> &'a T {
    &from[random.random_range(0..from.len())]
}

/// What values a column has, by value and not by how they are stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Null,
    Boolean,
    /// Of at most so many digits, so many of them behind the point.
    Number {
        digits: u32,
        scale: i8,
    },
    Float,
    Text,
    /// Of a certain length or of any.
    Bytes(Option<usize>),
    Date,
    Time {
        of: Time,
        /// How many nanoseconds its unit has.
        unit: i128,
    },
    Interval,
    /// Of a certain length or of any.
    List(Box<Kind>, Option<usize>),
    Struct(Vec<(String, Kind)>),
    Map(Box<Kind>, Box<Kind>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    Timestamp,
    LocalTimestamp,
    OfDay,
    Duration,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    /// The mantissa; the scale is its kind's.
    Number(i128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    /// In days.
    Date(i32),
    /// In nanoseconds.
    Time(i128),
    Interval(i32, i32, i64),
    List(Vec<Value>),
    /// Each field's.
    Struct(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

impl Kind {
    /// Of types nested up to `depth` deep.
    pub fn random(random: &mut TestRng, depth: usize) -> Kind {
        match random.random_range(0..if depth == 0 { 9 } else { 15 }) {
            0 => one_of(random, &[Kind::Null, Kind::Boolean, Kind::Boolean]).clone(),
            1 => Kind::number(random),
            2 => Kind::Number {
                digits: random.random_range(1..=38),
                scale: random.random_range(-4..=12),
            },
            3 => Kind::Float,
            4 => Kind::Text,
            5 => Kind::Bytes(random.random_bool(0.5).then(|| random.random_range(0..6))),
            6 => Kind::Date,
            7 => Kind::Time {
                of: *one_of(
                    random,
                    &[
                        Time::Timestamp,
                        Time::LocalTimestamp,
                        Time::OfDay,
                        Time::Duration,
                    ],
                ),
                unit: *one_of(random, &[1, 1_000, 1_000_000, 1_000_000_000]),
            },
            8 => Kind::Interval,
            9 | 10 => Kind::List(
                Box::new(Kind::random(random, depth - 1)),
                random.random_bool(0.5).then(|| random.random_range(0..4)),
            ),
            11 | 12 => {
                // Fields of one kind can be stored as a map.
                let same = random
                    .random_bool(0.4)
                    .then(|| Kind::random(random, depth - 1));
                let names = ["a", "bb", "é", "", "0", "A"];
                let names = &names[..random.random_range(0..=names.len())];
                let field = |name: &&str| {
                    let kind = same.clone();
                    let kind = kind.unwrap_or_else(|| Kind::random(random, depth - 1));
                    ((*name).to_owned(), kind)
                };
                Kind::Struct(names.iter().map(field).collect())
            }
            _ => {
                let key = match random.random_range(0..4) {
                    0 => Kind::Text,
                    1 => Kind::number(random),
                    2 => Kind::Bytes(None),
                    _ => Kind::Date,
                };
                Kind::Map(Box::new(key), Box::new(Kind::random(random, depth - 1)))
            }
        }
    }

    /// Integers of few digits or many.
    fn number(random: &mut TestRng) -> Kind {
        Kind::Number {
            digits: *one_of(random, &[1, 2, 3, 4, 7, 9, 12, 18, 19, 20, 30, 38]),
            scale: 0,
        }
    }
}

impl Value {
    /// One in five is NULL.
    pub fn random(kind: &Kind, random: &mut TestRng) -> Value {
        if random.random_bool(0.2) {
            return Value::Null;
        }
        Value::not_null(kind, random)
    }

    /// NULL only if the kind has nothing else.
    pub fn not_null(kind: &Kind, random: &mut TestRng) -> Value {
        match kind {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Boolean(random.random()),
            &Kind::Number { digits, .. } => {
                // Zeros at the end, and the extremes.
                let limit = 10i128.pow(digits);
                let power = 10i128.pow(random.random_range(0..digits));
                Value::Number(match random.random_range(0..8) {
                    0 => limit - 1,
                    1 => 1 - limit,
                    2 => 0,
                    _ => {
                        random.random_range(1 - limit..limit) / power * *one_of(random, &[1, power])
                    }
                })
            }
            Kind::Float => {
                let bits = random.random::<u64>();
                Value::Float(match random.random_range(0..6) {
                    0 => f64::from_bits(bits),
                    1 => f64::from(f32::from_bits(bits as u32)),
                    2 => *one_of(
                        random,
                        &[f64::NAN, -f64::NAN, f64::INFINITY, -f64::INFINITY, -0.0],
                    ),
                    3 => f64::from_bits(0x7ff0_0000_0000_0001 | bits),
                    4 => f64::from(bits as i16) / 64.0,
                    _ => bits as i64 as f64,
                })
            }
            Kind::Text => {
                let length = random.random_range(0..30);
                let character = |_| *one_of(random, &['a', 'b', ' ', 'é', '\0', '𝄞', '5']);
                Value::Text((0..length).map(character).collect())
            }
            Kind::Bytes(length) => {
                let length = length.unwrap_or_else(|| random.random_range(0..30));
                Value::Bytes((0..length).map(|_| random.random()).collect())
            }
            Kind::Date => Value::Date(random.random::<i32>() >> random.random_range(0..32)),
            &Kind::Time { of, unit } => {
                let count = match of {
                    Time::OfDay => random.random_range(0..86_400_000_000_000 / unit),
                    _ => i128::from(random.random::<i64>() >> random.random_range(0..64)),
                };
                Value::Time(count * unit)
            }
            Kind::Interval => {
                let which = random.random_range(0..4);
                let any = random.random::<i64>();
                match which {
                    0 => Value::Interval(any as i32, 0, 0),
                    1 => Value::Interval(0, any as i32, (any >> 40) * 1_000_000),
                    _ => Value::Interval(any as i32, (any >> 32) as i32, any >> (any % 64).abs()),
                }
            }
            Kind::List(kind, length) => {
                let length = length.unwrap_or_else(|| random.random_range(0..5));
                Value::List((0..length).map(|_| Value::random(kind, random)).collect())
            }
            Kind::Struct(fields) => Value::Struct(
                fields
                    .iter()
                    .map(|(_, kind)| Value::random(kind, random))
                    .collect(),
            ),
            Kind::Map(key, value) => {
                let mut entries: Vec<(Value, Value)> = Vec::new();
                for _ in 0..random.random_range(0..5) {
                    let key = Value::not_null(key, random);
                    if entries.iter().all(|entry| entry.0 != key) {
                        entries.push((key, Value::random(value, random)));
                    }
                }
                Value::Map(entries)
            }
        }
    }

    /// Another value of the kind. `None` if there is no other.
    pub fn other(&self, kind: &Kind, random: &mut TestRng) -> Option<Value> {
        Some(match (self, kind) {
            (Value::Null, Kind::Null) => return None,
            (Value::Null, _) => Value::not_null(kind, random),
            _ if random.random_bool(0.2) => Value::Null,
            (Value::Boolean(value), _) => Value::Boolean(!value),
            (Value::Number(mantissa), _) => Value::Number(if *mantissa > 0 {
                mantissa - 1
            } else {
                mantissa + 1
            }),
            (Value::Float(value), _) if value.is_nan() => Value::Float(0.0),
            (Value::Float(value), _) => Value::Float(f64::from_bits(value.to_bits() ^ 1)),
            (Value::Text(text), _) => Value::Text(format!("{text} ")),
            (Value::Bytes(bytes), Kind::Bytes(None)) => Value::Bytes([&bytes[..], &[0]].concat()),
            (Value::Bytes(bytes), _) => match &bytes[..] {
                [] => Value::Null,
                [first, rest @ ..] => Value::Bytes([&[first ^ 1], rest].concat()),
            },
            (Value::Date(days), _) => Value::Date(days ^ 1),
            (&Value::Time(count), &Kind::Time { unit, .. }) => Value::Time(if count > 0 {
                count - unit
            } else {
                count + unit
            }),
            (&Value::Interval(months, days, nanoseconds), _) => match random.random_range(0..3) {
                0 => Value::Interval(months ^ 1, days, nanoseconds),
                1 => Value::Interval(months, days ^ 1, nanoseconds),
                _ => Value::Interval(months, days, nanoseconds ^ 1),
            },
            (Value::List(items), Kind::List(kind, length)) => {
                let mut items = items.clone();
                if length.is_none() && random.random_bool(0.5) {
                    items.push(Value::Null);
                    return Some(Value::List(items));
                }
                match change_one(&mut items, |_| kind, random) {
                    true => Value::List(items),
                    false => Value::Null,
                }
            }
            (Value::Struct(values), Kind::Struct(fields)) => {
                let mut values = values.clone();
                match change_one(&mut values, |field| &fields[field].1, random) {
                    true => Value::Struct(values),
                    false => Value::Null,
                }
            }
            (Value::Map(entries), _) => match &entries[..] {
                [] => Value::Null,
                [_, rest @ ..] => Value::Map(rest.to_vec()),
            },
            _ => unreachable!("{self:?} is no {kind:?}"),
        })
    }

    /// Appends it to a row.
    pub fn write(&self, kind: &Kind, row: &mut Row) {
        let seconds = |time: i128| (time.div_euclid(1_000_000_000)) as i64;
        let nanoseconds = |time: i128| (time.rem_euclid(1_000_000_000)) as u32;
        match (self, kind) {
            (Value::Null, _) => _ = row.null(),
            (Value::Boolean(value), _) => _ = row.bool(*value),
            (&Value::Number(mantissa), &Kind::Number { scale, .. }) => {
                row.decimal(mantissa, scale);
            }
            (Value::Float(value), _) => _ = row.float(*value),
            (Value::Text(text), _) => _ = row.text(text),
            (Value::Bytes(bytes), _) => _ = row.bytes(bytes),
            (Value::Date(days), _) => _ = row.date(*days),
            (&Value::Time(time), Kind::Time { of, .. }) => {
                let (seconds, nanoseconds) = (seconds(time), nanoseconds(time));
                let result = match of {
                    Time::Timestamp => row.timestamp(seconds, nanoseconds),
                    Time::LocalTimestamp => row.local_timestamp(seconds, nanoseconds),
                    Time::OfDay => row.time(seconds, nanoseconds),
                    Time::Duration => row.duration(seconds, nanoseconds),
                };
                result.unwrap();
            }
            (&Value::Interval(months, days, nanoseconds), _) => {
                row.interval(months, days, nanoseconds);
            }
            (Value::List(items), Kind::List(kind, _)) => {
                row.begin_list(items.len());
                items.iter().for_each(|item| item.write(kind, row));
            }
            (Value::Struct(values), Kind::Struct(fields)) => {
                row.begin_map(fields.len());
                for (value, (name, kind)) in values.iter().zip(fields) {
                    row.text(name);
                    value.write(kind, row);
                }
                row.end_map().unwrap();
            }
            (Value::Map(entries), Kind::Map(key_kind, kind)) => {
                row.begin_map(entries.len());
                for (key, value) in entries {
                    key.write(key_kind, row);
                    value.write(kind, row);
                }
                row.end_map().unwrap();
            }
            _ => unreachable!("{self:?} is no {kind:?}"),
        }
    }
}

/// Whether one of the values could be changed.
fn change_one<'a>(
    values: &mut [Value],
    kind: impl Fn(usize) -> &'a Kind,
    random: &mut TestRng,
) -> bool {
    if values.is_empty() {
        return false;
    }
    let index = random.random_range(0..values.len());
    let other = values[index].other(kind(index), random);
    let changed = other.is_some();
    values[index] = other.unwrap_or(Value::Null);
    changed
}
