//! [`RowHasher`]: rows of record batches as elements.

use crate::block::Block;
use crate::encoded::column;
use crate::error::Error;
use crate::schema::{self, Refusal};
use crate::values::Node;
use arrow_array::builder::BinaryBuilder;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::{FieldRef, Schema};
use lthash::{Accumulator, GroupedAccumulator};

/// Makes elements of rows of certain fields.
///
/// It has no state but memory that it uses again. Whatever takes rows takes all of them or, if there is an error, none.
#[derive(Debug)]
pub struct RowHasher {
    fields: Vec<FieldRef>,
    block: Block,
}

/// Columns of the same length: a [`RecordBatch`], or arrays as an engine's functions are given them.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    arrays: &'a [ArrayRef],
    rows: usize,
}

impl<'a> From<&'a RecordBatch> for Columns<'a> {
    fn from(batch: &'a RecordBatch) -> Columns<'a> {
        Columns {
            arrays: batch.columns(),
            rows: batch.num_rows(),
        }
    }
}

/// As many rows as the first array has values; none if there is no array.
impl<'a> From<&'a [ArrayRef]> for Columns<'a> {
    fn from(arrays: &'a [ArrayRef]) -> Columns<'a> {
        let rows = arrays.first().map_or(0, |array| array.len());
        Columns { arrays, rows }
    }
}

impl<'a> From<&'a Vec<ArrayRef>> for Columns<'a> {
    fn from(arrays: &'a Vec<ArrayRef>) -> Columns<'a> {
        Columns::from(&arrays[..])
    }
}

impl RowHasher {
    /// For batches of a schema.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] or [`Error::RepeatedField`] if a type has no normal form, [`Error::Depth`] if types are nested more
    /// than 128 deep.
    pub fn try_new(schema: &Schema) -> Result<RowHasher, Error> {
        RowHasher::from_fields(schema.fields())
    }

    /// For columns of some fields, in order.
    ///
    /// # Errors
    ///
    /// As [`try_new`](RowHasher::try_new).
    pub fn from_fields(fields: &[FieldRef]) -> Result<RowHasher, Error> {
        for (column, field) in fields.iter().enumerate() {
            schema::check(field.data_type()).map_err(|refusal| refused(column, field, &refusal))?;
        }
        Ok(RowHasher {
            fields: fields.to_vec(),
            block: Block::default(),
        })
    }

