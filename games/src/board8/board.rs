//! Pieces of both sides on a board of eight by eight whose moves are those of chess: the over-pieces of Overchess and
//! the mega-pieces of Mega-Chess. Each of these games decides itself which moves are legal, and what else a piece is;
//! placement, attacks and the spelling of moves are here. Bit 0 of a set is `a1`, bit 8 is `a2`.

use super::attacks;
use crate::chess::Chess;
use overboard_rules::{
    by_side::BySide,
    origin::Origins,
    path::{index, square},
    ply::{Arrival, Pattern, StandingAct, Wing, Written},
    position::Explain,
    refusal::takes,
    square::{Piece, Role, Side, Square},
};

/// A move of such a piece; a few bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoardMove {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotion: Option<Role>,
}

impl BoardMove {
    /// The square of origin.
    #[must_use]
    pub const fn from(self) -> Square {
        square(self.from)
    }

    /// The square of arrival.
    #[must_use]
    pub const fn to(self) -> Square {
        square(self.to)
    }

    /// What a promoting pawn becomes.
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        self.promotion
    }
}

/// The pieces, the castling rights and the square crossed by a double step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Board {
    sides: BySide<u64>,
    roles: [u64; 6],
    /// In the order K Q k q.
    pub castling: [bool; 4],
    pub en_passant: Option<u8>,
}

/// Where king and rook are for a castling right, and where they go.
#[derive(Clone, Copy)]
pub(crate) struct Castling {
    pub king: u8,
    pub rook: u8,
    pub king_to: u8,
    pub rook_to: u8,
}

/// In the order K Q k q.
pub(crate) const CASTLINGS: [Castling; 4] = [
    Castling {
        king: 4,
        rook: 7,
        king_to: 6,
        rook_to: 5,
    },
    Castling {
        king: 4,
        rook: 0,
        king_to: 2,
        rook_to: 3,
    },
    Castling {
        king: 60,
        rook: 63,
        king_to: 62,
        rook_to: 61,
    },
    Castling {
        king: 60,
        rook: 56,
        king_to: 58,
        rook_to: 59,
    },
];
/// What the pawn of a move may become where the move does not say; empty if it remains a pawn.
pub(crate) const fn promotions_of(pattern: &Pattern) -> &'static [Role] {
    let arrives = matches!(pattern.role, Role::Pawn) && matches!(pattern.to.rank, 0 | 7);
    if arrives { &PROMOTIONS } else { &[] }
}

/// Where king and rook of a side are for castling to a wing, and where they go.
pub(crate) const fn castling(side: Side, wing: Wing) -> Castling {
    CASTLINGS[side as usize * 2 + wing as usize]
}

/// The officers of the first rank, from file a.
pub(crate) const BACK: [Role; 8] = [
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Queen,
    Role::King,
    Role::Bishop,
    Role::Knight,
    Role::Rook,
];
/// What a pawn may become.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
/// The ranks on which pawns promote.
pub(crate) const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;
/// The most common first.
const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Queen,
    Role::King,
];

pub(crate) const fn bit(square: u8) -> u64 {
    1 << square
}

/// The squares of a set, lowest first.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        // Less than 64 unless the set is empty.
        (lowest < 64).then_some(lowest as u8)
    })
}

/// The set of some squares.
pub(crate) fn set_of(squares: impl IntoIterator<Item = u8>) -> u64 {
    let mut set = 0;
    for square in squares {
        set |= bit(square);
    }
    set
}

/// The square ahead of a pawn.
pub(crate) fn ahead(side: Side, from: u8) -> Option<u8> {
    match side {
        Side::White => from.checked_add(8).filter(|to| *to < 64),
        Side::Black => from.checked_sub(8),
    }
}

/// The rank, from 0, on which this side's pawns promote.
pub(crate) const fn last_rank(side: Side) -> u8 {
    match side {
        Side::White => 7,
        Side::Black => 0,
    }
}

/// The rank, from 0, on which this side's pawns begin.
pub(crate) const fn pawn_rank(side: Side) -> u8 {
    match side {
        Side::White => 1,
        Side::Black => 6,
    }
}

/// The square of the pawn that is captured en passant on `crossed`, for the capturing side.
pub(crate) const fn victim_of(side: Side, crossed: u8) -> u8 {
    match side {
        Side::White => crossed.wrapping_sub(8),
        Side::Black => crossed.wrapping_add(8),
    }
}

/// The squares strictly between two squares of a rank.
pub(crate) fn between(a: u8, b: u8) -> u64 {
    set_of(a.min(b) + 1..a.max(b))
}

impl Board {
    /// No piece.
    pub const EMPTY: Self = Self {
        sides: BySide::both(0),
        roles: [0; 6],
        castling: [false; 4],
        en_passant: None,
    };

