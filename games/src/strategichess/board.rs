//! The pieces of one board: where they are, what they attack, where they can go. A side may have any number of kings
//! here, or none.

use super::{
    lines,
    squares::{Direction, SquareSet, number_of},
};
use overboard_rules::{
    by_side::BySide,
    square::{Piece, Role, Side},
};

/// The kinds of pieces, in the order in which a board stores them.
const KINDS: [Role; 6] = Role::OF_CHESS;

/// The officers of either side from file `a` (SC-2, SC-3).
const OFFICERS: [Role; 14] = [
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Bishop,
    Role::Knight,
    Role::Rook,
    Role::Queen,
    Role::King,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Bishop,
    Role::Knight,
    Role::Rook,
];

/// The moves of a pawn, each a direction and a number of steps: one, two and three steps ahead, one back, one to either
/// side, and its captures.
pub(super) type PawnWays = [(Direction, u32); 8];

/// The moves of a side's pawns (SC-5, SC-6, SC-6a, SC-6b).
pub(super) const fn pawn_ways(side: Side) -> PawnWays {
    match side {
        Side::White => [
            (0, 1),
            (0, 2),
            (0, 3),
            (4, 1),
            (1, 1),
            (5, 1),
            (2, 1),
            (3, 1),
        ],
        Side::Black => [
            (4, 1),
            (4, 2),
            (4, 3),
            (0, 1),
            (1, 1),
            (5, 1),
            (7, 1),
            (6, 1),
        ],
    }
}

/// All pieces, and which pawns have never moved: what repetition compares, except the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Board {
    kinds: [SquareSet; 6],
    sides: BySide<SquareSet>,
    unmoved: SquareSet,
}

impl Board {
    /// The array of SC-2: officers on ranks 3 and 12, pawns in front of them, and empty roads.
    pub fn array() -> Self {
        let mut board = Self::default();
        for (file, officer) in OFFICERS.into_iter().enumerate() {
            for (rank, side, role) in [
                (2, Side::White, officer),
                (3, Side::White, Role::Pawn),
                (10, Side::Black, Role::Pawn),
                (11, Side::Black, officer),
            ] {
                board.put(number_of(rank, file), Piece { side, role });
            }
        }
        board.mark(SquareSet::pawn_rank(Side::White) | SquareSet::pawn_rank(Side::Black));
        board
    }

    /// Puts a piece on an empty square; it counts as moved.
    #[inline]
    pub fn put(&mut self, index: u32, piece: Piece) {
        if let Some(kind) = self.kinds.get_mut(piece.role as usize) {
            kind.insert(index);
            self.sides[piece.side].insert(index);
        }
    }

    /// Marks the pawns on these squares, and no others, as never moved.
    pub fn mark(&mut self, unmoved: SquareSet) {
        self.unmoved = unmoved;
    }

    /// The home squares of the side's pawns that are marked as never moved.
    pub fn marked(&self, side: Side) -> SquareSet {
        self.unmoved & SquareSet::pawn_rank(side)
    }

    /// Whether a pawn is marked as never moved where there is none.
    pub fn has_wrong_mark(&self) -> bool {
        let is_wrong = |side| !(self.marked(side) & !self.of_kind(Role::Pawn, side)).is_empty();
        is_wrong(Side::White) || is_wrong(Side::Black)
    }

    /// How many kings White and Black have.
    pub fn count_kings(&self) -> BySide<u32> {
        BySide::from_fn(|side| self.of_kind(Role::King, side).count())
    }

    pub fn piece_at(&self, index: u32) -> Option<Piece> {
        let (_, role) = self
            .kinds
            .iter()
            .zip(KINDS)
            .find(|(kind, _)| kind.has(index))?;
        let side = if self.sides[Side::White].has(index) {
            Side::White
        } else {
            Side::Black
        };
        Some(Piece { side, role })
    }

