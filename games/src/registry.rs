//! The registry of games: the one place that lists them.
//!
//! An entry of `games!` is what makes a game known. From it follow the values of the tag Variant and of
//! `--variant`, the names and options in messages, what records, ledgers and events say of the game,
//! the samples that tests, benchmarks and fuzz targets run over, and [`with_game`](crate::with_game), which calls a
//! function over games for whichever of them is meant:
//!
//! ```
//! use overboard_games::registry::Variant;
//!
//! let olympic = Variant::of(Some(b"olympic")).expect("a name of Olympic Chess");
//! assert_eq!(olympic.name(), "Olympic Chess");
//! assert!(Variant::ALL.contains(&olympic));
//! ```

use crate::{
    chess,
    game_notation::{GameNotation, Listed},
    mega, metachess,
    notation::{Notation, Unusable},
    olympic, overchess,
    recorded::Recorded,
    strategichess::{self, linked},
};
use overboard_formats::{encoding::decode, san::PlyText};
use overboard_pictures::diagram::Diagram;
use overboard_rules::{
    game::{BoardId, Claimable, Effects, Game, Happening, Next, OneBoard, Refusal, Said, Spelt},
    outcome::{Outcome, Ruling},
    path::BoardPath,
    perft::perft,
    ply::{BoardName, Written},
    position::{Claims, Found},
    repetition::Times,
    setup::SetupError,
    square::{Side, Square},
    variant::{OptionValue, RuleOption, Sample, VariantInfo},
};
use std::{fmt, ops::ControlFlow};

