//! Any arrangement of pieces, possible or not: the contents of a FEN before a position is made from it.

use crate::{
    path,
    ply::Wing,
    rule::Rule,
    square::{Piece, Side, Square},
};
use std::fmt;

/// A set-up on an 8x8 board, with the fields of a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pieces, from `a1` along the ranks.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Side,
    /// Castling rights, in the order K Q k q.
    pub castling: [bool; 4],
    /// The files of the rooks that have these rights, 0 for `a`; meaningless without the right.
    pub rook_files: [u8; 4],
    /// The en passant square, which a pawn has just passed with a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u32,
    /// The number of the next move, from 1.
    pub fullmove: u32,
}

impl Setup {
    /// The files of rooks that start in the corners, in the order K Q k q.
    pub const CORNERS: [u8; 4] = [7, 0, 7, 0];

    /// Whether this side has the right to castle on this wing.
    #[must_use]
    pub const fn may_castle(&self, side: Side, wing: Wing) -> bool {
        self.castling[side as usize * 2 + wing as usize]
    }

    /// The piece on a square.
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[path::index(square) as usize]
    }
}

/// Why a game cannot start, or why a set-up is not a position, with the rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{words}")]
pub struct SetupError {
    /// The reason, in words.
    pub words: String,
    /// The rule.
    pub rule: &'static Rule,
}

/// Why a set-up cannot be a position of a game (CH-19).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// There is no piece on the board.
    EmptyBoard,
    /// A side lacks its king.
    MissingKing,
    /// A side has more than one king.
    TooManyKings,
    /// A pawn on the first or last rank.
    PawnsOnLastRank,
    /// A castling right without king and rook on their original squares.
    CastlingRights,
    /// An en passant square, but no pawn that could just have passed it with a double step.
    EnPassantSquare,
    /// The side not to move is in check.
    OppositeCheck,
    /// Checks that no single last move can have given.
    ImpossibleCheck,
    /// More pieces than promotions allow.
    TooMuchMaterial,
    /// More pieces than the game has, on the board and in pockets.
    TooManyPieces,
    /// A pawn on the rank where it would have been promoted.
    PawnOnItsLastRank,
    /// A pawn marked as unmoved that is not on its starting square.
    UnmovedPawn,
    /// A pawn that rides, or a rider on a king or on nothing.
    WrongRider,
    /// More pieces of one kind, on the board and in hand, than the board has squares.
    TooManyOfOneKind,
}

impl Impossible {
    /// Whether no game leads to such a position, but the rules say how it is played: it may have been reached by an act
    /// that was illegal and stood (GEN-9), or be a study.
    #[must_use]
    pub const fn is_playable(self) -> bool {
        matches!(
            self,
            Self::OppositeCheck
                | Self::ImpossibleCheck
                | Self::TooMuchMaterial
                | Self::TooManyPieces
        )
    }
}

/// What says that no game leads to a position, if the rules nevertheless say how it is played.
///
/// # Errors
/// The same list, if there is a reason in it for which they do not.
pub fn playable(reasons: Vec<Impossible>) -> Result<Vec<Impossible>, Vec<Impossible>> {
    if reasons.iter().all(|reason| reason.is_playable()) {
        Ok(reasons)
    } else {
        Err(reasons)
    }
}

/// A position that a game can lead to.
///
/// # Errors
/// What says that no game leads to it, if anything does.
pub fn reachable<P>((position, doubts): (P, Vec<Impossible>)) -> Result<P, Vec<Impossible>> {
    if doubts.is_empty() {
        Ok(position)
    } else {
        Err(doubts)
    }
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EmptyBoard => "the board is empty",
            Self::MissingKing => "a king is missing",
            Self::TooManyKings => "a side has more than one king",
            Self::PawnsOnLastRank => "a pawn stands on the first or last rank",
            Self::CastlingRights => {
                "a castling right is given, but king and rook are not on their original squares"
            }
            Self::EnPassantSquare => {
                "the en passant square is not behind a pawn that has just made a double step"
            }
            Self::OppositeCheck => "the side that is not to move is in check",
            Self::ImpossibleCheck => "no last move can have given these checks at once",
            Self::TooMuchMaterial => "a side has more pieces than its promotions allow",
            Self::TooManyPieces => {
                "there are more pieces of a kind than the game has, on the board and in the pockets"
            }
            Self::PawnOnItsLastRank => "a pawn stands on its own last rank",
            Self::UnmovedPawn => {
                "a pawn is marked as never moved, but there is none on its starting square"
            }
            Self::WrongRider => "a pawn rides, or something rides on a king",
            Self::TooManyOfOneKind => {
                "there are more than 25 pieces of one kind, on the board and in hand"
            }
        })
    }
}
