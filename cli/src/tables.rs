//! Games as tables: a row for each game or each ply, in forms that other programs can open.

mod columns;
mod game;
mod game_row;
#[cfg(feature = "parquet")]
mod parquet;
mod running;

use crate::{games::TransferError, input_copies::of_ours, options::OptionError, ui};
use clap::ValueEnum;
use columns::{Column, GAMES, PLIES, Type, is_own, roster};
use game::Game;
pub use game_row::GameRow;
use overboard_engines::journal::LedgerEntry;
use overboard_formats::{
    parse::{Event, Parser},
    ply_rows::PlyRow,
};
use overboard_games::referee::AnyReferee;
use overboard_referee::report::Report;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    collections::{BTreeSet, HashMap},
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Seek, Write},
    path::Path,
};

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum RowForm {
    /// One JSON object per line.
    #[default]
    Jsonl,
    /// Comma-separated values with a header line.
    Csv,
    /// Apache Parquet, if built with the feature `parquet`.
    Parquet,
}

/// What a table has a row for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Each {
    /// Each game.
    Game,
    /// Each ply.
    Ply,
}

/// Writes games as one table. Rows for plies are written as they come; those for games at the end, when all their tags
/// are known.
pub struct TableWriter {
    each: Each,
    form: RowForm,
    /// The file of records that is read.
    file: String,
    /// How many games of each file have begun.
    games: HashMap<String, u64>,
    /// Whether the names of the columns have been written.
    begun: bool,
    /// Waiting rows, one per line, and the columns that they have.
    waiting: Option<BufWriter<File>>,
    tags: Vec<String>,
    /// The same as a set: a stranger's file may have a million.
    known: BTreeSet<String>,
}

/// Where games are read from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Whether the text has a place in a file.
    pub is_placed: bool,
    /// What a ledger says about the game, which is not all in its record.
    pub booked: Option<&'a LedgerEntry<'a>>,
}

/// The result of reading a game for a table.
pub struct Ended {
    /// The referee's report.
    pub report: Report,
    /// Whether a position is missing that would be known if everything had been judged.
    pub lacks_positions: bool,
}

impl RowForm {
    /// The form of the rows that are asked for; `each` says what has a row, if anything has.
    ///
    /// # Errors
    /// If the options are not for such rows, or this program was built without the form.
    pub fn asked(
        format: Option<Self>,
        choices: bool,
        each: Option<Each>,
    ) -> Result<Self, OptionError> {
        if format.is_some() && each.is_none() {
            return Err(OptionError::FormatOfRows);
        }
        if choices && each != Some(Each::Ply) {
            return Err(OptionError::ChoicesOfPlies);
        }
        match format.unwrap_or_default() {
            Self::Parquet if cfg!(not(feature = "parquet")) => Err(OptionError::NoParquet),
            form => Ok(form),
        }
    }
}

