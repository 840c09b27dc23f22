//! [`Notation`]: how a game in progress of any shape is written and drawn.

use crate::game::position::{PositionError, ReadPosition};
use overboard_formats::san::{PlyText, ShortText};
use overboard_pictures::diagram::Diagram;
use overboard_rules::{
    by_side::BySide,
    game::{BoardId, Game},
    outcome::{Outcome, Ruling},
    path::BoardPath,
    repetition::Times,
    square::{Side, Square},
    variant::VariantInfo,
};
use std::ops::ControlFlow;

/// A legal ply in both spellings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// In coordinates.
    pub coord: PlyText,
    /// As SAN, with its sign; on nested boards prefixed with the address of its board.
    pub san: PlyText,
    /// On linked boards: the board from which it is made, and the side that makes it.
    pub made: Option<(u16, Side)>,
}

/// A legal ply in both spellings, as they are visited one after the other.
#[derive(Clone, Copy, Debug)]
pub enum Spelling<'a> {
    /// Coordinates and SAN of a ply on one board.
    Short(&'a ShortText, &'a ShortText),
    /// A ply of any length.
    Listed(&'a Listed),
}

impl From<Spelling<'_>> for Listed {
    fn from(spelling: Spelling<'_>) -> Self {
        match spelling {
            Spelling::Short(coord, san) => Self {
                coord: coord.text(),
                san: san.text(),
                made: None,
            },
            Spelling::Listed(listed) => listed.clone(),
        }
    }
}

/// What a position is, regardless of its history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// `ongoing`, `check`, or how it has ended ([`overboard_rules::outcome::Cause::status`]).
    pub word: &'static str,
    /// Its outcome, if it ends the game.
    pub outcome: Option<Outcome>,
}

