//! The registry of games: the one place that lists them.
//!
//! An entry of `games!` is all that makes a game known. From it follow the values of the tag Variant and of
//! `--variant`, the names and options in messages, what records, ledgers and events say about the game, the samples
//! that tests, benchmarks and fuzz targets run over, and [`with_game`](crate::with_game), which calls a generic
//! function for the type of a game:
//!
//! ```
//! use overboard_games::registry::Variant;
//!
//! let olympic = Variant::of(Some(b"olympic")).expect("a name of Olympic Chess");
//! assert_eq!(olympic.name(), "Olympic Chess");
//! assert!(Variant::ALL.contains(&olympic));
//! ```

use crate::{
    bughouse::{self, bpgn::tags::value},
    chess::{self, winnable::Winnable},
    chess960, crazyhouse, mega, metachess, olympic,
    one_board::OneBoard,
    overchess,
    strategichess::{self, linked},
};
use overboard_formats::write::{self, Style};
use overboard_referee::game::{catalogue::Catalogue, judge::Judge, play::Tags, record::Record};
use overboard_rules::{
    game::Game,
    ply::BoardName,
    rule::Rule,
    square::Side,
    variant::{RuleOption, Sample, VariantInfo},
};

/// Lists the games: a name in the code, its [`VariantInfo`], and the shapes in which it is played, each with its type:
/// on one board or inside it, and on linked boards if that is another type. `$` is passed in for the macros that this
/// one defines.
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

            /// The names, options and samples of the game.
            #[must_use]
            pub const fn info(self) -> &'static VariantInfo {
                match self {
                    $(Self::$game => &$info,)+
                }
            }
        }

        /// The games as data, in the order of [`Variant::ALL`].
        pub static GAMES: Catalogue = Catalogue::new(&[$(&$info),+]);

        /// The types of games in progress, by their shapes.
        pub mod under_way {
            use super::{OneBoard, bughouse, chess, chess960, crazyhouse, linked, mega, metachess, olympic, overchess, strategichess};

            $(
                $(#[$shape_doc])*
                pub type $shape = $kind;
                $(
                    $(#[$linked_doc])*
                    pub type $linked = $boards;
                )?
            )+
        }

        /// A game in progress of any kind.
        ///
        /// For callers that do not know the game beforehand, such as commands. If speed matters,
        /// [`AnyGame::visit`] passes the game itself to a generic function.
        #[derive(Clone, Debug)]
        pub enum AnyGame {
            $(
                $(#[$shape_doc])* $shape(Box<$kind>),
                $($(#[$linked_doc])* $linked(Box<$boards>),)?
            )+
        }

        /// A ply of any game.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum AnyPly {
            $(
                $(#[$shape_doc])* $shape(<$kind as Game>::Ply),
                $($(#[$linked_doc])* $linked(<$boards as Game>::Ply),)?
            )+
        }

        /// Evaluates an expression for the game that an `AnyGame` holds; also names its type, if the expression needs that.
        macro_rules! each {
            ($d any:expr, $d name:ident => $d what:expr) => {
                each!($d any, _Kind, $d name => $d what)
            };
            ($d any:expr, $d kind:ident, $d name:ident => $d what:expr) => {
                match $d any {
                    $(
                        AnyGame::$shape($d name) => {
                            type $d kind = under_way::$shape;
                            $d what
                        }
                        $(
                            AnyGame::$linked($d name) => {
                                type $d kind = under_way::$linked;
                                $d what
                            }
                        )?
                    )+
                }
            };
        }

        $(
            shape! { $shape($kind) }
            $(shape! { $linked($boards) })?
        )+

        /// Names the type of a game for an expression: `with_game!(variant, boards, G => perft::<G>())` calls the
        /// function for the type of this variant on this many boards.
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

/// Converts one shape of a game to and from the enums of all.
macro_rules! shape {
    ($shape:ident($kind:ty)) => {
        impl From<$kind> for AnyGame {
            fn from(game: $kind) -> Self {
                Self::$shape(Box::new(game))
            }
        }

        impl Shape for $kind {
            fn of_any(game: &AnyGame) -> Option<&Self> {
                if let AnyGame::$shape(game) = game {
                    Some(game)
                } else {
                    None
                }
            }

            fn of_any_ply(ply: AnyPly) -> Option<Self::Ply> {
                if let AnyPly::$shape(ply) = ply {
                    Some(ply)
                } else {
                    None
                }
            }

            fn any_ply(ply: Self::Ply) -> AnyPly {
                AnyPly::$shape(ply)
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
    /// Chess960.
    Chess960: chess960::INFO, [
        /// Of Chess960.
        Chess960(OneBoard<chess960::Chess960>)
    ];
    /// Crazyhouse.
    Crazyhouse: crazyhouse::INFO, [
        /// Of Crazyhouse.
        Crazyhouse(OneBoard<crazyhouse::Crazyhouse>)
    ];
    /// Crazyhouse960.
    Crazyhouse960: crazyhouse::INFO_960, [
        /// Of Crazyhouse960.
        Crazyhouse960(OneBoard<crazyhouse::Crazyhouse960>)
    ];
    /// Bughouse.
    Bughouse: bughouse::INFO, [
        /// Of Bughouse, on both boards.
        Bughouse(bughouse::Bughouse)
    ];
}

// Declared below the list, because they use macros that the list defines.
mod any;
pub(crate) mod seat;

/// A function over games of every type: closures cannot be generic.
///
/// ```
/// use overboard_games::registry::{Variant, Visitor};
/// use overboard_referee::game::record::Record;
///
/// /// Counts the legal plies.
/// struct Count;
///
/// impl Visitor for Count {
///     type Out = u64;
///
///     fn visit<G: Record>(self, game: &G) -> u64 {
///         game.count_legal()
///     }
/// }
///
/// let (_, chess) = Variant::Chess.sampled().next().unwrap();
/// assert_eq!(chess.visit(Count), 20);
/// ```
pub trait Visitor {
    /// The result.
    type Out;
    /// Called with the game itself.
    fn visit<G: Record>(self, game: &G) -> Self::Out;
}

/// A game that the registry lists.
trait Shape: Judge + Into<AnyGame> {
    /// The game itself, if it is of this shape.
    fn of_any(game: &AnyGame) -> Option<&Self>;
    /// The ply itself, if it is of this shape.
    fn of_any_ply(ply: AnyPly) -> Option<Self::Ply>;
    /// A ply as one of any game.
    fn any_ply(ply: Self::Ply) -> AnyPly;
}

impl AnyGame {
    /// Whether a side can still mate in a game with the laws of chess, with the moves in coordinates; `None` in another game.
    /// At most this many positions are searched; without a number it is said as a judge needs it.
    #[must_use]
    pub fn winnable(&self, side: Side, nodes: Option<u32>) -> Option<Winnable> {
        match self {
            Self::Chess(chess) => Some(chess.0.winnable(side, nodes)),
            Self::Chess960(shuffled) => Some(shuffled.0.winnable(side, nodes)),
            _ => None,
        }
    }
}

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

    /// The game that the tag Variant names, in upper or lower case; without the tag it is chess.
    #[must_use]
    pub fn of(variant: Option<&[u8]>) -> Option<Self> {
        match variant {
            Some(variant) => GAMES.named(variant).map(|(info, _)| Self::with(info)),
            None => Some(Self::Chess),
        }
    }

    /// The game that is described by this.
    ///
    /// # Panics
    /// If it is not in the registry.
    #[must_use]
    pub fn with(info: &VariantInfo) -> Self {
        let game = Self::ALL.iter().find(|game| game.info() == info);
        *game.expect("a game of the registry")
    }

    /// The game of a record with these tags: the one that Variant names, else the one to which a tag belongs, else chess.
    pub fn of_tags<'t>(tags: impl Fn(&str) -> Option<&'t str>) -> Option<Self> {
        match tags("Variant") {
            Some(variant) => Self::of(Some(variant.as_bytes())),
            None => GAMES.by_tags(|tag| tags(tag).is_some()).map(Self::with),
        }
    }

    /// How a record with these tags is laid out: only the lines of chess are filled, as in the PGN export format. Tags of
    /// BPGN become those of this notation.
    #[must_use]
    pub fn tidy(tags: &mut write::Tags) -> Style {
        match Self::of_tags(|name| value(tags, name)) {
            Some(Self::Chess) => Style::EXPORT,
            Some(Self::Bughouse) => bughouse::bpgn::tags::tidy(tags),
            _ => Style::NESTED,
        }
    }

    /// The values of `--variant`, each with its game.
    pub fn arguments() -> impl Iterator<Item = (Self, &'static str)> {
        Self::ALL.iter().flat_map(|game| {
            game.info()
                .arguments
                .iter()
                .map(|argument| (*game, *argument))
        })
    }

    /// Whether any game has an option such as this item of the tag Rules.
    #[must_use]
    pub fn any_knows(item: &str) -> bool {
        let (name, value) = RuleOption::split(item);
        Self::ALL.iter().any(|game| game.knows_option(name, value))
    }

    /// Whether the game has an option with this name, and with this value.
    #[must_use]
    pub fn knows_option(self, name: &str, value: Option<&str>) -> bool {
        self.info().option(name, value).is_some()
    }

    /// An item of the tag Rules in words, and the rule about it; `None` if the game has no such option.
    #[must_use]
    pub fn option_in_words(self, item: &str) -> Option<(String, &'static Rule)> {
        let (name, value) = RuleOption::split(item);
        let option = self.info().option(name, value);
        option.map(|option| ((option.words)(value.unwrap_or_default()), option.rule))
    }

    /// Whether these tags ask for games deeper inside games than this.
    pub(crate) fn is_too_deep(self, tags: Tags<'_>, deepest: u32) -> bool {
        self.knows_option("depth", Some("1")) && overchess::depth(tags.rules) > deepest
    }

    /// The initial positions of the game under each of its samples.
    pub fn sampled(self) -> impl Iterator<Item = (Sample, AnyGame)> {
        let samples = self.info().samples.iter();
        samples.filter_map(move |sample| {
            Some((
                *sample,
                AnyGame::agreed(self, sample.boards, sample.level, sample.rules)?,
            ))
        })
    }

    /// The tags that declare the game and its options, as records have them: no Variant for chess, no Boards for one
    /// board, no Rules if there are none.
    #[must_use]
    pub fn tags(
        self,
        boards: usize,
        level: Option<u8>,
        rules: &str,
    ) -> Vec<(&'static str, String)> {
        let mut tags = Vec::new();
        if self != Self::Chess {
            tags.push(("Variant", self.name().into()));
        }
        if let Some(level) = level
            && self.info().has_levels
        {
            tags.push(("Level", level.to_string()));
        }
        if boards > 1 {
            let names: Vec<_> = (0..boards)
                .map(|board| BoardName(board).to_string())
                .collect();
            tags.push(("Boards", names.join(":")));
        }
        if !rules.is_empty() {
            tags.push(("Rules", rules.into()));
        }
        tags
    }
}
