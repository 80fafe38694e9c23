//! [`Printer`]: a statement's result on standard output.

use crate::arguments::Format;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json;
use datafusion::arrow::util::pretty::pretty_format_batches_with_schema;
use datafusion::error::{DataFusionError, Result};
use std::io::{self, ErrorKind, Stdout, Write};

pub enum Printer {
    /// A statement without a result, such as CREATE.
    Nothing,
    /// The widths of a table's columns are known at its end.
    Table {
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
    },
    Csv {
        schema: SchemaRef,
        writer: Box<csv::Writer<Stdout>>,
    },
    Json(Box<json::ArrayWriter<Stdout>>),
}

impl Printer {
    pub fn new(format: Format, schema: SchemaRef) -> Printer {
        if schema.fields().is_empty() {
            return Printer::Nothing;
        }
        match format {
            Format::Table => Printer::Table {
                schema,
                batches: Vec::new(),
            },
            Format::Csv => {
                let writer = csv::WriterBuilder::new().with_header(true);
                Printer::Csv {
                    schema,
                    writer: Box::new(writer.build(io::stdout())),
                }
            }
            Format::Json => {
                let writer = json::WriterBuilder::new().with_explicit_nulls(true);
                let writer = writer.build::<_, json::writer::JsonArray>(io::stdout());
                Printer::Json(Box::new(writer))
            }
        }
    }

    pub fn print(&mut self, batch: RecordBatch) -> Result<()> {
        match self {
            Printer::Nothing => {}
            Printer::Table { batches, .. } => batches.push(batch),
            Printer::Csv { writer, .. } => writer.write(&batch)?,
            Printer::Json(writer) => writer.write(&batch)?,
        }
        Ok(())
    }

    pub fn finish(self) -> Result<()> {
        match self {
            Printer::Nothing => {}
            Printer::Table { schema, batches } => {
                let table = pretty_format_batches_with_schema(schema, &batches)?;
                writeln!(io::stdout(), "{table}")?;
            }
            // The header, if there was no row.
            Printer::Csv { schema, mut writer } => writer.write(&RecordBatch::new_empty(schema))?,
            Printer::Json(mut writer) => {
                writer.finish()?;
                writeln!(io::stdout())?;
            }
        }
        Ok(io::stdout().flush()?)
    }
}

/// Whether whoever reads the output has stopped reading.
pub fn is_closed(error: &DataFusionError) -> bool {
    let kind = match error.find_root() {
        DataFusionError::IoError(error) => error.kind(),
        DataFusionError::ArrowError(error, _) => match error.as_ref() {
            ArrowError::IoError(_, error) => error.kind(),
            _ => return false,
        },
        _ => return false,
    };
    kind == ErrorKind::BrokenPipe
}
