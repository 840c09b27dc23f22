//! Converts games to rows, one per ply, and rows to games.

use super::{Conversion, LONGEST, LineFault, options};
use crate::{games::TransferError, tables::TableError};
use overboard_formats::{
    command::{Command, commands},
    limits::Limits,
    parse::Parser,
    ply_rows::{Kind, PlyRow},
};
use overboard_games::{
    referee::{
        AnyReferee,
        replay::{Moment, Replay},
    },
    registry::Visitor,
};
use overboard_referee::{
    Options,
    game::record::{Movetext as _, Record},
};
use overboard_rules::{
    game::{Happening, Step},
    ply::Deed,
    variant::{ChessWithin, VariantInfo},
};
use std::{
    borrow::Cow,
    cell::Cell,
    io::{self, BufRead, BufReader, Read, Write},
    rc::Rc,
};

impl<W: Write> Conversion<'_, W> {
    /// Writes the games of a parser into the table.
    pub(super) fn write_rows(&mut self, mut parser: Parser<'_>) -> Result<(), TransferError> {
        let options = Options {
            rows: true,
            no_excerpts: true,
            ..options(self.limits)
        };
        let mut referee = AnyReferee::new(options);
        let mut lacking = Vec::new();
        let place = (self.line.is_none(), None);
        let done = self
            .rows
            .read(&mut parser, &mut referee, place, self.out, &mut |ended| {
                if let Some(finding) = ended.report.spoilt().filter(|_| ended.lacks_positions) {
                    lacking.push(finding.clone());
                }
            });
        lacking
            .iter()
            .for_each(|finding| self.complain_of(finding, "positions of this game are missing"));
        done.map_err(|error| match error {
            TableError::Reading(error) => TransferError::Reading(error),
            TableError::Writing(error) => TransferError::Writing(error),
        })
    }

    /// Converts the games of a table of rows.
    pub(super) fn read_rows(
        &mut self,
        reader: impl Read,
        target: super::Target,
    ) -> Result<(), TransferError> {
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let first = reader.fill_buf().map_err(TransferError::Reading)?;
        let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
        let is_json = first.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        let mut table = GameRows {
            rows: Vec::new(),
            places: Vec::new(),
            fault: None,
        };
        let mut take = |read| self.take_row(read, &mut table, target);
        if is_json {
            json_rows(reader, &mut take)
        } else {
            csv_rows(reader, &mut take)
        }?;
        self.take_game(&mut table, target)
    }

    fn take_row(
        &mut self,
        read: RowRead,
        table: &mut GameRows,
        target: super::Target,
    ) -> Result<(), TransferError> {
        match read {
            (line, Ok(row)) => {
                if table
                    .rows
                    .first()
                    .is_some_and(|first| first.game != row.game)
                {
                    self.take_game(table, target)?;
                }
                // Only the places of rows are needed to convert them.
                table.rows.push(PlyRow { fen: None, ..row });
                table.places.push(line);
            }
            (line, Err(why)) => {
                table.fault.get_or_insert((line, why));
            }
        }
        Ok(())
    }

    /// Converts the game whose rows are complete.
    fn take_game(
        &mut self,
        table: &mut GameRows,
        target: super::Target,
    ) -> Result<(), TransferError> {
        let GameRows {
            rows,
            places,
            fault,
        } = std::mem::replace(
            table,
            GameRows {
                rows: Vec::new(),
                places: Vec::new(),
                fault: None,
            },
        );
        if let Some((line, why)) = fault {
            self.complain(line, 1, &format!("game not converted: {why}"));
            return Ok(());
        }
        if rows.is_empty() {
            return Ok(());
        }
        match record_of(&rows, self.limits) {
            Ok(record) => {
                let line = places.first().copied().unwrap_or(1);
                self.line = Some(line);
                match self.records(record.as_bytes(), target) {
                    Err(TransferError::Unkept(_, why)) => self.complain(line, 1, &why),
                    done => done?,
                }
            }
            Err((at, why)) => {
                let line = places.get(at).copied().unwrap_or(1);
                self.complain(line, 1, &format!("game not converted: {why}"));
            }
        }
        Ok(())
    }
}

