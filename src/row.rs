//! Rows of a table as elements: one checksum for the same rows, whatever they are stored in.
//!
//! Two tables are the same when they hold the same rows, in any order, and a row is a list of values. [`Row`] makes an element
//! of one: its values in a normal form, so that equal values have equal bytes and different rows different bytes, whatever
//! types they had in a file or an engine. The form is deterministic CBOR ([RFC 8949](https://www.rfc-editor.org/rfc/rfc8949),
//! section 4.2.1), so that any CBOR library can make it and read it. docs/ROWS.md of the repository gives it in full, as
//! version 1, with test values.
//!
//! ```
//! use lthash::Accumulator;
//! use lthash::row::Row;
//!
//! let mut table = Accumulator::new();
//! let mut row = Row::new();
//! for (id, name, price) in [(1, Some("pen"), 150), (2, None, 90)] {
//!     row.clear().integer(id);
//!     match name {
//!         Some(name) => row.text(name),
//!         None => row.null(),
//!     };
//!     row.decimal(price, 2);
//!     table.insert(row.as_element());
//! }
//! println!("{}", table.finish().checksum());
//!
//! // By value: 5, 5.00 and 5.0 are one value.
//! let element = |row: &mut Row| row.as_element().to_vec();
//! assert_eq!(element(Row::new().integer(5)), element(Row::new().decimal(500, 2)));
//! assert_eq!(element(Row::new().integer(5)), element(Row::new().float(5.0)));
//! ```

pub mod encode;

use alloc::vec::Vec;
use core::fmt;
use encode::{Entry, head, major, sort_entries};

/// The longest head of CBOR: room for it is left before the values, whose number is known at the end.
const HEAD: usize = 9;

/// A row's element, built value by value. It keeps its memory: [`clear`](Row::clear) it for the next row.
///
/// Values come in the order of the row. A list is begun with its length and then takes the values that follow; a map takes keys
/// and values in turn. Both nest to any depth, in memory.
///
/// ```
/// use lthash::row::Row;
///
/// let mut row = Row::new();
/// row.integer(1).begin_list(2).text("a").null();
/// assert_eq!(row.as_element(), [0x82, 0x01, 0x82, 0x61, b'a', 0xf6]);
///
/// row.clear().timestamp(1_700_000_000, 500_000_000)?;
/// assert_eq!(row.as_element()[..4], [0x81, 0xd9, 0x03, 0xe9]);
/// # Ok::<(), lthash::row::Error>(())
/// ```
#[derive(Clone)]
pub struct Row {
    /// [`HEAD`] bytes, the last of which are the head of the row's array, and the values.
    buffer: Vec<u8>,
    /// The number of values, those within lists and maps not counted.
    count: usize,
    /// The lists and maps that are not complete, each within the one before.
    open: Vec<Open>,
    /// The entries of the maps that are open.
    entries: Vec<Entry>,
    /// Entries in order.
    sorted: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Open {
    /// So many values are to come: at least one.
    List { remaining: usize },
    Map {
        /// So many entries are to come.
        remaining: usize,
        /// Whether the value of an entry comes next.
        in_entry: bool,
        /// The index of its first entry.
        first: usize,
    },
}

impl Row {
    /// A row without values.
    #[must_use]
    pub fn new() -> Row {
        let mut buffer = Vec::with_capacity(64);
        buffer.extend_from_slice(&[0; HEAD]);
        let mut row = Row {
            buffer,
            count: 0,
            open: Vec::new(),
            entries: Vec::new(),
            sorted: Vec::new(),
        };
        row.write_head();
        row
    }

    /// Takes all values out, and keeps the memory.
    pub fn clear(&mut self) -> &mut Row {
        self.buffer.truncate(HEAD);
        self.count = 0;
        self.open.clear();
        self.entries.clear();
        self.write_head();
        self
    }

    /// The row's element: an array of its values.
    ///
    /// # Panics
    ///
    /// If a list or a map is not complete.
    #[must_use]
    pub fn as_element(&self) -> &[u8] {
        self.assert_complete();
        let (_, length) = head(major::ARRAY, self.count as u64);
        &self.buffer[HEAD - length..]
    }

    /// The values' encodings, one after another: the element without the head that says how many there are.
    ///
    /// # Panics
    ///
    /// If a list or a map is not complete.
    #[must_use]
    pub fn as_values(&self) -> &[u8] {
        self.assert_complete();
        &self.buffer[HEAD..]
    }

    /// NULL, which is a value like any other.
    pub fn null(&mut self) -> &mut Row {
        encode::null(self.begin_value());
        self
    }

    /// True or false.
    pub fn bool(&mut self, value: bool) -> &mut Row {
        encode::bool(self.begin_value(), value);
        self
    }

