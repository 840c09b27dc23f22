//! A round of an event, its pairings and results: `rounds/01.csv`.
//!
//! A row without a board is a match, and the rows after it are its boards:
//!
//! ```
//! use overboard_events::rounds::{GameResult, Round};
//!
//! let text = "table,board,white,black,result,white_score,black_score,source\n\
//!     1,,1,4,1-0,,,\n1,1,1,13,1-0,,,\n1,2,14,2,1/2-1/2,,,\n";
//! let round = Round::read("rounds/01.csv", text.as_bytes()).unwrap();
//! assert_eq!((round.matches.len(), round.matches[0].boards.len()), (1, 2));
//! assert_eq!(round.matches[0].result, Some(GameResult::White));
//! assert_eq!(round.write(), text);
//! ```

use crate::{
    csv::{At, CsvError, CsvRow, Sheet, write},
    roster::{text, words},
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::SideResult,
};
use serde::Serialize;
use std::{cmp::Ordering, fmt, str::FromStr};

/// Columns of the table of a round. The last one is only written if a match has a play-off.
pub const ROUND_COLUMNS: [&str; 9] = [
    "table",
    "board",
    "white",
    "black",
    "result",
    "white_score",
    "black_score",
    "source",
    "play_off",
];

/// How a game or a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    White,
    /// Black won.
    #[serde(rename = "0-1")]
    Black,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Black did not come.
    #[serde(rename = "1-0f")]
    WhiteForfeit,
    /// White did not come.
    #[serde(rename = "0-1f")]
    BlackForfeit,
    /// Neither came.
    #[serde(rename = "0-0f")]
    BothForfeit,
}

impl GameResult {
    /// Each with its spelling in files and others, in small letters with `-` between the two sides.
    const ALL: [(Self, &'static str, &'static [&'static str]); 6] = [
        (Self::White, "1-0", &["w"]),
        (Self::Black, "0-1", &["b"]),
        (
            Self::Draw,
            "1/2-1/2",
            &[
                "1/2", "0.5-0.5", ".5-.5", "0.5", "=", "=-=", "d", "draw", "r", "remis",
            ],
        ),
        (
            Self::WhiteForfeit,
            "1-0f",
            &["+-", "+/-", "+--", "1f-0", "1-0ff"],
        ),
        (Self::BlackForfeit, "0-1f", &["-+", "-/+", "--+", "0-1ff"]),
        (Self::BothForfeit, "0-0f", &["--", "-/-", "---", "0-0ff"]),
    ];

    /// A result or score as people write it, in the spelling that is compared: any dash or colon is `-`, `½` is `1/2`, or
    /// `.5` after a digit, and a decimal comma a point.
    #[must_use]
    pub fn spelled(text: &str) -> String {
        let mut plain = String::new();
        for letter in text.chars().flat_map(char::to_lowercase) {
            match letter {
                '\u{2010}'..='\u{2015}'
                | '\u{2212}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
                | ':' => {
                    plain.push('-');
                }
                '½' if plain.ends_with(|last: char| last.is_ascii_digit()) => plain.push_str(".5"),
                '½' => plain.push_str("1/2"),
                ',' => plain.push('.'),
                letter if letter.is_whitespace() => {}
                letter => plain.push(letter),
            }
        }
        plain
    }

    /// The spelling in files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(result, ..)| *result == self)
            .map_or("", |(_, text, _)| text)
    }

    /// Whether no game was played.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        matches!(
            self,
            Self::WhiteForfeit | Self::BlackForfeit | Self::BothForfeit
        )
    }

    /// The result of a game or match by what White and Black scored.
    #[must_use]
    pub fn of_scores(white: Points, black: Points) -> Self {
        match white.cmp(&black) {
            Ordering::Greater => Self::White,
            Ordering::Equal => Self::Draw,
            Ordering::Less => Self::Black,
        }
    }

    /// The result for White and for Black.
    #[must_use]
    pub const fn for_sides(self) -> [SideResult; 2] {
        match self {
            Self::White | Self::WhiteForfeit => [SideResult::Win, SideResult::Loss],
            Self::Black | Self::BlackForfeit => [SideResult::Loss, SideResult::Win],
            Self::Draw => [SideResult::Draw; 2],
            Self::BothForfeit => [SideResult::Loss; 2],
        }
    }
}

