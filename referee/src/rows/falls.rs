//! Events in the main line other than plies, after which play goes on: as rows, and in lines of coordinates.

use crate::{
    game::{judge::Judge, record::Seen},
    hearing::Hearing,
};
use overboard_formats::ply_rows::{Kind, PlyRow};
use overboard_rules::game::{Happening, Step};

impl<G: Judge> Hearing<'_, G> {
    /// Applies an event that loses the game for a player and is not a ply.
    pub fn fall(&mut self, at: G::Board, event: Happening) -> Option<G::Effects> {
        let (before, step) = (self.referee.latest().clone(), Step::Event(at, event));
        let brought = self.happen(at, event)?;
        let reported = before.in_line(&step);
        self.state.keep_act(&reported);
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
                coord: Some(reported),
                at,
                ..row
            });
            self.see(&path);
        }
        Some(brought)
    }
}
