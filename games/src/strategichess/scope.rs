//! What the side to move can do on a board: listing and counting without making moves.

use super::{
    board::{Board, pawn_ways},
    lines,
    moves::Move,
    squares::{NOWHERE, SLANTING, STRAIGHT, SquareSet, origin_of},
    tally::Tally,
};
use overboard_rules::square::{Role, Side};

/// What a side may do, given the safety of a king.
pub(super) struct Scope<'a> {
    board: &'a Board,
    side: Side,
    occupied: SquareSet,
    /// The king to be kept safe, or [`NOWHERE`].
    king: u32,
    /// Where that king may go.
    pub flight: SquareSet,
    /// Where any other piece may arrive; in check, only the squares that parry it.
    pub arrivals: SquareSet,
    /// Pieces that may move only on the line between them and the king.
    pub pinned: SquareSet,
}

impl<'a> Scope<'a> {
    /// The moves of a side that has no king to keep safe; its kings move like other pieces.
    #[inline]
    pub fn free(board: &'a Board, side: Side) -> Self {
        Self {
            board,
            side,
            occupied: board.occupied(),
            king: NOWHERE,
            flight: SquareSet::EMPTY,
            arrivals: SquareSet::BOARD & !board.all(side),
            pinned: SquareSet::EMPTY,
        }
    }

    /// The moves of a side that leave its king on this square unattacked.
    #[inline]
    pub fn guarding(board: &'a Board, side: Side, king: u32) -> Self {
        let mut scope = Self {
            king,
            ..Self::free(board, side)
        };
        scope.flight = lines::king_attacks(king) & scope.arrivals;
        // The king does not block lines through its old square. Testing its few squares one by one is faster than
        // computing all enemy attacks.
        let without_king = scope.occupied & !SquareSet::of(king);
        for to in scope.flight {
            if board.is_attacked(to, side.other(), without_king) {
                scope.flight &= !SquareSet::of(to);
            }
        }
        scope.look_along_lines();
        scope.parry(board.steppers_at(king, side.other()));
        scope
    }

    /// Finds the enemy sliders that attack the king, or would if one of our pieces were gone.
    #[inline]
    fn look_along_lines(&mut self) {
        for slider in self.board.sliders_in_line(self.king, self.side.other()) {
            let way = lines::between(self.king, slider);
            let screen = way & self.occupied;
            if screen.is_empty() {
                self.arrivals &= way.with(slider);
            } else if !screen.is_crowd() {
                self.pinned |= screen & self.board.all(self.side);
            }
        }
    }

    /// Restricts arrivals to captures of these checking pieces, which cannot be blocked.
    #[inline]
    fn parry(&mut self, checkers: SquareSet) {
        for checker in checkers {
            self.arrivals &= SquareSet::of(checker);
        }
    }

    /// Calls `visit` with each move.
    #[inline]
    pub fn list(&self, visit: &mut impl FnMut(Move)) {
        for to in self.flight {
            visit(Move::new(self.king, to));
        }
        // In double check only the king can move.
        if !self.arrivals.is_empty() {
            self.list_officers(visit);
            self.list_pawns(visit);
        }
    }

    #[inline]
    fn list_officers(&self, visit: &mut impl FnMut(Move)) {
        for from in self.board.straight(self.side) {
            self.list_from(from, lines::rook_attacks(from, self.occupied), visit);
        }
        for from in self.board.slanting(self.side) {
            self.list_from(from, lines::bishop_attacks(from, self.occupied), visit);
        }
        for from in self.board.of_kind(Role::Knight, self.side) & !self.pinned {
            self.list_from(from, lines::knight_attacks(from), visit);
        }
        for from in self.other_kings() {
            self.list_from(from, lines::king_attacks(from), visit);
        }
    }

    #[inline]
    fn list_from(&self, from: u32, reach: SquareSet, visit: &mut impl FnMut(Move)) {
        for to in self.allowed(from, reach) {
            visit(Move::new(from, to));
        }
    }

    #[inline]
    fn list_pawns(&self, visit: &mut impl FnMut(Move)) {
        let pawns = self.board.of_kind(Role::Pawn, self.side);
        let steps = self.board.pawn_steps(self.side, pawns & !self.pinned);
        for (way, arrivals) in pawn_ways(self.side).into_iter().zip(steps) {
            for to in arrivals & self.arrivals {
                visit(Move::new(origin_of(to, way), to));
            }
        }
        for from in pawns & self.pinned {
            self.list_from(from, self.board.reach(from), visit);
        }
    }

