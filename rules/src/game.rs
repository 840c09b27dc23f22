//! A game under way, whatever its shape: one board, boards side by side, boards inside boards.
//!
//! A referee, a player, a viewer, `perft` and a test ask the same of every game: whose turn it is and on
//! which board, what is legal, what a written ply means and why it is refused, what a ply brings about,
//! whether the game is over. [`Game`] is that list of questions, and a function over it works for every
//! game at no cost at run time:
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
//!     let mover = game.to_act(board);
//!     game.play(ply);
//!     // What was legal is so no more: the cold question says why, and by which rule.
//!     let refusal = game.resolve(board, Said::Ply(written)).unwrap_err();
//!     assert!(!refusal.words.is_empty() && !refusal.rule.id.is_empty());
//!     mover
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
//! A game on one board implements [`Position`](crate::position::Position), and [`OneBoard`] makes a `Game`
//! of it.

mod one_board;

pub use one_board::OneBoard;

use crate::{
    outcome::{Outcome, Ruling},
    ply::{Arrival, Written},
    position::{Claims, Found},
    repetition::Times,
    rule::Rule,
    setup::SetupError,
    square::{Side, Square},
};
use std::{
    fmt::{self, Debug, Display},
    ops::ControlFlow,
};

/// A game under way: a position at any moment, with what its laws remember of the past.
///
/// Listing, counting, finding, spelling and playing agree, for every implementation: what
/// [`legal`](Self::legal) lists is as much as [`count_legal`](Self::count_legal) counts, is found by
/// [`find`](Self::find) under the words that [`spell`](Self::spell) gives it, and can be played.
/// What is listed is a part of what can be resolved: two players may agree on things that no list holds.
pub trait Game: Clone + Send + Sync + 'static {
    /// What is agreed before the first ply: how many boards, which edition, which level.
    type Options: Clone + Default + PartialEq + Debug + Send + Sync;
    /// The name of a board: [`Only`] where there is one.
    type Board: BoardId;
    /// What repetition compares (GEN-4), exactly; nothing where the record has nothing to compare, because no
    /// rule counts repetitions or the position counts them itself.
    type Snapshot: Clone + PartialEq + Send + Sync + 'static;
    /// The atom of play (GEN-8), in the position it was found in.
    type Ply: Copy + Eq + Debug + Send + Sync + 'static;
    /// An act that a record writes as a whole and that is a run of plies; [`Infallible`](std::convert::Infallible)
    /// where there is none.
    type Block: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// What a ply has brought about; `()` where nothing can happen beside the ply itself.
    type Effects: Effects<Self::Board>;

    /// The first position.
    ///
    /// # Errors
    /// Why such a game cannot be played.
    fn start(options: &Self::Options) -> Result<Self, SetupError>;
    /// What was agreed before the first ply.
    fn options(&self) -> Self::Options;

    /// The side whose turn it is on a board, whether or not a ply is left to it; `None` where no game is
    /// played.
    fn to_act(&self, at: Self::Board) -> Option<Side>;
    /// The number of the move to come on a board, from 1; `None` where no game is played.
    fn number(&self, at: Self::Board) -> Option<u32>;

    /// Shows every legal ply, in no particular order, until the visitor breaks off. Blind to ends by count, by
    /// record and by dead position: lines of play go on there (GEN-6).
    fn legal(&self, visit: impl FnMut(Self::Ply) -> ControlFlow<()>) -> ControlFlow<()>;
    /// The same for the plies that [`spell`](Self::spell) puts on one board.
    fn legal_on(&self, at: Self::Board, visit: impl FnMut(Self::Ply) -> ControlFlow<()>) -> ControlFlow<()>;
    /// How many plies [`legal`](Self::legal) shows, at best without listing them; the largest number of 64 bits
    /// where there are more.
    fn count_legal(&self) -> u64;

    /// The legal ply that is written on a board. Every ply of a record comes through here, so nothing is
    /// allocated and nothing explained: the why is [`resolve`](Self::resolve)'s.
    fn find(&self, at: Self::Board, written: &Written) -> Found<Self::Ply>;
    /// The plies, in their order, that something said on a board comes to; none where it cannot be read and
    /// something could have been played there. Thorough and slow: asked where [`find`](Self::find) finds nothing
    /// or has nothing to look for.
    ///
    /// # Errors
    /// The rule that it breaks, on which board, and what was possible.
    fn resolve(&self, at: Self::Board, said: Said<'_, Self>) -> Result<Vec<Self::Ply>, Box<Refusal<Self>>>;
    /// A ply that is due and that records leave out, given what they say next, `None` being the end of the record.
    /// Each depends on the one before, so it is asked for, and played, until there is none.
    ///
    /// # Errors
    /// Silence that can mean no ply, or more than one.
    fn unsaid(&self, _next: Option<Next<'_, Self>>) -> Result<Option<Self::Ply>, Box<Refusal<Self>>> {
        Ok(None)
    }
    /// A legal ply as it is written, and the board that it is written on: no more of the origin than tells it apart.
    fn spell(&self, ply: Self::Ply) -> (Self::Board, Spelt<Self>);

    /// Plays a legal ply.
    fn play(&mut self, ply: Self::Ply) -> Self::Effects;
    /// Takes in what happens on a board beside legal plies. `None` where that leaves no position of the game, or
    /// changes none: then this one stays as it was, and what follows is the referee's to say.
    fn happen(&mut self, at: Self::Board, event: Happening) -> Option<Self::Effects>;

    /// How the game ended, where it has, in a position that a record has seen so often.
    fn ruling(&self, times: Times<'_, Self::Snapshot>) -> Option<Ruling>;
    /// The same in a position that has a legal ply, as is known where one was just found: dearer to see than to be
    /// told.
    fn ruling_with_plies(&self, times: Times<'_, Self::Snapshot>) -> Option<Ruling> {
        self.ruling(times)
    }
    /// Whether a player may claim a draw in the game on a board, and the rule that says so.
    fn claims(&self, at: Self::Board) -> Claims;
    /// Which claims would be correct on a board now, in a position that a record has seen so often.
    fn claimable(&self, at: Self::Board, times: usize) -> Claimable;
    /// Whether a side could still win, should the other's flag fall (GEN-10).
    fn can_mate(&self, side: Side) -> bool;

    /// A number that is the same for positions that repetition calls the same, and for nearly no others.
    fn key(&self) -> u64;
    /// What repetition compares of this position.
    fn snapshot(&self) -> Self::Snapshot;
    /// Whether no position before this ply can count as a repetition after it.
    fn is_irreversible(&self, ply: Self::Ply) -> bool;

    /// Adds to `readings` what may have become of this position once something was done on a board that nobody can
    /// judge: nothing where nothing could be done there. Returns whether that can be enumerated at all; else nothing is
    /// known of the game any more.
    fn forget(&self, _at: Self::Board, _readings: &mut Vec<Self>) -> bool {
        false
    }
    /// Whether a ply is legal or not by what stands on a board of which nothing is known.
    fn hangs_on(&self, _ply: Self::Ply, _lost: Self::Board) -> bool {
        false
    }
    /// The same by any of some boards, which are in their order.
    fn hangs_on_any(&self, ply: Self::Ply, lost: &[Self::Board]) -> bool {
        lost.iter().any(|lost| self.hangs_on(ply, *lost))
    }

    /// The position after a legal ply.
    #[inline]
    #[must_use]
    fn after(&self, ply: Self::Ply) -> Self {
        let mut after = self.clone();
        after.play(ply);
        after
    }

    /// Makes a step that can be made in this very position. Returns what it has brought about.
    fn step(&mut self, step: &Step<Self>) -> Self::Effects {
        match *step {
            Step::Ply(ply) => self.play(ply),
            Step::Event(at, event) => self.happen(at, event).unwrap_or_default(),
        }
    }
}

/// The name of a board among those of a game.
pub trait BoardId: Copy + Ord + Debug + Display + Send + Sync + 'static {
    /// The game as a whole: the outermost board, or all boards together.
    const WHOLE: Self;

    /// Whether another board is this one or a part of it.
    fn contains(self, other: Self) -> bool {
        self == other || self == Self::WHOLE
    }
}

