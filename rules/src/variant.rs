//! What can be said about a game without a position of it: its names, its options, its shape.

use crate::{
    general,
    outcome::{Cause, Outcome},
    ply::Written,
    rule::{Page, Rule},
};

/// A game as data: everything that can be said about it without a position.
///
/// Facts about games that would otherwise be spread over lists and matches are fields here, so that a new game brings
/// its own. An entry states what is special about its game and takes the rest from [`VariantInfo::BASE`]:
///
/// ```
/// use overboard_rules::variant::{Sample, Spelling, VariantInfo};
///
/// static INFO: VariantInfo = VariantInfo {
///     name: "Knightmate",
///     in_words: "Knightmate",
///     spellings: &[Spelling::new("knightmate")],
///     arguments: &["knightmate"],
///     laws: 1,
///     ..VariantInfo::BASE
/// };
/// assert!(!INFO.has_levels && INFO.cecp.is_none());
/// assert_eq!(INFO.samples, [Sample::PLAIN]);
/// ```
#[derive(Debug)]
pub struct VariantInfo {
    /// The name that is written in the tag Variant: `Olympic Chess`.
    pub name: &'static str,
    /// The name in the middle of a sentence: `chess`, but `Olympic Chess`.
    pub in_words: &'static str,
    /// What kind of game it is, in one sentence for a reader who does not know it.
    pub intro: &'static str,
    /// What is drawn on its boards and not on those of chess, in words.
    pub signs: &'static [Sign],
    /// The names that are recognised in the tag Variant, in lower case.
    pub spellings: &'static [Spelling],
    /// Tags that only its records have: one of them names the game where the tag Variant is missing.
    pub own_tags: &'static [&'static str],
    /// The values of `--variant`, in the order in which help lists them.
    pub arguments: &'static [&'static str],
    /// What the tag Rules may contain, in addition to what it may contain in every game.
    pub options: &'static [RuleOption],
    /// Whether the game has levels: the tag Level, the option `--level`.
    pub has_levels: bool,
    /// Whether it may be played on several boards side by side: the tag Boards, the option `--boards`.
    pub has_boards: bool,
    /// Whether two players of each team play it on two boards, with both colours: White on A with Black on B.
    pub of_pairs: bool,
    /// Whether its teams have a commander and lieutenants.
    pub has_roles: bool,
    /// Whether kings are counted when time runs out.
    pub counts_kings: bool,
    /// The games of chess that its records contain.
    pub chess_within: ChessWithin,
    /// What its records can hold and those of orthodox chess cannot.
    pub extensions: &'static [Extension],
    /// The rule whose breach loses the game once it is over, if there is such a rule.
    pub offence: Option<&'static Rule>,
    /// What an XBoard (CECP) client is sent about it; `None` if that protocol cannot express its moves.
    pub cecp: Option<Cecp>,
    /// The UCI option that switches to it; `None` if UCI clients select it by name.
    pub uci: Option<UciSwitch>,
    /// Whether the FIDE Laws of Chess are its own: elsewhere an arbiter follows them by analogy (GEN-16).
    pub is_under_fide: bool,
    /// Whether FIDE awards titles for it, so that its games may give title norms.
    pub gives_titles: bool,
    /// The positions among which lots are drawn before a game; `None` if it always starts from the same one.
    pub starts: Option<Starts>,
    /// The pages with its rules.
    pub pages: &'static [&'static Page],
    /// The version of its laws, raised whenever the legal moves or their effects change
    /// (`laws::<game>::LAWS`).
    pub laws: u32,
    /// What each number of its laws after the first one changed.
    pub changes: &'static [LawsChange],
    /// The version of its laws on linked boards, if it has such laws.
    pub linked_laws: Option<u32>,
    /// How the game is defined for programs that can learn a variant, such as Fairy-Stockfish.
    pub abroad: Option<&'static Abroad>,
    /// What an illegal ply often means, for the end of its refusal; empty if nothing is known.
    pub slip: fn(&Written) -> &'static str,
    /// The end that a word in ledgers without a version of the laws means together with this outcome, if the word now
    /// means another one.
    pub old_end: fn(Outcome, &str) -> Option<Cause>,
    /// Ways to agree on the game that differ in shape or rules, over which tests, benchmarks and fuzz targets run. The
    /// first one is the plain game.
    pub samples: &'static [Sample],
}

impl VariantInfo {
    /// A game on one board that has no options and that no other program knows. Names, rules and the version of the
    /// laws are left empty, since every entry has to state them.
    pub const BASE: Self = Self {
        name: "",
        in_words: "",
        intro: "",
        signs: &[],
        spellings: &[],
        own_tags: &[],
        arguments: &[],
        options: &[],
        has_levels: false,
        has_boards: false,
        of_pairs: false,
        has_roles: false,
        counts_kings: false,
        chess_within: ChessWithin::Nothing,
        extensions: &[],
        offence: None,
        cecp: None,
        uci: None,
        is_under_fide: false,
        gives_titles: false,
        starts: None,
        pages: &[],
        laws: 0,
        changes: &[],
        linked_laws: None,
        abroad: None,
        slip: |_| "",
        old_end: |_, _| None,
        samples: &[Sample::PLAIN],
    };
}

