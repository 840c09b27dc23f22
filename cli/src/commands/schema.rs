//! `schema`: prints the JSON Schemas of what the program writes.

use crate::{
    exit::{CliError, Exit, PartError},
    schemas::{JsonSchema, SCHEMAS},
    ui,
};
use clap::Args;
use overboard_events::atomic_files;
use overboard_referee::meant::did_you_mean;
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Print the JSON Schema of a command or a file.
///
/// Without a name, lists all schemas. A command that prints JSON is the name of its schema too. The schemas are of draft
/// 2020-12, and docs/json.md says what they promise.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such schema, or the folder cannot be written.\n\nExamples:\n  overboard schema\n  overboard schema check\n  overboard schema event enter\n  overboard schema --all schemas"
)]
pub struct SchemaArgs {
    /// The schema, by its name or by a command.
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,
    /// Write all schemas to this folder, each to a file.
    #[arg(long, value_name = "FOLDER", conflicts_with = "name")]
    pub all: Option<PathBuf>,
}

/// There is no schema of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown schema `{0}`{1}")]
pub struct SchemaError(String, String);

impl PartError for SchemaError {}

pub fn run(args: &SchemaArgs) -> Result<Exit, CliError> {
    if let Some(folder) = &args.all {
        write_all(folder)?;
        return Ok(Exit::Clean);
    }
    let mut out = ui::stdout();
    if args.name.is_empty() {
        for JsonSchema { name, title, .. } in SCHEMAS {
            writeln!(out, "{name:<16} {title}")?;
        }
    } else {
        let schema = find(&args.name)?;
        out.write_all((schema.text)().as_bytes())?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

/// The schema of this name, or of the command of these words.
fn find(words: &[String]) -> Result<&'static JsonSchema, SchemaError> {
    let name = words.join("-");
    let command = words.join(" ");
    let is_of = |schema: &&JsonSchema| {
        let mut writers = schema.writers.iter();
        writers.any(|writer| writer.split(" --").next() == Some(&*command))
    };
    let named = SCHEMAS.iter().find(|schema| schema.name == name);
    named.or_else(|| SCHEMAS.iter().find(is_of)).ok_or_else(|| {
        let names = SCHEMAS.iter().map(|schema| schema.name);
        let near = did_you_mean(&name, names);
        let hint = if near.is_empty() {
            "; `overboard schema` lists all schemas".into()
        } else {
            near
        };
        SchemaError(words.join(" "), hint)
    })
}

fn write_all(folder: &Path) -> Result<(), CliError> {
    let _made = atomic_files::folder(folder).map_err(CliError::on(folder))?;
    for schema in SCHEMAS {
        let path = folder.join(format!("{}.json", schema.name));
        ui::replace_file(&path, (schema.text)().as_bytes())?;
    }
    Ok(())
}
