//! What is said beside the moves: judged with the whole record, by the referee of `check`.

use super::{ActError, Done, Keeper, Pending, is_objection, refused_by};
use crate::{
    journal::{Ended, Part},
    kept::{Made, Place, Remark},
    record::Mover,
};
use overboard_engines::external::lines::{FaultCode, Seat, fault};
use overboard_formats::{command, ply_rows::Kind};
use overboard_referee::{
    finding::{CLOCK_LEFT, Finding, Verdict},
    remedy::Remedy,
};
use overboard_rules::outcome::Ruling;

/// Which game is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The one that is going on.
    GameHere,
    /// That of the record, although another one may go on inside it.
    WholeRecord,
}

impl Scope {
    /// As messages have it: whether the game of the record is meant.
    #[must_use]
    pub const fn of(whole: bool) -> Self {
        if whole {
            Self::WholeRecord
        } else {
            Self::GameHere
        }
    }
}

/// What may be said as a command in a comment.
const SAYABLE: [&str; 10] = [
    "resign",
    "draw",
    "claim",
    "flag",
    "illegal",
    "order",
    "penalty",
    "infraction",
    "player",
    "clk",
];

/// What the referee says about a command before it is part of the record.
struct Weighed {
    remark: Remark,
    /// How its game ends by it.
    ruling: Option<Ruling>,
    /// The flags that fall by it, on boards where play goes on.
    fallen: Vec<Made>,
    notes: Vec<Finding>,
    remedy: Option<Remedy>,
}

impl Keeper {
    /// Says what a record has as a command in a comment: `resign W`, `claim threefold Nf3`, `order …`.
    ///
    /// # Errors
    /// What the referee objects to; that it could not be made durable.
    pub fn say(&mut self, words: &str, scope: Scope) -> Result<Done, ActError> {
        self.check_open()?;
        let words = self.completed(words, scope)?;
        if let Some(made) = self.flag_on_board(&words) {
            return self.commit_fallen(vec![made], &words, Vec::new());
        }
        let weighed = self.weigh(&words, &self.path_to(scope))?;
        if let Some(finding) = weighed.notes.iter().find(|finding| is_objection(finding)) {
            let refused = refused_by(finding);
            self.pending = Some(Pending::Command(words, scope));
            return Err(refused);
        }
        self.commit_said(&words, scope, weighed)
    }

    /// Says what was refused, whatever the referee objects to.
    fn say_refused(&mut self, words: &str, scope: Scope) -> Result<Done, ActError> {
        self.check_open()?;
        if let Some(made) = self.flag_on_board(words) {
            return self.commit_fallen(vec![made], words, Vec::new());
        }
        let weighed = self.weigh(words, &self.path_to(scope))?;
        self.commit_said(words, scope, weighed)
    }

    /// Puts words into the record, with what follows from them.
    fn commit_said(
        &mut self,
        words: &str,
        scope: Scope,
        Weighed {
            remark,
            ruling,
            fallen,
            notes,
            remedy,
        }: Weighed,
    ) -> Result<Done, ActError> {
        let done = if fallen.is_empty() {
            let mut parts = vec![Part::Remark(remark)];
            parts.extend(self.offer_by(words, scope));
            if let Some(ruling) = ruling {
                parts.push(self.end_of(&self.path_to(scope), ruling)?);
            }
            self.commit(parts)?;
            Done {
                notes,
                remedy,
                ..Done::default()
            }
        } else {
            self.commit_fallen(fallen, words, notes)?
        };
        self.is_bound = words.starts_with("claim ");
        Ok(done)
    }

    /// Puts the words after the flags that fall by them, on boards where play goes on.
    fn commit_fallen(
        &mut self,
        fallen: Vec<Made>,
        words: &str,
        notes: Vec<Finding>,
    ) -> Result<Done, ActError> {
        let mut parts = Vec::from_iter(fallen.iter().cloned().map(Part::Made));
        parts.push(Part::Remark(command_at(words, Place::Ply)));
        self.commit(parts)?;
        Ok(Done {
            made: fallen,
            notes,
            ..Done::default()
        })
    }

