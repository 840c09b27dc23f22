//! The protocol of a desk: one JSON object on each line, as in `serve --proto lines`.
//!
//! Whoever keeps the record writes [`ToDesk`], the desk answers with [`FromDesk`]; every line is one object whose field
//! `type` says which message it is. Each message has one answer. `notice` comes by itself, when time has brought
//! something about. Messages of both protocols, such as `play`, `legal` and `position`, mean the same in both.
//!
//! ```text
//! you   {"type":"play","plies":["e4"]}
//! desk  {"type":"played","san":["e4"],"plies":["e2e4"]}
//! you   {"type":"play","plies":["Ke3"]}
//! desk  {"type":"error","code":"illegal","words":"…","rule":"CH-13"}
//! you   {"type":"play","plies":["Ke2"],"by":"Bob"}
//! desk  {"type":"error","code":"not-allowed","words":"Bob is not to move; Ann is"}
//! you   {"type":"say","words":"resign"}
//! desk  {"type":"played","over":{"result":"1-0","cause":"resignation","words":"resignation"}}
//! ```

use crate::{
    attendant::Answer,
    clock::Hand,
    journal::Ended,
    keeper::{Act, ActError, Answered, Done, Keeper, Notice, OnEdit, Refused, Scope, Vote},
    words::{self, Typed},
};
use overboard_engines::{
    external::lines::{
        FaultCode, FaultReport, Legal, Number, OnBoard, Over, Position, Seat, fault,
    },
    manifest::one,
};
use overboard_formats::{command::duration, foreign::Foreign, ply_rows::Kind};
use overboard_referee::{
    finding::{Finding, Severity},
    remedy::Remedy,
};
use overboard_rules::square::Side;
use serde::{Deserialize, Serialize};

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;
/// The most bytes of a line to a desk, without the line end.
pub const LONGEST: usize = 64 << 10;

/// A message to a desk, and who sends it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sent {
    /// A player, a captain or a Commander, by name as the record has it: only what is theirs is done. Nobody is the
    /// arbiter, who may do anything.
    #[serde(default)]
    pub by: Option<String>,
    /// What is to be done.
    #[serde(flatten)]
    pub message: ToDesk,
}

impl From<ToDesk> for Sent {
    /// A message of the arbiter.
    fn from(message: ToDesk) -> Self {
        Self { by: None, message }
    }
}

/// A message to a desk.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToDesk {
    /// Answered by `hello`.
    Hello,
    /// Answered by `pong` with the same number.
    Ping(Number),
    /// Asks for the position; answered by `position`.
    Position,
    /// Asks for the legal plies; answered by `legal`.
    Legal(OnBoard),
    /// Plays what these texts mean, in coordinates or as records write it, all of it or nothing. Answered by `played`.
    Play(Texts),
    /// Does what this line does in a terminal. Answered as the message that it stands for.
    Typed(Line),
    /// Says what a record has as a command in a comment: `resign W`, `draw agreed`, `claim threefold Nf3`, `flag B`,
    /// `order …`, `illegal Nf9`. Answered by `played`.
    Say(Words),
    /// Records what was refused last: an illegal move as an attempt, a wrong claim as it was made.
    Record,
    /// Adds a comment after the last ply.
    Comment(Text),
    /// Sets a tag of the record.
    Tag(TagPair),
    /// Takes back the last acts, by default one.
    Undo(Acts),
    /// With a result: ends the game by decision of the arbiter. Without: asks how it ended; answered by `over`.
    Over(Verdict),
    /// Asks who is to act; answered by `due`.
    Due,
    /// Asks what the clocks show; answered by `clocks`.
    Clocks,
    /// Lets the clocks run.
    Start,
    /// Stops them.
    Pause,
    /// Sets a clock.
    Set(ClockTime),
    /// Gives a player time, or takes it away.
    Give(ClockSeconds),
    /// Asks for the record as it stands; answered by `text`.
    Text,
    /// Asks what the referee finds in the record so far; answered by `findings`.
    Check,
    /// Goes on where somebody else has changed the file. Answered by `played`.
    Settle(Settled),
    /// Enters the result of a game that is over in its event, at a desk for a round. Answered by `notice`.
    Enter,
    /// Ends the desk. The record is whole.
    Quit,
}

