//! A game in progress, whatever its shape: one board, boards side by side, boards inside boards.
//!
//! A referee, a player, a viewer, `perft` and a test ask the same questions of every game: whose turn it is and on
//! which board, what is legal, what a written ply means and why it is refused, what effects a ply has, whether the game
//! is over. [`Game`] is the list of these questions. A function over it works for every game, at no cost at run time:
//!
//! ```
//! use overboard_games::{mega::Mega, strategichess::linked::Linked};
//! use overboard_rules::{
//!     game::{Game, Said, Spelt},
//!     position::Found,
//!     square::Side,
//! };
//! use std::ops::ControlFlow;
//!
//! /// Plays the first ply of the list, as it would be written and read back.
//! fn play_first<G: Game>(game: &mut G) -> Option<Side> {
//!     let mut first = None;
//!     let _ = game.legal(|ply| {
//!         first = Some(ply);
//!         ControlFlow::Break(())
//!     });
//!     let ply = first?;
//!     let (board, Spelt::Ply(written)) = game.spell(ply) else { return None };
//!     assert_eq!(game.find(board, &written), Found::One(ply));
//!     let (_, mover) = game.next_move(board)?;
//!     game.play(ply);
//!     // The same ply is no longer legal: the slow query says why, and by which rule.
//!     let refusal = game.resolve(board, Said::Ply(written)).unwrap_err();
//!     assert!(!refusal.words.is_empty() && !refusal.rule.id.is_empty());
//!     Some(mover)
//! }
//!
//! let mut boards = Linked::start(&Default::default()).unwrap();
//! assert_eq!(boards.count_legal(), 2 * 97);
//! assert_eq!(play_first(&mut boards), Some(Side::White));
//! let mut nested = Mega::start(&Default::default()).unwrap();
//! assert_eq!(nested.count_legal(), 32 * 20 + 20);
//! assert_eq!(play_first(&mut nested), Some(Side::White));
//! ```
//!
//! A game on one board implements [`Position`](crate::position::Position), and `OneBoard` in `overboard-games` makes a
//! `Game` of it.

use crate::{
    outcome::{Outcome, Prospect, Ruling},
    ply::{StandingAct, Written},
    position::{Claims, Found},
    repetition::Times,
    rule::Rule,
    setup::SetupError,
    square::Side,
};
use std::{
    fmt::{self, Debug, Display},
    ops::ControlFlow,
};

