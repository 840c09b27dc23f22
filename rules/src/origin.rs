//! Finds where the piece of an illegal move may have come from. If both players went on after such a move
//! (GEN-9), a referee can then follow the game.

use crate::{
    geometry,
    ply::{Arrival, Pattern, StandingAct},
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
    /// The squares from which the mover's piece may have come: those from which it could on an empty board; if there are
    /// none, those of all its pieces, and of pawns all on their file. `takes` says whether the move is a capture. Empty
    /// if it is doubtful what was captured, or if the move fits the other side better.
    #[must_use]
    pub fn likely(&self, pattern: &Pattern, takes: bool) -> Vec<Square> {
        let piece = Piece {
            side: self.side,
            role: pattern.role,
        };
        let there = (self.piece_at)(pattern.to);
        let own =
            there.is_some_and(|there| there.side == self.side) && pattern.arrival != Arrival::Above;
        // A pawn's capture on an empty square may have been en passant, and then it is unknown which pawn was captured.
        let takes_nobody = takes && pattern.role == Role::Pawn && there.is_none();
        if own || takes_nobody {
            return Vec::new();
        }
        let named: Vec<_> = self
            .named(piece, pattern)
            .filter(|from| *from != pattern.to)
            .collect();
        // A pawn that goes where an enemy piece stands may also have captured it: the sign may be missing.
        let may_take = pattern.role == Role::Pawn && there.is_some();
        let walks = |from: &Square| {
            (self.walks)(piece, *from, pattern.to, takes)
                || may_take && (self.walks)(piece, *from, pattern.to, true)
        };
        let lined: Vec<_> = named.iter().copied().filter(walks).collect();
        let can_go = lined.iter().any(|from| self.is_free(piece, *from, pattern));
        let other = Piece {
            side: self.side.other(),
            ..piece
        };
        let goes = |from: &Square| {
            (self.walks)(other, *from, pattern.to, takes) && self.is_free(other, *from, pattern)
        };
        if !can_go && self.named(other, pattern).any(|from| goes(&from)) {
            return Vec::new();
        }
        if pattern.role == Role::Pawn {
            // A pawn that does not capture stays on its file, however far it goes.
            let is_near = |from: &Square| match from.file.abs_diff(pattern.to.file) {
                0 => true,
                1 => takes || may_take,
                _ => takes,
            };
            return named.into_iter().filter(is_near).collect();
        }
        if lined.is_empty() { named } else { lined }
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

/// The squares from which the piece of an illegal move may have come, for a position on one board.
pub fn likely_origins<P: Position>(position: &P, pattern: &Pattern) -> Vec<Square> {
    let origins = Origins {
        side: position.turn(),
        squares_of: &|piece| position.squares_of(piece).collect(),
        piece_at: &|square| position.piece_at(square),
        walks: P::moves_so,
    };
    origins.likely(pattern, P::takes(pattern))
}

/// The moves from each of these squares that a pattern may mean; `becomes` is what its pawn may have become where the
/// pattern does not say, empty if it remains a pawn.
#[must_use]
pub fn standing_acts_from(
    origins: &[Square],
    pattern: &Pattern,
    becomes: &[Role],
) -> Vec<StandingAct> {
    let promotions: Vec<_> = match (pattern.promotion, becomes) {
        (Some(role), _) => vec![Some(role)],
        (None, []) => vec![None],
        (None, roles) => roles.iter().copied().map(Some).collect(),
    };
    let mut standing_acts = Vec::new();
    for from in origins {
        for promotion in &promotions {
            standing_acts.push(StandingAct::Moved {
                from: *from,
                to: pattern.to,
                arrival: pattern.arrival,
                promotion: *promotion,
            });
        }
    }
    standing_acts
}
