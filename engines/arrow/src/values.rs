//! Arrays as trees: each node has a type's values, its children those of the types within.

use crate::error::ValueError;
use crate::leaf::{
    Booleans, Dates, Decimals, FixedSize, Floats, Integers, Intervals, Leaf, Nulls, Strings, Time,
    Times, Views, WideDecimals,
};
use crate::sink::{Slot, copied};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, OffsetSizeTrait, RunArray};
use arrow_buffer::{ArrowNativeType, NullBuffer, RunEndBuffer};
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use lthash::row::encode::{self, Entry, Unit};
use std::cell::RefCell;
use std::ops::Range;

/// An array's values with its nulls.
pub(crate) struct Node<'a> {
    nulls: Option<&'a NullBuffer>,
    values: Box<dyn Values + 'a>,
}

/// An array's values without its nulls.
pub(crate) trait Values {
    /// Appends the value at an index, which is not null.
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError>;

    /// The values as a column's, if each is encoded by itself and none can fail.
    fn as_column(&self) -> Option<&dyn Column> {
        None
    }
}

/// Values that are written into many rows at a time.
pub(crate) trait Column {
    /// The most bytes that a value takes, without what [`add_lengths`](Column::add_lengths) adds.
    fn max(&self) -> usize;

    /// Adds the most bytes that each value of some rows, from the row `first` on, takes beyond [`max`](Column::max), and returns the
    /// largest of these numbers. Where the values take much memory, it cuts off the lengths of rows that it leaves for later; at least
    /// one stays.
    fn add_lengths(
        &self,
        nulls: Option<&NullBuffer>,
        first: usize,
        lengths: &mut Vec<usize>,
    ) -> usize;

    /// Appends each value of some rows at its position in the buffer, and moves the positions behind them. The rows are the first
    /// of those that [`add_lengths`](Column::add_lengths) was called with last, and `longest` is what it returned.
    fn write(
        &self,
        nulls: Option<&NullBuffer>,
        rows: Range<usize>,
        longest: usize,
        buffer: &mut [u8],
        positions: &mut [usize],
    );
}

impl<L: Leaf> Values for L {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        Leaf::append(self, index, out);
        Ok(())
    }

    fn as_column(&self) -> Option<&dyn Column> {
        Some(self)
    }
}

impl<L: Leaf> Column for L {
    fn max(&self) -> usize {
        Leaf::max(self)
    }

    fn add_lengths(
        &self,
        nulls: Option<&NullBuffer>,
        first: usize,
        lengths: &mut Vec<usize>,
    ) -> usize {
        let mut longest = 0;
        if L::IS_VARIABLE {
            for (row, length) in (first..).zip(lengths) {
                if nulls.is_none_or(|nulls| nulls.is_valid(row)) {
                    let of_row = self.variable_length(row);
                    longest = longest.max(of_row);
                    *length += of_row;
                }
            }
        }
        longest
    }

    fn write(
        &self,
        nulls: Option<&NullBuffer>,
        rows: Range<usize>,
        longest: usize,
        buffer: &mut [u8],
        positions: &mut [usize],
    ) {
        // Texts are copied without a choice in each row.
        let write = match copied(longest) {
            16 if L::IS_VARIABLE => write::<L, 16>,
            32 if L::IS_VARIABLE => write::<L, 32>,
            48 if L::IS_VARIABLE => write::<L, 48>,
            64 if L::IS_VARIABLE => write::<L, 64>,
            _ => write::<L, 0>,
        };
        write(self, nulls, rows, buffer, positions);
    }
}

fn write<L: Leaf, const COPIED: usize>(
    values: &L,
    nulls: Option<&NullBuffer>,
    rows: Range<usize>,
    buffer: &mut [u8],
    positions: &mut [usize],
) {
    for (row, position) in rows.zip(positions) {
        let mut slot = Slot::<COPIED> {
            buffer,
            position: *position,
        };
        if nulls.is_none_or(|nulls| nulls.is_valid(row)) {
            values.append(row, &mut slot);
        } else {
            encode::null(&mut slot);
        }
        *position = slot.position;
    }
}