/// A game in progress that can be written and drawn.
///
/// Each game defines its coordinates, its SAN and its FEN; what follows from these (listing, playing a
/// written ply, the positions one ply on) is here once for all games.
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
    /// Whether coordinates may have more than sixteen letters.
    const LONG_COORDINATES: bool = false;

    /// Which game it is.
    fn info(&self) -> &'static VariantInfo;

    /// The position as FEN.
    fn fen(&self) -> String;

    /// The position on one board as FEN, by itself, with everything inside it; `None` if no game is played there.
    fn fen_on(&self, at: Self::Board) -> Option<String>;

    /// A legal ply in coordinates.
    fn coordinates(&self, ply: Self::Ply) -> PlyText;

    /// A legal ply as SAN, with its sign.
    fn san(&self, ply: Self::Ply) -> PlyText;

    /// The legal ply with these coordinates, in upper or lower case.
    fn by_coordinates(&self, text: &str) -> Option<Self::Ply>;

    /// How the game ends by this position alone, without its history (GEN-11).
    fn end_by_itself(&self) -> Option<Ruling> {
        self.ruling(Times::FIRST)
    }

    /// Whether the side to move is in check. Always false within a turn or a sub-game; on linked boards, whether any
    /// side to move is in check.
    fn is_check(&self) -> bool;

    /// The board or boards to be drawn, with the squares of the last ply marked.
    fn diagram(&self, last: &[Square]) -> Diagram;

    /// Marks the squares of the ply with these coordinates; the path leads to its board inside others.
    fn mark(&self, diagram: &mut Diagram, path: &BoardPath, coordinates: &str);

    /// One of several boards alone, taken out of the picture of all, and its FEN; `None` if no game is played on such a
    /// board.
    fn zoomed(&self, _name: &str, _drawn: Diagram) -> Option<(Diagram, String)> {
        None
    }

    /// The boards that can be selected, for an error message.
    fn boards_in_words(&self) -> String {
        "there is one board only".into()
    }

    /// The number of linked boards.
    fn boards(&self) -> usize {
        1
    }

    /// The side to act; `None` on linked boards, where each board has its own.
    fn turn(&self) -> Option<Side> {
        self.to_act(Self::Board::WHOLE)
    }

    /// Number of the next move; `None` on linked boards, where each board has its own.
    fn fullmove(&self) -> Option<u32> {
        self.number(Self::Board::WHOLE)
    }

    /// Whether the last turn is complete: all moves of a turn of several, and the settling of a sub-game.
    fn is_between_turns(&self) -> bool {
        true
    }

    /// Side, number and board of the ply that led here from `before`, for an illegal ply, which has no spelling. `None`
    /// if the two positions do not determine it.
    fn made_since(&self, before: &Self) -> Option<(Side, u32, Self::Board)> {
        let at = Self::Board::WHOLE;
        Some((before.to_act(at)?, before.number(at)?, at))
    }

    /// White's and Black's kings as they count at the end, if the game may have many (SC-36).
    fn kings(&self) -> Option<BySide<u32>> {
        None
    }

    /// The number of legal plies on all boards; `None` if it exceeds `u64::MAX`.
    fn choices(&self) -> Option<u64> {
        Some(self.count_legal())
    }

    /// The number of legal plies, even if there are too many to list; `None` if it exceeds `u64::MAX`.
    fn count_many(&self) -> Option<u64> {
        Some(0)
    }

    /// Calls `visit` with every legal ply in both spellings, in no particular order, even after an end by count or dead
    /// position (GEN-6).
    fn for_each_listed(&self, mut visit: impl FnMut(Listed)) {
        let _ = self.legal(|ply| {
            let (coord, san) = (self.coordinates(ply), self.san(ply));
            visit(Listed {
                coord,
                san,
                made: None,
            });
            ControlFlow::Continue(())
        });
    }

    /// What the position is, regardless of its history (GEN-11).
    fn status(&self) -> Status {
        match self.end_by_itself() {
            Some(Ruling { outcome, cause, .. }) => Status {
                word: cause.status().unwrap_or(cause.word()),
                outcome: Some(outcome),
            },
            None => Status {
                word: if self.is_check() { "check" } else { "ongoing" },
                outcome: None,
            },
        }
    }

    /// Writes the legal plies to `list`, in byte order of their coordinates; none if the position has ended (GEN-11).
    /// Returns what the position is.
    fn list_into(&self, list: &mut Vec<Listed>) -> Status {
        list.clear();
        let status = self.status();
        if status.outcome.is_none() {
            self.plies_into(list);
        }
        status
    }

    /// Calls `visit` with the legal plies in both spellings, in byte order of their coordinates, even after an end by
    /// count or dead position (GEN-6).
    fn for_each_spelt(&self, visit: &mut impl FnMut(Spelling<'_>)) {
        let mut list = Vec::with_capacity(64);
        self.plies_into(&mut list);
        list.iter()
            .for_each(|listed| visit(Spelling::Listed(listed)));
    }

    /// The same as [`list_into`](Self::list_into), even after an end by count or dead position, where lines of play
    /// continue (GEN-6).
    fn plies_into(&self, list: &mut Vec<Listed>) {
        list.clear();
        self.for_each_listed(|listed| list.push(listed));
        if Self::LONG_COORDINATES {
            list.sort_unstable_by(|a, b| a.coord.cmp(&b.coord));
        } else {
            // Cached keys: they are small compared to the entries.
            list.sort_by_cached_key(Listed::key);
        }
    }

    /// The legal ply with these coordinates as SAN, and the position after it; `None` if there is no such ply.
    fn played(&self, coordinates: &str) -> Option<(PlyText, Self)> {
        let ply = self.by_coordinates(coordinates)?;
        Some((self.san(ply), self.after(ply)))
    }

    /// Each legal ply with its coordinates, in their byte order, even after an end by count or dead position (GEN-6).
    fn branches(&self) -> Vec<(PlyText, Self::Ply)> {
        let mut branches = Vec::with_capacity(64);
        let _ = self.legal(|ply| {
            branches.push((self.coordinates(ply), ply));
            ControlFlow::Continue(())
        });
        branches.sort_unstable_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
        branches
    }
}

impl Listed {
    /// A number that orders coordinates by their first bytes.
    pub fn key(&self) -> u128 {
        let mut bytes = [0; 16];
        let length = self.coord.len().min(16);
        bytes[..length].copy_from_slice(&self.coord.as_bytes()[..length]);
        u128::from_be_bytes(bytes)
    }
}

/// A position as it was read, or why the text is not one.
pub type Read<T> = Result<ReadPosition<T>, PositionError>;
