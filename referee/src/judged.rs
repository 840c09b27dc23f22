//! [`Judged`]: what a referee needs of a game beyond what every [`Game`](overboard_rules::game::Game)
//! provides.

use crate::{RecordState, Unjudged, moment_before, number_of, referee::Referee};
use overboard_formats::{
    canonical::Canonical,
    command::Command,
    parse::{Event, Parser},
    san::{Alphabet, San, Suffix},
    span::TextSpan,
};
use overboard_games::{chess::laws as regular, game_notation::Read, playable::Playable, registry::AnyGame};
use overboard_pictures::diagram::Panel;
use overboard_rules::{
    by_side::BySide,
    game::{BoardId as _, Claimable, Happening, Refusal, Said},
    outcome::{Cause, Ruling},
    ply::{Arrival, BoardName, Pattern, Written},
    position::Claims,
    rule::Rule,
    square::{Side, Square},
};

/// A game whose records can be judged.
///
/// What every record has is written once, in [`Referee`]. The hooks here are for what one game's records have
/// and others lack: turns and blocks in brackets, boards named by letters, captains and lieutenants. A game
/// on one board needs none of them, and nearly all do nothing by default.
pub(crate) trait Judged: Playable + Into<AnyGame> {
    /// What is open in a line of play: turns, blocks. A variation begins with its own.
    type Open: Clone + Default + Send + Sync;
    /// What else is kept of a record.
    type Own: Default + Send + Sync;
    /// What the sign of a ply takes from the position before it.
    type Memo;

    /// Letters of its pieces, and the size of its boards.
    const ALPHABET: &'static Alphabet;
    /// The rule that says from which positions a game can start.
    const SET_UP: &'static Rule;
    /// The rule by which an agreement or a resignation ends it.
    const END: &'static Rule = &regular::AGREED_END;
    /// Whether the referee must count repetitions, because the position does not.
    const REPEATS: bool = false;
    /// Whether every ply has a number of its own, or replies to one that has.
    const NUMBERED: bool = true;
    /// Whether variations may pass, as analysts do.
    const PASSES: bool = false;

    // Beginnings.

