//! What the side to move can do: listing and counting without making moves.

use super::{
    attacks::{self, Bitboard, backward, east, forward, west},
    census::{PAWN, PieceCensus},
    moves::Move,
};
use overboard_rules::square::Side;

/// What the side to move may do, given the safety of its king.
pub(super) struct Scope<'a> {
    pieces: &'a PieceCensus,
    side: Side,
    occupied: u32,
    king: u32,
    /// Where the king may go.
    flight: u32,
    /// Where any other piece may arrive; in check, only the squares that parry it.
    arrivals: u32,
    /// Pieces that may move only on the line between them and the king.
    pinned: u32,
}

impl<'a> Scope<'a> {
    #[inline]
    pub(super) fn of(pieces: &'a PieceCensus, side: Side) -> Self {
        let (occupied, royal) = (pieces.occupied(), pieces.king(side));
        let king = royal.trailing_zeros();
        // The king does not block lines through its old square.
        let danger = pieces.attacked(side.other(), occupied & !royal);
        // A king that could be taken, because an illegal move stands, is not (GEN-9).
        let open = attacks::BOARD & !pieces.all(side) & !pieces.king(side.other());
        let flight = attacks::king_attacks(royal) & open & !danger;
        let mut scope = Self {
            pieces,
            side,
            occupied,
            king,
            flight,
            arrivals: open,
            pinned: 0,
        };
        scope.look_along_lines();
        scope.parry(pieces.steppers_at(royal, side.other()));
        scope
    }

    /// Finds the enemy sliders that attack the king, or would if one of our pieces were gone.
    #[inline]
    fn look_along_lines(&mut self) {
        let enemy = self.side.other();
        let straight = attacks::rook_attacks(self.king, 0) & self.pieces.rooks(enemy);
        let slanting = attacks::bishop_attacks(self.king, 0) & self.pieces.bishops(enemy);
        for slider in Bitboard(straight | slanting) {
            let way = attacks::between(self.king, slider);
            let screen = way & self.occupied;
            if screen == 0 {
                self.arrivals &= way | 1 << slider;
            } else if screen & (screen - 1) == 0 {
                self.pinned |= screen & self.pieces.all(self.side);
            }
        }
    }

    /// Restricts arrivals to captures of these checking pieces, all next to the king.
    #[inline]
    fn parry(&mut self, checkers: u32) {
        for checker in Bitboard(checkers) {
            self.arrivals &= 1 << checker;
        }
    }

    /// Calls `visit` with each legal move and drop.
    #[inline]
    pub(super) fn list(&self, visit: &mut impl FnMut(Move)) {
        for to in Bitboard(self.flight) {
            visit(Move::shift(self.king, to, false));
        }
        // In double check only the king can move.
        if self.arrivals != 0 {
            self.list_sliders(visit);
            self.list_steppers(visit);
            self.list_drops(visit);
        }
    }

    #[inline]
    fn list_sliders(&self, visit: &mut impl FnMut(Move)) {
        for from in Bitboard(self.pieces.rooks(self.side)) {
            self.list_from(from, attacks::rook_attacks(from, self.occupied), visit);
        }
        for from in Bitboard(self.pieces.bishops(self.side)) {
            self.list_from(from, attacks::bishop_attacks(from, self.occupied), visit);
        }
    }

    #[inline]
    fn list_steppers(&self, visit: &mut impl FnMut(Move)) {
        for from in Bitboard(self.pieces.golds(self.side)) {
            self.list_from(from, attacks::gold_attacks(1 << from, self.side), visit);
        }
        let last = attacks::last_rank(self.side);
        for from in Bitboard(self.pieces.silvers(self.side)) {
            let reach = attacks::silver_attacks(1 << from, self.side);
            self.list_from(from, reach, visit);
            for to in Bitboard(self.allowed(from, reach) & promotable(from, last)) {
                visit(Move::shift(from, to, true));
            }
        }
        for from in Bitboard(self.pieces.pawns(self.side)) {
            for to in Bitboard(self.allowed(from, self.pawn_reach(1 << from))) {
                visit(Move::shift(from, to, last >> to & 1 == 1));
            }
        }
    }

    #[inline]
    fn list_from(&self, from: u32, reach: u32, visit: &mut impl FnMut(Move)) {
        for to in Bitboard(self.allowed(from, reach)) {
            visit(Move::shift(from, to, false));
        }
    }

    #[inline]
    fn list_drops(&self, visit: &mut impl FnMut(Move)) {
        for (kind, held) in self.pieces.hands[self.side].iter().enumerate() {
            if *held > 0 {
                for to in Bitboard(self.landing(kind)) {
                    visit(Move::drop(kind, to));
                }
            }
        }
    }

    /// Where a piece in hand may be dropped (OC-8).
    #[inline]
    fn landing(&self, kind: usize) -> u32 {
        let closed = if kind == PAWN {
            attacks::last_rank(self.side)
        } else {
            0
        };
        self.arrivals & !self.occupied & !closed
    }

