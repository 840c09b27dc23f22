//! The protocol of lines: one JSON object on each line, for every game of the registry.
//!
//! A **runner** knows the rules and keeps the record; an **engine** chooses. The runner writes [`ToEngine`] to the
//! engine's standard input, the engine writes [`FromEngine`] to its standard output, and every line is one object whose
//! field `type` says which message it is. Plies are in coordinates as in ledgers and `convert --to coord`; some consist
//! of more than one word (`e5.setup PPP2PPP/RNBQKBNR`). Times are whole milliseconds. Unknown fields are ignored,
//! fields without a value are omitted, and a message of unknown type is answered with a [`FaultReport`].
//!
//! A game, as the engine sees it:
//!
//! ```text
//! runner  {"type":"hello","protocol":1,"runner":"overboard 0.1.0"}
//! engine  {"type":"hello","protocol":1,"name":"First Legal","legal":true}
//! runner  {"type":"game","game":0,"variant":"mega-chess","level":1,"seats":["W","B"],"yours":["B"]}
//! engine  {"type":"ready"}
//! runner  {"type":"moves","plies":["D2.e2e4"]}
//! runner  {"type":"go","seat":"B","clocks":{"B":{"left":59000,"increment":100}},"legal":["D2.a7a6","D2.a7a5"]}
//! engine  {"type":"play","plies":["D2.a7a6"]}
//! runner  {"type":"over","result":"0-1","cause":"mega-mate"}
//! runner  {"type":"quit"}
//! ```
//!
//! The rules of the conversation:
//!
//! - The runner speaks first. It waits for an answer to `hello`, `game`, `ping` and `go` before it sends anything but
//!   `stop`, `quit` and, after `game`, `moves`.
//! - `moves` contains **every** ply since the last `moves` of this game, including the engine's own: a ply of the engine
//!   has been played when it comes back. No answer.
//! - An engine that plays only the first act of a turn is asked again, by another `go` for the same seat.
//! - A line of the engine has at most [`LONGEST`] bytes. Lines of the runner may be longer, because of lists.
//! - Standard error belongs to the engine, and the runner may discard it.
//!
//! `serve --proto lines` is an engine, and also a board that enforces the rules: it answers `position`, `legal`,
//! `play`, `undo` and an `over` without a result, so that a program can play any game without knowing its rules.

use crate::manifest::{is_default, is_one, one};
use overboard_formats::{as_text, foreign::Foreign};
use overboard_rules::square::Side;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;
/// The most bytes of a line that an engine writes, without the line end.
pub const LONGEST: usize = 64 << 10;
/// The most bytes of a line that a runner writes, without the line end.
pub const LONGEST_OF_RUNNER: usize = 16 << 20;

/// A message from a runner, or another program, to an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToEngine {
    /// The first line. Answered by `hello`.
    Hello(Runner),
    /// Sets an option that the engine has announced, before a game. No answer except an error.
    Option(Setting),
    /// A new game, which replaces any game in progress. Answered by `ready`, or by an error if the engine does not play
    /// it; the runner can then still offer another game.
    Game(NewGame),
    /// All plies of both sides since the last `moves` of this game, in order; the first time those since the start.
    /// No answer except an error.
    Moves(Plies),
    /// Choose for a seat. Answered by any number of `info`, then by `play`, `resign` or `claim`.
    Go(Go),
    /// Answer the last `go` at once; ignored if none is open.
    Stop,
    /// Answered by `pong` with the same number; also while the engine thinks, if it can.
    Ping(Number),
    /// With a result: the game has ended with it, and there will be no more `go`; no answer. Without a result it asks
    /// whether the game is over, and is answered by `over`.
    Over(Over),
    /// What was wrong with the engine's last line. No answer is needed.
    Error(FaultReport),
    /// The engine exits, as it does at the end of its input.
    Quit,
    /// Asks for the position; answered by `position`. Only `serve` needs to know this message and those below.
    Position,
    /// Asks for the legal plies; answered by `legal`.
    Legal(OnBoard),
    /// Plays these plies if all of them are legal, else none. Answered by `played`, or by an error with the rule.
    Play(Plies),
    /// Takes back this many plies, by default one. Answered by `position`.
    Undo(Undo),
}