/// A message from a desk.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FromDesk {
    /// The answer to `hello`.
    Hello(Greeting),
    /// The answer to `ping`.
    Pong(Number),
    /// The answer to `position`.
    Position(Position),
    /// The answer to `legal`.
    Legal(Legal),
    /// An act was done, and is on disk.
    Played(Report),
    /// Why a message was not carried out.
    Error(Fault),
    /// The answer to an `over` without a result; it has no result either if the game goes on.
    Over(Over),
    /// The answer to `due`.
    Due(Dues),
    /// The answer to `clocks`.
    Clocks(ClockList),
    /// The answer to `text`.
    Text(Text),
    /// The answer to `check`.
    Findings(Notes),
    /// Time has brought something about.
    Notice(Said),
    /// The answer to `quit`.
    Bye,
}

/// Texts of plies.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Texts {
    /// In the order in which they are played: `Nf3`, `A:Nf3`, `A2.e4`, `e5.setup PPP2PPP/RNBQKBNR`.
    pub plies: Vec<String>,
}

/// What is said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Words {
    /// The command as a record has it, without its brackets.
    pub words: String,
    /// Whether it concerns the game of the record although another one goes on inside it.
    #[serde(default)]
    pub whole: bool,
}

/// A typed line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// A move, or a word with what follows it.
    pub line: String,
}

/// Whose record goes on where somebody else has changed the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// The desk's; what is in the file is put beside it.
    Keep,
    /// That of the file.
    Take,
}

/// What is to be done where somebody else has changed the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settled {
    /// Whose record goes on.
    pub whose: Kept,
}

/// A text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Text {
    /// The text.
    pub text: String,
}

/// A tag pair.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TagPair {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// How many acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Acts {
    /// Their number.
    #[serde(default = "one::<u32>")]
    pub acts: u32,
}

/// How a game is to end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that is broken off.
    #[serde(default)]
    pub result: Option<String>,
    /// The tag Termination, such as `adjudication`.
    #[serde(default)]
    pub termination: String,
    /// Whether it concerns the game of the record although another one goes on inside it.
    #[serde(default)]
    pub whole: bool,
}

/// A clock and what it is to show.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockTime {
    /// Whose: `W`, `B`, or with a board or the path to a game inside, `W:A`.
    pub seat: Seat,
    /// As `h:mm:ss`.
    pub time: String,
}

/// A clock and the time that it gains.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockSeconds {
    /// Whose: `W`, `B`, or with a board or the path to a game inside, `W:A`.
    pub seat: Seat,
    /// The seconds; below zero they are taken away.
    pub seconds: i64,
}

/// What a desk says first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Greeting {
    /// The version of the protocol.
    pub protocol: u32,
    /// The name of the game.
    pub variant: &'static str,
    /// The number of linked boards.
    pub boards: usize,
    /// Acts that can be taken back.
    pub acts: usize,
}

/// An act that was done.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The plies as records write them, with the sign of check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub san: Vec<String>,
    /// The same in coordinates, with those that records leave out and other events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plies: Vec<String>,
    /// What the referee says about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What an arbiter does about it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Remedy>,
    /// The votes about the next move, if a council has not decided yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub votes: Vec<Vote>,
    /// How the game ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
}

/// Why a message was not carried out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault {
    /// The reason.
    #[serde(flatten)]
    pub report: FaultReport,
    /// The plies of `possible` as records write them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub san: Vec<String>,
    /// What an arbiter does about it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Remedy>,
    /// Whether `record` would put it into the record all the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recordable: bool,
}

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Note {
    /// How serious it is.
    pub severity: Severity,
    /// Its code, as `check` has it.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: Foreign,
    /// The id of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
}

impl From<&Finding> for Note {
    fn from(finding: &Finding) -> Self {
        Self {
            severity: finding.severity,
            code: finding.code.id,
            message: finding.message.clone(),
            rule: finding.rule.map(|rule| rule.id),
        }
    }
}

/// Findings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notes {
    /// In the order of the record.
    pub findings: Vec<Note>,
}