impl<'a> Node<'a> {
    /// `None` if the type is one of those that [`check`](crate::schema::check) refuses.
    pub fn new(array: &'a dyn Array) -> Option<Node<'a>> {
        fn values<T: ArrowPrimitiveType>(array: &dyn Array) -> &[T::Native] {
            array.as_primitive::<T>().values()
        }
        fn boxed<'a>(values: impl Values + 'a) -> Box<dyn Values + 'a> {
            Box::new(values)
        }
        let values = match array.data_type() {
            DataType::Null => boxed(Nulls),
            DataType::Boolean => boxed(Booleans(array.as_boolean().values())),
            DataType::Int8 => boxed(Integers(values::<Int8Type>(array))),
            DataType::Int16 => boxed(Integers(values::<Int16Type>(array))),
            DataType::Int32 => boxed(Integers(values::<Int32Type>(array))),
            DataType::Int64 => boxed(Integers(values::<Int64Type>(array))),
            DataType::UInt8 => boxed(Integers(values::<UInt8Type>(array))),
            DataType::UInt16 => boxed(Integers(values::<UInt16Type>(array))),
            DataType::UInt32 => boxed(Integers(values::<UInt32Type>(array))),
            DataType::UInt64 => boxed(Integers(values::<UInt64Type>(array))),
            DataType::Float16 => boxed(Floats(values::<Float16Type>(array))),
            DataType::Float32 => boxed(Floats(values::<Float32Type>(array))),
            DataType::Float64 => boxed(Floats(values::<Float64Type>(array))),
            &DataType::Decimal32(_, scale) => boxed(Decimals {
                mantissas: values::<Decimal32Type>(array),
                scale,
            }),
            &DataType::Decimal64(_, scale) => boxed(Decimals {
                mantissas: values::<Decimal64Type>(array),
                scale,
            }),
            &DataType::Decimal128(_, scale) => boxed(Decimals {
                mantissas: values::<Decimal128Type>(array),
                scale,
            }),
            &DataType::Decimal256(_, scale) => boxed(WideDecimals {
                mantissas: values::<Decimal256Type>(array),
                scale,
            }),
            DataType::Utf8 => boxed(strings::<Utf8Type>(array)),
            DataType::LargeUtf8 => boxed(strings::<LargeUtf8Type>(array)),
            DataType::Binary => boxed(strings::<BinaryType>(array)),
            DataType::LargeBinary => boxed(strings::<LargeBinaryType>(array)),
            DataType::Utf8View => boxed(views::<StringViewType>(array)),
            DataType::BinaryView => boxed(views::<BinaryViewType>(array)),
            DataType::FixedSizeBinary(_) => {
                let array = array.as_fixed_size_binary();
                boxed(FixedSize {
                    bytes: array.value_data(),
                    size: array.value_size(),
                })
            }
            DataType::Date32 => boxed(Dates(values::<Date32Type>(array))),
            DataType::Date64 => boxed(DatesInMilliseconds(values::<Date64Type>(array))),
            DataType::Time32(unit) => boxed(Times {
                counts: match unit {
                    TimeUnit::Second => values::<Time32SecondType>(array),
                    _ => values::<Time32MillisecondType>(array),
                },
                unit: unit_of(*unit),
                of: Time::OfDay,
            }),
            DataType::Time64(unit) => boxed(Times {
                counts: match unit {
                    TimeUnit::Microsecond => values::<Time64MicrosecondType>(array),
                    _ => values::<Time64NanosecondType>(array),
                },
                unit: unit_of(*unit),
                of: Time::OfDay,
            }),
            DataType::Timestamp(unit, zone) => boxed(Times {
                counts: match unit {
                    TimeUnit::Second => values::<TimestampSecondType>(array),
                    TimeUnit::Millisecond => values::<TimestampMillisecondType>(array),
                    TimeUnit::Microsecond => values::<TimestampMicrosecondType>(array),
                    TimeUnit::Nanosecond => values::<TimestampNanosecondType>(array),
                },
                unit: unit_of(*unit),
                of: match zone {
                    Some(_) => Time::Timestamp,
                    None => Time::LocalTimestamp,
                },
            }),
            DataType::Duration(unit) => boxed(Times {
                counts: match unit {
                    TimeUnit::Second => values::<DurationSecondType>(array),
                    TimeUnit::Millisecond => values::<DurationMillisecondType>(array),
                    TimeUnit::Microsecond => values::<DurationMicrosecondType>(array),
                    TimeUnit::Nanosecond => values::<DurationNanosecondType>(array),
                },
                unit: unit_of(*unit),
                of: Time::Duration,
            }),
            DataType::Interval(IntervalUnit::YearMonth) => {
                boxed(Intervals(values::<IntervalYearMonthType>(array)))
            }
            DataType::Interval(IntervalUnit::DayTime) => {
                boxed(Intervals(values::<IntervalDayTimeType>(array)))
            }
            DataType::Interval(IntervalUnit::MonthDayNano) => {
                boxed(Intervals(values::<IntervalMonthDayNanoType>(array)))
            }
            DataType::List(_) => boxed(list::<i32>(array)?),
            DataType::LargeList(_) => boxed(list::<i64>(array)?),
            DataType::ListView(_) => boxed(list_view::<i32>(array)?),
            DataType::LargeListView(_) => boxed(list_view::<i64>(array)?),
            DataType::FixedSizeList(..) => {
                let array = array.as_fixed_size_list();
                let size = array.value_length().as_usize();
                boxed(List {
                    range: move |index| index * size..(index + 1) * size,
                    items: Node::new(array.values())?,
                })
            }
            DataType::Struct(fields) => {
                let array = array.as_struct();
                let field = |(field, column): (&'a arrow_schema::FieldRef, &'a _)| {
                    let mut name = Vec::new();
                    encode::text(&mut name, field.name());
                    Some((name, Node::new(column)?))
                };
                let columns = array.columns().iter().map(AsRef::as_ref);
                let fields = fields.iter().zip(columns).map(field);
                let mut fields = fields.collect::<Option<Vec<_>>>()?;
                fields.sort_unstable_by(|one, other| one.0.cmp(&other.0));
                boxed(Struct(fields))
            }
            DataType::Map(..) => {
                let array = array.as_map();
                boxed(Map {
                    offsets: array.value_offsets(),
                    keys: Node::new(array.keys())?,
                    values: Node::new(array.values())?,
                    memory: RefCell::default(),
                })
            }
            DataType::Dictionary(..) => boxed(Dictionary::new(array)?),
            DataType::RunEndEncoded(ends, _) => match ends.data_type() {
                DataType::Int16 => boxed(runs::<Int16Type>(array)?),
                DataType::Int32 => boxed(runs::<Int32Type>(array)?),
                _ => boxed(runs::<Int64Type>(array)?),
            },
            _ => return None,
        };
        // Zero nulls cost as much as some.
        let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0);
        Some(Node { nulls, values })
    }

    /// Values that are never null.
    pub fn without_nulls(values: impl Values + 'a) -> Node<'a> {
        Node {
            nulls: None,
            values: Box::new(values),
        }
    }

    /// Other values with the same nulls.
    pub fn with_values(self, values: impl Values + 'a) -> Node<'a> {
        Node {
            values: Box::new(values),
            ..self
        }
    }

    pub fn as_column(&self) -> Option<(Option<&'a NullBuffer>, &dyn Column)> {
        Some((self.nulls, self.values.as_column()?))
    }

    pub fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(index)) {
            encode::null(out);
            return Ok(());
        }
        self.values.append(index, out)
    }
}

