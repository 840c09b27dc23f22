//! [`AnyGame`]: passes what commands ask of a game on to the game that it holds.

use super::{AnyGame, AnyPly, Shape, Variant, Visitor, under_way};
use crate::{
    bughouse::Bughouse,
    mega,
    overchess::{self, DEEPEST},
    strategichess::linked::{self, Linked, Options},
};
use overboard_formats::san::PlyText;
use overboard_pictures::diagram::Diagram;
use overboard_referee::game::{
    listing::{self, Listed, SpeltPly, Status},
    notation::{Notation, agreed_boards},
    play::{Play, Tags},
    position::{PositionError, ReadPosition},
    record::Record as _,
    san::{SanError, by_san},
};
use overboard_rules::{
    by_side::BySide,
    game::{BoardId, Game},
    outcome::Ruling,
    path::BoardPath,
    perft::{perft, perft_after},
    repetition::Times,
    square::{Side, Square},
    variant::VariantInfo,
};
use std::{any::Any, ops::ControlFlow};

/// The methods of [`Game`], `Notation` and `Record` that can be called without knowing the game. Plies are
/// [`AnyPly`], boards go by their names (`A2`, `B`; empty for a single board).
///
/// ```
/// use overboard_games::registry::{AnyGame, Variant};
///
/// let mut game = AnyGame::start_under(Variant::Chess, "").expect("chess");
/// let ply = game.by_san("", "Nf3").expect("a legal move");
/// assert_eq!(game.coordinates(ply).as_str(), "g1f3");
/// assert_eq!(game.san(ply).as_str(), "Nf3");
/// assert!(game.play(ply) && game.turn() == Some(overboard_rules::square::Side::Black));
/// let refusal = game.by_san("", "Nf3").unwrap_err().to_string();
/// assert!(refusal.contains("CH-"), "{refusal}");
/// ```
impl AnyGame {
    /// Passes the game itself to a visitor.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Out {
        each!(self, game => visitor.visit(&**game))
    }

    /// The game itself, if it is of this type.
    #[must_use]
    pub fn as_one_of<G: Game>(&self) -> Option<&G> {
        each!(self, game => (&**game as &dyn Any).downcast_ref())
    }

    /// Which game it is.
    #[must_use]
    pub fn variant(&self) -> Variant {
        Variant::with(self.info())
    }

    /// The names, options and samples of the game.
    #[must_use]
    pub fn info(&self) -> &'static VariantInfo {
        each!(self, G, _game => G::INFO)
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        each!(self, game => Notation::fen(&**game))
    }

    /// The level, if the game has levels: that of a game of chess within such a game is 0.
    #[must_use]
    pub fn level(&self) -> Option<u8> {
        match self {
            Self::Mega(game) => Some(game.level()),
            _ => None,
        }
    }

    /// Calls `visit` with every legal ply, in no particular order, until it breaks (GEN-6).
    pub fn legal(&self, mut visit: impl FnMut(AnyPly) -> ControlFlow<()>) -> ControlFlow<()> {
        each!(self, G, game => game.legal(|ply| visit(G::any_ply(ply))))
    }

    /// The number of legal plies; saturates at `u64::MAX`.
    #[must_use]
    pub fn count_legal(&self) -> u64 {
        each!(self, game => Game::count_legal(&**game))
    }

    /// The number of legal plies on all boards; `None` if it exceeds `u64::MAX`.
    #[must_use]
    pub fn choices(&self) -> Option<u64> {
        each!(self, game => Notation::choices(&**game))
    }

    /// The number of legal plies, where they may be too many to list; 0 where they never are, so that they need not be
    /// counted; `None` if it exceeds `u64::MAX`.
    #[must_use]
    pub fn count_many(&self) -> Option<u64> {
        each!(self, G, game => if G::LISTED { Some(0) } else { game.choices() })
    }

    /// Calls `visit` with the legal plies in both spellings, in byte order of their coordinates, even after an end by
    /// count or dead position (GEN-6).
    pub fn for_each_spelt(&self, visit: &mut impl FnMut(SpeltPly<'_>)) {
        each!(self, game => listing::for_each_in_order(&**game, visit));
    }

    /// Writes the legal plies to `list`, in byte order of their coordinates; none if the position has ended (GEN-11).
    /// Returns what the position is.
    pub fn list_into(&self, list: &mut Vec<Listed>) -> Status {
        each!(self, game => listing::list(&**game, list))
    }

    /// Each legal ply with its coordinates, in their byte order, even after an end by count or dead position (GEN-6).
    #[must_use]
    pub fn branches(&self) -> Vec<(PlyText, AnyPly)> {
        each!(self, G, game => {
            let branches = listing::branches(&**game).into_iter();
            branches.map(|(text, ply)| (text, G::any_ply(ply))).collect()
        })
    }

    /// The legal ply with these coordinates, in upper or lower case.
    #[must_use]
    pub fn by_coordinates(&self, text: &str) -> Option<AnyPly> {
        each!(self, G, game => game.by_coordinates(text).map(G::any_ply))
    }

    /// The legal ply that a text such as `Nf3` means on a board.
    ///
    /// # Errors
    /// Why there is none, with the rule.
    pub fn by_san(&self, board: &str, text: &str) -> Result<AnyPly, SanError> {
        let unknown = || SanError::NoBoard(board.to_owned());
        each!(self, G, game => {
            let at = game.board_named(board).ok_or_else(unknown)?;
            by_san(&**game, at, text).map(G::any_ply)
        })
    }

    /// A legal ply in coordinates; empty for a ply of another game.
    #[must_use]
    pub fn coordinates(&self, ply: AnyPly) -> PlyText {
        each!(self, G, game => {
            let coordinates = G::of_any_ply(ply).map(|ply| game.coordinates(ply));
            coordinates.unwrap_or_default()
        })
    }

    /// A legal ply as SAN, with its sign; empty for a ply of another game.
    #[must_use]
    pub fn san(&self, ply: AnyPly) -> PlyText {
        each!(self, G, game => {
            let san = G::of_any_ply(ply).map(|ply| game.san(ply));
            san.unwrap_or_default()
        })
    }

    /// Plays a legal ply; returns whether it is one of this game.
    pub fn play(&mut self, ply: AnyPly) -> bool {
        each!(self, G, game => {
            let Some(ply) = G::of_any_ply(ply) else {
                return false;
            };
            game.play(ply);
            true
        })
    }

    /// The legal ply with these coordinates as SAN, and the position after it; `None` if there is no such ply.
    #[must_use]
    pub fn played(&self, coordinates: &str) -> Option<(PlyText, Self)> {
        each!(self, game => {
            let (san, after) = listing::played(&**game, coordinates)?;
            Some((san, after.into()))
        })
    }

    /// What the position is, regardless of its history (GEN-11).
    #[must_use]
    pub fn status(&self) -> Status {
        each!(self, game => listing::status(&**game))
    }

    /// How the game ends by this position alone, without its history (GEN-11).
    #[must_use]
    pub fn end_by_itself(&self) -> Option<Ruling> {
        each!(self, game => game.ruling(Times::FIRST))
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        each!(self, game => game.is_check(BoardId::WHOLE))
    }

    /// The side to act; `None` on linked boards, where each board has its own.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        let (_, side) = each!(self, game => game.next_move(BoardId::WHOLE))?;
        Some(side)
    }

    /// Number of the next move; `None` on linked boards, where each board has its own.
    #[must_use]
    pub fn fullmove(&self) -> Option<u32> {
        let (number, _) = each!(self, game => game.next_move(BoardId::WHOLE))?;
        Some(number)
    }

    /// The number of linked boards.
    #[must_use]
    pub fn boards(&self) -> usize {
        each!(self, game => Notation::boards(&**game))
    }

    /// The number of boards that the players agree on, as the tag Boards lists them: one where it is always the same.
    #[must_use]
    pub fn agreed_boards(&self) -> usize {
        each!(self, game => agreed_boards(&**game))
    }

    /// Whether the last turn is complete: all moves of a turn of several, and the settling of a sub-game.
    #[must_use]
    pub fn is_between_turns(&self) -> bool {
        each!(self, game => Notation::is_between_turns(&**game))
    }

    /// Side, number and board of the ply that led here from `before`, for an illegal ply, which has no spelling. `None`
    /// if the two positions do not determine it.
    #[must_use]
    pub fn made_since(&self, before: &Self) -> Option<(Side, u32, String)> {
        each!(self, G, game => {
            let (side, number, at) = game.made_since(G::of_any(before)?)?;
            Some((side, number, at.to_string()))
        })
    }

    /// The team, by its colour in the game of the record, that has this side in the game that so many games are around: in
    /// a sub-game of Overchess White is the attacker.
    #[must_use]
    pub fn team(&self, around: usize, side: Side) -> Side {
        match self {
            Self::Over(over) => over.team(around, side),
            _ => side,
        }
    }

    /// What is to be done next, in words: `a move`, `the attacker's set-up on e5`.
    #[must_use]
    pub fn due_in_words(&self) -> String {
        match self {
            Self::Over(over) => over.due().in_words(),
            Self::Mega(mega) if mega.is_between_turns() => "a turn".into(),
            Self::Mega(_) => "the rest of the turn".into(),
            _ => "a move".into(),
        }
    }

    /// White's and Black's kings as they count at the end, if the game may have many (SC-36).
    #[must_use]
    pub fn kings(&self) -> Option<BySide<u32>> {
        each!(self, game => Notation::kings(&**game))
    }

    /// The board or boards to be drawn, with the squares of the last ply marked.
    #[must_use]
    pub fn diagram(&self, last: &[Square]) -> Diagram {
        each!(self, game => Notation::diagram(&**game, last))
    }

    /// Marks the squares of the ply with these coordinates; the path leads to its board inside others.
    pub fn mark(&self, diagram: &mut Diagram, path: &BoardPath, coordinates: &str) {
        each!(self, game => Notation::mark(&**game, diagram, path, coordinates));
    }

    /// One of several boards alone, taken out of the picture of all, and its FEN.
    ///
    /// # Errors
    /// Why there is no such board, in words.
    pub fn zoomed(&self, name: &str, drawn: Diagram) -> Result<(Diagram, String), String> {
        each!(self, game => Notation::zoomed(&**game, name, drawn))
    }

    /// The material balance for White, in centipawns.
    #[must_use]
    pub fn material(&self) -> i32 {
        each!(self, game => Play::material(&**game, Side::White))
    }

    /// The points of all sub-sets of White and of Black, in games that have sub-sets.
    #[must_use]
    pub fn stock(&self) -> Option<BySide<i32>> {
        match self {
            Self::Over(over) => Some(over.stock()),
            _ => None,
        }
    }

    /// The initial position of a game on this many boards, of this level, and under these rules (the form of the tag
    /// Rules); `None` if the game does not have that: linked boards, a level, or a depth beyond the deepest.
    #[must_use]
    pub fn agreed(game: Variant, boards: u16, level: Option<u8>, rules: &str) -> Option<Self> {
        let info = game.info();
        if (boards != 1 && !info.has_boards) || boards == 0 || (level.is_some() && !info.has_levels)
        {
            return None;
        }
        let tags = Tags {
            boards,
            level: level.unwrap_or(1),
            rules,
        };
        if game.is_too_deep(tags, DEEPEST.into()) {
            return None;
        }
        fn start<G: Shape>(tags: Tags<'_>) -> Option<AnyGame> {
            let options = G::agreed(tags);
            if G::is_chess(&options) {
                return Some(under_way::Chess::default().into());
            }
            Some(G::start(&options).ok()?.into())
        }
        with_game!(game, boards, G => start::<G>(tags))
    }

    /// The initial position of a game under these rules (the form of the tag Rules), on one board and of level 1;
    /// `None` if the depth is beyond the deepest.
    #[must_use]
    pub fn start_under(game: Variant, rules: &str) -> Option<Self> {
        Self::agreed(game, 1, None, rules)
    }

    /// The initial position of its game; for linked boards, that of one board.
    #[must_use]
    pub fn first(&self) -> Self {
        if let Self::Linked(_) = self {
            return under_way::Strategi::default().into();
        }
        each!(self, G, game => match G::start(&game.options()) {
            Ok(first) => first.into(),
            // Options that were valid once can be used again.
            Err(_) => self.clone(),
        })
    }

    /// Reads a position of this one's game; also returns whether its form was lenient.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is not a position.
    pub fn read(&self, fen: &str) -> Result<ReadPosition<Self>, PositionError> {
        self.read_under(fen, "")
    }

    /// The same under these rules (the form of the tag Rules).
    ///
    /// # Errors
    /// What is wrong with the text, or why it is not a position.
    pub fn read_under(&self, fen: &str, rules: &str) -> Result<ReadPosition<Self>, PositionError> {
        fn one<G: Play + Into<AnyGame>>(
            options: &G::Options,
            fen: &str,
        ) -> Result<ReadPosition<AnyGame>, PositionError> {
            G::read_fen(options, fen).map(|read| read.map(Into::into))
        }
        match self {
            Self::Strategi(_) | Self::Linked(_) if fen.contains('|') => {
                one::<Linked>(&Options::of(2, rules), fen)
            }
            Self::Linked(_) => one::<under_way::Strategi>(&(), fen),
            Self::Mega(first) if !rules.is_empty() => {
                let agreed = mega::Options {
                    free_turns: mega::free_turns(rules),
                    ..first.options()
                };
                one::<under_way::Mega>(&agreed, fen)
            }
            Self::Over(first) if !rules.is_empty() => {
                let agreed = overchess::Agreed {
                    rules: overchess::options(rules),
                    ..first.options()
                };
                one::<under_way::Over>(&agreed, fen)
            }
            _ => each!(self, G, game => one::<G>(&game.options(), fen)),
        }
    }

    /// A position that contains one of several linked boards, written by itself, and the name of that board in it: only
    /// for drawing, since legality depends on the unknown boards. `None` if the text is not such a board, or the game
    /// has no linked boards.
    #[must_use]
    pub fn read_one_of_several(&self, fen: &str, rules: &str) -> Option<(Self, &'static str)> {
        let read = match self {
            Self::Strategi(_) | Self::Linked(_) => {
                let edition = Options::of(2, rules).edition;
                linked::read_one(fen, edition).ok()?.into()
            }
            Self::Bughouse(_) => Bughouse::read_one(fen).ok()?.into(),
            _ => return None,
        };
        Some((read, "A"))
    }

    /// The number of legal ply sequences of this length (GEN-6).
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        each!(self, game => perft(&**game, depth))
    }

    /// The number of such sequences after a legal ply; 0 for a ply of another game.
    #[must_use]
    pub fn perft_after(&self, ply: AnyPly, depth: u32) -> u64 {
        each!(self, G, game => match G::of_any_ply(ply) {
            Some(ply) => perft_after(&**game, ply, depth),
            None => 0,
        })
    }
}
