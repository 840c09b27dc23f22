//! Which over-pieces have an unknown number of pieces left.

use super::{Origin, Roles, number};
use crate::overchess::{Level, OverPiece, Roster};
use overboard_rules::{
    path::squares,
    square::{Side, Square},
};

impl Roles {
    /// Whether it is known what attacker and defender on a contested square have left.
    pub fn has_known_armies(&self, on: Square) -> bool {
        !self.has_forgotten_any(self.parties(on))
    }

    /// Whether it is not known of any of these what it has left.
    fn has_forgotten_any<const N: usize>(&self, origins: [Option<Origin>; N]) -> bool {
        let mut origins = origins.iter().flatten();
        origins.any(|origin| self.unknown.contains(origin))
    }

    /// Whether it is not known of some over-piece what it has left.
    pub const fn has_unknown_armies(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// Whether it is not known of some over-piece of a side that is on the board.
    pub fn has_unknown_armies_of(&self, side: Side) -> bool {
        let is_here = |origin: &Origin| origin.side == side && self.on.contains(&Some(*origin));
        self.unknown.iter().any(is_here)
    }

    /// Whether it is not known what the over-piece on a square that is not contested has left.
    pub fn is_unknown_on(&self, on: Square) -> bool {
        self.has_forgotten_any([self.on[number(on)]])
    }

    /// From here on it is not known what attacker and defender on a contested square have left.
    pub fn forget_armies(&mut self, on: Square) {
        for party in self.parties(on) {
            self.forget(party);
        }
    }

    /// The same of the mover's over-pieces to which pieces of a consolidated one can have gone.
    pub fn forget_those_with_room(&mut self, position: &Level) {
        for square in squares() {
            if let Some(OverPiece { piece, pieces, .. }) = position.with_set(square)
                && piece.side == position.turn()
                && pieces != Roster::FULL
            {
                self.forget(self.on[number(square)]);
            }
        }
    }

    fn forget(&mut self, origin: Option<Origin>) {
        if let Some(origin) = origin
            && !self.unknown.contains(&origin)
        {
            self.unknown.push(origin);
        }
    }

    /// Whether the attack made last was settled at once, although it is not known what its over-pieces have left.
    pub fn has_settled_unknown(&self) -> bool {
        match self.settled_at_once {
            Some((_, parties)) => self.has_forgotten_any(parties),
            None => false,
        }
    }
}
