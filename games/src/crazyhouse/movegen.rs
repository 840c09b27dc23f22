//! The moves of Crazyhouse: those of chess, then the drops.

use super::{Agreed, CrazyhouseBy, HELD, bit};
use crate::{
    bits::nth_bit,
    board8::attacks::square_at,
    chess::{ChessLaws, Found, Move},
};
use overboard_rules::{
    ply::Written,
    position::{Act, Movegen},
    square::{Role, Side, Square},
};

/// The squares on which a pawn is never dropped: the first and the eighth rank (CZ-2).
const OUTER_RANKS: u64 = 0xff00_0000_0000_00ff;

impl<L: ChessLaws> Movegen for CrazyhouseBy<L> {
    type Move = Move;
    type Options = Agreed;
    const PICKS: bool = true;

    fn options(&self) -> Agreed {
        self.agreed
    }

    fn under(self, agreed: &Agreed) -> Self {
        Self {
            agreed: *agreed,
            ..self
        }
    }

    #[inline]
    fn turn(&self) -> Side {
        self.chess.turn()
    }

    fn fullmove(&self) -> u32 {
        self.chess.fullmove()
    }

    fn halfmove(&self) -> u32 {
        self.chess.halfmove()
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.chess.in_check()
    }

    fn has_legal_move(&self) -> bool {
        self.drops().any(|(_, squares)| squares != 0) || self.chess.has_legal_move()
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(Move)) {
        self.chess.for_each_move(&mut visit);
        for (role, mut squares) in self.drops() {
            while squares != 0 {
                let square = square_at(squares.trailing_zeros());
                squares &= squares - 1;
                if let Some(drop) = Move::drop(role, square) {
                    visit(drop);
                }
            }
        }
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        let dropped: u64 = self
            .drops()
            .map(|(_, squares)| u64::from(squares.count_ones()))
            .sum();
        self.count_on_board() + dropped
    }

    #[inline]
    fn pick_legal(&self, choose: impl FnOnce(usize) -> usize) -> Option<Move> {
        let on_board = self.count_on_board() as usize;
        let count = self.count_legal() as usize;
        if count == 0 {
            return None;
        }
        let nth = choose(count);
        if nth >= on_board {
            return self.nth_drop(nth - on_board);
        }
        if self.chess.is_exposed() {
            return self.chess.odd_moves().get(nth).copied();
        }
        self.chess.picked(|_| nth)
    }

    #[inline]
    fn find(&self, written: &Written) -> Found {
        match *written {
            Written::Drop { role, to } => self.find_drop(role, to),
            _ => self.chess.find(written),
        }
    }

    fn written(&self, m: Move) -> Written {
        match m.dropped() {
            Some(role) => Written::Drop { role, to: m.to() },
            None => self.chess.written(m),
        }
    }

    #[inline]
    fn captures(&self, m: Move) -> bool {
        m.is_capture()
    }

    fn act(&self, m: Move) -> Act {
        match m.dropped() {
            Some(role) => Act {
                from: None,
                to: m.to(),
                promotion: None,
                role,
                captures: false,
                castles: false,
            },
            None => self.chess.act(m),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let side = self.chess.turn();
        if let Some(taken) = self.make(m) {
            self.pockets.put(side, taken);
        }
    }
}

impl<L: ChessLaws> CrazyhouseBy<L> {
    /// The kinds of pieces that the side to move can drop, each with the squares on which it can.
    #[inline]
    fn drops(&self) -> impl Iterator<Item = (Role, u64)> + use<L> {
        let (side, pockets) = (self.chess.turn(), self.pockets);
        let squares = self.chess.drop_squares();
        HELD.into_iter()
            .filter(move |role| pockets.count(side, *role) > 0)
            .map(move |role| (role, squares & open_to(role)))
    }

    /// Whether a piece of the board can move, drops aside.
    #[inline]
    pub(crate) fn has_move_on_board(&self) -> bool {
        self.chess.has_legal_move()
    }

    /// Whether a piece of some kind could be dropped, whatever the pocket holds.
    #[inline]
    pub(crate) fn has_place_to_drop(&self) -> bool {
        self.chess.drop_squares() != 0
    }

    /// The number of legal moves on the board.
    #[inline]
    fn count_on_board(&self) -> u64 {
        if self.chess.is_exposed() {
            return self.chess.odd_moves().len() as u64;
        }
        self.chess.count_moves()
    }

    /// The drop with this number, from 0.
    fn nth_drop(&self, mut nth: usize) -> Option<Move> {
        for (role, squares) in self.drops() {
            let count = squares.count_ones() as usize;
            if nth < count {
                return Move::drop(role, square_at(nth_bit(squares, nth).into()));
            }
            nth -= count;
        }
        None
    }

    #[inline]
    fn find_drop(&self, role: Role, to: Square) -> Found {
        let is_held = self.pockets.count(self.chess.turn(), role) > 0;
        let squares = self.chess.drop_squares() & open_to(role);
        if !is_held || squares & bit(to) == 0 {
            return Found::None;
        }
        Move::drop(role, to).map_or(Found::None, Found::One)
    }
}

/// The squares that are open to drops of a kind of piece.
#[inline]
pub(super) const fn open_to(role: Role) -> u64 {
    match role {
        Role::Pawn => !OUTER_RANKS,
        _ => u64::MAX,
    }
}
