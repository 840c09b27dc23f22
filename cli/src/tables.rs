//! Games as tables: a row for each game or each ply, in forms that other programs can open.

#[cfg(feature = "parquet")]
mod parquet;

use crate::{options::OptionError, spool::of_ours, ui};
use clap::ValueEnum;
use overboard_formats::{
    header::ROSTER,
    parse::{Event, Parser},
    ply_rows::{Kind, PlyRow, tag_pair},
};
use overboard_games::{referee::AnyReferee, registry::AnyGame};
use overboard_referee::{finding::Verdict, report::Report};
use overboard_rules::{outcome::Cause, square::Side};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Seek, Write},
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

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Integers.
    Whole,
    /// Numbers.
    Number,
    /// Text.
    Text,
}

/// A column: its name and type.
type Column = (String, Type);

/// The columns of a row for each ply, in order.
const PLIES: [(&str, Type); 19] = [
    ("game", Type::Whole),
    ("row", Type::Whole),
    ("kind", Type::Text),
    ("path", Type::Text),
    ("ply", Type::Whole),
    ("number", Type::Whole),
    ("side", Type::Text),
    ("san", Type::Text),
    ("coord", Type::Text),
    ("at", Type::Text),
    ("fen", Type::Text),
    ("clock", Type::Number),
    ("eval", Type::Text),
    ("result", Type::Text),
    ("by", Type::Text),
    ("rule", Type::Text),
    ("line", Type::Whole),
    ("col", Type::Whole),
    ("remarks", Type::Text),
];
/// The last column of a row for each ply.
const TAGS: (&str, Type) = ("tags", Type::Text);

/// The columns of a row for each game that are not tags, in order.
const GAMES: [(&str, Type); 15] = [
    ("game", Type::Whole),
    ("line", Type::Whole),
    ("unit", Type::Whole),
    ("book", Type::Whole),
    ("verdict", Type::Text),
    ("plies", Type::Whole),
    ("score", Type::Text),
    ("ended_by", Type::Text),
    ("rule", Type::Text),
    ("material", Type::Whole),
    ("drops", Type::Whole),
    ("promotions", Type::Whole),
    ("sub_games", Type::Whole),
    ("white_depletion", Type::Number),
    ("black_depletion", Type::Number),
];

/// A row of a table of games. Each tag of any of the games is a column too: a string, or null.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(extend("additionalProperties" = { "type": ["string", "null"] }))
)]
pub struct GameRow {
    /// The number of the game in the table, from 1.
    game: u64,
    /// The line of its first tag; null for ledgers.
    line: Option<u64>,
    /// For a game of a ledger: its unit.
    unit: Option<u64>,
    /// For a game of a ledger: the number of plies of its opening.
    book: Option<u32>,
    /// The verdict of `check`.
    verdict: Option<Verdict>,
    /// Plies of the main line; in Overchess those of the over-board.
    plies: u32,
    /// `1-0`, `0-1` or `1/2-1/2`; null if the game is not over.
    score: Option<String>,
    /// Why it ended, as ledgers say it.
    ended_by: Option<String>,
    /// The rule that ended it.
    rule: Option<String>,
    /// The value of White's pieces less that of Black's in the final position, in hundredths of a pawn.
    material: Option<i32>,
    /// The number of drops, those on inner and linked boards included.
    drops: u64,
    /// The number of promotions, those on inner and linked boards included.
    promotions: u64,
    /// Sub-games begun (Overchess).
    sub_games: u64,
    /// In Overchess: the share of the points of White's sub-sets that was lost by the end, from 0 to 1.
    white_depletion: Option<f64>,
    /// In Overchess: the same of Black's sub-sets.
    black_depletion: Option<f64>,
}

/// What a ledger says about a game that is not in its record.
#[derive(Clone, Copy, Debug)]
pub struct Booked {
    /// Its unit.
    pub unit: u64,
    /// Plies of its opening.
    pub book: u32,
    /// Why it ended.
    pub cause: Cause,
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
    games: u64,
    /// Whether the names of the columns have been written.
    begun: bool,
    /// Waiting rows, one per line, and the columns that they have.
    waiting: Option<BufWriter<File>>,
    tags: Vec<String>,
    /// The same as a set: a stranger's file may have a million.
    known: BTreeSet<String>,
}

/// The result of reading a game for a table.
pub struct Ended {
    /// The referee's report.
    pub report: Report,
    /// Whether a position is missing that would be known if everything had been judged.
    pub lacks_positions: bool,
}