impl VariantInfo {
    /// The option of the tag Rules with this name and value; `None` if the game has no such option.
    #[must_use]
    pub fn option(&self, name: &str, value: Option<&str>) -> Option<&'static RuleOption> {
        let own = self.options.iter();
        own.chain(&COMMON_OPTIONS)
            .find(|option| option.is(name, value))
    }

    /// The number of the laws of a game on one board, or on linked boards.
    #[must_use]
    pub const fn laws_on(&self, is_linked: bool) -> u32 {
        match self.linked_laws {
            Some(linked) if is_linked => linked,
            _ => self.laws,
        }
    }
}

/// Games are told apart by their names.
impl PartialEq for VariantInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The options of the tag Rules in every game.
static COMMON_OPTIONS: [RuleOption; 1] = [RuleOption {
    name: "illegal",
    value: OptionValue::Text(|count| count.parse::<u32>().is_ok_and(|count| count > 0)),
    words: |count| format!("a player's illegal attempt {count} ends the game"),
    rule: &general::ILLEGAL_ATTEMPTS,
}];

/// Something that is drawn on a board, in words for a reader who does not know the game.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// What is drawn.
    pub on: SignKind,
    /// What it means, in a sentence or two.
    pub words: &'static str,
    /// Its rule.
    pub rule: &'static Rule,
}

impl Sign {
    /// A sign, its meaning and its rule.
    #[must_use]
    pub const fn new(on: SignKind, words: &'static str, rule: &'static Rule) -> Self {
        Self { on, words, rule }
    }
}

/// What is drawn on boards besides pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignKind {
    /// A number at a piece.
    Strength,
    /// Two pieces on a square, one of which attacks the other.
    Contest,
    /// A leaf at a game that was won.
    Laurel,
    /// A piece on top of another.
    Stack,
    /// A piece that was promoted.
    Promoted,
    /// Pieces beside the board.
    Hand,
    /// A rank of another colour.
    Road,
    /// A line between two boards.
    Seam,
    /// A piece that is a board.
    Board,
    /// The sign of a piece that may capture.
    Armed,
    /// The sign of a piece that may not.
    Disarmed,
    /// The sign of a king without its board.
    Dethroned,
    /// A score of kings.
    Kings,
}

impl SignKind {
    /// Its name in data for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strength => "strength",
            Self::Contest => "contest",
            Self::Laurel => "laurel",
            Self::Stack => "stack",
            Self::Promoted => "promoted",
            Self::Hand => "hand",
            Self::Road => "road",
            Self::Seam => "seam",
            Self::Board => "board",
            Self::Armed => "armed",
            Self::Disarmed => "disarmed",
            Self::Dethroned => "dethroned",
            Self::Kings => "kings",
        }
    }

    /// Its name for a reader.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Strength => "A number at a piece",
            Self::Contest => "Two pieces on a square",
            Self::Laurel => "A leaf at a sub-game",
            Self::Stack => "A piece on top of another",
            Self::Promoted => "A laurel behind a piece",
            Self::Hand => "Pieces beside the board",
            Self::Road => "Blue squares (a road)",
            Self::Seam => "A seam between boards",
            Self::Board => "A board on a square",
            Self::Armed => "Two swords (armed)",
            Self::Disarmed => "½ (disarmed)",
            Self::Dethroned => "A king that lies (dethroned)",
            Self::Kings => "A score of kings",
        }
    }
}

/// What a number of a game's laws changed, compared with the number before it.
#[derive(Debug)]
pub struct LawsChange {
    /// The number.
    pub laws: u32,
    /// The rules that have said something else since then.
    pub rules: &'static [&'static Rule],
    /// The ends of a game that they decide, if it is about these; empty if it is about plies.
    pub ends: &'static [Cause],
    /// What has been so since then, as the end of a sentence.
    pub says: &'static str,
}

/// Notation that not all games have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extension {
    /// A piece is dropped: `N@d4`.
    Drop,
    /// A piece arrives on the second level: `Nd4^`.
    Above,
    /// A piece arrives on another board: `Nd4/B`.
    Beside,
    /// A move number with the letter of a board: `3B.`.
    BoardNumber,
    /// A game inside a move: `<d5: …>`.
    SubGame,
    /// A turn of several items: `<A2.e4 …>`.
    Turn,
    /// An act that is not a move: `<reserve d5: P>`.
    Action,
}

/// A UCI option that is on or off and turns one game into another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciSwitch {
    /// The name of the option.
    pub option: &'static str,
    /// The game that it changes, by its name in `--variant`.
    pub of: &'static str,
}

