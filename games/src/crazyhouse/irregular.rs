//! Positions of Crazyhouse that no legal move leads to.

use super::{CrazyhouseBy, bit, is_on_board};
use crate::chess::{ChessLaws, Move};
use overboard_rules::{
    ply::StandingAct,
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

    fn stood(&self, standing_act: StandingAct) -> Option<Self> {
        let (mut stood, taken) = self.stood_taking(standing_act)?;
        if let Some(taken) = taken {
            stood.pockets.put(self.chess.turn(), taken);
        }
        Some(stood)
    }
}

impl<L: ChessLaws> CrazyhouseBy<L> {
    /// The position after an act that stands, and what it took, which is in no pocket yet.
    pub(crate) fn stood_taking(&self, standing_act: StandingAct) -> Option<(Self, Option<Role>)> {
        let mut stood = self.clone();
        let (act, taken) = match standing_act {
            StandingAct::Dropped { role, to } => (stood.dropped(role, to)?, None),
            // Nothing moves, and no piece is promoted.
            StandingAct::Passed => (self.chess.act_of(standing_act)?, None),
            StandingAct::Moved { .. } | StandingAct::Castled(_) => {
                let act = self.chess.act_of(standing_act)?;
                (act, stood.account(act))
            }
        };
        stood.chess = self.chess.after_act(act)?;
        Some((stood, taken))
    }

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
