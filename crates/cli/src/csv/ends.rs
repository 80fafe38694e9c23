//! Where a row ends: at a line's end that is in no quoted field.

use memchr::{memchr, memchr3};

/// Looks for the ends of rows in text that comes in parts. It agrees with the crate `csv-core`: a quote opens a field only
/// where the field begins, two quotes in a quoted field are one, and a row ends with CR, LF or both.
#[derive(Clone, Debug)]
pub struct Ends {
    delimiter: u8,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    FieldBegins,
    InField,
    InQuotes,
    /// After a quote in a quoted field: its end, or the first of two.
    AfterQuote,
    /// After a CR, which an LF may follow.
    AfterReturn,
}

impl Ends {
    pub fn new(delimiter: u8) -> Ends {
        Ends {
            delimiter,
            state: State::FieldBegins,
        }
    }

    /// Whether the text so far ends in a quoted field.
    pub fn is_in_quotes(&self) -> bool {
        self.state == State::InQuotes
    }

    /// Where in this part the row ends, its line's end included. The next row begins there.
    pub fn find(&mut self, part: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < part.len() {
            match self.state {
                State::InQuotes => {
                    at += memchr(b'"', &part[at..])? + 1;
                    self.state = State::AfterQuote;
                }
                State::AfterQuote if part[at] == b'"' => {
                    at += 1;
                    self.state = State::InQuotes;
                }
                State::AfterReturn => {
                    self.state = State::FieldBegins;
                    return Some(at + usize::from(part[at] == b'\n'));
                }
                State::FieldBegins if part[at] == b'"' => {
                    at += 1;
                    self.state = State::InQuotes;
                }
                State::FieldBegins | State::InField | State::AfterQuote => {
                    at = self.find_outside_quotes(part, at)?;
                    if part[at - 1] == b'\n' {
                        return Some(at);
                    }
                }
            }
        }
        None
    }

    /// Goes on behind the next quote or line's end.
    fn find_outside_quotes(&mut self, part: &[u8], from: usize) -> Option<usize> {
        let begins_behind = |at: usize| at > from && part[at - 1] == self.delimiter;
        let Some(found) = memchr3(b'"', b'\n', b'\r', &part[from..]) else {
            self.state = if begins_behind(part.len()) {
                State::FieldBegins
            } else {
                State::InField
            };
            return None;
        };
        let at = from + found;
        self.state = match part[at] {
            b'\n' => State::FieldBegins,
            b'\r' => State::AfterReturn,
            _ if begins_behind(at) => State::InQuotes,
            _ => State::InField,
        };
        Some(at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a text, given in parts of this many bytes; what follows the last end is one too.
    fn rows(text: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut ends = Ends::new(b',');
        let mut rows = vec![Vec::new()];
        for mut part in text.chunks(size) {
            while let Some(end) = ends.find(part) {
                rows.last_mut().unwrap().extend(&part[..end]);
                rows.push(Vec::new());
                part = &part[end..];
            }
            rows.last_mut().unwrap().extend(part);
        }
        rows.retain(|row| !row.is_empty());
        rows
    }

    /// All texts of up to five of these bytes: the rows' fields are those that the crate `csv` finds in the whole text.
    #[test]
    fn rows_are_those_of_the_csv_crate() {
        const BYTES: &[u8] = b"\"\n\r,a";
        for length in 0..=5_u32 {
            for number in 0..BYTES.len().pow(length) {
                let text: Vec<u8> = (0..length)
                    .map(|i| BYTES[number / BYTES.len().pow(i) % BYTES.len()])
                    .collect();
                let read = |text: &[u8]| -> Vec<Vec<Vec<u8>>> {
                    csv::ReaderBuilder::new()
                        .has_headers(false)
                        .flexible(true)
                        .from_reader(text)
                        .byte_records()
                        .map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect())
                        .collect()
                };
                let expected = read(&text);
                for size in [1, 2, 3, 7] {
                    let found: Vec<_> =
                        rows(&text, size).iter().flat_map(|row| read(row)).collect();
                    assert_eq!(found, expected, "{:?}", text.escape_ascii().to_string());
                }
            }
        }
    }
}