    /// An integer of up to 128 bits with its sign.
    pub fn integer(&mut self, value: impl Into<i128>) -> &mut Row {
        encode::integer(self.begin_value(), value);
        self
    }

    /// A decimal number: `mantissa` × 10^−`scale`, so that 1.50 is `decimal(150, 2)`.
    pub fn decimal(&mut self, mantissa: i128, scale: i8) -> &mut Row {
        encode::decimal(self.begin_value(), mantissa, scale);
        self
    }

    /// A decimal number whose mantissa is an integer of 256 bits: two's complement, little-endian.
    ///
    /// ```
    /// use lthash::row::Row;
    ///
    /// let mut minus_one = Row::new();
    /// minus_one.wide_decimal(&[0xff; 32], 0);
    /// assert_eq!(minus_one.as_element(), Row::new().integer(-1).as_element());
    /// ```
    pub fn wide_decimal(&mut self, mantissa: &[u8; 32], scale: i8) -> &mut Row {
        encode::wide_decimal(self.begin_value(), mantissa, scale);
        self
    }

    /// A floating-point number. An `f32` is widened, which keeps its value.
    pub fn float(&mut self, value: f64) -> &mut Row {
        encode::float(self.begin_value(), value);
        self
    }

    /// Text, its UTF-8 as it is.
    pub fn text(&mut self, text: &str) -> &mut Row {
        encode::text(self.begin_value(), text);
        self
    }

    /// Binary data.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Row {
        encode::bytes(self.begin_value(), bytes);
        self
    }

    /// A date, in days since 1970-01-01.
    pub fn date(&mut self, days: i32) -> &mut Row {
        encode::date(self.begin_value(), days.into());
        self
    }

    /// A time of day without a zone, since midnight.
    ///
    /// # Errors
    ///
    /// If the nanoseconds are not under 10^9. The row is then as it was; so it is for the next three.
    pub fn time(&mut self, seconds: i64, nanoseconds: u32) -> Result<&mut Row, Error> {
        let nanoseconds = self.nanoseconds("time", nanoseconds)?;
        encode::time::time_parts(self.begin_value(), seconds, nanoseconds);
        Ok(self)
    }

    /// A timestamp with a zone, an instant, since 1970-01-01 00:00:00 UTC. Before that, seconds are rounded down: half a second
    /// before it is `timestamp(-1, 500_000_000)`.
    ///
    /// # Errors
    ///
    /// If the nanoseconds are not under 10^9.
    pub fn timestamp(&mut self, seconds: i64, nanoseconds: u32) -> Result<&mut Row, Error> {
        let nanoseconds = self.nanoseconds("timestamp", nanoseconds)?;
        encode::time::timestamp_parts(self.begin_value(), seconds, nanoseconds);
        Ok(self)
    }

    /// A timestamp without a zone, since 1970-01-01 00:00:00 on the same clock. It never equals one with a zone.
    ///
    /// # Errors
    ///
    /// If the nanoseconds are not under 10^9.
    pub fn local_timestamp(&mut self, seconds: i64, nanoseconds: u32) -> Result<&mut Row, Error> {
        let nanoseconds = self.nanoseconds("local timestamp", nanoseconds)?;
        encode::time::local_timestamp_parts(self.begin_value(), seconds, nanoseconds);
        Ok(self)
    }

    /// A duration, an amount of time. Its seconds are rounded down as a timestamp's are.
    ///
    /// # Errors
    ///
    /// If the nanoseconds are not under 10^9.
    pub fn duration(&mut self, seconds: i64, nanoseconds: u32) -> Result<&mut Row, Error> {
        let nanoseconds = self.nanoseconds("duration", nanoseconds)?;
        encode::time::duration_parts(self.begin_value(), seconds, nanoseconds);
        Ok(self)
    }

    /// An interval of the calendar. Its three parts are not converted into one another: a month has no certain number of days,
    /// and a day no certain number of hours.
    pub fn interval(&mut self, months: i32, days: i32, nanoseconds: i64) -> &mut Row {
        encode::interval(self.begin_value(), months, days, nanoseconds);
        self
    }

    /// Begins a list: the next `len` values are its elements, in order.
    pub fn begin_list(&mut self, len: usize) -> &mut Row {
        encode::begin_list(self.begin_value(), len);
        if len > 0 {
            self.open.push(Open::List { remaining: len });
        }
        self
    }

