//! Positions as lists of squares, for generators that do not use the sets of the game.

use super::*;

/// Pieces as a list of squares.
#[derive(Clone)]
pub(super) struct Setup {
    pub board: [Option<BoardPiece>; 25],
    pub hands: BySide<[u8; 5]>,
    pub turn: Side,
    pub halfmove: u32,
    pub fullmove: u32,
}

impl Setup {
    pub(super) fn of(position: &Olympic) -> Self {
        Self {
            board: std::array::from_fn(|at| position.board_piece_at(square_at(at as u32))),
            hands: BySide::from_fn(|side| HAND.map(|role| position.hand(side, role))),
            turn: position.turn(),
            halfmove: position.halfmove(),
            fullmove: position.fullmove(),
        }
    }

    pub(super) fn position(&self) -> Result<Olympic, Vec<Impossible>> {
        let mut pieces = PieceCensus::default();
        pieces.hands = self.hands;
        for (at, occupant) in (0..).zip(self.board) {
            if let Some(piece) = occupant {
                pieces.put(at, piece);
            }
        }
        let position = Olympic {
            pieces,
            turn: self.turn,
            halfmove: self.halfmove,
            fullmove: self.fullmove,
        };
        position.possible().and_then(reachable)
    }
}
