//! Values that are encoded by themselves: whatever is no list, struct, map, dictionary or run.

use crate::sink::Sink;
use arrow_array::OffsetSizeTrait;
use arrow_buffer::{BooleanBuffer, Buffer, IntervalDayTime, IntervalMonthDayNano, i256};
use lthash::row::encode::{self, Unit};

/// An array's values without its nulls.
pub(crate) trait Leaf {
    /// Whether values have a variable length.
    const IS_VARIABLE: bool = false;

    /// The most bytes that one takes, without [`variable_length`](Leaf::variable_length).
    fn max(&self) -> usize;

    /// Appends the value at an index. What is there under a null may be any value of the type.
    fn append(&self, index: usize, out: &mut impl Sink);

    /// The most bytes that the value at an index takes beyond [`max`](Leaf::max).
    fn variable_length(&self, _index: usize) -> usize {
        0
    }
}

/// The heads of strings: 1 byte and 8.
const HEAD: usize = 9;

pub(crate) struct Nulls;

impl Leaf for Nulls {
    #[inline]
    fn max(&self) -> usize {
        1
    }

    #[inline]
    fn append(&self, _index: usize, out: &mut impl Sink) {
        encode::null(out);
    }
}

pub(crate) struct Booleans<'a>(pub &'a BooleanBuffer);

impl Leaf for Booleans<'_> {
    #[inline]
    fn max(&self) -> usize {
        1
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        encode::bool(out, self.0.value(index));
    }
}

pub(crate) struct Integers<'a, T>(pub &'a [T]);

impl<T: Copy + Into<i128>> Leaf for Integers<'_, T> {
    #[inline]
    fn max(&self) -> usize {
        9
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        encode::integer(out, self.0[index]);
    }
}

pub(crate) struct Floats<'a, T>(pub &'a [T]);

impl<T: Copy + Into<f64>> Leaf for Floats<'_, T> {
    #[inline]
    fn max(&self) -> usize {
        9
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        encode::float(out, self.0[index].into());
    }
}

/// The most bytes of a decimal whose mantissa has so many bytes: tag, array and exponent, and a bignum.
fn decimal(scale: i8, mantissa: usize) -> usize {
    // 10^128 has less than 54 bytes.
    let factor = if scale < 0 { 54 } else { 0 };
    4 + 3 + mantissa.max(8) + factor
}

/// Decimals of up to 128 bits.
pub(crate) struct Decimals<'a, T> {
    pub mantissas: &'a [T],
    pub scale: i8,
}

impl<T: Copy + Into<i128>> Leaf for Decimals<'_, T> {
    #[inline]
    fn max(&self) -> usize {
        decimal(self.scale, size_of::<T>())
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        encode::decimal(out, self.mantissas[index].into(), self.scale);
    }
}

/// Decimals of 256 bits.
pub(crate) struct WideDecimals<'a> {
    pub mantissas: &'a [i256],
    pub scale: i8,
}

impl Leaf for WideDecimals<'_> {
    #[inline]
    fn max(&self) -> usize {
        decimal(self.scale, 32)
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        encode::wide_decimal(out, &self.mantissas[index].to_le_bytes(), self.scale);
    }
}

#[inline(always)]
fn begin(out: &mut impl Sink, is_text: bool, length: usize) {
    if is_text {
        encode::begin_text(out, length);
    } else {
        encode::begin_bytes(out, length);
    }
}

/// Text or binary, behind one another in a buffer.
pub(crate) struct Strings<'a, O> {
    pub offsets: &'a [O],
    pub bytes: &'a [u8],
    pub is_text: bool,
}

impl<O: OffsetSizeTrait> Strings<'_, O> {
    #[inline]
    fn range(&self, index: usize) -> (usize, usize) {
        (
            self.offsets[index].as_usize(),
            self.offsets[index + 1].as_usize(),
        )
    }
}

