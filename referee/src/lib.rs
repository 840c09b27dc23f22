//! The referee follows a record as it is read, judges every ply, and returns its findings in a
//! [`report`].
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser};
//! use overboard_referee::{AnyReferee, Options};
//!
//! let text = "1. e4 e5 2. Ke3 Nf6 *";
//! let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
//! let report = AnyReferee::new(Options::default()).judge(&mut parser).unwrap().expect("one game");
//! assert_eq!(report.findings.last().unwrap().rule.unwrap().id, "CH-13");
//! ```

use crate::{
    finding::{Severity, Verdict, Weights},
    report::{GameResult, Report},
};
use desk::Desk;
use overboard_formats::{
    canonical::{Canonical, after_move},
    command,
    header::Name,
    lex::Prose,
    limits::Limits,
    parse::{Event, Fault, Parser},
    span::Span,
};
use overboard_games::{
    game_notation::GameNotation as _,
    overchess::{self, Over},
    registry::{AnyGame, Variant},
    strategichess::linked::{Linked, order::Order},
};
use overboard_pictures::foreign::Foreign;
use overboard_rules::{
    outcome::{Cause, Ruling},
    square::Side,
};
use readings::Readings;
use seat::Seat;
use std::{borrow::Cow, io};

pub mod calls;
#[cfg(test)]
mod chance;
mod commands;
#[cfg(test)]
#[path = "../../tests/depth/mod.rs"]
mod depth;
mod desk;
mod faults;
pub mod finding;
mod judged;
mod line;
mod linked;
mod nearest;
mod nested;
mod one_board;
pub mod orders;
mod overs;
mod papers;
mod plies;
pub mod readings;
mod referee;
pub mod replay;
pub mod report;
mod roles;
pub mod rows;
pub mod score;
mod seat;
pub mod sheets;
mod standing;
mod tags;
mod unread;
mod verdict;
pub mod witness;

/// How to judge.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Limits on the text.
    pub limits: Limits,
    /// Which findings weigh what.
    pub weights: Weights,
    /// Rules in force beside those that a record declares, as in its tag Rules.
    pub rules: String,
    /// Only count notes, for a reader who will not be shown them.
    pub count_notes: bool,
    /// Keep no lines of the text beside findings, for a reader who has the text.
    pub no_excerpts: bool,
    /// Judge on after an illegal move as if it stood, where it is certain from where to where the piece went.
    pub judge_on: bool,
    /// Keep what is done in the main line of a game of Overchess, in coordinates.
    pub deeds: bool,
    /// Keep the positions of the main line of a game of Overchess in which an over-move is due.
    pub moments: bool,
    /// Tell what happens in the main line in rows ([`AnyReferee::next_row`]).
    pub rows: bool,
    /// Keep with the rows what is to be seen where they stand ([`AnyReferee::next_told`]).
    pub scenes: bool,
}

/// Judges records one after the other, whichever games they are of.
pub struct AnyReferee {
    desk: Desk,
    seat: Seat,
}

