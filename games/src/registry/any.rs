//! [`AnyGame`]: passes every call on to the game that it holds.

use super::{
    AnyBlock, AnyBoard, AnyEffects, AnyGame, AnyOptions, AnyPly, AnySnapshot, Shape, Variant,
    under_way,
};
use crate::{mega, overchess, strategichess::linked};
use overboard_formats::san::PlyText;
use overboard_pictures::diagram::Diagram;
use overboard_referee::game::{
    game_notation::{GameNotation, Listed, Spelling},
    playable::{Playable, Tags},
    position::{PositionError, ReadPosition},
};
use overboard_rules::{
    by_side::BySide,
    game::{BoardId, Claimable, Game, Happening, Next, Refusal, Said, Spelt},
    outcome::Ruling,
    path::BoardPath,
    perft::{perft, perft_after},
    ply::Written,
    position::{Claims, Found},
    repetition::Times,
    setup::SetupError,
    square::{Side, Square},
    variant::VariantInfo,
};
use std::ops::ControlFlow;

/// A refusal of one game as a refusal of any.
fn any_refusal<G: Shape>(refusal: Refusal<G>) -> Box<Refusal<AnyGame>> {
    let Refusal {
        words,
        rule,
        at,
        possible,
    } = refusal;
    let possible = possible.into_iter().map(G::any_ply).collect();
    Box::new(Refusal {
        words,
        rule,
        at: G::any_board(at),
        possible,
    })
}

/// Converts a value for any game to this game's type; `None` if it belongs to another game.
fn said_to<'a, G: Shape>(said: Said<'a, AnyGame>) -> Option<Said<'a, G>> {
    Some(match said {
        Said::Ply(written) => Said::Ply(written),
        Said::Block(block) => Said::Block(G::block(block)?),
        Said::Draw => Said::Draw,
        Said::Unreadable => Said::Unreadable,
    })
}

/// Resolves what was written; a board, a ply or an act of another game is refused.
fn resolve<G: Shape>(
    game: &G,
    at: AnyBoard,
    said: Said<'_, AnyGame>,
) -> Result<Vec<AnyPly>, Box<Refusal<AnyGame>>> {
    let (board, said) = match (G::board(at), said_to::<G>(said)) {
        (Some(board), Some(said)) => (board, said),
        (board, _) => (board.unwrap_or(G::Board::WHOLE), Said::Unreadable),
    };
    match game.resolve(board, said) {
        Ok(plies) => Ok(plies.into_iter().map(G::any_ply).collect()),
        Err(refusal) => Err(any_refusal(*refusal)),
    }
}

fn unsaid<G: Shape>(
    game: &G,
    next: Option<Next<'_, AnyGame>>,
) -> Result<Option<AnyPly>, Box<Refusal<AnyGame>>> {
    let next = next.and_then(|Next { at, said, numbered }| {
        Some(Next {
            at: G::board(at)?,
            said: said_to::<G>(said)?,
            numbered,
        })
    });
    match game.unsaid(next) {
        Ok(ply) => Ok(ply.map(G::any_ply)),
        Err(refusal) => Err(any_refusal(*refusal)),
    }
}

fn find<G: Shape>(game: &G, at: AnyBoard, written: &Written) -> Found<AnyPly> {
    match G::board(at).map(|at| game.find(at, written)) {
        Some(Found::One(ply)) => Found::One(G::any_ply(ply)),
        Some(Found::Several) => Found::Several,
        Some(Found::None) | None => Found::None,
    }
}

fn spell<G: Shape>(game: &G, ply: AnyPly) -> (AnyBoard, Spelt<AnyGame>) {
    let Some((at, spelt)) = G::ply(ply).map(|ply| game.spell(ply)) else {
        return (AnyBoard::Whole, Spelt::Silent);
    };
    let spelt = match spelt {
        Spelt::Ply(written) => Spelt::Ply(written),
        Spelt::Block(block) => Spelt::Block(G::any_block(block)),
        Spelt::Draw => Spelt::Draw,
        Spelt::Silent => Spelt::Silent,
    };
    (G::any_board(at), spelt)
}

fn ruling<G: Shape>(game: &G, times: Times<'_, AnySnapshot>) -> Option<Ruling> {
    let since: Vec<_> = times
        .since
        .iter()
        .filter_map(G::snapshot_of)
        .cloned()
        .collect();
    game.ruling(Times {
        now: times.now,
        since: &since,
    })
}

fn made_since<G: Shape>(game: &G, before: &AnyGame) -> Option<(Side, u32, AnyBoard)> {
    let (side, number, at) = game.made_since(G::of_any(before)?)?;
    Some((side, number, G::any_board(at)))
}

