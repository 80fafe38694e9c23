//! Which columns of a table count, and what stands for NULL.

use super::fields::Fields;
use crate::input::Position;
use anyhow::{Result, ensure};
use lthash::row::Row;
use std::sync::{Arc, Mutex, PoisonError};

/// What the options say of the tables that are read.
#[derive(Default)]
pub struct Table {
    /// Whether the first line does not name the columns.
    pub no_header: bool,
    /// The columns that count, in this order, by name or, without a header, by number from 1.
    chosen: Option<Vec<Vec<u8>>>,
    /// The text that stands for NULL.
    null: Option<Vec<u8>>,
    /// The columns that tell rows apart, if that is asked for.
    pub key: Option<Vec<Vec<u8>>>,
    /// The first file's name, and its header as text.
    first: Mutex<Option<(String, Vec<u8>)>>,
}

/// The columns of one file.
#[derive(Debug, PartialEq, Eq)]
pub struct Columns {
    /// How many fields a row has.
    pub width: usize,
    /// The indices of those that count.
    chosen: Vec<usize>,
    /// The indices of those that tell rows apart.
    key: Option<Vec<usize>>,
    null: Option<Vec<u8>>,
}

impl Table {
    pub fn new(no_header: bool, chosen: Option<Vec<Vec<u8>>>, null: Option<Vec<u8>>) -> Table {
        Table {
            no_header,
            chosen,
            null,
            key: None,
            first: Mutex::new(None),
        }
    }

    /// Begins anew: files that are read from here on may have another header.
    pub fn forget_header(&self) {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The columns of a file whose first row, at `position`, is this one.
    pub fn columns(&self, first: &Fields, position: Position<'_>) -> Result<Arc<Columns>> {
        let width = first.len();
        let find_all = |names: &Vec<Vec<u8>>| -> Result<Vec<usize>> {
            (names.iter())
                .map(|name| self.find(name, first).map_err(|what| position.error(what)))
                .collect()
        };
        let chosen = match &self.chosen {
            None => {
                self.ensure_same_header(first, position)?;
                (0..width).collect()
            }
            Some(names) => find_all(names)?,
        };
        Ok(Arc::new(Columns {
            width,
            chosen,
            key: self.key.as_ref().map(find_all).transpose()?,
            null: self.null.clone(),
        }))
    }

    fn find(&self, name: &[u8], header: &Fields) -> Result<usize, String> {
        let shown = name.escape_ascii();
        if self.no_header {
            let number = std::str::from_utf8(name)
                .ok()
                .and_then(|name| name.parse().ok());
            return number
                .filter(|number| (1..=header.len()).contains(number))
                .map(|number| number - 1)
                .ok_or_else(|| {
                    format!(
                        "no column {shown}: expected a number from 1 to {}",
                        header.len()
                    )
                });
        }
        let mut found = (0..header.len()).filter(|&index| header.get(index) == name);
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            (Some(_), Some(_)) => Err(format!("more than one column is named {shown}")),
            (None, _) => Err(format!("no column is named {shown}")),
        }
    }

    /// Rows are values in the columns' order, so tables with other headers would be compared without sense.
    fn ensure_same_header(&self, header: &Fields, position: Position<'_>) -> Result<()> {
        if self.no_header {
            return Ok(());
        }
        let mut text = Vec::new();
        header.write(header.iter(), &mut text);
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let (name, expected) =
            first.get_or_insert_with(|| (position.input.to_string(), text.clone()));
        ensure!(
            text == *expected,
            position.error(format_args!(
                "the columns are {}: expected {}, as {name} has them; --columns chooses and orders columns",
                text.escape_ascii(),
                expected.escape_ascii()
            ))
        );
        Ok(())
    }
}

impl Columns {
    /// Makes the row of fields.
    ///
    /// # Errors
    ///
    /// If a row does not have as many fields as the first one, or a field is no UTF-8.
    pub fn row(&self, fields: &Fields, position: Position<'_>, row: &mut Row) -> Result<()> {
        ensure!(
            fields.len() == self.width,
            position.error(format_args!(
                "{} fields: expected {}, as in the first line",
                fields.len(),
                self.width
            ))
        );
        self.encode(&self.chosen, fields, position, row)
    }

    /// Makes the row of the fields that tell rows apart. Returns whether there are such.
    pub fn key(&self, fields: &Fields, position: Position<'_>, row: &mut Row) -> Result<bool> {
        match &self.key {
            None => Ok(false),
            Some(key) => self.encode(key, fields, position, row).map(|()| true),
        }
    }

    fn encode(
        &self,
        indices: &[usize],
        fields: &Fields,
        position: Position<'_>,
        row: &mut Row,
    ) -> Result<()> {
        row.clear();
        for &index in indices {
            let field = fields.get(index);
            if self.null.as_deref() == Some(field) {
                row.null();
                continue;
            }
            let text = std::str::from_utf8(field).map_err(|_| {
                position.error(format_args!(
                    "field {} is no UTF-8: \"{}\"",
                    index + 1,
                    field.escape_ascii()
                ))
            })?;
            row.text(text);
        }
        Ok(())
    }

    /// Writes the fields that count as a row of text.
    pub fn write(&self, fields: &Fields, out: &mut Vec<u8>) {
        fields.write(self.chosen.iter().map(|&index| fields.get(index)), out);
    }
}
