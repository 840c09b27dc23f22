//! Judging one record of a game: the current line, the lines around it, open brackets, the open games.
//!
//! ```
//! use overboard_games::{chess::Chess, one_board::OneBoard};
//! use overboard_referee::referee::{DynReferee, Referee};
//!
//! let referee = Referee::<OneBoard<Chess>>::new(()).expect("chess has no options");
//! assert!(referee.is_known() && !referee.takes_results());
//! ```

use crate::{
    game::judge::Judge, hearing::Hearing, line::Line, readings::Readings, record_state::RecordState,
};
use overboard_formats::{
    canonical::Canonical,
    header::Name,
    parse::{BOTH_LOST, Event, Parser},
    span::TextSpan,
};
use overboard_rules::{
    by_side::BySide,
    game::Game,
    outcome::{Outcome, Prospect, Ruling},
    ply::{StandingAct, Wing, Written},
    position::Found,
    repetition::History,
    rule::Rule,
    square::Side,
};
use std::any::Any;

/// Judges the records of one game.
///
/// The position is that of the outermost game, and [`RecordState`] has a stack of states for the games inside
/// it, so nothing here recurses, however deep a record goes.
pub struct Referee<G: Judge> {
    /// The rules agreed.
    pub options: G::Options,
    /// The line being read.
    pub line: Line<G>,
    /// What is open in that line.
    pub open: G::Open,
    /// The lines around it, the main line first.
    pub outer: Vec<(Line<G>, G::Open)>,
    /// The positions of the main line, if repetitions have to be counted.
    pub history: History<G::Snapshot>,
    /// What only this game's records have.
    pub own: G::Own,
    /// Where the game was before the last refused act.
    pub refused: Option<Refused<G>>,
    /// Whether anything was done in the main line.
    pub begun: bool,
    /// Whether an act before the one being read stands only since that one is read: no moment shows it.
    pub is_unseen: bool,
    /// Whether positions of the main line are unknown, so that a repetition cannot be ruled out.
    pub has_gap: bool,
    /// Whether something in the position stands as it was known last, and may be otherwise: then it is not shown.
    pub is_filled_in: bool,
}

/// What a refusal changed, in case the refused act stands (GEN-9).
pub struct Refused<G: Judge> {
    /// Steps of the line before it.
    pub steps: usize,
    /// The board it was on.
    pub at: G::Board,
    /// What was open.
    pub open: G::Open,
    /// Whether everything was judged up to it.
    pub first: bool,
    /// What it may have done, where that is known well enough to go on.
    pub may_be: Vec<StandingAct>,
}

/// The state of a game when its record ends.
#[derive(Clone, Copy)]
pub struct StateAtEnd {
    /// Whether every move was judged.
    pub complete: bool,
    /// What ended the game.
    pub ruling: Option<Ruling>,
    /// The side to move, if there is only one.
    pub(crate) to_move: Option<Side>,
    /// Whether White and Black could still mate, if the record says that time ended the game: it may take a search.
    pub can_mate: BySide<Prospect>,
    /// The rule that says which draws can be claimed.
    pub claims: &'static Rule,
    /// The rule that forbids resigning, if there is one.
    pub no_resignation: Option<&'static Rule>,
    /// The kings that decide, in a game that counts them.
    pub score: Option<Score>,
    /// A result that a record may give in place of the right one.
    pub other_result: Option<Outcome>,
}

/// The kings of a game that is decided by their number, and the laws about it.
#[derive(Clone, Copy)]
pub struct Score {
    /// The kings that White's and Black's team have left.
    pub kings: BySide<u32>,
    /// The laws.
    pub laws: &'static ScoreLaws,
}

/// The laws about counting kings.
pub struct ScoreLaws {
    /// They decide when time ends.
    pub on_time: &'static Rule,
    /// They decide on a claim.
    pub on_claim: &'static Rule,
    /// They are in the tag Score.
    pub tag: &'static Rule,
}

