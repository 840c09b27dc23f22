//! Contested squares, and how they are settled.

use super::{Contested, OverPiece, options::Drawn, roster::Roster};
use crate::board8::board::{Board, bit};
use overboard_rules::{
    outcome::Outcome,
    path::square,
    square::{Piece, Role, Side},
};

/// The pieces of an over-piece, and its own spares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SubSet {
    pub pieces: Roster,
    pub spares: Roster,
}

/// An attack whose sub-game is not settled yet. The attacker is on `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Contest {
    pub from: u8,
    pub to: u8,
    /// The attacker as it was before the move.
    pub attacker: Piece,
    pub promotion: Option<Role>,
    pub defender: Piece,
    /// The defender's square.
    pub at: u8,
    /// The defender's pieces.
    pub set: SubSet,
}

/// The squares of the over-pieces of a contest after it is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Places {
    pub attacker: Option<u8>,
    pub defender: Option<u8>,
}

impl Contest {
    pub const fn side(&self) -> Side {
        self.attacker.side
    }

    /// The squares that no piece may enter.
    pub const fn squares(&self) -> u64 {
        bit(self.to) | bit(self.at)
    }

    pub fn in_words(&self) -> Contested {
        Contested {
            from: square(self.from),
            to: square(self.to),
            defender: OverPiece {
                piece: self.defender,
                pieces: self.set.pieces,
                spares: self.set.spares,
            },
            victim: (self.at != self.to).then(|| square(self.at)),
            promotion: self.promotion,
        }
    }

    /// Puts the over-pieces where the sub-game leaves them (OV-2, OV-6, OV-10, OV-11, OV-33), and removes castling
    /// rights that this ends (OV-16).
    pub fn settle(&self, board: &mut Board, outcome: Outcome, drawn: Drawn) -> Places {
        if outcome == Outcome::Win(Side::White) {
            board.lose_rights(self.from);
            board.lose_rights(self.at);
            return Places {
                attacker: Some(self.to),
                defender: None,
            };
        }
        board.clear(self.to);
        let stays = outcome != Outcome::Draw || drawn != Drawn::BothLeave;
        if stays {
            board.put(self.at, self.defender);
        } else {
            board.lose_rights(self.at);
        }
        let returns = outcome == Outcome::Draw
            && drawn == Drawn::Withdraws
            && board.occupied() & bit(self.from) == 0;
        if returns {
            board.put(self.from, self.attacker);
        } else {
            board.lose_rights(self.from);
        }
        Places {
            attacker: returns.then_some(self.from),
            defender: stays.then_some(self.at),
        }
    }
}
