//! Any arrangement of the pieces of one board, legal or not.

use super::squares::{self, SquareSet};
use overboard_rules::{
    by_side::BySide,
    square::{Piece, Role, Side, Square},
};

/// A set-up of the board of fourteen by fourteen, with the other fields of its FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategiSetup {
    /// The pieces, `a1` first, then along the ranks.
    pub board: [Option<Piece>; 196],
    /// The files on which White and Black have pawns that have never moved (SC-5a).
    pub unmoved: BySide<[bool; 14]>,
    /// The side to move.
    pub turn: Side,
    /// Plies since the last capture.
    pub halfmove: u32,
    /// Number of the next move, from 1.
    pub fullmove: u32,
}

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

impl Default for StrategiSetup {
    /// The initial position of SC-2: officers on ranks 3 and 12, pawns in front of them, and empty roads.
    fn default() -> Self {
        let mut board = [None; 196];
        for (file, role) in OFFICERS.into_iter().enumerate() {
            let mut put = |rank: usize, side, role| {
                board[(rank - 1) * 14 + file] = Some(Piece { side, role });
            };
            put(3, Side::White, role);
            put(4, Side::White, Role::Pawn);
            put(11, Side::Black, Role::Pawn);
            put(12, Side::Black, role);
        }
        Self {
            board,
            unmoved: BySide::both([true; 14]),
            turn: Side::White,
            halfmove: 0,
            fullmove: 1,
        }
    }
}

impl StrategiSetup {
    /// The board without a piece on it.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            board: [None; 196],
            unmoved: BySide::both([false; 14]),
            turn: Side::White,
            halfmove: 0,
            fullmove: 1,
        }
    }

    /// The piece on a square; `None` also off the board.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        squares::index(square)?;
        self.board[place(square)]
    }

    /// The home square of a side's pawn, by file.
    #[must_use]
    pub const fn first_square(side: Side, file: u8) -> Square {
        Square::new(file, if matches!(side, Side::White) { 3 } else { 10 })
    }

    /// The pieces with the numbers of their squares.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (u32, Piece)> + '_ {
        squares::all()
            .zip(&self.board)
            .filter_map(|(number, piece)| piece.map(|piece| (number, piece)))
    }

    /// The squares of pawns that are marked as never moved.
    pub(super) fn unmoved(&self) -> SquareSet {
        let mut unmoved = SquareSet::EMPTY;
        for (side, files) in self.unmoved.pairs() {
            for (file, is_unmoved) in (0..).zip(files) {
                if *is_unmoved && let Some(square) = squares::index(Self::first_square(side, file))
                {
                    unmoved.insert(square);
                }
            }
        }
        unmoved
    }

    /// How many kings White and Black have.
    pub(super) fn kings(&self) -> BySide<usize> {
        let king = |side| Piece {
            side,
            role: Role::King,
        };
        BySide::from_fn(|side| {
            self.pieces()
                .filter(|(_, piece)| *piece == king(side))
                .count()
        })
    }

    /// Whether there are pieces that this game does not have.
    pub(super) fn has_foreign_pieces(&self) -> bool {
        self.board
            .iter()
            .flatten()
            .any(|piece| matches!(piece.role, Role::Silver | Role::Gold))
    }
}

/// The index of a square in a set-up's list.
const fn place(square: Square) -> usize {
    square.rank as usize * 14 + square.file as usize
}