/// A referee of any game, behind a trait object.
pub trait DynReferee: Any + Send + Sync {
    /// Handles an event of the movetext. For a legal ply, returns how it is to be written, if that is wanted.
    fn hear(
        &mut self,
        event: Event,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical>;
    /// Handles the commands of a comment.
    fn obey(&mut self, place: TextSpan, text: &[u8], state: &mut RecordState, parser: &Parser<'_>);
    /// Sets up the position that the tags ask for.
    fn set_up(&mut self, state: &mut RecordState, parser: &Parser<'_>);
    /// Called when the first position has been set up.
    fn start(&mut self, state: &mut RecordState, parser: &Parser<'_>);
    /// The state at the end of the record.
    fn standing(&mut self, state: &mut RecordState, parser: &Parser<'_>) -> StateAtEnd;
    /// The record is over: closes what the text has not closed.
    fn close(&mut self, state: &mut RecordState);
    /// Whether the position is completely known.
    fn is_known(&self) -> bool;
    /// Whether anything is known of it.
    fn knows_anything(&self) -> bool;
    /// Whether a result that comes next would be a ply.
    fn takes_results(&self) -> bool;
    /// Whether the result read last is a `0-0` that must be castling: that is legal, and the tag Result does not say
    /// that both sides lost.
    fn castles_last(&self, state: &RecordState, parser: &Parser<'_>) -> bool;
    /// The hash of the last position; `None` if that is not known.
    fn key(&self) -> Option<u64>;
    /// The referee itself, for downcasting.
    fn as_any(&self) -> &dyn Any;
    /// The same, mutable.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<G: Judge> Referee<G> {
    /// A referee for a game under these options; `None` where they describe no game.
    pub fn new(options: G::Options) -> Option<Self> {
        let position = G::start(&options).ok()?;
        Some(Self::with(options, position))
    }

    /// A referee for a game that begins with this position.
    pub fn with(options: G::Options, position: G) -> Self {
        Self {
            options,
            line: Line::from(Readings::of(position)),
            open: G::Open::default(),
            outer: Vec::new(),
            history: History::default(),
            own: G::Own::default(),
            refused: None,
            begun: false,
            is_unseen: false,
            has_gap: false,
            is_filled_in: false,
        }
    }

    /// Starts another record. Returns whether the options describe a game.
    pub fn renew(&mut self, options: G::Options) -> bool {
        let Ok(position) = G::start(&options) else {
            return false;
        };
        self.options = options;
        self.line.restart(position);
        self.open = G::Open::default();
        self.outer.clear();
        self.own = G::Own::default();
        self.refused = None;
        self.begun = false;
        self.is_unseen = false;
        self.has_gap = false;
        self.is_filled_in = false;
        true
    }

    /// What is known of the position.
    #[inline]
    pub const fn now(&self) -> &Readings<G> {
        self.line.now()
    }

    /// The position under the first reading; `None` if nothing is known.
    #[inline]
    pub const fn position(&self) -> Option<&G> {
        self.now().position()
    }

    /// The position, if it is known as it is.
    pub fn reached(&self) -> Option<&G> {
        if self.now().is_sure() && !self.is_filled_in {
            self.position()
        } else {
            None
        }
    }

    /// The position under the first reading, or the last one before nothing was known.
    #[inline]
    pub const fn latest(&self) -> &G {
        self.now().latest()
    }

    /// An act happened on a lost board.
    pub fn forget(&mut self, at: G::Board) {
        let (own, open) = (&self.own, &self.open);
        self.line.change(|now| {
            now.forget(
                &[at],
                |reading, at| G::bars(own, open, reading, at).is_some(),
                G::thin,
            );
        });
    }
}

impl<G: Judge> DynReferee for Referee<G> {
    fn hear(
        &mut self,
        event: Event,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        Hearing::of(self, state, parser).hear(event)
    }

    fn obey(&mut self, place: TextSpan, text: &[u8], state: &mut RecordState, parser: &Parser<'_>) {
        Hearing::of(self, state, parser).obey_all(place, text);
    }

    fn set_up(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        Hearing::of(self, state, parser).set_up();
    }

    fn start(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        Hearing::of(self, state, parser).start();
    }

    fn standing(&mut self, state: &mut RecordState, parser: &Parser<'_>) -> StateAtEnd {
        Hearing::of(self, state, parser).standing()
    }

    fn close(&mut self, state: &mut RecordState) {
        while let Some((line, open)) = self.outer.pop() {
            (self.line, self.open) = (line, open);
        }
        state.brackets.set_variations(0);
        state.games.unwind(0);
    }

    fn is_known(&self) -> bool {
        self.reached().is_some()
    }

    fn knows_anything(&self) -> bool {
        self.now().is_any()
    }

    fn takes_results(&self) -> bool {
        G::takes_results(self)
    }

    fn castles_last(&self, state: &RecordState, parser: &Parser<'_>) -> bool {
        let says_so = parser.text(parser.place().span) == BOTH_LOST
            && state.header().bytes(Name::Result) != Some(BOTH_LOST);
        if !says_so || !self.now().is_sure() {
            return false;
        }
        let castling = Written::Castle(Wing::KingSide);
        matches!(self.latest().find(G::here(self), &castling), Found::One(_))
    }

    fn key(&self) -> Option<u64> {
        self.position().map(Game::key)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
