//! [`Judge`]: what a referee needs of a game beyond what every [`Game`](overboard_rules::game::Game)
//! provides.
//!
//! ```
//! use overboard_games::{chess::Chess, one_board::OneBoard, strategichess::linked::Linked};
//! use overboard_referee::game::judge::Judge;
//!
//! /// What a referee has to count for a game.
//! const fn counts<G: Judge>() -> (bool, bool) {
//!     (G::REPEATS, G::NUMBERED)
//! }
//! assert_eq!(counts::<OneBoard<Chess>>(), (true, true));
//! // On linked boards repetition is no draw.
//! assert!(!counts::<Linked>().0);
//! ```

use crate::{
    game::{dialect::Dialect, play::Play},
    hearing::Hearing,
    numbering::{Unjudged, moment_before, number_of},
    referee::{Referee, Score},
};
use overboard_formats::{
    canonical::Canonical,
    command::Command,
    parse::Event,
    san::{Alphabet, San, Suffix, standing_act_text},
    span::TextSpan,
};
use overboard_pictures::diagram::Panel;
use overboard_rules::{
    game::{BoardId as _, Refusal, Said, Step},
    general as common,
    outcome::Ruling,
    ply::{Pattern, StandingAct, Written},
    rule::Rule,
    square::Side,
    variant::VariantInfo,
};

/// A game that is played inside another one.
pub struct InnerGame {
    /// The game.
    pub game: &'static VariantInfo,
    /// How deep it is, as an item of the tag Rules: its own tags may say so again.
    pub depth: String,
}

/// What an attempt at a ply is that is not legal as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// Illegal, so that it counts (GEN-9).
    Counts,
    /// Illegal, and what follows from it has been reported; or it may be legal, so that nothing follows.
    Reported,
    /// No move at all.
    Meaningless,
    /// Legal if the game on its board stood alone, as it is judged on that board's own sheet.
    Legal,
}

/// What is known about an attempt when the game is asked about it.
#[derive(Clone, Copy, Debug)]
pub enum Tried<'a> {
    /// Its text, which may have a form that only this game has.
    Text(&'a [u8]),
    /// A ply that is not legal as far as is known; `None` if this game has no such ply.
    Written(Option<&'a Written>),
}

/// A place in a record at which the plies before it are complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// A claim about the position.
    Claim,
    /// The end of the record.
    End,
}

/// A game whose records can be judged.
///
/// What all records have in common is written once, in [`Referee`]. The hooks here are for what the records of one
/// game have and others lack: turns and blocks in brackets, boards named by letters, captains and lieutenants. A game
/// on one board needs none of them, so nearly all do nothing by default.
pub trait Judge: Play {
    /// What is open in a line of play: turns, blocks. A variation begins with a value of its own.
    type Open: Clone + Default + Send + Sync;
    /// State that only records of this game need.
    type Own: Default + Send + Sync;

    /// The letters of its pieces, and the size of its boards.
    const ALPHABET: &'static Alphabet;
    /// The rule that says from which positions a game can start.
    const SET_UP: &'static Rule;
    /// The rule under which an agreement or a resignation ends it.
    const END: &'static Rule;
    /// Whether the referee must count repetitions, because the position does not.
    const REPEATS: bool = false;
    /// Whether every ply has a number of its own, or follows one that has.
    const NUMBERED: bool = true;
    /// The notation of others in which its records may be, too.
    const DIALECT: Option<Dialect<Self>> = None;
    /// Whether [`sign`](Self::sign) leaves open whether a check is mate, which it is if there is no legal ply: searching for
    /// one after each check would cost more than judging it.
    const MATES_LATE: bool = false;
    /// Whether variations may contain null moves, as analysts write them.
    const PASSES: bool = false;
    /// The rule by which a player may be passed over, where it is played on a board of another game.
    const PASSED_OVER: &'static Rule = &common::JUDGED;

    // Set-up.