    /// The initial position.
    pub fn start() -> Self {
        let mut board = Self {
            castling: [true; 4],
            ..Self::EMPTY
        };
        for (file, role) in (0..8).zip(BACK) {
            for (side, officers, pawns) in [(Side::White, 0, 8), (Side::Black, 56, 48)] {
                board.put(officers + file, Piece { side, role });
                board.put(
                    pawns + file,
                    Piece {
                        side,
                        role: Role::Pawn,
                    },
                );
            }
        }
        board
    }

    pub fn put(&mut self, square: u8, piece: Piece) {
        self.clear(square);
        self.sides[piece.side] |= bit(square);
        if let Some(role) = self.roles.get_mut(piece.role as usize) {
            *role |= bit(square);
        }
    }

    pub fn clear(&mut self, square: u8) {
        for set in self.sides.iter_mut() {
            *set &= !bit(square);
        }
        for set in &mut self.roles {
            *set &= !bit(square);
        }
    }

    pub const fn occupied(&self) -> u64 {
        self.sides.at(Side::White) | self.sides.at(Side::Black)
    }

    pub const fn of(&self, side: Side) -> u64 {
        self.sides.at(side)
    }

    pub const fn kind(&self, role: Role) -> u64 {
        if (role as usize) < 6 {
            self.roles[role as usize]
        } else {
            0
        }
    }

    /// The bitboards that determine the placement.
    pub const fn words(&self) -> [u64; 8] {
        let [p, n, b, r, q, k] = self.roles;
        [
            self.sides.at(Side::White),
            self.sides.at(Side::Black),
            p,
            n,
            b,
            r,
            q,
            k,
        ]
    }

    /// The squares from which the mover's piece of an illegal move may have come.
    pub fn likely_origins(&self, side: Side, pattern: &Pattern) -> Vec<Square> {
        let origins = Origins {
            side,
            squares_of: &|piece| {
                squares(self.of(piece.side) & self.kind(piece.role))
                    .map(square)
                    .collect()
            },
            piece_at: &|on| self.piece_at(index(on)),
            walks: <Chess as Explain>::moves_so,
        };
        origins.likely(pattern, takes(pattern))
    }

    pub fn piece_at(&self, square: u8) -> Option<Piece> {
        if self.occupied() & bit(square) == 0 {
            return None;
        }
        let side = if self.of(Side::White) & bit(square) != 0 {
            Side::White
        } else {
            Side::Black
        };
        let role = ROLES
            .into_iter()
            .find(|role| self.kind(*role) & bit(square) != 0)?;
        Some(Piece { side, role })
    }

    /// The pieces on all squares, `a1` first, then along the ranks.
    pub fn pieces(&self) -> [Option<Piece>; 64] {
        std::array::from_fn(|at| self.piece_at(at as u8))
    }

    pub fn king(&self, side: Side) -> Option<u8> {
        squares(self.kind(Role::King) & self.of(side)).next()
    }

