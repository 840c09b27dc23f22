//! The moves of orthodox chess.

use super::{ChessBy, ChessLaws, Found, Move, checkers, side_from, wing_to};
use overboard_rules::{
    ply::{Pattern, Written},
    position::{Act, Movegen},
    square::{Role, Side},
};
use shakmaty::{Bitboard, Position as _};

impl<L: ChessLaws> Movegen for ChessBy<L> {
    type Move = Move;
    type Options = ();
    const PICKS: bool = true;

    fn turn(&self) -> Side {
        side_from(self.position.turn())
    }

    fn fullmove(&self) -> u32 {
        self.position.fullmoves().get() - u32::from(self.is_late)
    }

    fn halfmove(&self) -> u32 {
        self.position.halfmoves()
    }

    fn in_check(&self) -> bool {
        self.checkers.any()
    }

    fn has_legal_move(&self) -> bool {
        if self.is_odd() {
            return !self.odd_moves().is_empty();
        }
        let king = self.position.board().king_of(self.position.turn());
        let has_free = |king| {
            self.has_free_pawn(king) || self.has_free_officer(king) || self.has_free_king(king)
        };
        king.is_some_and(has_free) || !self.position.legal_moves().is_empty()
    }

    #[inline(always)]
    fn find(&self, written: &Written) -> Found {
        match written {
            Written::Move(pattern) if pattern.role == Role::Pawn => self.find_pawn(pattern),
            Written::Move(pattern) => self.find_officer(pattern),
            Written::Castle(wing) => match self.position.castling_moves(wing_to(*wing)).first() {
                Some(castle) => Found::One(Move(*castle)),
                None => Found::None,
            },
            Written::Drop { .. } | Written::PromotedDrop { .. } | Written::Pass => Found::None,
        }
    }

    fn written(&self, m: Move) -> Written {
        if let Some(wing) = m.wing() {
            return Written::Castle(wing);
        }
        let (from, to, role) = (m.from(), m.to(), m.role());
        let pattern = Pattern {
            promotion: m.promotion(),
            ..Pattern::of(role, from, m.is_capture(), to)
        };
        if role == Role::Pawn {
            return Written::Move(pattern);
        }
        Written::Move(pattern.shortest(from, |pattern| self.find_officer(pattern) == Found::One(m)))
    }

    #[inline]
    fn play(&mut self, Move(m): Move) {
        self.position.play_unchecked(m);
        // A king that could be taken is in check now, whatever was moved.
        let is_checked = std::mem::take(&mut self.is_exposed) || self.may_give_check(m);
        self.checkers = if is_checked {
            checkers(&self.position)
        } else {
            Bitboard::EMPTY
        };
    }

    fn legal_moves(&self, mut visit: impl FnMut(Move)) {
        if self.is_odd() {
            for m in self.odd_moves() {
                visit(m);
            }
            return;
        }
        // By reference: the list is too large to move.
        self.position
            .legal_moves()
            .iter()
            .copied()
            .map(Move)
            .for_each(visit);
    }

    #[inline]
    fn list_legal(&self, moves: &mut Vec<Move>) {
        if self.is_odd() {
            return moves.extend(self.odd_moves());
        }
        moves.extend(self.position.legal_moves().iter().copied().map(Move));
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        if self.is_odd() {
            return self.odd_moves().len() as u64;
        }
        self.count_moves()
    }

    #[inline]
    fn pick_legal(&self, choose: impl FnOnce(usize) -> usize) -> Option<Move> {
        if self.is_odd() {
            let moves = self.odd_moves();
            return match moves.len() {
                0 => None,
                count => moves.get(choose(count)).copied(),
            };
        }
        self.picked(choose)
    }

    #[inline]
    fn captures(&self, m: Move) -> bool {
        m.is_capture()
    }

    fn act(&self, m: Move) -> Act {
        Act {
            from: Some(m.from()),
            to: m.to(),
            promotion: m.promotion(),
            role: m.role(),
            captures: m.is_capture(),
            castles: m.wing().is_some(),
        }
    }
}

#[inline]
pub(super) fn origins(pattern: &Pattern) -> Bitboard {
    let file = pattern.file.map_or(Bitboard::FULL, |file| {
        Bitboard::from(shakmaty::File::new(u32::from(file)))
    });
    let rank = pattern.rank.map_or(Bitboard::FULL, |rank| {
        Bitboard::from(shakmaty::Rank::new(u32::from(rank)))
    });
    file & rank
}
