//! What a row's fields say.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, WriteResult, WriterBuilder};

/// The fields of one row after another, without their quotes.
pub struct Fields {
    reader: Reader,
    delimiter: u8,
    text: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
}

impl Fields {
    pub fn new(delimiter: u8) -> Fields {
        let mut fields = Fields {
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            delimiter,
            text: vec![0; 1024],
            ends: vec![0; 32],
            count: 0,
        };
        // The reader drops a byte-order mark from what it reads first, and a mark within a text belongs to it.
        fields.read(b"\n");
        fields
    }

    /// Takes a row apart: one, and not an empty line. Returns whether it was one row and no more.
    pub fn read(&mut self, row: &[u8]) -> bool {
        // The reader always is at a row's beginning here, since every row is read to a line's end.
        let (mut at, mut text, mut count) = (0, 0, 0);
        let mut rest = row;
        let mut ended = false;
        loop {
            let (result, read, written, fields) =
                (self.reader).read_record(rest, &mut self.text[text..], &mut self.ends[count..]);
            at += read;
            rest = &rest[read..];
            text += written;
            count += fields;
            match result {
                ReadRecordResult::InputEmpty if ended => return false,
                ReadRecordResult::InputEmpty => (rest, ended) = (b"\n", true),
                ReadRecordResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::End => return false,
                ReadRecordResult::Record => break,
            }
        }
        self.count = count;
        ended || row[at..].is_empty() || row[at..] == *b"\n"
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn get(&self, index: usize) -> &[u8] {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin..self.ends[index]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).map(|index| self.get(index))
    }

    /// Writes fields as a row without a line's end, quoted only where they have to be.
    pub fn write<'f>(&self, chosen: impl Iterator<Item = &'f [u8]>, out: &mut Vec<u8>) {
        let mut writer = WriterBuilder::new().delimiter(self.delimiter).build();
        for (index, field) in chosen.enumerate() {
            if index > 0 {
                repeat(out, |buffer| writer.delimiter(buffer));
            }
            let mut rest = field;
            repeat(out, |buffer| {
                let (result, read, written) = writer.field(rest, buffer);
                rest = &rest[read..];
                (result, written)
            });
        }
        repeat(out, |buffer| writer.finish(buffer));
    }
}

/// Writes into a buffer, again and again, until all is written.
fn repeat(out: &mut Vec<u8>, mut write: impl FnMut(&mut [u8]) -> (WriteResult, usize)) {
    let mut buffer = [0; 256];
    loop {
        let (result, written) = write(&mut buffer);
        out.extend_from_slice(&buffer[..written]);
        if result == WriteResult::InputEmpty {
            break;
        }
    }
}
