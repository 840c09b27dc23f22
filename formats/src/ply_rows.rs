//! Games as rows, one for each ply: a table that any program can read and from which the games can be rebuilt.
//!
//! A row is flat. In JSON Lines and in comma-separated values it has the same columns in the same order, and a missing
//! value is `null` or an empty cell. The rows of a game are contiguous and chronological.
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
    figures::Figures,
    header::escape,
    lex::{Part, Prose},
    parse::{Event, Parser},
};
use overboard_rules::square;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::Write as _;

/// A row of a table of plies: a ply of the main line, or another event in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyRow {
    /// Where the game is from: the run of its ledger, or the file of its record as it was named. With `game` it is the
    /// key of a game.
    #[serde(default)]
    pub run: String,
    /// The number of the game: in its run from 0, in its file from 1.
    pub game: u64,
    /// The number of the row in its game, from 0.
    #[serde(rename = "step", alias = "row")]
    pub row: u64,
    /// The kind of row.
    pub kind: Kind,
    /// The board that the row is about, as `show --board` takes it: `A2.B1`, `B`, `e5.b7`; empty for the outermost
    /// board, for a single board, and for all linked boards together.
    #[serde(default)]
    pub path: String,
    /// Plies of the record's own game up to here, as findings count them: over-moves in Overchess.
    pub ply: u32,
    /// Legal plies up to here, those of all boards and sub-games together, as ledgers count them.
    #[serde(default)]
    pub act: u32,
    /// The number of the move on its board; in Mega-Chess that of the turn. Of a move that is not judged, as the record
    /// gives it, or as it follows from the move before.
    pub number: Option<u32>,
    /// The side that makes it.
    pub side: Option<Side>,
    /// The player with White, as the tag names it; on linked boards one name, if one player has all boards.
    pub white: Option<String>,
    /// The player with Black.
    pub black: Option<String>,
    /// The ply as SAN with its sign, without the path to its board; what is not legal as it is written, and a legal act
    /// that is not a move in coordinates. In a row of kind `turn`, the sign after the turn.
    pub san: Option<String>,
    /// The ply in coordinates, with the path to its board.
    pub coord: Option<String>,
    /// The moment after it, as `show --at` takes it.
    #[serde(rename = "moment", alias = "at")]
    pub at: Option<String>,
    /// The position of that board after it, with the boards inside it; null if it is not known.
    pub fen: Option<String>,
    /// The number of legal plies before it, on all boards together; only if they were to be counted.
    pub choices: Option<u64>,
    /// Seconds that the mover's clock shows after it: from `[%clk]`, else from the time control and the times of all plies.
    pub clock: Option<f64>,
    /// Seconds that it took.
    pub seconds: Option<f64>,
    /// Its worth in pawns, from White's side.
    #[serde(default, deserialize_with = "number_if_any")]
    pub eval: Option<f64>,
    /// Moves to a mate instead, negative if White is mated.
    pub mate: Option<i32>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The positions searched.
    pub nodes: Option<u64>,
    /// How the game, or the sub-game, ended.
    pub result: Option<String>,
    /// What ended it, if that is known.
    #[serde(alias = "by")]
    pub ended_by: Option<String>,
    /// The rule that says so.
    pub rule: Option<String>,
    /// The line of the ply in its file, from 1; null unless records are read.
    pub line: Option<u64>,
    /// Its column in that line, from 1.
    pub col: Option<u64>,
    /// Signs, NAGs and comments after the ply, as they are written.
    pub remarks: Option<String>,
    /// In a row of kind `start`: the tag pairs.
    pub tags: Option<String>,
}

/// What a row of a table of plies is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The starting position of a game, or of a sub-game.
    #[default]
    Start,
    /// A legal ply.
    Ply,
    /// A legal ply that the record leaves out, because it follows from the rest.
    Unsaid,
    /// An illegal move after which both sides played on.
    Stands,
    /// An illegal act, or one after the end of the game; without `san`, a set-up that is illegal, or something that the
    /// record leaves out.
    Illegal,
    /// A move that is not judged, since nothing is known of its board, or something that cannot be read.
    Unjudged,
    /// A flag has fallen on linked boards, or a player has made too many illegal attempts, and play continues.
    Flag,
    /// The end of a turn of Mega-Chess.
    Turn,
    /// The end of a sub-game of Overchess; the row is about the board around it.
    Result,
    /// The end of the record.
    End,
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl From<Side> for square::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// A number, or nothing: tables of older versions have the words of `[%eval]` here.
fn number_if_any<'de, D: Deserializer<'de>>(value: D) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Words(String),
        Nothing,
    }
    Ok(match Written::deserialize(value)? {
        Written::Number(number) => Some(number),
        Written::Words(words) => words.parse().ok(),
        Written::Nothing => None,
    })
}

