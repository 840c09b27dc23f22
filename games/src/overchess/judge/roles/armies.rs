//! Which over-pieces have an unknown number of pieces left.

use super::{Origin, Roles, number};
use crate::overchess::{Level, Roster};
use overboard_rules::{
    path::squares,
    square::{Role, Side, Square},
};

impl Roles {
    /// Attacker and defender on a contested square, as far as they are known.
    fn parties(&self, on: Square) -> Vec<Origin> {
        let contest = self.contests.iter().find(|contest| contest.on.to == on);
        let parties = contest.map_or([None, None], |contest| [contest.attacker, contest.defender]);
        parties.into_iter().flatten().collect()
    }

    /// Whether it is known what attacker and defender on a contested square have left.
    pub fn has_known_armies(&self, on: Square) -> bool {
        let is_unknown = |origin: &Origin| self.unknown.contains(origin);
        !self.parties(on).iter().any(is_unknown)
    }

    /// Whether it is not known of some over-piece what it has left.
    pub const fn has_unknown_armies(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// Whether it is not known of some over-piece of a side that is on the board.
    pub fn has_unknown_armies_of(&self, side: Side) -> bool {
        let is_unknown = |origin: &Origin| origin.side == side && self.unknown.contains(origin);
        self.on.iter().flatten().any(is_unknown)
    }

    /// Whether it is not known what the over-piece on a square that is not contested has left.
    pub fn is_unknown_on(&self, on: Square) -> bool {
        self.on[number(on)].is_some_and(|origin| self.unknown.contains(&origin))
    }

    /// From here on it is not known what attacker and defender on a contested square have left.
    pub fn forget_armies(&mut self, on: Square) {
        for party in self.parties(on) {
            self.forget(party);
        }
    }

    /// The same of the mover's over-pieces to which pieces of a consolidated one can have gone.
    pub fn forget_those_with_room(&mut self, position: &Level) {
        for (square, origin) in squares().zip(self.on) {
            let there = position.piece_at(square);
            let has_room = there.is_some_and(|over| {
                let is_own = over.piece.side == position.turn();
                is_own && over.piece.role != Role::King && over.pieces != Roster::FULL
            });
            if let (true, Some(origin)) = (has_room, origin) {
                self.forget(origin);
            }
        }
    }

    fn forget(&mut self, origin: Origin) {
        if !self.unknown.contains(&origin) {
            self.unknown.push(origin);
        }
    }

    /// Whether the attack made last was settled at once, although it is not known what its over-pieces have left.
    pub fn has_settled_unknown(&self) -> bool {
        let parties = self.settled_at_once.map(|(_, parties)| parties);
        let mut parties = parties.into_iter().flatten().flatten();
        parties.any(|origin| self.unknown.contains(&origin))
    }
}
