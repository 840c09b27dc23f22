//! The pieces on the board and in hand, as bitboards.

use super::{
    attacks::{self, Bitboard},
    setup::{BoardPiece, HAND, hand_index},
};
use overboard_rules::{
    by_side::BySide,
    hash,
    square::{Piece, Role, Side},
};

const GOLD: usize = 2;
const SILVER: usize = 3;
pub(super) const PAWN: usize = 4;
const KING: usize = 5;

/// All pieces: what repetition compares, except the side to move (OC-10).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PieceCensus {
    /// The squares of each kind in the order of [`HAND`], kings last. A promoted piece counts as the kind to which it
    /// reverts (OC-7).
    kinds: [u32; 6],
    sides: BySide<u32>,
    promoted: u32,
    /// How many of each kind White and Black hold, in the order of [`HAND`].
    pub hands: BySide<[u8; 5]>,
}

impl PieceCensus {
    /// The array of OC-2: White's king, gold, silver, bishop and rook from `a1`, a pawn on `a2`, and Black's pieces the
    /// same from the other side.
    pub(super) const ARRAY: Self = Self {
        kinds: [
            turned(4),
            turned(3),
            turned(1),
            turned(2),
            turned(5),
            turned(0),
        ],
        sides: BySide::new(0x3f, 0x3f << 19),
        promoted: 0,
        hands: BySide::both([0; 5]),
    };

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, index: u32, piece: BoardPiece) {
        let square = 1 << index;
        if let Some(kind) = kind_of(piece.piece.role) {
            self.kinds[kind] |= square;
            self.sides[piece.piece.side] |= square;
            self.promoted |= if piece.promoted { square } else { 0 };
        }
    }

    /// Takes the piece off a square.
    pub(super) fn take(&mut self, index: u32) -> Option<BoardPiece> {
        let taken = self.man_at(index)?;
        let others = !(1 << index);
        self.kinds = self.kinds.map(|kind| kind & others);
        self.sides = self.sides.map(|side| side & others);
        self.promoted &= others;
        Some(taken)
    }

    pub(super) fn man_at(&self, index: u32) -> Option<BoardPiece> {
        let stands = |set: u32| set >> index & 1 == 1;
        let kind = self.kinds.iter().position(|kind| stands(*kind))?;
        let role = HAND.get(kind).copied().unwrap_or(Role::King);
        let side = if stands(self.sides[Side::White]) {
            Side::White
        } else {
            Side::Black
        };
        Some(BoardPiece {
            piece: Piece { side, role },
            promoted: stands(self.promoted),
        })
    }

    #[inline]
    pub(super) fn all(&self, side: Side) -> u32 {
        self.sides[side]
    }

    #[inline]
    pub(super) fn occupied(&self) -> u32 {
        self.sides[Side::White] | self.sides[Side::Black]
    }

    #[inline]
    pub(super) fn rooks(&self, side: Side) -> u32 {
        self.all(side) & self.kinds[0]
    }

    #[inline]
    pub(super) fn bishops(&self, side: Side) -> u32 {
        self.all(side) & self.kinds[1]
    }

    /// True and promoted golds.
    #[inline]
    pub(super) fn golds(&self, side: Side) -> u32 {
        self.all(side) & (self.kinds[GOLD] | self.promoted)
    }

    #[inline]
    pub(super) fn silvers(&self, side: Side) -> u32 {
        self.all(side) & self.kinds[SILVER] & !self.promoted
    }

    #[inline]
    pub(super) fn pawns(&self, side: Side) -> u32 {
        self.all(side) & self.kinds[PAWN] & !self.promoted
    }

    /// The king as a set of one square.
    #[inline]
    pub(super) fn king(&self, side: Side) -> u32 {
        self.all(side) & self.kinds[KING]
    }

    /// The pieces written with the role's letter.
    #[inline]
    pub(super) fn written_as(&self, role: Role, side: Side) -> u32 {
        match role {
            Role::Rook => self.rooks(side),
            Role::Bishop => self.bishops(side),
            Role::Gold => self.golds(side),
            Role::Silver => self.silvers(side),
            Role::Pawn => self.pawns(side),
            Role::King => self.king(side),
            Role::Knight | Role::Queen => 0,
        }
    }

    /// The pieces of one kind on the board, promoted or not, and in both hands.
    pub(super) fn count(&self, kind: usize) -> u32 {
        let held = |side: Side| u32::from(self.hands[side][kind]);
        self.kinds[kind].count_ones() + held(Side::White) + held(Side::Black)
    }

    /// The side's pieces that attack a square if these squares are occupied.
    #[inline]
    pub(super) fn attackers(&self, target: u32, side: Side, occupied: u32) -> u32 {
        (attacks::rook_attacks(target, occupied) & self.rooks(side))
            | (attacks::bishop_attacks(target, occupied) & self.bishops(side))
            | self.steppers_at(1 << target, side)
    }

    /// The pieces that give check to a side's king.
    #[inline]
    pub(super) fn checkers(&self, side: Side) -> u32 {
        let king = self.king(side).trailing_zeros();
        self.attackers(king, side.other(), self.occupied())
    }

    /// The side's non-sliding pieces that attack the only square of a set.
    #[inline]
    pub(super) fn steppers_at(&self, target: u32, side: Side) -> u32 {
        // A piece attacks a square if an enemy piece of its kind on that square would attack it.
        let facing = side.other();
        (attacks::gold_attacks(target, facing) & self.golds(side))
            | (attacks::silver_attacks(target, facing) & self.silvers(side))
            | (attacks::pawn_attacks(target, facing) & self.pawns(side))
            | (attacks::king_attacks(target) & self.king(side))
    }

    /// All squares that the side attacks if these squares are occupied.
    #[inline]
    pub(super) fn attacked(&self, side: Side, occupied: u32) -> u32 {
        let stepped = attacks::gold_attacks(self.golds(side), side)
            | attacks::silver_attacks(self.silvers(side), side)
            | attacks::pawn_attacks(self.pawns(side), side)
            | attacks::king_attacks(self.king(side));
        let rooks = Bitboard(self.rooks(side)).map(|from| attacks::rook_attacks(from, occupied));
        let bishops =
            Bitboard(self.bishops(side)).map(|from| attacks::bishop_attacks(from, occupied));
        rooks.chain(bishops).fold(stepped, |all, reach| all | reach)
    }

    /// Moves the piece of `side` on one square to another, promoting it or not, and puts what it captures into the hand
    /// (OC-7). Returns whether something was captured or a pawn moved.
    #[inline]
    pub(super) fn shift(&mut self, side: Side, from: u32, to: u32, promotes: bool) -> bool {
        let (origin, arrival) = (1_u32 << from, 1_u32 << to);
        let takes = self.all(side.other()) & arrival != 0;
        let zeroing = takes || self.pawns(side) & origin != 0;
        let moved = |set: u32| set & !(origin | arrival) | (set >> from & 1) << to;
        // Branchless over all kinds: the contents of the two squares are too unpredictable to branch on.
        for (kind, held) in self.kinds.iter().zip(&mut self.hands[side]) {
            *held += (kind >> to & 1) as u8;
        }
        self.kinds = self.kinds.map(moved);
        self.promoted = moved(self.promoted) | u32::from(promotes) << to;
        self.sides[side] ^= origin | arrival;
        self.sides[side.other()] &= !arrival;
        zeroing
    }

    /// Drops a piece of the hand on the board (OC-8).
    #[inline]
    pub(super) fn drop(&mut self, side: Side, kind: usize, to: u32) {
        self.hands[side][kind] -= 1;
        self.kinds[kind] |= 1 << to;
        self.sides[side] |= 1 << to;
    }

    /// A hash of the pieces.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let held = |hand: [u8; 5]| hand.iter().fold(0, |sum, held| sum << 5 | u32::from(*held));
        let [white, black] = self.hands.map(held).into_array();
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let words = [
            pair(self.kinds[0], self.kinds[1]),
            pair(self.kinds[2], self.kinds[3]),
            pair(self.kinds[4], self.kinds[5]),
            pair(self.sides[Side::White], self.promoted),
            pair(white, black),
        ];
        hash::five(words) as u64
    }
}

/// A square, and the one where it is when the board is turned.
const fn turned(index: u32) -> u32 {
    1 << index | 1 << (24 - index)
}

fn kind_of(role: Role) -> Option<usize> {
    if role == Role::King {
        Some(KING)
    } else {
        hand_index(role)
    }
}