/// Who is to act.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dues {
    /// The seats, on boards side by side one for each board.
    pub due: Vec<DueSeat>,
}

/// Somebody who is to act.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DueSeat {
    /// The side, and the board or the path to the game.
    pub seat: Seat,
    /// The team that it plays for, `White` or `Black` in the game of the record: in a sub-game the attacker has White.
    pub team: String,
    /// What is to be done, in words: `a move`, `the attacker's set-up on e5`.
    pub what: String,
    /// The people any of whom may do it; none if the record names nobody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Foreign>,
}

/// What the clocks show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockList {
    /// Each clock.
    pub clocks: Vec<ClockFace>,
}

/// What a clock shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockFace {
    /// Whose it is.
    pub seat: Seat,
    /// The time left, in milliseconds.
    pub left: u64,
    /// Whether it runs.
    pub running: bool,
}

/// What time has brought about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Said {
    /// For people.
    pub words: String,
    /// Whose flag has fallen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<Seat>,
    /// How the game ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
}

/// Parses a message, or says what is wrong with its line.
///
/// # Errors
/// That it is too long, no message, or of an unknown type.
pub fn read(text: &str) -> Result<Sent, FaultReport> {
    if text.len() > LONGEST {
        return Err(too_long(LONGEST));
    }
    overboard_engines::described::message(text)
}

impl Sent {
    /// The message that a typed line stands for.
    ///
    /// # Errors
    /// That there is no such line, or that only a terminal answers it.
    pub fn spelt_out(self) -> Result<Self, FaultReport> {
        let ToDesk::Typed(Line { line }) = &self.message else {
            return Ok(self);
        };
        let unreadable = |words: String| fault(FaultCode::Unreadable, words);
        let message = match words::read(line).map_err(unreadable)? {
            Typed::Message(sent) => {
                return Ok(Self {
                    by: self.by.or(sent.by),
                    message: sent.message,
                });
            }
            Typed::Keep => ToDesk::Settle(Settled { whose: Kept::Keep }),
            Typed::Take => ToDesk::Settle(Settled { whose: Kept::Take }),
            Typed::Board(_) | Typed::Fen | Typed::Help => {
                return Err(unreadable("this is for a terminal".into()));
            }
        };
        Ok(Self {
            by: self.by,
            message,
        })
    }
}

/// That a line has more bytes than are read.
#[must_use]
pub fn too_long(longest: usize) -> FaultReport {
    let words = format!("the line is longer than {longest} bytes");
    fault(FaultCode::TooLong, words)
}

/// Carries out a message.
pub fn answer(keeper: &mut Keeper, sent: Sent) -> FromDesk {
    match carried_out(keeper, sent) {
        Ok(answer) => answer,
        Err(error) => FromDesk::Error(fault_at(keeper, error)),
    }
}

fn carried_out(keeper: &mut Keeper, sent: Sent) -> Result<FromDesk, ActError> {
    let Sent { by, message } = sent.spelt_out()?;
    Ok(match message {
        ToDesk::Hello => FromDesk::Hello(greeting(keeper)),
        ToDesk::Ping(number) => FromDesk::Pong(number),
        ToDesk::Position => FromDesk::Position(position(keeper)),
        ToDesk::Legal(OnBoard { board }) => FromDesk::Legal(legal(keeper, board.as_deref())?),
        ToDesk::Over(Verdict { result: None, .. }) => {
            FromDesk::Over(over(keeper).unwrap_or_default())
        }
        ToDesk::Due => FromDesk::Due(called(keeper)),
        ToDesk::Clocks => FromDesk::Clocks(clocks(keeper)),
        ToDesk::Text => FromDesk::Text(Text {
            text: keeper.text(),
        }),
        ToDesk::Check => {
            let found = keeper.check()?.report.findings;
            FromDesk::Findings(Notes {
                findings: found.iter().map(Note::from).collect(),
            })
        }
        ToDesk::Quit if by.is_none() => FromDesk::Bye,
        ToDesk::Enter => {
            let words = "this desk was not begun for a round of an event";
            return Err(fault(FaultCode::NotDone, words).into());
        }
        act => {
            let done = done(keeper, by.as_deref(), act)?;
            FromDesk::Played(report(keeper, done))
        }
    })
}

