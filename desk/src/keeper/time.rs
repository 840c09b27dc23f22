//! Time: clocks that run, flags that fall, the common end of a match.

use super::{ActError, BEAT, Done, Keeper, Notice, saying::command_at};
use crate::{
    clock::{Clocks, Hand},
    journal::{Ended, Part, What},
    kept::{Place, Remark},
};
use overboard_engines::external::lines::{FaultCode, fault};
use overboard_formats::ply_rows::Kind;
use overboard_referee::commands::tell_time;
use overboard_rules::{outcome::Outcome, square::Side};
use std::time::Duration;

impl Keeper {
    /// Lets time pass up to a moment, counted from any fixed one; returns what has happened by then.
    ///
    /// # Errors
    /// That the clocks, or the end of the game, could not be made durable.
    pub fn pass_to(&mut self, now: Duration) -> Result<Vec<Notice>, ActError> {
        self.catch_up();
        let time = now.saturating_sub(self.now);
        self.now = now;
        if self.state.over.is_some() {
            return Ok(Vec::new());
        }
        let until = self.terms.until;
        let Some(clocks) = &mut self.clocks else {
            return Ok(Vec::new());
        };
        let left = until.map_or(u64::MAX, |until| until.saturating_sub(clocks.played()));
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        clocks.pass(time.min(left));
        let mut notices = Vec::new();
        for hand in clocks.fallen() {
            if !self.reported.contains(&hand) {
                self.reported.push(hand.clone());
                notices.push(Notice::Flag(hand));
            }
        }
        if until.is_some_and(|until| clocks.played() >= until) {
            notices.extend(self.end_by_time()?);
        } else if !clocks.running().is_empty() && now.saturating_sub(self.beat) >= BEAT {
            self.beat = now;
            let shown = clocks.shown();
            self.journal.add(What::Clocks(shown), self.wrote)?;
        }
        Ok(notices)
    }

