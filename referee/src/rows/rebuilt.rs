//! Rows as a game again: [`Rebuilt`] follows them and writes the movetext.

use crate::game::record::{Movetext as _, Record};
use overboard_formats::{
    command::{Command, commands},
    ply_rows::{Kind, PlyRow},
};
use overboard_rules::{
    game::{BoardId as _, Happening, Step},
    ply::Deed,
    variant::{ChessWithin, VariantInfo},
};
use std::borrow::Cow;

/// A game that is made from its rows, one after the other, and its movetext.
///
/// A ply is written when the next one comes: the rows after it say what belongs to it.
///
/// ```
/// use overboard_formats::ply_rows::{Kind, PlyRow};
/// use overboard_games::{chess::Chess, one_board::OneBoard};
/// use overboard_referee::rows::rebuilt::Rebuilt;
///
/// let mut rebuilt = Rebuilt::from(OneBoard(Chess::default()));
/// for (row, coord) in (1..).zip(["e2e4", "e7e5"]) {
///     let row = PlyRow { row, kind: Kind::Ply, coord: Some(coord.into()), ..PlyRow::default() };
///     rebuilt.take(row).expect("a legal move");
/// }
/// assert_eq!(rebuilt.finish().expect("both are legal").trim(), "1. e4\ne5");
/// ```
#[derive(Clone)]
pub struct Rebuilt<G: Record> {
    game: G,
    movetext: G::Movetext,
    /// A ply that is not written yet, and the rows after it.
    held: Vec<PlyRow>,
    /// Whether there was an illegal move that nobody played on from: the rest is written as it stands.
    has_unjudged: bool,
}

/// Why a row cannot follow those before it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct RowError {
    /// The number of the row.
    pub row: u64,
    /// The reason.
    pub why: String,
}

impl<G: Record> Rebuilt<G> {
    /// A game that begins with this position.
    pub fn from(first: G) -> Self {
        Self {
            game: first,
            movetext: G::Movetext::default(),
            held: Vec::new(),
            has_unjudged: false,
        }
    }

    /// Adds the next row; that of the end of the record is none of its movetext.
    ///
    /// # Errors
    /// Why the ply before it, with what belongs to that, is not possible.
    pub fn take(&mut self, row: PlyRow) -> Result<(), RowError> {
        if row.is_ply() {
            self.write_held(Some(&row))?;
        }
        self.held.push(row);
        Ok(())
    }

    /// The movetext of the game, which stops here, without its result.
    ///
    /// # Errors
    /// Why the last ply, with what belongs to it, is not possible.
    pub fn finish(mut self) -> Result<String, RowError> {
        let last = self.held.last();
        let is_begun = |row: &&PlyRow| {
            row.kind == Kind::Start && !row.path.is_empty() && row.remarks.is_some()
        };
        let begun = last.filter(is_begun);
        let begun = begun.map(|row| format!("{}.*", row.path));
        self.write_held(None)?;
        // What is said in an inner game before its first ply is in it, and nowhere else.
        if let Some(step) = begun.and_then(|stops| stopped(&self.game, &stops)) {
            self.make(Kind::End, &step, "");
        }
        Ok(self.movetext.finish(&self.game))
    }

    fn write_held(&mut self, next: Option<&PlyRow>) -> Result<(), RowError> {
        let held = std::mem::take(&mut self.held);
        // What is written at the beginning of an inner game comes before everything that is played in it.
        for row in held.iter().skip(1) {
            if row.kind == Kind::Start {
                self.movetext.open(&opening(row));
            }
        }
        for row in &held {
            self.write(row, next)
                .map_err(|why| RowError { row: row.row, why })?;
        }
        Ok(())
    }

    fn write(&mut self, row: &PlyRow, next: Option<&PlyRow>) -> Result<(), String> {
        self.has_unjudged |= row.is_unjudged();
        let remarks = without_begun(row.remarks.as_deref().unwrap_or(""), next);
        let found = step_of(&self.game, row);
        if self.has_unjudged && is_nested(G::INFO) && !self.is_due(row) {
            return Err(of_nested(row));
        }
        if row.is_unjudged() || (self.has_unjudged && found.is_err()) {
            return self.write_unjudged(row, &with_move(row, &remarks));
        }
        let closes = matches!(row.kind, Kind::Turn | Kind::Result | Kind::Flag);
        if let Some(step) = found? {
            let said = match row.kind {
                // The row of an illegal move is written together with its remarks.
                Kind::Stands => with_move(row, &remarks),
                _ if closes => String::new(),
                _ => remarks.clone().into_owned(),
            };
            self.make(row.kind, &step, &said);
        }
        if closes {
            self.movetext.close(&remarks);
        }
        Ok(())
    }