/// The board of a game that has one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Only;

impl BoardId for Only {
    const WHOLE: Self = Self;
}

impl Display for Only {
    /// Nothing: where there is one board, none is named.
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// What a ply has brought about beside itself.
pub trait Effects<B>: Default {
    /// The games on other boards that ended with it, innermost first, and their scores.
    fn ended(&self) -> impl Iterator<Item = (B, Outcome)> {
        std::iter::empty()
    }
    /// Whether the turn of the game that so many boards are around is over.
    fn turn_over(&self, _around: usize) -> bool {
        true
    }
}

impl<B> Effects<B> for () {}

/// What somebody says in place of a ply, or to name one.
pub enum Said<'a, G: Game> {
    /// A ply.
    Ply(Written),
    /// An act that is a run of plies.
    Block(&'a G::Block),
    /// A draw, as an item among others.
    Draw,
    /// Something that nobody can read.
    Unreadable,
}

// Derived, these would ask for a game that can be copied.
impl<G: Game> Clone for Said<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Said<'_, G> {}

/// How a ply is written.
pub enum Spelt<G: Game> {
    /// As a ply.
    Ply(Written),
    /// As an act of its own.
    Block(G::Block),
    /// As a draw among other items.
    Draw,
    /// Not at all.
    Silent,
}

impl<G: Game> Clone for Spelt<G> {
    fn clone(&self) -> Self {
        match self {
            Self::Ply(written) => Self::Ply(*written),
            Self::Block(block) => Self::Block(block.clone()),
            Self::Draw => Self::Draw,
            Self::Silent => Self::Silent,
        }
    }
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

impl<G: Game> Debug for Spelt<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ply(written) => f.debug_tuple("Ply").field(written).finish(),
            Self::Block(block) => f.debug_tuple("Block").field(block).finish(),
            Self::Draw => f.write_str("Draw"),
            Self::Silent => f.write_str("Silent"),
        }
    }
}

