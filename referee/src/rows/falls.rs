//! Events in the main line other than plies, after which play goes on: as rows, and in lines of coordinates.

use super::Rows;
use crate::{
    game::{judge::Judge, record::Seen},
    hearing::Hearing,
};
use overboard_formats::{
    canonical::after_move,
    encoding::decode,
    ply_rows::{Kind, PlyRow},
};
use overboard_rules::{
    game::{BoardId as _, Happening, Step},
    square::Side,
};

impl<G: Judge> Hearing<'_, G> {
    /// Applies an event that loses the game for a player and is not a ply.
    pub fn fall(&mut self, at: G::Board, event: Happening) -> Option<G::Effects> {
        let (before, step) = (self.referee.latest().clone(), Step::Event(at, event));
        let brought = self.happen(at, event)?;
        let coord = before.in_line(&step);
        self.state.keep_act(&coord);
        if self.state.keeps_rows()
            && let Some(seen) = before.seen(&step, self.referee.latest())
        {
            let row = self.row_of(Seen {
                made: None,
                moment: None,
                ..seen
            });
            let path = row.path.clone();
            // The moment of this row is the one after it.
            let at = self
                .state
                .rows
                .as_mut()
                .and_then(|rows| rows.last()?.at.take());
            self.state.push_row(PlyRow {
                kind: Kind::Flag,
                coord: Some(coord),
                at,
                ..row
            });
            self.see(&path);
        }
        Some(brought)
    }

    /// The row of a closed turn, with the sign after it.
    pub fn row_of_turn(&mut self, at: G::Board, sign: &str) {
        let position = self.referee.latest();
        let due = position.next_move(G::Board::WHOLE);
        let made = due.map(|(number, side)| match side {
            Side::White => (number.saturating_sub(1), Side::Black),
            Side::Black => (number, Side::White),
        });
        // Where something is not judged, the sign is what the text says.
        let is_judged = !self.state.is_as_written();
        let sign = if is_judged { sign } else { "" };
        let is_over = position.is_between_turns();
        let made = if is_over && is_judged { made } else { None };
        let moment = made.map(|(number, side)| after_move(number, side));
        let row = self.row_of(Seen {
            board: at,
            made,
            moment,
            fen: position.fen_on(at),
        });
        let path = row.path.clone();
        self.state.push_row(PlyRow {
            kind: Kind::Turn,
            san: Some(sign.into()),
            ..row
        });
        self.see(&path);
    }

    /// Marks the illegal move of the last row as standing.
    pub fn row_stands(
        &mut self,
        before: &G,
        at: G::Board,
        event: Happening,
        brought: &G::Effects,
        words: &[u8],
    ) {
        let step = Step::Event(at, event);
        let Some(seen) = before.seen(&step, self.referee.latest()) else {
            return;
        };
        let row = self.row_of(seen);
        let path = row.path.clone();
        let last = self
            .state
            .rows
            .as_mut()
            .and_then(Rows::last)
            .filter(|row| row.kind == Kind::Illegal);
        if let Some(last) = last {
            let coord = decode(words).0.into_owned();
            let said = last.clone();
            *last = PlyRow {
                kind: Kind::Stands,
                coord: Some(coord),
                path: row.path,
                at: row.at,
                fen: row.fen,
                ..said
            };
            if let Some(rows) = &mut self.state.rows {
                rows.unjudged -= 1;
            }
            self.see(&path);
        }
        self.rows_beside(before, &step, brought);
    }
}
