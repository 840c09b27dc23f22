//! Explains why coordinates are not a legal ply.
//!
//! Records say which piece moves and where it goes, and a game explains by
//! [`Game::resolve`](overboard_rules::game::Game::resolve) what is wrong with that. Coordinates only give two squares:
//! the piece is the one on the first.

use overboard_pictures::diagram::Cell;
use overboard_referee::game::record::{Record, scenes};
use overboard_rules::{
    game::{Refusal, Said},
    ply::{Pattern, StandingAct, Written},
    square::{Role, Square},
};

/// Why these coordinates are not legal here, and by which rule; `None` if they are legal after all, or if no rule
/// applies: they are not squares of a board, the first one is empty, or they mean an act of another kind.
///
/// ```
/// use overboard_games::{illegal_coordinates, registry::under_way};
///
/// let refusal = illegal_coordinates::why(&under_way::Chess::default(), "e1e3").unwrap();
/// assert_eq!(refusal.rule.id, "CH-13");
/// assert!(illegal_coordinates::why(&under_way::Chess::default(), "e2e4").is_none());
/// ```
#[must_use]
pub fn why<G: Record>(game: &G, coordinates: &str) -> Option<Box<Refusal<G>>> {
    let (way, own) = coordinates.rsplit_once('.').unwrap_or(("", coordinates));
    let at = game.board_named(way)?;
    let refused = |written| game.resolve(at, Said::Ply(written)).err();
    let (from, to, arrival, promotion) = match game.standing_act(Some(at), own.as_bytes())? {
        StandingAct::Passed => return refused(Written::Pass),
        StandingAct::Castled(wing) => return refused(Written::Castle(wing)),
        StandingAct::Dropped { role, to } => return refused(Written::Drop { role, to }),
        StandingAct::Moved {
            from,
            to,
            arrival,
            promotion,
        } => (from, to, arrival, promotion),
    };
    let role = standing(game, way, from)?;
    if role == Role::King
        && let Some(wing) = game.castling_of(from, to)
    {
        return refused(Written::Castle(wing));
    }
    let capture = standing(game, way, to).is_some();
    let (file, rank) = (Some(from.file), Some(from.rank));
    refused(Written::Move(Pattern {
        role,
        file,
        rank,
        capture,
        to,
        promotion,
        arrival,
    }))
}

/// The kind of piece that would move from a square of the board with this name.
fn standing<G: Record>(game: &G, way: &str, square: Square) -> Option<Role> {
    let scene = scenes(game, way)
        .into_iter()
        .rfind(|scene| scene.path == way)?;
    let files = usize::from(scene.panel.files);
    match scene
        .panel
        .cells
        .get(usize::from(square.rank) * files + usize::from(square.file))?
    {
        Cell::Empty => None,
        Cell::Piece(piece)
        | Cell::Board(piece, _)
        | Cell::Contest {
            attacker: piece, ..
        } => Some(piece.piece.role),
        Cell::Stack { rider, .. } => Some(rider.role),
    }
}
