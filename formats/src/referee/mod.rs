//! Events into a report: the referee follows a record as it is read and judges every ply.

use crate::{
    command::TimeControl,
    fen::AsFen,
    finding::{self as code, Finding, Severity, Verdict, Weights},
    header::{Game, Header, Name},
    limits::Limits,
    line::{Course, History, Line},
    parse::{Event, Parser},
    report::Report,
    san::Suffix,
    span::{Place, Span},
};
use overboard_rules::{chess::Chess, ply::Written, square::Side};
use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, Read},
};

mod faults;
mod nearest;
mod notes;
mod plies;
mod remarks;
mod tags;
mod verdict;

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
}

/// A ply found legal, as it is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The move, with no more of its origin than needed.
    pub written: Written,
    /// The sign that it must carry.
    pub suffix: Suffix,
    /// The side that makes it.
    pub side: Side,
    /// The number of the move.
    pub number: u32,
}

/// Findings of one code listed in one game before they are only counted.
const LISTED: u32 = 1000;
/// Bytes of a line shown before and behind a finding.
const CONTEXT: usize = 200;

/// Judges records one after the other.
pub struct Referee {
    options: Options,
    canonical: bool,
    header: Header,
    game: Option<Game>,
    line: Line,
    outer: Vec<Line>,
    history: History,
    course: Course,
    judging: bool,
    plies: u32,
    marker: Option<Place>,
    findings: Vec<Finding>,
    listed: HashMap<&'static str, u32>,
    notes_counted: u32,
    in_moves: bool,
    block_depth: usize,
    unjudged_from: Option<String>,
    numbered: bool,
    interrupted: bool,
    last: LastPly,
    time_control: Option<TimeControl>,
    attempts_allowed: u32,
    unknown_commands: Vec<Vec<u8>>,
    first_word: Place,
    last_word: Place,
}

/// The ply read last.
#[derive(Clone, Copy, Debug)]
struct LastPly {
    place: Place,
    /// The number of its move, and its side.
    number: (u32, Side),
    refused: Option<usize>,
    moved: bool,
}

impl LastPly {
    const NONE: Self = Self { place: Place::NOWHERE, number: (1, Side::White), refused: None, moved: false };
}