/// Lists the games: a name in the code, its [`VariantInfo`], and the shapes in which it is played, each with its type: on
/// one board or within it, and on boards side by side where that is another. `$` is passed in for the macro that this one makes.
macro_rules! games {
    (
        ($d:tt)
        $($(#[$doc:meta])* $game:ident: $info:path, [
            $(#[$shape_doc:meta])* $shape:ident($kind:ty)
            $(, side by side $(#[$linked_doc:meta])* $linked:ident($boards:ty))?
        ];)+
    ) => {
        /// The games whose records can be written.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Variant {
            $($(#[$doc])* $game,)+
        }

        impl Variant {
            /// All of them, chess first.
            pub const ALL: &'static [Self] = &[$(Self::$game),+];

            /// What is said about the game.
            #[must_use]
            pub const fn info(self) -> &'static VariantInfo {
                match self {
                    $(Self::$game => &$info,)+
                }
            }
        }

        shapes! { $($(#[$shape_doc])* $shape($kind), $($(#[$linked_doc])* $linked($boards),)?)+ }

        /// The games under way, by their shapes.
        pub mod under_way {
            use super::{OneBoard, chess, linked, mega, metachess, olympic, overchess, strategichess};

            $(
                $(#[$shape_doc])*
                pub type $shape = $kind;
                $(
                    $(#[$linked_doc])*
                    pub type $linked = $boards;
                )?
            )+
        }

        /// Names the type of a game and does with it what follows: `with_game!(variant, boards, G => perft::<G>())` is
        /// the same function for whichever game this variant is on so many boards.
        #[macro_export]
        macro_rules! with_game {
            ($d variant:expr, $d boards:expr, $d name:ident => $d what:expr) => {
                match $d variant {
                    $(
                        $(
                            $crate::registry::Variant::$game if $d boards > 1 => {
                                type $d name = $crate::registry::under_way::$linked;
                                $d what
                            }
                        )?
                        $crate::registry::Variant::$game => {
                            type $d name = $crate::registry::under_way::$shape;
                            $d what
                        }
                    )+
                }
            };
        }
    };
}

/// Makes of the shapes in which games are played what holds any of them.
macro_rules! shapes {
    ($($(#[$doc:meta])* $shape:ident($kind:ty),)+) => {
        /// A game under way, whichever it is.
        ///
        /// For those who ask before they know which: the commands. Where speed counts, [`AnyGame::visit`] hands out the game
        /// itself.
        #[derive(Clone, Debug)]
        pub enum AnyGame {
            $($(#[$doc])* $shape(Box<$kind>),)+
        }

        $(impl From<$kind> for AnyGame {
            fn from(game: $kind) -> Self {
                Self::$shape(Box::new(game))
            }
        })+

        impl AnyGame {
            /// Shows the game as what it is.
            pub fn visit<V: Visitor>(&self, visitor: V) -> V::Out {
                match self {
                    $(Self::$shape(game) => visitor.visit(&**game),)+
                }
            }
        }

        /// A board of any game.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum AnyBoard {
            /// The game as a whole.
            Whole,
            $($(#[$doc])* $shape(<$kind as Game>::Board),)+
        }

        impl fmt::Display for AnyBoard {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Whole => Ok(()),
                    $(Self::$shape(board) => board.fmt(f),)+
                }
            }
        }

        /// What is agreed before a game, whichever it is.
        #[derive(Clone, PartialEq, Debug)]
        pub enum AnyOptions {
            $($(#[$doc])* $shape(<$kind as Game>::Options),)+
        }

        /// What repetition compares of a position of any game.
        #[derive(Clone, PartialEq)]
        pub enum AnySnapshot {
            $($(#[$doc])* $shape(<$kind as Game>::Snapshot),)+
        }

        /// A ply of any game.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum AnyPly {
            $($(#[$doc])* $shape(<$kind as Game>::Ply),)+
        }

        /// An act of any game that is a run of plies.
        #[derive(Clone, PartialEq, Debug)]
        pub enum AnyBlock {
            $($(#[$doc])* $shape(<$kind as Game>::Block),)+
        }

        /// What a ply of any game has brought about.
        pub enum AnyEffects {
            /// Nothing beside itself.
            None,
            $($(#[$doc])* $shape(<$kind as Game>::Effects),)+
        }

        impl Effects<AnyBoard> for AnyEffects {
            fn ended(&self) -> impl Iterator<Item = (AnyBoard, Outcome)> {
                let ended: Vec<_> = match self {
                    Self::None => Vec::new(),
                    $(Self::$shape(effects) => {
                        effects.ended().map(|(at, outcome)| (AnyBoard::$shape(at), outcome)).collect()
                    })+
                };
                ended.into_iter()
            }

            fn turn_over(&self, around: usize) -> bool {
                match self {
                    Self::None => true,
                    $(Self::$shape(effects) => Effects::<<$kind as Game>::Board>::turn_over(effects, around),)+
                }
            }
        }

        $(impl Shape for $kind {
            fn board(at: AnyBoard) -> Option<Self::Board> {
                match at {
                    AnyBoard::Whole => Some(Self::Board::WHOLE),
                    AnyBoard::$shape(at) => Some(at),
                    #[allow(unreachable_patterns, reason = "where there is one shape only")]
                    _ => None,
                }
            }

            fn any_board(at: Self::Board) -> AnyBoard {
                if at == Self::Board::WHOLE { AnyBoard::Whole } else { AnyBoard::$shape(at) }
            }

            fn ply(ply: AnyPly) -> Option<Self::Ply> {
                if let AnyPly::$shape(ply) = ply { Some(ply) } else { None }
            }

            fn any_ply(ply: Self::Ply) -> AnyPly {
                AnyPly::$shape(ply)
            }

            fn block(block: &AnyBlock) -> Option<&Self::Block> {
                if let AnyBlock::$shape(block) = block { Some(block) } else { None }
            }

            fn any_block(block: Self::Block) -> AnyBlock {
                AnyBlock::$shape(block)
            }

            fn snapshot_of(snapshot: &AnySnapshot) -> Option<&Self::Snapshot> {
                if let AnySnapshot::$shape(snapshot) = snapshot { Some(snapshot) } else { None }
            }

            fn any_effects(effects: Self::Effects) -> AnyEffects {
                AnyEffects::$shape(effects)
            }
        })+

        /// Asks whichever game it is.
        macro_rules! each {
            ($any:expr, $game:ident => $what:expr) => {
                match $any {
                    $(AnyGame::$shape($game) => $what,)+
                }
            };
            // The same, and the answer becomes one about any game.
            ($any:expr, $game:ident => $what:expr, $into:ident) => {
                match $any {
                    $(AnyGame::$shape($game) => $into::$shape($what),)+
                }
            };
        }

        impl AnyGame {
            /// The first position of a game that was agreed on so.
            fn begun(options: &AnyOptions) -> Result<Self, SetupError> {
                Ok(match options {
                    $(AnyOptions::$shape(options) => <$kind>::start(options)?.into(),)+
                })
            }
        }
    };
}

games! {
    ($)
    /// Orthodox chess.
    Chess: chess::INFO, [
        /// Of orthodox chess.
        Chess(OneBoard<chess::Chess>)
    ];
    /// Olympic Chess.
    Olympic: olympic::INFO, [
        /// Of Olympic Chess.
        Olympic(OneBoard<olympic::Olympic>)
    ];
    /// `StrategiChess`.
    Strategi: linked::INFO, [
        /// Of `StrategiChess` on one board.
        Strategi(OneBoard<strategichess::Strategi>), side by side
        /// Of `StrategiChess` on linked boards.
        Linked(linked::Linked)
    ];
    /// `MetaChess` #4.
    Meta: metachess::INFO, [
        /// Of `MetaChess` #4.
        Meta(OneBoard<metachess::Meta>)
    ];
    /// Mega-Chess, Recursive-Chess(N).
    Mega: mega::INFO, [
        /// Of Recursive-Chess(N), N from 1 on.
        Mega(mega::Mega)
    ];
    /// Overchess.
    Over: overchess::INFO, [
        /// Of Overchess of any depth.
        Over(overchess::Over)
    ];
}

/// Something to be done with a game, whichever it is.
pub trait Visitor {
    /// What comes of it.
    type Out;
    /// Does it.
    fn visit<G: Recorded>(self, game: &G) -> Self::Out;
}

/// A game that the registry lists: what is its own among what may be of any game.
trait Shape: GameNotation {
    fn board(at: AnyBoard) -> Option<Self::Board>;
    fn any_board(at: Self::Board) -> AnyBoard;
    fn ply(ply: AnyPly) -> Option<Self::Ply>;
    fn any_ply(ply: Self::Ply) -> AnyPly;
    fn block(block: &AnyBlock) -> Option<&Self::Block>;
    fn any_block(block: Self::Block) -> AnyBlock;
    fn snapshot_of(snapshot: &AnySnapshot) -> Option<&Self::Snapshot>;
    fn any_effects(effects: Self::Effects) -> AnyEffects;
}

impl BoardId for AnyBoard {
    const WHOLE: Self = Self::Whole;
}

impl Default for AnyOptions {
    /// A game of chess.
    fn default() -> Self {
        Self::Chess(())
    }
}

impl Default for AnyEffects {
    fn default() -> Self {
        Self::None
    }
}

/// A refusal of one game as a refusal of any.
fn any_refusal<G: Shape>(refusal: Refusal<G>) -> Box<Refusal<AnyGame>> {
    let Refusal { words, rule, at, possible } = refusal;
    let possible = possible.into_iter().map(G::any_ply).collect();
    Box::new(Refusal { words, rule, at: G::any_board(at), possible })
}

/// What is said to any game as it is said to this one; `None` where it is said of another game.
fn said_to<'a, G: Shape>(said: Said<'a, AnyGame>) -> Option<Said<'a, G>> {
    Some(match said {
        Said::Ply(written) => Said::Ply(written),
        Said::Block(block) => Said::Block(G::block(block)?),
        Said::Draw => Said::Draw,
        Said::Unreadable => Said::Unreadable,
    })
}

/// A board, a ply or an act of another game is nothing here.
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
        Some(Next { at: G::board(at)?, said: said_to::<G>(said)?, numbered })
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
    let since: Vec<_> = times.since.iter().filter_map(G::snapshot_of).cloned().collect();
    game.ruling(Times { now: times.now, since: &since })
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
        fn legal<G: Shape>(game: &G, visit: &mut dyn FnMut(AnyPly) -> ControlFlow<()>) -> ControlFlow<()> {
            game.legal(|ply| visit(G::any_ply(ply)))
        }
        each!(self, game => legal(&**game, &mut visit))
    }

    fn legal_on(&self, at: AnyBoard, mut visit: impl FnMut(AnyPly) -> ControlFlow<()>) -> ControlFlow<()> {
        fn legal_on<G: Shape>(
            game: &G,
            at: AnyBoard,
            visit: &mut dyn FnMut(AnyPly) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            let Some(at) = G::board(at) else { return ControlFlow::Continue(()) };
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

    fn resolve(&self, at: AnyBoard, said: Said<'_, Self>) -> Result<Vec<AnyPly>, Box<Refusal<Self>>> {
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
    fn variant(&self) -> Variant {
        each!(self, game => game.variant())
    }

    fn fen(&self) -> String {
        each!(self, game => game.fen())
    }

    fn coordinates(&self, ply: AnyPly) -> PlyText {
        fn coordinates<G: Shape>(game: &G, ply: AnyPly) -> PlyText {
            G::ply(ply).map(|ply| game.coordinates(ply)).unwrap_or_default()
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

    fn end_by_itself(&self) -> Option<Ruling> {
        each!(self, game => game.end_by_itself())
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

    fn kings(&self) -> Option<[u32; 2]> {
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

    fn plies_into(&self, list: &mut Vec<Listed>) {
        each!(self, game => game.plies_into(list));
    }
}

fn by_coordinates<G: Shape>(game: &G, text: &str) -> Option<AnyPly> {
    game.by_coordinates(text).map(G::any_ply)
}

impl AnyGame {
    /// The first position of a game as it was agreed on: on so many boards, of this level, under rules such
    /// as the tag Rules holds; `None` for what the game has not: boards side by side, a level, a depth beyond
    /// the deepest.
    #[must_use]
    pub fn agreed(game: Variant, boards: u16, level: Option<u8>, rules: &str) -> Option<Self> {
        let info = game.info();
        if (boards != 1 && !info.has_boards) || boards == 0 || (level.is_some() && !info.has_levels) {
            return None;
        }
        Some(match game {
            Variant::Chess => under_way::Chess::default().into(),
            Variant::Olympic => under_way::Olympic::default().into(),
            Variant::Strategi if boards > 1 => {
                linked::Linked::first(boards.into(), linked::edition(rules)).into()
            }
            Variant::Strategi => under_way::Strategi::default().into(),
            Variant::Meta => under_way::Meta::default().into(),
            Variant::Mega => Self::at_level(level.unwrap_or(1)),
            Variant::Over => match overchess::depth(rules) {
                0 => under_way::Chess::default().into(),
                depth => {
                    let depth = u8::try_from(depth).ok().filter(|depth| *depth <= overchess::DEEPEST)?;
                    overchess::Over::first(depth, overchess::options(rules)).into()
                }
            },
        })
    }

    /// The position from which a game starts under rules such as the tag Rules holds, on one board and of
    /// the first level; `None` where the depth is beyond the deepest.
    #[must_use]
    pub fn start_under(game: Variant, rules: &str) -> Option<Self> {
        Self::agreed(game, 1, None, rules)
    }

    /// The first position of Recursive-Chess(N); N counts up to 64, and 0 is chess (MG-20).
    #[must_use]
    pub fn at_level(level: u8) -> Self {
        if level == 0 { under_way::Chess::default().into() } else { mega::Mega::first(level).into() }
    }

    /// The position from which its game starts; that of one board for linked ones.
    #[must_use]
    pub fn first(&self) -> Self {
        if let Self::Linked(_) = self {
            return under_way::Strategi::default().into();
        }
        // What was agreed on once can be begun again.
        Self::start(&self.options()).unwrap_or_else(|_| self.clone())
    }

    /// Reads a position of this one's game; returns also whether its form had to be forgiven.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    pub fn read(&self, fen: &str) -> Result<(Self, bool), Unusable> {
        self.read_under(fen, "")
    }

    /// The same under rules such as the tag Rules holds.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    pub fn read_under(&self, fen: &str, rules: &str) -> Result<(Self, bool), Unusable> {
        fn one<P: Notation>(fen: &str) -> Result<(AnyGame, bool), Unusable>
        where
            AnyGame: From<OneBoard<P>>,
        {
            P::read(fen).map(|(position, lenient)| (OneBoard(position).into(), lenient))
        }
        match self {
            Self::Chess(_) => one::<chess::Chess>(fen),
            Self::Olympic(_) => one::<olympic::Olympic>(fen),
            Self::Meta(_) => one::<metachess::Meta>(fen),
            Self::Strategi(_) | Self::Linked(_) if fen.contains('|') => {
                linked::read(fen, linked::edition(rules))
                    .map(|(position, lenient)| (position.into(), lenient))
            }
            Self::Strategi(_) | Self::Linked(_) => one::<strategichess::Strategi>(fen),
            Self::Mega(first) => {
                mega::read(fen, first.level()).map(|(position, lenient)| (position.into(), lenient))
            }
            Self::Over(first) => {
                let options = if rules.is_empty() { first.rules() } else { overchess::options(rules) };
                overchess::read(fen, first.depth(), options)
                    .map(|(position, lenient)| (position.into(), lenient))
            }
        }
    }

    /// How many lines of so many plies there are (GEN-6).
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        each!(self, game => perft(&**game, depth))
    }
}

/// What the tag Rules may hold in every game.
static COMMON_OPTIONS: [RuleOption; 1] = [RuleOption {
    name: "illegal",
    value: OptionValue::Text(|count| count.parse::<u32>().is_ok_and(|count| count > 0)),
}];

impl Variant {
    /// The game's full name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The game's name in a sentence.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        self.info().in_words
    }

    /// The game that the tag Variant names, without regard to case; no tag is chess.
    #[must_use]
    pub fn of(variant: Option<&[u8]>) -> Option<Self> {
        match variant {
            Some(variant) => spelt(variant).map(|(game, _)| game),
            None => Some(Self::Chess),
        }
    }

    /// Whether the lines of a record with this tag Variant are filled, as PGN export format fills them: those of chess alone.
    #[must_use]
    pub fn wraps(variant: Option<&[u8]>) -> bool {
        Self::of(variant) == Some(Self::Chess)
    }

    /// The values of `--variant`, with the game that each stands for.
    pub fn arguments() -> impl Iterator<Item = (Self, &'static str)> {
        Self::ALL.iter().flat_map(|game| game.info().arguments.iter().map(|argument| (*game, *argument)))
    }

    /// Whether an item of a list of rules belongs to any game.
    #[must_use]
    pub fn any_knows(item: &str) -> bool {
        let (name, value) = option(item);
        Self::ALL.iter().any(|game| game.knows_option(name, value))
    }

    /// Whether the game has an option of this name, which may have this value.
    #[must_use]
    pub fn knows_option(self, name: &str, value: Option<&str>) -> bool {
        self.info().options.iter().chain(&COMMON_OPTIONS).any(|option| option.is(name, value))
    }

    /// The first positions of the game under each of its samples.
    pub fn sampled(self) -> impl Iterator<Item = (Sample, AnyGame)> {
        let samples = self.info().samples.iter();
        samples.filter_map(move |sample| {
            Some((*sample, AnyGame::agreed(self, sample.boards, sample.level, sample.rules)?))
        })
    }

    /// The tags that tell the game and what is agreed on it, as records hold them: no Variant for chess, no
    /// Boards for one board, no Rules where there are none.
    #[must_use]
    pub fn tags(self, boards: usize, level: Option<u8>, rules: &str) -> Vec<(&'static str, String)> {
        let mut tags = Vec::new();
        if self != Self::Chess {
            tags.push(("Variant", self.name().into()));
        }
        if let Some(level) = level.filter(|_| self.info().has_levels) {
            tags.push(("Level", level.to_string()));
        }
        if boards > 1 {
            let names: Vec<_> = (0..boards).map(|board| BoardName(board).to_string()).collect();
            tags.push(("Boards", names.join(":")));
        }
        if !rules.is_empty() {
            tags.push(("Rules", rules.into()));
        }
        tags
    }
}

/// The game that a value of the tag Variant names, and the level, where the name stands for one.
fn spelt(variant: &[u8]) -> Option<(Variant, Option<u8>)> {
    let folded = decode(variant).0.to_lowercase();
    Variant::ALL.iter().find_map(|game| {
        let spelling = game.info().spellings.iter().find(|spelling| spelling.text == folded)?;
        Some((*game, spelling.level))
    })
}

/// The level that a name in the tag Variant stands for, where it stands for one.
#[must_use]
pub fn level_of(variant: &[u8]) -> Option<u8> {
    spelt(variant).and_then(|(_, level)| level)
}

/// The name of an option and its value.
pub(crate) fn option(item: &str) -> (&str, Option<&str>) {
    item.split_once('=').map_or((item, None), |(name, value)| (name, Some(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_of_one_game_each() {
        let spellings: Vec<_> =
            Variant::ALL.iter().flat_map(|game| game.info().spellings.iter().map(|s| s.text)).collect();
        assert_eq!(spellings.iter().collect::<BTreeSet<_>>().len(), spellings.len());
        assert!(spellings.iter().all(|text| *text == text.to_lowercase()));
        let arguments: BTreeSet<_> = Variant::arguments().map(|(_, argument)| argument).collect();
        assert_eq!(arguments.len(), Variant::arguments().count());
        for game in Variant::ALL {
            assert_eq!(Variant::of(Some(game.name().to_uppercase().as_bytes())), Some(*game));
        }
    }

    #[test]
    fn every_sample_can_be_set_up() {
        for game in Variant::ALL {
            assert_eq!(game.info().samples.first(), Some(&Sample::PLAIN), "{game:?}");
            assert_eq!(game.sampled().count(), game.info().samples.len(), "{game:?}");
            for sample in game.info().samples {
                let items = sample.rules.split(':').filter(|item| !item.is_empty()).map(option);
                assert!(items.into_iter().all(|(name, value)| game.knows_option(name, value)), "{sample:?}");
            }
        }
    }
}