impl RowForm {
    /// Checks that this program can write the form.
    ///
    /// # Errors
    /// If it was built without the form.
    pub const fn check(self) -> Result<(), OptionError> {
        if matches!(self, Self::Parquet) && cfg!(not(feature = "parquet")) {
            return Err(OptionError::NoParquet);
        }
        Ok(())
    }
}

impl TableWriter {
    /// A table with a row for each game or ply.
    pub const fn new(each: Each, form: RowForm) -> Self {
        Self {
            each,
            form,
            games: 0,
            begun: false,
            waiting: None,
            tags: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    /// Writes the games that a parser reads, and calls `visit` with the end of each. If `placed` is false, the text has
    /// no place in a file.
    ///
    /// # Errors
    /// Those of reading, in the first place, and those of writing.
    pub fn read(
        &mut self,
        parser: &mut Parser<'_>,
        referee: &mut AnyReferee,
        (placed, booked): (bool, Option<Booked>),
        out: &mut impl Write,
        show: &mut dyn FnMut(Ended),
    ) -> Result<(), TableError> {
        let mut game = GameRow::default();
        let mut tags: Vec<(String, String)> = Vec::new();
        let mut lacks_positions = false;
        loop {
            let event = parser.next().map_err(TableError::Reading)?;
            if event == Event::Done {
                return Ok(());
            }
            if event == Event::Begin {
                (game, lacks_positions) = (GameRow::default(), false);
                tags.clear();
            }
            referee.hear(event, parser);
            if event == Event::Tag && !referee.has_begun() && self.each == Each::Game {
                game.line = game.line.or(Some(parser.place().line).filter(|_| placed));
                tags.push(tag_pair(parser));
            }
            let report = (event == Event::End).then(|| {
                game.stand(referee.position().as_ref());
                referee.take_report(parser)
            });
            while let Some(row) = referee.next_row() {
                lacks_positions |= row.fen.is_none() && row.has_position();
                match self.each {
                    Each::Game => game.count(&row),
                    Each::Ply => {
                        let row = if placed {
                            row
                        } else {
                            PlyRow {
                                line: None,
                                col: None,
                                ..row
                            }
                        };
                        self.ply(
                            PlyRow {
                                game: self.games + 1,
                                ..row
                            },
                            out,
                        )
                        .map_err(TableError::Writing)?;
                    }
                }
            }
            if let Some(report) = report {
                self.games += 1;
                if self.each == Each::Game {
                    let row = std::mem::take(&mut game).end(self.games, &report, booked, &tags);
                    self.keep(&row, &tags).map_err(TableError::Writing)?;
                }
                show(Ended {
                    report,
                    lacks_positions,
                });
            }
        }
    }

    fn ply(&mut self, row: PlyRow, out: &mut impl Write) -> io::Result<()> {
        match self.form {
            RowForm::Jsonl => ui::json(out, &row),
            RowForm::Csv => {
                let with_names = !std::mem::replace(&mut self.begun, true);
                let mut table = csv::WriterBuilder::new()
                    .has_headers(with_names)
                    .from_writer(out);
                table.serialize(row).map_err(io::Error::from)?;
                table.flush()
            }
            RowForm::Parquet => self.wait(&row),
        }
    }

    /// Keeps a row until the end, when all columns are known.
    fn wait(&mut self, row: &impl Serialize) -> io::Result<()> {
        let waiting = match &mut self.waiting {
            Some(waiting) => waiting,
            none => none.insert(BufWriter::new(tempfile::tempfile().map_err(of_ours)?)),
        };
        serde_json::to_writer(&mut *waiting, row).map_err(|error| of_ours(error.into()))?;
        waiting.write_all(b"\n").map_err(of_ours)
    }

    fn keep(&mut self, row: &GameRow, tags: &[(String, String)]) -> io::Result<()> {
        let mut reported = match serde_json::to_value(row)? {
            Value::Object(reported) => reported,
            _ => Map::new(),
        };
        for (name, value) in tags {
            let column = column_of(name);
            if !self.known.contains(&column) {
                self.known.insert(column.clone());
                self.tags.push(column.clone());
            }
            // Of a tag that occurs twice the first one counts, as for the referee.
            reported
                .entry(column)
                .or_insert_with(|| value.clone().into());
        }
        self.wait(&reported)
    }

    /// The columns; among the tags, the seven that every record has come first.
    fn columns(&self) -> Vec<Column> {
        let own = |columns: &[(&str, Type)]| -> Vec<Column> {
            columns
                .iter()
                .map(|(name, holds)| ((*name).to_owned(), *holds))
                .collect()
        };
        if self.each == Each::Ply {
            return own(&[&PLIES[..], &[TAGS]].concat());
        }
        let roster = ROSTER.iter().map(|name| (*name).to_owned());
        let others = self
            .tags
            .iter()
            .filter(|tag| !ROSTER.contains(&tag.as_str()))
            .cloned();
        let tags = roster.chain(others).map(|name| (name, Type::Text));
        own(&GAMES).into_iter().chain(tags).collect()
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
            let reported: Map<String, Value> = serde_json::from_str(&line?)?;
            Ok(columns
                .iter()
                .map(|(name, _)| reported.get(name).cloned().unwrap_or(Value::Null))
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

/// The values of a row, in the order of the columns.
type ValueRow = Vec<Value>;

fn objects(
    columns: &[Column],
    rows: impl Iterator<Item = io::Result<ValueRow>>,
    out: &mut impl Write,
) -> io::Result<()> {
    for row in rows {
        let mut before = b'{';
        for ((name, _), value) in columns.iter().zip(row?) {
            out.write_all(&[before])?;
            ui::json_part(out, name)?;
            out.write_all(b":")?;
            ui::json_part(out, &value)?;
            before = b',';
        }
        out.write_all(b"}\n")?;
    }
    Ok(())
}

fn cells(
    columns: &[Column],
    rows: impl Iterator<Item = io::Result<ValueRow>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(columns.iter().map(|(name, _)| name))?;
    for row in rows {
        let cell = |value: Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        };
        table.write_record(row?.into_iter().map(cell))?;
    }
    table.flush()
}

/// Why a table cannot be written.
#[derive(Debug)]
pub enum TableError {
    /// The input cannot be read.
    Reading(io::Error),
    /// It cannot be written.
    Writing(io::Error),
}

/// The column of a tag: its name, unless a column that is not a tag has that, in any case.
fn column_of(tag: &str) -> String {
    let is_taken = GAMES.iter().any(|(name, _)| name.eq_ignore_ascii_case(tag));
    let is_other_roster = ROSTER
        .iter()
        .any(|name| name.eq_ignore_ascii_case(tag) && *name != tag);
    if is_taken || is_other_roster {
        format!("tag_{tag}")
    } else {
        tag.to_owned()
    }
}

impl GameRow {
    /// Adds a row of what happens in the game.
    fn count(&mut self, row: &PlyRow) {
        match row.kind {
            Kind::Start if row.row > 0 => self.sub_games += 1,
            Kind::Ply | Kind::Unsaid | Kind::Stands => {
                // An act that is not a move has more than one word.
                let san = row
                    .san
                    .as_deref()
                    .filter(|san| !san.contains(' '))
                    .unwrap_or_default();
                self.drops += u64::from(san.contains('@'));
                self.promotions += u64::from(san.contains('='));
            }
            Kind::End => {
                (self.ended_by, self.rule) = (row.by.clone(), row.rule.clone());
            }
            _ => {}
        }
    }

    /// Adds the last position.
    fn stand(&mut self, last: Option<&AnyGame>) {
        self.material = last.map(AnyGame::material);
        let share = |last: &AnyGame, side: Side| {
            let (first, now) = (last.first().stock()?[side], last.stock()?[side]);
            (first > 0).then(|| f64::from(first - now) / f64::from(first))
        };
        self.white_depletion = last.and_then(|last| share(last, Side::White));
        self.black_depletion = last.and_then(|last| share(last, Side::Black));
    }

    /// The whole row.
    fn end(
        self,
        game: u64,
        report: &Report,
        booked: Option<Booked>,
        tags: &[(String, String)],
    ) -> Self {
        let outcome = report
            .result
            .judged
            .or(report.result.outcome())
            .map(|outcome| outcome.to_string());
        let termination = tags
            .iter()
            .find(|(name, _)| name == "Termination")
            .map(|(_, value)| value);
        let reported = termination
            .and_then(|word| Cause::from_tag(word))
            .map(|cause| cause.word().to_owned());
        Self {
            game,
            unit: booked.map(|booked| booked.unit),
            book: booked.map(|booked| booked.book),
            verdict: Some(report.verdict),
            plies: report.plies,
            score: outcome,
            ended_by: booked
                .map(|booked| booked.cause.word().into())
                .or(self.ended_by)
                .or(reported),
            ..self
        }
    }
}
