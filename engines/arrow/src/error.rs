//! What cannot be a row.

use crate::schema::MAX_DEPTH;
use arrow_schema::DataType;
use std::fmt;

/// Why rows were not made. Columns and rows are counted from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A type for which docs/ROWS.md defines no normal form.
    Unsupported {
        /// The column's index.
        column: usize,
        /// The column's name.
        name: String,
        /// The type that is refused: the column's own or one within it.
        data_type: DataType,
    },
    /// A struct has two fields of one name, which are its keys.
    RepeatedField {
        /// The column's index.
        column: usize,
        /// The column's name.
        name: String,
        /// The fields' name.
        field: String,
    },
    /// Types are nested deeper than is supported.
    Depth {
        /// The column's index.
        column: usize,
        /// The column's name.
        name: String,
    },
    /// There are more or fewer columns than fields.
    Columns {
        /// The number of fields.
        expected: usize,
        /// The number of columns.
        actual: usize,
    },
    /// A column has another type than its field.
    Type {
        /// The column's index.
        column: usize,
        /// The column's name.
        name: String,
        /// The field's type.
        expected: DataType,
        /// The column's type.
        actual: DataType,
    },
    /// A column is longer or shorter than the others.
    Length {
        /// The column's index.
        column: usize,
        /// The column's name.
        name: String,
        /// The number of rows.
        expected: usize,
        /// The column's length.
        actual: usize,
    },
    /// A value that has no normal form.
    Value {
        /// The column's index.
        column: usize,
        /// The column's name.
        name: String,
        /// The row's index.
        row: usize,
        /// What is the matter with it.
        reason: ValueError,
    },
    /// There are more or fewer groups than rows.
    Groups {
        /// The number of rows.
        expected: usize,
        /// The number of their groups that are given.
        actual: usize,
    },
    /// A row's group is not one of the accumulator's.
    Group {
        /// The row's index.
        row: usize,
        /// The group.
        group: usize,
        /// The number of groups that the accumulator has.
        groups: usize,
    },
    /// The elements of the rows have more bytes than a `BinaryArray` can have.
    Size {
        /// The number of bytes.
        bytes: usize,
    },
}

/// Why a value has no normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// A `Date64` is no whole number of days, as Arrow's specification has it.
    PartialDay {
        /// The date, in milliseconds since 1970-01-01.
        milliseconds: i64,
    },
    /// A map has a key twice.
    RepeatedKey,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported {
                column,
                name,
                data_type,
            } => write!(
                f,
                "column {column} ({name}): the type {data_type} has no normal form: cast it, or leave it out"
            ),
            Error::RepeatedField {
                column,
                name,
                field,
            } => write!(
                f,
                "column {column} ({name}): a struct has two fields named {field}"
            ),
            Error::Depth { column, name } => write!(
                f,
                "column {column} ({name}): types are nested more than {MAX_DEPTH} deep"
            ),
            Error::Columns { expected, actual } => {
                write!(f, "there are {actual} columns: expected {expected}")
            }
            Error::Type {
                column,
                name,
                expected,
                actual,
            } => write!(
                f,
                "column {column} ({name}) has the type {actual}: expected {expected}"
            ),
            Error::Length {
                column,
                name,
                expected,
                actual,
            } => write!(
                f,
                "column {column} ({name}) has {actual} values: expected {expected}"
            ),
            Error::Value {
                column,
                name,
                row,
                reason,
            } => write!(f, "column {column} ({name}), row {row}: {reason}"),
            Error::Groups { expected, actual } => {
                write!(f, "{actual} groups are given for {expected} rows")
            }
            Error::Group { row, group, groups } => write!(
                f,
                "row {row} is in group {group}: the accumulator has {groups} groups, counted from 0"
            ),
            Error::Size { bytes } => write!(
                f,
                "the rows have {bytes} bytes: expected at most {}, which is what a BinaryArray has",
                i32::MAX
            ),
        }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueError::PartialDay { milliseconds } => write!(
                f,
                "a Date64 of {milliseconds} ms: expected a whole number of days"
            ),
            ValueError::RepeatedKey => f.write_str("a map has a key twice"),
        }
    }
}

impl std::error::Error for Error {}

impl std::error::Error for ValueError {}