    /// The part of a piece's reach that check and pin allow.
    #[inline]
    fn allowed(&self, from: u32, reach: u32) -> u32 {
        let line = if self.pinned >> from & 1 == 1 {
            attacks::line(self.king, from)
        } else {
            attacks::BOARD
        };
        reach & self.arrivals & line
    }

    /// Where pawns can go: straight ahead to an empty square, diagonally to capture (OC-3).
    #[inline]
    fn pawn_reach(&self, pawns: u32) -> u32 {
        forward(pawns, self.side) & !self.occupied
            | attacks::pawn_attacks(pawns, self.side) & self.occupied
    }

    /// Number of legal moves and drops.
    #[inline]
    pub(super) fn count(&self) -> u64 {
        let fled = self.flight.count_ones();
        let others = if self.arrivals == 0 {
            0
        } else {
            self.count_sliders() + self.count_steppers() + self.count_pinned() + self.count_drops()
        };
        u64::from(fled + others)
    }

    #[inline]
    fn count_sliders(&self) -> u32 {
        let rooks = Bitboard(self.pieces.rooks(self.side) & !self.pinned);
        let bishops = Bitboard(self.pieces.bishops(self.side) & !self.pinned);
        let reach = |squares: u32| (squares & self.arrivals).count_ones();
        rooks
            .map(|from| reach(attacks::rook_attacks(from, self.occupied)))
            .sum::<u32>()
            + bishops
                .map(|from| reach(attacks::bishop_attacks(from, self.occupied)))
                .sum::<u32>()
    }

    /// Counts direction by direction, for all pieces at once.
    #[inline]
    fn count_steppers(&self) -> u32 {
        let free = !self.pinned;
        let golds = self.pieces.golds(self.side) & free;
        let silvers = self.pieces.silvers(self.side) & free;
        let pawns = self.pieces.pawns(self.side) & free;
        let both = golds | silvers;
        let ahead = |pieces| forward(pieces, self.side) & self.arrivals;
        let back = |pieces| backward(pieces, self.side) & self.arrivals;
        let takes = |pieces| ahead(pieces) & self.occupied;
        let ways = [
            ahead(both) | ahead(pawns) & !self.occupied,
            ahead(west(both)) | takes(west(pawns)),
            ahead(east(both)) | takes(east(pawns)),
            west(golds) & self.arrivals,
            east(golds) & self.arrivals,
            back(golds),
            back(west(silvers)),
            back(east(silvers)),
        ];
        count_all(ways) + self.count_silver_choices(silvers)
    }

    /// The moves that silvers can make in two ways, promoting and not (OC-5, OC-6).
    #[inline]
    fn count_silver_choices(&self, silvers: u32) -> u32 {
        let last = attacks::last_rank(self.side);
        let near = silvers & (last | backward(last, self.side));
        if near == 0 {
            return 0;
        }
        Bitboard(near)
            .map(|from| {
                let reach = attacks::silver_attacks(1 << from, self.side);
                (reach & self.arrivals & promotable(from, last)).count_ones()
            })
            .sum()
    }

    #[inline]
    fn count_pinned(&self) -> u32 {
        Bitboard(self.pinned)
            .map(|from| {
                let allowed = self.allowed(from, self.reach(from));
                let is_silver = self.pieces.silvers(self.side) >> from & 1 == 1;
                let choices = if is_silver {
                    promotable(from, attacks::last_rank(self.side))
                } else {
                    0
                };
                allowed.count_ones() + (allowed & choices).count_ones()
            })
            .sum()
    }

    /// Where the piece on a square, of any kind but the king, could go.
    fn reach(&self, from: u32) -> u32 {
        let piece = 1 << from;
        if self.pieces.golds(self.side) & piece != 0 {
            attacks::gold_attacks(piece, self.side)
        } else if self.pieces.silvers(self.side) & piece != 0 {
            attacks::silver_attacks(piece, self.side)
        } else if self.pieces.pawns(self.side) & piece != 0 {
            self.pawn_reach(piece)
        } else if self.pieces.rooks(self.side) & piece != 0 {
            attacks::rook_attacks(from, self.occupied)
        } else {
            attacks::bishop_attacks(from, self.occupied)
        }
    }

    #[inline]
    fn count_drops(&self) -> u32 {
        let [officers @ .., pawns] = self.pieces.hands[self.side].map(|held| u32::from(held > 0));
        officers.iter().sum::<u32>() * self.landing(0).count_ones()
            + pawns * self.landing(PAWN).count_ones()
    }
}

/// Where a silver from this square may promote.
#[inline]
const fn promotable(from: u32, last: u32) -> u32 {
    if last >> from & 1 == 1 {
        attacks::BOARD
    } else {
        last
    }
}

/// The squares of eight sets, counted two sets at a time.
#[inline]
fn count_all(sets: [u32; 8]) -> u32 {
    let (pairs, _) = sets.as_chunks::<2>();
    pairs
        .iter()
        .map(|[a, b]| (u64::from(*a) | u64::from(*b) << 32).count_ones())
        .sum()
}
