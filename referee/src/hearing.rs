//! A record being judged: [`Hearing`], the one argument of the steps of a referee and of the hooks of a game.

use crate::{
    faults::FaultEffect,
    finding::{self as code, Code, Finding, set_rule},
    game::{
        judge::{Judge, Pause},
        position::ReadPosition,
    },
    numbering::{Unjudged, number_of},
    record_state::RecordState,
    referee::{DynReferee, Referee, StateAtEnd},
    verdict,
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::{Event, GrammarFault, Parser},
    san::Suffix,
    span::TextSpan,
};
use overboard_pictures::diagram::Panel;
use overboard_rules::{
    by_side::BySide,
    game::{BoardId as _, Claim, Said},
    general as common,
    outcome::{Prospect, Ruling},
    position::Claims,
    refusal,
    rule::Rule,
    square::Side,
    variant::Extension,
};

/// A record being judged: the referee of its game, what is known about the record, and the text.
///
/// The three are fields, so that a step can read the position while it reports a finding.
pub struct Hearing<'h, G: Judge> {
    /// The referee: the position, and what is open in it.
    pub referee: &'h mut Referee<G>,
    /// What is known about the record.
    pub state: &'h mut RecordState,
    /// The text, at the current event.
    pub parser: &'h Parser<'h>,
}

impl<'h, G: Judge> Hearing<'h, G> {
    /// A record that is judged by this referee.
    #[inline]
    pub fn of(
        referee: &'h mut Referee<G>,
        state: &'h mut RecordState,
        parser: &'h Parser<'h>,
    ) -> Self {
        Self {
            referee,
            state,
            parser,
        }
    }

    /// The same hearing, for a step or a hook that may not be inlined.
    ///
    /// On the way of a ply that is found at once, no step passes its own hearing on: it would then have to be in
    /// memory, and be read from there again after every call. That cost `check` 5 % of its time.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> Hearing<'_, G> {
        Hearing {
            referee: self.referee,
            state: self.state,
            parser: self.parser,
        }
    }

    /// The place of the current event.
    #[inline]
    pub fn place(&self) -> TextSpan {
        *self.parser.place()
    }

    /// The text of the current event.
    #[inline]
    pub fn text(&self) -> &'h [u8] {
        self.parser.text(self.parser.place().span)
    }

    /// Adds a finding. Returns it for further details; `None` if it was only counted.
    #[inline]
    pub fn find(
        &mut self,
        code: &'static Code,
        place: TextSpan,
        message: String,
    ) -> Option<&mut Finding> {
        self.state.find(code, place, self.parser, message)
    }

    /// Reports notation of a game other than the one declared.
    pub fn extension(&mut self, what: &str, extension: Extension, place: TextSpan) {
        self.state.extension(what, extension, place, self.parser);
    }

    /// Reports that a ply should have this sign.
    pub fn wrong_suffix(&mut self, right: Suffix, place: TextSpan) {
        self.state.wrong_suffix(right, place, self.parser);
    }

    /// Reports a claim that is not correct, with its rule.
    pub fn wrong_claim(&mut self, message: String, rule: &'static Rule, place: TextSpan) {
        self.state.wrong_claim(message, rule, place, self.parser);
    }
}

