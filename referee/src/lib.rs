//! The referee: follows a record as it is read, judges every ply, and tells what it found in a [`report`].
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser};
//! use overboard_referee::{Options, Referee};
//!
//! let text = "1. e4 e5 2. Ke3 Nf6 *";
//! let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
//! let report = Referee::new(Options::default()).judge(&mut parser).unwrap().expect("one game");
//! assert_eq!(report.findings.last().unwrap().rule.unwrap().id, "CH-13");
//! ```

use crate::{
    finding::{Severity, Verdict, Weights},
    report::Report,
};
use desk::Desk;
use linked::LinkedPlay;
use nested::MegaPlay;
use overboard_formats::{
    canonical::Canonical,
    command,
    header::Name,
    lex::Prose,
    limits::Limits,
    parse::{Event, Fault, Parser},
    span::Span,
};
use overboard_games::{
    chess::Chess,
    game_notation::GameNotation as _,
    metachess::Meta,
    olympic::Olympic,
    overchess::{self, DEEPEST},
    registry::{AnyGame, Variant},
    strategichess::{
        Strategi,
        linked::{
            Linked,
            order::{Order, Unfit},
        },
    },
};
use overboard_rules::{outcome::Ruling, square::Side};
use overs::OverPlay;
use play::Play;
use std::{borrow::Cow, io};

/// Does the same whatever the game.
macro_rules! at_table {
    ($table:expr, $play:ident => $what:expr) => {
        match $table {
            Table::Chess($play) => $what,
            Table::Olympic($play) => $what,
            Table::Strategi($play) => $what,
            Table::Meta($play) => $what,
            Table::Linked($play) => $what,
            Table::Mega($play) => $what,
            Table::Over($play) => $what,
        }
    };
}

pub mod calls;
#[cfg(test)]
mod chance;
#[cfg(test)]
#[path = "../../tests/depth/mod.rs"]
mod depth;
mod desk;
mod faults;
pub mod finding;
pub mod line;
mod linked;
mod nearest;
mod nested;
pub mod orders;
mod overs;
mod play;
mod plies;
mod remarks;
pub mod replay;
pub mod report;
mod roles;
pub mod score;
pub mod sheets;
mod tags;
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
    /// Keep what is done in the main line of a game of Overchess, in coordinates.
    pub deeds: bool,
    /// Keep the positions of the main line of a game of Overchess in which an over-move is due.
    pub moments: bool,
}

/// Judges records one after the other.
pub struct Referee {
    desk: Desk,
    table: Table,
}

/// The game being judged. Games without rules here are followed at the table of chess, unjudged.
enum Table {
    Chess(Play<Chess>),
    Olympic(Play<Olympic>),
    Strategi(Box<Play<Strategi>>),
    Meta(Box<Play<Meta>>),
    Linked(Box<LinkedPlay>),
    Mega(Box<MegaPlay>),
    Over(Box<OverPlay>),
}

impl Table {
    /// Takes a seat at the table of the game that the tags ask for; answers whether its rules are known
    /// here.
    fn seat(&mut self, desk: &Desk) -> bool {
        let mut is_known = desk.game.is_some();
        match desk.game {
            None | Some(Variant::Chess) => self.sit_down_to_chess(),
            // What was allocated for the record before serves again.
            Some(Variant::Olympic) if matches!(self, Self::Olympic(_)) => {}
            Some(Variant::Olympic) => *self = Self::Olympic(Play::default()),
            Some(Variant::Strategi) if desk.boards() > 1 => {
                *self = Self::Linked(Box::new(LinkedPlay::new(desk)));
            }
            Some(Variant::Strategi) if matches!(self, Self::Strategi(_)) => {}
            Some(Variant::Strategi) => *self = Self::Strategi(Box::default()),
            Some(Variant::Meta) if matches!(self, Self::Meta(_)) => {}
            Some(Variant::Meta) => *self = Self::Meta(Box::default()),
            Some(Variant::Mega) if desk.level() == Some(0) => self.sit_down_to_chess(),
            Some(Variant::Mega) => *self = Self::Mega(Box::new(MegaPlay::new(desk.level().unwrap_or(1)))),
            Some(Variant::Over) => {
                let options = overchess::options(&desk.rules());
                match u8::try_from(desk.depth()).unwrap_or(u8::MAX) {
                    0 => self.sit_down_to_chess(),
                    depth => *self = Self::Over(Box::new(OverPlay::new(depth, options))),
                }
                is_known = desk.depth() <= desk.options.limits.level.clamp(1, u32::from(DEEPEST));
            }
        }
        at_table!(self, play => play.reset());
        is_known
    }

    fn sit_down_to_chess(&mut self) {
        if !matches!(self, Self::Chess(_)) {
            *self = Self::Chess(Play::default());
        }
    }
}

