//! Which arrangements of pieces on two levels are positions (MC-16).

use super::Meta;
use crate::{board8::attacks, one_board::holding};
use overboard_rules::{
    setup::{Impossible, playable},
    square::{Role, Side},
};

impl Meta {
    /// This position, and what says that no game leads to it.
    ///
    /// # Errors
    /// Every reason why it is no position, if there is one for which the rules do not say how it is played.
    pub(super) fn possible(self) -> Result<(Self, Vec<Impossible>), Vec<Impossible>> {
        let mut reasons = self.faults();
        let has_kings = !reasons.contains(&Impossible::MissingKing);
        if has_kings && self.board.checkers(self.turn.other()) != 0 {
            reasons.push(Impossible::OppositeCheck);
        }
        playable(reasons).map(|doubts| (self, doubts))
    }

    /// Why these pieces are not a position, whoever is to move.
    fn faults(&self) -> Vec<Impossible> {
        let (ground, above) = (&self.board.ground, &self.board.above);
        let kings = Side::BOTH.map(|side| self.board.count(Role::King, side));
        let edges = attacks::rank(0) | attacks::rank(7);
        // Nothing rides on nothing or on a king, and no pawn rides (MC-1, MC-2).
        let unfit = above.occupied() & (!ground.occupied() | ground.kings()) | above.pawns();
        holding([
            (kings.contains(&0), Impossible::MissingKing),
            (
                kings.iter().any(|kings| *kings > 1),
                Impossible::TooManyKings,
            ),
            (ground.pawns() & edges != 0, Impossible::PawnsOnLastRank),
            (unfit != 0, Impossible::WrongRider),
            (
                self.rights & !self.rights_at_home() != 0,
                Impossible::CastlingRights,
            ),
            (
                self.crossed != 0 && !self.is_crossed(),
                Impossible::EnPassantSquare,
            ),
            (
                Side::BOTH.into_iter().any(|side| self.is_crowd(side)),
                Impossible::TooMuchMaterial,
            ),
        ])
    }

    /// The squares of rooks that could have the right to castle: they and their kings are at home.
    pub(super) fn rights_at_home(&self) -> u64 {
        let corners = attacks::file(0) | attacks::file(7);
        let mut at_home = 0;
        for side in Side::BOTH {
            let row = attacks::first_rank(side);
            let king = self.board.ground.kind(Role::King, side) & row & attacks::file(4);
            if king != 0 {
                at_home |= self.board.ground.kind(Role::Rook, side) & row & corners;
            }
        }
        at_home
    }

    /// Whether an enemy pawn can just have passed over the crossed square: it is behind it without a rider, and the
    /// square and the one before it are empty.
    fn is_crossed(&self) -> bool {
        let enemy = self.turn.other();
        let third = attacks::forward(attacks::forward(attacks::first_rank(enemy), enemy), enemy);
        let pawns = self.board.ground.kind(Role::Pawn, enemy) & self.board.free(enemy);
        let way = self.crossed | attacks::forward(self.crossed, self.turn);
        self.crossed & third != 0
            && attacks::forward(self.crossed, enemy) & pawns != 0
            && way & self.board.occupied() == 0
    }

    /// Whether a side has more pieces than promotions of its sixteen could give.
    fn is_crowd(&self, side: Side) -> bool {
        let of = |role| self.board.count(role, side);
        let beyond = |role, first: u32| of(role).saturating_sub(first);
        let promoted = beyond(Role::Knight, 2)
            + beyond(Role::Bishop, 2)
            + beyond(Role::Rook, 2)
            + beyond(Role::Queen, 1);
        of(Role::Pawn) + promoted > 8
    }
}
