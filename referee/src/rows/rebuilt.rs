//! Rows as a game again: [`Rebuilt`] follows them and writes the movetext.

use super::as_written::{AsWritten, Paths};
use crate::game::record::{Movetext as _, Record};
use overboard_formats::{
    command::{Command, commands},
    ply_rows::{Kind, PlyRow},
};
use overboard_rules::game::{Happening, Step};
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
    /// What comes from the first act on that is not judged, or is illegal and does not stand.
    rest: AsWritten,
    /// Whether such an act was reached.
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
        let rest = AsWritten::new(Paths::of(G::INFO.chess_within, first.boards()));
        Self {
            game: first,
            movetext: G::Movetext::default(),
            held: Vec::new(),
            rest,
            has_unjudged: false,
        }
    }

    /// Adds the next row; that of the end of the record is none of its movetext.
    ///
    /// # Errors
    /// Why the ply before it, with what belongs to that, is not possible.
    pub fn take(&mut self, row: PlyRow) -> Result<(), RowError> {
        if self.has_unjudged {
            self.rest.take(&row);
            return Ok(());
        }
        if row.is_ply() {
            self.write_held(Some(&row))?;
        }
        if row.is_unjudged() {
            self.go_on_as_written(&row.path);
            self.rest.take(&row);
        } else {
            self.held.push(row);
        }
        Ok(())
    }

    /// From here on, in a game with this path, rows are written as they stand.
    fn go_on_as_written(&mut self, path: &str) {
        if !std::mem::replace(&mut self.has_unjudged, true) {
            let (text, open) = std::mem::take(&mut self.movetext).until(&self.game, path);
            self.rest.begin(text, open);
        }
    }

    /// The movetext of the game, which stops here, without its result.
    ///
    /// # Errors
    /// Why the last ply, with what belongs to it, is not possible.
    pub fn finish(mut self) -> Result<String, RowError> {
        if self.has_unjudged {
            return Ok(self.rest.finish());
        }
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
        let is_before_unjudged = next.is_some_and(PlyRow::is_unjudged);
        for row in &held {
            // Where a game inside just stops, its block is closed as the record does it.
            if is_before_unjudged && let Some(game) = stopped_game(row) {
                self.go_on_as_written(game);
            }
            if self.has_unjudged {
                self.rest.take(row);
                continue;
            }
            self.write(row, next)
                .map_err(|why| RowError { row: row.row, why })?;
            self.rest.follow(row);
        }
        Ok(())
    }

    fn write(&mut self, row: &PlyRow, next: Option<&PlyRow>) -> Result<(), String> {
        let remarks = without_begun(row.remarks.as_deref().unwrap_or(""), next);
        let closes = matches!(row.kind, Kind::Turn | Kind::Result | Kind::Flag);
        if let Some(step) = step_of(&self.game, row)? {
            let said = match row.kind {
                // The row of an illegal move is written together with its remarks.
                Kind::Stands => with_move(row, &remarks),
                _ if closes => String::new(),
                _ => remarks.clone().into_owned(),
            };
            self.make(row.kind, &step, &said);
        }
        if closes {
            self.movetext.close(&remarks, ended(row));
        }
        // A turn that is not over stops there against the rules, and the game goes on.
        if row.kind == Kind::Turn
            && let Some(board) = self.game.board_named(&row.path)
        {
            let _ = self.game.happen(board, Happening::Stopped);
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
}

/// The inner game that has ended, and its result as it is recorded.
fn ended(row: &PlyRow) -> Option<(&str, &str)> {
    let (game, _) = row.coord.as_deref()?.rsplit_once('.')?;
    Some((game, row.result.as_deref()?))
}

fn with_move(row: &PlyRow, remarks: &str) -> String {
    format!("{}{remarks}", row.san.as_deref().unwrap_or(""))
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
    let coord = row.coord.as_deref().unwrap_or("");
    match row.kind {
        Kind::Ply | Kind::Unsaid | Kind::Flag => match game.at(coord) {
            Some(step) => Ok(Some(step)),
            None => Err(format!("`{coord}` is not a legal move in {}", game.fen())),
        },
        Kind::Result => Ok(stopped(game, coord).or_else(|| game.at(coord))),
        Kind::Start | Kind::Turn | Kind::End => Ok(None),
        Kind::Stands => {
            let stood = game.board_named(&row.path).and_then(|at| {
                Some((
                    at,
                    Happening::Stood(game.standing_act(Some(at), coord.as_bytes())?),
                ))
            });
            match stood.filter(|(at, event)| game.clone().happen(*at, *event).is_some()) {
                Some((at, event)) => Ok(Some(Step::Event(at, event))),
                None => Err(format!("`{coord}` leads to no legal position")),
            }
        }
        // They are written as they stand.
        Kind::Illegal | Kind::Unjudged => Ok(None),
    }
}

/// What follows the path to a game inside that stops without an end.
const STOPS: &str = ".*";

/// The game inside that stops in this row without an end.
fn stopped_game(row: &PlyRow) -> Option<&str> {
    if row.kind != Kind::Result {
        return None;
    }
    row.coord.as_deref()?.strip_suffix(STOPS)
}

/// That a game inside stops without an end: `d5.*`.
fn stopped<G: Record>(game: &G, coord: &str) -> Option<Step<G>> {
    let board = game.board_named(coord.strip_suffix(STOPS)?)?;
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
