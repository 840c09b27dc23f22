//! Explains why coordinates are not a legal ply.
//!
//! Records say which piece moves and where it goes, and a game explains by
//! [`Game::resolve`](overboard_rules::game::Game::resolve) what is wrong with that. Coordinates only give two squares:
//! the piece is the one on the first.

use overboard_pictures::diagram::Cell;
use overboard_referee::game::record::{Record, scenes};
use overboard_rules::{
    game::{Happening, Refusal, Said},
    ply::{Pattern, Wing, Written},
    square::{Role, Square},
};

/// Why these coordinates are not legal here, and by which rule; `None` if they are legal after all, or if no rule
/// applies: they are not squares of a board, the first one is empty, or they mean an act of another kind.
///
/// ```
/// use overboard_games::{refused, registry::under_way};
///
/// let refusal = refused::why(&under_way::Chess::default(), "e1e3").unwrap();
/// assert_eq!(refusal.rule.id, "CH-13");
/// assert!(refused::why(&under_way::Chess::default(), "e2e4").is_none());
/// ```
#[must_use]
pub fn why<G: Record>(game: &G, coordinates: &str) -> Option<Box<Refusal<G>>> {
    let (way, own) = coordinates.rsplit_once('.').unwrap_or(("", coordinates));
    let at = game.board_named(way)?;
    let refused = |written| game.resolve(at, Said::Ply(written)).err();
    if own == "--" {
        return refused(Written::Pass);
    }
    if let Some(wing) = Wing::of_letters(own) {
        return refused(Written::Castle(wing));
    }
    if let Some((role, square)) = own.split_once('@') {
        let role = role
            .bytes()
            .next()
            .filter(|_| role.len() == 1)
            .and_then(Role::from_letter)?;
        let Happening::Displaced { to, .. } =
            game.displacement(Some(at), square.repeat(2).as_bytes())?
        else {
            return None;
        };
        return refused(Written::Drop { role, to });
    }
    let (squares, promotion) = promoted(own);
    let Happening::Displaced { from, to, arrival } =
        game.displacement(Some(at), squares.as_bytes())?
    else {
        return None;
    };
    let role = standing(game, way, from)?;
    if let Some(wing) = game.castling_of(from, to).filter(|_| role == Role::King) {
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

/// The squares, and the promotion after them.
fn promoted(own: &str) -> (&str, Option<Role>) {
    let squares = own.strip_suffix('+').unwrap_or(own);
    let promotion = squares
        .bytes()
        .last()
        .and_then(|letter| Role::from_letter(letter.to_ascii_uppercase()));
    match promotion {
        // A letter after a slash names a board.
        Some(role) if !squares.contains('/') => (&squares[..squares.len() - 1], Some(role)),
        _ => (squares, None),
    }
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
