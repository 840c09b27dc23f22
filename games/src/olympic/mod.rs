//! Olympic Chess: 25 squares, captured pieces return as drops, pawns and silvers become golds.
//!
//! Every move is found with bitboards on one compact board; no move is made and unmade to test it.
//!
//! ```
//! use overboard_games::{olympic::Olympic, one_board::notation::BoardNotation};
//! use overboard_rules::position::Movegen;
//!
//! let olympic = Olympic::read(&Olympic::default().fen()).unwrap().position;
//! let mut names = Vec::new();
//! olympic.legal_moves(|m| names.push(olympic.san(m)));
//! assert_eq!(names.len() as u64, olympic.count_legal());
//! ```

mod attacks;
mod census;
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
pub use setup::{BoardPiece, HAND};

use attacks::{Bitboard, square_at};
use census::{PAWN, PieceCensus};
use movegen::origins;
use overboard_rules::{
    ply::{Arrival, Pattern, StandingAct},
    position::{Explain, Irregular, Movegen},
    refusal::takes,
    square::{Role, Side, Square},
};
use setup::hand_index;

/// A legal position of Olympic Chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Olympic {
    pieces: PieceCensus,
    turn: Side,
    halfmove: u32,
    fullmove: u32,
}

/// What a written move means.
pub type Found = overboard_rules::position::Found<Move>;

/// What repetition compares (OC-10): pieces with their promotions, hands, side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pieces: PieceCensus,
    turn: Side,
}

impl Snapshot {
    /// Whether the side to move was in check.
    fn is_check(&self) -> bool {
        self.pieces.checkers(self.turn) != 0
    }
}

impl Default for Olympic {
    /// The initial position of OC-2: `rbsgk/4p/5/P4/KGSBR[] w - - 0 1`.
    fn default() -> Self {
        Self {
            pieces: PieceCensus::ARRAY,
            turn: Side::White,
            halfmove: 0,
            fullmove: 1,
        }
    }
}

impl Olympic {
    /// The piece on a square; a promoted one as the kind to which it reverts.
    #[must_use]
    pub fn board_piece_at(&self, square: Square) -> Option<BoardPiece> {
        self.pieces.man_at(attacks::index(square)?)
    }

    /// How many pieces of a kind the side has in hand.
    #[must_use]
    pub fn hand(&self, side: Side, role: Role) -> u8 {
        hand_index(role).map_or(0, |kind| self.pieces.hands[side][kind])
    }

    /// The kinds that the side has in hand, in the order of [`HAND`], each with its number.
    fn held(&self, side: Side) -> Vec<(Role, u8)> {
        let mut held = HAND.map(|role| (role, self.hand(side, role))).to_vec();
        held.retain(|(_, count)| *count > 0);
        held
    }

    /// The squares from which pieces of `side` attack `target`; none off the board.
    pub fn attackers(&self, target: Square, side: Side) -> impl Iterator<Item = Square> + use<> {
        let attackers = attacks::index(target).map_or(0, |target| {
            self.pieces.attackers(target, side, self.pieces.occupied())
        });
        Bitboard(attackers).map(square_at)
    }

