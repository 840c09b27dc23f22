//! `bundle`: merges score-sheets into nested records.

use super::fmt::format;
use crate::{
    exit::{CliError, Exit},
    games::open_input,
    grid::or_blank,
    options::LimitArgs,
    ui,
};
use clap::Args;
use overboard_events::atomic_files;
use overboard_formats::{foreign::visible, limits::Limits, parse::Parser};
use overboard_sheets::{Origin, Problem, SheetBundle};
use serde::Serialize;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Merge score-sheets of boards and sub-games into one record.
///
/// The tag Parent of a sheet names the sheet that it belongs to: `7/12w` is the sub-game of White's over-move 12 in the
/// game with GameId 7, `7/B` is board B of it. Two sheets of the same game are compared, and merged if only comments
/// differ.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 some sheets cannot be merged, 2 a file cannot be read or written.\n\nExamples:\n  overboard bundle sheets/*.pgn > match.npgn\n  overboard bundle --output match.npgn sheets.npgn"
)]
pub struct BundleArgs {
    /// Files of sheets, or folders of them; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the records to this file instead of standard output, all or none.
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// With --output: print one JSON object for each record.
    #[arg(long, requires = "output")]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &BundleArgs) -> Result<Exit, CliError> {
    let limits = Limits::from(&args.limits);
    let mut bundle = SheetBundle::new(limits);
    let mut report = BundleReport::new(&args.files, args.json);
    let mut exit = Exit::Clean;
    for (file, path) in args.files.iter().enumerate() {
        if let Err(failure) = lay_down(path, file, limits, &mut bundle, &mut report) {
            ui::complain(&failure);
            exit = Exit::Unusable;
        }
    }
    // Each record is made after the previous one has been written, so that only one is in memory.
    put(args.output.as_deref(), |out| {
        for made in bundle.bundle() {
            match made {
                Ok(made) => {
                    for note in made.notes() {
                        report.note(&note);
                    }
                    let (origin, id) = (made.origin, made.id.as_deref());
                    report.made(origin, id, made.sheets, made.notes());
                    format(made.read(), &mut *out, limits)
                        .map_err(|trouble| trouble.at(&args.files[made.origin.file]))?;
                }
                Err(problems) => {
                    for problem in &problems {
                        report.refused(problem);
                    }
                }
            }
        }
        Ok(())
    })?;
    report.print()?;
    Ok(exit.max(report.exit()))
}

/// Reads the sheets of a file.
fn lay_down(
    path: &Path,
    file: usize,
    limits: Limits,
    bundle: &mut SheetBundle,
    report: &mut BundleReport<'_>,
) -> Result<(), CliError> {
    let reader = open_input(path)?;
    let mut parser = Parser::new(reader, 0, limits);
    while let Some(read) = bundle.read(&mut parser, file).map_err(CliError::on(path))? {
        if let Err(problem) = read {
            report.refused(&problem);
        }
    }
    Ok(())
}

/// Writes to a file, completely or not at all, or to standard output.
pub fn put(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let Some(path) = path else {
        let mut out = ui::stdout_for_files();
        write(&mut out)?;
        return Ok(out.flush()?);
    };
    let mut failure = None;
    let written = atomic_files::replace(path, |out| {
        let mut out = io::BufWriter::new(out);
        if let Err(failed) = write(&mut out) {
            failure = Some(failed);
            return Err(io::ErrorKind::Other.into());
        }
        out.flush()
    });
    match failure {
        // The error is that of this file, which is all that is written here.
        Some(CliError::Output(error)) => Err(CliError::file(path, error)),
        Some(failure) => Err(failure),
        None => written.map_err(CliError::on(path)),
    }
}

impl SheetPlace {
    /// `sheet.npgn:3:1`.
    fn words(&self) -> String {
        let place = format!("{}:{}:{}", self.file, self.line, self.column);
        visible(&place).into_owned()
    }
}

/// The outcome for records: whether all could be processed and, with --json, what is printed for each.
pub struct BundleReport<'a> {
    /// The files read, for the places in them.
    files: &'a [PathBuf],
    records: Option<Vec<Record>>,
    is_any_refused: bool,
}

