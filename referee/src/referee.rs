//! One record of a game as it is judged: the line reached, the lines it left, what is open, the papers.

use super::{Desk, Unjudged, faults::Blow, number_of};
use crate::{finding as code, judged::Judged, line::Line, readings::Readings, verdict};
use overboard_formats::{
    canonical::Canonical,
    parse::{Event, Fault, Parser},
    san::Suffix,
};
use overboard_games::registry::{AnyGame, Variant};
use overboard_rules::{
    game::{BoardId as _, Happening, Said},
    outcome::Ruling,
    position::Claims,
    repetition::{History, Times},
    rule::Rule,
    square::Side,
};
use std::any::Any;

/// Judges the records of one game.
///
/// The position stands in the outermost game, and the papers of the games inside it on the desk, so that nothing here calls
/// itself however deep a record goes.
pub(crate) struct Referee<G: Judged> {
    /// What is agreed.
    pub options: G::Options,
    /// The line being read.
    pub line: Line<G>,
    /// What is open in it.
    pub open: G::Open,
    /// The lines around it, the main line first.
    pub outer: Vec<(Line<G>, G::Open)>,
    /// The positions of the main line, where the record counts how often they come again.
    pub history: History<G::Snapshot>,
    /// What only this game's records have.
    pub own: G::Own,
    /// Where the game stood before the act refused last.
    pub refused: Option<Refused<G>>,
    /// Whether anything was done in the main line.
    pub begun: bool,
}

/// What a refusal took from the referee, for the case that the act stands (GEN-9).
pub(crate) struct Refused<G: Judged> {
    /// Steps of the line before it.
    pub steps: usize,
    /// The board it was on.
    pub at: G::Board,
    /// What was open.
    pub open: G::Open,
    /// Whether everything was judged up to it.
    pub first: bool,
    /// What happened by it, where that is certain.
    pub certain: Option<Happening>,
}

/// How a game stands when its record ends.
#[derive(Clone, Copy)]
pub(crate) struct Standing {
    /// Whether every move was judged.
    pub complete: bool,
    /// What ended the game.
    pub ruling: Option<Ruling>,
    pub to_move: Side,
    /// Whether White's and Black's material could mate.
    pub can_mate: [bool; 2],
    /// The rule that says which draws can be claimed.
    pub claims: &'static Rule,
    /// The rule that lets nobody resign, where there is one.
    pub no_resignation: Option<&'static Rule>,
    /// The kings that White's and Black's team have left, on linked boards.
    pub score: Option<[u32; 2]>,
}

