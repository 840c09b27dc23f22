//! What the side to move can do: listing and counting without making moves.
//!
//! Each square has at most one piece that may move: the rider, or a piece without one. What it can do depends only on
//! its class: on the first level, on a carrier of its own side, on an enemy carrier.

use super::{
    board::{Board, Force, Stand},
    moves::Move,
};
use crate::board8::{
    attacks::{self, SquareSet, east, forward, west},
    board::PROMOTIONS,
};
use overboard_rules::{
    ply::Wing,
    square::{Role, Side},
};

const OFFICERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Where a piece may arrive on the first level and on the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Goals {
    pub below: u64,
    pub above: u64,
}

impl Goals {
    #[inline]
    const fn count(self) -> u32 {
        self.below.count_ones() + self.above.count_ones()
    }

    #[inline]
    pub(super) const fn on(self, above: bool) -> u64 {
        if above { self.above } else { self.below }
    }
}

/// What the side to move may do, given the safety of its king.
pub(super) struct Scope<'a> {
    board: &'a Board,
    side: Side,
    occupied: u64,
    king: u32,
    stand: Stand,
    /// Where the pieces of each class except the king may arrive; in check, only the squares that parry it.
    open: [Goals; 3],
    /// Pieces of the first level that may move only on the line between them and the king.
    pinned: u64,
    /// Those of them that a rider pins.
    pinned_by_riders: u64,
    /// Enemy sliders in line with the king whose attack does not end when their carrier is captured.
    lasting: u64,
    /// Our riders on enemy pieces that would attack the king without them.
    held: u64,
    checked: bool,
}

impl<'a> Scope<'a> {
    #[inline]
    pub(super) fn of(board: &'a Board, side: Side) -> Self {
        let (king, stand) = board.king(side);
        let mut scope = Self {
            board,
            side,
            occupied: board.occupied(),
            king,
            stand,
            open: Self::unchecked(board, side),
            pinned: 0,
            pinned_by_riders: 0,
            lasting: 0,
            held: 0,
            checked: false,
        };
        let hunters = board.hunters(side.other(), stand);
        scope.look_along_lines(&hunters);
        for checker in SquareSet(hunters.steppers(king, side.other())) {
            scope.parry(checker);
        }
        scope.hold_down();
        scope
    }

    /// Where the pieces of each class may arrive if their king is safe (MC-4 to MC-7, MC-9).
    #[inline]
    fn unchecked(board: &Board, side: Side) -> [Goals; 3] {
        // A king that could be taken, because an illegal move stands, is not (GEN-9).
        let (king, stand) = board.king(side.other());
        let [spared_below, spared_above] = match stand {
            Stand::Ground => [1 << king, 0],
            Stand::Above(_) => [0, 1 << king],
        };
        let below = !board.ground.all(side) & !spared_below;
        let carriers =
            board.occupied() & !board.ground.kings() & !board.riders(side) & !spared_above;
        [
            Goals {
                below,
                above: carriers & board.ground.all(side),
            },
            Goals {
                below,
                above: carriers,
            },
            Goals {
                below: 0,
                above: carriers,
            },
        ]
    }

    /// Finds the enemy sliders that attack the king, or would if one of our pieces were gone.
    #[inline]
    fn look_along_lines(&mut self, hunters: &Force) {
        let straight = attacks::rook(self.king, 0) & hunters.straight();
        let slanting = attacks::bishop(self.king, 0) & hunters.slanting();
        let free = self.board.free(self.side);
        for slider in SquareSet(straight | slanting) {
            let screen = attacks::between(self.king, slider) & self.occupied;
            if screen & screen.wrapping_sub(1) != 0 {
                continue;
            }
            let rides = self.board.above.occupied() >> slider & 1;
            if self.stand != Stand::Ground {
                self.lasting |= rides << slider;
            }
            if screen == 0 {
                self.parry(slider);
            } else {
                self.pinned |= screen & free;
                self.pinned_by_riders |= (screen & free) * rides;
            }
        }
    }

    /// Restricts arrivals to those that parry this piece's check: interposing, capturing it or its carrier,
    /// riding it, and capturing the carrier under one's own king if the check depends on that carrier.
    #[inline]
    fn parry(&mut self, checker: u32) {
        self.checked = true;
        let (there, rides) = (
            1 << checker,
            self.board.above.occupied() >> checker & 1 == 1,
        );
        let mut below = attacks::between(self.king, checker);
        if !rides {
            below |= there | 1 << self.king;
        } else if self.stand == Stand::Ground {
            below |= there;
        }
        for goals in &mut self.open {
            goals.below &= below;
            goals.above &= there;
        }
    }

    /// Finds the riders that must stay on the enemy pieces below them.
    #[inline]
    fn hold_down(&mut self) {
        let annexing = self.board.annexing(self.side);
        let enemy = self.side.other();
        let able = match self.stand {
            Stand::Ground => annexing,
            Stand::Above(carrier) if carrier == enemy => {
                annexing & !self.board.ground.kind(Role::Pawn, enemy)
            }
            Stand::Above(_) => 0,
        };
        if able != 0 {
            self.held = self
                .board
                .force(able, 0)
                .attackers(self.king, enemy, self.occupied);
        }
    }

