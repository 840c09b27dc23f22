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
    faults::FaultEffect,
    finding as code,
    game::{judged::Judged, position::ReadPosition},
    line::Line,
    numbering::{Unjudged, number_of},
    readings::Readings,
    record_state::RecordState,
    verdict,
};
use overboard_formats::{
    canonical::Canonical,
    parse::{Event, GrammarFault, Parser},
    san::Suffix,
    span::TextSpan,
};
use overboard_rules::{
    by_side::BySide,
    game::{BoardId as _, Happening, Said},
    outcome::Ruling,
    position::Claims,
    repetition::{History, Times},
    rule::Rule,
    square::Side,
    variant::Extension,
};
use std::any::Any;

/// Judges the records of one game.
///
/// The position is that of the outermost game, and [`RecordState`] has a stack of states for the games inside
/// it, so nothing here recurses, however deep a record goes.
pub struct Referee<G: Judged> {
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
}

/// What a refusal changed, in case the refused act stands (GEN-9).
pub struct Refused<G: Judged> {
    /// Steps of the line before it.
    pub steps: usize,
    /// The board it was on.
    pub at: G::Board,
    /// What was open.
    pub open: G::Open,
    /// Whether everything was judged up to it.
    pub first: bool,
    /// What happened, if that is certain.
    pub certain: Option<Happening>,
}

/// The state of a game when its record ends.
#[derive(Clone, Copy)]
pub struct Standing {
    /// Whether every move was judged.
    pub complete: bool,
    /// What ended the game.
    pub ruling: Option<Ruling>,
    pub(crate) to_move: Side,
    /// Whether White's and Black's material could mate.
    pub can_mate: BySide<bool>,
    /// The rule that says which draws can be claimed.
    pub claims: &'static Rule,
    /// The rule that forbids resigning, if there is one.
    pub no_resignation: Option<&'static Rule>,
    /// The kings that decide, in a game that counts them.
    pub score: Option<Score>,
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
pub trait DynReferee: Any + Send {
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
    fn start(&mut self, state: &mut RecordState);
    /// The state at the end of the record.
    fn standing(&self, state: &RecordState, parser: &Parser<'_>) -> Standing;
    /// The record is over: closes what the text has not closed.
    fn close(&mut self, state: &mut RecordState);
    /// Whether the position is completely known.
    fn is_known(&self) -> bool;
    /// Whether a result that comes next would be a ply.
    fn takes_results(&self) -> bool;
    /// The referee itself, for downcasting.
    fn as_any(&self) -> &dyn Any;
    /// The same, mutable.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<G: Judged> Referee<G> {
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
        true
    }

    #[inline]
    fn hear_event(
        &mut self,
        event: Event,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        if state.options.judge_on && state.last.refused.is_some() {
            self.judge_on(event, state, parser);
        }
        G::overhear(self, event, state, parser);
        match event {
            Event::Ply => self.ply(state, parser),
            Event::Number => {
                G::read_number(self, state, parser);
                None
            }
            _ => self.hear_rarely(event, state, parser),
        }
    }

    #[inline(never)]
    fn hear_rarely(
        &mut self,
        event: Event,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        if matches!(event, Event::BlockClose(_)) {
            state
                .misplaced
                .take_if(|around| state.block_depth <= *around);
        }
        match event {
            Event::Prose(prose, part) => self.prose(state, prose, part, parser),
            Event::Nag => state.nag(parser),
            Event::Glyphs => state.glyphs(parser),
            Event::RavOpen => self.open_rav(state, parser),
            Event::RavClose => self.close_rav(state, parser),
            Event::Result => return self.result(state, parser),
            Event::BlockClose(_) if state.close_foreign() => {}
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_) if state.foreign > 0 => {
                state.foreign_block(event, parser);
            }
            Event::SubgameOpen
            | Event::TurnOpen
            | Event::ActionOpen(_)
            | Event::Address
            | Event::Argument
            | Event::BlockClose(_)
                if state.foreign == 0 =>
            {
                return G::bracket(self, event, state, parser);
            }
            Event::Tag if state.foreign == 0 => G::tag(self, state, parser),
            Event::Tag => state.look_at_tag(parser),
            Event::Fault(fault) => self.fault(fault, state, parser),
            _ => {}
        }
        None
    }

    fn fault(&mut self, fault: GrammarFault, state: &mut RecordState, parser: &Parser<'_>) {
        if fault == GrammarFault::NoResult {
            self.settle_suffix(state, parser);
            G::finish(self, state, parser);
        }
        match state.fault(fault, parser) {
            FaultEffect::None => {}
            FaultEffect::Loses => self.lose(G::Board::WHOLE, Unjudged::ThisMove, state),
            FaultEffect::ClosesAndLoses => {
                self.close_rav(state, parser);
                self.lose(G::Board::WHOLE, Unjudged::ThisMove, state);
            }
        }
    }

