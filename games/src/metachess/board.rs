//! The pieces of both levels, as bitboards.

use super::moves::Move;
use crate::board8::attacks;
use overboard_rules::{
    by_side::BySide,
    ply::Wing,
    square::{Piece, Role, Side},
};

/// The pieces of one level: the squares of each role in the order of [`Role`], and of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Level {
    roles: [u64; 6],
    sides: BySide<u64>,
}

impl Level {
    /// Puts a piece on an empty square. Silvers and Golds, which no position has, are left out.
    #[inline]
    fn put(&mut self, square: u64, side: Side, role: Role) {
        if let Some(kind) = self.roles.get_mut(role as usize) {
            *kind |= square;
            self.sides[side] |= square;
        }
    }

    #[inline]
    fn clear(&mut self, squares: u64) {
        self.roles = self.roles.map(|kind| kind & !squares);
        self.sides = self.sides.map(|side| side & !squares);
    }

    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        self.sides.at(Side::White) | self.sides.at(Side::Black)
    }

    #[inline]
    pub(super) const fn all(&self, side: Side) -> u64 {
        self.sides.at(side)
    }

    #[inline]
    pub(super) const fn kind(&self, role: Role, side: Side) -> u64 {
        match role {
            Role::Silver | Role::Gold => 0,
            role => self.roles[role as usize] & self.sides.at(side),
        }
    }

    #[inline]
    pub(super) const fn kings(&self) -> u64 {
        self.roles[Role::King as usize]
    }

    /// The pawns of both sides.
    pub(super) const fn pawns(&self) -> u64 {
        self.roles[Role::Pawn as usize]
    }

    pub(super) fn piece_at(&self, index: u32) -> Option<Piece> {
        let stands = |set: u64| set >> index & 1 == 1;
        let kind = self.roles.iter().position(|kind| stands(*kind))?;
        let side = if stands(self.sides[Side::White]) {
            Side::White
        } else {
            Side::Black
        };
        Some(Piece {
            side,
            role: Role::ALL[kind],
        })
    }
}

/// The first level, and the riders of the second: what repetition compares, except side to move, castling and en
/// passant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Board {
    pub ground: Level,
    pub above: Level,
}

/// Where a king is, as far as attackers are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stand {
    /// On the first level.
    Ground,
    /// On a carrier of this side.
    Above(Side),
}

/// Pieces that may act together, by role: each on a square of its own.
#[derive(Clone, Copy)]
pub(super) struct Force([u64; 6]);

impl Force {
    #[inline]
    pub(super) const fn of(&self, role: Role) -> u64 {
        self.0[role as usize]
    }

    #[inline]
    pub(super) const fn straight(&self) -> u64 {
        self.of(Role::Rook) | self.of(Role::Queen)
    }

    #[inline]
    pub(super) const fn slanting(&self) -> u64 {
        self.of(Role::Bishop) | self.of(Role::Queen)
    }

    /// Those of these pieces, all of one side, that attack a square if these squares are occupied.
    #[inline]
    pub(super) fn attackers(&self, target: u32, side: Side, occupied: u64) -> u64 {
        (attacks::rook(target, occupied) & self.straight())
            | (attacks::bishop(target, occupied) & self.slanting())
            | self.steppers(target, side)
    }

    /// The non-sliding pieces that attack a square.
    #[inline]
    pub(super) fn steppers(&self, target: u32, side: Side) -> u64 {
        (attacks::knight(target) & self.of(Role::Knight))
            | (attacks::king(target) & self.of(Role::King))
            | (attacks::pawn(target, side.other()) & self.of(Role::Pawn))
    }

    /// All squares that these pieces attack if these squares are occupied.
    #[inline]
    pub(super) fn attacked(&self, side: Side, occupied: u64) -> u64 {
        let ahead = attacks::forward(self.of(Role::Pawn), side);
        let mut all = attacks::east(ahead) | attacks::west(ahead);
        for role in [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ] {
            for from in attacks::SquareSet(self.of(role)) {
                all |= attacks::reach(role, from, occupied);
            }
        }
        all
    }
}

impl Board {
    /// The array of regular chess, without riders.
    pub(super) const ARRAY: Self = Self {
        ground: Level {
            roles: [
                attacks::rank(1) | attacks::rank(6),
                0x4200_0000_0000_0042,
                0x2400_0000_0000_0024,
                0x8100_0000_0000_0081,
                0x0800_0000_0000_0008,
                0x1000_0000_0000_0010,
            ],
            sides: BySide::new(0xffff, 0xffff << 48),
        },
        above: Level {
            roles: [0; 6],
            sides: BySide::both(0),
        },
    };

    /// Puts a piece on an empty square, and its rider if it has one.
    pub(super) fn put(&mut self, square: u64, carrier: Piece, rider: Option<Piece>) {
        self.ground.put(square, carrier.side, carrier.role);
        if let Some(Piece { side, role }) = rider {
            self.above.put(square, side, role);
        }
    }