/// Takes the answer of a program; what came of it, if anything.
pub fn answered(keeper: &mut Keeper, answer: Answer) -> Option<FromDesk> {
    match keeper.answered(answer) {
        Ok(Answered::Done(done)) => Some(FromDesk::Played(report(keeper, done))),
        Ok(Answered::Nothing) => None,
        Ok(Answered::Failed(seat, why)) => Some(FromDesk::Notice(Said {
            words: format!("the program at {seat} has failed and left: {}", why.shown()),
            flag: None,
            over: None,
        })),
        Err(error) => Some(FromDesk::Error(fault_at(keeper, error))),
    }
}

/// Does an act of the arbiter, or of somebody with a name.
fn done(keeper: &mut Keeper, by: Option<&str>, act: ToDesk) -> Result<Done, ActError> {
    let Some(name) = by else {
        return arbitrate(keeper, act);
    };
    match &act {
        ToDesk::Play(Texts { plies }) => keeper.act_of(name, Act::Play(plies)),
        ToDesk::Say(Words { words, whole }) => {
            keeper.act_of(name, Act::Say(words, Scope::of(*whole)))
        }
        ToDesk::Comment(Text { text }) => keeper.act_of(name, Act::Comment(text)),
        _ => {
            let words = "only the arbiter may do this";
            Err(fault(FaultCode::NotAllowed, words).into())
        }
    }
}

/// Does an act of the arbiter.
fn arbitrate(keeper: &mut Keeper, act: ToDesk) -> Result<Done, ActError> {
    match act {
        ToDesk::Play(Texts { plies }) => keeper.play(&plies),
        ToDesk::Say(Words { words, whole }) => keeper.say(&words, Scope::of(whole)),
        ToDesk::Record => keeper.record_refused(),
        ToDesk::Comment(Text { text }) => keeper.comment(&text),
        ToDesk::Tag(TagPair { name, value }) => keeper.tag(&name, &value),
        ToDesk::Undo(Acts { acts }) => keeper.undo(acts),
        ToDesk::Over(Verdict {
            result,
            termination,
            whole,
        }) => keeper.end(&result.unwrap_or_default(), &termination, Scope::of(whole)),
        ToDesk::Settle(Settled { whose }) => {
            let on_edit = match whose {
                Kept::Keep => OnEdit::Keep,
                Kept::Take => OnEdit::Take,
            };
            let settled = keeper.settle_edit(on_edit);
            settled.map_err(|error| fault(FaultCode::NotDone, error.to_string()))?;
            Ok(Done::default())
        }
        ToDesk::Start => keeper.pause(false),
        ToDesk::Pause => keeper.pause(true),
        ToDesk::Set(ClockTime { seat, time }) => {
            let unreadable = || fault(FaultCode::Unreadable, "a clock shows h:mm:ss");
            let left = duration(time.as_bytes()).ok_or_else(unreadable)?;
            keeper.set_clock(&hand(&seat), left)
        }
        ToDesk::Give(ClockSeconds { seat, seconds }) => keeper.give_time(&hand(&seat), seconds),
        _ => Ok(Done::default()),
    }
}

fn hand(seat: &Seat) -> Hand {
    Hand::of(&seat.of, seat.side)
}

pub(crate) fn seat(path: &str, side: Side) -> Seat {
    Seat {
        side,
        of: path.to_owned(),
    }
}

fn greeting(keeper: &Keeper) -> Greeting {
    let game = keeper.state().game.game();
    Greeting {
        protocol: PROTOCOL,
        variant: game.variant().name(),
        boards: game.boards(),
        acts: keeper.acts(),
    }
}

/// The position, as the record has it: a game that ended by something else than its plies is over, too.
fn position(keeper: &Keeper) -> Position {
    let position = keeper.state().game.position();
    match over(keeper) {
        Some(over) => Position {
            seat: None,
            board: None,
            legal: Some(0),
            over: Some(over),
            ..position
        },
        None => position,
    }
}