    /// The squares of the pieces that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> + use<> {
        Bitboard(self.pieces.checkers(self.turn)).map(square_at)
    }

    #[inline]
    fn find_move(&self, pattern: &Pattern) -> Found {
        let Some(to) = attacks::index(pattern.to) else {
            return Found::None;
        };
        let promotes = match pattern.promotion {
            None => false,
            Some(Role::Gold) => true,
            Some(_) => return Found::None,
        };
        let safe = Bitboard(self.candidates(pattern, to, promotes))
            .filter(|from| self.is_safe(1 << from, to));
        Found::only(safe.map(|from| Move::shift(from, to, promotes)))
    }

    /// The pieces that a pattern may mean, ignoring check.
    #[inline]
    fn candidates(&self, pattern: &Pattern, to: u32, promotes: bool) -> u32 {
        let closed = self.pieces.all(self.turn) | self.pieces.king(self.turn.other());
        if closed >> to & 1 == 1 {
            return 0;
        }
        let last = attacks::last_rank(self.turn);
        let arrives = last >> to & 1 == 1;
        let able = match pattern.role {
            Role::Pawn if promotes == arrives => attacks::BOARD,
            Role::Silver if promotes && !arrives => last,
            Role::Silver => attacks::BOARD,
            _ if promotes => 0,
            Role::Pawn => 0,
            _ => attacks::BOARD,
        };
        self.pieces.written_as(pattern.role, self.turn)
            & self.reaching(pattern, to)
            & able
            & origins(pattern)
    }

    /// The squares from which a piece of the pattern's kind can go to `to`.
    #[inline]
    fn reaching(&self, pattern: &Pattern, to: u32) -> u32 {
        let (occupied, facing, arrival) = (self.pieces.occupied(), self.turn.other(), 1 << to);
        match pattern.role {
            Role::Rook => attacks::rook_attacks(to, occupied),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Gold => attacks::gold_attacks(arrival, facing),
            Role::Silver => attacks::silver_attacks(arrival, facing),
            Role::King => attacks::king_attacks(arrival),
            Role::Pawn if takes(pattern) => attacks::pawn_attacks(arrival & occupied, facing),
            Role::Pawn => attacks::forward(arrival & !occupied, facing),
            Role::Knight | Role::Queen => 0,
        }
    }

    #[inline]
    fn find_drop(&self, role: Role, to: Square) -> Found {
        let (Some(kind), Some(to)) = (hand_index(role), attacks::index(to)) else {
            return Found::None;
        };
        let closed = if kind == PAWN {
            attacks::last_rank(self.turn)
        } else {
            0
        };
        let is_open = (self.pieces.occupied() | closed) >> to & 1 == 0;
        if self.pieces.hands[self.turn][kind] > 0 && is_open && self.is_safe(0, to) {
            Found::One(Move::drop(kind, to))
        } else {
            Found::None
        }
    }

    /// Whether the mover's king is unattacked after a piece went from the only square of `origin`, or from the hand if
    /// that is empty, to `to`.
    #[inline]
    fn is_safe(&self, origin: u32, to: u32) -> bool {
        self.attacks_on_king_after(origin, to) == 0
    }

    #[inline]
    fn attacks_on_king_after(&self, origin: u32, to: u32) -> u32 {
        let royal = self.pieces.king(self.turn);
        let king = if royal & origin == 0 {
            royal.trailing_zeros()
        } else {
            to
        };
        let arrival = 1 << to;
        let occupied = self.pieces.occupied() & !origin | arrival;
        self.pieces.attackers(king, self.turn.other(), occupied) & !arrival
    }

    /// Whether only one piece can go where a pattern says, promoting or not: silvers are disambiguated by their
    /// squares, not by whether they promote.
    fn is_alone(&self, pattern: &Pattern) -> bool {
        let is_of_pawn = pattern.role == Role::Pawn;
        let promotion = if is_of_pawn { pattern.promotion } else { None };
        matches!(
            self.find_move(&Pattern {
                promotion,
                ..*pattern
            }),
            Found::One(_)
        )
    }

    fn pattern(&self, m: Move, from: Square) -> Pattern {
        let role = self.piece_at(from).map_or(Role::Pawn, |piece| piece.role);
        let promotion = m.promotes().then_some(Role::Gold);
        let pattern = Pattern {
            promotion,
            ..Pattern::of(role, from, self.captures(m), m.to())
        };
        pattern.shortest(from, |pattern| self.is_alone(pattern))
    }
}

impl Irregular for Olympic {
    fn passed(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let by_black = u32::from(self.turn == Side::Black);
        Some(Self {
            turn: self.turn.other(),
            fullmove: self.fullmove.saturating_add(by_black),
            ..self.clone()
        })
    }

    fn stood(&self, standing_act: StandingAct) -> Option<Self> {
        let mut next = self.clone();
        let zeroing = match standing_act {
            StandingAct::Moved {
                from,
                to,
                arrival: Arrival::Here,
                promotion,
            } => next.put((from, to), promotion)?,
            StandingAct::Dropped { role, to } => next.put_from_hand(role, to)?,
            StandingAct::Passed => false,
            StandingAct::Moved { .. } | StandingAct::Castled(_) => return None,
        };
        next.pass_on(zeroing);
        let (position, _) = next.possible().ok()?;
        Some(position)
    }
}

impl Olympic {
    /// The turn passes to the other side; `zeroing` says whether the count of plies without progress restarts.
    #[inline]
    fn pass_on(&mut self, zeroing: bool) {
        self.halfmove = if zeroing {
            0
        } else {
            self.halfmove.saturating_add(1)
        };
        self.fullmove = self
            .fullmove
            .saturating_add(u32::from(self.turn == Side::Black));
        self.turn = self.turn.other();
    }

    /// Puts a piece on another square, legally or not. Returns whether that is progress.
    fn put(&mut self, (from, to): (Square, Square), promotion: Option<Role>) -> Option<bool> {
        let (from, to) = (attacks::index(from)?, attacks::index(to)?);
        let mut mover = self.pieces.take(from)?;
        if mover.piece.side != self.turn {
            return None;
        }
        let was_pawn = mover.piece.role == Role::Pawn && !mover.promoted;
        // A pawn that arrives is promoted in any case (OC-5); anything else only if the record says so.
        let arrives = was_pawn && attacks::last_rank(self.turn) >> to & 1 == 1;
        let is_able = matches!(mover.piece.role, Role::Pawn | Role::Silver);
        match promotion {
            Some(Role::Gold) if is_able => mover.promoted = true,
            Some(_) => return None,
            None => mover.promoted |= arrives,
        }
        let taken = self.pieces.take(to);
        if let Some(piece) = taken {
            self.pieces.hands[self.turn][hand_index(piece.piece.role)?] += 1;
        }
        self.pieces.put(to, mover);
        Some(taken.is_some() || was_pawn)
    }

    /// Drops a piece, legally or not. Returns whether that is progress.
    fn put_from_hand(&mut self, role: Role, to: Square) -> Option<bool> {
        let (kind, to) = (hand_index(role)?, attacks::index(to)?);
        if self.hand(self.turn, role) == 0 || self.pieces.man_at(to).is_some() {
            return None;
        }
        self.pieces.drop(self.turn, kind, to);
        Some(role == Role::Pawn)
    }
}