    /// Handles a block of another game, and what is read in it.
    pub fn foreign(&mut self, event: Event, state: &mut RecordState, parser: &Parser<'_>) {
        let opens = matches!(
            event,
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_)
        );
        if opens && state.foreign_block(event, parser) {
            self.lose(G::Board::WHOLE, Unjudged::ThisMove, state);
            // If the game's own records have blocks, what follows can still be read.
            state.judging &= state.games_around() > 0;
        }
    }

    fn result(&mut self, state: &mut RecordState, parser: &Parser<'_>) -> Option<Canonical> {
        if state.foreign > 0 {
            return None;
        }
        if let Some(reported) = G::result_inside(self, state, parser) {
            return reported;
        }
        self.settle_suffix(state, parser);
        G::finish(self, state, parser);
        state.result(parser);
        None
    }

    /// Handles a move number as all games but linked boards write it.
    #[inline]
    pub fn number(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        state.numbered = true;
        if !state.judging || !self.line.now().is_any() || state.foreign > 0 {
            return;
        }
        let Some((due, side)) = self.line.now().latest().due_at(G::here(self)) else {
            return;
        };
        let text = parser.text(parser.place().span);
        let mut number = 0_u32;
        let mut at = 0;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            number = number
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'));
            at += 1;
        }
        let is_formed = matches!(
            (side, &text[at..]),
            (Side::White, b".") | (Side::Black, b"...")
        );
        // No move is due in a game that is over; the move that follows is refused for that reason.
        let is_over = || state.current.course.ended.is_some();
        if (number != due || !is_formed) && at > 0 && !is_over() {
            self.wrong_number(state, number, (due, side), &text[at..], parser);
        }
    }

    #[cold]
    fn wrong_number(
        &mut self,
        state: &mut RecordState,
        number: u32,
        (due, side): (u32, Side),
        tail: &[u8],
        parser: &Parser<'_>,
    ) {
        let place = *parser.place();
        let expected = number_of(due, side);
        if tail.iter().any(u8::is_ascii_alphabetic) {
            state.extension(
                "a board letter in a move number",
                Extension::BoardNumber,
                place,
                parser,
            );
            self.lose(G::Board::WHOLE, Unjudged::ThisMove, state);
            state.judging = false;
        } else if number == due {
            if !tail.is_empty() {
                state.find(
                    &code::NUMBER_FORM,
                    place,
                    parser,
                    format!("expected `{expected}`"),
                );
            }
        } else {
            let text = overboard_formats::encoding::decode(parser.text(place.span))
                .0
                .into_owned();
            let shown: String = text.chars().take(20).collect();
            let message = format!("the number of this move is `{expected}` and not `{shown}`");
            state.find(&code::MOVE_NUMBER, place, parser, message);
        }
    }

    /// Reports a missing move number.
    #[inline]
    pub fn expect_number(
        &self,
        (number, side): (u32, Side),
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) {
        if !state.numbered && (state.interrupted || side == Side::White) {
            missing_number(number, side, state, parser);
        }
        state.numbered = false;
        state.interrupted = false;
    }

    fn open_rav(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        if state.judging && state.current.plies == 0 && state.at_main_line() {
            state.find(
                &code::DANGLING,
                *parser.place(),
                parser,
                "a variation comes before the first move".into(),
            );
        }
        let variation = self.line.variation();
        let open = G::open_in_variation(&self.open);
        self.outer.push((
            std::mem::replace(&mut self.line, variation),
            std::mem::replace(&mut self.open, open),
        ));
        G::close_rav(self, state);
        self.interrupt(state);
    }

    pub(crate) fn close_rav(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        self.settle_suffix(state, parser);
        if let Some((line, open)) = self.outer.pop() {
            (self.line, self.open) = (line, open);
        }
        G::close_rav(self, state);
        state.last.moved = false;
        self.interrupt(state);
    }

    fn interrupt(&self, state: &mut RecordState) {
        state.ravs = self.outer.len();
        state.interrupted = true;
        state.numbered = false;
    }

    /// The current moment of the main line, as `show --at` takes it; `None` if the position is not known.
    pub fn moment(&self, state: &RecordState) -> Option<String> {
        let is_known = state.judging && self.outer.is_empty() && self.line.now().is_sure();
        if is_known {
            G::moment(self, state)
        } else {
            None
        }
    }

    /// Sets the moment of all findings after the first `known`.
    pub fn mark(&self, known: usize, state: &mut RecordState) {
        if state.findings.len() <= known {
            return;
        }
        let moment = self.moment(state);
        for finding in state
            .findings
            .iter_mut()
            .skip(known)
            .filter(|finding| finding.moment.is_none())
        {
            finding.moment.clone_from(&moment);
        }
    }

    /// From here on a board is lost, or all boards are.
    pub fn lose(&mut self, at: G::Board, from: Unjudged, state: &mut RecordState) {
        if state.at_main_line()
            && state.judging
            && state.unjudged_from.is_none()
            && self.line.now().is_any()
        {
            state.unjudged_from = Some(G::unjudged(self, at, from));
        }
        let (own, open) = (&self.own, &self.open);
        let bars = |reading: &G| G::bars(own, open, reading, at).is_some();
        // An act was possible there, so it counts as made.
        let could = self
            .line
            .now()
            .iter()
            .any(|reading| !bars(reading) && reading.resolve(at, Said::Unreadable).is_ok());
        self.line.change(|now| now.lose(at, bars, G::thin));
        G::lost(self, at, could);
        state.numbered = false;
    }

    /// An act happened on a lost board.
    pub fn forget(&mut self, at: G::Board) {
        let (own, open) = (&self.own, &self.open);
        self.line.change(|now| {
            now.forget(
                at,
                |reading| G::bars(own, open, reading, at).is_some(),
                G::thin,
            )
        });
    }

    /// Nothing follows the last ply of a line: checks whether its check was mate.
    pub fn settle_suffix(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        let Some(place) = self.line.check.take() else {
            return;
        };
        if self
            .line
            .now()
            .position()
            .is_some_and(|position| position.settled(Suffix::Check) == Suffix::Mate)
        {
            state.wrong_suffix(Suffix::Mate, place, parser);
        }
    }

    /// The state of the game being read, if it ends here.
    pub fn standing_here(&self, ended: Option<Ruling>, state: &RecordState) -> Standing {
        let (now, at) = (self.line.now(), G::here(self));
        let position = now.latest();
        let complete = state.judging && now.is_sure() && state.unjudged_from.is_none();
        Standing {
            complete,
            ruling: ended,
            to_move: G::side_at_end(self),
            can_mate: BySide::from_fn(|side| position.can_win(at, side)),
            claims: match position.claims(at) {
                Claims::Open(rule) | Claims::Closed(rule) => rule,
            },
            no_resignation: position.no_resignation(),
            score: None,
        }
    }
}