impl PlyRow {
    /// Whether rows of this kind have a position, provided that everything was judged.
    #[must_use]
    pub const fn has_position(&self) -> bool {
        self.is_ply() || (matches!(self.kind, Kind::Start) && self.row == 0)
    }

    /// Whether it is about a ply that is illegal or not judged.
    #[must_use]
    pub const fn is_unjudged(&self) -> bool {
        matches!(self.kind, Kind::Illegal | Kind::Unjudged)
    }

    /// Whether it is about a ply, legal or not.
    #[must_use]
    pub const fn is_ply(&self) -> bool {
        matches!(
            self.kind,
            Kind::Ply | Kind::Unsaid | Kind::Stands | Kind::Illegal | Kind::Unjudged
        )
    }

    /// Adds a remark that follows the ply of this row. Returns whether rows keep events of this kind.
    pub fn remark(&mut self, event: Event, text: &[u8]) -> bool {
        let remarks = self.remarks.get_or_insert_default();
        if !push_remark(remarks, event, text) {
            self.remarks.take_if(|remarks| remarks.is_empty());
            return false;
        }
        if let Event::Prose(_, part) = event {
            self.take_commands(text);
            if part == Part::WHOLE {
                self.take_comment(text);
            }
        }
        true
    }

    /// Takes what a program said of this ply in a comment.
    fn take_comment(&mut self, comment: &[u8]) {
        let said = std::str::from_utf8(comment)
            .ok()
            .and_then(Figures::of_comment);
        if let (Some(said), Some(side)) = (said, self.side) {
            self.take_figures(said.for_white(side.into()));
        }
    }

    /// Takes what was said of this ply, from White's side.
    pub fn take_figures(&mut self, said: Figures) {
        let Figures {
            eval,
            mate,
            depth,
            nodes,
            seconds,
        } = said;
        if eval.is_some() || mate.is_some() {
            (self.eval, self.mate) = (eval, mate);
        }
        self.depth = depth.or(self.depth);
        self.nodes = nodes.or(self.nodes);
        self.seconds = seconds.or(self.seconds);
    }

    fn take_commands(&mut self, comment: &[u8]) {
        for command in commands(comment) {
            match command.name {
                b"clk" => self.clock = seconds(command.arguments).or(self.clock),
                b"eval" => self.take_figures(Figures::of_command(&decode(command.arguments).0)),
                b"emt" => self.seconds = seconds(command.arguments).or(self.seconds),
                _ => {}
            }
        }
    }

    /// Adds the tag pair that the parser has just read.
    pub fn tag(&mut self, parser: &Parser<'_>) {
        let (name, value) = tag_pair(parser);
        let value = escape(&value);
        let tags = self.tags.get_or_insert_default();
        // Writing to a `String` cannot fail.
        let _ = write!(
            tags,
            "{}[{name} \"{value}\"]",
            if tags.is_empty() { "" } else { " " }
        );
    }
}

/// The time of a command, in seconds.
fn seconds(arguments: &[u8]) -> Option<f64> {
    let milliseconds = u32::try_from(duration(arguments)?).ok()?;
    Some(f64::from(milliseconds) / 1000.0)
}

/// Name and value of the tag pair that the parser has just read.
#[must_use]
pub fn tag_pair(parser: &Parser<'_>) -> (String, String) {
    let name = decode(parser.tag_name()).0.into_owned();
    (name, parser.tag_value())
}

/// Appends an annotation sign, NAG or comment, as written. Returns whether the event is one of these.
pub fn push_remark(remarks: &mut String, event: Event, text: &[u8]) -> bool {
    let text = || decode(text).0;
    match event {
        Event::Glyphs => remarks.push_str(&text()),
        Event::Nag => remarks.extend([" ", &*text()]),
        Event::Prose(prose @ (Prose::Brace | Prose::Line), part) => {
            let (opening, closing) = if prose == Prose::Brace {
                (" {", "}")
            } else {
                (" ;", "\n")
            };
            remarks.push_str(if part.first { opening } else { "" });
            remarks.push_str(&text());
            remarks.push_str(if part.last { closing } else { "" });
        }
        _ => return false,
    }
    true
}