fn legal(keeper: &Keeper, board: Option<&str>) -> Result<Legal, FaultReport> {
    if keeper.state().over.is_some() {
        return Ok(Legal::default());
    }
    let game = &keeper.state().game;
    let boards = match board {
        Some(name) => game.boards_on(name)?,
        None => Vec::new(),
    };
    Ok(Legal {
        plies: game.legal(board)?,
        boards,
    })
}

/// How the game ended, if it has.
#[must_use]
pub fn over(keeper: &Keeper) -> Option<Over> {
    keeper.state().over.as_ref().map(over_of)
}

fn over_of(ended: &Ended) -> Over {
    Over {
        result: Some(ended.result.clone()),
        cause: ended.cause.clone(),
        words: ended.words.clone(),
    }
}

/// Who is to act.
#[must_use]
pub fn dues(keeper: &Keeper) -> Dues {
    let state = keeper.state();
    let dues = match state.over {
        Some(_) => Vec::new(),
        None => state.game.dues(),
    };
    let what = state.game.game().due_in_words();
    let due = dues.into_iter().map(|(path, side)| DueSeat {
        seat: seat(&path, side),
        team: state.game.team(&path, side).to_string(),
        what: what.clone(),
        names: Vec::new(),
    });
    Dues { due: due.collect() }
}

/// Who is to act, by name.
#[must_use]
pub fn called(keeper: &Keeper) -> Dues {
    let mut dues = dues(keeper);
    for DueSeat { seat, names, .. } in &mut dues.due {
        let called = keeper.due_names(&seat.of, seat.side);
        names.extend(called.into_iter().map(Foreign::from));
    }
    dues
}

/// What the clocks show.
#[must_use]
pub fn clocks(keeper: &Keeper) -> ClockList {
    let clocks = keeper.clocks().into_iter();
    let faces = clocks.map(|(hand, left, running)| ClockFace {
        seat: seat(&hand.path, hand.side()),
        left,
        running,
    });
    ClockList {
        clocks: faces.collect(),
    }
}

fn report(keeper: &Keeper, done: Done) -> Report {
    let plies = done.made.iter().map(|made| made.coord.clone()).collect();
    let said = done.made.iter().filter(|made| made.kind == Kind::Ply);
    Report {
        san: said.map(|made| made.san.clone()).collect(),
        plies,
        notes: done.notes.iter().map(Note::from).collect(),
        remedy: done.remedy,
        votes: keeper.votes(),
        over: over(keeper),
    }
}

/// Why something was not done, as a message.
#[must_use]
pub fn fault_of(error: ActError) -> Fault {
    let code = match error {
        ActError::Refused(refused) => {
            let Refused {
                report,
                remedy,
                is_recordable,
            } = *refused;
            return Fault {
                report,
                san: Vec::new(),
                remedy,
                recordable: is_recordable,
            };
        }
        ActError::NotDurable(_) => FaultCode::NotDone,
        ActError::Edited(_) | ActError::NotWritten(_) => FaultCode::NotWritten,
    };
    fault(code, error.to_string()).into()
}

impl From<FaultReport> for Fault {
    fn from(report: FaultReport) -> Self {
        Self {
            report,
            ..Self::default()
        }
    }
}

/// The same, with what was possible as records write it.
fn fault_at(keeper: &Keeper, error: ActError) -> Fault {
    let fault = fault_of(error);
    let game = &keeper.state().game;
    let san = |ply: &String| game.san(ply).unwrap_or_else(|| ply.clone());
    Fault {
        san: fault.report.possible.iter().map(san).collect(),
        ..fault
    }
}

/// What time has brought about, as a message.
#[must_use]
pub fn notice(notice: &Notice) -> Said {
    match notice {
        Notice::Flag(hand) => {
            let on = match &*hand.path {
                "" => String::new(),
                path => format!(" on {path}"),
            };
            Said {
                words: format!("{}'s flag has fallen{on}", hand.side()),
                flag: Some(seat(&hand.path, hand.side())),
                over: None,
            }
        }
        Notice::Time(ended) => Said {
            words: format!("{}: {}", ended.words, ended.result),
            flag: None,
            over: Some(over_of(ended)),
        },
    }
}