    /// How its FEN must be written, in a sentence.
    fn form(options: &Self::Options) -> &'static str;
    /// Prepares for a record, once its tags have been read.
    fn begin(_hearing: &mut Hearing<'_, Self>) {}

    /// The game that is played `around` games inside one with these options; `None` if it is the same.
    fn inner_game(_options: &Self::Options, _around: usize) -> Option<InnerGame> {
        None
    }

    // Which board or game a remark belongs to.

    /// The board of the game being read: remarks other than plies belong to it.
    fn here(_referee: &Referee<Self>) -> Self::Board {
        Self::Board::WHOLE
    }
    #[inline]
    /// The board of the ply that was just read; `None` if the record does not say which, which has then been
    /// reported.
    fn address(hearing: &mut Hearing<'_, Self>) -> Option<Self::Board> {
        let at = Self::here(hearing.referee);
        hearing.state.last.number = hearing
            .referee
            .latest()
            .due_at(at)
            .unwrap_or(hearing.state.last.number);
        Some(at)
    }
    /// The number and side of the next move on a board.
    #[inline]
    fn due_at(&self, at: Self::Board) -> Option<(u32, Side)> {
        self.next_move(at)
    }
    /// Handles a move number.
    #[inline]
    fn read_number(hearing: &mut Hearing<'_, Self>) {
        hearing.number();
    }
    /// How findings name a board.
    fn path(at: Self::Board) -> String {
        at.to_string()
    }
    /// A ply as messages refer to it: its number, the path to its board, its text.
    fn in_words(hearing: &Hearing<'_, Self>, _at: Self::Board, text: &str) -> String {
        let (number, side) = hearing.state.last.number;
        format!("{} {text}", number_of(number, side))
    }
    /// The number of the first move that is not judged from here onwards.
    fn unjudged(referee: &Referee<Self>, _at: Self::Board, from: Unjudged) -> String {
        let due = Self::due_at(referee.latest(), Self::here(referee));
        due.map_or_else(String::new, |(number, side)| from.number(number, side))
    }
    /// A board, to be drawn with a finding.
    fn panel(&self, at: Self::Board) -> Option<Panel>;
    /// The current moment of the main line, as `show --at` takes it.
    fn moment(hearing: &Hearing<'_, Self>) -> Option<String> {
        let referee = &hearing.referee;
        let due = if referee.begun {
            referee.latest().due_at(Self::Board::WHOLE)
        } else {
            None
        };
        Some(moment_before(due))
    }
    /// What an illegal move may have done, as far as the position tells.
    fn standing_acts(&self, at: Self::Board, pattern: &Pattern) -> Vec<StandingAct>;
    /// What an illegal act did on a board, as the arguments of the command `[%stands]`.
    fn standing_words(&self, _at: Self::Board, standing_act: StandingAct) -> String {
        standing_act_text(standing_act)
    }

    // Brackets.

    /// Called with every event before anything else handles it. Returns whether nothing else is to handle it.
    #[inline]
    fn overhear(_hearing: &mut Hearing<'_, Self>, _event: Event) -> bool {
        false
    }
    /// A turn, sub-game or action opens or closes, something in it is read, or there is a tag pair among the moves.
    fn bracket(hearing: &mut Hearing<'_, Self>, event: Event) -> Option<Canonical> {
        hearing.unexpected(event);
        None
    }
    /// Handles a result that is not that of the record. Returns its canonical form if it was one.
    fn result_inside(_hearing: &mut Hearing<'_, Self>) -> Option<Option<Canonical>> {
        None
    }
    /// Nothing else is read of this position: plays the plies that the record omits.
    fn settle(_hearing: &mut Hearing<'_, Self>, _pause: Pause) {}
    /// A variation began or ended: closes the brackets that the text did not close.
    fn close_rav(_hearing: &mut Hearing<'_, Self>) {}
    /// What is open at the start of a variation, from what is open around it.
    fn open_in_variation(_open: &Self::Open) -> Self::Open {
        Self::Open::default()
    }

    // Plies.

    /// A ply was read but not judged yet: counts it.
    #[inline]
    fn begin_ply(hearing: &mut Hearing<'_, Self>) {
        hearing.count_ply();
        hearing.referee.line.remember();
    }
    /// Why no act is possible on a board, because of the position or of what is open.
    #[inline]
    fn bars(
        _own: &Self::Own,
        _open: &Self::Open,
        _reading: &Self,
        _at: Self::Board,
    ) -> Option<Box<Refusal<Self>>> {
        None
    }
    /// Why it is not the turn of the side that the record names.
    #[inline]
    fn out_of_turn(
        _own: &Self::Own,
        _reading: &Self,
        _at: Self::Board,
    ) -> Option<Box<Refusal<Self>>> {
        None
    }
    /// Handles a ply on a lost board, if there is one around it, or one that goes to a lost board. Returns whether it
    /// is either, so that it is not judged.
    fn on_lost(
        _hearing: &mut Hearing<'_, Self>,
        lost: Option<Self::Board>,
        _at: Self::Board,
        _san: &San,
    ) -> bool {
        lost.is_some()
    }
    /// Whether a legal ply captures something.
    fn captures(&self, ply: Self::Ply) -> bool;
    /// A legal ply in canonical form, without its sign.
    fn canonical(&self, ply: Self::Ply) -> Canonical;
    /// The sign of the ply that led here. What it needs of the position before, [`playing`](Self::playing) keeps.
    fn sign(referee: &Referee<Self>, ply: Self::Ply, brought: &Self::Effects) -> Suffix;
    /// Why the sign of the ply that led here is wrong, and the rule, if there is more to say than that no king is in
    /// check.
    fn no_check(
        &self,
        _given: Suffix,
        _right: Suffix,
        _side: Side,
    ) -> Option<(String, &'static Rule)> {
        None
    }
    /// Called before a step is made.
    #[inline]
    fn playing(_hearing: &mut Hearing<'_, Self>, _ply: Self::Ply) {}
    /// Called after every step: a ply, or an illegal move that stands.
    #[inline]
    fn made(_hearing: &mut Hearing<'_, Self>, _step: &Step<Self>, _brought: &Self::Effects) {}
    /// A legal ply as a refusal offers it.
    fn offer(&self, refusal: &Refusal<Self>) -> Vec<String> {
        refusal
            .possible
            .iter()
            .map(|ply| self.san(*ply).to_string())
            .collect()
    }
    /// Called when something is refused, before its board is lost.
    fn refused(_referee: &mut Referee<Self>, _refusal: &Refusal<Self>) {}
    /// Called when a board is lost; `could` says whether an act was possible there.
    fn lost(_referee: &mut Referee<Self>, _at: Self::Board, _could: bool) {}
    /// The ply that was meant, if it is illegal as far as is known, but may be legal because of a lost board.
    fn could_be(&self, _at: Self::Board, _said: Said<'_, Self>) -> Option<Self::Ply> {
        None
    }
    /// Removes duplicate readings.
    fn thin(readings: &mut Vec<Self>) {
        let mut keys = Vec::with_capacity(readings.len());
        readings.retain(|reading| {
            let key = reading.key();
            let is_new = !keys.contains(&key);
            keys.push(key);
            is_new
        });
    }

    // Commands.

    /// Handles a command that only this game has, or that means something else in it. Returns whether its arguments
    /// could be read.
    fn command(
        _hearing: &mut Hearing<'_, Self>,
        _command: &Command<'_>,
        _place: TextSpan,
    ) -> Option<bool> {
        None
    }
    /// Whether a board may hold other pieces than known, because a piece may have come there from a lost board. Then it
    /// is also unknown how a ply there must be written (GEN-13).
    fn may_differ(&self, _at: Self::Board) -> bool {
        false
    }
    /// Handles a side's attempt on a board; `None` if there is nothing special about it.
    fn attempted(
        _hearing: &mut Hearing<'_, Self>,
        _side: Side,
        _at: Self::Board,
        _tried: Tried<'_>,
    ) -> Option<Attempt> {
        None
    }

    // The end of a game.

    /// Whether a result that comes next would be a ply.
    fn takes_results(_referee: &Referee<Self>) -> bool {
        false
    }
    /// The side to move at the end of the game being read; `None` if each of several boards has its own.
    fn side_at_end(referee: &Referee<Self>) -> Option<Side> {
        let due = referee.latest().due_at(Self::here(referee));
        due.map(|(_, side)| side)
    }
    /// The rule that forbids resigning, if there is one.
    fn no_resignation(&self) -> Option<&'static Rule> {
        None
    }
    /// The kings that decide a game that ended in this way, if it counts kings.
    fn score(_referee: &Referee<Self>, _ended: Option<Ruling>) -> Option<Score> {
        None
    }
}