impl<O: OffsetSizeTrait> Leaf for Strings<'_, O> {
    const IS_VARIABLE: bool = true;

    #[inline]
    fn max(&self) -> usize {
        HEAD
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        let (start, end) = self.range(index);
        begin(out, self.is_text, end - start);
        out.append_range(self.bytes, start, end);
    }

    #[inline]
    fn variable_length(&self, index: usize) -> usize {
        let (start, end) = self.range(index);
        end - start
    }
}

/// Text or binary as views: the length and, up to 12 bytes, the value itself, else where it is.
pub(crate) struct Views<'a> {
    pub views: &'a [u128],
    pub buffers: &'a [Buffer],
    pub is_text: bool,
}

impl Leaf for Views<'_> {
    const IS_VARIABLE: bool = true;

    #[inline]
    fn max(&self) -> usize {
        HEAD
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        let view = self.views[index];
        let length = view as u32 as usize;
        begin(out, self.is_text, length);
        if length <= 12 {
            out.append_short(view >> 32, length);
        } else {
            let (buffer, start) = ((view >> 64) as u32 as usize, (view >> 96) as usize);
            out.append_range(&self.buffers[buffer], start, start + length);
        }
    }

    #[inline]
    fn variable_length(&self, index: usize) -> usize {
        self.views[index] as u32 as usize
    }
}

/// Binary values of one length.
pub(crate) struct FixedSize<'a> {
    pub bytes: &'a [u8],
    pub size: usize,
}

impl Leaf for FixedSize<'_> {
    const IS_VARIABLE: bool = true;

    #[inline]
    fn max(&self) -> usize {
        HEAD
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        encode::begin_bytes(out, self.size);
        out.append_range(self.bytes, index * self.size, (index + 1) * self.size);
    }

    #[inline]
    fn variable_length(&self, _index: usize) -> usize {
        self.size
    }
}

/// Dates in days.
pub(crate) struct Dates<'a>(pub &'a [i32]);

impl Leaf for Dates<'_> {
    #[inline]
    fn max(&self) -> usize {
        7
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        encode::date(out, self.0[index].into());
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Time {
    OfDay,
    Timestamp,
    LocalTimestamp,
    Duration,
}

/// Counts of a unit of time.
pub(crate) struct Times<'a, T> {
    pub counts: &'a [T],
    pub unit: Unit,
    pub of: Time,
}

impl<T: Copy + Into<i64>> Leaf for Times<'_, T> {
    #[inline]
    fn max(&self) -> usize {
        // Tag, array, name; seconds; nanoseconds.
        13 + 9 + 5
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        let count = self.counts[index].into();
        match self.of {
            Time::OfDay => encode::time(out, count, self.unit),
            Time::Timestamp => encode::timestamp(out, count, self.unit),
            Time::LocalTimestamp => encode::local_timestamp(out, count, self.unit),
            Time::Duration => encode::duration(out, count, self.unit),
        }
    }
}

pub(crate) struct Intervals<'a, T>(pub &'a [T]);

/// Months, days and nanoseconds.
pub(crate) trait Interval: Copy {
    fn parts(self) -> (i32, i32, i64);
}

/// Of years and months, in months.
impl Interval for i32 {
    #[inline]
    fn parts(self) -> (i32, i32, i64) {
        (self, 0, 0)
    }
}

impl Interval for IntervalDayTime {
    #[inline]
    fn parts(self) -> (i32, i32, i64) {
        (0, self.days, i64::from(self.milliseconds) * 1_000_000)
    }
}

impl Interval for IntervalMonthDayNano {
    #[inline]
    fn parts(self) -> (i32, i32, i64) {
        (self.months, self.days, self.nanoseconds)
    }
}

impl<T: Interval> Leaf for Intervals<'_, T> {
    #[inline]
    fn max(&self) -> usize {
        // Tag, array, name; months, days, nanoseconds.
        12 + 5 + 5 + 9
    }

    #[inline]
    fn append(&self, index: usize, out: &mut impl Sink) {
        let (months, days, nanoseconds) = self.0[index].parts();
        encode::interval(out, months, days, nanoseconds);
    }
}