    /// A position from text, and whether its form had to be forgiven.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no position.
    fn read_fen(options: &Self::Options, fen: &str) -> Read<Self>;
    /// How its FEN is to be written, in a sentence.
    fn form(options: &Self::Options) -> &'static str;
    /// What is kept of a record that begins, once its tags are read.
    fn begin(_table: &mut Referee<Self>, _desk: &mut RecordState, _parser: &Parser<'_>) {}

    // Where in the game a record's remarks belong.

    /// The board of the game being read: remarks other than plies belong to it.
    fn here(_table: &Referee<Self>) -> Self::Board {
        Self::Board::WHOLE
    }
    #[inline]
    /// The board of the ply that was just read; `None` where the record does not say which, and that was
    /// reported.
    fn address(
        referee: &mut Referee<Self>,
        state: &mut RecordState,
        _parser: &Parser<'_>,
    ) -> Option<Self::Board> {
        let at = Self::here(referee);
        state.last.number = referee.line.now().latest().due_at(at).unwrap_or(state.last.number);
        Some(at)
    }
    /// The number and side of the move to come on a board.
    #[inline]
    fn due_at(&self, at: Self::Board) -> Option<(u32, Side)> {
        Some((self.number(at)?, self.to_act(at)?))
    }
    /// A move number.
    #[inline]
    fn read_number(referee: &mut Referee<Self>, state: &mut RecordState, parser: &Parser<'_>) {
        referee.number(state, parser);
    }
    /// How findings name a board.
    fn path(_table: &Referee<Self>, at: Self::Board) -> String {
        at.to_string()
    }
    /// A ply as messages name it: its number, the path to its board, its text.
    fn in_words(_table: &Referee<Self>, _at: Self::Board, text: &str, state: &RecordState) -> String {
        let (number, side) = state.last.number;
        format!("{} {text}", number_of(number, side))
    }
    /// The number of the first move that is not judged from here onwards.
    fn unjudged(referee: &Referee<Self>, _at: Self::Board, from: Unjudged) -> String {
        let due = Self::due_at(referee.line.now().latest(), Self::here(referee));
        due.map_or_else(String::new, |(number, side)| from.number(number, side))
    }
    /// A board, to be drawn beside a finding.
    fn panel(&self, at: Self::Board) -> Option<Panel>;
    /// The moment of the main line that has come, as `show --at` takes it.
    fn moment(referee: &Referee<Self>, _desk: &RecordState) -> Option<String> {
        let due = referee.line.now().latest().due_at(Self::Board::WHOLE).filter(|_| referee.begun);
        Some(moment_before(due))
    }
    /// Whether the side to move on a board is in check there, so that every legal move there parries it.
    fn is_in_check(&self, at: Self::Board) -> bool;
    /// Where the piece of a move on a board that is not legal comes from, where that is certain.
    fn origin(&self, at: Self::Board, pattern: &Pattern) -> Option<Square>;
    /// What an illegal move did on a board, as the arguments of the command `[%stands]`.
    fn standing_words(&self, _at: Self::Board, event: Happening) -> Option<String> {
        let Happening::Displaced { from, to, arrival } = event else { return None };
        Some(match arrival {
            Arrival::Here => format!("{from}{to}"),
            Arrival::Above => format!("{from}{to}^"),
            Arrival::Beside(board) => format!("{from}{to}/{}", BoardName(usize::from(board))),
        })
    }

    // Brackets.

    /// Hears every event before anything else does.
    #[inline]
    fn overhear(_table: &mut Referee<Self>, _event: Event, _desk: &mut RecordState, _parser: &Parser<'_>) {}
    /// A turn, sub-game or action opens or closes, or something in it is read.
    fn bracket(
        referee: &mut Referee<Self>,
        event: Event,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        referee.foreign(event, state, parser);
        None
    }
    /// A tag pair among the moves.
    fn tag(_table: &mut Referee<Self>, state: &mut RecordState, parser: &Parser<'_>) {
        state.tag(parser);
    }
    /// Takes a result that is not the record's own. Returns whether it was one, and its canonical form.
    fn result_inside(
        _table: &mut Referee<Self>,
        _desk: &mut RecordState,
        _parser: &Parser<'_>,
    ) -> Option<Option<Canonical>> {
        None
    }
    /// The record ends here, or the position is no longer known: supplies what was omitted.
    fn settle(_table: &mut Referee<Self>, _desk: &mut RecordState, _parser: &Parser<'_>) {}
    /// The record ends.
    fn finish(referee: &mut Referee<Self>, state: &mut RecordState, parser: &Parser<'_>) {
        Self::settle(referee, state, parser);
    }
    /// A variation began or ended: brackets are closed that the text did not close.
    fn close_rav(_table: &mut Referee<Self>, _desk: &mut RecordState) {}
    /// What is open where a variation begins, of what is open around it.
    fn open_in_variation(_open: &Self::Open) -> Self::Open {
        Self::Open::default()
    }

    // Plies.

    /// A ply was read, and is not judged yet: it is counted.
    #[inline]
    fn begin_ply(referee: &mut Referee<Self>, state: &mut RecordState, _parser: &Parser<'_>) {
        referee.count_ply(state);
        referee.line.remember();
    }
    /// Why the position, or what is open, allows no act on a board.
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
    fn out_of_turn(_own: &Self::Own, _reading: &Self, _at: Self::Board) -> Option<Box<Refusal<Self>>> {
        None
    }
    /// A ply on a board of which nothing is known.
    fn on_lost(
        _table: &mut Referee<Self>,
        _lost: Self::Board,
        _at: Self::Board,
        _written: &Written,
        _desk: &mut RecordState,
    ) {
    }
    /// Takes a ply to a board of which nothing is known. Returns whether it was one.
    fn into_lost(
        _table: &mut Referee<Self>,
        _at: Self::Board,
        _san: &San,
        _desk: &mut RecordState,
        _parser: &Parser<'_>,
    ) -> bool {
        false
    }
    /// Whether a legal ply takes something.
    fn captures(&self, ply: Self::Ply) -> bool;
    /// A legal ply in canonical form, without its sign.
    fn canonical(&self, ply: Self::Ply) -> Canonical;
    /// The sign that a ply must carry, as far as it can be computed before the ply is played; `None` where it
    /// never carries one.
    fn memo(&self, ply: Self::Ply) -> Self::Memo;
    /// The sign of the ply that led here.
    fn sign(referee: &Referee<Self>, ply: Self::Ply, memo: Self::Memo, brought: &Self::Effects) -> Suffix;
    /// The same sign where it is known whether anything can be played.
    fn settled(&self, sign: Suffix) -> Suffix {
        sign
    }
    /// Why the sign of the ply that led here is wrong, and the rule, where there is more to say than that
    /// nobody is in check.
    fn no_check(&self, _given: Suffix, _right: Suffix, _side: Side) -> Option<(String, &'static Rule)> {
        None
    }
    /// A step is about to be made.
    #[inline]
    fn playing(_table: &mut Referee<Self>, _ply: Self::Ply, _desk: &mut RecordState) {}
    /// Called after every act, a ply or another.
    #[inline]
    fn made(
        _table: &mut Referee<Self>,
        _ply: Option<Self::Ply>,
        _brought: &Self::Effects,
        _desk: &mut RecordState,
    ) {
    }
    /// A legal ply as a refusal offers it.
    fn offer(&self, refusal: &Refusal<Self>) -> Vec<String> {
        refusal.possible.iter().map(|ply| self.san(*ply).to_string()).collect()
    }
    /// Words that a refusal ends with.
    fn hint(_written: &Written) -> &'static str {
        ""
    }
    /// Something is refused, and its board is about to be lost.
    fn refused(_table: &mut Referee<Self>, _refusal: &Refusal<Self>) {}
    /// Called when nothing is known of a board any more; `could` says whether an act was possible there.
    fn lost(_table: &mut Referee<Self>, _at: Self::Board, _could: bool) {}
    /// The ply that was meant, if it is illegal by what is known but a lost board may make it legal.
    fn could_be(&self, _at: Self::Board, _said: Said<'_, Self>) -> Option<Self::Ply> {
        None
    }
    /// A comment stands here: what follows it needs its number.
    fn interrupted(_table: &Referee<Self>, state: &mut RecordState) {
        state.interrupted = true;
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

    /// A command that this game alone takes, or takes otherwise; whether its arguments could be read.
    fn command(
        _table: &mut Referee<Self>,
        _command: &Command<'_>,
        _place: TextSpan,
        _desk: &mut RecordState,
        _parser: &Parser<'_>,
    ) -> Option<bool> {
        None
    }
    /// Whether a side could win the game on a board, should the other's flag fall (GEN-10).
    fn can_win(&self, _at: Self::Board, side: Side) -> bool {
        self.can_mate(side)
    }
    /// Which claims are correct in the game being read, and so deserve a note.
    #[inline]
    fn rights(&self, at: Self::Board, times: usize) -> Claimable {
        self.claimable(at, times)
    }
    /// The rule for a claim on a board, of repetition or of moves without progress.
    ///
    /// # Errors
    /// The rule that has no such claim.
    fn claim_rule(&self, at: Self::Board, _repeats: bool) -> Result<&'static Rule, &'static Rule> {
        match self.claims(at) {
            Claims::Open(rule) => Ok(rule),
            Claims::Closed(rule) => Err(rule),
        }
    }
    /// How a game ends by a claim of moves without progress, how many there were, and what they were without.
    fn progress(&self, at: Self::Board) -> (Cause, String);
    /// Whose clock it is, in words.
    fn clock_of(side: Side, _board: Option<u16>) -> String {
        format!("{side}'s clock")
    }
    /// Whether a board may hold other pieces than is known, because a piece may have come there from a lost board. How
    /// a ply there is to be written is then not known either (GEN-13).
    fn may_differ(&self, _at: Self::Board) -> bool {
        false
    }
    /// Whether an attempted ply would be legal if the game on this board stood alone.
    fn is_legal_alone(&self, _at: Self::Board, _written: &Written) -> bool {
        false
    }
    /// Counts a side's illegal attempt on a board. Returns whether its consequence was reported.
    fn attempted(_table: &mut Referee<Self>, _side: Side, _at: Self::Board, _desk: &mut RecordState) -> bool {
        false
    }
    /// The move that stands on a board, from the arguments of the command.
    fn standing_move(referee: &Referee<Self>, at: Self::Board, arguments: &[u8]) -> Option<Happening> {
        referee.line.now().latest().displacement(at, arguments)
    }
    /// A move stands that was illegal.
    fn stood(
        _table: &mut Referee<Self>,
        _at: Self::Board,
        _event: Happening,
        _brought: &Self::Effects,
        _desk: &mut RecordState,
    ) {
    }

    // Endings.

    /// Whether a result that comes next would be a ply.
    fn takes_results(_table: &Referee<Self>) -> bool {
        false
    }
    /// The side to move at the end of the game being read.
    fn side_at_end(referee: &Referee<Self>) -> Side {
        let at = Self::here(referee);
        referee.line.now().latest().due_at(at).map_or(Side::White, |(_, side)| side)
    }
    /// The rule that forbids resigning, where there is one.
    fn no_resignation(&self) -> Option<&'static Rule> {
        None
    }
    /// White's and Black's kings as the tag Score must count them, in a game that ended so.
    fn score(_table: &Referee<Self>, _ended: Option<Ruling>) -> Option<BySide<u32>> {
        None
    }
}
