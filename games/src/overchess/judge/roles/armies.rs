//! Which over-pieces have an unknown number of pieces left.

use super::{Origin, Roles};
use overboard_rules::square::Square;

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

    /// From here on it is not known what attacker and defender on a contested square have left.
    pub fn forget_armies(&mut self, on: Square) {
        for party in self.parties(on) {
            if !self.unknown.contains(&party) {
                self.unknown.push(party);
            }
        }
    }

    /// Whether the attack made last was settled at once, although it is not known what its over-pieces have left.
    pub fn has_settled_unknown(&self) -> bool {
        let parties = self.settled_at_once.map(|(_, parties)| parties);
        let mut parties = parties.into_iter().flatten().flatten();
        parties.any(|origin| self.unknown.contains(&origin))
    }
}