impl Referee {
    /// A referee with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { desk: Desk::new(options, false), table: Table::Chess(Play::default()) }
    }

    /// A referee that tells for each legal ply how it is to be written.
    #[must_use]
    pub fn spelling(options: Options) -> Self {
        Self { desk: Desk::new(options, true), table: Table::Chess(Play::default()) }
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
        desk.note_overflow();
        let standing = at_table!(&self.table, play => play.standing(desk));
        let result = verdict::conclude(desk, standing, parser);
        let mut findings = std::mem::take(&mut desk.findings);
        findings.sort_by_key(|finding| (finding.place.span.from, finding.severity != Severity::Error));
        let verdict = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.code.verdict)
            .max()
            .unwrap_or(Verdict::Clean);
        self.desk.in_moves = false;
        Report {
            file: "".into(),
            game: 0,
            span: Span::new(self.desk.first_word.span.from, parser.record_start()),
            variant: self.variant_name(),
            verdict,
            result,
            plies: self.desk.plies,
            findings,
            players: [self.desk.header.text(Name::White), self.desk.header.text(Name::Black)],
            unjudged_from: self.desk.unjudged_from.take(),
            notes_counted: std::mem::take(&mut self.desk.notes_counted),
        }
    }

    fn variant_name(&self) -> Cow<'static, str> {
        match (self.desk.header.text(Name::Variant), self.desk.game) {
            (None, _) | (Some(_), Some(Variant::Chess)) => Variant::Chess.name().into(),
            (Some(name), _) => name.into(),
        }
    }

    /// Takes an event of the record. For a ply found legal, by a referee made with
    /// [`Self::spelling`], answers how it is to be written.
    #[inline]
    pub fn hear(&mut self, event: Event, parser: &Parser<'_>) -> Option<Canonical> {
        if !self.desk.in_moves && self.before_moves(event, parser) {
            return None;
        }
        at_table!(&mut self.table, play => play.hear(event, &mut self.desk, parser))
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
                !matches!(fault, Fault::Mark | Fault::Wide | Fault::BadTag(_) | Fault::Control)
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
        }
    }

    /// Whether an event is a ply: a result inside a turn is one, too.
    #[must_use]
    pub fn is_ply(&self, event: Event) -> bool {
        let in_turn = matches!(&self.table, Table::Mega(play) if play.in_turn());
        event == Event::Ply || (event == Event::Result && in_turn)
    }

    /// Plies of the main line heard so far.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.desk.plies
    }

    /// Whether neither a variation nor a block is open.
    #[must_use]
    pub fn in_main_line(&self) -> bool {
        self.desk.at_main_line() && self.desk.block_depth == 0
    }

    /// Whether the moves have begun, and the tags have been read.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.desk.in_moves
    }

    /// What ended the game so far.
    #[must_use]
    pub const fn ended(&self) -> Option<Ruling> {
        self.desk.course.ended
    }

    /// Whether the position is known, on every board.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.desk.judging && at_table!(&self.table, play => play.line.is_known())
    }

    /// Linked boards under each reading of what is not known, and which of the boards are lost; nothing
    /// for any other game.
    #[must_use]
    pub fn linked(&self) -> (&[Linked], &[bool]) {
        if let Table::Linked(play) = &self.table {
            (play.line.readings(), play.line.lost())
        } else {
            (&[], &[])
        }
    }

    /// What is wrong with an instruction of a side's captain on linked boards, as things stand.
    #[must_use]
    pub fn against_order(&self, order: &Order, side: Side) -> Option<Unfit> {
        if let Table::Linked(play) = &self.table { play.against_order(order, side) } else { None }
    }

    /// What was done in the main line of a game of Overchess so far, in coordinates, where the options ask
    /// for it.
    #[must_use]
    pub fn deeds(&self) -> Option<&str> {
        self.desk.deeds.as_deref().filter(|_| matches!(self.table, Table::Over(_)))
    }

    /// The next position of the main line that was kept, where the options ask for it, and after how many plies it
    /// stands.
    pub(crate) fn next_moment(&mut self) -> Option<(u32, AnyGame)> {
        let Table::Over(play) = &mut self.table else { return None };
        play.moments.pop_front().map(|(plies, over)| (plies, over.into()))
    }

    /// Whether between plies of the main line more can be said than plies: then its positions are those that are
    /// kept.
    pub(crate) fn keeps_moments(&self) -> bool {
        self.desk.options.moments && matches!(self.table, Table::Over(_))
    }

    /// Whether the position is known, and all that belongs to the last turn is done.
    pub(crate) fn is_between_turns(&self) -> bool {
        self.position().is_some_and(|game| game.is_between_turns())
    }

    /// How many sub-games of the outermost over-game White and Black have won so far in the main line; `None` in
    /// another game than Overchess.
    #[must_use]
    pub fn sub_games_won(&self) -> Option<[u32; 2]> {
        self.over_play().map(|play| play.won)
    }

    /// Who is called on as the main line of a game of Overchess stands; `None` of other games, and where it is not known or
    /// over.
    #[must_use]
    pub fn calls(&self) -> Option<calls::Calls> {
        self.over_play().filter(|_| self.desk.judging)?.calls()
    }

    fn over_play(&self) -> Option<&OverPlay> {
        match &self.table {
            Table::Over(play) => Some(play),
            Table::Chess(_)
            | Table::Olympic(_)
            | Table::Strategi(_)
            | Table::Meta(_)
            | Table::Linked(_)
            | Table::Mega(_) => None,
        }
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
        self.desk.level().filter(|_| self.desk.game == Some(Variant::Mega))
    }

    /// The value of a tag of the record.
    #[must_use]
    pub fn tag(&self, name: Name) -> Option<String> {
        self.desk.header.text(name)
    }

    /// The position reached; `None` where it is not known, or no rules of the game are here.
    #[must_use]
    pub fn position(&self) -> Option<AnyGame> {
        if !self.desk.judging {
            return None;
        }
        at_table!(&self.table, play => play.reached())
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

/// `12.` before a move of White, `12...` before one of Black.
fn number_of(number: u32, side: Side) -> String {
    let dots = if side == Side::White { "." } else { "..." };
    format!("{number}{dots}")
}
