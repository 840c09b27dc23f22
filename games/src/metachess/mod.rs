//! `MetaChess` #4: regular chess on which officers ride on other pieces, so that there are two levels.
//!
//! Every move is found with bitboards on one compact board of two levels; only en passant captures are made and unmade
//! to test them.
//!
//! ```
//! use overboard_games::{metachess::Meta, one_board::notation::BoardNotation};
//! use overboard_rules::position::Movegen;
//!
//! let meta = Meta::default();
//! let mut names = Vec::new();
//! meta.legal_moves(|m| names.push(meta.san(m)));
//! // The knight on b1 may mount the pawn on d2.
//! assert!(names.iter().any(|name| name == "Nd2^"));
//! ```

mod board;
mod draws;
pub mod laws;
mod movegen;
mod moves;
mod notation;
mod refusal;
mod rulings;
mod scope;
mod setup;
#[cfg(test)]
mod tests;
mod values;

pub use moves::Move;
pub use notation::*;

use crate::{
    board8::{
        attacks::{self, SquareSet, square_at},
        board::PROMOTIONS,
    },
    chess::Chess,
};
use board::Board;
use movegen::origins;
use overboard_rules::{
    ply::{Arrival, Pattern, StandingAct, Wing},
    position::{Explain, Irregular, Movegen},
    refusal::takes,
    square::{Piece, Role, Side, Square},
};
use scope::Scope;

/// A legal position of `MetaChess` #4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meta {
    board: Board,
    /// The squares of rooks that may still castle.
    rights: u64,
    /// The square crossed by a double step just made, as a set.
    crossed: u64,
    turn: Side,
    halfmove: u32,
    fullmove: u32,
}

/// What a written move means.
pub type Found = overboard_rules::position::Found<Move>;

/// What repetition compares (GEN-4): both levels, side to move, castling rights, legal en passant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    board: Board,
    rights: u64,
    en_passant: u64,
    turn: Side,
}

/// The squares of the rooks of the castling rights K Q k q.
const CORNERS: [u32; 4] = [7, 0, 63, 56];

/// The squares of the rooks that have these of the castling rights K Q k q.
fn rooks(castling: [bool; 4]) -> u64 {
    let mut rooks = 0;
    for (corner, may_castle) in CORNERS.into_iter().zip(castling) {
        rooks |= u64::from(may_castle) << corner;
    }
    rooks
}

impl Default for Meta {
    /// The initial position of regular chess.
    fn default() -> Self {
        Self {
            board: Board::ARRAY,
            rights: rooks([true; 4]),
            crossed: 0,
            turn: Side::White,
            halfmove: 0,
            fullmove: 1,
        }
    }
}

impl Meta {
    /// The piece on the first level of a square.
    #[must_use]
    pub fn carrier_at(&self, square: Square) -> Option<Piece> {
        self.board.ground.piece_at(attacks::index(square)?)
    }

    /// The rider on a square.
    #[must_use]
    pub fn rider_at(&self, square: Square) -> Option<Piece> {
        self.board.above.piece_at(attacks::index(square)?)
    }

    /// The squares of the pieces of this kind and side on either level, each with the side of the rider that it
    /// carries, if any; `a1` first on the first level, then on the second.
    pub fn standing(&self, piece: Piece) -> impl Iterator<Item = (Square, Option<Side>)> + use<> {
        let riders = [
            self.board.riders(Side::White),
            self.board.riders(Side::Black),
        ];
        let rider = move |at: u32| match (riders[0] >> at & 1, riders[1] >> at & 1) {
            (1, _) => Some(Side::White),
            (_, 1) => Some(Side::Black),
            _ => None,
        };
        let below = SquareSet(self.board.ground.kind(piece.role, piece.side));
        let above = SquareSet(self.board.above.kind(piece.role, piece.side));
        below
            .map(move |at| (square_at(at), rider(at)))
            .chain(above.map(|at| (square_at(at), None)))
    }

    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> + use<> {
        SquareSet(self.board.checkers(self.turn)).map(square_at)
    }

