//! StrategiChess on one board: fourteen by fourteen squares, and pawns that go back, go sideways on the roads and do
//! not promote.
//!
//! The layer below (`board`, `scope`) knows pieces, their attacks and their moves, with any number of kings. Here are
//! the rules of the game on one board, on which each side has one king.
//!
//! ```
//! use overboard_games::{one_board::notation::BoardNotation, strategichess::Strategi};
//! use overboard_rules::position::Movegen;
//!
//! let mut game = Strategi::default();
//! assert_eq!(game.count_legal(), 97);
//! game.play(game.at("f4f6").unwrap());
//! assert_eq!(game.turn(), overboard_rules::square::Side::Black);
//! ```

mod board;
mod draws;
pub mod laws;
mod lines;
pub mod linked;
mod listing;
mod movegen;
mod moves;
mod notation;
mod refusal;
mod rulings;
mod scope;
mod squares;
mod tally;
#[cfg(test)]
mod tests;
mod values;

pub use moves::Move;

use crate::{one_board::holding, strategichess::laws as law};
use board::Board;
use movegen::origins;
use overboard_rules::{
    outcome::{Cause, Ruling},
    ply::{Arrival, Pattern, StandingAct},
    position::{Irregular, Movegen},
    setup::{Impossible, playable},
    square::{Role, Side, Square},
};
use scope::Scope;
use squares::{SquareSet, square_at};
use std::sync::LazyLock;

/// A legal position of StrategiChess on one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategi {
    board: Board,
    turn: Side,
    halfmove: u32,
    fullmove: u32,
}

/// What a written move means.
pub type Found = overboard_rules::position::Found<Move>;

/// What repetition compares (GEN-4): pieces, pawns that have never moved, side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    board: Board,
    turn: Side,
}

impl Default for Strategi {
    /// The initial position of SC-2.
    fn default() -> Self {
        static START: LazyLock<Strategi> = LazyLock::new(|| Strategi {
            board: Board::array(),
            turn: Side::White,
            halfmove: 0,
            fullmove: 1,
        });
        START.clone()
    }
}

impl Strategi {
    /// This position, and what says that no game leads to it.
    ///
    /// # Errors
    /// Every reason why it is no position, if there is one for which the rules do not say how it is played: a missing
    /// king or too many, a pawn marked as never moved where there is none.
    fn possible(self) -> Result<(Self, Vec<Impossible>), Vec<Impossible>> {
        let kings = self.board.count_kings();
        let reasons = holding([
            (kings.contains(&0), Impossible::MissingKing),
            (
                kings.iter().any(|kings| *kings > 1),
                Impossible::TooManyKings,
            ),
            (self.board.has_wrong_mark(), Impossible::UnmovedPawn),
            (self.can_be_taken(), Impossible::OppositeCheck),
        ]);
        playable(reasons).map(|doubts| (self, doubts))
    }

    /// Whether the side to move attacks the other side's king.
    fn can_be_taken(&self) -> bool {
        let occupied = self.board.occupied();
        let mut kings = self
            .board
            .of_kind(Role::King, self.turn.other())
            .into_iter();
        kings.any(|king| self.board.is_attacked(king, self.turn, occupied))
    }

    /// Whether there is a pawn on a square that has never moved (SC-5a).
    #[must_use]
    pub fn is_unmoved(&self, square: Square) -> bool {
        squares::index(square).is_some_and(|index| self.board.unmoved().has(index))
    }

    /// The squares from which pieces of `side` attack `target`; none off the board.
    pub fn attackers(&self, target: Square, side: Side) -> impl Iterator<Item = Square> + use<> {
        let attackers = squares::index(target).map_or(SquareSet::EMPTY, |target| {
            self.board.attackers(target, side, self.board.occupied())
        });
        attackers.into_iter().map(square_at)
    }

