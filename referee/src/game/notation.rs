//! [`Notation`]: how a game in progress of any shape is written and drawn.

use crate::game::{
    listing::{Listed, SpeltPly},
    position::{PositionError, ReadPosition},
};
use overboard_formats::san::PlyText;
use overboard_pictures::diagram::Diagram;
use overboard_rules::{
    by_side::BySide,
    game::{BoardId, Game},
    path::BoardPath,
    square::{Side, Square},
    variant::VariantInfo,
};
use std::ops::ControlFlow;

/// The number of boards that the players agree on, as the tag Boards lists them: one where it is always the same.
pub fn agreed_boards<G: Notation>(game: &G) -> usize {
    match G::INFO.has_boards {
        true => game.boards(),
        false => 1,
    }
}

/// A game in progress that can be written and drawn.
///
/// Each game defines its coordinates, its SAN and its FEN; what follows from these (lists of plies, playing a written
/// ply, what the position is) is in [`listing`](crate::game::listing), once for all games.
///
/// ```
/// use overboard_games::{chess::Chess, one_board::OneBoard};
/// use overboard_referee::game::notation::Notation;
/// use overboard_rules::game::Game;
///
/// let mut game = OneBoard(Chess::default());
/// let ply = game.by_coordinates("g1f3").unwrap();
/// assert_eq!(game.san(ply).as_str(), "Nf3");
/// game.play(ply);
/// assert!(game.fen().ends_with("b KQkq - 1 1"));
/// ```
pub trait Notation: Game {
    /// Which game it is.
    const INFO: &'static VariantInfo;
    /// Whether coordinates may have more than sixteen letters.
    const LONG_COORDINATES: bool = false;
    /// Whether [`for_each_spelt`](Self::for_each_spelt) visits plies in byte order of their coordinates.
    const IN_ORDER: bool = false;

    /// A position from text under these options, and whether its form was irregular but accepted.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    fn read_fen(options: &Self::Options, fen: &str) -> Read<Self>;

    /// The position as FEN.
    fn fen(&self) -> String {
        self.fen_on(Self::Board::WHOLE).unwrap_or_default()
    }

    /// The position on one board as FEN, by itself, with everything inside it; `None` if no game is played there.
    fn fen_on(&self, at: Self::Board) -> Option<String>;

    /// A legal ply in coordinates.
    fn coordinates(&self, ply: Self::Ply) -> PlyText;

    /// A legal ply as SAN, with its sign.
    fn san(&self, ply: Self::Ply) -> PlyText;

    /// The legal ply with these coordinates, in upper or lower case.
    fn by_coordinates(&self, text: &str) -> Option<Self::Ply>;

    /// Whether the side to move on a board is in check, so that every legal move there parries it. In the whole of
    /// linked boards, whether any side to move is. Always false within a turn, and around a sub-game.
    fn is_check(&self, at: Self::Board) -> bool;

    /// The board or boards to be drawn, with the squares of the last ply marked.
    fn diagram(&self, last: &[Square]) -> Diagram;

    /// Marks the squares of the ply with these coordinates; the path leads to its board inside others.
    fn mark(&self, diagram: &mut Diagram, path: &BoardPath, coordinates: &str);

    /// One of several boards alone, taken out of the picture of all, and its FEN.
    ///
    /// # Errors
    /// Why there is no such board, in words.
    fn zoomed(&self, _name: &str, _drawn: Diagram) -> Result<(Diagram, String), String> {
        Err("there is one board only".into())
    }

    /// The number of linked boards.
    fn boards(&self) -> usize {
        1
    }

    /// Whether the last turn is complete: all moves of a turn of several, and the settling of a sub-game.
    fn is_between_turns(&self) -> bool {
        true
    }

    /// Side, number and board of the ply that led here from `before`, for an illegal ply, which has no spelling. `None`
    /// if the two positions do not determine it.
    fn made_since(&self, before: &Self) -> Option<(Side, u32, Self::Board)> {
        let at = Self::Board::WHOLE;
        let (number, side) = before.next_move(at)?;
        Some((side, number, at))
    }

    /// White's and Black's kings as they count at the end, if the game may have many (SC-36).
    fn kings(&self) -> Option<BySide<u32>> {
        None
    }

    /// The number of legal plies on all boards; `None` if it exceeds `u64::MAX`.
    fn choices(&self) -> Option<u64> {
        Some(self.count_legal())
    }

    /// Calls `visit` with every legal ply in both spellings, even after an end by count or dead position (GEN-6); in
    /// byte order of the coordinates if [`IN_ORDER`](Self::IN_ORDER) says so.
    fn for_each_spelt(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        let _ = self.legal(|ply| {
            visit(SpeltPly::Listed(&Listed {
                coord: self.coordinates(ply),
                san: self.san(ply),
                made: None,
            }));
            ControlFlow::Continue(())
        });
    }
}

/// A position as it was read, or why the text is not one.
pub type Read<T> = Result<ReadPosition<T>, PositionError>;
