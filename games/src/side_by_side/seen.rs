//! Pictures of boards side by side.

use overboard_formats::san::{Alphabet, board_index};
use overboard_pictures::diagram::Diagram;
use overboard_rules::ply::BoardName;

/// Marks the squares of a ply, given in coordinates, among boards drawn side by side.
pub(crate) fn mark(diagram: &mut Diagram, ply: &str, alphabet: &Alphabet) {
    let (board, squares) = ply.split_once('.').unwrap_or(("", ply));
    let (squares, arrives) = squares.split_once('/').unwrap_or((squares, board));
    for (letters, square) in [board, arrives]
        .into_iter()
        .zip(alphabet.squares_in(squares))
    {
        let index = board_index(letters.as_bytes()).map(usize::from);
        let mut panels = diagram.rows.iter_mut().flat_map(|row| &mut row.panels);
        if let Some(panel) = index.and_then(|index| panels.nth(index)) {
            panel.last.push(square);
        }
    }
}

/// One of several boards taken out of the picture of all, and its index.
///
/// # Errors
/// That there is no such board, and which there are.
pub(crate) fn alone(
    name: &str,
    mut drawn: Diagram,
    boards: usize,
) -> Result<(Diagram, usize), String> {
    match board_index(name.to_ascii_uppercase().as_bytes()).map(usize::from) {
        Some(board) if board < boards => {
            drawn.keep(board);
            Ok((drawn, board))
        }
        _ => Err(format!("there are boards A to {}", BoardName(boards - 1))),
    }
}