/// A message from an engine to a runner, or to another program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FromEngine {
    /// The answer to `hello`.
    Hello(Engine),
    /// The answer to `game`: the engine plays it.
    Ready,
    /// Its evaluation, while it thinks.
    Info(Thinking),
    /// The answer to `go`: the plies to play.
    Play(Choice),
    /// The answer to `go`: it resigns.
    Resign,
    /// The answer to `go`: it makes a claim, which the runner checks.
    Claim(Claim),
    /// The answer to `ping`.
    Pong(Number),
    /// What was wrong with the runner's last line, or why it cannot be carried out.
    Error(FaultReport),
    /// The answer to `position` and `undo`.
    Position(Position),
    /// The answer to `legal`.
    Legal(Legal),
    /// The answer to the runner's `play`.
    Played(Played),
    /// The answer to an `over` without a result; it has no result either if the game continues.
    Over(Over),
}

/// A seat, from which plies are made: `W` and `B` on one board, `W:A` for White on board A of linked boards,
/// `W:d1` for the lieutenant of White's over-piece that starts on d1.
///
/// ```
/// use overboard_engines::external::lines::Seat;
/// use overboard_rules::square::Side;
///
/// let seat: Seat = "B:AA".parse().unwrap();
/// assert_eq!((seat.side, seat.of.as_str()), (Side::Black, "AA"));
/// assert_eq!(seat.to_string(), "B:AA");
/// assert!("C".parse::<Seat>().is_err() && "W:".parse::<Seat>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat {
    /// White or Black; on linked boards the team.
    pub side: Side,
    /// The board, or the over-piece led; empty for everything that no other seat covers.
    pub of: String,
}

/// A text that is not a seat.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a seat: `W`, `B`, or one of them with a colon and a board, as in `W:A`")]
pub struct SeatError(String);

impl From<Side> for Seat {
    /// The seat of a whole side.
    fn from(side: Side) -> Self {
        Self {
            side,
            of: String::new(),
        }
    }
}

impl FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        let (side, of) = match text.split_once(':') {
            Some((side, of)) if !of.is_empty() => (side, of),
            Some(_) => return Err(SeatError(text.into())),
            None => (text, ""),
        };
        let side = match side {
            "W" => Side::White,
            "B" => Side::Black,
            _ => return Err(SeatError(text.into())),
        };
        Ok(Self {
            side,
            of: of.into(),
        })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.side {
            Side::White => "W",
            Side::Black => "B",
        })?;
        if self.of.is_empty() {
            Ok(())
        } else {
            write!(f, ":{}", self.of)
        }
    }
}

as_text!(Seat);

/// The runner's greeting.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Runner {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// The program and its version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runner: String,
}

/// The engine's greeting.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Engine {
    /// The version of the protocol that it speaks.
    pub protocol: u32,
    /// Its name, with its version.
    pub name: Foreign,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The games it plays, by their names for `--variant`. If empty, it decides at each `game`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
    /// Whether every `go` must have the list of legal plies.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub legal: bool,
    /// The options that can be set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Settable>,
}

/// An option that can be set.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settable {
    /// Its name.
    pub name: String,
    /// Its default value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub default: String,
    /// What it does, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
}

/// An option and its value.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// The value, always a string.
    pub value: String,
}

/// A new game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewGame {
    /// Its number in the run, from 0: the seed of random players depends on it.
    #[serde(default)]
    pub game: u64,
    /// The game, by its name for `--variant`.
    pub variant: String,
    /// The number of linked boards.
    #[serde(default = "one::<u16>", skip_serializing_if = "is_one")]
    pub boards: u16,
    /// The level, if the game has levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The rules agreed, as the tag Rules has them, such as `edition=2025` or `depth=2:fog`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// The initial position as FEN, if it is not that of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// All seats. If empty: `W` and `B`, on linked boards `W:A`, `B:A`, `W:B` and so on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// The seats that this engine will play for. If empty: any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yours: Vec<Seat>,
}