#[cold]
fn missing_number(number: u32, side: Side, state: &mut RecordState, parser: &Parser<'_>) {
    let message = format!("expected `{}` before the move", number_of(number, side));
    state.find(&code::MISSING_NUMBER, *parser.place(), parser, message);
}

impl<G: Judged> DynReferee for Referee<G> {
    fn hear(
        &mut self,
        event: Event,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        self.hear_event(event, state, parser)
    }

    fn obey(&mut self, place: TextSpan, text: &[u8], state: &mut RecordState, parser: &Parser<'_>) {
        self.obey_all(place, text, state, parser);
    }

    fn set_up(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        if let Some((fen, place)) = state.fen_tag(parser) {
            let boards = self.line.now().latest().boards();
            match G::read_fen(&self.options, &fen) {
                Ok(ReadPosition { position, lenient }) => {
                    if position.boards() != boards {
                        state.judging = false;
                        let message = format!(
                            "Boards lists {boards} boards, while the FEN has {}",
                            position.boards()
                        );
                        state.find(&code::BAD_LIST, place, parser, message);
                    } else if lenient {
                        state.find(
                            &code::FEN_FORM,
                            place,
                            parser,
                            G::form(&self.options).into(),
                        );
                    }
                    self.line.restart(position);
                }
                Err(fault) => {
                    state.judging = false;
                    state.refuse_fen(&fen, place, &fault, G::SET_UP, parser);
                }
            }
        }
        G::begin(self, state, parser);
    }

    fn start(&mut self, state: &mut RecordState) {
        let position = self.line.now().latest();
        state.current.course.ended = if G::REPEATS {
            self.history.start(position.key(), position.snapshot());
            position.ruling_with_plies(Times::FIRST)
        } else {
            position.ruling(Times::FIRST)
        };
        self.row_of_start(state);
    }

    fn standing(&self, state: &RecordState, parser: &Parser<'_>) -> Standing {
        let ended = state.current.course.ended;
        let standing = self.standing_here(ended, state);
        let by_itself = || self.line.now().latest().end_by_itself();
        let ruling = ended.or_else(|| if standing.complete { by_itself() } else { None });
        let ruling = verdict::with_offence(ruling, &state.current, parser);
        Standing {
            ruling,
            score: G::score(self, ruling),
            ..standing
        }
    }

    fn close(&mut self, state: &mut RecordState) {
        while let Some((line, open)) = self.outer.pop() {
            (self.line, self.open) = (line, open);
        }
        state.ravs = 0;
        state.unwind(0);
    }

    fn is_known(&self) -> bool {
        self.line.now().is_sure()
    }

    fn takes_results(&self) -> bool {
        G::takes_results(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
