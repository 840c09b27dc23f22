//! Ends, repetition and claims of Olympic Chess.

use super::{Move, Olympic, Snapshot};
use crate::olympic::laws as law;
use overboard_rules::{
    outcome::{Cause, Outcome, Prospect, Ruling},
    position::{Claims, DrawLaw, Movegen, stuck},
    square::Side,
};

impl DrawLaw for Olympic {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Closed(&law::NO_COUNTS);

    const PROGRESS: &'static str = "capture, or move or drop of a pawn";

    /// Always false: every position can recur. Material does not leave the game (OC-11): a captured piece can be
    /// dropped, recaptured and dropped where it was, unpromoted, and a pawn that advanced can return in the same way.
    #[inline]
    fn is_irreversible(&self, _: Move) -> bool {
        false
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.pieces.key() ^ self.turn as u64
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            pieces: self.pieces,
            turn: self.turn,
        }
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        if self.has_legal_move() {
            return None;
        }
        Some(stuck(self, &law::MATE, &law::MATE))
    }

    /// The third time is the last: White loses, unless every move of Black since the second gave
    /// check (OC-10).
    #[inline]
    fn end_by_record(&self, times: usize, since: &[Snapshot]) -> Option<Ruling> {
        if times < 3 {
            return None;
        }
        let perpetual = since
            .iter()
            .filter(|there| there.turn == Side::White)
            .all(Snapshot::is_check);
        let winner = if perpetual { Side::White } else { Side::Black };
        let cause = if perpetual {
            Cause::PerpetualCheck
        } else {
            Cause::Repetition
        };
        Some(Ruling {
            outcome: Outcome::Win(winner),
            cause,
            rule: &law::REPETITION,
        })
    }

    /// Always: material never leaves the game (OC-11).
    fn can_mate(&self, _: Side) -> Prospect {
        Prospect::Open
    }
}