    /// All occupied squares: there is no rider without a carrier.
    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        self.ground.occupied()
    }

    /// The side's pieces on the first level that carry no rider, and so may move (MC-3).
    #[inline]
    pub(super) const fn free(&self, side: Side) -> u64 {
        self.ground.all(side) & !self.above.occupied()
    }

    #[inline]
    pub(super) const fn riders(&self, side: Side) -> u64 {
        self.above.all(side)
    }

    /// The side's riders on carriers of its own, which act on both levels (MC-6).
    #[inline]
    pub(super) const fn mounted(&self, side: Side) -> u64 {
        self.above.all(side) & self.ground.all(side)
    }

    /// The side's riders on enemy carriers, which act on the second level only (MC-6).
    #[inline]
    pub(super) const fn annexing(&self, side: Side) -> u64 {
        self.above.all(side) & self.ground.all(side.other())
    }

    /// The pieces on some squares of the first level, and the riders on others.
    #[inline]
    pub(super) fn force(&self, ground: u64, riders: u64) -> Force {
        let mut roles = [0; 6];
        for (kind, both) in roles.iter_mut().enumerate() {
            *both = self.ground.roles[kind] & ground | self.above.roles[kind] & riders;
        }
        Force(roles)
    }

    /// The side's pieces that may move, by role: at most one per square.
    #[inline]
    pub(super) fn movers(&self, side: Side) -> Force {
        self.force(self.free(side), self.riders(side))
    }

    /// The side's pieces that could capture a king at such a place (MC-10).
    #[inline]
    pub(super) fn hunters(&self, side: Side, stand: Stand) -> Force {
        match stand {
            Stand::Ground => self.force(self.free(side), self.mounted(side)),
            Stand::Above(carrier) if carrier == side => self.force(
                self.free(side) & !self.ground.kind(Role::Pawn, side),
                self.riders(side),
            ),
            Stand::Above(_) => self.force(0, self.riders(side)),
        }
    }

    /// The square index of a side's king, and how it stands there; every position has a king.
    #[inline]
    pub(super) const fn king(&self, side: Side) -> (u32, Stand) {
        let below = self.ground.kind(Role::King, side);
        let above = self.above.kind(Role::King, side);
        let stand = if above == 0 {
            Stand::Ground
        } else if self.ground.all(side) & above != 0 {
            Stand::Above(side)
        } else {
            Stand::Above(side.other())
        };
        ((below | above).trailing_zeros(), stand)
    }

    /// How many pieces of a kind the side has on both levels.
    pub(super) const fn count(&self, role: Role, side: Side) -> u32 {
        self.ground.kind(role, side).count_ones() + self.above.kind(role, side).count_ones()
    }

    /// The squares of the pieces that give check to a side's king.
    #[inline]
    pub(super) fn checkers(&self, side: Side) -> u64 {
        let (king, stand) = self.king(side);
        self.hunters(side.other(), stand)
            .attackers(king, side.other(), self.occupied())
    }

    /// Whether a move of the side captures something on the level on which it ends.
    #[inline]
    pub(super) const fn captures(&self, side: Side, m: Move) -> bool {
        let there = if m.is_above() {
            self.above.all(side.other())
        } else {
            self.ground.all(side.other())
        };
        there >> m.target() & 1 == 1 || m.is_en_passant()
    }

    /// Moves a piece of the side: the rider if there is one. What it captures leaves its level, and a rider stays on
    /// whatever comes to be below it (MC-7).
    #[inline]
    pub(super) fn play(&mut self, side: Side, m: Move) {
        let (origin, arrival) = (1 << m.origin(), 1 << m.target());
        if self.above.occupied() & origin != 0 {
            self.above.clear(origin);
        } else {
            self.ground.clear(origin);
        }
        let level = if m.is_above() {
            &mut self.above
        } else {
            &mut self.ground
        };
        level.clear(arrival);
        level.put(arrival, side, m.promotion().unwrap_or(m.role()));
        if m.is_en_passant() {
            self.ground.clear(attacks::forward(arrival, side.other()));
        } else if let Some(wing) = m.wing() {
            self.move_rook(side, wing);
        }
    }

    fn move_rook(&mut self, side: Side, wing: Wing) {
        let (corner, beside) = match wing {
            Wing::KingSide => (attacks::file(7), attacks::file(5)),
            Wing::QueenSide => (attacks::file(0), attacks::file(3)),
        };
        let row = attacks::first_rank(side);
        self.ground.clear(corner & row);
        self.ground.put(beside & row, side, Role::Rook);
    }

    /// A hash of the pieces.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let words = self
            .ground
            .roles
            .into_iter()
            .chain(self.above.roles)
            .chain([
                self.ground.sides[Side::White],
                self.above.sides[Side::White],
            ]);
        words.zip(FACTORS).fold(0, |key: u64, (word, factor)| {
            key.wrapping_add((word ^ word >> 29).wrapping_mul(factor))
        })
    }
}

/// Odd factors with well-spread bits (the fractional parts of square roots of primes, made odd).
const FACTORS: [u64; 14] = [
    0x6a09_e667_f3bc_c909,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
    0xcbbb_9d5d_c105_9ed9,
    0x629a_292a_367c_d507,
    0x9159_015a_3070_dd17,
    0x152f_ecd8_f70e_5939,
    0x6733_2667_ffc0_0b31,
    0x8eb4_4a87_6858_1511,
];
