//! The moves of over-pieces: regular chess with barred squares.

use crate::board8::{
    attacks::{self, reach},
    board::{
        Board, BoardMove, CASTLINGS, PROMOTIONS, ahead, between, bit, last_rank, pawn_rank, squares,
    },
};
use overboard_rules::square::{Piece, Role, Side};

impl Board {
    /// The over-pieces of a side that are between its king and an enemy that would otherwise attack it.
    pub fn pinned(&self, side: Side) -> u64 {
        let Some(king) = self.king(side) else {
            return 0;
        };
        let (bishops, rooks, queens) = (
            self.kind(Role::Bishop),
            self.kind(Role::Rook),
            self.kind(Role::Queen),
        );
        let (occupied, enemy) = (self.occupied(), self.of(side.other()));
        let lines = |occupied| [Role::Rook, Role::Bishop].map(|role| reach(role, king, occupied));
        let seen = lines(occupied).map(|line| line & self.of(side));
        let [rook, bishop] = lines(occupied & !(seen[0] | seen[1]));
        let along = [
            rook & (rooks | queens) & enemy,
            bishop & (bishops | queens) & enemy,
        ];
        let held = |line: usize| if along[line] == 0 { 0 } else { seen[line] };
        held(0) | held(1)
    }

    pub fn is_attacked(&self, square: u8, by: Side) -> bool {
        self.attackers(square, by, self.occupied()) != 0
    }

    /// Whether the king of a side is attacked.
    pub fn in_check(&self, side: Side) -> bool {
        self.checkers(side) != 0
    }

    /// Removes the castling rights that depend on what was on a square.
    pub fn lose_rights(&mut self, square: u8) {
        for (right, castling) in self.castling.iter_mut().zip(CASTLINGS) {
            *right &= square != castling.king && square != castling.rook;
        }
    }

    /// Where a piece may go from a square, ignoring its king's safety: neither to `barred` squares nor through them.
    // Called for each piece of a side in turn: what the calls share is computed once if this is inlined.
    #[inline(always)]
    pub fn targets(&self, Piece { side, role }: Piece, from: u8, barred: u64) -> u64 {
        let occupied = self.occupied() | barred;
        let enemy = self.of(side.other()) & !barred & !self.kind(Role::King);
        if role != Role::Pawn {
            return reach(role, from, occupied) & (enemy | !occupied);
        }
        let passing = self.en_passant.map_or(0, bit) & !occupied;
        let mut targets = attacks::pawn(from, side) & (enemy | passing);
        if let Some(one) = ahead(side, from).filter(|one| occupied & bit(*one) == 0) {
            targets |= bit(one);
            let home = from / 8 == pawn_rank(side);
            if home && let Some(two) = ahead(side, one) {
                targets |= bit(two) & !occupied;
            }
        }
        targets
    }

    /// Calls `visit` with the moves of a side's piece to its targets.
    #[inline(always)]
    pub fn for_each_pseudo(
        &self,
        from: u8,
        side: Side,
        barred: u64,
        mut visit: impl FnMut(BoardMove),
    ) {
        let Some(piece) = self.piece_at(from).filter(|piece| piece.side == side) else {
            return;
        };
        for to in squares(self.targets(piece, from, barred)) {
            if piece.role == Role::Pawn && to / 8 == last_rank(side) {
                for role in PROMOTIONS {
                    visit(BoardMove {
                        from,
                        to,
                        promotion: Some(role),
                    });
                }
            } else {
                visit(BoardMove {
                    from,
                    to,
                    promotion: None,
                });
            }
        }
    }

    /// Calls `visit` with the castlings of a side whose king is not attacked on its way (OV-12).
    pub fn for_each_castling(&self, side: Side, barred: u64, mut visit: impl FnMut(BoardMove)) {
        let rights = self
            .castling
            .into_iter()
            .zip(CASTLINGS)
            .skip(side as usize * 2)
            .take(2);
        for (right, castling) in rights {
            let lane = between(castling.king, castling.rook);
            let home = self.kind(Role::King) & self.of(side) & bit(castling.king) != 0
                && self.kind(Role::Rook) & self.of(side) & !barred & bit(castling.rook) != 0;
            let free = (self.occupied() | barred) & lane == 0;
            let way = [castling.king, castling.rook_to, castling.king_to];
            let safe = || {
                way.into_iter()
                    .all(|at| !self.is_attacked(at, side.other()))
            };
            if right && home && free && safe() {
                visit(BoardMove {
                    from: castling.king,
                    to: castling.king_to,
                    promotion: None,
                });
            }
        }
    }

    /// Whether no sequence of moves leads to mate (GEN-3): bare kings, one minor piece, or bishops of one colour.
    pub fn is_dead(&self) -> bool {
        const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
        let bishops = self.kind(Role::Bishop);
        let others = self.occupied() & !self.kind(Role::King);
        let minor = others.count_ones() <= 1 && others & !(bishops | self.kind(Role::Knight)) == 0;
        minor || (others == bishops && (bishops & LIGHT == 0 || bishops & !LIGHT == 0))
    }
}