/// A ply of another game changes nothing.
fn play<G: Shape>(game: &mut G, ply: AnyPly) -> AnyEffects {
    G::ply(ply).map_or(AnyEffects::None, |ply| G::any_effects(game.play(ply)))
}

impl Game for AnyGame {
    type Options = AnyOptions;
    type Board = AnyBoard;
    type Snapshot = AnySnapshot;
    type Ply = AnyPly;
    type Block = AnyBlock;
    type Effects = AnyEffects;

    fn start(options: &AnyOptions) -> Result<Self, SetupError> {
        Self::begun(options)
    }

    fn options(&self) -> AnyOptions {
        each!(self, game => game.options(), AnyOptions)
    }

    fn to_act(&self, at: AnyBoard) -> Option<Side> {
        fn to_act<G: Shape>(game: &G, at: AnyBoard) -> Option<Side> {
            game.to_act(G::board(at)?)
        }
        each!(self, game => to_act(&**game, at))
    }

    fn number(&self, at: AnyBoard) -> Option<u32> {
        fn number<G: Shape>(game: &G, at: AnyBoard) -> Option<u32> {
            game.number(G::board(at)?)
        }
        each!(self, game => number(&**game, at))
    }

    fn legal(&self, mut visit: impl FnMut(AnyPly) -> ControlFlow<()>) -> ControlFlow<()> {
        fn legal<G: Shape>(
            game: &G,
            visit: &mut dyn FnMut(AnyPly) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            game.legal(|ply| visit(G::any_ply(ply)))
        }
        each!(self, game => legal(&**game, &mut visit))
    }

    fn legal_on(
        &self,
        at: AnyBoard,
        mut visit: impl FnMut(AnyPly) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        fn legal_on<G: Shape>(
            game: &G,
            at: AnyBoard,
            visit: &mut dyn FnMut(AnyPly) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            let Some(at) = G::board(at) else {
                return ControlFlow::Continue(());
            };
            game.legal_on(at, |ply| visit(G::any_ply(ply)))
        }
        each!(self, game => legal_on(&**game, at, &mut visit))
    }

    fn count_legal(&self) -> u64 {
        each!(self, game => game.count_legal())
    }

    fn find(&self, at: AnyBoard, written: &Written) -> Found<AnyPly> {
        each!(self, game => find(&**game, at, written))
    }

    fn resolve(
        &self,
        at: AnyBoard,
        said: Said<'_, Self>,
    ) -> Result<Vec<AnyPly>, Box<Refusal<Self>>> {
        each!(self, game => resolve(&**game, at, said))
    }

    fn unsaid(&self, next: Option<Next<'_, Self>>) -> Result<Option<AnyPly>, Box<Refusal<Self>>> {
        each!(self, game => unsaid(&**game, next))
    }

    fn spell(&self, ply: AnyPly) -> (AnyBoard, Spelt<Self>) {
        each!(self, game => spell(&**game, ply))
    }

    fn play(&mut self, ply: AnyPly) -> AnyEffects {
        each!(self, game => play(&mut **game, ply))
    }

    fn happen(&mut self, at: AnyBoard, event: Happening) -> Option<AnyEffects> {
        fn happen<G: Shape>(game: &mut G, at: AnyBoard, event: Happening) -> Option<AnyEffects> {
            game.happen(G::board(at)?, event).map(G::any_effects)
        }
        each!(self, game => happen(&mut **game, at, event))
    }

    fn forget(&self, at: AnyBoard, readings: &mut Vec<Self>) -> bool {
        fn forget<G: Shape + Into<AnyGame>>(
            game: &G,
            at: AnyBoard,
            readings: &mut Vec<AnyGame>,
        ) -> bool {
            let mut own = Vec::new();
            let is_known = G::board(at).is_some_and(|at| game.forget(at, &mut own));
            readings.extend(own.into_iter().map(Into::into));
            is_known
        }
        each!(self, game => forget(&**game, at, readings))
    }

    fn hangs_on(&self, ply: AnyPly, lost: AnyBoard) -> bool {
        fn hangs_on<G: Shape>(game: &G, ply: AnyPly, lost: AnyBoard) -> bool {
            G::ply(ply)
                .zip(G::board(lost))
                .is_some_and(|(ply, lost)| game.hangs_on(ply, lost))
        }
        each!(self, game => hangs_on(&**game, ply, lost))
    }

    fn ruling(&self, times: Times<'_, AnySnapshot>) -> Option<Ruling> {
        each!(self, game => ruling(&**game, times))
    }

    fn claims(&self, at: AnyBoard) -> Claims {
        fn claims<G: Shape>(game: &G, at: AnyBoard) -> Claims {
            game.claims(G::board(at).unwrap_or(G::Board::WHOLE))
        }
        each!(self, game => claims(&**game, at))
    }