impl Referee {
    /// A referee with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            canonical: false,
            header: Header::default(),
            game: Some(Game::Chess),
            line: Line::from(Chess::default()),
            outer: Vec::new(),
            history: History::default(),
            course: Course::default(),
            judging: true,
            plies: 0,
            marker: None,
            findings: Vec::new(),
            listed: HashMap::new(),
            notes_counted: 0,
            in_moves: false,
            block_depth: 0,
            unjudged_from: None,
            numbered: false,
            interrupted: true,
            last: LastPly::NONE,
            time_control: None,
            attempts_allowed: 2,
            unknown_commands: Vec::new(),
            first_word: Place::NOWHERE,
            last_word: Place::NOWHERE,
        }
    }

    /// A referee that tells for each legal ply how it is to be written.
    #[must_use]
    pub fn spelling(options: Options) -> Self {
        Self { canonical: true, ..Self::new(options) }
    }

    /// Reads and judges the next record; `None` when there are no more.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn judge<R: Read>(&mut self, parser: &mut Parser<R>) -> io::Result<Option<Report>> {
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
    pub fn take_report<R: Read>(&mut self, parser: &mut Parser<R>) -> Report {
        self.note_long_lines(parser);
        self.note_overflow();
        let result = verdict::conclude(self, parser);
        let mut findings = std::mem::take(&mut self.findings);
        findings.sort_by_key(|finding| (finding.place.span.from, finding.severity != Severity::Error));
        let verdict = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.code.verdict)
            .max()
            .unwrap_or(Verdict::Clean);
        Report {
            file: "".into(),
            game: 0,
            variant: self.variant_name(),
            verdict,
            result,
            plies: self.plies,
            findings,
            players: [self.header.text(Name::White), self.header.text(Name::Black)],
            unjudged_from: self.unjudged_from.take(),
            notes_counted: std::mem::take(&mut self.notes_counted),
        }
    }

    fn variant_name(&self) -> Cow<'static, str> {
        match (self.header.text(Name::Variant), self.game) {
            (None, _) | (Some(_), Some(Game::Chess)) => Game::Chess.name().into(),
            (Some(name), _) => name.into(),
        }
    }

    /// Takes an event of the record. For a ply found legal, by a referee made with
    /// [`Self::spelling`], answers how it is to be written.
    #[inline]
    pub fn hear<R: Read>(&mut self, event: Event, parser: &Parser<R>) -> Option<Canonical> {
        match event {
            Event::Ply => return self.ply(parser),
            Event::Number => self.number(parser),
            _ => self.hear_rarely(event, parser),
        }
        None
    }

    #[inline(never)]
    fn hear_rarely<R: Read>(&mut self, event: Event, parser: &Parser<R>) {
        match event {
            Event::Prose(prose, part) => self.prose(prose, part, parser),
            Event::Begin => self.begin(parser),
            Event::Tag => self.tag(parser),
            Event::Nag => self.nag(parser),
            Event::Glyphs => self.glyphs(parser),
            Event::RavOpen => self.open_rav(parser),
            Event::RavClose => self.close_rav(parser),
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_) => self.open_block(event, parser),
            Event::BlockClose(_) => self.block_depth = self.block_depth.saturating_sub(1),
            Event::Result => self.result(parser),
            Event::Fault(fault) => self.fault(fault, parser),
            Event::End => self.enter_moves(parser),
            Event::Ply
            | Event::Number
            | Event::Address
            | Event::Argument
            | Event::Suffix
            | Event::Unread
            | Event::Done => {}
        }
    }

    fn begin<R: Read>(&mut self, parser: &Parser<R>) {
        self.header.clear();
        self.game = Some(Game::Chess);
        self.outer.clear();
        self.course = Course::default();
        self.judging = true;
        self.plies = 0;
        self.marker = None;
        self.findings.clear();
        self.listed.clear();
        self.in_moves = false;
        self.block_depth = 0;
        self.unjudged_from = None;
        self.numbered = false;
        self.interrupted = true;
        self.last = LastPly::NONE;
        self.time_control = None;
        self.attempts_allowed = 2;
        self.unknown_commands.clear();
        self.last_word = *parser.place();
        self.first_word = self.last_word;
    }

    fn at_main_line(&self) -> bool {
        self.outer.is_empty()
    }

    fn open_block<R: Read>(&mut self, event: Event, parser: &Parser<R>) {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        self.block_depth += 1;
        if self.game != Some(Game::Chess) || self.block_depth > 1 {
            return;
        }
        let (what, game) = match event {
            Event::SubgameOpen => ("a sub-game `<`", "Overchess"),
            Event::TurnOpen => ("a turn `<`", "Recursive Chess"),
            _ => ("an action `<`", "Overchess"),
        };
        self.extension(what, game, *parser.place(), parser);
        self.give_up(Unjudged::ThisMove);
        self.judging = false;
    }

    fn result<R: Read>(&mut self, parser: &Parser<R>) {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        if self.block_depth > 0 {
            return;
        }
        let place = *parser.place();
        self.settle_suffix(parser);
        if !matches!(parser.text(place.span), b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
            self.find(&code::RESULT_FORM, place, parser, "a draw is written `1/2-1/2`".into());
        }
        self.marker = Some(place);
        self.last_word = place;
    }

    fn note_long_lines<R: Read>(&mut self, parser: &mut Parser<R>) {
        let (count, (line, line_start)) = parser.take_long_lines();
        if count > 0 {
            let place = Place { span: Span::new(line_start + 255, line_start + 256), line, line_start };
            let what = if count == 1 { "a line is".to_string() } else { format!("{count} lines are") };
            self.find(&code::LONG_LINE, place, parser, format!("{what} longer than 255 characters"));
        }
    }

    fn note_overflow(&mut self) {
        let mut over: Vec<_> = self
            .listed
            .iter()
            .filter(|(_, count)| **count > LISTED)
            .map(|(id, count)| (*id, *count - LISTED))
            .collect();
        over.sort_unstable();
        for (id, count) in over {
            if let Some(last) = self.findings.iter().rfind(|finding| finding.code.id == id).cloned() {
                self.findings.push(Finding {
                    code: &code::MORE,
                    severity: last.severity,
                    message: format!("{count} more findings of the kind {id} in this game"),
                    ..last
                });
            }
        }
    }

    fn extension<R: Read>(&mut self, what: &str, game: &str, place: Place, parser: &Parser<R>) {
        let tag = if game == "Recursive Chess" {
            format!("[Variant \"{game}\"] with [Level \"1\"]")
        } else {
            format!("[Variant \"{game}\"]")
        };
        self.find(
            &code::EXTENSION_TOKEN,
            place,
            parser,
            format!("{what} is no notation of chess; it needs the tag {tag}"),
        );
    }

    /// The number of the move to come, as it is written.
    fn move_number(&self) -> String {
        number_of(self.line.position.fullmove(), self.line.position.turn())
    }

    fn fen(&self) -> String {
        AsFen(&self.line.position.to_setup()).to_string()
    }

    /// From here on the position is not known.
    fn give_up(&mut self, from: Unjudged) {
        if self.outer.is_empty() && self.judging && self.line.known {
            let (number, side) = (self.line.position.fullmove(), self.line.position.turn());
            self.unjudged_from = Some(match (from, side) {
                (Unjudged::ThisMove, side) => number_of(number, side),
                (Unjudged::NextMove, Side::White) => number_of(number, Side::Black),
                (Unjudged::NextMove, Side::Black) => number_of(number + 1, Side::White),
            });
        }
        self.line.lose();
        self.numbered = false;
    }
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