impl NewGame {
    /// A game with this name from its initial position, on one board and by its default rules.
    #[must_use]
    pub fn of(variant: impl Into<String>) -> Self {
        Self {
            game: 0,
            variant: variant.into(),
            boards: 1,
            level: None,
            rules: String::new(),
            start: None,
            seats: Vec::new(),
            yours: Vec::new(),
        }
    }
}

/// Plies in order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plies {
    /// Each in coordinates, with the path to its board. `moves` also contains events that are not plies, as lines of
    /// coordinates do: `flag W:A`, `e5.1-0`.
    pub plies: Vec<String>,
}

/// A request to choose.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Go {
    /// The seat to play for; if absent, whichever is to act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// On linked boards: the board on which the ply is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The clocks, by seat.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub clocks: BTreeMap<Seat, Clock>,
    /// The time for this answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The greatest depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The most nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The legal plies of this board, in the order of self-play, if the engine asked for them and they can be listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
}

/// A clock, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// The time left.
    pub left: u64,
    /// The time added after each answer.
    #[serde(default, skip_serializing_if = "is_default")]
    pub increment: u64,
    /// Answers until time is added; absent if there is no such control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// A number that comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Number {
    /// Any number; the answer repeats it.
    #[serde(default)]
    pub number: u64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Over {
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that is broken off; absent if the game continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The reason, by the word that ledgers have for it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cause: String,
    /// The reason in words, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// What was wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaultReport {
    /// The kind of fault.
    pub code: FaultCode,
    /// A message for people.
    pub words: String,
    /// The id of the rule that was broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The ply that is not legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<String>,
    /// Legal plies that may have been meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub possible: Vec<String>,
}

/// A fault without a rule.
#[must_use]
pub fn fault(code: FaultCode, words: impl Into<String>) -> FaultReport {
    FaultReport {
        code,
        words: words.into(),
        ..FaultReport::default()
    }
}

/// Kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FaultCode {
    /// The line is too long.
    TooLong,
    /// It is not a JSON object, or a field is missing or of another type.
    #[default]
    Unreadable,
    /// The type of message is unknown.
    UnknownType,
    /// The message is not allowed at this point: a `go` before a game, or while another one is open.
    OutOfTurn,
    /// The game, its options or its initial position are not supported.
    Unplayable,
    /// A ply is not legal.
    Illegal,
    /// A ply is written so that it could be several. Only a desk says that.
    Ambiguous,
    /// There are too many plies to list.
    TooMany,
    /// Somebody else may do it.
    NotAllowed,
    /// It is allowed, but could not be done: a file cannot be written, for example.
    NotDone,
    /// It is done and in the journal of a desk, but the file of the record was not written.
    NotWritten,
}

/// An engine's evaluation, from its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thinking {
    /// The score, in centipawns. A forced win counts 1000000 minus the plies to it, a forced loss the
    /// negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds since `go`, by the engine's own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
}

/// The plies that an engine plays.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// One act, or several of the same turn in order.
    pub plies: Vec<String>,
    /// Its final evaluation.
    #[serde(flatten)]
    pub thinking: Thinking,
}

/// A claim instead of a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// What is claimed.
    pub claim: Claimed,
}

/// What can be claimed, if the game has such a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Claimed {
    /// The position has repeated itself.
    Repetition,
    /// Too many moves without progress: fifty in chess, a hundred mega-moves; on linked boards the kings are then
    /// counted.
    Progress,
}

/// Selects a board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnBoard {
    /// Its name. If absent: the one that is due, or all boards if any may be moved on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
}

/// How much to take back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undo {
    /// The number of plies.
    #[serde(default = "one::<u32>")]
    pub plies: u32,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// As FEN.
    pub fen: String,
    /// The seat that is to act; absent if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// On linked boards: the board that is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Plies made since the start.
    pub plies: usize,
    /// The number of legal plies of the seat that is to act; absent if it is too large for 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<u64>,
    /// `ongoing`, `check`, or how the game ended by the position, as `moves` reports it.
    pub status: String,
    /// How the game ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
}