impl AnyReferee {
    /// A referee with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { desk: Desk::new(options, false), seat: Seat::default() }
    }

    /// A referee that tells for each legal ply how it is to be written.
    #[must_use]
    pub fn spelling(options: Options) -> Self {
        Self { desk: Desk::new(options, true), seat: Seat::default() }
    }

    /// Reads and judges the next record; `None` when there are no more.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn judge(&mut self, parser: &mut Parser<'_>) -> io::Result<Option<Report>> {
        loop {
            match parser.next()? {
                Event::Done => return Ok(None),
                Event::End => {
                    self.hear(Event::End, parser);
                    return Ok(Some(self.take_report(parser)));
                }
                event => {
                    self.hear(event, parser);
                }
            }
        }
    }

    /// The report on the record that has just ended.
    pub fn take_report(&mut self, parser: &mut Parser<'_>) -> Report {
        let desk = &mut self.desk;
        desk.note_long_lines(parser);
        let table = self.seat.table_mut();
        table.close(desk);
        let standing = table.standing(desk, parser);
        let known = desk.findings.len();
        let result = verdict::conclude(desk, standing, parser);
        desk.end_rows(&standing, &result);
        let proof = desk.every_act_judged(table.is_known(), parser);
        if proof.is_some() {
            let at_end = desk.findings.iter_mut().skip(known);
            at_end.for_each(|finding| finding.moment = Some("end".into()));
        }
        desk.note_overflow();
        let mut findings = std::mem::take(&mut desk.findings);
        findings.sort_by_key(|finding| (finding.place.span.from, finding.severity != Severity::Error));
        let verdict = Verdict::of(&findings, proof);
        self.desk.in_moves = false;
        Report {
            file: Foreign::new("".into()),
            game: 0,
            span: Span::new(self.desk.first_word.span.from, parser.record_start()),
            variant: Foreign::new(self.variant_name()),
            verdict,
            result,
            plies: self.desk.whole().plies,
            findings,
            players: [Name::White, Name::Black]
                .map(|name| self.desk.papers.header.text(name).map(Foreign::new)),
            unjudged_from: self.desk.unjudged_from.take(),
            notes_counted: std::mem::take(&mut self.desk.notes_counted),
        }
    }

    fn variant_name(&self) -> Cow<'static, str> {
        match (self.desk.papers.header.text(Name::Variant), self.desk.game) {
            (None, _) | (Some(_), Some(Variant::Chess)) => Variant::Chess.name().into(),
            (Some(name), _) => name.into(),
        }
    }

    /// Takes an event of the record. For a ply found legal, by a referee made with
    /// [`Self::spelling`], answers how it is to be written.
    #[inline]
    pub fn hear(&mut self, event: Event, parser: &Parser<'_>) -> Option<Canonical> {
        if self.desk.rows.is_some() {
            self.hear_for_rows(event, parser)
        } else {
            self.take_event(event, parser)
        }
    }

    #[inline]
    fn take_event(&mut self, event: Event, parser: &Parser<'_>) -> Option<Canonical> {
        if !self.desk.in_moves && self.before_moves(event, parser) {
            return None;
        }
        self.seat.table_mut().hear(event, &mut self.desk, parser)
    }

    /// Takes an event that may stand before the moves; answers whether it did.
    #[inline(never)]
    fn before_moves(&mut self, event: Event, parser: &Parser<'_>) -> bool {
        match event {
            Event::Begin => self.desk.begin(*parser.place()),
            Event::Tag => self.desk.tag(parser),
            _ => {
                self.begin_moves(event, parser);
                return false;
            }
        }
        true
    }

    /// Sets up the position that the tags ask for, where an event begins the moves; it is still to be
    /// heard.
    pub fn begin_moves(&mut self, event: Event, parser: &Parser<'_>) {
        let begins = match event {
            Event::Prose(prose, _) => prose != Prose::Escape && has_command(parser),
            Event::Fault(fault) => {
                !matches!(fault, Fault::Mark | Fault::NotText(_) | Fault::BadTag(_) | Fault::Control)
            }
            Event::Number
            | Event::Ply
            | Event::RavOpen
            | Event::SubgameOpen
            | Event::TurnOpen
            | Event::ActionOpen(_)
            | Event::Result
            | Event::End => true,
            _ => false,
        };
        if begins && !self.desk.in_moves {
            self.enter_moves(parser);
            if self.desk.is_a_rest(event, parser) {
                self.desk.refuse_the_rest(parser);
            }
        }
    }

    /// Whether an event is a ply: a result inside a turn is one, too.
    #[must_use]
    pub fn is_ply(&self, event: Event) -> bool {
        event == Event::Ply || (event == Event::Result && self.seat.table().takes_results())
    }

    /// Plies of the main line heard so far.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.desk.whole().plies
    }

    /// Whether neither a variation nor a block is open.
    #[must_use]
    pub fn in_main_line(&self) -> bool {
        self.desk.at_main_line() && self.desk.block_depth == 0
    }

    /// Whether no variation is open.
    pub(crate) fn is_at_main_line(&self) -> bool {
        self.desk.at_main_line()
    }

    /// Whether something was done in a game that the players or an arbiter had ended beside its moves.
    pub(crate) fn played_on_after_words(&self) -> bool {
        self.desk.played_past.is_some_and(|cause| cause == Cause::Flag || cause.status().is_none())
    }

    /// The position of a game of Overchess of this depth in which the sub-game that is open begins, where it is known and
    /// that sub-game is Overchess itself. Spares are the outermost game's alone (OV-25), and are left out.
    pub(crate) fn around(&self, depth: usize) -> Option<String> {
        let table = self.seat.as_one_of::<Over>().filter(|_| self.desk.judging)?;
        let position = table.line.now().position().filter(|_| table.line.now().is_sure())?;
        let here = <Over as judged::Judged>::here(table);
        if here.len() >= depth || position.path() != here {
            return None;
        }
        let written = overchess::position(position);
        let mut fields: Vec<_> = written.splitn(10, ' ').collect();
        *fields.get_mut(8)? = "-";
        Some(fields.join(" "))
    }

    /// The result of the sub-game whose block has just closed.
    pub(crate) fn concluded(&self) -> GameResult {
        self.desk.concluded.clone()
    }

    /// Whether the moves have begun, and the tags have been read.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.desk.in_moves
    }

    /// What ended the game so far.
    #[must_use]
    pub fn ended(&self) -> Option<Ruling> {
        self.desk.whole().course.ended
    }

    /// The side that was first to say in its game what it may not, and so loses when the game is over (SC-42).
    #[must_use]
    pub fn offender(&self) -> Option<Side> {
        self.desk.whole().course.offender
    }

    /// Whether the position is known, on every board.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.desk.judging && self.seat.table().is_known()
    }

    /// Linked boards as far as they are known; `None` for any other game.
    #[must_use]
    pub fn linked(&self) -> Option<&Readings<Linked>> {
        self.seat.as_one_of::<Linked>().map(|table| table.line.now())
    }

    /// Why an instruction of a side's captain on linked boards cannot be carried out, as things stand.
    #[must_use]
    pub fn against_order(&self, order: &Order, side: Side) -> Option<String> {
        self.seat.as_one_of::<Linked>().and_then(|table| table.against_order(order, side))
    }

    /// What was done in the main line of a game of Overchess so far, in coordinates, where the options ask
    /// for it.
    #[must_use]
    pub fn deeds(&self) -> Option<&str> {
        self.desk.deeds.as_deref().filter(|_| self.seat.as_one_of::<Over>().is_some())
    }

    /// The same of every game in which plies do not tell it all.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        self.deeds().or(self.desk.deeds.as_deref().filter(|deeds| !deeds.is_empty()))
    }

    /// The next position of the main line that was kept, where the options ask for it, and after how many plies it
    /// stands.
    pub(crate) fn next_moment(&mut self) -> Option<(u32, AnyGame)> {
        let (plies, over) = self.seat.as_one_of_mut::<Over>()?.own.moments.pop_front()?;
        Some((plies, over.into()))
    }

    /// Whether between plies of the main line more can be said than plies: then its positions are those that are
    /// kept.
    pub(crate) fn keeps_moments(&self) -> bool {
        self.desk.options.moments && self.seat.as_one_of::<Over>().is_some()
    }

    /// Whether the position is known, and all that belongs to the last turn is done.
    pub(crate) fn is_between_turns(&self) -> bool {
        self.position().is_some_and(|game| game.is_between_turns())
    }

    /// How many sub-games of the outermost over-game White and Black have won so far in the main line; `None` in
    /// another game than Overchess.
    #[must_use]
    pub fn sub_games_won(&self) -> Option<[u32; 2]> {
        self.seat.as_one_of::<Over>().map(|table| table.own.won)
    }

    /// Who is called on as the main line of a game of Overchess stands; `None` of other games, and where it is not known or
    /// over.
    #[must_use]
    pub fn calls(&self) -> Option<calls::Calls> {
        self.seat.as_one_of::<Over>().filter(|_| self.desk.judging)?.calls()
    }

    /// The game of the record, as its tags say.
    #[must_use]
    pub const fn game(&self) -> Option<Variant> {
        self.desk.game
    }

    /// The level of Recursive Chess that the record asks for; `None` in another game, and where it cannot
    /// be told.
    #[must_use]
    pub fn level(&self) -> Option<u8> {
        self.desk.level().filter(|_| self.desk.game.is_some_and(|game| game.info().has_levels))
    }

    /// The value of a tag of the record.
    #[must_use]
    pub fn tag(&self, name: Name) -> Option<String> {
        self.desk.papers.header.text(name)
    }

    /// The position reached; `None` where it is not known, or no rules of the game are here.
    #[must_use]
    pub fn position(&self) -> Option<AnyGame> {
        if !self.desk.judging {
            return None;
        }
        self.seat.table().reached()
    }
}

fn has_command(parser: &Parser<'_>) -> bool {
    command::commands(parser.text(parser.place().span)).next().is_some()
}

/// Where judging stops: before the move to come, or behind it, when it is the move that was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unjudged {
    ThisMove,
    NextMove,
}

/// The moment at which a move of this number and side is due; without one, the first.
fn moment_before(due: Option<(u32, Side)>) -> String {
    match due {
        Some((number, Side::Black)) => after_move(number, Side::White),
        Some((number @ 2.., Side::White)) => after_move(number - 1, Side::Black),
        Some((_, Side::White)) | None => "start".into(),
    }
}

/// `12.` before a move of White, `12...` before one of Black.
fn number_of(number: u32, side: Side) -> String {
    let dots = if side == Side::White { "." } else { "..." };
    format!("{number}{dots}")
}
