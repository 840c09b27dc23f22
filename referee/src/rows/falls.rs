//! Events in the main line other than plies, after which play goes on: as rows, and in lines of coordinates.

use crate::{
    game::{judged::Judged, recorded::Seen},
    record_state::RecordState,
    referee::Referee,
};
use overboard_formats::ply_rows::{Kind, PlyRow};
use overboard_rules::game::{Happening, Step};

impl RecordState {
    /// Appends an act in coordinates, if the options ask for acts.
    pub fn keep_act(&mut self, reported: &str) {
        if !self.at_main_line() {
            return;
        }
        if let Some(acts) = &mut self.acts {
            acts.push_str(if acts.is_empty() { "" } else { " " });
            acts.push_str(reported);
        }
    }
}

impl<G: Judged> Referee<G> {
    /// Applies an event that loses the game for a player and is not a ply.
    pub fn fall(
        &mut self,
        at: G::Board,
        event: Happening,
        state: &mut RecordState,
    ) -> Option<G::Effects> {
        let (before, step) = (self.line.now().latest().clone(), Step::Event(at, event));
        let brought = self.happen(at, event, state)?;
        let reported = before.in_line(&step);
        state.keep_act(&reported);
        if state.keeps_rows()
            && let Some(seen) = before.seen(&step, self.line.now().latest())
        {
            let row = self.row_of(
                Seen {
                    made: None,
                    moment: None,
                    ..seen
                },
                state,
            );
            let path = row.path.clone();
            // The moment of this row is the one after it.
            let at = state.rows.as_mut().and_then(|rows| rows.last()?.at.take());
            state.push_row(PlyRow {
                kind: Kind::Flag,
                coord: Some(reported),
                at,
                ..row
            });
            self.see(&path, state);
        }
        Some(brought)
    }
}
