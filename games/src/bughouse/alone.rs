//! One board of Bughouse by itself, when it is not known yet what came to its pockets from the other one: its plies, and what
//! each of them takes from a pocket and gives to one of the other board.

use super::{Bughouse, LinkedBoard};
use overboard_referee::game::record::Record as _;
use overboard_rules::{
    game::{Game as _, Happening},
    ply::{StandingAct, Written},
    position::{Found, Movegen as _},
    square::{Role, Side},
};

/// A board whose pockets may hold anything.
#[derive(Clone, Debug)]
pub struct Alone {
    position: Bughouse,
    board: usize,
}

/// What a ply did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// The side that made it.
    pub side: Side,
    /// The kind of piece that it dropped.
    pub dropped: Option<Role>,
    /// The kind of piece that it took, which goes to the partner's pocket.
    pub taken: Option<Role>,
    /// Whether it mated, whatever the pockets hold.
    pub mates: bool,
}

impl Alone {
    /// The board with this index, as it is in a position.
    #[must_use]
    pub fn of(position: &Bughouse, board: usize) -> Self {
        let position = Bughouse {
            may_hold_more: true,
            ..position.clone()
        };
        Self { position, board }
    }

    /// Makes a ply; `None`, with nothing changed, if it is illegal whatever the pockets hold.
    pub fn make(&mut self, written: &Written) -> Option<Made> {
        let ply = match self.position.find_on(self.board, written) {
            Found::One(ply) => ply,
            Found::None => self.position.drop_from_elsewhere(self.board, written)?,
            Found::Several => return None,
        };
        let side = self.position.boards[self.board].turn();
        let taken = self.position.make(ply);
        Some(self.made(side, ply.made.dropped(), taken))
    }

    /// Lets an illegal ply stand, by its squares as the command `[%stands]` has them; `None`, with nothing changed, if that
    /// is impossible.
    pub fn stand(&mut self, squares: &[u8]) -> Option<Made> {
        let at = LinkedBoard::of(self.board);
        let standing_act = self.position.standing_act(Some(at), squares)?;
        let here = &self.position.boards[self.board];
        let side = here.turn();
        let (_, taken) = here.stood_taking(standing_act)?;
        self.position.happen(at, Happening::Stood(standing_act))?;
        let dropped = match standing_act {
            StandingAct::Dropped { role, .. } => Some(role),
            _ => None,
        };
        Some(self.made(side, dropped, taken))
    }

    fn made(&self, side: Side, dropped: Option<Role>, taken: Option<Role>) -> Made {
        Made {
            side,
            dropped,
            taken,
            mates: self.position.ended.is_some(),
        }
    }
}
