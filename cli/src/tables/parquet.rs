//! Tables as Apache Parquet: every column may be empty, and rows are written in groups.

use super::{
    ValueRow,
    columns::{Column, Type},
};
use crate::input_copies::of_ours;
use ::parquet::{
    basic::{LogicalType, Repetition, Type as Physical},
    data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::types::Type as Schema,
};
use serde_json::Value;
use std::{
    fs::File,
    io::{self, Seek, Write},
    sync::Arc,
};

/// Rows in a group.
const GROUP: usize = 1 << 16;

/// Writes a table.
///
/// # Errors
/// Those of the rows and of writing.
pub fn write(
    columns: &[Column],
    rows: impl Iterator<Item = io::Result<ValueRow>>,
    out: &mut impl Write,
) -> io::Result<()> {
    // The writer must be able to move to another thread, which standard output cannot.
    let mut file = tempfile::tempfile().map_err(of_ours)?;
    write_file(columns, rows, file.try_clone()?)?;
    file.rewind().map_err(of_ours)?;
    io::copy(&mut file, out).map(drop)
}

fn write_file(
    columns: &[Column],
    rows: impl Iterator<Item = io::Result<ValueRow>>,
    file: File,
) -> io::Result<()> {
    let schema = Arc::new(schema(columns).map_err(io::Error::other)?);
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer =
        SerializedFileWriter::new(file, schema, properties).map_err(io::Error::other)?;
    let mut rows = rows.peekable();
    while rows.peek().is_some() {
        let group = rows
            .by_ref()
            .take(GROUP)
            .collect::<io::Result<Vec<ValueRow>>>()?;
        let mut part = writer.next_row_group().map_err(io::Error::other)?;
        for (at, (_, holds)) in columns.iter().enumerate() {
            column(&mut part, *holds, group.iter().map(|row| &row[at]))
                .map_err(io::Error::other)?;
        }
        part.close().map_err(io::Error::other)?;
    }
    writer.close().map_err(io::Error::other)?;
    Ok(())
}

fn schema(columns: &[Column]) -> Result<Schema, ParquetError> {
    let mut fields = Vec::new();
    for (name, holds) in columns {
        fields.push(Arc::new(field(name, *holds)?));
    }
    Schema::group_type_builder("games")
        .with_fields(fields)
        .build()
}

fn field(name: &str, holds: Type) -> Result<Schema, ParquetError> {
    let (physical, logical) = match holds {
        Type::Whole => (Physical::INT64, None),
        Type::Number => (Physical::DOUBLE, None),
        Type::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Schema::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

fn column<'a>(
    part: &mut SerializedRowGroupWriter<'_, File>,
    holds: Type,
    values: impl Iterator<Item = &'a Value> + Clone,
) -> Result<(), ParquetError> {
    let Some(mut writer) = part.next_column()? else {
        return Ok(());
    };
    let levels: Vec<i16> = values
        .clone()
        .map(|value| i16::from(!value.is_null()))
        .collect();
    let there = values.filter(|value| !value.is_null());
    match holds {
        Type::Whole => {
            let numbers: Vec<i64> = there
                .map(|value| value.as_i64().unwrap_or_default())
                .collect();
            writer
                .typed::<Int64Type>()
                .write_batch(&numbers, Some(&levels), None)?;
        }
        Type::Number => {
            let numbers: Vec<f64> = there
                .map(|value| value.as_f64().unwrap_or_default())
                .collect();
            writer
                .typed::<DoubleType>()
                .write_batch(&numbers, Some(&levels), None)?;
        }
        Type::Text => {
            let texts: Vec<ByteArray> = there
                .map(|value| value.as_str().unwrap_or_default().into())
                .collect();
            writer
                .typed::<ByteArrayType>()
                .write_batch(&texts, Some(&levels), None)?;
        }
    }
    writer.close()
}
