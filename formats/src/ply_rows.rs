//! Games as rows, one per ply: a table that any program can read and from which the games can be rebuilt.
//!
//! A row is flat. As JSON Lines and as comma-separated values it has the same columns in the same order, and
//! a missing value is `null` or an empty cell. The rows of a game are contiguous and chronological.
//!
//! ```
//! use overboard_formats::ply_rows::{Kind, PlyRow};
//!
//! let row = PlyRow { game: 1, row: 1, kind: Kind::Ply, san: Some("e4".into()), ..PlyRow::default() };
//! assert!(row.is_ply());
//! assert_eq!((row.ply, row.fen), (0, None));
//! ```

use crate::{
    command::{commands, duration},
    encoding::decode,
    header::{escape, unescape_into},
    lex::Prose,
    parse::{Event, Parser},
};
use overboard_rules::square;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// One ply of the main line of a game, or something else that happens in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlyRow {
    /// The game, counted from 1.
    pub game: u64,
    /// The row in its game, counted from 0.
    pub row: u64,
    /// What kind of row it is.
    pub kind: Kind,
    /// The board that the row is about, as `--board` takes it: `A2.B1`, `B`, `e5.b7`; empty for the outermost
    /// one, for the only one, and for all together.
    #[serde(default)]
    pub path: String,
    /// Plies of the record's own game up to here, as findings count them.
    pub ply: u32,
    /// The number of the move.
    pub number: Option<u32>,
    /// Who makes it.
    pub side: Option<Side>,
    /// The ply as SAN with its sign, without the way to its board; where it is not legal, as it is written. An act
    /// that is no move is as in coordinates. Of a turn that is over, its sign.
    pub san: Option<String>,
    /// The ply in coordinates, as lines of them hold it, with the way to its board.
    pub coord: Option<String>,
    /// The moment after it, as `show --at` takes it.
    pub at: Option<String>,
    /// The position of that board after it, with all that is inside.
    pub fen: Option<String>,
    /// The mover's clock after it, in seconds.
    pub clock: Option<f64>,
    /// An engine's evaluation, as it is written.
    pub eval: Option<String>,
    /// How the game, or the game inside it, ended.
    pub result: Option<String>,
    /// What ended it.
    pub by: Option<String>,
    /// The rule that says so.
    pub rule: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<u64>,
    /// Column in that line, from 1.
    pub col: Option<u64>,
    /// Signs, NAGs and comments after it, as they are written.
    pub remarks: Option<String>,
    /// Tag pairs of the game that begins.
    pub tags: Option<String>,
}

/// What a row reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A game begins, the record's own or one inside it.
    #[default]
    Start,
    /// A legal ply.
    Ply,
    /// A legal ply that the record leaves out, since it follows from the rest.
    Unsaid,
    /// An illegal move that stands, because both played on.
    Stands,
    /// An illegal move, or one after the end.
    Illegal,
    /// Something that is not judged.
    Unjudged,
    /// A player's flag has fallen, or something with the same penalty has happened, and play goes on.
    Flag,
    /// A turn of many plies is over.
    Turn,
    /// A game inside is over; the row is about the board around it.
    Result,
    /// The record is over.
    End,
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<square::Side> for Side {
    fn from(side: square::Side) -> Self {
        match side {
            square::Side::White => Self::White,
            square::Side::Black => Self::Black,
        }
    }
}

impl PlyRow {
    /// Whether such a row has a position, provided that everything was judged.
    #[must_use]
    pub const fn tells_a_position(&self) -> bool {
        self.is_ply() || (matches!(self.kind, Kind::Start) && self.row == 0)
    }

    /// Whether it is of a ply, legal or not.
    #[must_use]
    pub const fn is_ply(&self) -> bool {
        matches!(self.kind, Kind::Ply | Kind::Unsaid | Kind::Stands | Kind::Illegal | Kind::Unjudged)
    }

    /// Adds a remark that follows this row's ply. Returns whether the event is one that a row keeps.
    pub fn remark(&mut self, event: Event, parser: &Parser<'_>) -> bool {
        let remarks = self.remarks.get_or_insert_default();
        if !push_remark(remarks, event, parser) {
            self.remarks.take_if(|remarks| remarks.is_empty());
            return false;
        }
        if matches!(event, Event::Prose(..)) {
            self.take_commands(parser.text(parser.place().span));
        }
        true
    }

    fn take_commands(&mut self, comment: &[u8]) {
        for command in commands(comment) {
            match command.name {
                b"clk" => {
                    let milliseconds =
                        duration(command.arguments).and_then(|shown| u32::try_from(shown).ok());
                    self.clock = milliseconds.map(|shown| f64::from(shown) / 1000.0).or(self.clock);
                }
                b"eval" => self.eval = Some(decode(command.arguments).0.into_owned()),
                _ => {}
            }
        }
    }

    /// Adds the tag pair that the parser has just read.
    pub fn tag(&mut self, parser: &Parser<'_>) {
        let tag = parser.lexer().tag();
        let mut value = Vec::new();
        unescape_into(parser.text(tag.value), &mut value);
        let (name, value) = (decode(parser.text(tag.name)).0, escape(&decode(&value).0));
        let tags = self.tags.get_or_insert_default();
        // Writing to a `String` cannot fail.
        let _ = write!(tags, "{}[{name} \"{value}\"]", if tags.is_empty() { "" } else { " " });
    }
}

/// Appends the sign, NAG or comment that an event is, as it is written. Returns whether it is one.
pub fn push_remark(remarks: &mut String, event: Event, parser: &Parser<'_>) -> bool {
    let text = || decode(parser.text(parser.place().span)).0;
    match event {
        Event::Glyphs => remarks.push_str(&text()),
        Event::Nag => remarks.extend([" ", &*text()]),
        Event::Prose(prose @ (Prose::Brace | Prose::Line), part) => {
            let (opening, closing) = if prose == Prose::Brace { (" {", "}") } else { (" ;", "\n") };
            remarks.push_str(if part.first { opening } else { "" });
            remarks.push_str(&text());
            remarks.push_str(if part.last { closing } else { "" });
        }
        _ => return false,
    }
    true
}
