//! Converts games to rows, one per ply, and rows to games.

use super::{Conversion, LONGEST, LineFault, options};
use crate::{
    bounded::{Line, Lines, without_mark},
    games::TransferError,
    tables::Origin,
};
use overboard_formats::{
    limits::Limits,
    parse::Parser,
    ply_rows::{Kind, PlyRow},
};
use overboard_games::{
    referee::{AnyReferee, replay::first_position},
    registry::Visitor,
};
use overboard_referee::{
    Options,
    game::record::Record,
    rows::rebuilt::{Rebuilt, RowError, assembled, without_begun},
};
use std::{
    cell::Cell,
    io::{self, BufRead, BufReader, Read},
    rc::Rc,
};

impl Conversion<'_> {
    /// Writes the games of a parser into the table.
    pub(super) fn write_rows(&mut self, mut parser: Parser<'_>) -> Result<(), TransferError> {
        let options = Options {
            rows: true,
            no_excerpts: true,
            choices: self.args.choices,
            ..options(self.limits)
        };
        let mut referee = AnyReferee::new(options);
        let mut lacking = Vec::new();
        let origin = Origin {
            is_placed: self.line.is_none(),
            booked: None,
        };
        let done = self
            .rows
            .read(&mut parser, &mut referee, origin, self.out, &mut |ended| {
                if ended.lacks_positions
                    && let Some(finding) = ended.report.spoilt()
                {
                    lacking.push(finding.clone());
                }
            });
        for finding in &lacking {
            self.complain_of(finding, "positions of this game are missing");
        }
        done
    }

    /// Converts the games of a table of rows.
    pub(super) fn read_rows(&mut self, reader: impl Read) -> Result<(), TransferError> {
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let first = reader.fill_buf().map_err(TransferError::Reading)?;
        let first = without_mark(first);
        let is_json = first.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        let mut table = GameRows::default();
        let mut take = |read| self.take_row(read, &mut table);
        if is_json {
            json_rows(reader, &mut take)
        } else {
            csv_rows(reader, &mut take)
        }?;
        self.take_game(&mut table)
    }

    fn take_row(&mut self, read: RowRead, table: &mut GameRows) -> Result<(), TransferError> {
        match read {
            (line, Ok(row)) => {
                if let Some(first) = table.rows.first()
                    && (&first.run, first.game) != (&row.run, row.game)
                {
                    self.take_game(table)?;
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
    fn take_game(&mut self, table: &mut GameRows) -> Result<(), TransferError> {
        let GameRows {
            rows,
            places,
            fault,
        } = std::mem::take(table);
        let line_of = |at: usize| places.get(at).copied().unwrap_or(1);
        let record = match fault {
            Some(fault) => Err(fault),
            None if rows.is_empty() => return Ok(()),
            None => record_of(&rows, self.limits).map_err(|(at, why)| (line_of(at), why)),
        };
        match record {
            Ok(record) => {
                self.line = Some(line_of(0));
                self.take_record(&record)
            }
            Err((line, why)) => {
                self.line = Some(line);
                self.complain_here(1, &format!("game not converted: {why}"));
                Ok(())
            }
        }
    }
}

/// The rows of one game, with their lines.
#[derive(Default)]
struct GameRows {
    rows: Vec<PlyRow>,
    places: Vec<u64>,
    /// The first row that cannot be read.
    fault: Option<(u64, String)>,
}

/// A parsed row, with its line.
type RowRead = (u64, Result<PlyRow, String>);

fn json_rows(
    reader: impl BufRead,
    take: &mut dyn FnMut(RowRead) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let mut lines = Lines::of(reader, LONGEST.1);
    while let Some(Line {
        number,
        text,
        fault,
    }) = lines.next_line().map_err(TransferError::Reading)?
    {
        if let Some(why) = fault {
            take((number, Err(why)))?;
        } else if !text.trim_ascii().is_empty() {
            let row = serde_json::from_slice(text);
            let row = row.map_err(|error| format!("not a row of a table of plies: {error}"));
            take((number, row))?;
        }
    }
    Ok(())
}

/// Columns without which no row can be read, and what older versions call them.
const NEEDED: [(&str, &str); 4] = [
    ("game", "game"),
    ("step", "row"),
    ("kind", "kind"),
    ("ply", "ply"),
];

/// The needed columns that are not among these.
fn lacking(names: &csv::StringRecord) -> Vec<&'static str> {
    let mut lacking = Vec::new();
    for (needed, old) in NEEDED {
        if !names.iter().any(|name| name == needed || name == old) {
            lacking.push(needed);
        }
    }
    lacking
}

fn csv_rows(
    reader: impl Read,
    take: &mut dyn FnMut(RowRead) -> Result<(), TransferError>,
) -> Result<(), TransferError> {
    let left = Rc::new(Cell::new(LONGEST.1));
    let mut table = csv::Reader::from_reader(Bounded {
        inner: reader,
        left: Rc::clone(&left),
    });
    let invalid = |why: String| {
        let error = io::Error::new(io::ErrorKind::InvalidData, why);
        TransferError::Reading(error)
    };
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => TransferError::Reading(error),
        kind => invalid(format!("{kind:?}")),
    };
    let names = table.headers().map_err(failed)?.clone();
    let lacking = lacking(&names);
    if !lacking.is_empty() && !names.is_empty() {
        return Err(invalid(format!(
            "not a table of moves: its first line has no column {}",
            lacking.join(", ")
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
    let start = match rows.first() {
        Some(first) if (first.kind, first.row) == (Kind::Start, 0) => first,
        _ => return Err((0, "its first row, of the kind `start`, is missing".into())),
    };
    if let Some(at) = (0..).zip(rows).position(|(number, row)| row.row != number) {
        return Err((at, format!("row {at} of the game is missing")));
    }
    let tags = start.tags.as_deref().unwrap_or("");
    let next = rows[1..].iter().find(|row| row.is_ply());
    let remarks = without_begun(start.remarks.as_deref().unwrap_or(""), next);
    let alone = format!("{tags}\n\n*\n");
    let first = first_position(&alone, options(limits));
    let Some(first) = first else {
        return Err((0, "its first position is not known".into()));
    };
    let movetext = first.visit(Rebuilding(rows)).map_err(|fault| {
        let at = usize::try_from(fault.row).unwrap_or_default();
        (at, fault.why)
    })?;
    let ending = rows.iter().rfind(|row| row.kind == Kind::End);
    let (result, after) = match ending {
        Some(row) => (
            row.result.as_deref().unwrap_or(""),
            row.remarks.as_deref().unwrap_or(""),
        ),
        None => ("*", ""),
    };
    Ok(assembled(tags, &remarks, &movetext, result, after))
}

/// Makes the movetext of a game from its rows.
struct Rebuilding<'a>(&'a [PlyRow]);

impl Visitor for Rebuilding<'_> {
    type Out = Result<String, RowError>;

    fn visit<G: Record>(self, first: &G) -> Self::Out {
        let mut rebuilt = Rebuilt::from(first.clone());
        for row in self.0 {
            if row.kind != Kind::End {
                rebuilt.take(row.clone())?;
            }
        }
        rebuilt.finish()
    }
}