    /// The pieces of a side that attack a square, if these squares are occupied.
    pub fn attackers(&self, square: u8, by: Side, occupied: u64) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let at = square.into();
        // A pawn attacks the square if a pawn of the other side on that square would attack it.
        let pawn = attacks::pawn(at, by.other());
        let leapers = pawn & pawns | attacks::king(at) & kings | attacks::knight(at) & knights;
        let rook = attacks::rook(at, occupied) & (rooks | queens);
        let bishop = attacks::bishop(at, occupied) & (bishops | queens);
        (leapers | rook | bishop) & self.of(by) & occupied
    }

    /// The pieces that give check to a side's king, whatever else may keep them from moving.
    pub fn checkers(&self, side: Side) -> u64 {
        self.king(side).map_or(0, |king| {
            self.attackers(king, side.other(), self.occupied())
        })
    }

    /// The wing to which a move castles, if it does.
    pub const fn wing(&self, m: BoardMove) -> Option<Wing> {
        if self.kind(Role::King) & bit(m.from) == 0 || m.from.abs_diff(m.to) != 2 {
            return None;
        }
        Some(if m.to > m.from {
            Wing::KingSide
        } else {
            Wing::QueenSide
        })
    }

    /// The castling that a move of a side's king means, whether it is legal or not: king and rook are at home, and can
    /// get where they go.
    pub fn castling_meant(&self, m: BoardMove, side: Side, barred: u64) -> Option<Castling> {
        let own = self.of(side);
        for wing in [Wing::KingSide, Wing::QueenSide] {
            let it = castling(side, wing);
            let king = self.kind(Role::King) & own & bit(it.king);
            let rook = self.kind(Role::Rook) & own & bit(it.rook);
            let onto = (self.occupied() | barred) & (bit(it.king_to) | bit(it.rook_to));
            if (it.king, it.king_to) == (m.from, m.to) && king != 0 && rook != 0 && onto == 0 {
                return Some(it);
            }
        }
        None
    }

    /// The move of a side that an act made which stands, legal or not (GEN-9). `None` if it is no move on this board, or
    /// leaves a pawn where it should have become another piece, or takes a king.
    pub fn move_that_stood(
        &self,
        standing_act: StandingAct,
        side: Side,
        barred: u64,
    ) -> Option<BoardMove> {
        let m = match standing_act {
            StandingAct::Moved {
                from,
                to,
                arrival: Arrival::Here,
                promotion,
            } => BoardMove {
                from: index(from),
                to: index(to),
                promotion,
            },
            StandingAct::Castled(wing) => {
                let it = castling(side, wing);
                let m = BoardMove {
                    from: it.king,
                    to: it.king_to,
                    promotion: None,
                };
                self.castling_meant(m, side, barred)?;
                m
            }
            StandingAct::Moved { .. } | StandingAct::Dropped { .. } | StandingAct::Passed => {
                return None;
            }
        };
        let piece = self.piece_at(m.from)?;
        let arrives = piece.role == Role::Pawn && bit(m.to) & LAST_RANKS != 0;
        let becomes = match m.promotion {
            None => !arrives,
            Some(role) => arrives && PROMOTIONS.contains(&role),
        };
        let takes_king = self.kind(Role::King) & bit(m.to) != 0;
        let is_barred = barred & (bit(m.from) | bit(m.to)) != 0;
        if piece.side != side || !becomes || m.from == m.to || takes_king || is_barred {
            return None;
        }
        Some(m)
    }

    /// Where the rook of a castling comes from and goes to.
    pub fn rook_of(&self, m: BoardMove) -> Option<(u8, u8)> {
        let wing = self.wing(m)?;
        let rook = if wing == Wing::KingSide {
            m.from + 3
        } else {
            m.from.checked_sub(4)?
        };
        Some((rook, m.from.midpoint(m.to)))
    }

    /// The square of the piece that a move attacks or captures, also en passant.
    pub fn target(&self, m: BoardMove) -> Option<u8> {
        let side = self.piece_at(m.from)?.side;
        if self.of(side.other()) & bit(m.to) != 0 {
            return Some(m.to);
        }
        let aslant = self.kind(Role::Pawn) & bit(m.from) != 0 && m.from % 8 != m.to % 8;
        if !aslant || self.en_passant != Some(m.to) {
            return None;
        }
        Some(victim_of(side, m.to))
    }

    /// Makes a move and its capture; castling rights stay unchanged.
    pub fn make(&mut self, m: BoardMove) {
        let Some(piece) = self.piece_at(m.from) else {
            return;
        };
        let (target, rook) = (self.target(m), self.rook_of(m));
        self.en_passant = None;
        if let Some(target) = target {
            self.clear(target);
        }
        self.clear(m.from);
        self.put(
            m.to,
            Piece {
                role: m.promotion.unwrap_or(piece.role),
                ..piece
            },
        );
        if let Some((from, to)) = rook {
            self.clear(from);
            self.put(
                to,
                Piece {
                    role: Role::Rook,
                    ..piece
                },
            );
        }
        if piece.role == Role::Pawn && m.from.abs_diff(m.to) == 16 {
            self.en_passant = Some(m.from.midpoint(m.to));
        }
    }

    /// Whether a pawn could just have passed the en passant square, if there is one, with a double step. `turn` is the
    /// side to move.
    pub fn can_have_been_crossed(&self, turn: Side) -> bool {
        let Some(at) = self.en_passant else {
            return true;
        };
        if at / 8 != last_rank(turn).abs_diff(2) {
            return false;
        }
        let victim = victim_of(turn, at);
        let home = at.wrapping_add(at).wrapping_sub(victim);
        let pawn = Piece {
            side: turn.other(),
            role: Role::Pawn,
        };
        self.piece_at(victim) == Some(pawn) && self.occupied() & (bit(at) | bit(home)) == 0
    }

    /// A move as it would be written; `alone` says whether a pattern is unambiguous.
    pub fn written(&self, m: BoardMove, alone: impl Fn(&Pattern) -> bool) -> Written {
        if let Some(wing) = self.wing(m) {
            return Written::Castle(wing);
        }
        let Some(Piece { role, .. }) = self.piece_at(m.from) else {
            return Written::Pass;
        };
        let (from, capture) = (m.from(), self.target(m).is_some());
        let pattern = Pattern {
            promotion: m.promotion,
            ..Pattern::of(role, from, capture, m.to())
        };
        if role == Role::Pawn {
            return Written::Move(pattern);
        }
        Written::Move(pattern.shortest(from, alone))
    }

    /// Whether a move matches a written one.
    pub fn fits(&self, m: BoardMove, written: &Written) -> bool {
        let wing = self.wing(m);
        match written {
            Written::Castle(asked) => wing == Some(*asked),
            Written::Move(pattern) => {
                let Some(piece) = self.piece_at(m.from) else {
                    return false;
                };
                wing.is_none()
                    && m.to == index(pattern.to)
                    && m.promotion == pattern.promotion
                    && piece.role == pattern.role
                    && pattern.may_start_on(m.from())
                    && (piece.role != Role::Pawn || takes(pattern) == self.target(m).is_some())
            }
            _ => false,
        }
    }
}