    /// Judges the record with and without a command in the game with this path.
    fn weigh(&self, words: &str, here: &str) -> Result<Weighed, ActError> {
        let rows = self.state.game.rows();
        let has_begun = rows
            .last()
            .is_none_or(|row| row.kind != Kind::Start || here.is_empty());
        // What is said before the first ply of a game inside stands at its beginning.
        let place = if may_end(words) && has_begun {
            Place::End(here.to_owned())
        } else {
            Place::Game(here.to_owned())
        };
        let remark = command_at(words, place);
        let attempt = words.strip_prefix("illegal ");
        let mover = match attempt {
            Some(attempt) => self.attempted_by(attempt),
            None => self.side().into(),
        };
        let before = self.judged(None, mover)?;
        let after = self.judged(Some(&remark), mover)?;
        let ruling = match here {
            "" => after.ended,
            _ => after.inside.ended,
        };
        let mut notes: Vec<_> = after.since(&before).into_iter().cloned().collect();
        if ruling.is_some() {
            // The result follows from this act, and is not written yet.
            notes.retain(|finding| finding.code.verdict != Verdict::WrongResult);
        }
        if let Some(side) = words
            .strip_prefix("flag ")
            .and_then(|side| command::side(side.as_bytes()))
            && self.has_fallen(here, side)
        {
            // The record has what a clock showed after the last move; the desk knows what it shows now.
            notes.retain(|finding| *finding.code != CLOCK_LEFT);
        }
        let new_flags = after.flags.iter().skip(before.flags.len());
        let fallen = new_flags.filter_map(|flag| self.state.game.event(flag));
        Ok(Weighed {
            remark,
            ruling,
            fallen: fallen.collect(),
            notes,
            remedy: if attempt.is_some() {
                before.inside.remedy
            } else {
                None
            },
        })
    }