/// The rows of one game, with their lines.
struct GameRows {
    rows: Vec<PlyRow>,
    places: Vec<u64>,
    /// The first row that cannot be read.
    fault: Option<(u64, String)>,
}

/// A parsed row, with its line.
type RowRead = (u64, Result<PlyRow, String>);

fn json_rows(
    mut reader: impl BufRead,
    take: &mut dyn FnMut(RowRead) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let mut limited = reader.by_ref().take(LONGEST.1 as u64 + 1);
        if limited
            .read_until(b'\n', &mut bytes)
            .map_err(TransferError::Reading)?
            == 0
        {
            break;
        }
        if bytes.len() > LONGEST.1 && bytes.last() != Some(&b'\n') {
            reader.skip_until(b'\n').map_err(TransferError::Reading)?;
            take((
                line,
                Err(format!("the line is longer than {} bytes", LONGEST.1)),
            ))?;
            continue;
        }
        let text = bytes
            .strip_prefix(b"\xef\xbb\xbf")
            .filter(|_| line == 1)
            .unwrap_or(&bytes);
        if !text.trim_ascii().is_empty() {
            take((
                line,
                serde_json::from_slice(text)
                    .map_err(|error| format!("not a row of a table of plies: {error}")),
            ))?;
        }
    }
    Ok(())
}

/// Columns without which no row can be read.
const NEEDED: [&str; 4] = ["game", "row", "kind", "ply"];

fn csv_rows(
    reader: impl Read,
    take: &mut dyn FnMut(RowRead) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let left = Rc::new(Cell::new(LONGEST.1));
    let mut table = csv::Reader::from_reader(Bounded {
        inner: reader,
        left: Rc::clone(&left),
    });
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => TransferError::Reading(error),
        kind => TransferError::Reading(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{kind:?}"),
        )),
    };
    let names = table.headers().map_err(failed)?.clone();
    let lacking: Vec<_> = NEEDED
        .into_iter()
        .filter(|needed| !names.iter().any(|name| name == *needed))
        .collect();
    if !lacking.is_empty() && !names.is_empty() {
        let why = format!(
            "not a table of moves: its first line has no column {}",
            lacking.join(", ")
        );
        return Err(TransferError::Reading(io::Error::new(
            io::ErrorKind::InvalidData,
            why,
        )));
    }
    let mut record = csv::StringRecord::new();
    loop {
        left.set(LONGEST.1);
        let line = table.position().line();
        match table.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {
                let line = record.position().map_or(line, csv::Position::line);
                take((
                    line,
                    record
                        .deserialize(Some(&names))
                        .map_err(|error| format!("not a row of a table of plies: {error}")),
                ))?;
            }
            Err(error) if error.is_io_error() => return Err(failed(error)),
            Err(error) => take((line, Err(format!("not a row of a table of plies: {error}"))))?,
        }
    }
}

/// A reader that fails before a row takes more memory than allowed.
struct Bounded<R> {
    inner: R,
    left: Rc<Cell<usize>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.get().checked_sub(read) {
            Some(left) => self.left.set(left),
            None => {
                return Err(io::Error::other(format!(
                    "a row is longer than {} bytes",
                    LONGEST.1
                )));
            }
        }
        Ok(read)
    }
}