/// A referee of whichever game: what is asked of him without knowing it.
pub(crate) trait AnyTable: Any + Send {
    /// Takes an event of the movetext. For a ply found legal, where spelling is asked for, returns
    /// how it is to be written.
    fn hear(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical>;
    /// Sets up the position that the tags ask for.
    fn set_up(&mut self, desk: &mut Desk, parser: &Parser<'_>);
    /// The first position stands.
    fn start(&mut self, desk: &mut Desk);
    /// How things stand at the end of the record.
    fn standing(&self, desk: &Desk, parser: &Parser<'_>) -> Standing;
    /// The record is over: what the text has not closed is closed.
    fn close(&mut self, desk: &mut Desk);
    /// The position reached, where it is known.
    fn reached(&self) -> Option<AnyGame>;
    /// Whether the position is known as a whole.
    fn is_known(&self) -> bool;
    /// Whether a result that comes next would be a ply.
    fn takes_results(&self) -> bool;
    /// The same, as what it is.
    fn as_any(&self) -> &dyn Any;
    /// The same, to be changed.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<G: Judged> Referee<G> {
    /// A referee for a game under what is agreed; `None` where there is no such game.
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

    /// Begins another record; whether there is such a game.
    pub fn renew(&mut self, options: G::Options) -> bool {
        let Ok(position) = G::start(&options) else { return false };
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
    fn hear_event(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        if desk.options.judge_on && desk.last.refused.is_some() {
            self.judge_on(event, desk, parser);
        }
        G::overhear(self, event, desk, parser);
        match event {
            Event::Ply => self.ply(desk, parser),
            Event::Number => {
                G::read_number(self, desk, parser);
                None
            }
            _ => self.hear_rarely(event, desk, parser),
        }
    }

    #[inline(never)]
    fn hear_rarely(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        if matches!(event, Event::BlockClose(_)) {
            desk.misplaced.take_if(|around| desk.block_depth <= *around);
        }
        match event {
            Event::Prose(prose, part) => self.prose(desk, prose, part, parser),
            Event::Nag => desk.nag(parser),
            Event::Glyphs => desk.glyphs(parser),
            Event::RavOpen => self.open_rav(desk, parser),
            Event::RavClose => self.close_rav(desk, parser),
            Event::Result => return self.result(desk, parser),
            Event::BlockClose(_) if desk.close_foreign() => {}
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_) if desk.foreign > 0 => {
                desk.foreign_block(event, parser);
            }
            Event::SubgameOpen
            | Event::TurnOpen
            | Event::ActionOpen(_)
            | Event::Address
            | Event::Argument
            | Event::BlockClose(_)
                if desk.foreign == 0 =>
            {
                return G::bracket(self, event, desk, parser);
            }
            Event::Tag if desk.foreign == 0 => G::tag(self, desk, parser),
            Event::Tag => desk.look_at_tag(parser),
            Event::Fault(fault) => self.fault(fault, desk, parser),
            _ => {}
        }
        None
    }

    fn fault(&mut self, fault: Fault, desk: &mut Desk, parser: &Parser<'_>) {
        if fault == Fault::NoResult {
            self.settle_suffix(desk, parser);
            G::finish(self, desk, parser);
        }
        match desk.fault(fault, parser) {
            Blow::None => {}
            Blow::Loses => self.lose(G::Board::WHOLE, Unjudged::ThisMove, desk),
            Blow::ClosesAndLoses => {
                self.close_rav(desk, parser);
                self.lose(G::Board::WHOLE, Unjudged::ThisMove, desk);
            }
        }
    }

    /// A block of another game opens, or something in it is read.
    pub fn foreign(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        let opens = matches!(event, Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_));
        if opens && desk.foreign_block(event, parser) {
            self.lose(G::Board::WHOLE, Unjudged::ThisMove, desk);
            // Where its own records have blocks, what follows may be looked at.
            desk.judging &= desk.games_around() > 0;
        }
    }

    fn result(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        if desk.foreign > 0 {
            return None;
        }
        if let Some(told) = G::result_inside(self, desk, parser) {
            return told;
        }
        self.settle_suffix(desk, parser);
        G::finish(self, desk, parser);
        desk.result(parser);
        None
    }

    /// A move number as all games but linked boards write it.
    #[inline]
    pub fn number(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        desk.numbered = true;
        if !desk.judging || !self.line.now().is_any() || desk.foreign > 0 {
            return;
        }
        let Some((due, side)) = self.line.now().latest().due_at(G::here(self)) else { return };
        let text = parser.text(parser.place().span);
        let mut number = 0_u32;
        let mut at = 0;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            at += 1;
        }
        let is_formed = matches!((side, &text[at..]), (Side::White, b".") | (Side::Black, b"..."));
        // Of a game that is over no move is due, and the move that follows is found out by itself.
        let is_over = || desk.papers.course.ended.is_some();
        if (number != due || !is_formed) && at > 0 && !is_over() {
            self.wrong_number(desk, number, (due, side), &text[at..], parser);
        }
    }

    #[cold]
    fn wrong_number(
        &mut self,
        desk: &mut Desk,
        number: u32,
        (due, side): (u32, Side),
        tail: &[u8],
        parser: &Parser<'_>,
    ) {
        let place = *parser.place();
        let expected = number_of(due, side);
        if tail.iter().any(u8::is_ascii_alphabetic) {
            desk.extension("a board letter in a move number", Variant::Strategi, place, parser);
            self.lose(G::Board::WHOLE, Unjudged::ThisMove, desk);
            desk.judging = false;
        } else if number == due {
            if !tail.is_empty() {
                desk.find(&code::NUMBER_FORM, place, parser, format!("expected `{expected}`"));
            }
        } else {
            let text = overboard_formats::encoding::decode(parser.text(place.span)).0.into_owned();
            let shown: String = text.chars().take(20).collect();
            let message = format!("the number of this move is `{expected}` and not `{shown}`");
            desk.find(&code::MOVE_NUMBER, place, parser, message);
        }
    }

    /// Says that the number of a ply is missing, where one is due.
    #[inline]
    pub fn expect_number(&self, (number, side): (u32, Side), desk: &mut Desk, parser: &Parser<'_>) {
        if !desk.numbered && (desk.interrupted || side == Side::White) {
            missing_number(number, side, desk, parser);
        }
        desk.numbered = false;
        desk.interrupted = false;
    }

    fn open_rav(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.judging && desk.papers.plies == 0 && desk.at_main_line() {
            desk.find(
                &code::DANGLING,
                *parser.place(),
                parser,
                "a variation stands before the first move".into(),
            );
        }
        let variation = self.line.variation();
        let open = G::open_in_variation(&self.open);
        self.outer
            .push((std::mem::replace(&mut self.line, variation), std::mem::replace(&mut self.open, open)));
        G::close_rav(self, desk);
        self.interrupt(desk);
    }

    pub fn close_rav(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        self.settle_suffix(desk, parser);
        if let Some((line, open)) = self.outer.pop() {
            (self.line, self.open) = (line, open);
        }
        G::close_rav(self, desk);
        desk.last.moved = false;
        self.interrupt(desk);
    }

    fn interrupt(&self, desk: &mut Desk) {
        desk.ravs = self.outer.len();
        desk.interrupted = true;
        desk.numbered = false;
    }

    /// The moment of the main line that has come, as `show --at` takes it; `None` where the position is not known.
    pub fn moment(&self, desk: &Desk) -> Option<String> {
        let is_known = desk.judging && self.outer.is_empty() && self.line.now().is_sure();
        if is_known { G::moment(self, desk) } else { None }
    }

    /// Says at which moment those of the findings stand that came after so many others.
    pub fn mark(&self, known: usize, desk: &mut Desk) {
        if desk.findings.len() <= known {
            return;
        }
        let moment = self.moment(desk);
        for finding in desk.findings.iter_mut().skip(known).filter(|finding| finding.moment.is_none()) {
            finding.moment.clone_from(&moment);
        }
    }

    /// From here on nothing is known of a board, or of any.
    pub fn lose(&mut self, at: G::Board, from: Unjudged, desk: &mut Desk) {
        if desk.at_main_line() && desk.judging && desk.unjudged_from.is_none() && self.line.now().is_any() {
            desk.unjudged_from = Some(G::unjudged(self, at, from));
        }
        let (own, open) = (&self.own, &self.open);
        let bars = |reading: &G| G::bars(own, open, reading, at).is_some();
        // Something could have been done there, and so it counts as done.
        let could = self
            .line
            .now()
            .iter()
            .any(|reading| !bars(reading) && reading.resolve(at, Said::Unreadable).is_ok());
        self.line.change(|now| now.lose(at, bars, G::thin));
        G::lost(self, at, could);
        desk.numbered = false;
    }

    /// Something was done on a lost board.
    pub fn forget(&mut self, at: G::Board) {
        let (own, open) = (&self.own, &self.open);
        self.line.change(|now| now.forget(at, |reading| G::bars(own, open, reading, at).is_some(), G::thin));
    }

    /// Nothing follows the last ply of a line: was its check a mate?
    pub fn settle_suffix(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        let Some(place) = self.line.check.take() else { return };
        if self.line.now().position().is_some_and(|position| position.settled(Suffix::Check) == Suffix::Mate)
        {
            desk.wrong_suffix(Suffix::Mate, place, parser);
        }
    }

    /// How the game stands that is being read, if it ends here.
    pub fn standing_here(&self, ended: Option<Ruling>, desk: &Desk) -> Standing {
        let (now, at) = (self.line.now(), G::here(self));
        let position = now.latest();
        let complete = desk.judging && now.is_sure() && desk.unjudged_from.is_none();
        Standing {
            complete,
            ruling: ended,
            to_move: G::side_at_end(self),
            can_mate: [Side::White, Side::Black].map(|side| position.can_win(at, side)),
            claims: match position.claims(at) {
                Claims::Open(rule) | Claims::Closed(rule) => rule,
            },
            no_resignation: position.no_resignation(),
            score: None,
        }
    }
}

#[cold]
fn missing_number(number: u32, side: Side, desk: &mut Desk, parser: &Parser<'_>) {
    let message = format!("expected `{}` before the move", number_of(number, side));
    desk.find(&code::MISSING_NUMBER, *parser.place(), parser, message);
}

impl<G: Judged> AnyTable for Referee<G> {
    fn hear(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        self.hear_event(event, desk, parser)
    }

