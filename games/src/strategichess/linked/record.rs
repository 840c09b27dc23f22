//! Linked boards in records and lines of coordinates.

use crate::strategichess::linked::{self, Linked, LinkedBoard};
use overboard_formats::{
    canonical::board_number,
    san::{LINKED, Spelt, board_index},
};
use overboard_referee::game::{
    notation::Notation as _,
    record::{Movetext, Record},
};
use overboard_rules::{
    game::{Game as _, Happening, Step},
    ply::{Arrival, Deed},
    square::Side,
};
use std::fmt::Write;

impl Record for Linked {
    type Movetext = Plies;

    /// `flag W:A`.
    fn words_behind(word: &str, _: Option<&str>) -> usize {
        usize::from(word == "flag")
    }

    fn at(&self, coordinates: &str) -> Option<Step<Self>> {
        let Some(fallen) = coordinates.strip_prefix("flag ") else {
            return linked::at(self, coordinates).map(Step::Ply);
        };
        let (side, board) = fallen.split_once(':')?;
        let side = [Side::White, Side::Black]
            .into_iter()
            .find(|known| letter(*known) == side)?;
        let at = self
            .board_named(board)
            .filter(|at| *at != LinkedBoard::All)?;
        let event = Happening::Flag(side);
        let falls = self.end_by_itself().is_none() && self.clone().happen(at, event).is_some();
        falls.then_some(Step::Event(at, event))
    }

    fn is_counted(&self, step: &Step<Self>) -> bool {
        matches!(step, Step::Ply(_))
    }

    /// A fallen flag is `flag W:A`; so is anything with the same consequence.
    fn in_line(&self, step: &Step<Self>) -> String {
        match step {
            Step::Ply(ply) => self.coordinates(*ply).to_string(),
            Step::Event(at, Happening::Flag(side)) => format!("flag {}:{at}", letter(*side)),
            Step::Event(..) => String::new(),
        }
    }

    fn board_named(&self, name: &str) -> Option<LinkedBoard> {
        if name.is_empty() {
            return Some(LinkedBoard::All);
        }
        let board =
            board_index(name.as_bytes()).filter(|board| usize::from(*board) < self.boards());
        board.map(LinkedBoard::One)
    }

    /// `e4e9`, and `e4e9/B` for one that arrives on another board.
    fn deed(&self, at: Option<LinkedBoard>, reported: &[u8]) -> Option<Deed> {
        let Some(slash) = reported.iter().position(|byte| *byte == b'/') else {
            return LINKED.deed(reported);
        };
        let (from, to) = LINKED.two_squares(&reported[..slash])?;
        let board = board_index(&reported[slash + 1..])?;
        let arrival = if at == Some(LinkedBoard::One(board)) {
            Arrival::Here
        } else {
            Arrival::Beside(board)
        };
        Some(Deed::Moved {
            from,
            to,
            arrival,
            promotion: None,
        })
    }
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::White => "W",
        Side::Black => "B",
    }
}

/// Plies with their numbers and boards, one on each line.
#[derive(Clone, Default, Debug)]
pub struct Plies(String);

impl Movetext<Linked> for Plies {
    fn take(
        &mut self,
        step: &Step<Linked>,
        before: &Linked,
        after: &Linked,
        (): &(),
        remarks: &str,
    ) {
        let (board, ply) = match *step {
            Step::Ply(ply) => (ply.board(), Some(ply)),
            Step::Event(LinkedBoard::One(board), Happening::Stood(_)) => (usize::from(board), None),
            Step::Event(at, Happening::Flag(fallen)) => {
                // Writing to a `String` cannot fail.
                let _ = writeln!(self.0, "{{[%flag {}:{at}]}}{remarks}", letter(fallen));
                return;
            }
            Step::Event(..) => return,
        };
        let side = before.turn(board);
        // Writing to a `String` cannot fail.
        let _ = write!(
            self.0,
            "{} ",
            board_number(board as u16, before.fullmove(board), side)
        );
        if let Some(ply) = ply {
            self.0.push_str(&Spelt(before.written(ply)).text());
        }
        if ply.is_some_and(|ply| !ply.is_pass()) {
            self.0
                .push_str(linked::suffix(before.kings(), after, side).as_str());
        }
        self.0.push_str(remarks);
        self.0.push('\n');
    }

    /// A fallen flag is written as a remark, with the remarks after it.
    fn leave_out(&mut self, _: &Step<Linked>, _: &Linked, _: &Linked, (): &()) {}

    fn close(&mut self, remarks: &str) {
        self.0.push_str(remarks);
        self.0.push('\n');
    }

    fn finish(self, _: &Linked) -> String {
        self.0
    }
}