/// A game in progress: a position, with what the laws remember of those before it.
///
/// Listing, counting, finding, spelling and playing agree in every implementation: [`legal`](Self::legal) lists as many
/// plies as [`count_legal`](Self::count_legal) counts; each of them is found by [`find`](Self::find) as
/// [`spell`](Self::spell) writes it, and can be played. More can be resolved than is listed, as players may agree on
/// things that no list contains.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// What is agreed before the first ply, such as the number of boards, the edition, or the level.
    type Options: Clone + Default + PartialEq + Debug + Send + Sync;
    /// The identifier of a board; [`Only`] if there is a single one.
    type Board: BoardId;
    /// What repetition compares (GEN-4), exactly; `()` where no rule counts repetitions or the position
    /// counts them itself.
    type Snapshot: Clone + PartialEq + Send + Sync + 'static;
    /// The smallest unit of play (GEN-8), valid in the position where it was found.
    type Ply: Copy + Eq + Debug + Send + Sync + 'static;
    /// A run of plies that a record writes as one act; [`Infallible`](std::convert::Infallible) if there are none.
    type Block: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// The side effects of a ply; `()` if a ply has none.
    type Effects: Effects<Self::Board>;

    /// The initial position.
    ///
    /// # Errors
    /// Why a game cannot be played with these options.
    fn start(options: &Self::Options) -> Result<Self, SetupError>;
    /// What was agreed before the first ply.
    fn options(&self) -> Self::Options;

    /// The team, by the colour that names it, which has this side on a board. Only where a team has both colours do the two
    /// differ.
    fn team(&self, _at: Self::Board, side: Side) -> Side {
        side
    }

    /// The number of the next move on a board, from 1, and the side whose turn it is, even if it has no legal ply; `None`
    /// where no game is played.
    fn next_move(&self, at: Self::Board) -> Option<(u32, Side)>;

    /// Calls `visit` with every legal ply, in no particular order, until it breaks. As in perft, draws by count, by
    /// repetition and by dead position do not end the game (GEN-6).
    fn legal(&self, visit: impl FnMut(Self::Ply) -> ControlFlow<()>) -> ControlFlow<()>;
    /// Like [`legal`](Self::legal), for those plies that [`spell`](Self::spell) writes on this board.
    fn legal_on(
        &self,
        at: Self::Board,
        visit: impl FnMut(Self::Ply) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
    /// The number of plies that [`legal`](Self::legal) lists, computed without listing them if possible; saturates at
    /// `u64::MAX`.
    fn count_legal(&self) -> u64;

    /// The legal ply that a text on a board means. Called for every ply of a record, so it neither allocates nor
    /// explains; [`resolve`](Self::resolve) gives reasons.
    fn find(&self, at: Self::Board, written: &Written) -> Found<Self::Ply>;
    /// The plies, in order, that an entry of a record on a board means; empty if it cannot be read although a ply was
    /// possible there. Thorough and slow: called only if [`find`](Self::find) finds nothing or does not apply.
    ///
    /// # Errors
    /// The rule that the entry breaks, the board on which it does, and what was possible.
    fn resolve(
        &self,
        at: Self::Board,
        said: Said<'_, Self>,
    ) -> Result<Vec<Self::Ply>, Box<Refusal<Self>>>;
    /// A ply that is due but that records omit, given the next entry of the record (`None` at its end). Each such ply
    /// depends on the one before, so call this and play its ply in turn until it returns `None`.
    ///
    /// # Errors
    /// The omission fits no ply, or more than one.
    fn unsaid(
        &self,
        _next: Option<Next<'_, Self>>,
    ) -> Result<Option<Self::Ply>, Box<Refusal<Self>>> {
        Ok(None)
    }
    /// The board on which a legal ply is written, and its text there, with no more of the origin than is needed to
    /// disambiguate.
    fn spell(&self, ply: Self::Ply) -> (Self::Board, Spelt<Self>);

    /// Plays a legal ply, and returns its side effects.
    fn play(&mut self, ply: Self::Ply) -> Self::Effects;
    /// Applies an event other than a legal ply to a board. Returns `None`, without changing anything, if the result
    /// would be the same position or not a position of the game; the referee then decides what follows.
    fn happen(&mut self, at: Self::Board, event: Happening) -> Option<Self::Effects>;

    /// How the game has ended, if it has, in a position that has occurred `times` times.
    fn ruling(&self, times: Times<'_, Self::Snapshot>) -> Option<Ruling>;
    /// Whether a player may claim such a draw in the game on a board, and the rule that says so.
    fn claims(&self, at: Self::Board, claim: Claim) -> Claims;
    /// The claims that would be correct on a board now, if the position has occurred `times` times.
    fn claimable(&self, at: Self::Board, times: usize) -> Claimable;
    /// Whether a side could still win the game on a board if the other side's flag fell (GEN-10).
    fn can_mate(&self, at: Self::Board, side: Side) -> Prospect;

    /// A hash that is equal for positions that count as repetitions, and for hardly any others.
    fn key(&self) -> u64;
    /// What repetition compares of this position.
    fn snapshot(&self) -> Self::Snapshot;
    /// Whether no earlier position can recur after this ply.
    fn is_irreversible(&self, ply: Self::Ply) -> bool;

    /// Appends to `readings` every position that may have arisen after something on a board that cannot be judged; none
    /// if nothing was possible there. Returns whether these can be listed; if not, nothing is known about the game any
    /// more.
    fn forget(&self, _at: Self::Board, _readings: &mut Vec<Self>) -> bool {
        false
    }
    /// Whether the legality of a ply depends on any of the boards whose contents are unknown, in sorted order.
    fn hangs_on(&self, _ply: Self::Ply, _lost: &[Self::Board]) -> bool {
        false
    }

    /// The position after a legal ply.
    #[inline]
    #[must_use]
    fn after(&self, ply: Self::Ply) -> Self {
        let mut after = self.clone();
        after.play(ply);
        after
    }
}

/// The identifier of a board among those of a game.
///
/// ```
/// use overboard_rules::{game::BoardId, path::BoardPath, square::Square};
///
/// let a2 = BoardPath::OUTERMOST.on(Square::new(0, 1));
/// let b1_of_a2 = a2.on(Square::new(1, 0));
/// assert_eq!(b1_of_a2.to_string(), "A2.B1");
/// assert!(a2.contains(b1_of_a2) && !b1_of_a2.contains(a2));
/// assert!(BoardPath::WHOLE.contains(a2));
/// ```
pub trait BoardId: Copy + Ord + Debug + Display + Send + Sync + 'static {
    /// The whole game: the outermost board, or all boards together.
    const WHOLE: Self;

    /// Whether another board is this one or lies inside it.
    fn contains(self, other: Self) -> bool {
        self == other || self == Self::WHOLE
    }
}

/// The board of a game that has only one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Only;

impl BoardId for Only {
    const WHOLE: Self = Self;
}