/// The positions from which a game may start, numbered from 0.
#[derive(Clone, Copy, Debug)]
pub struct Starts {
    /// The number of positions.
    pub count: u32,
    /// Returns the position with a number below `count` as a FEN.
    pub fen: fn(u32) -> String,
}

/// A game in the protocol CECP.
#[derive(Clone, Copy, Debug)]
pub struct Cecp {
    /// Its name in the protocol.
    pub name: &'static str,
    /// Whether castling is sent in letters, `O-O`, and not in coordinates.
    pub castles_in_letters: bool,
    /// The lines that teach a client to draw the game and to move its pieces: `setup`, then `piece`. They may allow more
    /// than the laws do, never less. Empty if clients know the board already.
    pub setup: &'static [&'static str],
    /// How a position, given as FEN, reaches an engine by `edit`, or what cannot be said of it, in words. `None` if
    /// positions of the game are more than chessmen on a board.
    pub edit: Option<Editor>,
}

/// Describes a position, given as FEN, for the command `edit`; the error says in words what cannot be described.
pub type Editor = fn(&str) -> Result<Edit, String>;

/// How an engine that has only the command `edit` comes from the beginning of a new game to a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The move to make first, in coordinates, if Black is to move after `edit`.
    pub before: Option<&'static str>,
    /// The lines from `edit` to the full stop that ends it.
    pub lines: String,
    /// The move to make last, in coordinates: the double step of a pawn that can be captured en passant.
    pub after: Option<String>,
}

/// The definition of a game for programs that read the rules of variants from a file.
#[derive(Debug)]
pub struct Abroad {
    /// The file of variants that defines it for Fairy-Stockfish.
    pub definition: &'static str,
    /// Converts a FEN of the game to the notation of such programs.
    pub fen: fn(&str) -> String,
}

/// The games of orthodox chess that a record contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChessWithin {
    /// None.
    Nothing,
    /// The game itself.
    Itself,
    /// The sub-games.
    SubGames,
    /// The boards that were played on.
    Boards,
}

/// A name that the tag Variant may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spelling {
    /// The name in lower case.
    pub text: &'static str,
    /// The level that the name stands for, if any.
    pub level: Option<u8>,
}

impl Spelling {
    /// A name that stands for the game without a level.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self { text, level: None }
    }

    /// Names that stand for the game without a level.
    #[must_use]
    pub const fn all<const N: usize>(names: [&'static str; N]) -> [Self; N] {
        let mut all = [Self::new(""); N];
        let mut at = 0;
        while at < N {
            all[at].text = names[at];
            at += 1;
        }
        all
    }

    /// A name that stands for one level of the game.
    #[must_use]
    pub const fn of_level(text: &'static str, level: u8) -> Self {
        Self {
            text,
            level: Some(level),
        }
    }
}

/// An item of the tag Rules: `fog`, or a name with a value such as `subdraw=both`.
#[derive(Clone, Copy, Debug)]
pub struct RuleOption {
    /// The name.
    pub name: &'static str,
    /// What follows it.
    pub value: OptionValue,
    /// What it means with this value, in words; for a switch, with an empty value.
    pub words: fn(&str) -> String,
    /// The rule that describes it.
    pub rule: &'static Rule,
}

/// The value of an option.
#[derive(Clone, Copy, Debug)]
pub enum OptionValue {
    /// None: the option is on if it is named.
    Switch,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A text for which this returns true.
    Text(fn(&str) -> bool),
}

impl RuleOption {
    /// The name and the value of an item of the tag Rules.
    #[must_use]
    pub fn split(item: &str) -> (&str, Option<&str>) {
        match item.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (item, None),
        }
    }

    /// Whether an item with this name and value is this option.
    #[must_use]
    pub fn is(&self, name: &str, value: Option<&str>) -> bool {
        self.name == name
            && match (self.value, value) {
                (OptionValue::Switch, value) => value.is_none(),
                (OptionValue::OneOf(words), Some(value)) => words.contains(&value),
                (OptionValue::Text(holds), Some(value)) => holds(value),
                (OptionValue::OneOf(_) | OptionValue::Text(_), None) => false,
            }
    }
}

/// One way to agree on a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The number of boards side by side.
    pub boards: u16,
    /// The level, in a game with levels.
    pub level: Option<u8>,
    /// The value of the tag Rules; may be empty.
    pub rules: &'static str,
}

impl Sample {
    /// The game without any options.
    pub const PLAIN: Self = Self {
        boards: 1,
        level: None,
        rules: "",
    };

    /// The game under these rules.
    #[must_use]
    pub const fn under(rules: &'static str) -> Self {
        Self {
            rules,
            ..Self::PLAIN
        }
    }

    /// The game on these boards under these rules.
    #[must_use]
    pub const fn on(boards: u16, rules: &'static str) -> Self {
        Self {
            boards,
            rules,
            ..Self::PLAIN
        }
    }

    /// The game of this level.
    #[must_use]
    pub const fn at(level: u8) -> Self {
        Self {
            level: Some(level),
            ..Self::PLAIN
        }
    }
}