impl<'a> BundleReport<'a> {
    /// An empty report on these files, to be printed as JSON if wanted.
    pub fn new(files: &'a [PathBuf], json: bool) -> Self {
        Self {
            files,
            records: json.then(Vec::new),
            is_any_refused: false,
        }
    }

    fn place(&self, origin: Origin) -> SheetPlace {
        let path = self.files.get(origin.file);
        SheetPlace {
            file: or_blank(path.map(|path| path.display())),
            line: origin.place.line,
            column: origin.column(),
            what: None,
        }
    }

    fn placed(&self, problem: &Problem) -> SheetProblem {
        let mut places = vec![self.place(problem.origin)];
        for (origin, what) in &problem.others {
            places.push(SheetPlace {
                what: Some(what.clone()),
                ..self.place(*origin)
            });
        }
        SheetProblem {
            code: problem.code,
            message: problem.message.clone(),
            places,
        }
    }

    fn words(&self, problem: &Problem) -> String {
        let SheetProblem {
            message, places, ..
        } = self.placed(problem);
        let first = places.first().map_or(String::new(), SheetPlace::words);
        let mut words = format!("{first}: {}", visible(&message));
        for other in places.iter().skip(1) {
            let what = other.what.as_deref().unwrap_or_default();
            words.push_str(&format!("\n  {}: {}", other.words(), visible(what)));
        }
        words
    }

    /// Prints what did not prevent a record.
    fn note(&self, problem: &Problem) {
        ui::warn(&self.words(problem).replace("\n  ", "; "));
    }

    /// Adds a record that was written: its place, its GameId, its number of sheets, and problems that did not prevent
    /// it.
    pub fn made(
        &mut self,
        origin: Origin,
        id: Option<&str>,
        sheets: usize,
        notes: impl Iterator<Item = Problem>,
    ) {
        let record = Record {
            id: id.map(String::from),
            sheets,
            notes: notes.map(|note| self.placed(&note)).collect(),
            ..self.record_at(origin)
        };
        self.push(record);
    }

    /// Adds a record that could not be made, which is reported at once.
    pub fn refused(&mut self, problem: &Problem) {
        ui::complain_at_length(&self.words(problem));
        self.is_any_refused = true;
        let record = Record {
            problem: Some(self.placed(problem)),
            ..self.record_at(problem.origin)
        };
        self.push(record);
    }

    /// A record at this place, about which nothing is known.
    fn record_at(&self, origin: Origin) -> Record {
        let SheetPlace { file, line, .. } = self.place(origin);
        Record {
            file,
            line,
            id: None,
            sheets: 0,
            notes: Vec::new(),
            problem: None,
        }
    }

    fn push(&mut self, record: Record) {
        if let Some(records) = &mut self.records {
            records.push(record);
        }
    }

    /// The exit code.
    pub const fn exit(&self) -> Exit {
        Exit::with(self.is_any_refused)
    }

    /// Prints the report.
    ///
    /// # Errors
    /// Those of standard output.
    pub fn print(&self) -> Result<(), CliError> {
        let Some(records) = &self.records else {
            return Ok(());
        };
        let mut out = ui::stdout();
        for record in records {
            ui::json(&mut out, record)?;
        }
        Ok(out.flush()?)
    }
}

/// A record, split into its sheets or made of them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// The file of the record.
    file: String,
    /// The line where the record begins; of a problem, where it is.
    line: u64,
    /// Its `GameId`; null if it has none and needs none.
    id: Option<String>,
    /// The number of sheets into which it was split, or of which it is made.
    sheets: usize,
    /// Remarks on a record that could be made all the same; only if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<SheetProblem>,
    /// Why there is no record; only if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<SheetProblem>,
}

/// A problem with sheets, or a remark on them.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SheetProblem {
    /// Its kind.
    code: &'static str,
    /// What it is, in words.
    message: String,
    /// Where it is.
    places: Vec<SheetPlace>,
}

/// A place in a file.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SheetPlace {
    /// The file.
    file: String,
    /// The line, from 1.
    line: u64,
    /// The column in bytes, from 1.
    column: u64,
    /// What is at that place; absent from the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<String>,
}