impl TableWriter {
    /// A table with a row for each game or ply.
    pub fn new(each: Each, form: RowForm) -> Self {
        Self {
            each,
            form,
            file: String::new(),
            games: HashMap::new(),
            begun: false,
            waiting: None,
            tags: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    /// From here on games are from this file.
    pub fn open(&mut self, file: &Path) {
        self.file = file.display().to_string();
    }

    /// Writes the games that a parser reads, and calls `show` with the end of each.
    ///
    /// # Errors
    /// Those of reading, in the first place, and those of writing.
    pub fn read(
        &mut self,
        parser: &mut Parser<'_>,
        referee: &mut AnyReferee,
        origin: Origin<'_>,
        out: &mut impl Write,
        show: &mut dyn FnMut(Ended),
    ) -> Result<(), TransferError> {
        let Origin { is_placed, booked } = origin;
        let mut game = Game::default();
        let mut row = GameRow::default();
        let mut lacks_positions = false;
        loop {
            let event = parser.next().map_err(TransferError::Reading)?;
            if event == Event::Done {
                return Ok(());
            }
            if event == Event::Begin {
                (row, lacks_positions) = (GameRow::default(), false);
                let number = self.next_game();
                game = Game::of(&self.file, number, is_placed);
            }
            referee.hear(event, parser);
            if event == Event::Tag && !referee.has_begun() {
                game.tag(parser);
            }
            let report = (event == Event::End).then(|| {
                row.stand(referee.position().as_ref());
                referee.take_report(parser)
            });
            while let Some(mut ply) = referee.next_row() {
                lacks_positions |= ply.fen.is_none() && ply.has_position();
                match self.each {
                    Each::Game => row.count(&ply),
                    Each::Ply => {
                        game.complete(&mut ply, booked);
                        self.ply(&ply, out).map_err(TransferError::Writing)?;
                    }
                }
            }
            if let Some(report) = report {
                if self.each == Each::Game {
                    game.begin(booked);
                    let row = std::mem::take(&mut row).end(&game, &report, booked);
                    self.keep(&row, &game).map_err(TransferError::Writing)?;
                }
                show(Ended {
                    report,
                    lacks_positions,
                });
            }
        }
    }

    /// The number of the game that begins, in its file from 1.
    fn next_game(&mut self) -> u64 {
        let number = self.games.entry(self.file.clone()).or_default();
        *number += 1;
        *number
    }

    fn ply(&mut self, row: &PlyRow, out: &mut impl Write) -> io::Result<()> {
        match self.form {
            RowForm::Jsonl => ui::json(out, row),
            RowForm::Csv => self.line(row, out),
            RowForm::Parquet => self.wait(row),
        }
    }

    /// A row of comma-separated values; the first one comes after the names of the columns.
    fn line(&mut self, row: &PlyRow, out: &mut impl Write) -> io::Result<()> {
        let with_names = !std::mem::replace(&mut self.begun, true);
        let mut table = csv::WriterBuilder::new()
            .has_headers(with_names)
            .from_writer(out);
        table.serialize(row).map_err(io::Error::from)?;
        table.flush()
    }

    /// Keeps a row until the end, when all columns are known.
    fn wait(&mut self, row: &impl Serialize) -> io::Result<()> {
        let waiting = self.waiting().map_err(of_ours)?;
        serde_json::to_writer(&mut *waiting, row).map_err(|error| of_ours(error.into()))?;
        waiting.write_all(b"\n").map_err(of_ours)
    }

    fn waiting(&mut self) -> io::Result<&mut BufWriter<File>> {
        match &mut self.waiting {
            Some(waiting) => Ok(waiting),
            none => Ok(none.insert(BufWriter::new(tempfile::tempfile()?))),
        }
    }

    fn keep(&mut self, row: &GameRow, game: &Game) -> io::Result<()> {
        let mut object = match serde_json::to_value(row)? {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        for (column, value) in game.columns() {
            if !is_own(&column) && !self.known.contains(&column) {
                self.known.insert(column.clone());
                self.tags.push(column.clone());
            }
            // Of a tag that occurs twice the first one counts, as for the referee.
            object.entry(column).or_insert_with(|| value.into());
        }
        self.wait(&object)
    }

    /// The columns; among the tags, those that every record has come first.
    fn columns(&self) -> Vec<Column> {
        match self.each {
            Each::Ply => owned(&PLIES),
            Each::Game => [owned(&GAMES), self.columns_of_tags()].concat(),
        }
    }

    fn columns_of_tags(&self) -> Vec<Column> {
        let roster = roster();
        let others = self.tags.iter().filter(|tag| !roster.contains(tag));
        let names = roster.iter().chain(others).cloned();
        names.map(|name| (name, Type::Text)).collect()
    }

    /// Writes the waiting rows.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(mut self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.columns();
        let rows = match self.waiting.take() {
            Some(waiting) => {
                let mut file = waiting
                    .into_inner()
                    .map_err(|error| of_ours(error.into_error()))?;
                file.rewind().map_err(of_ours)?;
                Some(BufReader::new(file))
            }
            None => None,
        };
        let rows = rows.into_iter().flat_map(BufRead::lines).map(|line| {
            let row: Map<String, Value> = serde_json::from_str(&line?)?;
            Ok(columns
                .iter()
                .map(|(name, _)| row.get(name).cloned().unwrap_or(Value::Null))
                .collect())
        });
        match (self.form, self.each) {
            #[cfg(feature = "parquet")]
            (RowForm::Parquet, _) => parquet::write(&columns, rows, out),
            #[cfg(not(feature = "parquet"))]
            (RowForm::Parquet, _) => Err(io::ErrorKind::Unsupported.into()),
            // Whoever opens a table without rows still expects its columns.
            (RowForm::Csv, Each::Ply) if !self.begun => cells(&columns, std::iter::empty(), out),
            (_, Each::Ply) => Ok(()),
            (RowForm::Jsonl, _) => objects(&columns, rows, out),
            (RowForm::Csv, _) => cells(&columns, rows, out),
        }
    }
}

fn owned(columns: &[(&str, Type)]) -> Vec<Column> {
    columns
        .iter()
        .map(|(name, holds)| ((*name).to_owned(), *holds))
        .collect()
}

/// The values of a row, in the order of the columns.
type ValueRow = Vec<Value>;

fn objects(
    columns: &[Column],
    rows: impl Iterator<Item = io::Result<ValueRow>>,
    out: &mut impl Write,
) -> io::Result<()> {
    for row in rows {
        object(columns, &row?, out)?;
    }
    Ok(())
}

fn object(columns: &[Column], row: &[Value], out: &mut impl Write) -> io::Result<()> {
    let mut before = b'{';
    for ((name, _), value) in columns.iter().zip(row) {
        out.write_all(&[before])?;
        ui::json_part(out, name)?;
        out.write_all(b":")?;
        ui::json_part(out, value)?;
        before = b',';
    }
    out.write_all(b"}\n")
}

fn cells(
    columns: &[Column],
    rows: impl Iterator<Item = io::Result<ValueRow>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(columns.iter().map(|(name, _)| name))?;
    for row in rows {
        table.write_record(row?.into_iter().map(cell))?;
    }
    table.flush()
}

fn cell(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}