    fn make(&mut self, kind: Kind, step: &Step<G>, remarks: &str) {
        let before = self.game.clone();
        let brought = match step {
            Step::Event(_, Happening::Stopped) => G::Effects::default(),
            _ => step.make(&mut self.game),
        };
        let is_omitted = kind == Kind::Flag || (kind == Kind::Unsaid && remarks.is_empty());
        if is_omitted {
            self.movetext.leave_out(step, &before, &self.game, &brought);
        } else {
            self.movetext
                .take(step, &before, &self.game, &brought, remarks);
        }
    }

    /// Writes a move that is not judged as it stands.
    fn write_unjudged(&mut self, row: &PlyRow, with_move: &str) -> Result<(), String> {
        if is_nested(G::INFO) {
            return self.write_unjudged_inside(row, with_move);
        }
        let board = self.game.board_named(&row.path);
        let board = board.ok_or_else(|| format!("there is no board {}", row.path))?;
        let passed = Happening::Stood(Deed::Passed);
        pass_to(&mut self.game, board, row);
        let before = self.game.clone();
        // The next number is right on its board then.
        let brought = self.game.happen(board, passed).unwrap_or_default();
        let step = Step::Event(board, passed);
        self.movetext
            .take(&step, &before, &self.game, &brought, with_move);
        Ok(())
    }

    /// Writes a move on a board inside that is not judged: it is an item of its turn.
    fn write_unjudged_inside(&mut self, row: &PlyRow, with_move: &str) -> Result<(), String> {
        if row.path.is_empty() {
            return Err(of_nested(row));
        }
        let board = self.game.board_named(&row.path);
        let board = board.ok_or_else(|| of_nested(row))?;
        let before = self.game.clone();
        let brought = self.game.happen(board, Happening::Unjudged);
        let brought = brought.ok_or_else(|| of_nested(row))?;
        let step = Step::Event(board, Happening::Stood(Deed::Passed));
        self.movetext
            .take(&step, &before, &self.game, &brought, with_move);
        Ok(())
    }

    /// Whether the number of a row is that of the turn which is open: otherwise turns ended in another way than it seems.
    fn is_due(&self, row: &PlyRow) -> bool {
        let Some(wanted) = row.number.zip(row.side) else {
            return true;
        };
        if !row.is_ply() {
            return true;
        }
        let due = self.game.next_move(G::Board::WHOLE);
        due.map(|(number, side)| (number, side.into())) == Some(wanted)
    }
}

fn with_move(row: &PlyRow, remarks: &str) -> String {
    format!("{}{remarks}", row.san.as_deref().unwrap_or(""))
}

/// Whether the records of a game have games inside: after an illegal move rows do not say where the blocks of these begin and
/// end, except for turns that go on as they would with another move on that board.
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

/// Why a nested game is not made from its rows.
fn of_nested(row: &PlyRow) -> String {
    let said = row.san.as_deref().unwrap_or("a row");
    format!(
        "`{said}` is not a legal move, and rows do not say where the games inside begin and end after it; convert the record itself"
    )
}

/// Remarks without the command that lists the parts of an unfinished act, if the next ply is the first of them.
pub fn without_begun<'r>(remarks: &'r str, next: Option<&PlyRow>) -> Cow<'r, str> {
    if !remarks.contains("[%begun ") {
        return remarks.into();
    }
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
///
/// # Errors
/// Why it is not possible there, in words.
pub fn step_of<G: Record>(game: &G, row: &PlyRow) -> Result<Option<Step<G>>, String> {
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

/// A record made of its parts: tag pairs, remarks before the moves, movetext, result, and remarks after it. Not in
/// canonical form.
pub fn assembled(tags: &str, remarks: &str, movetext: &str, result: &str, after: &str) -> String {
    let movetext = movetext.trim_ascii();
    format!("{tags}\n\n{remarks}\n{movetext}\n{result}{after}\n\n")
}