    /// Inserts each row.
    ///
    /// # Errors
    ///
    /// If the columns are not those of the fields, or a value has no normal form.
    pub fn insert<'a>(
        &mut self,
        columns: impl Into<Columns<'a>>,
        accumulator: &mut Accumulator,
    ) -> Result<(), Error> {
        self.for_each(columns, |_, element| accumulator.insert(element))
    }

    /// Removes each row.
    ///
    /// # Errors
    ///
    /// As [`insert`](RowHasher::insert).
    pub fn remove<'a>(
        &mut self,
        columns: impl Into<Columns<'a>>,
        accumulator: &mut Accumulator,
    ) -> Result<(), Error> {
        self.for_each(columns, |_, element| accumulator.remove(element))
    }

    /// Inserts each row into its group: `groups[row]`.
    ///
    /// # Errors
    ///
    /// As [`insert`](RowHasher::insert), and if there is not one group for each row, or the accumulator does not have it.
    pub fn insert_grouped<'a>(
        &mut self,
        columns: impl Into<Columns<'a>>,
        groups: &[usize],
        accumulator: &mut GroupedAccumulator,
    ) -> Result<(), Error> {
        let columns = columns.into();
        check_groups(columns.rows, groups, accumulator)?;
        self.for_each(columns, |row, element| {
            accumulator.insert(groups[row], element)
        })
    }

    /// Removes each row from its group: `groups[row]`.
    ///
    /// # Errors
    ///
    /// As [`insert_grouped`](RowHasher::insert_grouped).
    pub fn remove_grouped<'a>(
        &mut self,
        columns: impl Into<Columns<'a>>,
        groups: &[usize],
        accumulator: &mut GroupedAccumulator,
    ) -> Result<(), Error> {
        let columns = columns.into();
        check_groups(columns.rows, groups, accumulator)?;
        self.for_each(columns, |row, element| {
            accumulator.remove(groups[row], element)
        })
    }

    /// The rows' elements.
    ///
    /// # Errors
    ///
    /// As [`insert`](RowHasher::insert), and [`Error::Size`] if they have more than 2 GiB: then make them of slices.
    pub fn rows<'a>(&mut self, columns: impl Into<Columns<'a>>) -> Result<BinaryArray, Error> {
        let columns = columns.into();
        let mut elements = BinaryBuilder::with_capacity(columns.rows, 0);
        let mut bytes = 0;
        self.for_each(columns, |_, element| {
            bytes += element.len();
            if bytes <= i32::MAX as usize {
                elements.append_value(element);
            }
        })?;
        if bytes > i32::MAX as usize {
            return Err(Error::Size { bytes });
        }
        Ok(elements.finish())
    }

    /// Calls `each` with each row's index and element, in order: for rows that are to be hashed in another way, or not all of
    /// them.
    ///
    /// ```
    /// use arrow_array::{ArrayRef, Int64Array};
    /// use arrow_schema::{DataType, Field};
    /// use lthash::Accumulator;
    /// use lthash_arrow::RowHasher;
    /// use std::sync::Arc;
    ///
    /// let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(vec![5, 6, 7]))];
    /// let mut rows = RowHasher::from_fields(&[Arc::new(Field::new("n", DataType::Int64, true))])?;
    /// let mut odd = Accumulator::new();
    /// rows.for_each(&columns, |row, element| {
    ///     if row != 1 {
    ///         odd.insert(element);
    ///     }
    /// })?;
    /// assert_eq!(odd.finish(), lthash::LtHash::from_iter([[0x81, 5], [0x81, 7]]));
    /// # Ok::<(), lthash_arrow::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`insert`](RowHasher::insert). `each` has then not been called.
    pub fn for_each<'a>(
        &mut self,
        columns: impl Into<Columns<'a>>,
        each: impl FnMut(usize, &[u8]),
    ) -> Result<(), Error> {
        let Columns { arrays, rows } = columns.into();
        let nodes = self.nodes(arrays, rows)?;
        self.block.for_each(&nodes, rows, each);
        Ok(())
    }

    /// The columns, checked, as nodes that cannot fail.
    fn nodes<'a>(&self, arrays: &'a [ArrayRef], rows: usize) -> Result<Vec<Node<'a>>, Error> {
        if arrays.len() != self.fields.len() {
            return Err(Error::Columns {
                expected: self.fields.len(),
                actual: arrays.len(),
            });
        }
        let columns = self.fields.iter().zip(arrays).enumerate();
        columns
            .map(|(index, (field, array))| node(index, field, array, rows))
            .collect()
    }
}

fn check_groups(
    rows: usize,
    of_rows: &[usize],
    accumulator: &GroupedAccumulator,
) -> Result<(), Error> {
    if of_rows.len() != rows {
        return Err(Error::Groups {
            expected: rows,
            actual: of_rows.len(),
        });
    }
    let groups = accumulator.len();
    match of_rows
        .iter()
        .enumerate()
        .find(|&(_, &group)| group >= groups)
    {
        Some((row, &group)) => Err(Error::Group { row, group, groups }),
        None => Ok(()),
    }
}

fn node<'a>(
    index: usize,
    field: &FieldRef,
    array: &'a ArrayRef,
    rows: usize,
) -> Result<Node<'a>, Error> {
    let name = || field.name().clone();
    let differs = || Error::Type {
        column: index,
        name: name(),
        expected: field.data_type().clone(),
        actual: array.data_type().clone(),
    };
    if !schema::same(field.data_type(), array.data_type()) {
        return Err(differs());
    }
    if array.len() != rows {
        return Err(Error::Length {
            column: index,
            name: name(),
            expected: rows,
            actual: array.len(),
        });
    }
    let node = Node::new(array).ok_or_else(differs)?;
    column(array, node).map_err(|(row, reason)| Error::Value {
        column: index,
        name: name(),
        row,
        reason,
    })
}

fn refused(column: usize, field: &FieldRef, refusal: &Refusal<'_>) -> Error {
    let name = field.name().clone();
    match *refusal {
        Refusal::Unsupported(data_type) => Error::Unsupported {
            column,
            name,
            data_type: data_type.clone(),
        },
        Refusal::Depth => Error::Depth { column, name },
        Refusal::RepeatedField(repeated) => Error::RepeatedField {
            column,
            name,
            field: repeated.to_owned(),
        },
    }
}
