//! Positions of Crazyhouse that no legal move leads to.

use super::{CrazyhouseBy, bit, is_on_board};
use crate::chess::{ChessLaws, Move};
use overboard_rules::{
    ply::Deed,
    position::{Explain as _, Irregular, Movegen as _},
    square::{Role, Square},
};

impl<L: ChessLaws> Irregular for CrazyhouseBy<L> {
    fn passed(&self) -> Option<Self> {
        let chess = self.chess.passed()?;
        Some(Self {
            chess,
            ..self.clone()
        })
    }

    fn stood(&self, deed: Deed) -> Option<Self> {
        let mut stood = self.clone();
        let act = match deed {
            Deed::Dropped { role, to } => stood.dropped(role, to)?,
            // Nothing moves, and no piece is promoted.
            Deed::Passed => self.chess.act_of(deed)?,
            Deed::Moved { .. } | Deed::Castled(_) => {
                let act = self.chess.act_of(deed)?;
                stood.account(act);
                act
            }
        };
        stood.chess = self.chess.after_act(act)?;
        Some(stood)
    }
}

impl<L: ChessLaws> CrazyhouseBy<L> {
    /// Takes a piece out of the pocket for an illegal drop on an empty square.
    fn dropped(&mut self, role: Role, to: Square) -> Option<Move> {
        let is_open = is_on_board(to) && self.piece_at(to).is_none();
        let side = self.chess.turn();
        if !is_open || !self.pockets.take(side, role) {
            return None;
        }
        self.promoted &= !bit(to);
        Move::drop(role, to)
    }
}
