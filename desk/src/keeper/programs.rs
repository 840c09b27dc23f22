//! Programs at seats: asked when their turn comes, and treated like anybody who types.

use super::{ActError, Done, Keeper, Scope};
use crate::attendant::{Answer, Ask, Attendant, Choice, Hear, Sitter, SitterError};
use crate::clock::Clocks;
use overboard_engines::external::lines::Seat;
use overboard_formats::foreign::Foreign;
use overboard_rules::square::Side;
use std::collections::BTreeMap;

/// The programs at a game.
#[derive(Default)]
pub struct Programs {
    attendants: BTreeMap<Seat, Attendant>,
    /// How many times the game has changed: the number of questions about it.
    number: u64,
    /// The questions that are not answered yet: their numbers, by seat.
    asked: BTreeMap<Seat, u64>,
}

impl Programs {
    /// The game has changed.
    pub(super) const fn turn_over(&mut self) {
        self.number += 1;
    }
}

/// What came of the answer of a program.
#[derive(Debug)]
pub enum Answered {
    /// It was done.
    Done(Done),
    /// It came too late, or there is nothing to be done.
    Nothing,
    /// The program has failed, and sits there no longer.
    Failed(Seat, Foreign),
}

impl Keeper {
    /// Lets a program sit down; whoever hears its answers passes them on to [`answered`](Self::answered).
    ///
    /// # Errors
    /// Why it does not play this game.
    pub fn seat(
        &mut self,
        seat: Seat,
        sitter: Sitter,
        seed: u64,
        hear: Hear,
    ) -> Result<(), SitterError> {
        let rules = self.state.tag("Rules").unwrap_or_default();
        let game = &self.state.game;
        let attendant = game.attend(seat.clone(), sitter, (rules, seed), hear)?;
        self.programs.attendants.insert(seat, attendant);
        self.ask_programs();
        Ok(())
    }

    /// The seat of a side in the game with this path: its own board, or its team.
    fn seat_of(&self, path: &str, side: Side) -> Seat {
        if self.state.game.boards() > 1 {
            let own = Seat {
                side,
                of: path.into(),
            };
            if self.programs.attendants.contains_key(&own) {
                return own;
            }
        }
        self.state.game.team(path, side).into()
    }

    /// Asks the programs whose turn it is, unless the clocks stand.
    pub(super) fn ask_programs(&mut self) {
        let stand = self.clocks.as_ref().is_some_and(Clocks::is_paused);
        if self.programs.attendants.is_empty() || stand || self.state.over.is_some() {
            return;
        }
        let has_boards = self.state.game.boards() > 1;
        for (path, side) in self.state.game.dues() {
            let seat = self.seat_of(&path, side);
            let Some(attendant) = self.programs.attendants.get(&seat) else {
                continue;
            };
            if self.programs.asked.contains_key(&seat) {
                continue;
            }
            let number = self.programs.number;
            attendant.ask(Ask {
                number,
                line: self.state.game.steps().to_vec(),
                board: has_boards.then_some(path),
            });
            self.programs.asked.insert(seat, number);
        }
    }

    /// A program has answered.
    ///
    /// # Errors
    /// That the act could not be made durable.
    pub fn answered(&mut self, answer: Answer) -> Result<Answered, ActError> {
        let Answer {
            seat,
            number,
            choice,
        } = answer;
        self.programs.asked.remove(&seat);
        let is_late = number != self.programs.number;
        let done = match choice {
            // Elsewhere something has happened meanwhile; it may not be its turn any more, or not this ply.
            _ if is_late || self.state.over.is_some() => {
                self.ask_programs();
                return Ok(Answered::Nothing);
            }
            Choice::Ply(ply) => self.play(&[ply]),
            Choice::Resigns => {
                let words = format!("resign {}", Seat::from(seat.side));
                self.say(&words, Scope::WholeRecord)
            }
            Choice::Claims(words) => self.say(words, Scope::GameHere),
            Choice::Fails(why) => {
                self.programs.attendants.remove(&seat);
                return Ok(Answered::Failed(seat, why));
            }
        };
        match done {
            Ok(done) => Ok(Answered::Done(done)),
            Err(ActError::Refused(refused)) => {
                self.programs.attendants.remove(&seat);
                Ok(Answered::Failed(seat, refused.report.words.into()))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a program is thinking.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.programs.asked.is_empty()
    }
}
