//! One game as it is played: the line reached, the lines it left, the positions that may come again.

use super::{Desk, Unjudged, faults::Blow, number_of};
use crate::line::Line;
use overboard_formats::{
    canonical::Canonical,
    parse::{Event, Fault, Parser},
};
use overboard_games::{notation::Notation, registry::AnyGame};
use overboard_rules::{
    game::OneBoard, outcome::Ruling, position::Claims, repetition::History, rule::Rule, square::Side,
};

/// A game on one board.
pub(super) struct Play<P: Notation> {
    pub line: Line<P>,
    pub outer: Vec<Line<P>>,
    pub history: History<P::Snapshot>,
}

/// How a game stands when its record ends.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    /// Whether every move was judged.
    pub complete: bool,
    /// What ended the game.
    pub ruling: Option<Ruling>,
    pub to_move: Side,
    /// Whether White's and Black's material could mate.
    pub can_mate: [bool; 2],
    /// The rule that says which draws can be claimed.
    pub claims: &'static Rule,
    /// The kings that White's and Black's team have left, on linked boards.
    pub score: Option<[u32; 2]>,
}

impl<P: Notation> Default for Play<P> {
    fn default() -> Self {
        Self { line: Line::from(P::default()), outer: Vec::new(), history: History::default() }
    }
}

impl<P: Notation> Play<P> {
    /// Takes an event of the movetext. For a ply found legal, where spelling is asked for, answers
    /// how it is to be written.
    #[inline]
    pub fn hear(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        match event {
            Event::Ply => return self.ply(desk, parser),
            Event::Number => self.number(desk, parser),
            _ => self.hear_rarely(event, desk, parser),
        }
        None
    }

    #[inline(never)]
    fn hear_rarely(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        match event {
            Event::Prose(prose, part) => self.prose(desk, prose, part, parser),
            Event::Nag => desk.nag(parser),
            Event::Glyphs => desk.glyphs(parser),
            Event::RavOpen => self.open_rav(desk, parser),
            Event::RavClose => self.close_rav(desk, parser),
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_) => {
                self.open_block(event, desk, parser);
            }
            Event::BlockClose(_) => desk.block_depth = desk.block_depth.saturating_sub(1),
            Event::Result => self.result(desk, parser),
            Event::Fault(fault) => {
                if fault == Fault::NoResult {
                    self.settle_suffix(desk, parser);
                }
                match desk.fault(fault, parser) {
                    Blow::None => {}
                    Blow::Loses => self.give_up(desk, Unjudged::ThisMove),
                    Blow::ClosesAndLoses => {
                        self.close_rav(desk, parser);
                        self.give_up(desk, Unjudged::ThisMove);
                    }
                }
            }
            // The tags of a sub-game.
            Event::Tag => desk.tag(parser),
            _ => {}
        }
    }

    /// Starts over, before the tags have told a position.
    pub fn reset(&mut self) {
        self.line = Line::from(P::default());
        self.outer.clear();
    }

    /// The first position stands.
    pub fn start(&mut self, desk: &mut Desk) {
        self.history.start(self.line.position.repetition_key(), self.line.position.snapshot());
        desk.course.ended = self.line.position.end_by_record(1, &[]);
    }

    fn open_block(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.foreign_block(event, parser) {
            self.give_up(desk, Unjudged::ThisMove);
            desk.judging = false;
        }
    }

    fn result(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.block_depth == 0 {
            self.settle_suffix(desk, parser);
            desk.result(parser);
        }
    }

    /// How things stand at the end of the record.
    pub fn standing(&self, desk: &Desk) -> Standing {
        let position = &self.line.position;
        let complete = desk.judging && self.line.known;
        Standing {
            complete,
            ruling: desk.course.ended.or_else(|| if complete { position.end_by_itself() } else { None }),
            to_move: position.turn(),
            can_mate: [Side::White, Side::Black].map(|side| complete && position.can_mate(side)),
            claims: match P::CLAIMS {
                Claims::Open(rule) | Claims::Closed(rule) => rule,
            },
            score: None,
        }
    }

    /// The position reached, where it is known.
    pub fn reached(&self) -> Option<AnyGame>
    where
        AnyGame: From<OneBoard<P>>,
    {
        self.line.known.then(|| OneBoard(self.line.position.clone()).into())
    }

    /// The number of the move to come, as it is written.
    pub fn move_number(&self) -> String {
        number_of(self.line.position.fullmove(), self.line.position.turn())
    }

    /// From here on the position is not known.
    pub fn give_up(&mut self, desk: &mut Desk, from: Unjudged) {
        if self.outer.is_empty() && desk.judging && self.line.known {
            let (number, side) = (self.line.position.fullmove(), self.line.position.turn());
            desk.unjudged_from = Some(from.number(number, side));
        }
        self.line.lose();
        desk.numbered = false;
    }
}