impl FromStr for GameResult {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let plain = Self::spelled(text);
        let is = |(_, word, others): &&(Self, &str, &[&str])| {
            *word == plain || others.contains(&plain.as_str())
        };
        Self::ALL
            .iter()
            .find(is)
            .map(|(result, ..)| *result)
            .ok_or(())
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a participant has no opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ByeKind {
    /// The pairing-allocated bye.
    Bye,
    /// A full-point bye.
    #[serde(rename = "full-bye")]
    Full,
    /// A half-point bye.
    #[serde(rename = "half-bye")]
    Half,
    /// A zero-point bye: also withdrawn, or not entered yet.
    #[serde(rename = "zero-bye")]
    Zero,
    /// The free round that every participant of an odd field has.
    Free,
}

words! {
    ByeKind, str::eq;
    Bye "bye", Full "full-bye", Half "half-bye", Zero "zero-bye", Free "free"
}

/// A match of two participants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Match {
    /// The table, from 1.
    pub table: u32,
    /// The number of the participant with White; for a team, White on board 1.
    pub white: TeamNo,
    /// The number of the other participant.
    pub black: TeamNo,
    /// The result of the whole match; `None` if it follows from the boards.
    pub result: Option<GameResult>,
    /// White's and Black's kings left, or sub-games won.
    pub tally: Option<[Points; 2]>,
    /// Who advances after a drawn match of a knockout.
    pub play_off: Option<GameResult>,
    /// The boards with their results, or the line-up.
    pub boards: Vec<Board>,
    /// The record from which the result was taken.
    pub source: String,
    /// Its place in its file.
    pub at: At,
}

/// A board of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Its number, from 1.
    pub board: u32,
    /// Id of the player with White; `None` if the team has no player.
    pub white: Option<u32>,
    /// Id of the player with Black.
    pub black: Option<u32>,
    /// The result, if the board has one of its own.
    pub result: Option<GameResult>,
    /// The record from which the result was taken.
    pub source: String,
    /// Its place in its file.
    pub at: At,
}

/// A participant without an opponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bye {
    /// The participant's number.
    pub who: TeamNo,
    /// The kind of bye.
    pub kind: ByeKind,
    /// Its place in its file.
    pub at: At,
}

impl Bye {
    /// A bye that is in no file yet.
    #[must_use]
    pub fn new(who: TeamNo, kind: ByeKind) -> Self {
        let at = At::default();
        Self { who, kind, at }
    }
}

/// A round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The matches, in the order of the tables.
    pub matches: Vec<Match>,
    /// Participants without an opponent.
    pub byes: Vec<Bye>,
}

impl Match {
    /// The numbers of the participants with White and with Black.
    #[must_use]
    pub const fn sides(&self) -> [TeamNo; 2] {
        [self.white, self.black]
    }

    /// The board with this number.
    ///
    /// # Errors
    /// That there is none.
    pub(crate) fn board(&self, number: u32) -> Result<&Board, String> {
        let found = self.boards.iter().find(|board| board.board == number);
        found.ok_or_else(|| {
            let boards = self.boards.len();
            format!(
                "table {} has no board {number}; it has {boards}",
                self.table
            )
        })
    }
}

/// White's and Black's kings or sub-games in a row of a round.
fn tally(row: &CsvRow) -> Result<Option<[Points; 2]>, CsvError> {
    let [white, black] = [5, 6].map(|place| row.value(place, "kings or sub-games"));
    match (white?, black?) {
        (Some(white), Some(black)) => Ok(Some([white, black])),
        (None, None) => Ok(None),
        (Some(_), None) => {
            Err(row.fault(6, "expected Black's score beside White's, found nothing"))
        }
        (None, Some(_)) => {
            Err(row.fault(5, "expected White's score beside Black's, found nothing"))
        }
    }
}

/// Whether a text has nothing but digits.
pub(crate) fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The digits in the name of a file of a round with this ending; `None` if it is no such name.
pub(crate) fn digits<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
    let number = name.strip_prefix("rounds/")?.strip_suffix(ending)?;
    if number.is_empty() || !is_digits(number) {
        return None;
    }
    Some(number)
}

/// The name of a round's file in the event's folder.
#[must_use]
pub fn file(round: RoundNo) -> String {
    format!("rounds/{round:02}.csv")
}

impl Round {
    /// How many games are in it, those on all boards of its matches.
    #[must_use]
    pub fn games(&self) -> usize {
        self.matches
            .iter()
            .map(|this| this.boards.len().max(1))
            .sum()
    }

    /// The bye of a participant.
    pub(crate) fn bye_of(&self, who: TeamNo) -> Option<&Bye> {
        self.byes.iter().find(|bye| bye.who == who)
    }

    /// The match of the same two, with the same colours.
    pub(crate) fn of_pair(&self, pair: &Match) -> Option<&Match> {
        self.matches
            .iter()
            .find(|this| this.white == pair.white && this.black == pair.black)
    }

    /// The first board at which a player sits, with its match.
    pub(crate) fn board_of(&self, id: u32) -> Option<(&Match, &Board)> {
        for this in &self.matches {
            for board in &this.boards {
                if [board.white, board.black].contains(&Some(id)) {
                    return Some((this, board));
                }
            }
        }
        None
    }

