//! Ends, repetition and claims of Crazyhouse.

use super::{CrazyhouseBy, HELD, Pockets, laws as law};
use crate::chess::{self, ChessLaws, Move, laws as regular};
use overboard_rules::{
    hash,
    outcome::{Cause, Prospect, Ruling},
    position::{Claims, DrawLaw, Explain, Movegen, stuck},
    square::{Piece, Role, Side},
};

/// What repetition compares (CZ-4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot {
    chess: chess::Snapshot,
    promoted: u64,
    pockets: Pockets,
}

impl<L: ChessLaws> DrawLaw for CrazyhouseBy<L> {
    type Snapshot = Snapshot;

    const CLAIMS: Claims = Claims::Open(&law::DRAWS);
    const COUNTED_CLAIMS: Claims = Claims::Closed(&law::DRAWS);

    const PROGRESS: &'static str = "capture, or move or drop of a pawn";

    /// Only a lost castling right never returns: what is captured can be dropped where it was, pawns included.
    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        self.chess.gives_up_castling(m)
    }

    fn end_by_itself(&self) -> Option<Ruling> {
        if self.has_legal_move() {
            return if self.is_dead() {
                draw(Cause::DeadPosition)
            } else {
                None
            };
        }
        Some(stuck(self, &regular::MATE, &regular::STALEMATE))
    }

    #[inline]
    fn end_by_record(&self, times: usize, _: &[Snapshot]) -> Option<Ruling> {
        if times < 5 && !self.is_dead() {
            return None;
        }
        self.end_by_itself().or(draw(Cause::Fivefold))
    }

    fn can_mate(&self, _: Side) -> Prospect {
        Prospect::of(self.agreed.flag_always_loses || !self.is_dead())
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.chess.repetition_key() ^ hash::pair(self.promoted, self.pockets.packed())
    }

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            chess: self.chess.snapshot(),
            promoted: self.promoted,
            pockets: self.pockets,
        }
    }
}

impl<L: ChessLaws> CrazyhouseBy<L> {
    /// Whether there are only kings and at most one knight or bishop that was not promoted, on the board or in a pocket.
    #[inline]
    fn is_dead(&self) -> bool {
        if self.promoted != 0 || self.pockets.total() > 1 || self.chess.pieces() > 3 {
            return false;
        }
        self.has_too_few()
    }

    /// The same where there are few pieces.
    #[cold]
    fn has_too_few(&self) -> bool {
        let mut minors = 0;
        for side in Side::BOTH {
            for role in HELD {
                let on_board = self.chess.squares_of(Piece { side, role }).count();
                let count = on_board + usize::from(self.pockets.count(side, role));
                match role {
                    Role::Knight | Role::Bishop => minors += count,
                    _ if count > 0 => return false,
                    _ => {}
                }
            }
        }
        minors <= 1
    }
}

fn draw(cause: Cause) -> Option<Ruling> {
    Some(Ruling::draw(cause, &law::DRAWS))
}