    #[inline]
    pub fn all(&self, side: Side) -> SquareSet {
        self.sides[side]
    }

    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.sides[Side::White] | self.sides[Side::Black]
    }

    /// The side's pieces of a kind.
    #[inline]
    pub fn of_kind(&self, role: Role, side: Side) -> SquareSet {
        self.kinds
            .get(role as usize)
            .map_or(SquareSet::EMPTY, |kind| *kind & self.all(side))
    }

    /// The kings of both sides.
    #[inline]
    pub const fn kings(&self) -> SquareSet {
        self.kinds[Role::King as usize]
    }

    /// The side's rooks and queens.
    #[inline]
    pub fn straight(&self, side: Side) -> SquareSet {
        (self.kinds[Role::Rook as usize] | self.kinds[Role::Queen as usize]) & self.all(side)
    }

    /// The side's bishops and queens.
    #[inline]
    pub fn slanting(&self, side: Side) -> SquareSet {
        (self.kinds[Role::Bishop as usize] | self.kinds[Role::Queen as usize]) & self.all(side)
    }

    /// The pawns of both sides that have never moved (SC-5a).
    #[inline]
    pub const fn unmoved(&self) -> SquareSet {
        self.unmoved
    }

    /// The side's pieces that attack a square if these squares are occupied.
    #[inline]
    pub fn attackers(&self, target: u32, side: Side, occupied: SquareSet) -> SquareSet {
        self.steppers_at(target, side)
            | self
                .sliders_at(target, side, occupied)
                .collect::<SquareSet>()
    }

    /// Whether the side attacks a square if these squares are occupied.
    #[inline]
    pub fn is_attacked(&self, target: u32, side: Side, occupied: SquareSet) -> bool {
        !self.steppers_at(target, side).is_empty()
            || self.sliders_at(target, side, occupied).next().is_some()
    }

    /// The side's rooks, bishops and queens that attack a square if these squares are occupied.
    #[inline]
    fn sliders_at(
        &self,
        target: u32,
        side: Side,
        occupied: SquareSet,
    ) -> impl Iterator<Item = u32> + use<> {
        let in_line = self.sliders_in_line(target, side).into_iter();
        in_line.filter(move |slider| !lines::between(target, *slider).meets(occupied))
    }

    /// The side's pawns, knights and kings that attack a square.
    #[inline]
    pub fn steppers_at(&self, target: u32, side: Side) -> SquareSet {
        // A pawn attacks a square if an enemy pawn on that square would attack it.
        let [pawns, knights, .., kings] = &self.kinds;
        let steppers = lines::pawn_attacks(target, side.other()) & *pawns
            | lines::knight_attacks(target) & *knights
            | lines::king_attacks(target) & *kings;
        steppers & self.all(side)
    }

    /// The side's rooks, bishops and queens that would attack a square on an empty board.
    #[inline]
    pub fn sliders_in_line(&self, target: u32, side: Side) -> SquareSet {
        lines::straight_lines(target) & self.straight(side)
            | lines::slanting_lines(target) & self.slanting(side)
    }

    /// Where these pawns of a side can go, one set per entry of [`pawn_ways`]. Only pawns of the second set take two or
    /// three steps; whether they have moved is not checked.
    #[inline]
    pub fn pawn_steps(&self, side: Side, pawns: SquareSet) -> [SquareSet; 8] {
        let occupied = self.occupied();
        let empty = SquareSet::BOARD & !occupied;
        let second = ((pawns & self.unmoved).forward(side) & empty).forward(side) & empty;
        let on_roads = pawns & SquareSet::ROADS;
        let [east, west] = pawns.pawn_attacks(side);
        let enemies = self.all(side.other());
        [
            pawns.forward(side) & empty,
            second,
            second.forward(side) & empty,
            pawns.forward(side.other()) & empty,
            on_roads.step(1) & empty,
            on_roads.step(5) & empty,
            east & enemies,
            west & enemies,
        ]
    }

    /// The squares from which pawns of a side can go to an empty square.
    #[inline]
    pub fn pawn_origins(&self, side: Side, to: u32) -> SquareSet {
        let (back, to) = (side.other(), SquareSet::of(to));
        let empty = SquareSet::BOARD & !self.occupied();
        let first = to.forward(back);
        let second = (first & empty).forward(back);
        let third = (second & empty).forward(back);
        let road = to & SquareSet::ROADS;
        let one_step = first | to.forward(side) | road.step(1) | road.step(5);
        (one_step | (second | third) & self.unmoved) & self.of_kind(Role::Pawn, side)
    }

    /// The pieces of a kind that can reach a square, ignoring kings; a pawn by capturing if `takes`, else by its other
    /// moves.
    #[inline]
    pub fn origins(&self, role: Role, side: Side, to: u32, takes: bool) -> SquareSet {
        let occupied = self.occupied();
        let reach = match role {
            Role::Pawn if takes != self.all(side.other()).has(to) => SquareSet::EMPTY,
            Role::Pawn if takes => lines::pawn_attacks(to, side.other()),
            Role::Pawn => self.pawn_origins(side, to),
            _ => Self::officer_attacks(role, to, occupied),
        };
        if self.all(side).has(to) {
            SquareSet::EMPTY
        } else {
            reach & self.of_kind(role, side)
        }
    }

    /// What an officer on a square attacks.
    #[inline]
    pub fn officer_attacks(role: Role, from: u32, occupied: SquareSet) -> SquareSet {
        match role {
            Role::Knight => lines::knight_attacks(from),
            Role::Bishop => lines::bishop_attacks(from, occupied),
            Role::Rook => lines::rook_attacks(from, occupied),
            Role::Queen => {
                lines::rook_attacks(from, occupied) | lines::bishop_attacks(from, occupied)
            }
            Role::King => lines::king_attacks(from),
            Role::Pawn | Role::Silver | Role::Gold => SquareSet::EMPTY,
        }
    }

    /// Where the piece on a square can go, ignoring kings.
    pub fn reach(&self, from: u32) -> SquareSet {
        let Some(Piece { side, role }) = self.piece_at(from) else {
            return SquareSet::EMPTY;
        };
        let reach = match role {
            Role::Pawn => self.pawn_reach(side, from),
            _ => Self::officer_attacks(role, from, self.occupied()),
        };
        reach & !self.all(side)
    }

    /// Where a pawn of a side can go from a square: the same as [`Self::pawn_steps`] for it alone.
    #[inline]
    pub fn pawn_reach(&self, side: Side, from: u32) -> SquareSet {
        let empty = SquareSet::BOARD & !self.occupied();
        let mut reach = lines::pawn_steps(from) & empty
            | lines::pawn_attacks(from, side) & self.all(side.other());
        if self.unmoved.has(from) {
            let second = ((SquareSet::of(from).forward(side) & empty).forward(side)) & empty;
            reach |= second | second.forward(side) & empty;
        }
        reach
    }

    /// Moves the piece of `side` on one square to another, and captures what is there. Returns whether something was
    /// captured.
    #[inline]
    pub fn shift(&mut self, side: Side, from: u32, to: u32) -> bool {
        let (origin, arrival) = (SquareSet::of(from), SquareSet::of(to));
        let takes = self.all(side.other()).has(to);
        // Branchless over all kinds: the contents of the two squares are too unpredictable to branch on.
        for kind in &mut self.kinds {
            kind.shift(from, to);
        }
        self.sides[side] ^= origin | arrival;
        self.sides[side.other()] &= !arrival;
        self.unmoved &= !(origin | arrival);
        takes
    }

    /// Removes the piece on a square.
    pub fn remove(&mut self, index: u32) {
        let others = !SquareSet::of(index);
        for set in &mut self.kinds {
            *set &= others;
        }
        for set in self.sides.iter_mut() {
            *set &= others;
        }
        self.unmoved &= others;
    }

    /// A hash of the pieces.
    #[inline]
    pub fn key(&self) -> u64 {
        let sets = self
            .kinds
            .iter()
            .chain([&self.sides[Side::White], &self.unmoved]);
        sets.fold(0, |key, set| set.mix_into(key))
    }
}