    /// Calls `visit` with each legal move.
    #[inline]
    pub(super) fn list(&self, en_passant: u64, rights: u64, visit: &mut impl FnMut(Move)) {
        let mut show = |role, from, goals: Goals| {
            SquareSet(goals.below).for_each(|to| visit(Move::below(role, from, to)));
            SquareSet(goals.above).for_each(|to| visit(Move::above(role, from, to)));
        };
        self.each_officer(&mut show);
        show(Role::King, self.king, self.flight());
        self.each_pawn_set(|arrivals, by| {
            for to in SquareSet(arrivals) {
                list_pawn(to.wrapping_add_signed(-by), to, self.side, visit);
            }
        });
        for from in SquareSet(self.takers_in_passing(en_passant)) {
            visit(Move::special(Role::Pawn, from, en_passant.trailing_zeros()));
        }
        for wing in [Wing::KingSide, Wing::QueenSide] {
            if self.may_castle(wing, rights) {
                visit(castling(self.side, wing));
            }
        }
    }

    /// Number of legal moves.
    #[inline]
    pub(super) fn count(&self, en_passant: u64, rights: u64) -> u64 {
        let last = attacks::last_rank(self.side);
        let mut count = self.flight().count() + self.takers_in_passing(en_passant).count_ones();
        self.each_officer(|_, _, goals| count += goals.count());
        self.each_pawn_set(|arrivals, _| {
            count += arrivals.count_ones() + 3 * (arrivals & last).count_ones();
        });
        if rights & attacks::first_rank(self.side) != 0 {
            count += u32::from(self.may_castle(Wing::KingSide, rights));
            count += u32::from(self.may_castle(Wing::QueenSide, rights));
        }
        u64::from(count)
    }

    /// Whether there is a legal move at all.
    pub(super) fn any(&self, en_passant: u64, rights: u64) -> bool {
        // The king last: its safe squares take longest to find.
        let mut any = false;
        self.each_officer(|_, _, goals| any |= goals != Goals::default());
        self.each_pawn_set(|arrivals, _| any |= arrivals != 0);
        any || self.count(en_passant, rights) > 0
    }

    /// Calls `visit` with each officer except the king that may move, and where it may go.
    #[inline]
    fn each_officer(&self, mut visit: impl FnMut(Role, u32, Goals)) {
        let movers = self.board.force(
            self.board.free(self.side),
            self.board.riders(self.side) & !self.held,
        );
        for role in OFFICERS {
            for from in SquareSet(movers.of(role)) {
                visit(
                    role,
                    from,
                    self.goals(from, attacks::reach(role, from, self.occupied)),
                );
            }
        }
    }

    /// Where the officer on a square, not the king, may go, given the squares in its reach, before levels and its king
    /// are considered.
    #[inline]
    pub(super) fn goals(&self, from: u32, reach: u64) -> Goals {
        let on = |set: u64| (set >> from & 1) as usize;
        let class = on(self.board.above.occupied()) + on(self.board.annexing(self.side));
        let Goals {
            mut below,
            mut above,
        } = self.open[class];
        if self.held >> from & 1 == 1 {
            return Goals::default();
        }
        if self.pinned >> from & 1 == 1 {
            let line = attacks::line(self.king, from);
            below &= self.pinned_way(from, line);
            above &= line;
        }
        Goals {
            below: reach & below,
            above: reach & above,
        }
    }

    /// Where a pinned piece may arrive on the first level: on its line, except where the pin lasts.
    #[inline]
    fn pinned_way(&self, from: u32, line: u64) -> u64 {
        let under_king = if self.pinned_by_riders >> from & 1 == 1 {
            1 << self.king
        } else {
            0
        };
        line & !self.lasting & !under_king
    }

    /// Calls `visit` with sets of squares at which pawns may arrive, all by steps of one length.
    #[inline]
    fn each_pawn_set(&self, mut visit: impl FnMut(u64, i32)) {
        let pawns = self.board.free(self.side) & self.board.ground.kind(Role::Pawn, self.side);
        let mut show = |pawns: u64, open: u64| {
            for (arrivals, by) in self.pawn_arrivals(pawns) {
                visit(arrivals & open, by);
            }
        };
        show(pawns & !self.pinned, self.open[0].below);
        for from in SquareSet(pawns & self.pinned) {
            show(
                1 << from,
                self.open[0].below & self.pinned_way(from, attacks::line(self.king, from)),
            );
        }
    }

    /// Where pawns can go, ignoring their king: one step, two, to the west and to the east.
    #[inline]
    fn pawn_arrivals(&self, pawns: u64) -> [(u64, i32); 4] {
        let (side, empty) = (self.side, !self.occupied);
        let (ahead, third, north) = match side {
            Side::White => (forward(pawns, side), attacks::rank(2), 8),
            Side::Black => (forward(pawns, side), attacks::rank(5), -8),
        };
        let enemies = self.board.ground.all(side.other());
        let once = ahead & empty;
        let twice = forward(once & third, side) & empty;
        [
            (once, north),
            (twice, 2 * north),
            (west(ahead) & enemies, north - 1),
            (east(ahead) & enemies, north + 1),
        ]
    }

