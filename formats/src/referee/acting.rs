//! A position of Overchess on which plies are made, and who keeps what was done.

use super::{
    Desk,
    overs::{Nest, Refused},
};
use crate::coordinates::overs::Deed;
use overboard_rules::{
    outcome::Outcome,
    overchess::{Asked, Due, Ply, Roster},
};
use std::ops::{Deref, DerefMut};

/// A position, and the line of coordinates to which every deed on it is added.
pub(super) struct Acting<'a, G> {
    position: &'a mut G,
    deeds: Option<&'a mut String>,
}

impl<G: Nest> Acting<'_, G> {
    /// Plays a legal ply.
    pub fn play(&mut self, ply: &Ply) {
        self.play_own((*ply).into());
    }

    /// Plays a legal ply, also one that acts on individuals.
    pub fn play_own(&mut self, ply: G::Own) {
        self.make(&Deed::Ply(ply));
    }

    /// Ends the sub-game of an over-game, 0 the outermost, that is due or being played.
    pub fn conclude(&mut self, level: usize, outcome: Outcome) {
        self.make(&Deed::Conclude(level, outcome));
    }

    fn make(&mut self, deed: &Deed<G::Own>) {
        if let Some(deeds) = &mut self.deeds {
            deeds.push_str(if deeds.is_empty() { "" } else { " " });
            deeds.push_str(&self.position.told(deed));
        }
        self.position.make(deed);
    }

    /// Judges an act and plays it.
    pub fn ask(&mut self, ply: Ply) -> Result<(), Refused> {
        let ply = self.judge(Asked::Ply(ply))?;
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
        if !G::take_named(self)? {
            let prisoners = self.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
            self.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
        }
        Ok(())
    }

    /// Hands over a man where there is only one way; answers whether there was.
    pub fn hand_over_one(&mut self) -> bool {
        match self.only_way() {
            Some(only) => {
                self.play(&only);
                true
            }
            None => G::hand_over_named(self),
        }
    }
}

impl<G> Deref for Acting<'_, G> {
    type Target = G;

    fn deref(&self) -> &G {
        self.position
    }
}

impl<G> DerefMut for Acting<'_, G> {
    fn deref_mut(&mut self) -> &mut G {
        self.position
    }
}

impl Desk {
    /// A position on which plies are made; those of the main line are kept where the options ask for it.
    pub(super) fn acting<'a, G: Nest>(&'a mut self, position: &'a mut G) -> Acting<'a, G> {
        let main = self.at_main_line();
        Acting { position, deeds: self.deeds.as_mut().filter(|_| main) }
    }
}
