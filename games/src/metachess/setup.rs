//! Any arrangement of pieces on two levels, legal or not.

use crate::{board8::attacks, one_board::holding};
use overboard_rules::{
    ply::Wing,
    setup::Impossible,
    square::{Piece, Role, Side, Square},
};

/// A set-up of the board of two levels, with the other fields of its FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetaSetup {
    /// The pieces of the first level, `a1` first, then along the ranks.
    pub ground: [Option<Piece>; 64],
    /// The riders on them, in the same order.
    pub riders: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Side,
    /// Castling rights in the order K Q k q.
    pub castling: [bool; 4],
    /// The square behind a pawn that has just made a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u32,
    /// Number of the next move, from 1.
    pub fullmove: u32,
}

impl Default for MetaSetup {
    /// The initial position of regular chess, without riders.
    fn default() -> Self {
        use Role::{Bishop, King, Knight, Queen, Rook};
        let mut ground = [None; 64];
        for (file, role) in [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]
            .into_iter()
            .enumerate()
        {
            let piece = |side, role| Some(Piece { side, role });
            ground[file] = piece(Side::White, role);
            ground[8 + file] = piece(Side::White, Role::Pawn);
            ground[48 + file] = piece(Side::Black, Role::Pawn);
            ground[56 + file] = piece(Side::Black, role);
        }
        Self {
            ground,
            riders: [None; 64],
            turn: Side::White,
            castling: [true; 4],
            en_passant: None,
            halfmove: 0,
            fullmove: 1,
        }
    }
}

/// The home squares of king and rook for each castling right.
const HOMES: [(Side, usize, usize); 4] = [
    (Side::White, 4, 7),
    (Side::White, 4, 0),
    (Side::Black, 60, 63),
    (Side::Black, 60, 56),
];

impl MetaSetup {
    /// Whether this side may still castle to this wing.
    #[must_use]
    pub const fn may_castle(&self, side: Side, wing: Wing) -> bool {
        self.castling[side as usize * 2 + wing as usize]
    }

    /// Why these pieces are not a position, whoever is to move (MC-16).
    pub(super) fn faults(&self) -> Vec<Impossible> {
        let kings = Side::BOTH.map(|side| self.count(|piece| piece == king(side)));
        holding([
            (kings.contains(&0), Impossible::MissingKing),
            (
                kings.iter().any(|kings| *kings > 1),
                Impossible::TooManyKings,
            ),
            (self.has_pawns_on_edge(), Impossible::PawnsOnLastRank),
            (self.has_wrong_rider(), Impossible::WrongRider),
            (
                self.pieces()
                    .any(|piece| matches!(piece.role, Role::Silver | Role::Gold)),
                Impossible::ForeignPiece,
            ),
            (
                !(0..4).all(|right| self.is_due(right)),
                Impossible::CastlingRights,
            ),
            (
                !self.en_passant.is_none_or(|square| self.is_crossed(square)),
                Impossible::EnPassantSquare,
            ),
            (
                Side::BOTH.into_iter().any(|s| self.is_crowd(s)),
                Impossible::TooMuchMaterial,
            ),
        ])
    }

    /// Removes the rights whose king or rook is not at home.
    pub(super) fn keep_rights_at_home(&mut self) {
        for right in 0..4 {
            self.castling[right] &= self.is_due(right);
        }
    }

    fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        self.ground.iter().chain(&self.riders).flatten().copied()
    }

    fn count(&self, is_meant: impl Fn(Piece) -> bool) -> usize {
        self.pieces().filter(|piece| is_meant(*piece)).count()
    }

    fn has_pawns_on_edge(&self) -> bool {
        self.ground[..8]
            .iter()
            .chain(&self.ground[56..])
            .flatten()
            .any(|piece| piece.role == Role::Pawn)
    }

    /// Whether there is a pawn that rides, or a rider on nothing or on a king (MC-1, MC-2).
    fn has_wrong_rider(&self) -> bool {
        for (carrier, rider) in self.ground.iter().zip(&self.riders) {
            let Some(rider) = rider else {
                continue;
            };
            if rider.role == Role::Pawn || carrier.is_none_or(|carrier| carrier.role == Role::King)
            {
                return true;
            }
        }
        false
    }

    fn is_due(&self, right: usize) -> bool {
        let (side, home, corner) = HOMES[right];
        let rook = Piece {
            side,
            role: Role::Rook,
        };
        !self.castling[right]
            || (self.ground[home] == Some(king(side)) && self.ground[corner] == Some(rook))
    }

    /// Whether an enemy pawn can just have passed over a square: it is behind it without a rider, and the square and
    /// the one before it are empty.
    fn is_crossed(&self, square: Square) -> bool {
        let (rank, ahead) = if self.turn == Side::White {
            (5, -1)
        } else {
            (2, 1)
        };
        let pawn = Piece {
            side: self.turn.other(),
            role: Role::Pawn,
        };
        if square.rank != rank {
            return false;
        }
        let Some(index) = attacks::index(square) else {
            return false;
        };
        let at = |steps: i32| (index as i32 + 8 * ahead * steps) as usize;
        self.ground[at(1)] == Some(pawn)
            && self.riders[at(1)].is_none()
            && self.ground[at(0)].is_none()
            && self.ground[at(-1)].is_none()
    }

    /// Whether a side has more pieces than promotions of its sixteen could give.
    fn is_crowd(&self, side: Side) -> bool {
        let of = |role| self.count(|piece| piece == Piece { side, role });
        let beyond = |role, first: usize| of(role).saturating_sub(first);
        let promoted = beyond(Role::Knight, 2)
            + beyond(Role::Bishop, 2)
            + beyond(Role::Rook, 2)
            + beyond(Role::Queen, 1);
        of(Role::Pawn) + promoted > 8
    }
}

const fn king(side: Side) -> Piece {
    Piece {
        side,
        role: Role::King,
    }
}