    /// Begins a map, or a struct, whose keys are its fields' names: `len` keys, each with its value after it, and then
    /// [`end_map`](Row::end_map). The order of the entries does not matter.
    ///
    /// ```
    /// use lthash::row::Row;
    ///
    /// let mut one = Row::new();
    /// one.begin_map(2).text("x").integer(1).text("y").integer(2).end_map()?;
    /// let mut other = Row::new();
    /// other.begin_map(2).text("y").integer(2).text("x").integer(1).end_map()?;
    /// assert_eq!(one.as_element(), other.as_element());
    /// # Ok::<(), lthash::row::Error>(())
    /// ```
    pub fn begin_map(&mut self, len: usize) -> &mut Row {
        encode::begin_map(self.begin_value(), len);
        let first = self.entries.len();
        self.open.push(Open::Map {
            remaining: len,
            in_entry: false,
            first,
        });
        self
    }

    /// Ends the map that was begun last: puts its entries in order.
    ///
    /// # Errors
    ///
    /// If a key occurs twice: such a map has no normal form. The map is then still open; clear the row.
    ///
    /// # Panics
    ///
    /// If no map is open, or it has fewer entries than it was begun with.
    pub fn end_map(&mut self) -> Result<&mut Row, Error> {
        let Some(&Open::Map {
            remaining: 0,
            in_entry: false,
            first,
        }) = self.open.last()
        else {
            panic!("end_map without a map whose entries are complete");
        };
        let end = self.buffer.len();
        let entries = &mut self.entries[first..];
        if let Some(last) = entries.last_mut() {
            last.end = end;
        }
        if !sort_entries(&mut self.buffer, entries, &mut self.sorted) {
            return Err(Error::RepeatedKey {
                value: self.count - 1,
            });
        }
        self.entries.truncate(first);
        self.open.pop();
        Ok(self)
    }

    /// Counts the value that comes next, wherever it belongs, and returns where its encoding is appended.
    fn begin_value(&mut self) -> &mut Vec<u8> {
        let position = self.buffer.len();
        match self.open.last_mut() {
            None => {
                self.count += 1;
                self.write_head();
            }
            Some(Open::List { remaining }) => {
                *remaining -= 1;
                if *remaining == 0 {
                    self.open.pop();
                }
            }
            Some(Open::Map {
                remaining,
                in_entry,
                first,
            }) => {
                if *in_entry {
                    if let Some(entry) = self.entries.last_mut() {
                        entry.value = position;
                    }
                } else {
                    assert!(
                        *remaining > 0,
                        "a map's entries are complete: end_map comes next"
                    );
                    *remaining -= 1;
                    if let Some(previous) = self.entries[*first..].last_mut() {
                        previous.end = position;
                    }
                    self.entries.push(Entry {
                        key: position,
                        value: position,
                        end: position,
                    });
                }
                *in_entry = !*in_entry;
            }
        }
        &mut self.buffer
    }

    /// Writes the head of the row's array before the values.
    fn write_head(&mut self) {
        let (bytes, length) = head(major::ARRAY, self.count as u64);
        self.buffer[HEAD - length..HEAD].copy_from_slice(&bytes.to_le_bytes()[..length]);
    }

    /// The nanoseconds of the value that comes next, if they are under a second.
    fn nanoseconds(&self, of: &'static str, nanoseconds: u32) -> Result<u32, Error> {
        if nanoseconds < 1_000_000_000 {
            return Ok(nanoseconds);
        }
        let value = if self.open.is_empty() {
            self.count
        } else {
            self.count - 1
        };
        Err(Error::Nanoseconds {
            value,
            of,
            nanoseconds,
        })
    }

    fn assert_complete(&self) {
        assert!(
            self.open.is_empty(),
            "a list or a map of value {} of the row is not complete",
            self.count - 1
        );
    }
}

impl Default for Row {
    fn default() -> Row {
        Row::new()
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("values", &self.count)
            .field("bytes", &self.buffer.len().saturating_sub(HEAD))
            .finish_non_exhaustive()
    }
}

/// What cannot be a value of a row. Values are counted from 0; one that is within a list or a map counts as that.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A whole second or more is given in nanoseconds.
    Nanoseconds {
        /// The value's index in the row.
        value: usize,
        /// What has the nanoseconds: a time, a timestamp, a local timestamp or a duration.
        of: &'static str,
        /// The nanoseconds.
        nanoseconds: u32,
    },
    /// A map has a key twice.
    RepeatedKey {
        /// The map's index in the row.
        value: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Nanoseconds {
                value,
                of,
                nanoseconds,
            } => write!(
                f,
                "value {value} of the row: a {of} has {nanoseconds} nanoseconds: expected under 1000000000"
            ),
            Error::RepeatedKey { value } => {
                write!(f, "value {value} of the row: a map has a key twice")
            }
        }
    }
}

impl core::error::Error for Error {}