fn unit_of(unit: TimeUnit) -> Unit {
    match unit {
        TimeUnit::Second => Unit::Second,
        TimeUnit::Millisecond => Unit::Millisecond,
        TimeUnit::Microsecond => Unit::Microsecond,
        TimeUnit::Nanosecond => Unit::Nanosecond,
    }
}

fn strings<T: ByteArrayType>(array: &dyn Array) -> Strings<'_, T::Offset> {
    let array = array.as_bytes::<T>();
    Strings {
        offsets: array.value_offsets(),
        bytes: array.value_data(),
        is_text: T::DATA_TYPE.is_string(),
    }
}

fn views<T: ByteViewType>(array: &dyn Array) -> Views<'_> {
    let array = array.as_byte_view::<T>();
    Views {
        views: array.views(),
        buffers: array.data_buffers(),
        is_text: T::IS_UTF8,
    }
}

/// A `Date64`.
struct DatesInMilliseconds<'a>(&'a [i64]);

impl Values for DatesInMilliseconds<'_> {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        let milliseconds = self.0[index];
        if milliseconds % DAY != 0 {
            return Err(ValueError::PartialDay { milliseconds });
        }
        encode::date(out, milliseconds / DAY);
        Ok(())
    }
}

/// Lists of every layout: `range` tells where a list's items are.
struct List<'a, R> {
    range: R,
    items: Node<'a>,
}