/// The legal plies.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Legal {
    /// In coordinates, always in the same order; empty if the game is over.
    pub plies: Vec<String>,
    /// The boards on the squares of the board that was asked about which are games themselves and are being played. Only
    /// a desk says that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<String>,
}

/// The plies that were played.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Played {
    /// As records write them, one for each ply, including the sign.
    pub san: Vec<String>,
    /// How the game ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that a parsed line is written back unchanged.
    fn comes_back<T: Serialize + for<'a> Deserialize<'a>>(line: &str) -> T {
        let message: T = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&message).unwrap(), line);
        message
    }

    #[test]
    fn every_message_of_a_runner_is_read_as_it_is_written() {
        for line in [
            r#"{"type":"hello","protocol":1,"runner":"overboard 0.1.0"}"#,
            r#"{"type":"option","name":"Seed","value":"7"}"#,
            r#"{"type":"game","game":3,"variant":"strategichess","boards":2,"seats":["W:A","B:A"],"yours":["W:A"]}"#,
            r#"{"type":"game","game":0,"variant":"mega-chess","level":2,"rules":"turns=free","start":"x"}"#,
            r#"{"type":"moves","plies":["A.e4e7","flag W:A"]}"#,
            r#"{"type":"go","seat":"W:A","board":"A","clocks":{"W:A":{"left":1000,"increment":10,"moves":4}},"legal":["A.--"]}"#,
            r#"{"type":"go","time":100,"depth":3,"nodes":9}"#,
            r#"{"type":"stop"}"#,
            r#"{"type":"ping","number":4}"#,
            r#"{"type":"over","result":"1-0","cause":"checkmate","words":"checkmate"}"#,
            r#"{"type":"over"}"#,
            r#"{"type":"error","code":"illegal","words":"no","rule":"CH-15","ply":"c3b5","possible":["b1a3"]}"#,
            r#"{"type":"quit"}"#,
            r#"{"type":"position"}"#,
            r#"{"type":"legal","board":"B"}"#,
            r#"{"type":"play","plies":["e2e4"]}"#,
            r#"{"type":"undo","plies":2}"#,
        ] {
            comes_back::<ToEngine>(line);
        }
    }

    #[test]
    fn every_message_of_an_engine_is_read_as_it_is_written() {
        for line in [
            r#"{"type":"hello","protocol":1,"name":"Ann 1","author":"Bob","variants":["chess"],"legal":true,"options":[{"name":"Seed","default":"1","help":"Chance."}]}"#,
            r#"{"type":"ready"}"#,
            r#"{"type":"info","score":-12,"depth":4,"nodes":900,"time":3}"#,
            r#"{"type":"play","plies":["D2.e2e4","B1C3"],"score":7}"#,
            r#"{"type":"resign"}"#,
            r#"{"type":"claim","claim":"repetition"}"#,
            r#"{"type":"pong","number":4}"#,
            r#"{"type":"position","fen":"x","seat":"W","plies":0,"legal":20,"status":"ongoing"}"#,
            r#"{"type":"legal","plies":[]}"#,
            r#"{"type":"played","san":["e4"],"over":{"result":"1-0","cause":"checkmate"}}"#,
            r#"{"type":"error","code":"too-many","words":"too many"}"#,
        ] {
            comes_back::<FromEngine>(line);
        }
    }

    #[test]
    fn what_is_left_out_is_as_usual_and_what_is_more_is_passed_over() {
        let game: ToEngine =
            serde_json::from_str(r#"{"variant":"chess","type":"game","colour":1}"#).unwrap();
        assert_eq!(game, ToEngine::Game(NewGame::of("chess")));
        let undo: ToEngine = serde_json::from_str(r#"{"type":"undo"}"#).unwrap();
        assert_eq!(undo, ToEngine::Undo(Undo { plies: 1 }));
        for bad in [
            "",
            "{}",
            "[]",
            r#"{"type":"dance"}"#,
            r#"{"type":"moves"}"#,
            r#"{"type":"go","seat":"X"}"#,
        ] {
            assert!(serde_json::from_str::<ToEngine>(bad).is_err(), "{bad}");
        }
    }
}
