//! What happens in the main line beside its plies, and is played on after: in rows, and in lines of coordinates.

use crate::{Desk, judged::Judged, referee::Referee};
use overboard_formats::ply_rows::{Kind, PlyRow};
use overboard_games::recorded::Seen;
use overboard_rules::game::{Happening, Step};

impl Desk {
    /// Keeps what was done, in coordinates, where the options ask for it.
    pub fn keep_deed(&mut self, told: &str) {
        if !self.at_main_line() {
            return;
        }
        if let Some(deeds) = &mut self.deeds {
            deeds.push_str(if deeds.is_empty() { "" } else { " " });
            deeds.push_str(told);
        }
    }
}

impl<G: Judged> Referee<G> {
    /// Takes in what costs a player his game and is no ply.
    pub fn fall(&mut self, at: G::Board, event: Happening, desk: &mut Desk) -> Option<G::Effects> {
        let (before, step) = (self.line.now().latest().clone(), Step::Event(at, event));
        let brought = self.happen(at, event, desk)?;
        let told = before.in_line(&step);
        desk.keep_deed(&told);
        if desk.tells_rows()
            && let Some(seen) = before.seen(&step, self.line.now().latest())
        {
            let row = self.row_of(Seen { made: None, moment: None, ..seen }, desk);
            let path = row.path.clone();
            // The moment at which it stands is the one after it.
            let at = desk.rows.as_mut().and_then(|rows| rows.last()?.at.take());
            desk.push_row(PlyRow { kind: Kind::Flag, coord: Some(told), at, ..row });
            self.see(&path, desk);
        }
        Some(brought)
    }
}