    /// Time has ended a game that counts kings.
    fn end_by_time(&mut self) -> Result<Option<Notice>, ActError> {
        let Some(kings) = self.state.game.game().kings() else {
            return Ok(None);
        };
        let (white, black) = (kings[Side::White], kings[Side::Black]);
        let outcome = match white.cmp(&black) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::White),
            std::cmp::Ordering::Less => Outcome::Win(Side::Black),
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        let ended = Ended {
            result: outcome.to_string(),
            termination: None,
            cause: String::new(),
            words: format!("time is over, with {white} kings against {black}"),
        };
        self.commit(vec![
            Part::Tag("Score".into(), format!("{white}-{black}")),
            Part::Over(Some(ended.clone())),
        ])?;
        Ok(Some(Notice::Time(ended)))
    }

    /// The clock of a side in the game with this path.
    fn hand(&self, path: &str, side: Side) -> Hand {
        if self.state.game.boards() > 1 || self.terms.clock_for_each_game == Some(true) {
            return Hand::of(path, side);
        }
        Hand::of("", self.state.game.team(path, side))
    }

    /// The clocks of those who are to act.
    pub(super) fn due_hands(&self) -> Vec<Hand> {
        if self.clocks.is_none() || self.state.over.is_some() {
            return Vec::new();
        }
        let due = self.state.game.dues();
        let hands = due.iter().map(|(path, side)| self.hand(path, *side));
        hands.collect()
    }

    /// From now on the clocks of those run who are to act.
    pub(super) fn run_clocks(&mut self) {
        let hands = self.due_hands();
        if let Some(clocks) = &mut self.clocks {
            clocks.run(hands);
        }
    }

    /// Whoever was to act and is not any more has pressed the clock, now that these parts of an act are done; what it then
    /// shows is part of the act.
    pub(super) fn press(&mut self, due: &[Hand], parts: &[Part]) -> Vec<Part> {
        if self.clocks.is_none() {
            return Vec::new();
        }
        let last = parts.iter().rev().find_map(|part| match part {
            Part::Made(made) if made.kind == Kind::Ply => Some(made),
            _ => None,
        });
        let after = self.due_hands();
        let has_boards = self.state.game.boards() > 1;
        let (Some(last), Some(clocks)) = (last, &mut self.clocks) else {
            return Vec::new();
        };
        // Before the arbiter has started the clocks, nothing is known about time.
        if clocks.is_paused() && clocks.played() == 0 {
            return Vec::new();
        }
        let own = due.iter().find(|hand| {
            let is_there = !has_boards || hand.path == last.path;
            is_there && !after.contains(hand)
        });
        let Some(hand) = own else {
            return Vec::new();
        };
        clocks.press(hand);
        let mut said = format!("[%clk {}]", tell_time(clocks.left(hand)));
        if has_boards {
            said = format!("{said} [%ts {}]", tell_time(clocks.played()));
        }
        let remark = Remark {
            text: format!("{{{said}}}"),
            place: Place::Ply,
        };
        vec![Part::Remark(remark), Part::Clocks(clocks.shown())]
    }

    /// The clock that somebody names by a side and a game: the one that runs for it.
    fn hand_named(&self, named: &Hand) -> Result<Hand, ActError> {
        let clocks = self.clocks.as_ref().ok_or_else(no_clocks)?;
        let hand = self.hand(&named.path, named.side());
        let mut known = clocks.shown().faces.into_iter().map(|face| face.hand);
        if known.any(|known| known == hand) {
            return Ok(hand);
        }
        let words = format!(
            "there is no clock of {} on `{}`; `time` lists the clocks",
            named.side(),
            named.path
        );
        Err(fault(FaultCode::NotDone, words).into())
    }

    /// Whether the clock of a side in the game with this path shows no time.
    pub(super) fn has_fallen(&self, path: &str, side: Side) -> bool {
        let hand = self.hand(path, side);
        self.clocks
            .as_ref()
            .is_some_and(|clocks| clocks.left(&hand) == 0)
    }

    /// Lets the clocks run, or stops them.
    ///
    /// # Errors
    /// That there are none; that it could not be made durable.
    pub fn pause(&mut self, paused: bool) -> Result<Done, ActError> {
        let clocks = self.clocks.as_mut().ok_or_else(no_clocks)?;
        clocks.pause(paused);
        let shown = clocks.shown();
        self.journal.add(What::Clocks(shown), self.wrote)?;
        self.ask_programs();
        Ok(Done::default())
    }

    /// The arbiter sets a clock, in milliseconds.
    ///
    /// # Errors
    /// That there are none; that it could not be made durable.
    pub fn set_clock(&mut self, hand: &Hand, left: u64) -> Result<Done, ActError> {
        let changed = self.changed(hand, |clocks, hand| clocks.set(hand, left))?;
        self.commit(vec![changed])
    }

    /// The arbiter gives a player time, or takes it away, in seconds; the record says so.
    ///
    /// # Errors
    /// That there are none; that it could not be made durable.
    pub fn give_time(&mut self, hand: &Hand, seconds: i64) -> Result<Done, ActError> {
        let side = if hand.white { "W" } else { "B" };
        let more = seconds.saturating_mul(1_000);
        let changed = self.changed(hand, |clocks, hand| clocks.give(hand, more))?;
        let remark = command_at(&format!("penalty {side} {seconds:+}"), Place::Ply);
        self.commit(vec![Part::Remark(remark), changed])
    }

    /// Changes a clock, whose flag may then fall again; returns how the clocks stand.
    fn changed(
        &mut self,
        named: &Hand,
        change: impl FnOnce(&mut Clocks, &Hand),
    ) -> Result<Part, ActError> {
        let hand = self.hand_named(named)?;
        let clocks = self.clocks.as_mut().ok_or_else(no_clocks)?;
        change(clocks, &hand);
        self.reported.retain(|reported| *reported != hand);
        Ok(Part::Clocks(clocks.shown()))
    }

    /// The clocks as they stand: each with its time in milliseconds and whether it runs; none without a time control.
    #[must_use]
    pub fn clocks(&self) -> Vec<(Hand, u64, bool)> {
        let Some(clocks) = &self.clocks else {
            return Vec::new();
        };
        let faces = clocks.shown().faces.into_iter();
        let running = clocks.running();
        faces
            .map(|face| {
                let runs = running.contains(&face.hand);
                (face.hand, face.left, runs)
            })
            .collect()
    }

    /// Whether the record has clocks.
    #[must_use]
    pub fn has_clocks(&self) -> bool {
        self.clocks.is_some()
    }
}

fn no_clocks() -> ActError {
    let words = "this record has no clocks: its tag TimeControl says nothing about them";
    fault(FaultCode::OutOfTurn, words).into()
}
