//! Linked as records and lines of coordinates hold it.

use crate::{
    recorded::{Movetext, Recorded},
    strategichess::linked::{self, Linked, LinkedBoard},
};
use overboard_formats::{
    canonical::board_number,
    san::{LINKED, Spelt, board_index},
};
use overboard_rules::{
    game::{Happening, Step},
    ply::Arrival,
};
use std::fmt::Write;

impl Recorded for Linked {
    type Movetext = Plies;

    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        linked::at(self, coordinates).map(Step::Ply)
    }

    fn board_named(&self, name: &str) -> Option<LinkedBoard> {
        if name.is_empty() {
            return Some(LinkedBoard::All);
        }
        let board = board_index(name.as_bytes()).filter(|board| usize::from(*board) < self.boards());
        board.map(LinkedBoard::One)
    }

    /// `e4e9`, and `e4e9/B` for one that arrives on another board.
    fn displacement(&self, at: LinkedBoard, told: &[u8]) -> Option<Happening> {
        let mut parts = told.splitn(2, |byte| *byte == b'/');
        let (from, to) = parts.next().and_then(|squares| LINKED.two_squares(squares))?;
        let arrival = match parts.next().map(board_index) {
            None => Arrival::Here,
            Some(Some(board)) if at == LinkedBoard::One(board) => Arrival::Here,
            Some(Some(board)) => Arrival::Beside(board),
            Some(None) => return None,
        };
        Some(Happening::Displaced { from, to, arrival })
    }
}

/// Plies with the numbers and the boards that they are made on, one a line.
#[derive(Default, Debug)]
pub struct Plies(String);

impl Movetext<Linked> for Plies {
    fn take(&mut self, step: &Step<Linked>, before: &Linked, after: &Linked, (): &(), remarks: &str) {
        let (board, ply) = match *step {
            Step::Ply(ply) => (ply.board(), Some(ply)),
            Step::Event(LinkedBoard::One(board), Happening::Displaced { .. }) => (usize::from(board), None),
            Step::Event(..) => return,
        };
        let side = before.turn(board);
        // Memory can be written.
        let _ = write!(self.0, "{} ", board_number(board as u16, before.fullmove(board), side));
        if let Some(ply) = ply {
            self.0.push_str(&Spelt(before.written(ply)).text());
        }
        if ply.is_some_and(|ply| !ply.is_pass()) {
            self.0.push_str(linked::suffix(before.kings(), after, side).as_str());
        }
        self.0.push_str(remarks);
        self.0.push('\n');
    }

    fn finish(self, _: &Linked) -> Result<String, &'static str> {
        Ok(self.0)
    }
}