fn list<O: OffsetSizeTrait>(array: &dyn Array) -> Option<List<'_, impl Fn(usize) -> Range<usize>>> {
    let array = array.as_list::<O>();
    let offsets = array.value_offsets();
    Some(List {
        range: move |index: usize| offsets[index].as_usize()..offsets[index + 1].as_usize(),
        items: Node::new(array.values())?,
    })
}

fn list_view<O: OffsetSizeTrait>(
    array: &dyn Array,
) -> Option<List<'_, impl Fn(usize) -> Range<usize>>> {
    let array = array.as_list_view::<O>();
    let (offsets, sizes) = (array.value_offsets(), array.value_sizes());
    Some(List {
        range: move |index: usize| {
            let start = offsets[index].as_usize();
            start..start + sizes[index].as_usize()
        },
        items: Node::new(array.values())?,
    })
}

impl<R: Fn(usize) -> Range<usize>> Values for List<'_, R> {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let mut range = (self.range)(index);
        encode::begin_list(out, range.len());
        range.try_for_each(|item| self.items.append(item, out))
    }
}

/// Fields in the order of their encoded names.
struct Struct<'a>(Vec<(Vec<u8>, Node<'a>)>);

impl Values for Struct<'_> {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        encode::begin_map(out, self.0.len());
        for (name, field) in &self.0 {
            out.extend_from_slice(name);
            field.append(index, out)?;
        }
        Ok(())
    }
}

struct Map<'a> {
    offsets: &'a [i32],
    keys: Node<'a>,
    values: Node<'a>,
    /// A map's entries, and what sorting takes.
    memory: RefCell<(Vec<Entry>, Vec<u8>)>,
}

impl Values for Map<'_> {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let range = self.offsets[index].as_usize()..self.offsets[index + 1].as_usize();
        encode::begin_map(out, range.len());
        // Nobody else has it: a map within this one is another node.
        let (entries, sorted) = &mut *self.memory.borrow_mut();
        entries.clear();
        for entry in range {
            let key = out.len();
            self.keys.append(entry, out)?;
            let value = out.len();
            self.values.append(entry, out)?;
            let end = out.len();
            entries.push(Entry { key, value, end });
        }
        if !encode::sort_entries(out, entries, sorted) {
            return Err(ValueError::RepeatedKey);
        }
        Ok(())
    }
}

/// Keys by their index, and the values that they stand for. What is there under a null is no key.
pub(crate) struct Dictionary<'a> {
    keys: Box<dyn Fn(usize) -> usize + 'a>,
    pub values: Node<'a>,
    /// The number of values.
    pub len: usize,
}

impl<'a> Dictionary<'a> {
    pub fn new(array: &'a dyn Array) -> Option<Dictionary<'a>> {
        fn keys<T: ArrowPrimitiveType>(array: &dyn Array) -> Box<dyn Fn(usize) -> usize + '_> {
            let keys = array.as_primitive::<T>().values();
            Box::new(|index| keys[index].as_usize())
        }
        let array = array.as_any_dictionary_opt()?;
        let keys = match array.keys().data_type() {
            DataType::Int8 => keys::<Int8Type>(array.keys()),
            DataType::Int16 => keys::<Int16Type>(array.keys()),
            DataType::Int32 => keys::<Int32Type>(array.keys()),
            DataType::Int64 => keys::<Int64Type>(array.keys()),
            DataType::UInt8 => keys::<UInt8Type>(array.keys()),
            DataType::UInt16 => keys::<UInt16Type>(array.keys()),
            DataType::UInt32 => keys::<UInt32Type>(array.keys()),
            _ => keys::<UInt64Type>(array.keys()),
        };
        Some(Dictionary {
            keys,
            values: Node::new(array.values())?,
            len: array.values().len(),
        })
    }

    pub fn key(&self, index: usize) -> usize {
        (self.keys)(index)
    }
}

impl Values for Dictionary<'_> {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.values.append(self.key(index), out)
    }
}

/// Values that stand for runs.
struct Runs<'a, E: ArrowNativeType> {
    ends: &'a RunEndBuffer<E>,
    values: Node<'a>,
}

fn runs<R: RunEndIndexType>(array: &dyn Array) -> Option<Runs<'_, R::Native>> {
    let array: &RunArray<R> = array.as_run_opt()?;
    Some(Runs {
        ends: array.run_ends(),
        values: Node::new(array.values())?,
    })
}

impl<E: ArrowNativeType> Values for Runs<'_, E> {
    fn append(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.values.append(self.ends.get_physical_index(index), out)
    }
}