    fn claimable(&self, at: AnyBoard, times: usize) -> Claimable {
        fn claimable<G: Shape>(game: &G, at: AnyBoard, times: usize) -> Claimable {
            G::board(at).map_or(Claimable::default(), |at| game.claimable(at, times))
        }
        each!(self, game => claimable(&**game, at, times))
    }

    fn can_mate(&self, side: Side) -> bool {
        each!(self, game => game.can_mate(side))
    }

    fn key(&self) -> u64 {
        each!(self, game => game.key())
    }

    fn snapshot(&self) -> AnySnapshot {
        each!(self, game => game.snapshot(), AnySnapshot)
    }

    fn is_irreversible(&self, ply: AnyPly) -> bool {
        fn is_irreversible<G: Shape>(game: &G, ply: AnyPly) -> bool {
            G::ply(ply).is_some_and(|ply| game.is_irreversible(ply))
        }
        each!(self, game => is_irreversible(&**game, ply))
    }
}

impl GameNotation for AnyGame {
    fn info(&self) -> &'static VariantInfo {
        each!(self, game => game.info())
    }

    fn fen(&self) -> String {
        each!(self, game => game.fen())
    }

    fn fen_on(&self, at: AnyBoard) -> Option<String> {
        fn fen_on<G: Shape>(game: &G, at: AnyBoard) -> Option<String> {
            game.fen_on(G::board(at)?)
        }
        each!(self, game => fen_on(&**game, at))
    }

    fn coordinates(&self, ply: AnyPly) -> PlyText {
        fn coordinates<G: Shape>(game: &G, ply: AnyPly) -> PlyText {
            G::ply(ply)
                .map(|ply| game.coordinates(ply))
                .unwrap_or_default()
        }
        each!(self, game => coordinates(&**game, ply))
    }

    fn san(&self, ply: AnyPly) -> PlyText {
        fn san<G: Shape>(game: &G, ply: AnyPly) -> PlyText {
            G::ply(ply).map(|ply| game.san(ply)).unwrap_or_default()
        }
        each!(self, game => san(&**game, ply))
    }

    fn by_coordinates(&self, text: &str) -> Option<AnyPly> {
        each!(self, game => by_coordinates(&**game, text))
    }

    fn made_since(&self, before: &Self) -> Option<(Side, u32, AnyBoard)> {
        each!(self, game => made_since(&**game, before))
    }

    fn is_check(&self) -> bool {
        each!(self, game => game.is_check())
    }

    fn diagram(&self, last: &[Square]) -> Diagram {
        each!(self, game => GameNotation::diagram(&**game, last))
    }

    fn mark(&self, diagram: &mut Diagram, path: &BoardPath, coordinates: &str) {
        each!(self, game => GameNotation::mark(&**game, diagram, path, coordinates));
    }

    fn zoomed(&self, name: &str, drawn: Diagram) -> Option<(Diagram, String)> {
        each!(self, game => GameNotation::zoomed(&**game, name, drawn))
    }

    fn boards_in_words(&self) -> String {
        each!(self, game => game.boards_in_words())
    }

    fn boards(&self) -> usize {
        each!(self, game => GameNotation::boards(&**game))
    }

    fn turn(&self) -> Option<Side> {
        each!(self, game => GameNotation::turn(&**game))
    }

    fn fullmove(&self) -> Option<u32> {
        each!(self, game => GameNotation::fullmove(&**game))
    }

    fn is_between_turns(&self) -> bool {
        each!(self, game => GameNotation::is_between_turns(&**game))
    }

    fn kings(&self) -> Option<BySide<u32>> {
        each!(self, game => GameNotation::kings(&**game))
    }

    fn choices(&self) -> Option<u64> {
        each!(self, game => game.choices())
    }

    fn count_many(&self) -> Option<u64> {
        each!(self, game => game.count_many())
    }

    fn for_each_listed(&self, mut visit: impl FnMut(Listed)) {
        each!(self, game => game.for_each_listed(&mut visit));
    }

    fn for_each_spelt(&self, visit: &mut impl FnMut(Spelling<'_>)) {
        each!(self, game => game.for_each_spelt(visit));
    }

    fn plies_into(&self, list: &mut Vec<Listed>) {
        each!(self, game => game.plies_into(list));
    }
}

fn by_coordinates<G: Shape>(game: &G, text: &str) -> Option<AnyPly> {
    game.by_coordinates(text).map(G::any_ply)
}

impl AnyGame {
    /// Which game it is.
    #[must_use]
    pub fn variant(&self) -> Variant {
        Variant::with(self.info())
    }