/// The record that the rows of a game make; else the row that prevents it, and why.
fn record_of(rows: &[PlyRow], limits: Limits) -> Result<String, LineFault> {
    let Some(start) = rows
        .first()
        .filter(|first| (first.kind, first.row) == (Kind::Start, 0))
    else {
        return Err((0, "its first row, of the kind `start`, is missing".into()));
    };
    if let Some(at) = (0..).zip(rows).position(|(number, row)| row.row != number) {
        return Err((at, format!("row {at} of the game is missing")));
    }
    let tags = start.tags.as_deref().unwrap_or("");
    let remarks = without_begun(start.remarks.as_deref().unwrap_or(""), &rows[1..]);
    let alone = format!("{tags}\n\n*\n");
    let mut replay = Replay::new(Parser::new(alone.as_bytes(), 0, limits), options(limits));
    let first = match replay.next_moment() {
        Ok(Some(Moment::Position(_))) => replay.position(),
        _ => None,
    };
    let first = first.ok_or_else(|| (0, "its first position is not known".to_string()))?;
    let movetext = first.visit(Telling(rows))?;
    let ending = rows.iter().rfind(|row| row.kind == Kind::End);
    let result = ending.map_or("*", |row| row.result.as_deref().unwrap_or(""));
    let after = ending.and_then(|row| row.remarks.as_deref()).unwrap_or("");
    Ok(format!(
        "{tags}\n\n{remarks}\n{}\n{result}{after}\n\n",
        movetext.trim_ascii()
    ))
}

/// Converts rows to the movetext of their game.
struct Telling<'a>(&'a [PlyRow]);

impl Visitor for Telling<'_> {
    type Out = Result<String, LineFault>;

    fn visit<G: Record>(self, first: &G) -> Self::Out {
        let (mut game, mut movetext, mut opened) = (first.clone(), G::Movetext::default(), 0);
        let rows = self.0;
        // After an illegal move that nobody played on from, the rest is written as it stands.
        let mut has_unjudged = false;
        for (at, row) in rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.kind != Kind::End)
        {
            has_unjudged |= row.is_unjudged();
            let written = without_begun(row.remarks.as_deref().unwrap_or(""), &rows[at + 1..]);
            // The row of an illegal move is written together with its remarks.
            let with_move = format!("{}{written}", row.san.as_deref().unwrap_or(""));
            let remarks = if row.kind == Kind::Stands {
                &with_move
            } else {
                &*written
            };
            let found = step_of(&game, row);
            if row.is_unjudged() || (has_unjudged && found.is_err()) {
                if is_nested(G::INFO) {
                    return Err((at, of_nested(row)));
                }
                let board = game.board_named(&row.path);
                let board = board.ok_or_else(|| (at, format!("there is no board {}", row.path)))?;
                let step = Step::Event(board, Happening::Stood(Deed::Passed));
                pass_to(&mut game, board, row);
                let before = game.clone();
                // The next number is right on its board then.
                let brought = game.happen(board, Happening::Stood(Deed::Passed));
                let brought = brought.unwrap_or_default();
                movetext.take(&step, &before, &game, &brought, &with_move);
                continue;
            }
            let step = found.map_err(|why| (at, why))?;
            // What is written at the beginning of an inner game comes before everything that is played in it.
            let starts = rows
                .iter()
                .enumerate()
                .skip(at + 1)
                .take_while(|(_, row)| !row.is_ply());
            for (inside, start) in starts.filter(|(_, row)| row.kind == Kind::Start) {
                if inside > opened {
                    movetext.open(&opening(start));
                    opened = inside;
                }
            }
            let closes = matches!(row.kind, Kind::Turn | Kind::Result | Kind::Flag);
            if let Some(step) = step {
                let before = game.clone();
                let brought = match &step {
                    Step::Event(_, Happening::Stopped) => G::Effects::default(),
                    _ => step.make(&mut game),
                };
                match row.kind {
                    Kind::Flag => movetext.leave_out(&step, &before, &game, &brought),
                    Kind::Unsaid if remarks.is_empty() => {
                        movetext.leave_out(&step, &before, &game, &brought);
                    }
                    _ => movetext.take(
                        &step,
                        &before,
                        &game,
                        &brought,
                        if closes { "" } else { remarks },
                    ),
                }
            }
            if closes {
                movetext.close(remarks);
            }
        }
        Ok(movetext.finish(&game))
    }
}

/// Whether the records of a game have games inside: rows do not say where the blocks of these begin and end after an illegal move.
const fn is_nested(game: &VariantInfo) -> bool {
    matches!(
        game.chess_within,
        ChessWithin::SubGames | ChessWithin::Boards
    )
}

