//! Any arrangement of pieces, possible or not: what a FEN says before a position is made of it.

use crate::{
    ply::Wing,
    rule::Rule,
    square::{Piece, Side, Square},
};
use std::fmt;

/// A set-up of an 8x8 board with the fields of FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pieces, `a1` first, then along the ranks.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Side,
    /// Castling rights in the order K Q k q.
    pub castling: [bool; 4],
    /// The files of the rooks that these rights are of, `a` being 0; of rights that are not there they say nothing.
    pub rook_files: [u8; 4],
    /// The en passant square: behind a pawn that has just made a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u32,
    /// Number of the move to come, from 1.
    pub fullmove: u32,
}

impl Setup {
    /// The files of rooks that begin in the corners, in the order of the rights K Q k q.
    pub const CORNERS: [u8; 4] = [7, 0, 7, 0];

    /// Whether this side may still castle to this wing.
    #[must_use]
    pub const fn may_castle(&self, side: Side, wing: Wing) -> bool {
        self.castling[side as usize * 2 + wing as usize]
    }

    /// What stands on a square.
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.rank as usize * 8 + square.file as usize]
    }
}

/// Why a game cannot start, or a set-up is no position, and the rule that says so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{words}")]
pub struct SetupError {
    /// Why.
    pub words: String,
    /// The rule.
    pub rule: &'static Rule,
}

/// Why a set-up can be no position of a game (CH-19).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// Nothing on the board.
    EmptyBoard,
    /// A side lacks its king.
    MissingKing,
    /// A side has more than one king.
    TooManyKings,
    /// A pawn on the first or last rank.
    PawnsOnLastRank,
    /// A castling right without king and rook at home.
    CastlingRights,
    /// An en passant square behind no pawn that can just have made a double step.
    EnPassantSquare,
    /// The side not to move is in check.
    OppositeCheck,
    /// Checks that no last move can have given.
    ImpossibleCheck,
    /// More pieces than promotions allow.
    TooMuchMaterial,
    /// A pawn on the rank where it would have been promoted.
    PawnOnItsLastRank,
    /// A piece marked as promoted that is neither pawn nor silver.
    PromotedOfficer,
    /// A pawn marked as never moved that does not stand where it began.
    UnmovedPawn,
    /// A piece that the game does not have.
    ForeignPiece,
    /// A pawn that rides, or a rider on a king or on nothing.
    WrongRider,
    /// More pieces of one kind, on the board and in hand, than the board has squares.
    TooManyOfOneKind,
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
            Self::PawnOnItsLastRank => "a pawn stands on its own last rank",
            Self::PromotedOfficer => "a piece that is neither pawn nor silver is marked as promoted",
            Self::UnmovedPawn => "a pawn is marked as never moved, but there is none on its starting square",
            Self::ForeignPiece => "there is a piece on the board that the game does not have",
            Self::WrongRider => "a pawn rides, or something rides on a king",
            Self::TooManyOfOneKind => "there are more than 25 pieces of one kind, on the board and in hand",
        })
    }
}
