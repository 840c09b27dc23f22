//! A position of Overchess on which plies are made, and who keeps what was done.

use super::{
    Desk,
    overs::{Refused, judge, named},
};
use overboard_games::{
    coordinates::overs::Deed,
    overchess::{Asked, Due, Over, Ply, Roster},
};
use overboard_rules::outcome::Outcome;
use std::ops::Deref;

/// A position, and the line of coordinates to which every deed on it is added.
pub(super) struct Acting<'a> {
    position: &'a mut Over,
    deeds: Option<&'a mut String>,
}

impl Acting<'_> {
    /// Plays a legal ply.
    pub fn play(&mut self, ply: &Ply) {
        self.make(&Deed::Ply(*ply));
    }

    /// Ends the sub-game of an over-game, 0 the outermost, that is due or being played.
    pub fn conclude(&mut self, level: usize, outcome: Outcome) {
        self.make(&Deed::Conclude(level, outcome));
    }

    fn make(&mut self, deed: &Deed) {
        if let Some(deeds) = &mut self.deeds {
            deeds.push_str(if deeds.is_empty() { "" } else { " " });
            deeds.push_str(&deed.text(self.position));
        }
        deed.make(self.position);
    }

    /// Judges an act and plays it.
    pub fn ask(&mut self, ply: Ply) -> Result<(), Refused> {
        let ply = judge(self, Asked::Ply(ply))?;
        self.play(&ply);
        Ok(())
    }

    /// Settles the sub-game as a record does that leaves it out: all prisoners that fit, no spares (GEN-8).
    pub fn settle(&mut self) -> Result<(), Refused> {
        while let Due::Settling(_) = self.due() {
            self.settle_one()?;
        }
        Ok(())
    }

    /// The next part of it.
    pub fn settle_one(&mut self) -> Result<(), Refused> {
        if !named::take_all(self)? {
            let prisoners = self.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
            self.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
        }
        Ok(())
    }

    /// Hands over a man where there is only one way; answers whether there was.
    pub fn hand_over_one(&mut self) -> bool {
        let (mut ways, mut only) = (0, None);
        self.for_each_legal(|ply| {
            ways += 1;
            only = Some(ply);
        });
        let only = only.filter(|_| ways == 1);
        match only.filter(|only| matches!(only, Ply::Give(..) | Ply::Hand(..) | Ply::Done)) {
            Some(only) => {
                self.play(&only);
                true
            }
            None => false,
        }
    }
}

impl Deref for Acting<'_> {
    type Target = Over;

    fn deref(&self) -> &Over {
        self.position
    }
}

impl Desk {
    /// A position on which plies are made; those of the main line are kept where the options ask for it.
    pub(super) fn acting<'a>(&'a mut self, position: &'a mut Over) -> Acting<'a> {
        let main = self.at_main_line();
        Acting { position, deeds: self.deeds.as_mut().filter(|_| main) }
    }
}