    /// Where the pawn on a square may go, without en passant captures.
    pub(super) fn pawn_goals(&self, from: u32) -> u64 {
        let pinned = self.pinned >> from & 1 == 1;
        let way = if pinned {
            self.pinned_way(from, attacks::line(self.king, from))
        } else {
            !0
        };
        let arrivals = self
            .pawn_arrivals(1 << from)
            .into_iter()
            .fold(0, |all, (set, _)| all | set);
        arrivals & self.open[0].below & way
    }

    /// The pawns that may capture en passant on the only square of a set.
    #[inline]
    pub(super) fn takers_in_passing(&self, en_passant: u64) -> u64 {
        if en_passant == 0 {
            return 0;
        }
        let to = en_passant.trailing_zeros();
        let near = attacks::pawn(to, self.side.other());
        let pawns =
            near & self.board.free(self.side) & self.board.ground.kind(Role::Pawn, self.side);
        SquareSet(pawns)
            .filter(|from| self.is_safe_in_passing(*from, to))
            .fold(0, |all, from| all | 1 << from)
    }

    fn is_safe_in_passing(&self, from: u32, to: u32) -> bool {
        let mut after = *self.board;
        after.play(self.side, Move::special(Role::Pawn, from, to));
        after.checkers(self.side) == 0
    }

    /// Where the king may go, without castling.
    #[inline]
    pub(super) fn flight(&self) -> Goals {
        let enemy = self.side.other();
        let (ground, above) = (self.board.ground, self.board.above);
        let class = match self.stand {
            Stand::Ground => 0,
            Stand::Above(carrier) => 1 + usize::from(carrier == enemy),
        };
        let reach = attacks::king(self.king);
        let open = Self::unchecked(self.board, self.side)[class];
        // A king may not capture a piece that carries a rider (MC-15).
        let mut below = reach & open.below & !(ground.all(enemy) & above.occupied());
        let (mut own, mut others) = (
            reach & open.above & ground.all(self.side),
            reach & open.above & ground.all(enemy),
        );
        if below != 0 {
            below &= !self.danger_below();
        }
        if own != 0 {
            own &= !self.attacked(0, self.board.riders(enemy));
        }
        if others != 0 {
            let officers = self.freed() & !ground.kind(Role::Pawn, enemy);
            others &= !self.attacked(officers, self.board.riders(enemy));
        }
        Goals {
            below,
            above: own | others,
        }
    }

    /// What the enemy attacks on the first level once the king has left its square.
    #[inline]
    fn danger_below(&self) -> u64 {
        self.attacked(self.freed(), self.board.mounted(self.side.other()))
    }

    /// The enemy pieces on the first level that are without a rider once the king has left its square.
    #[inline]
    fn freed(&self) -> u64 {
        let enemy = self.side.other();
        self.board.free(enemy) | (1 << self.king & self.board.ground.all(enemy))
    }

    /// What these enemy pieces of the first level and these riders attack once the king has left its square.
    /// The king does not block lines through its old square; a carrier that it leaves still does.
    #[inline]
    fn attacked(&self, ground: u64, riders: u64) -> u64 {
        let left = if self.stand == Stand::Ground {
            1 << self.king
        } else {
            0
        };
        self.board
            .force(ground, riders)
            .attacked(self.side.other(), self.occupied & !left)
    }

    /// Whether the king may castle to a wing with these rooks that have not moved (MC-11).
    #[inline]
    pub(super) fn may_castle(&self, wing: Wing, rights: u64) -> bool {
        let row = attacks::first_rank(self.side);
        let file = |file| attacks::file(file) & row;
        let (corner, between, crossed) = match wing {
            Wing::KingSide => (file(7), file(5) | file(6), file(5) | file(6)),
            Wing::QueenSide => (file(0), file(1) | file(2) | file(3), file(2) | file(3)),
        };
        rights & corner & !self.board.above.occupied() != 0
            && self.occupied & between == 0
            && !self.checked
            && self.danger_below() & crossed == 0
    }
}

/// The move of a king that castles.
pub(super) const fn castling(side: Side, wing: Wing) -> Move {
    let home = if matches!(side, Side::White) { 4 } else { 60 };
    let to = if matches!(wing, Wing::KingSide) {
        home + 2
    } else {
        home - 2
    };
    Move::special(Role::King, home, to)
}

#[inline]
fn list_pawn(from: u32, to: u32, side: Side, visit: &mut impl FnMut(Move)) {
    if attacks::last_rank(side) >> to & 1 == 1 {
        for role in PROMOTIONS {
            visit(Move::promotion_to(role, from, to));
        }
    } else {
        visit(Move::below(Role::Pawn, from, to));
    }
}
