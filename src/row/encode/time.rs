//! Dates, times, durations and intervals.

use super::{Output, append_with_head, head, integer, major};

/// What a count of time is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Second,
    /// Thousandths of a second.
    Millisecond,
    /// Millionths of a second.
    Microsecond,
    /// Thousand-millionths of a second.
    Nanosecond,
}

impl Unit {
    /// Whole seconds, rounded down, and the nanoseconds above them.
    #[inline]
    fn split(self, count: i64) -> (i64, u32) {
        #[inline]
        fn by<const PER_SECOND: i64>(count: i64) -> (i64, u32) {
            let nanoseconds = 1_000_000_000 / PER_SECOND * count.rem_euclid(PER_SECOND);
            (count.div_euclid(PER_SECOND), nanoseconds as u32)
        }
        match self {
            Unit::Second => (count, 0),
            Unit::Millisecond => by::<1_000>(count),
            Unit::Microsecond => by::<1_000_000>(count),
            Unit::Nanosecond => by::<1_000_000_000>(count),
        }
    }
}

/// A date, in days since 1970-01-01: tag 100 (RFC 8943).
#[inline]
pub fn date(out: &mut impl Output, days: i64) {
    append_with_head(out, 0x64d8, 2, integer_head(days));
}

/// A time of day without a zone, since midnight.
#[inline]
pub fn time(out: &mut impl Output, count: i64, unit: Unit) {
    let (seconds, nanoseconds) = unit.split(count);
    time_parts(out, seconds, nanoseconds);
}

/// A timestamp with a zone, an instant, since 1970-01-01 00:00:00 UTC: tag 1001 (RFC 9581).
#[inline]
pub fn timestamp(out: &mut impl Output, count: i64, unit: Unit) {
    let (seconds, nanoseconds) = unit.split(count);
    timestamp_parts(out, seconds, nanoseconds);
}

/// A timestamp without a zone, since 1970-01-01 00:00:00 on the same clock.
#[inline]
pub fn local_timestamp(out: &mut impl Output, count: i64, unit: Unit) {
    let (seconds, nanoseconds) = unit.split(count);
    local_timestamp_parts(out, seconds, nanoseconds);
}

/// A duration: tag 1002 (RFC 9581).
#[inline]
pub fn duration(out: &mut impl Output, count: i64, unit: Unit) {
    let (seconds, nanoseconds) = unit.split(count);
    duration_parts(out, seconds, nanoseconds);
}

/// An interval of the calendar.
#[inline]
pub fn interval(out: &mut impl Output, months: i32, days: i32, nanoseconds: i64) {
    // Tag 27, an array of the name and three integers.
    out.append_short(
        u128::from_le_bytes(*b"\xd8\x1b\x84\x68interval\0\0\0\0"),
        12,
    );
    integer(out, months);
    integer(out, days);
    integer(out, nanoseconds);
}

/// Nanoseconds are under 10^9 here and below.
#[inline]
pub(in super::super) fn time_parts(out: &mut impl Output, seconds: i64, nanoseconds: u32) {
    let mut prefix = *b"\xd8\x1b\x82\x64time\0\0\0\0\0\0\0\0";
    prefix[2] += u8::from(nanoseconds != 0);
    named_parts(out, &prefix, 8, seconds, nanoseconds);
}

#[inline]
pub(in super::super) fn local_timestamp_parts(
    out: &mut impl Output,
    seconds: i64,
    nanoseconds: u32,
) {
    let mut prefix = *b"\xd8\x1b\x82\x69timestamp\0\0\0";
    prefix[2] += u8::from(nanoseconds != 0);
    named_parts(out, &prefix, 13, seconds, nanoseconds);
}

/// Tag 27, an array of a name, the seconds and, unless they are 0, the nanoseconds.
#[inline]
fn named_parts(
    out: &mut impl Output,
    prefix: &[u8; 16],
    length: usize,
    seconds: i64,
    nanoseconds: u32,
) {
    out.append_short(u128::from_le_bytes(*prefix), length);
    integer(out, seconds);
    if nanoseconds != 0 {
        integer(out, nanoseconds);
    }
}

#[inline]
pub(in super::super) fn timestamp_parts(out: &mut impl Output, seconds: i64, nanoseconds: u32) {
    extended_parts(out, 0xe9, seconds, nanoseconds);
}

#[inline]
pub(in super::super) fn duration_parts(out: &mut impl Output, seconds: i64, nanoseconds: u32) {
    extended_parts(out, 0xea, seconds, nanoseconds);
}

/// Tag 1001 or 1002 by its low byte, a map of 1 to the seconds and, unless they are 0, −9 to the nanoseconds.
#[inline]
fn extended_parts(out: &mut impl Output, tag: u64, seconds: i64, nanoseconds: u32) {
    let map = 0xa1 + u64::from(nanoseconds != 0);
    let prefix = 0xd9 | 0x03 << 8 | tag << 16 | map << 24 | 0x01 << 32;
    append_with_head(out, prefix, 5, integer_head(seconds));
    if nanoseconds != 0 {
        append_with_head(out, 0x28, 1, head(major::UNSIGNED, nanoseconds.into()));
    }
}

#[inline]
fn integer_head(value: i64) -> (u128, usize) {
    head(u8::from(value < 0), (value ^ value >> 63) as u64)
}
