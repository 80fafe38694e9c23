//! Which types have rows, and which are the same.

use arrow_schema::DataType;
use std::collections::HashSet;

/// Types are nested at most so deep. Functions that call themselves for each level, here and in Arrow, would overflow the stack
/// at some depth.
pub(crate) const MAX_DEPTH: usize = 128;

/// Why a type has no rows.
pub(crate) enum Refusal<'a> {
    Unsupported(&'a DataType),
    RepeatedField(&'a str),
    Depth,
}

/// Refuses what docs/ROWS.md does not define, and what is nested deeper than [`MAX_DEPTH`].
pub(crate) fn check(data_type: &DataType) -> Result<(), Refusal<'_>> {
    check_within(data_type, MAX_DEPTH)
}

/// As [`check`], for what is in so many levels at most.
fn check_within(data_type: &DataType, levels: usize) -> Result<(), Refusal<'_>> {
    use DataType::*;
    let check = |within| check_within(within, levels.checked_sub(1).ok_or(Refusal::Depth)?);
    match data_type {
        Null | Boolean | Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 => Ok(()),
        Float16 | Float32 | Float64 => Ok(()),
        Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => Ok(()),
        Utf8 | LargeUtf8 | Utf8View => Ok(()),
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => Ok(()),
        Date32 | Date64 | Time32(_) | Time64(_) | Timestamp(..) | Duration(_) | Interval(_) => {
            Ok(())
        }
        List(item) | LargeList(item) | FixedSizeList(item, _) => check(item.data_type()),
        ListView(item) | LargeListView(item) => check(item.data_type()),
        Struct(fields) => {
            let mut names = HashSet::new();
            for field in fields {
                if !names.insert(field.name()) {
                    return Err(Refusal::RepeatedField(field.name()));
                }
                check(field.data_type())?;
            }
            Ok(())
        }
        Map(entries, _) => match entries.data_type() {
            // Their names do not count, and may be the same.
            Struct(fields) => (fields.iter()).try_for_each(|field| check(field.data_type())),
            _ => Err(Refusal::Unsupported(data_type)),
        },
        Dictionary(_, values) => check(values),
        RunEndEncoded(_, values) => check(values.data_type()),
        _ => Err(Refusal::Unsupported(data_type)),
    }
}

/// Whether a value of a type may have no normal form.
pub(crate) fn can_fail(data_type: &DataType) -> bool {
    use DataType::*;
    match data_type {
        Date64 | Map(..) => true,
        List(item) | LargeList(item) | FixedSizeList(item, _) => can_fail(item.data_type()),
        ListView(item) | LargeListView(item) => can_fail(item.data_type()),
        Struct(fields) => fields.iter().any(|field| can_fail(field.data_type())),
        Dictionary(_, values) => can_fail(values),
        RunEndEncoded(_, values) => can_fail(values.data_type()),
        // What `check` may take one day, until it is looked at here.
        other => other.is_nested(),
    }
}

/// Whether arrays of both types are laid out in the same way and mean the same: metadata, nullability and the zone's name do
/// not count.
pub(crate) fn same(one: &DataType, other: &DataType) -> bool {
    use DataType::*;
    match (one, other) {
        (List(one), List(other))
        | (LargeList(one), LargeList(other))
        | (ListView(one), ListView(other))
        | (LargeListView(one), LargeListView(other)) => same(one.data_type(), other.data_type()),
        (FixedSizeList(one, size), FixedSizeList(other, other_size)) => {
            size == other_size && same(one.data_type(), other.data_type())
        }
        (Struct(one), Struct(other)) => {
            one.len() == other.len()
                && (one.iter().zip(other)).all(|(one, other)| {
                    one.name() == other.name() && same(one.data_type(), other.data_type())
                })
        }
        (Map(one, _), Map(other, _)) => match (one.data_type(), other.data_type()) {
            (Struct(one), Struct(other)) => {
                (one.iter().zip(other)).all(|(one, other)| same(one.data_type(), other.data_type()))
            }
            _ => false,
        },
        (Dictionary(keys, one), Dictionary(other_keys, other)) => {
            keys == other_keys && same(one, other)
        }
        (RunEndEncoded(ends, one), RunEndEncoded(other_ends, other)) => {
            ends.data_type() == other_ends.data_type() && same(one.data_type(), other.data_type())
        }
        (Timestamp(unit, zone), Timestamp(other_unit, other_zone)) => {
            unit == other_unit && zone.is_some() == other_zone.is_some()
        }
        _ => one == other,
    }
}
