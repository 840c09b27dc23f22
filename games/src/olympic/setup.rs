//! Any arrangement of the pieces of Olympic Chess on the board and in hand, legal or not.

use super::attacks;
use crate::one_board::holding;
use overboard_rules::{
    by_side::BySide,
    setup::Impossible,
    square::{Piece, Role, Side, Square},
};

/// The kinds of pieces that can be in hand, in the order in which a hand counts them.
pub const HAND: [Role; 5] = [
    Role::Rook,
    Role::Bishop,
    Role::Gold,
    Role::Silver,
    Role::Pawn,
];

/// The index of a role in a hand; `None` for one that is never in hand.
#[inline]
pub(super) const fn hand_index(role: Role) -> Option<usize> {
    Some(match role {
        Role::Rook => 0,
        Role::Bishop => 1,
        Role::Gold => 2,
        Role::Silver => 3,
        Role::Pawn => 4,
        Role::Knight | Role::Queen | Role::King => return None,
    })
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardPiece {
    /// Its side, and its kind; a promoted pawn is still a pawn here.
    pub piece: Piece,
    /// Whether it has been promoted, so that it moves as a gold until it is captured (OC-5, OC-7).
    pub promoted: bool,
}

/// A set-up of the 5x5 board, with the other fields of its FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OlympicSetup {
    /// The pieces, `a1` first, then along the ranks.
    pub board: [Option<BoardPiece>; 25],
    /// How many of each kind White and Black hold, in the order of [`HAND`].
    pub hands: BySide<[u8; 5]>,
    /// The side to move.
    pub turn: Side,
    /// Plies since the last capture, or move or drop of a pawn.
    pub halfmove: u32,
    /// Number of the next move, from 1.
    pub fullmove: u32,
}

impl Default for OlympicSetup {
    /// The initial position of OC-2: White's king, gold, silver, bishop and rook from `a1`, a pawn on `a2`, and Black's
    /// pieces the same from the other side.
    fn default() -> Self {
        let row = [
            Role::King,
            Role::Gold,
            Role::Silver,
            Role::Bishop,
            Role::Rook,
            Role::Pawn,
        ];
        let mut board = [None; 25];
        for (index, role) in row.into_iter().enumerate() {
            let occupant = |side| {
                Some(BoardPiece {
                    piece: Piece { side, role },
                    promoted: false,
                })
            };
            board[index] = occupant(Side::White);
            board[24 - index] = occupant(Side::Black);
        }
        Self {
            board,
            hands: BySide::both([0; 5]),
            turn: Side::White,
            halfmove: 0,
            fullmove: 1,
        }
    }
}

impl OlympicSetup {
    /// The piece on a square; `None` also off the board.
    #[must_use]
    pub fn board_piece_at(&self, square: Square) -> Option<BoardPiece> {
        attacks::index(square).and_then(|index| self.board[index as usize])
    }

    /// Why these pieces are not a position, whoever is to move.
    pub(super) fn faults(&self) -> Vec<Impossible> {
        holding([
            (self.kings().contains(&0), Impossible::MissingKing),
            (
                self.kings().iter().any(|kings| *kings > 1),
                Impossible::TooManyKings,
            ),
            (
                self.has_pawn_on_its_last_rank(),
                Impossible::PawnOnItsLastRank,
            ),
            (
                self.pieces().any(is_wrongly_promoted),
                Impossible::PromotedOfficer,
            ),
            (self.pieces().any(is_foreign), Impossible::ForeignPiece),
            (
                HAND.into_iter().any(|role| self.count(role) > 25),
                Impossible::TooManyOfOneKind,
            ),
        ])
    }

    fn pieces(&self) -> impl Iterator<Item = BoardPiece> + '_ {
        self.board.iter().flatten().copied()
    }

    fn kings(&self) -> [usize; 2] {
        let mut kings = [0; 2];
        for BoardPiece { piece, .. } in self.pieces() {
            if piece.role == Role::King {
                kings[piece.side as usize] += 1;
            }
        }
        kings
    }

    fn has_pawn_on_its_last_rank(&self) -> bool {
        for (index, occupant) in (0_u32..).zip(self.board) {
            if let Some(BoardPiece { piece, promoted }) = occupant
                && piece.role == Role::Pawn
                && !promoted
                && attacks::last_rank(piece.side) >> index & 1 == 1
            {
                return true;
            }
        }
        false
    }

    /// The pieces of one kind on the board, promoted or not, and in both hands.
    fn count(&self, role: Role) -> usize {
        let mut count = 0;
        for piece in self.pieces() {
            count += usize::from(piece.piece.role == role);
        }
        if let Some(kind) = hand_index(role) {
            for hand in self.hands {
                count += usize::from(hand[kind]);
            }
        }
        count
    }
}

fn is_wrongly_promoted(piece: BoardPiece) -> bool {
    piece.promoted && !matches!(piece.piece.role, Role::Pawn | Role::Silver)
}

fn is_foreign(piece: BoardPiece) -> bool {
    matches!(piece.piece.role, Role::Knight | Role::Queen)
}
