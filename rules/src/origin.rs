//! Finds where the piece of an illegal move came from, if that is certain. If both players went on after such a move
//! (GEN-9), a referee can then follow the game.

use crate::{
    geometry,
    ply::{Arrival, Pattern},
    position::Position,
    square::{Piece, Role, Side, Square},
};

/// What must be known about a board to find where a piece came from.
pub struct Origins<'a> {
    /// The side to move.
    pub side: Side,
    /// The squares of all pieces of one kind and side.
    pub squares_of: &'a dyn Fn(Piece) -> Vec<Square>,
    /// The piece on a square.
    pub piece_at: &'a dyn Fn(Square) -> Option<Piece>,
    /// Whether a piece can move from one square to another on an empty board; for a pawn the last argument selects
    /// capture or advance.
    pub walks: fn(Piece, Square, Square, bool) -> bool,
}

impl Origins<'_> {
    /// The only square from which the mover's piece can have come. `takes` says whether the move is a capture. `None`
    /// if there are several such squares, if it is doubtful what was captured, or if the move fits the other side
    /// better.
    #[must_use]
    pub fn only(&self, pattern: &Pattern, takes: bool) -> Option<Square> {
        let piece = Piece {
            side: self.side,
            role: pattern.role,
        };
        let there = (self.piece_at)(pattern.to);
        let own =
            there.is_some_and(|there| there.side == self.side) && pattern.arrival != Arrival::Above;
        // A pawn's capture on an empty square may have been en passant, and then it is unknown which pawn was captured.
        let takes_nobody = takes && pattern.role == Role::Pawn && there.is_none();
        if own || takes_nobody || pattern.promotion.is_some() {
            return None;
        }
        let named: Vec<_> = self
            .named(piece, pattern)
            .filter(|from| *from != pattern.to)
            .collect();
        let lined: Vec<_> = named
            .iter()
            .copied()
            .filter(|from| (self.walks)(piece, *from, pattern.to, takes))
            .collect();
        let open: Vec<_> = lined
            .iter()
            .copied()
            .filter(|from| self.is_free(piece, *from, pattern))
            .collect();
        if !open.is_empty() {
            return alone(&open);
        }
        let other = Piece {
            side: self.side.other(),
            ..piece
        };
        let goes = |from: &Square| {
            (self.walks)(other, *from, pattern.to, takes) && self.is_free(other, *from, pattern)
        };
        if self.named(other, pattern).any(|from| goes(&from)) {
            return None;
        }
        if !lined.is_empty() {
            return alone(&lined);
        }
        // A pawn that does not capture stays on its file, even if it goes too far.
        let is_near =
            |from: &&Square| pattern.role != Role::Pawn || takes || from.file == pattern.to.file;
        alone(&named.iter().filter(is_near).copied().collect::<Vec<_>>())
    }

    fn named(&self, piece: Piece, pattern: &Pattern) -> impl Iterator<Item = Square> {
        let pattern = *pattern;
        (self.squares_of)(piece)
            .into_iter()
            .filter(move |from| pattern.may_start_on(*from))
    }

    fn is_free(&self, piece: Piece, from: Square, pattern: &Pattern) -> bool {
        piece.role == Role::Knight
            || geometry::between(from, pattern.to).all(|square| (self.piece_at)(square).is_none())
    }
}

fn alone(squares: &[Square]) -> Option<Square> {
    match squares {
        [only] => Some(*only),
        _ => None,
    }
}

/// The only square from which the piece of an illegal move can have come, for a position on one board.
pub fn only_origin<P: Position>(position: &P, pattern: &Pattern) -> Option<Square> {
    let origins = Origins {
        side: position.turn(),
        squares_of: &|piece| position.squares_of(piece).collect(),
        piece_at: &|square| position.piece_at(square),
        walks: P::moves_so,
    };
    origins.only(pattern, P::takes(pattern))
}