    fn set_up(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if let Some((fen, place)) = desk.fen_tag(parser) {
            let boards = self.line.now().latest().boards();
            match G::read_fen(&self.options, &fen) {
                Ok((position, lenient)) => {
                    if position.boards() != boards {
                        desk.judging = false;
                        let message =
                            format!("Boards lists {boards} boards, while the FEN has {}", position.boards());
                        desk.find(&code::BAD_LIST, place, parser, message);
                    } else if lenient {
                        desk.find(&code::FEN_FORM, place, parser, G::form(&self.options).into());
                    }
                    self.line.restart(position);
                }
                Err(fault) => {
                    desk.judging = false;
                    desk.refuse_fen(&fen, place, &fault, G::SET_UP, parser);
                }
            }
        }
        G::begin(self, desk, parser);
    }

    fn start(&mut self, desk: &mut Desk) {
        let position = self.line.now().latest();
        desk.papers.course.ended = if G::REPEATS {
            self.history.start(position.key(), position.snapshot());
            position.ruling_with_plies(Times::FIRST)
        } else {
            position.ruling(Times::FIRST)
        };
        self.row_of_start(desk);
    }

    fn standing(&self, desk: &Desk, parser: &Parser<'_>) -> Standing {
        let ended = desk.papers.course.ended;
        let standing = self.standing_here(ended, desk);
        let by_itself = || self.line.now().latest().end_by_itself();
        let ruling = ended.or_else(|| if standing.complete { by_itself() } else { None });
        let ruling = verdict::with_offence(ruling, &desk.papers, parser);
        Standing { ruling, score: G::score(self, ruling), ..standing }
    }

    fn close(&mut self, desk: &mut Desk) {
        while let Some((line, open)) = self.outer.pop() {
            (self.line, self.open) = (line, open);
        }
        desk.ravs = 0;
        desk.unwind(0);
    }

    fn reached(&self) -> Option<AnyGame> {
        let now = self.line.now();
        now.is_sure().then(|| now.latest().clone().into())
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
