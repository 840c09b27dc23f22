//! Linked as records and lines of coordinates hold it.

use crate::strategichess::linked::{self, Linked};
use overboard_formats::{canonical::board_number, san::Spelt};
use overboard_rules::game::Step;
use std::fmt::Write;

use crate::recorded::{Movetext, Recorded};

impl Recorded for Linked {
    type Movetext = Plies;

    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        linked::at(self, coordinates).map(Step::Ply)
    }
}

/// Plies with the numbers and the boards that they are made on, one a line.
#[derive(Default, Debug)]
pub struct Plies(String);

impl Movetext<Linked> for Plies {
    fn take(&mut self, step: &Step<Linked>, before: &Linked, after: &Linked, (): &()) {
        let Step::Ply(ply) = *step else { return };
        let (board, side) = (ply.board(), before.turn(ply.board()));
        let number = board_number(board as u16, before.fullmove(board), side);
        // Memory can be written.
        let _ = write!(self.0, "{number} {}", Spelt(before.written(ply)).text());
        if !ply.is_pass() {
            self.0.push_str(linked::suffix(before.kings(), after, side).as_str());
        }
        self.0.push('\n');
    }

    fn finish(self, _: &Linked) -> Result<String, &'static str> {
        Ok(self.0)
    }
}
