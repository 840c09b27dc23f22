//! A position of Overchess on which plies are made, and who keeps what was done.

use super::Desk;
use crate::coordinates::overs::Deed;
use overboard_rules::{
    outcome::Outcome,
    overchess::{Over, Ply},
};
use std::ops::Deref;

/// A position, and the line of coordinates to which every deed on it is added.
pub(super) struct Acting<'a> {
    over: &'a mut Over,
    deeds: Option<&'a mut String>,
}

impl Acting<'_> {
    /// Plays a legal ply.
    pub fn play(&mut self, ply: &Ply) {
        self.make(Deed::Ply(*ply));
    }

    /// Ends the sub-game that is due or being played.
    pub fn conclude(&mut self, outcome: Outcome) {
        self.make(Deed::Conclude(outcome));
    }

    fn make(&mut self, deed: Deed) {
        if let Some(deeds) = &mut self.deeds {
            deeds.push_str(if deeds.is_empty() { "" } else { " " });
            deeds.push_str(&deed.text(self.over));
        }
        deed.make(self.over);
    }
}

impl Deref for Acting<'_> {
    type Target = Over;

    fn deref(&self) -> &Over {
        self.over
    }
}

impl Desk {
    /// A position on which plies are made; those of the main line are kept where the options ask for it.
    pub(super) fn acting<'a>(&'a mut self, over: &'a mut Over) -> Acting<'a> {
        let main = self.at_main_line();
        Acting { over, deeds: self.deeds.as_mut().filter(|_| main) }
    }
}