    /// Whether the side still has this castling right, usable now or not (MC-15).
    #[must_use]
    pub const fn may_castle(&self, side: Side, wing: Wing) -> bool {
        self.rights >> CORNERS[side as usize * 2 + wing as usize] & 1 == 1
    }

    /// Whether only the kings are left (MC-13).
    #[must_use]
    pub const fn is_dead(&self) -> bool {
        self.board.occupied() == self.board.ground.kings()
    }

    #[inline]
    fn scope(&self) -> Scope<'_> {
        Scope::of(&self.board, self.turn)
    }

    /// The square on which a pawn may legally be captured en passant, as a set.
    #[inline]
    fn en_passant(&self) -> u64 {
        match self.crossed {
            0 => 0,
            crossed if self.scope().takers_in_passing(crossed) != 0 => crossed,
            _ => 0,
        }
    }

    #[inline]
    fn find_move(&self, pattern: &Pattern) -> Found {
        let Some(to) = attacks::index(pattern.to) else {
            return Found::None;
        };
        match (pattern.role, pattern.arrival) {
            (_, Arrival::Beside(_)) | (Role::Pawn, Arrival::Above) => Found::None,
            (Role::Pawn, Arrival::Here) => self.find_pawn(pattern, to),
            (_, arrival) if pattern.promotion.is_none() => {
                self.find_officer(pattern, to, arrival == Arrival::Above)
            }
            _ => Found::None,
        }
    }

    #[inline]
    fn find_officer(&self, pattern: &Pattern, to: u32, above: bool) -> Found {
        let role = pattern.role;
        let near = attacks::reach(role, to, self.board.occupied()) & origins(pattern);
        let movers = match role {
            Role::Silver | Role::Gold => 0,
            role => near & self.board.movers(self.turn).of(role),
        };
        if movers == 0 {
            return Found::None;
        }
        let scope = self.scope();
        let able = SquareSet(movers).filter(|from| {
            let goals = match role {
                Role::King => scope.flight(),
                role => scope.goals(*from, attacks::reach(role, *from, self.board.occupied())),
            };
            goals.on(above) >> to & 1 == 1
        });
        let m = if above { Move::above } else { Move::below };
        Found::only(able.map(|from| m(role, from, to)))
    }

    #[inline]
    fn find_pawn(&self, pattern: &Pattern, to: u32) -> Found {
        let arrives = attacks::last_rank(self.turn) >> to & 1 == 1;
        let is_possible = match pattern.promotion {
            None => !arrives,
            Some(role) => arrives && PROMOTIONS.contains(&role),
        };
        if !is_possible {
            return Found::None;
        }
        let scope = self.scope();
        let takes = takes(pattern);
        if takes && self.crossed >> to & 1 == 1 {
            let takers = scope.takers_in_passing(self.crossed) & origins(pattern);
            return Found::only(SquareSet(takers).map(|from| Move::special(Role::Pawn, from, to)));
        }
        let beside = attacks::pawn(to, self.turn.other());
        let near = if takes {
            beside
        } else {
            attacks::file(pattern.to.file)
        };
        let pawns = near & origins(pattern) & self.board.movers(self.turn).of(Role::Pawn);
        let able = SquareSet(pawns).filter(|from| scope.pawn_goals(*from) >> to & 1 == 1);
        Found::only(able.map(|from| match pattern.promotion {
            Some(role) => Move::promotion_to(role, from, to),
            None => Move::below(Role::Pawn, from, to),
        }))
    }

    fn pattern(&self, m: Move) -> Pattern {
        let from = m.from();
        let pattern = Pattern {
            promotion: m.promotion(),
            arrival: m.arrival(),
            ..Pattern::of(m.role(), from, self.captures(m), m.to())
        };
        pattern.shortest(from, |pattern| self.find_move(pattern) == Found::One(m))
    }

    /// The enemy pieces that would attack the mover's king after a move, legal or not.
    fn attackers_after(&self, m: Move) -> impl Iterator<Item = Square> + use<> {
        let mut board = self.board;
        board.play(self.turn, m);
        SquareSet(board.checkers(self.turn)).map(square_at)
    }

    /// A move of the piece that may move on a square, legal or not; `None` if none may.
    fn any_move(&self, from: Square, to: Square, above: bool) -> Option<Move> {
        let Piece { role, side } = self.piece_at(from)?;
        if side != self.turn {
            return None;
        }
        let (from, to) = (attacks::index(from)?, attacks::index(to)?);
        let passing = role == Role::Pawn && self.crossed >> to & 1 == 1 && from % 8 != to % 8;
        Some(match (above, passing) {
            (true, _) => Move::above(role, from, to),
            (_, true) => Move::special(role, from, to),
            _ => Move::below(role, from, to),
        })
    }

    /// The position after the piece that may move on a square was put on another one, legally or not.
    fn shifted(
        &self,
        from: Square,
        to: Square,
        above: bool,
        promotion: Option<Role>,
    ) -> Option<Self> {
        let m = self.any_move(from, to, above)?;
        let arrives =
            m.role() == Role::Pawn && attacks::last_rank(self.turn) >> m.target() & 1 == 1;
        let m = match promotion {
            Some(role) if arrives && PROMOTIONS.contains(&role) => {
                Move::promotion_to(role, m.origin(), m.target())
            }
            Some(_) => return None,
            None => m,
        };
        let held = if above {
            self.rider_at(to)
        } else {
            self.carrier_at(to)
        };
        if held.is_some_and(|piece| piece.side == self.turn)
            || (above && self.carrier_at(to).is_none())
        {
            return None;
        }
        let mut after = self.clone();
        after.play(m);
        after.settled()
    }

    /// The position after the piece on a square moved, legally or not; a king that goes as in castling takes its rook
    /// along if it can.
    fn moved(
        &self,
        (from, to): (Square, Square),
        arrival: Arrival,
        promotion: Option<Role>,
    ) -> Option<Self> {
        let above = match arrival {
            Arrival::Here => false,
            Arrival::Above => true,
            Arrival::Beside(_) => return None,
        };
        if !above
            && promotion.is_none()
            && let Some(wing) = overboard_rules::refusal::castling_step(from, self.turn, to)
            && let Some(castled) = self.castled(wing)
        {
            return Some(castled);
        }
        self.shifted(from, to, above, promotion)
    }

    /// The position after king and rook were moved as in castling, legally or not; `None` if they are not at home, or
    /// cannot get where they go.
    fn castled(&self, wing: Wing) -> Option<Self> {
        let (rook, [king, rook_to, to]) = overboard_rules::refusal::castling_way(self.turn, wing);
        let stands = |role, square| {
            let side = self.turn;
            self.carrier_at(square) == Some(Piece { side, role })
        };
        let are_home = stands(Role::King, king) && stands(Role::Rook, rook);
        let are_free = [to, rook_to]
            .into_iter()
            .all(|square| self.carrier_at(square).is_none());
        if !are_home || !are_free {
            return None;
        }
        let mut after = self.clone();
        after.play(scope::castling(self.turn, wing));
        after.settled()
    }

    /// This position with the rights that it leaves, if the rules say how it is played.
    fn settled(mut self) -> Option<Self> {
        self.rights &= self.rights_at_home();
        self.crossed = self.en_passant();
        let (position, _) = self.possible().ok()?;
        Some(position)
    }

    /// This position with the other side to move.
    fn turned(&self) -> Self {
        let by_black = u32::from(self.turn == Side::Black);
        Self {
            turn: self.turn.other(),
            crossed: 0,
            fullmove: self.fullmove.saturating_add(by_black),
            ..self.clone()
        }
    }
}

impl Irregular for Meta {
    fn passed(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        Some(self.turned())
    }

    fn stood(&self, standing_act: StandingAct) -> Option<Self> {
        match standing_act {
            StandingAct::Moved {
                from,
                to,
                arrival,
                promotion,
            } => self.moved((from, to), arrival, promotion),
            StandingAct::Castled(wing) => self.castled(wing),
            StandingAct::Passed => Some(Self {
                halfmove: self.halfmove.saturating_add(1),
                ..self.turned()
            }),
            StandingAct::Dropped { .. } => None,
        }
    }
}