impl<G: Judge> Hearing<'_, G> {
    /// Handles an event of the movetext. For a legal ply, returns how it is to be written, if that is wanted.
    #[inline(always)]
    pub fn hear(&mut self, event: Event) -> Option<Canonical> {
        if self.state.options().judge_on && self.state.last.refused.is_some() {
            self.reborrow().judge_on(event);
        }
        if G::overhear(&mut self.reborrow(), event) {
            return None;
        }
        match event {
            Event::Ply => self.ply(),
            Event::Number => {
                G::read_number(&mut self.reborrow());
                None
            }
            _ => self.reborrow().hear_rarely(event),
        }
    }

    /// Sets up the position that the tags ask for.
    pub fn set_up(&mut self) {
        self.state.terms.spell_in(G::ALPHABET);
        if let Some((fen, place)) = self.state.fen_tag(self.parser) {
            self.set_up_fen(&fen, place);
        }
        G::begin(self);
    }

    /// Sets up the position of a FEN, or reports why there is none.
    fn set_up_fen(&mut self, fen: &str, place: TextSpan) {
        let boards = self.referee.latest().boards();
        let ReadPosition {
            position,
            lenient,
            doubts,
        } = match G::read_fen(&self.referee.options, fen) {
            Ok(read) => read,
            Err(fault) => {
                self.state.judging.stop();
                self.state
                    .refuse_fen(fen, place, &fault, G::SET_UP, self.parser);
                return;
            }
        };
        if position.boards() != boards {
            self.state.judging.stop();
            let message = format!(
                "Boards lists {boards} boards, while the FEN has {}",
                position.boards()
            );
            self.find(&code::BAD_LIST, place, message);
        } else if lenient {
            let form = G::form(&self.referee.options);
            self.find(&code::FEN_FORM, place, form.into());
        }
        if !doubts.is_empty() {
            let message = format!(
                "no game leads to this position: {}; it is judged as it stands",
                refusal::list(doubts, "and")
            );
            set_rule(
                self.find(&code::UNREACHABLE_POSITION, place, message),
                G::SET_UP,
            );
        }
        self.referee.line.restart(position);
    }

    /// Called when the first position has been set up.
    pub fn start(&mut self) {
        let position = self.referee.line.now().latest();
        self.state.course_mut().ended = if G::REPEATS {
            self.referee
                .history
                .start(position.key(), position.snapshot());
            position.ruling(self.first_times().with_plies())
        } else {
            position.ruling(self.first_times())
        };
        self.row_of_start();
    }

    /// The state at the end of the record.
    pub fn standing(&self) -> StateAtEnd {
        let ended = self.state.course().ended;
        let standing = self.standing_here(ended);
        let by_itself = || self.referee.latest().ruling(self.first_times());
        let ruling = ended.or_else(|| if standing.complete { by_itself() } else { None });
        let ruling = verdict::with_offence(ruling, self.state.games.current(), self.parser);
        StateAtEnd {
            ruling,
            score: G::score(self.referee, ruling),
            ..standing
        }
    }

    #[inline(never)]
    fn hear_rarely(&mut self, event: Event) -> Option<Canonical> {
        match event {
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_) => {
                self.state.brackets.enter();
            }
            Event::BlockClose(_) => self.state.brackets.leave(),
            _ => {}
        }
        match event {
            Event::Prose(prose, part) => self.prose(prose, part),
            Event::Nag => self.state.nag(self.parser),
            Event::Glyphs => self.state.glyphs(self.parser),
            Event::RavOpen => self.open_rav(),
            Event::RavClose => self.close_rav(),
            Event::Result => return self.result(),
            Event::UnderWay => self.end_of_moves(),
            Event::BlockClose(_) if self.state.brackets.close_foreign() => {}
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_)
                if self.state.brackets.in_foreign() =>
            {
                self.state.foreign_block(event, self.parser);
            }
            Event::SubgameOpen
            | Event::TurnOpen
            | Event::ActionOpen(_)
            | Event::Address
            | Event::Argument
            | Event::BlockClose(_)
                if !self.state.brackets.in_foreign() =>
            {
                return G::bracket(self, event);
            }
            Event::Tag if !self.state.brackets.in_foreign() => return G::bracket(self, event),
            Event::Tag => self.state.look_at_tag(self.parser),
            Event::Fault(fault) => self.fault(fault),
            _ => {}
        }
        None
    }

    fn fault(&mut self, fault: GrammarFault) {
        if fault == GrammarFault::NoResult {
            self.end_of_moves();
        }
        match self.state.fault(fault, self.parser) {
            FaultEffect::None => {}
            FaultEffect::Loses => self.lose(G::Board::WHOLE, Unjudged::ThisMove),
            FaultEffect::ClosesAndLoses => {
                self.close_rav();
                self.lose(G::Board::WHOLE, Unjudged::ThisMove);
            }
        }
    }

    /// Handles a tag pair among the moves, or a block of another game and what is read in it.
    pub fn unexpected(&mut self, event: Event) {
        if event == Event::Tag {
            self.state.tag(self.parser);
            return;
        }
        let opens = matches!(
            event,
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_)
        );
        if opens && self.state.foreign_block(event, self.parser) {
            self.lose(G::Board::WHOLE, Unjudged::ThisMove);
            // If the game's own records have blocks, what follows can still be read.
            if self.state.games.around() == 0 {
                self.state.judging.stop();
            }
        }
    }

    fn result(&mut self) -> Option<Canonical> {
        if self.state.brackets.in_foreign() {
            return None;
        }
        if let Some(inside) = G::result_inside(self) {
            return inside;
        }
        if DynReferee::castles_last(self.referee, self.state, self.parser) {
            return self.castle_last();
        }
        self.end_of_moves();
        self.state.result(self.parser);
        None
    }

    /// No more moves come in this game.
    pub fn end_of_moves(&mut self) {
        self.settle_suffix();
        G::settle(self, Pause::End);
    }

    /// Takes a last `0-0` as castling.
    fn castle_last(&mut self) -> Option<Canonical> {
        let message = "this is read as castling, which is legal here; if both players lost, the tag Result says `0-0`";
        set_rule(
            self.find(&code::CASTLING_OR_RESULT, self.place(), message.into()),
            &common::UNKNOWN_RESULT,
        );
        let spelt = self.ply();
        self.fault(GrammarFault::NoResult);
        spelt
    }

    /// Handles a move number as all games but linked boards write it.
    #[inline]
    pub fn number(&mut self) {
        self.state.numbers.give();
        if !self.state.judging.is_on()
            || !self.referee.now().is_any()
            || self.state.brackets.in_foreign()
        {
            return;
        }
        let Some((due, side)) = self.referee.latest().due_at(G::here(self.referee)) else {
            return;
        };
        let text = self.text();
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
        let is_over = || self.state.course().ended.is_some();
        if number == due && is_formed {
            self.state.games.current_mut().shift.reset();
        } else if at > 0 && !is_over() {
            self.reborrow()
                .wrong_number(number, (due, side), &text[at..]);
        }
    }

    #[cold]
    fn wrong_number(&mut self, number: u32, (due, side): (u32, Side), tail: &[u8]) {
        let place = self.place();
        let expected = number_of(due, side);
        if tail.iter().any(u8::is_ascii_alphabetic) {
            self.extension(
                "a board letter in a move number",
                Extension::BoardNumber,
                place,
            );
            self.lose(G::Board::WHOLE, Unjudged::ThisMove);
            self.state.judging.stop();
        } else if number == due {
            if !tail.is_empty() {
                self.find(&code::NUMBER_FORM, place, format!("expected `{expected}`"));
            }
        } else if !self.is_off_as_before(number, due) {
            let shown: String = decode(self.text()).0.chars().take(20).collect();
            let message = format!("the number of this move is `{expected}` and not `{shown}`");
            self.find(&code::MOVE_NUMBER, place, message);
        }
    }

    /// Whether a wrong number is as far off as the one before it.
    fn is_off_as_before(&mut self, number: u32, due: u32) -> bool {
        let shift = &mut self.state.games.current_mut().shift;
        if self.referee.outer.is_empty() {
            shift.accepts(number, due)
        } else {
            // Those of a variation leave the main line as it is.
            shift.clone().accepts(number, due)
        }
    }

    /// Reports a missing move number.
    #[inline]
    pub fn expect_number(&mut self, (number, side): (u32, Side)) {
        if self.state.numbers.lacks(side) {
            self.reborrow().missing_number(number, side);
        }
        self.state.numbers.pass();
    }

    #[cold]
    fn missing_number(&mut self, number: u32, side: Side) {
        let message = format!("expected `{}` before the move", number_of(number, side));
        self.find(&code::MISSING_NUMBER, self.place(), message);
    }

    fn open_rav(&mut self) {
        if self.state.judging.is_on()
            && self.state.games.current().plies == 0
            && self.state.at_main_line()
        {
            self.find(
                &code::DANGLING,
                self.place(),
                "a variation comes before the first move".into(),
            );
        }
        let variation = self.referee.line.variation();
        let open = G::open_in_variation(&self.referee.open);
        self.referee.outer.push((
            std::mem::replace(&mut self.referee.line, variation),
            std::mem::replace(&mut self.referee.open, open),
        ));
        G::close_rav(self);
        self.interrupt();
    }

    pub(crate) fn close_rav(&mut self) {
        self.settle_suffix();
        if let Some((line, open)) = self.referee.outer.pop() {
            (self.referee.line, self.referee.open) = (line, open);
        }
        G::close_rav(self);
        self.state.last.moved = false;
        self.interrupt();
    }

    fn interrupt(&mut self) {
        self.state.brackets.set_variations(self.referee.outer.len());
        self.state.numbers.interrupt();
    }

    /// The current moment of the main line, as `show --at` takes it; `None` if the position is not known.
    pub fn moment(&self) -> Option<String> {
        let is_main = self.referee.outer.is_empty();
        let is_seen =
            !self.referee.has_gap && !self.referee.is_unseen && !self.referee.is_filled_in;
        let is_known = self.referee.now().is_sure() && is_seen;
        if self.state.judging.is_on() && is_main && is_known {
            G::moment(self)
        } else {
            None
        }
    }

    /// A board for the picture of a finding; `None` if it is not known as it is.
    pub fn picture(&self, at: G::Board) -> Option<Box<Panel>> {
        if self.referee.is_filled_in {
            return None;
        }
        let panel = self.referee.position()?.panel(at)?;
        Some(Box::new(panel))
    }

    /// Sets the moment of all findings after the first `known`.
    pub fn mark(&mut self, known: usize) {
        if self.state.findings.len() <= known {
            return;
        }
        let moment = self.moment();
        for finding in self.state.findings.after(known) {
            if finding.moment.is_none() {
                finding.moment.clone_from(&moment);
            }
        }
    }

    /// From here on a board is lost, or all boards are.
    pub fn lose(&mut self, at: G::Board, from: Unjudged) {
        self.lose_one_of(&[at], from);
    }

    /// An act that is not known was done on one of these boards, the first of which is said to be unjudged. From here on all
    /// of them are lost.
    pub fn lose_one_of(&mut self, one_of: &[G::Board], from: Unjudged) {
        let Some(at) = one_of.first().copied() else {
            return;
        };
        if self.state.at_main_line()
            && self.state.judging.is_on()
            && self.state.judging.unjudged_from().is_none()
            && self.referee.now().is_any()
        {
            let number = G::unjudged(self.referee, at, from);
            self.state.judging.leave_from(number);
        }
        let (own, open) = (&self.referee.own, &self.referee.open);
        let bars = |reading: &G, at: G::Board| G::bars(own, open, reading, at).is_some();
        // An act was possible there, so it counts as made.
        let may_act = |reading: &G, at: G::Board| {
            !bars(reading, at) && reading.resolve(at, Said::Unreadable).is_ok()
        };
        let could = {
            let mut readings = self.referee.now().iter();
            readings.any(|reading| one_of.iter().any(|at| may_act(reading, *at)))
        };
        self.referee
            .line
            .change(|now| now.lose(one_of, bars, G::thin));
        G::lost(self.referee, at, could);
        self.state.numbers.drop_given();
    }

    /// Nothing follows the last ply of a line: checks whether its check was mate.
    pub fn settle_suffix(&mut self) {
        let Some(place) = self.referee.line.check.take() else {
            return;
        };
        let is_known = self.referee.position().is_some();
        if is_known && self.referee.settled(Suffix::Check) == Suffix::Mate {
            self.wrong_suffix(Suffix::Mate, place);
        }
    }

    /// The state of the game being read, if it ends here.
    pub fn standing_here(&self, ended: Option<Ruling>) -> StateAtEnd {
        let (now, at) = (self.referee.now(), G::here(self.referee));
        let position = now.latest();
        let complete = self.state.judging.is_on()
            && now.is_sure()
            && self.state.judging.unjudged_from().is_none();
        StateAtEnd {
            complete,
            ruling: ended,
            to_move: G::side_at_end(self.referee),
            can_mate: match self.state.says_time_ended() {
                true => BySide::from_fn(|side| position.can_mate(at, side)),
                false => BySide::from_fn(|_| Prospect::Open),
            },
            claims: match position.claims(at, Claim::Progress) {
                Claims::Open(rule) | Claims::Closed(rule) => rule,
            },
            no_resignation: position.no_resignation(),
            score: None,
            other_result: G::DIALECT
                .and_then(|dialect| (dialect.other_result)(self.referee, ended)),
        }
    }
}