    /// Calls `visit` with each piece that can move, its kind, and where it can go; kind by kind.
    #[inline(always)]
    pub fn for_each_mover(&self, mut visit: impl FnMut(u32, Role, SquareSet)) {
        if !self.flight.is_empty() {
            visit(self.king, Role::King, self.flight);
        }
        // In double check only the king can move.
        if self.arrivals.is_empty() {
            return;
        }
        let mut take = |role, from, reach| {
            let to = self.allowed(from, reach);
            if !to.is_empty() {
                visit(from, role, to);
            }
        };
        let of = |role| self.board.of_kind(role, self.side);
        of(Role::Pawn)
            .for_each(|from| take(Role::Pawn, from, self.board.pawn_reach(self.side, from)));
        (of(Role::Knight) & !self.pinned)
            .for_each(|from| take(Role::Knight, from, lines::knight_attacks(from)));
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            of(role).for_each(|from| {
                take(
                    role,
                    from,
                    Board::officer_attacks(role, from, self.occupied),
                );
            });
        }
        self.other_kings()
            .for_each(|from| take(Role::King, from, lines::king_attacks(from)));
    }

    /// The kings that need not be kept safe.
    #[inline]
    fn other_kings(&self) -> SquareSet {
        self.board.of_kind(Role::King, self.side) & !SquareSet::of(self.king)
    }

    /// The part of a piece's reach that check and pin allow.
    #[inline]
    fn allowed(&self, from: u32, reach: SquareSet) -> SquareSet {
        let allowed = reach & self.arrivals;
        if self.pinned.has(from) {
            allowed & lines::through(self.king, from)
        } else {
            allowed
        }
    }

    /// Whether a pawn or a knight can move that is on no line with the king, which is not attacked: a fast test that
    /// suffices to know that there is a move.
    pub fn has_free_stepper(board: &Board, side: Side, king: u32) -> bool {
        let lines = lines::straight_lines(king) | lines::slanting_lines(king);
        let ahead = (board.of_kind(Role::Pawn, side) & !lines).forward(side) & !board.occupied();
        let jumps = || {
            let knights = board.of_kind(Role::Knight, side) & !lines;
            knights
                .into_iter()
                .any(|from| !(lines::knight_attacks(from) & !board.all(side)).is_empty())
        };
        (!ahead.is_empty() || jumps()) && !board.is_attacked(king, side.other(), board.occupied())
    }

    /// Whether the king on a square can step to one that is not attacked: a fast test that suffices to know that there
    /// is a move, even in check.
    pub fn has_flight(board: &Board, side: Side, king: u32) -> bool {
        let without_king = board.occupied() & !SquareSet::of(king);
        let steps = lines::king_attacks(king) & !board.all(side);
        steps
            .into_iter()
            .any(|to| !board.is_attacked(to, side.other(), without_king))
    }

    /// Number of moves.
    #[inline]
    pub fn count(&self) -> u64 {
        let others = if self.arrivals.is_empty() {
            0
        } else {
            self.count_free() + self.count_bound()
        };
        u64::from(self.flight.count() + others)
    }

    /// Counts direction by direction: all pieces that are not pinned at once.
    #[inline]
    fn count_free(&self) -> u32 {
        let (free, empty) = (!self.pinned, SquareSet::BOARD & !self.occupied);
        let straight = self.board.straight(self.side) & free;
        let slanting = self.board.slanting(self.side) & free;
        let (s, d) = (STRAIGHT, SLANTING);
        let sliders = [
            straight.slide(s[0], empty),
            straight.slide(s[1], empty),
            straight.slide(s[2], empty),
            straight.slide(s[3], empty),
            slanting.slide(d[0], empty),
            slanting.slide(d[1], empty),
            slanting.slide(d[2], empty),
            slanting.slide(d[3], empty),
        ];
        let knights = (self.board.of_kind(Role::Knight, self.side) & free).knight_jumps();
        let pawns = self
            .board
            .pawn_steps(self.side, self.board.of_kind(Role::Pawn, self.side) & free);
        let mut tally = Tally::default();
        for mut ways in [sliders, knights, pawns] {
            for arrivals in &mut ways {
                *arrivals &= self.arrivals;
            }
            tally.take(ways);
        }
        tally.total()
    }

    /// Counts, one by one, the moves of pinned pieces and of kings that need not be safe.
    #[inline]
    fn count_bound(&self) -> u32 {
        let bound = self.pinned | self.other_kings();
        bound
            .into_iter()
            .map(|from| self.allowed(from, self.board.reach(from)).count())
            .sum()
    }
}
