//! Boards as pictures.

use super::squares;
use crate::{
    mega::{Board, Mega, State},
    one_board::notation::BoardNotation,
};
use overboard_pictures::diagram::{Cell, Diagram, DrawnPiece, Mark, Panel};
use overboard_rules::{path::BoardPath, square::Square};

/// One board, with the boards on it if `boards`.
#[must_use]
pub fn panel(mega: &Mega, boards: bool) -> Panel {
    let mut panel = Panel::new(8, 8);
    panel.capitals = true;
    for on in squares() {
        let Some(occupant) = mega.mega_piece_at(on) else {
            continue;
        };
        let piece = DrawnPiece::of(occupant.piece);
        let mark = match occupant.state {
            State::Neutral => None,
            State::Armed => Some(Mark::Armed),
            State::Disarmed => Some(Mark::Disarmed),
            State::Dethroned => Some(Mark::Dethroned),
        };
        let cell = match (mark, mega.board(on)) {
            (Some(mark), _) => Cell::Piece(DrawnPiece::marked(occupant.piece, mark)),
            (None, Some(board)) if boards => {
                Cell::Board(piece, Box::new(inner(mega, on, &board, false)))
            }
            (None, _) => Cell::Piece(piece),
        };
        panel.put(on, cell);
    }
    panel.turn = Some(mega.turn());
    if mega.in_check() && mega.is_between_turns() {
        panel.checked = Vec::from_iter(mega.king(mega.turn()));
    }
    panel
}

/// The board on a mega-square, with the boards on it if `boards`.
fn inner(around: &Mega, on: Square, board: &Board, boards: bool) -> Panel {
    let panel = match board {
        Board::Chess(chess) => chess.panel(),
        Board::Mega(game) => panel(game, boards),
    };
    Panel {
        both_move: around.both_may_move(on),
        ..panel
    }
}

/// The board at a path, alone.
#[must_use]
pub fn zoomed(mega: &Mega, path: &BoardPath) -> Option<Diagram> {
    let mut diagram = match (
        path.squares().last(),
        mega.board_at(&path.outer(path.len().saturating_sub(1)))?,
    ) {
        (Some(on), Board::Mega(around)) => {
            Diagram::of(inner(&around, on, &around.board(on)?, true))
        }
        (None, _) => Diagram::of(panel(mega, true)),
        (Some(_), Board::Chess(_)) => return None,
    };
    if let Some(row) = diagram.rows.first_mut()
        && let Some(panel) = row.panels.first_mut()
    {
        panel.title = if path.is_empty() {
            None
        } else {
            Some(format!("Board {path}").into())
        };
    }
    Some(diagram)
}