impl Display for Only {
    /// Writes nothing: a single board has no name.
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// Side effects of a ply: the games that it ended, the turns that it completed.
///
/// ```
/// use overboard_games::mega::Mega;
/// use overboard_referee::game::notation::Notation;
/// use overboard_rules::game::{Effects, Game};
///
/// // A turn of Mega-Chess is a move on each of eight boards, so the first of them completes nothing.
/// let mut game = Mega::start(&Default::default()).unwrap();
/// let ply = game.by_coordinates("A2.e2e4").unwrap();
/// let effects = game.play(ply);
/// assert_eq!(effects.ended().count(), 0);
/// assert!(!effects.turn_over(0));
/// ```
pub trait Effects<B>: Default {
    /// The games on other boards that the ply ended, innermost first, with their scores.
    fn ended(&self) -> impl Iterator<Item = (B, Outcome)> {
        std::iter::empty()
    }
    /// Other boards on which the player lost the game by this ply, with the rule.
    fn forfeited(&self) -> impl Iterator<Item = (B, &'static Rule)> {
        std::iter::empty()
    }
    /// Whether the turn is over in the game at this depth; that of the outermost is 0.
    fn turn_over(&self, _depth: usize) -> bool {
        true
    }
}

impl<B> Effects<B> for () {}

/// What a record has in place of a ply.
#[derive(Clone)]
pub enum Said<'a, G: Game> {
    /// A ply.
    Ply(Written),
    /// An act that is a run of plies.
    Block(&'a G::Block),
    /// A draw, written as an item of a turn.
    Draw,
    /// Text that cannot be read.
    Unreadable,
}

// Written out, because `derive` would require `G: Copy`.
impl<G: Game> Copy for Said<'_, G> {}

/// How a ply is written.
#[derive(Clone, Debug)]
pub enum Spelt<G: Game> {
    /// As a ply.
    Ply(Written),
    /// As an act of its own.
    Block(G::Block),
    /// As a draw among the items of a turn.
    Draw,
    /// Not at all, since records omit it.
    Silent,
}

impl<G: Game> PartialEq for Spelt<G> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ply(one), Self::Ply(other)) => one == other,
            (Self::Block(one), Self::Block(other)) => one == other,
            (Self::Draw, Self::Draw) | (Self::Silent, Self::Silent) => true,
            (Self::Ply(_) | Self::Block(_) | Self::Draw | Self::Silent, _) => false,
        }
    }
}

/// The next entry of a record.
#[derive(Clone)]
pub struct Next<'a, G: Game> {
    /// The board that it is about.
    pub at: G::Board,
    /// What it says.
    pub said: Said<'a, G>,
    /// Whether it has a move number.
    pub numbered: bool,
}

impl<G: Game> Copy for Next<'_, G> {}

/// A transition from one position to the next. An initial position and a log of steps reproduce every position of a
/// game, so positions need not be copied before each ply.
#[derive(Clone, Debug)]
pub enum Step<G: Game> {
    /// A legal ply.
    Ply(G::Ply),
    /// Something that happened on a board.
    Event(G::Board, Happening),
}

impl<G: Game> Step<G> {
    /// Makes the step in a position in which it is possible, and returns its side effects.
    pub fn make(&self, game: &mut G) -> G::Effects {
        match *self {
            Self::Ply(ply) => game.play(ply),
            Self::Event(at, event) => game.happen(at, event).unwrap_or_default(),
        }
    }
}

impl<G: Game> Copy for Step<G> {}

impl<G: Game> PartialEq for Step<G> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ply(one), Self::Ply(other)) => one == other,
            (Self::Event(at, one), Self::Event(there, other)) => (at, one) == (there, other),
            (Self::Ply(_) | Self::Event(..), _) => false,
        }
    }
}

/// What happens in a game other than legal plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A side's flag falls.
    Flag(Side),
    /// The game on the board ends with this outcome, for a reason other than its plies.
    Ended(Outcome),
    /// The turn passes without a ply, as in a variation that shows a threat.
    Passed,
    /// A turn ends although moves are due.
    Stopped,
    /// Something was played that cannot be judged.
    Unjudged,
    /// Something was done, legally or not, and both sides played on (GEN-9).
    Stood(StandingAct),
}

/// A draw that a player may claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Threefold repetition.
    Repetition,
    /// Too many moves without progress, such as the fifty-move rule.
    Progress,
}

/// The claims that would be correct.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Claimable {
    /// Threefold repetition.
    pub repetition: bool,
    /// Too many moves without progress, such as the fifty-move rule.
    pub progress: bool,
}

/// Why an entry of a record is not a legal ply.
#[derive(Clone)]
pub struct Refusal<G: Game> {
    /// The reason, in words.
    pub words: String,
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The board on which it is broken.
    pub at: G::Board,
    /// Legal plies that may have been meant, the likeliest first.
    pub possible: Vec<G::Ply>,
}

impl<G: Game> Refusal<G> {
    /// A refusal without suggestions.
    #[must_use]
    pub fn new(words: impl Into<String>, rule: &'static Rule, at: G::Board) -> Self {
        Self {
            words: words.into(),
            rule,
            at,
            possible: Vec::new(),
        }
    }
}

impl<G: Game> PartialEq for Refusal<G> {
    fn eq(&self, other: &Self) -> bool {
        (&self.words, self.rule, self.at, &self.possible)
            == (&other.words, other.rule, other.at, &other.possible)
    }
}

impl<G: Game> Eq for Refusal<G> {}

impl<G: Game> Debug for Refusal<G> {
    /// Names the rule by its id alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            words,
            rule,
            at,
            possible,
        } = self;
        f.debug_struct("Refusal")
            .field("words", words)
            .field("rule", &rule.id)
            .field("at", at)
            .field("possible", possible)
            .finish()
    }
}