    /// Who makes an attempt: the side that it names, or that is to act on the board that it names.
    pub(super) fn attempted_by<'a>(&self, attempt: &'a str) -> Mover<'a> {
        let named = attempt
            .split_once(' ')
            .and_then(|(letter, ply)| Some((command::side(letter.as_bytes())?, ply)));
        let ply = named.map_or(attempt, |(_, ply)| ply);
        let board = ply.split_once('.').map_or("", |(board, _)| board);
        let side = named.map(|(side, _)| side);
        let dues = self.state.game.dues();
        let there = dues.iter().find(|(path, _)| **path == *board);
        let due = || there.map_or_else(|| self.side(), |(_, side)| *side);
        Mover {
            side: side.unwrap_or_else(due),
            board,
        }
    }

    /// That a game has ended: that of the record, or one inside.
    fn end_of(&self, here: &str, ruling: Ruling) -> Result<Part, ActError> {
        let result = ruling.outcome.as_str();
        if here.is_empty() {
            let word = ruling.cause.tag().unwrap_or_default();
            let termination = self.termination(result, word);
            return Ok(Part::Over(Some(Ended::of(ruling.into(), termination))));
        }
        Ok(Part::Made(self.inside_ended(here, result)?))
    }

    /// The flag that falls on one of linked boards by these words.
    fn flag_on_board(&self, words: &str) -> Option<Made> {
        let fallen = words.strip_prefix("flag ")?;
        if fallen.contains(':') {
            self.state.game.event(&format!("flag {fallen}"))
        } else {
            None
        }
    }

    /// A command with the side that it leaves out: the one that is to act.
    fn completed(&self, words: &str, scope: Scope) -> Result<String, ActError> {
        let words = words.trim();
        let name = words.split(' ').next().unwrap_or_default();
        let quotes = words.matches('"').count();
        if !quotes.is_multiple_of(2)
            || words.contains(['{', '}', '\n', '\r'])
            || (quotes == 0 && words.contains(']'))
        {
            let words = "a command cannot hold brackets, braces or a line break";
            return Err(fault(FaultCode::Unreadable, words).into());
        }
        if !SAYABLE.contains(&name) {
            let known = SAYABLE.join(", ");
            let words = format!("`{name}` is not a command; known are {known}");
            return Err(fault(FaultCode::Unreadable, words).into());
        }
        let side = match words {
            "resign" => self.speaking_side(words, scope),
            "flag" => self.side(),
            _ => return Ok(words.to_owned()),
        };
        Ok(format!("{words} {}", Seat::from(side)))
    }

    /// The path to the game that is meant.
    pub(super) fn path_to(&self, scope: Scope) -> String {
        match scope {
            Scope::WholeRecord => String::new(),
            Scope::GameHere => self.state.game.here(),
        }
    }

    /// Records what was refused last: an illegal move as an attempt, a wrong claim as it was made.
    ///
    /// # Errors
    /// That there is nothing to record; that it could not be made durable.
    pub fn record_refused(&mut self) -> Result<Done, ActError> {
        match self.pending.take() {
            Some(Pending::Attempt(text)) => self.say(&format!("illegal {text}"), Scope::GameHere),
            Some(Pending::Command(words, scope)) => self.say_refused(&words, scope),
            None => {
                let words = "nothing was refused since the last act";
                Err(fault(FaultCode::OutOfTurn, words).into())
            }
        }
    }

    /// Ends a game by decision of the arbiter. `*` breaks the game of the record off. Its words become the tag
    /// Termination; for a game inside they are a comment.
    ///
    /// # Errors
    /// That this is no result; that it could not be made durable.
    pub fn end(&mut self, result: &str, words: &str, scope: Scope) -> Result<Done, ActError> {
        self.check_open()?;
        let is_one = ["1-0", "0-1", "1/2-1/2", "*"].contains(&result);
        if !is_one || words.contains(['{', '}', '\n', '\r']) {
            let words = "a result is 1-0, 0-1, 1/2-1/2 or *, and its reason a line without braces";
            return Err(fault(FaultCode::Unreadable, words).into());
        }
        let here = self.state.game.here();
        if scope == Scope::GameHere && !here.is_empty() && result != "*" {
            return self.end_inside(&here, result, words);
        }
        let mut parts = Vec::new();
        // What is open inside stops there, and so does a turn.
        if self.state.game.is_within_turn() || !here.is_empty() {
            parts.push(Part::Remark(Remark {
                text: String::new(),
                place: Place::End(String::new()),
            }));
        }
        parts.push(Part::Over(Some(Ended {
            result: result.into(),
            termination: self.termination(result, words),
            cause: String::new(),
            words: match words {
                "" => "by decision of the arbiter".into(),
                word => word.to_owned(),
            },
        })));
        self.commit(parts)
    }

    /// The tag Termination: a turn may break off only where the record says that the game was stopped (MG-3).
    fn termination(&self, result: &str, word: &str) -> Option<String> {
        let word = match (word, result) {
            ("", _) if !self.state.game.is_within_turn() => return None,
            ("", "*") => "unterminated",
            ("", _) => "abandoned",
            (word, _) => word,
        };
        Some(word.to_owned())
    }

    fn end_inside(&mut self, here: &str, result: &str, words: &str) -> Result<Done, ActError> {
        let made = self.inside_ended(here, result)?;
        let mut parts = vec![Part::Made(made.clone())];
        if !words.is_empty() {
            parts.push(Part::Remark(Remark {
                text: format!("{{{words}}}"),
                place: Place::Last,
            }));
        }
        self.commit(parts)?;
        Ok(Done {
            made: vec![made],
            ..Done::default()
        })
    }

    /// That the game with this path ends with a result.
    fn inside_ended(&self, here: &str, result: &str) -> Result<Made, ActError> {
        let made = self.state.game.event(&format!("{here}.{result}"));
        made.ok_or_else(|| {
            let words = format!("the game on {here} cannot end here");
            fault(FaultCode::OutOfTurn, words).into()
        })
    }
}

/// Whether a command may end its game.
fn may_end(words: &str) -> bool {
    let name = words.split(' ').next().unwrap_or_default();
    matches!(name, "resign" | "flag" | "claim") || words == "draw agreed"
}

pub(super) fn command_at(words: &str, place: Place) -> Remark {
    let text = format!("{{[%{words}]}}");
    Remark { text, place }
}