/// What a record says next.
pub struct Next<'a, G: Game> {
    /// On which board.
    pub at: G::Board,
    /// What.
    pub said: Said<'a, G>,
    /// Whether a number stands before it.
    pub numbered: bool,
}

impl<G: Game> Clone for Next<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Next<'_, G> {}

/// What leads from one position to the next. A log of steps and a position to begin with lead to every position
/// of a game, without one being copied before each ply.
pub enum Step<G: Game> {
    /// A legal ply.
    Ply(G::Ply),
    /// Something that happened on a board.
    Event(G::Board, Happening),
}

impl<G: Game> Clone for Step<G> {
    fn clone(&self) -> Self {
        *self
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

impl<G: Game> Debug for Step<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ply(ply) => f.debug_tuple("Ply").field(ply).finish(),
            Self::Event(at, event) => f.debug_tuple("Event").field(at).field(event).finish(),
        }
    }
}

/// What happens in a game beside legal plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A side's flag falls.
    Flag(Side),
    /// The game on the board ends so, by what its plies did not bring about.
    Ended(Outcome),
    /// The turn passes on without a ply, as in a variation that shows a threat.
    Passed,
    /// A turn ends although moves are owed.
    Stopped,
    /// Something was played that nobody can judge.
    Unjudged,
    /// What stands on a square was put on another, legal or not, and both played on (GEN-9).
    Displaced {
        /// Whence.
        from: Square,
        /// Whither.
        to: Square,
        /// On which board and level.
        arrival: Arrival,
    },
}

/// Which claims would be correct.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Claimable {
    /// That the position repeats itself.
    pub repetition: bool,
    /// That nothing has come of so many moves.
    pub progress: bool,
}

impl From<[bool; 2]> for Claimable {
    fn from([repetition, progress]: [bool; 2]) -> Self {
        Self { repetition, progress }
    }
}

/// Why something said is no legal ply.
pub struct Refusal<G: Game> {
    /// Why, in words.
    pub words: String,
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// The board on which it breaks it.
    pub at: G::Board,
    /// The legal plies that come to mind.
    pub possible: Vec<G::Ply>,
}

impl<G: Game> Refusal<G> {
    /// A refusal to which nothing comes to mind.
    #[must_use]
    pub fn new(words: impl Into<String>, rule: &'static Rule, at: G::Board) -> Self {
        Self { words: words.into(), rule, at, possible: Vec::new() }
    }
}

impl<G: Game> Clone for Refusal<G> {
    fn clone(&self) -> Self {
        let Self { words, rule, at, possible } = self;
        Self { words: words.clone(), rule, at: *at, possible: possible.clone() }
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, rule, at, possible } = self;
        f.debug_struct("Refusal")
            .field("words", words)
            .field("rule", &rule.id)
            .field("at", at)
            .field("possible", possible)
            .finish()
    }
}
