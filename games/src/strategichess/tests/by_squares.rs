//! Positions as lists of squares, for generators that do not use the sets of the game.

use super::*;

/// Pieces as a list of squares.
#[derive(Clone)]
pub(super) struct Setup {
    pub board: [Option<Piece>; 196],
    /// The files on which White and Black have pawns that have never moved.
    pub unmoved: BySide<[bool; 14]>,
    pub turn: Side,
    pub halfmove: u32,
    pub fullmove: u32,
}

impl Setup {
    pub(super) fn empty(turn: Side) -> Self {
        Self {
            board: [None; 196],
            unmoved: BySide::both([false; 14]),
            turn,
            halfmove: 0,
            fullmove: 1,
        }
    }

    pub(super) fn of(position: &Strategi) -> Self {
        let on = |at: usize| Square::new((at % 14) as u8, (at / 14) as u8);
        let is_unmoved = |side, file| position.is_unmoved(squares::first_square(side, file));
        Self {
            board: std::array::from_fn(|at| position.piece_at(on(at))),
            unmoved: BySide::from_fn(|side| {
                std::array::from_fn(|file| is_unmoved(side, file as u8))
            }),
            turn: position.turn(),
            halfmove: position.halfmove(),
            fullmove: position.fullmove(),
        }
    }

    pub(super) fn position(&self) -> Result<Strategi, Vec<Impossible>> {
        let mut board = Board::default();
        for (at, piece) in self.board.iter().enumerate() {
            if let Some(piece) = piece {
                board.put(squares::number_of(at / 14, at % 14), *piece);
            }
        }
        let mut unmoved = SquareSet::EMPTY;
        for (rank, files) in [(3, self.unmoved[White]), (10, self.unmoved[Black])] {
            for file in (0..14).filter(|file| files[*file]) {
                unmoved.insert(squares::number_of(rank, file));
            }
        }
        board.mark(unmoved);
        let position = Strategi {
            board,
            turn: self.turn,
            halfmove: self.halfmove,
            fullmove: self.fullmove,
        };
        position.possible().and_then(reachable)
    }
}
