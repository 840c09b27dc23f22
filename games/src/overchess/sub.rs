//! A sub-game: chess from a set-up, and which pieces were captured in it.

use super::roster::{Arrangement, Roster, first_position};
use crate::chess::{Chess, Move};
use overboard_rules::{
    by_side::BySide,
    game::Claimable,
    outcome::Ruling,
    path::{index, squares},
    ply::StandingAct,
    position::{DrawLaw, Explain, Irregular, Movegen},
    repetition::Look,
    square::{Piece, Role, Square},
};

/// A sub-game being played; the attacker is White in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SubGame {
    pub chess: Chess,
    /// What the attacker and the defender have left.
    pub left: BySide<Roster>,
    /// Squares of promoted pieces, which count as the pawns that they were (OV-3).
    pub promoted: u64,
    /// Hashes of the positions since the last irreversible move, the current one last.
    seen: Vec<u128>,
}

impl SubGame {
    pub fn begin(attacker: Arrangement, defender: Arrangement) -> Option<Self> {
        let chess = first_position(attacker, defender)?;
        Some(Self::of(
            chess,
            BySide::new(attacker.roster(), defender.roster()),
            0,
        ))
    }

    pub fn of(chess: Chess, left: BySide<Roster>, promoted: u64) -> Self {
        let seen = vec![chess.repetition_hash()];
        Self {
            chess,
            left,
            promoted,
            seen,
        }
    }

    /// Plays a legal move; returns the end that it brings about.
    pub fn play(&mut self, m: Move) -> Option<Ruling> {
        self.count_losses(m);
        if self.chess.is_irreversible(m) {
            self.seen.clear();
        }
        self.chess.play(m);
        self.seen.push(self.chess.repetition_hash());
        self.end_by_itself()
    }

    /// The sub-game after an act that stands, legal or not; `None` if it leads to no position.
    pub fn stood(&self, standing_act: StandingAct) -> Option<Self> {
        let chess = self.chess.stood(standing_act)?;
        let (mut left, mut promoted) = (self.left, self.promoted);
        if let StandingAct::Moved {
            from,
            to,
            promotion,
            ..
        } = standing_act
        {
            // A pawn taken in passing stood beside the one that takes it.
            let beside = Square::new(to.file, from.rank);
            for on in [to, beside] {
                let there = self.chess.piece_at(on);
                if let Some(taken) = there
                    && on != from
                    && chess.piece_at(on) != there
                {
                    let role = self.counted_as(on, taken.role);
                    left[taken.side] = left[taken.side].less(role);
                    break;
                }
            }
            let moves_on = self.is_promoted(from) || promotion.is_some();
            promoted &= !(1 << index(from) | 1 << index(to));
            if moves_on {
                promoted |= 1 << index(to);
            }
        }
        Some(Self::of(chess, left, promoted))
    }

    /// Whether no move has been played in it, and its set-up left no choice.
    pub fn stands_as_it_must_begin(&self) -> bool {
        let only = rosters_of(&self.chess, 0).map(Arrangement::only_one);
        match only.into_array() {
            [Some(attacker), Some(defender)] => {
                first_position(attacker, defender).as_ref() == Some(&self.chess)
            }
            _ => false,
        }
    }

    fn count_losses(&mut self, m: Move) {
        if let Some(role) = m.captured() {
            let role = self.counted_as(m.to(), role);
            let left = &mut self.left[self.chess.turn().other()];
            *left = left.less(role);
        }
        if self.promoted != 0 || m.promotion().is_some() {
            let (from, to) = (1_u64 << index(m.from()), 1_u64 << index(m.to()));
            let is_promoted = self.promoted & from != 0 || m.promotion().is_some();
            self.promoted &= !(from | to);
            self.promoted |= if is_promoted { to } else { 0 };
        }
    }

    /// How the sub-game ends in its current position.
    pub fn end_by_itself(&self) -> Option<Ruling> {
        if !self.chess.has_legal_move() {
            return self.chess.end_by_itself();
        }
        self.end_by_record()
            .or_else(|| self.chess.end_by_deadlock(Look::AfterPly))
    }

    fn end_by_record(&self) -> Option<Ruling> {
        // A fifth occurrence is the seventeenth position at the earliest.
        let times = if self.seen.len() > 16 {
            self.times()
        } else {
            1
        };
        self.chess.end_by_record(times, &[])
    }

    /// How often the position has occurred, including now.
    fn times(&self) -> usize {
        let now = self.seen.last();
        // The side to move alternates.
        let before = self.seen.iter().rev().step_by(2);
        before.filter(|seen| Some(*seen) == now).count()
    }

    /// The claims that would be correct.
    pub fn claimable(&self) -> Claimable {
        // A third occurrence is the ninth position at the earliest.
        self.chess
            .claimable(if self.seen.len() > 8 { self.times() } else { 1 })
    }

    /// Whether the piece on a square is a promoted pawn.
    pub fn is_promoted(&self, on: Square) -> bool {
        self.promoted >> index(on) & 1 == 1
    }

    /// The kind as which the piece on a square counts.
    fn counted_as(&self, on: Square, role: Role) -> Role {
        if self.is_promoted(on) {
            Role::Pawn
        } else {
            role
        }
    }
}

/// The pieces in a position of chess; promoted ones count as pawns.
pub(crate) fn rosters_of(chess: &Chess, promoted: u64) -> BySide<Roster> {
    let mut rosters = BySide::both(Roster::NONE);
    for on in squares() {
        if let Some(Piece { side, role }) = chess.piece_at(on) {
            let is_promoted = promoted >> index(on) & 1 == 1;
            let role = if is_promoted { Role::Pawn } else { role };
            rosters[side] = rosters[side].plus(role);
        }
    }
    rosters
}