    /// The material balance for White, in centipawns.
    #[must_use]
    pub fn material(&self) -> i32 {
        each!(self, game => Playable::material(&**game, Side::White))
    }

    /// The points of all sub-sets of White and of Black, in games that have sub-sets.
    #[must_use]
    pub fn stock(&self) -> Option<BySide<i32>> {
        each!(self, game => Playable::stock(&**game))
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
        Some(match game {
            Variant::Strategi if boards > 1 => {
                linked::Linked::first(boards.into(), linked::edition(rules)).into()
            }
            Variant::Mega => match (level.unwrap_or(1), mega::free_turns(rules)) {
                (0, _) => under_way::Chess::default().into(),
                (level, free_turns) => {
                    mega::Mega::under(mega::Options { level, free_turns }).into()
                }
            },
            Variant::Over => match overchess::depth(rules) {
                0 => under_way::Chess::default().into(),
                depth => {
                    let depth = u8::try_from(depth)
                        .ok()
                        .filter(|depth| *depth <= overchess::DEEPEST)?;
                    overchess::Over::first(depth, overchess::options(rules)).into()
                }
            },
            // On one board, no option changes the initial position.
            _ => with_game!(game, 1, G => {
                G::start(&G::agreed(Tags { boards, level: level.unwrap_or(1), rules })).ok()?.into()
            }),
        })
    }

    /// The initial position of a game under these rules (the form of the tag Rules), on one board and of level 1;
    /// `None` if the depth is beyond the deepest.
    #[must_use]
    pub fn start_under(game: Variant, rules: &str) -> Option<Self> {
        Self::agreed(game, 1, None, rules)
    }

    /// The initial position of Recursive-Chess(N); N is limited to 64, and 0 is chess (MG-20).
    #[must_use]
    pub fn at_level(level: u8) -> Self {
        if level == 0 {
            under_way::Chess::default().into()
        } else {
            mega::Mega::first(level).into()
        }
    }

    /// The initial position of its game; for linked boards, that of one board.
    #[must_use]
    pub fn first(&self) -> Self {
        if let Self::Linked(_) = self {
            return under_way::Strategi::default().into();
        }
        // Options that were valid once can be used again.
        Self::start(&self.options()).unwrap_or_else(|_| self.clone())
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
        fn one<G: Playable + Into<AnyGame>>(
            game: &G,
            fen: &str,
        ) -> Result<ReadPosition<AnyGame>, PositionError> {
            G::read_form(&game.options(), fen).map(|read| read.map(Into::into))
        }
        match self {
            Self::Strategi(_) | Self::Linked(_) if fen.contains('|') => {
                let read = linked::read(fen, linked::edition(rules))?;
                let position = read.linked.with_flag(linked::flag(rules));
                Ok(ReadPosition {
                    position: position.into(),
                    lenient: read.lenient,
                })
            }
            Self::Linked(_) => one(&under_way::Strategi::default(), fen),
            Self::Mega(first) => {
                let free_turns = if rules.is_empty() {
                    first.has_free_turns()
                } else {
                    mega::free_turns(rules)
                };
                mega::read(
                    fen,
                    mega::Options {
                        level: first.level(),
                        free_turns,
                    },
                )
                .map(|read| read.map(Self::from))
            }
            Self::Over(first) => {
                let options = if rules.is_empty() {
                    first.rules()
                } else {
                    overchess::options(rules)
                };
                overchess::read(fen, first.depth(), options).map(|read| read.map(Self::from))
            }
            _ => each!(self, game => one(&**game, fen)),
        }
    }

    /// A position that contains one of several linked boards, written by itself, and the name of that board in it: only
    /// for drawing, since legality depends on the unknown boards. `None` if the text is not such a board, or the game
    /// has no linked boards.
    #[must_use]
    pub fn read_one_of_several(&self, fen: &str, rules: &str) -> Option<(Self, &'static str)> {
        match self {
            Self::Strategi(_) | Self::Linked(_) => linked::read_one(fen, linked::edition(rules))
                .ok()
                .map(|read| (read.into(), "A")),
            _ => None,
        }
    }

    /// The number of legal ply sequences of this length (GEN-6).
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        each!(self, game => perft(&**game, depth))
    }

    /// The number of such sequences after a legal ply; 0 for a ply of another game.
    #[must_use]
    pub fn perft_after(&self, ply: AnyPly, depth: u32) -> u64 {
        fn lines<G: Shape>(game: &G, ply: AnyPly, depth: u32) -> u64 {
            G::ply(ply).map_or(0, |ply| perft_after(game, ply, depth))
        }
        each!(self, game => lines(&**game, ply, depth))
    }
}