    /// Whether neither side can mate, as far as the game calls that dead (SC-11).
    #[must_use]
    pub fn is_dead(&self) -> bool {
        let kings = self.board.kings();
        let others = self.board.occupied() & !kings;
        let bishops = self.kind(Role::Bishop);
        let light = others & SquareSet::LIGHT;
        match others.is_crowd() {
            false => others & (self.kind(Role::Rook) | self.kind(Role::Queen)) == SquareSet::EMPTY,
            true => others == bishops && (light.is_empty() || light == others),
        }
    }

    fn kind(&self, role: Role) -> SquareSet {
        self.board.of_kind(role, Side::White) | self.board.of_kind(role, Side::Black)
    }

    #[inline]
    fn scope(&self) -> Scope<'_> {
        let mut scope = Scope::guarding(&self.board, self.turn, self.king_index(self.turn));
        // A king that could be taken, because an illegal move stands, is not (GEN-9).
        let spared = !self.board.of_kind(Role::King, self.turn.other());
        scope.arrivals &= spared;
        scope.flight &= spared;
        scope
    }

    /// The square index of a side's king; every position has one.
    #[inline]
    fn king_index(&self, side: Side) -> u32 {
        self.board.of_kind(Role::King, side).first()
    }

    #[inline]
    fn find_move(&self, pattern: &Pattern) -> Found {
        let Some(to) = squares::index(pattern.to) else {
            return Found::None;
        };
        let spares = !self.board.of_kind(Role::King, self.turn.other()).has(to);
        if pattern.promotion.is_some() || !spares {
            return Found::None;
        }
        let able = self
            .board
            .origins(pattern.role, self.turn, to, pattern.capture)
            & origins(pattern);
        let safe = able.into_iter().filter(|from| self.is_safe(*from, to));
        Found::only(safe.map(|from| Move::new(from, to)))
    }

    /// Whether the mover's king is unattacked after a piece went from one square to another.
    #[inline]
    fn is_safe(&self, from: u32, to: u32) -> bool {
        self.attacks_on_king_after(from, to).is_empty()
    }

    #[inline]
    fn attacks_on_king_after(&self, from: u32, to: u32) -> SquareSet {
        let king = match self.king_index(self.turn) {
            king if king == from => to,
            king => king,
        };
        let occupied = (self.board.occupied() & !SquareSet::of(from)).with(to);
        self.board.attackers(king, self.turn.other(), occupied) & !SquareSet::of(to)
    }

    fn pattern(&self, m: Move) -> Pattern {
        let (from, to, capture) = (m.from(), m.to(), self.captures(m));
        let role = self
            .board
            .piece_at(m.origin())
            .map_or(Role::Pawn, |piece| piece.role);
        let pattern = Pattern::of(role, from, capture, to);
        pattern.shortest(from, |pattern| self.find_move(pattern) == Found::One(m))
    }

    /// This position with the other side to move.
    fn turned(&self) -> Self {
        let by_black = u32::from(self.turn == Side::Black);
        Self {
            turn: self.turn.other(),
            fullmove: self.fullmove.saturating_add(by_black),
            ..self.clone()
        }
    }

    fn draw(cause: Cause) -> Option<Ruling> {
        Some(Ruling::draw(cause, &law::DRAWS))
    }
}

impl Irregular for Strategi {
    fn passed(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        Some(self.turned())
    }

    fn stood(&self, standing_act: StandingAct) -> Option<Self> {
        let mut next = self.clone();
        match standing_act {
            StandingAct::Moved {
                from,
                to,
                arrival: Arrival::Here,
                promotion: None,
            } => {
                let (from, to) = (squares::index(from)?, squares::index(to)?);
                if from == to || !self.board.all(self.turn).has(from) {
                    return None;
                }
                next.board.remove(to);
                next.play(Move::new(from, to));
                if self.board.piece_at(to).is_some() {
                    next.halfmove = 0;
                }
            }
            StandingAct::Passed => {
                next = self.turned();
                next.halfmove = self.halfmove.saturating_add(1);
            }
            StandingAct::Moved { .. } | StandingAct::Castled(_) | StandingAct::Dropped { .. } => {
                return None;
            }
        }
        let (position, _) = next.possible().ok()?;
        Some(position)
    }
}