/// Passes on a board until the number of a row is due there: a crossing that was not judged may have used a turn.
fn pass_to<G: Record>(game: &mut G, board: G::Board, row: &PlyRow) {
    let Some(wanted) = row.number.zip(row.side) else {
        return;
    };
    for _ in 0..2 {
        let due = game
            .next_move(board)
            .map(|(number, side)| (number, side.into()));
        if due == Some(wanted) {
            return;
        }
        let _ = game.happen(board, Happening::Stood(Deed::Passed));
    }
}

/// Why a nested game is not converted.
fn of_nested(row: &PlyRow) -> String {
    let said = row.san.as_deref().unwrap_or("a row");
    format!(
        "`{said}` is not a legal move, and rows do not say where the games inside begin and end after it; convert the record itself"
    )
}

/// Remarks without the command that lists the parts of an unfinished act, if these are the rows that follow.
fn without_begun<'r>(remarks: &'r str, later: &[PlyRow]) -> Cow<'r, str> {
    if !remarks.contains("[%begun ") {
        return remarks.into();
    }
    let next = later.iter().find(|row| row.is_ply());
    let Some(first) = next.and_then(|row| row.coord.as_deref()) else {
        return remarks.into();
    };
    let mut all = commands(remarks.as_bytes());
    let Some(begun) = all.find(|command| command.name == b"begun" && begins_with(command, first))
    else {
        return remarks.into();
    };
    let before = remarks[..begun.bytes.start].trim_end();
    let after = remarks[begun.bytes.end..].trim_start();
    match (before.strip_suffix('{'), after.strip_prefix('}')) {
        (Some(before), Some(after)) => format!("{}{after}", before.trim_end()).into(),
        _ => format!("{before} {after}").into(),
    }
}

/// Whether the arguments of a command begin with an act in coordinates.
fn begins_with(command: &Command<'_>, act: &str) -> bool {
    let mut words = command
        .arguments
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    act.split(' ')
        .all(|word| words.next() == Some(word.as_bytes()))
}

/// The step of a row in a game; `None` if its plies have already been played.
fn step_of<G: Record>(game: &G, row: &PlyRow) -> Result<Option<Step<G>>, String> {
    let reported = row.coord.as_deref().unwrap_or("");
    match row.kind {
        Kind::Ply | Kind::Unsaid | Kind::Flag => match game.at(reported) {
            Some(step) => Ok(Some(step)),
            None => Err(format!(
                "`{reported}` is not a legal move in {}",
                game.fen()
            )),
        },
        Kind::Result => Ok(stopped(game, reported).or_else(|| game.at(reported))),
        Kind::Start | Kind::Turn | Kind::End => Ok(None),
        Kind::Stands => {
            let reported = game.board_named(&row.path).and_then(|at| {
                Some((
                    at,
                    Happening::Stood(game.deed(Some(at), reported.as_bytes())?),
                ))
            });
            match reported.filter(|(at, event)| game.clone().happen(*at, *event).is_some()) {
                Some((at, event)) => Ok(Some(Step::Event(at, event))),
                None => Err(format!(
                    "`{}` leads to no legal position",
                    row.coord.as_deref().unwrap_or("")
                )),
            }
        }
        // They are written as they stand.
        Kind::Illegal | Kind::Unjudged => Ok(None),
    }
}

/// That a game inside stops without an end: `d5.*`.
fn stopped<G: Record>(game: &G, reported: &str) -> Option<Step<G>> {
    let board = game.board_named(reported.strip_suffix(".*")?)?;
    Some(Step::Event(board, Happening::Stopped))
}

/// The tag pairs and comments at the beginning of an inner game; its initial position follows from the moves.
fn opening(start: &PlyRow) -> String {
    let is_setup = |tag: &&str| tag.starts_with("[FEN \"") || tag.starts_with("[SetUp \"");
    let tags = start.tags.as_deref().unwrap_or("");
    // A tag pair ends before the bracket of the next one.
    let tags = tags.split_inclusive("\"] ").filter(|tag| !is_setup(tag));
    format!(
        "{}{}",
        tags.collect::<String>(),
        start.remarks.as_deref().unwrap_or("")
    )
}