    /// Reads a round.
    ///
    /// # Errors
    /// The first error, with its place.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, CsvError> {
        let sheet = Sheet::read(file, bytes, &ROUND_COLUMNS)?;
        let mut round = Self::default();
        for row in &sheet.rows {
            round.take(row)?;
        }
        Ok(round)
    }

    fn take(&mut self, row: &CsvRow) -> Result<(), CsvError> {
        let Some(table) = row.value(0, "a number")? else {
            return self.take_bye(row);
        };
        let read = Match {
            table,
            tally: tally(row)?,
            result: row.value(4, "1-0, 0-1, 1/2-1/2, 1-0f, 0-1f or 0-0f")?,
            source: row.text(7).to_owned(),
            at: row.at().clone(),
            ..Match::default()
        };
        match row.value(1, "a number")? {
            None => self.take_match(row, read),
            Some(board) => self.take_board(row, read, board),
        }
    }

    fn take_match(&mut self, row: &CsvRow, mut this: Match) -> Result<(), CsvError> {
        let table = this.table;
        if let Some(first) = self.matches.iter().find(|known| known.table == table) {
            let line = first.at.line;
            return Err(row.fault(
                0,
                format!("table {table} occurs twice, first in line {line}"),
            ));
        }
        this.white = row.needed(2, "a number")?;
        this.black = row.needed(3, "a number")?;
        this.play_off = row.value(8, "1-0 or 0-1 of a play-off")?;
        if let Some(wrong) = this.play_off
            && !matches!(wrong, GameResult::White | GameResult::Black)
        {
            return Err(row.fault(
                8,
                format!("expected 1-0 or 0-1 of a play-off, found `{wrong}`"),
            ));
        }
        self.matches.push(this);
        Ok(())
    }

    fn take_board(&mut self, row: &CsvRow, read: Match, board: u32) -> Result<(), CsvError> {
        let table = read.table;
        let Some(this) = self.matches.iter_mut().find(|this| this.table == table) else {
            return Err(row.fault(
                0,
                format!("table {table} has a board here, but no line for the match before it"),
            ));
        };
        if read.tally.is_some() {
            return Err(row.fault(
                5,
                "kings and sub-games belong to the line of the match, not to its boards",
            ));
        }
        if this.board(board).is_ok() {
            return Err(row.fault(1, format!("board {board} of table {table} occurs twice")));
        }
        this.boards.push(Board {
            board,
            white: row.value(2, "a number")?,
            black: row.value(3, "a number")?,
            result: read.result,
            source: read.source,
            at: read.at,
        });
        Ok(())
    }

    fn take_bye(&mut self, row: &CsvRow) -> Result<(), CsvError> {
        let who = row.needed(2, "a number")?;
        if !row.text(3).is_empty() {
            return Err(row.fault(0, "expected the number of a table, found nothing"));
        }
        let kind = row.needed(4, "bye, full-bye, half-bye, zero-bye or free")?;
        self.byes.push(Bye {
            who,
            kind,
            at: row.at().clone(),
        });
        Ok(())
    }

    /// Writes a round.
    #[must_use]
    pub fn write(&self) -> String {
        let width = ROUND_COLUMNS.len()
            - usize::from(self.matches.iter().all(|this| this.play_off.is_none()));
        let mut rows = Vec::new();
        for this in &self.matches {
            let table = this.table.to_string();
            let [white, black] = match this.tally {
                Some(tally) => tally.map(Some),
                None => [None; 2],
            };
            rows.push(vec![
                table.clone(),
                String::new(),
                this.white.to_string(),
                this.black.to_string(),
                text(this.result),
                text(white),
                text(black),
                this.source.clone(),
                text(this.play_off),
            ]);
            for board in &this.boards {
                rows.push(vec![
                    table.clone(),
                    board.board.to_string(),
                    text(board.white),
                    text(board.black),
                    text(board.result),
                    String::new(),
                    String::new(),
                    board.source.clone(),
                    String::new(),
                ]);
            }
        }
        for bye in &self.byes {
            let mut row = vec![String::new(); ROUND_COLUMNS.len()];
            row[2] = bye.who.to_string();
            row[4] = bye.kind.as_str().into();
            rows.push(row);
        }
        for row in &mut rows {
            row.truncate(width);
        }
        write(&ROUND_COLUMNS[..width], rows)
    }

    /// The match that a participant plays.
    #[must_use]
    pub fn of(&self, number: TeamNo) -> Option<&Match> {
        self.matches
            .iter()
            .find(|this| this.white == number || this.black == number)
    }
}
