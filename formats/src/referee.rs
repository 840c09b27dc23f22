//! Events into a report: the referee follows a record as it is read and judges every ply.

use crate::{
    command::{self, Command, TimeControl, commands, duration},
    encoding::{decode, has_control},
    fen::{AsFen, Fen},
    finding::{self as code, Code, Excerpt, Finding, Severity, Verdict, Weights},
    header::{Game, Header, Name, ROSTER, contradictions},
    lex::{Part, Prose, TagFault},
    limits::Limits,
    line::{Course, History, Line},
    parse::{Event, Fault, Open, Parser},
    report::{GameResult, Report},
    san::{CHESS, Leniency, San, SanFault, Spelt, Suffix},
    span::{Place, Span},
};
use overboard_rules::{
    chess::{Chess, Found, Move},
    laws::{chess as law, common},
    outcome::{Cause, Outcome, Ruling},
    ply::{Pattern, Written},
    refusal::{Reason, Refusal, list},
    rule::Rule,
    square::{Role, Side, Square},
};
use std::{
    collections::HashMap,
    io::{self, Read},
};

/// How to judge.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Limits on the text.
    pub limits: Limits,
    /// Which findings weigh what.
    pub weights: Weights,
    /// Rules in force beside those that a record declares, as in its tag Rules.
    pub rules: String,
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
    pub(crate) header: Header,
    pub(crate) game: Option<Game>,
    pub(crate) line: Line,
    outer: Vec<Line>,
    history: History,
    pub(crate) course: Course,
    pub(crate) judging: bool,
    pub(crate) plies: u32,
    pub(crate) marker: Option<Place>,
    pub(crate) findings: Vec<Finding>,
    listed: HashMap<&'static str, u32>,
    in_moves: bool,
    block_depth: usize,
    pub(crate) unjudged_from: Option<String>,
    numbered: bool,
    interrupted: bool,
    last: LastPly,
    time_control: Option<TimeControl>,
    attempts_allowed: u32,
    unknown_commands: Vec<Vec<u8>>,
    pub(crate) last_word: Place,
}

/// The ply judged last on the line being read.
#[derive(Clone, Copy, Debug, Default)]
struct LastPly {
    place: Place,
    refused: Option<usize>,
    moved: bool,
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
            in_moves: false,
            block_depth: 0,
            unjudged_from: None,
            numbered: false,
            interrupted: true,
            last: LastPly::default(),
            time_control: None,
            attempts_allowed: 2,
            unknown_commands: Vec::new(),
            last_word: Place::default(),
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
        let result = self.conclude(parser);
        let mut findings = std::mem::take(&mut self.findings);
        findings.sort_by_key(|finding| (finding.place.span.from, finding.severity != Severity::Error));
        let verdict = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.code.verdict)
            .max()
            .unwrap_or(Verdict::Clean);
        Report {
            file: String::new(),
            game: 0,
            variant: self.variant_name(),
            verdict,
            result,
            plies: self.plies,
            findings,
            players: [self.header.text(Name::White), self.header.text(Name::Black)],
            unjudged_from: self.unjudged_from.take(),
        }
    }

    fn variant_name(&self) -> String {
        match (self.header.text(Name::Variant), self.game) {
            (None, _) | (Some(_), Some(Game::Chess)) => Game::Chess.name().into(),
            (Some(name), _) => name,
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
            Event::Ply | Event::Number | Event::Address | Event::Argument | Event::Suffix | Event::Unread | Event::Done => {}
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
        self.last = LastPly::default();
        self.time_control = None;
        self.attempts_allowed = 2;
        self.unknown_commands.clear();
        self.last_word = *parser.place();
    }

    fn tag<R: Read>(&mut self, parser: &Parser<R>) {
        let tag = parser.lexer().tag();
        let (name, value) = (parser.text(tag.name), parser.text(tag.value));
        let place = parser.place().at(tag.value);
        self.last_word = place;
        if has_control(value) {
            self.find(&code::CONTROL_CHARACTER, place, parser, "a control character in a tag value".into());
        }
        if !value.is_ascii() && std::str::from_utf8(value).is_err() {
            self.find(&code::ENCODING, place, parser, "not UTF-8; read as Latin-1".into());
        }
        // The tags of a sub-game are its own; its referee comes with its game.
        if self.block_depth == 0 && !self.header.add(name, value, place) {
            let name = decode(name).0.into_owned();
            self.find(&code::DUPLICATE_TAG, place, parser, format!("the tag {name} stands twice; the first counts"));
        }
    }

    /// The tags are over: what do they ask for?
    #[cold]
    fn enter_moves<R: Read>(&mut self, parser: &Parser<R>) {
        if self.in_moves {
            return;
        }
        self.in_moves = true;
        self.game = Game::of(self.header.bytes(Name::Variant));
        self.line = Line::from(Chess::default());
        let game = self.game;
        match game {
            Some(Game::Chess) => self.set_up(parser),
            _ => self.refuse_variant(game, parser),
        }
        self.check_tags(parser);
        if self.judging {
            self.history.start(&self.line.position);
            if self.line.position.halfmove() >= 150 || self.line.position.is_dead() {
                self.course.ended = self.line.position.ending();
            }
        }
    }

    fn refuse_variant<R: Read>(&mut self, game: Option<Game>, parser: &Parser<R>) {
        self.judging = false;
        let Some(place) = self.header.place(Name::Variant) else { return };
        let message = match game {
            Some(game) => format!("the rules of {} are not in this version; the record is read and not judged", game.name()),
            None => "a variant whose rules are not known here is never judged as chess".to_string(),
        };
        self.find(&code::UNKNOWN_VARIANT, place, parser, message);
    }

    fn set_up<R: Read>(&mut self, parser: &Parser<R>) {
        let set_up = self.header.bytes(Name::SetUp).map(<[u8]>::to_vec);
        let Some(fen) = self.header.text(Name::Fen) else {
            if set_up.as_deref() == Some(b"1") {
                let place = self.header.place(Name::SetUp).unwrap_or_default();
                self.find(&code::SETUP_TAG, place, parser, "SetUp \"1\" announces a FEN, and there is none".into());
            }
            return;
        };
        let place = self.header.place(Name::Fen).unwrap_or_default();
        if set_up.as_deref() != Some(b"1") {
            self.find(&code::SETUP_TAG, place, parser, "a FEN stands here without SetUp \"1\"".into());
        }
        match Fen::parse(&fen) {
            Ok(read) => {
                if read.lenient {
                    self.find(&code::FEN_FORM, place, parser, "a FEN has six fields with one space between them, the last from 1 on".into());
                }
                match Chess::from_setup(&read.setup) {
                    Ok(position) => self.line = Line::from(position),
                    Err(reasons) => {
                        self.judging = false;
                        let message = format!("no game can start from this position: {}", list(reasons, "and"));
                        if let Some(finding) = self.find(&code::IMPOSSIBLE_POSITION, place, parser, message) {
                            finding.rule = Some(&law::SET_UP);
                        }
                    }
                }
            }
            Err(fault) => {
                self.judging = false;
                let at = |index: usize| place.span.from + index as u64;
                let here = Span::new(at(fault.bytes.start), at(fault.bytes.end));
                self.find(&code::BAD_FEN, place.at(here), parser, format!("the FEN cannot be read: {fault}"));
            }
        }
    }

    fn check_tags<R: Read>(&mut self, parser: &Parser<R>) {
        if let Some(game) = self.game {
            for (name, message) in contradictions(&self.header, game, &self.options.limits) {
                let place = self.header.place(name).unwrap_or_default();
                let kind = if matches!(name, Name::White | Name::Black | Name::Boards) { &code::BAD_LIST } else { &code::BAD_RULES };
                self.find(kind, place, parser, message);
            }
        }
        self.read_options();
        if let Some(text) = self.header.text(Name::TimeControl) {
            match command::time_control(&text) {
                Ok(control) => self.time_control = control,
                Err(()) => {
                    let place = self.header.place(Name::TimeControl).unwrap_or_default();
                    self.find(&code::BAD_TIME_CONTROL, place, parser, "expected `-`, `?`, seconds, seconds+increment, moves/seconds or `*`seconds, joined with `:`".into());
                }
            }
        }
        let names = [Name::Event, Name::Site, Name::Date, Name::Round, Name::White, Name::Black, Name::Result];
        let missing: Vec<_> = names.into_iter().zip(ROSTER).filter(|(name, _)| self.header.place(*name).is_none()).map(|(_, name)| name).collect();
        if !missing.is_empty() {
            self.find(&code::MISSING_TAG, self.last_word, parser, format!("of the Seven Tag Roster {} missing: {}", if missing.len() == 1 { "one tag is" } else { "tags are" }, list(missing, "and")));
        }
    }

    fn read_options(&mut self) {
        let declared = self.header.text(Name::Rules).unwrap_or_default();
        for item in self.options.rules.split(':').chain(declared.split(':')) {
            if let Some(count) = item.strip_prefix("illegal=").and_then(|n| n.parse().ok()) {
                self.attempts_allowed = count;
            }
        }
    }

    fn at_main_line(&self) -> bool {
        self.outer.is_empty()
    }

    #[inline]
    fn number<R: Read>(&mut self, parser: &Parser<R>) {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        self.numbered = true;
        if !self.judging || !self.line.known {
            return;
        }
        let text = parser.text(parser.place().span);
        if text[0] == b'.' {
            return;
        }
        let position = &self.line.position;
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let dots = text.len() - text.iter().position(|b| *b == b'.').unwrap_or(text.len());
        let number = text[..digits].iter().fold(0_u32, |sum, b| sum.saturating_mul(10).saturating_add(u32::from(b - b'0')));
        let expected_dots = if position.turn() == Side::White { 1 } else { 3 };
        if number == position.fullmove() && dots == expected_dots && digits + dots == text.len() {
            return;
        }
        self.wrong_number(number, digits + dots < text.len(), dots, parser);
    }

    #[cold]
    fn wrong_number<R: Read>(&mut self, number: u32, board: bool, dots: usize, parser: &Parser<R>) {
        let place = *parser.place();
        let expected = self.move_number();
        if board {
            self.extension("a board letter in a move number", "StrategiChess", place, parser);
        } else if number == self.line.position.fullmove() {
            if dots > 0 {
                self.find(&code::NUMBER_FORM, place, parser, format!("expected `{expected}`"));
            }
        } else {
            let text = decode(parser.text(place.span)).0.into_owned();
            let shown: String = text.chars().take(20).collect();
            self.find(&code::MOVE_NUMBER, place, parser, format!("this is move {expected} and not {shown}"));
        }
    }

    /// The number of the move to come, as it is written.
    pub(crate) fn move_number(&self) -> String {
        number_of(&self.line.position)
    }

    #[inline(always)]
    fn ply<R: Read>(&mut self, parser: &Parser<R>) -> Option<Canonical> {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        let main = self.outer.is_empty();
        self.last.place = *parser.place();
        if main {
            self.course.wrong_claim = false;
            if self.block_depth == 0 {
                self.plies += 1;
            }
        }
        if !self.judging || !self.line.known {
            self.line.before_known = false;
            self.last.refused = None;
            self.numbered = false;
            return None;
        }
        let san = match San::parse(parser.text(self.last.place.span), &CHESS) {
            Ok(san) => san,
            Err(fault) => return self.unreadable_ply(fault, parser),
        };
        if main && self.course.ended.is_some() {
            return self.past_the_end(parser);
        }
        match self.line.position.find(&san.written) {
            Found::One(m) => self.accept(&san, m, parser),
            Found::None | Found::Several if !main && san.written == Written::Pass => self.null_move(parser),
            Found::None | Found::Several => self.refuse(&san, parser),
        }
    }

    #[inline(always)]
    fn accept<R: Read>(&mut self, san: &San, m: Move, parser: &Parser<R>) -> Option<Canonical> {
        let main = self.outer.is_empty();
        if let Written::Move(pattern) = &san.written {
            let plain = pattern.file.is_none() && pattern.rank.is_none() && pattern.capture == m.is_capture();
            if !plain && !is_plain_pawn_capture(pattern, m) {
                self.check_spelling(pattern, m, parser);
            }
        }
        if let Some(leniency) = san.leniency {
            self.forgive(leniency, parser);
        }
        if !self.numbered && (self.interrupted || self.line.position.turn() == Side::White) {
            self.missing_number(parser);
        }
        self.numbered = false;
        self.interrupted = false;
        let before = &self.line.position;
        let spelt = self.canonical.then(|| (before.written(m), before.turn(), before.fullmove()));
        let irreversible = self.line.position.is_irreversible(m);
        self.line.play(m);
        self.last.moved = true;
        self.last.refused = None;
        let checks = self.line.position.in_check();
        match san.suffix {
            Suffix::None if !checks => {}
            Suffix::Check if checks => self.line.may_be_mate = true,
            _ => self.check_suffix(san.suffix, parser),
        }
        if main {
            self.follow_course(irreversible, m);
        }
        spelt.map(|(written, side, number)| Canonical { written, suffix: true_suffix(&self.line.position), side, number })
    }

    #[inline]
    fn follow_course(&mut self, irreversible: bool, m: Move) {
        let position = &self.line.position;
        let count = self.history.reach(position, irreversible);
        let halfmove = position.halfmove();
        if count >= 3 {
            self.course.claimable[0].get_or_insert(self.plies);
        }
        if halfmove >= 100 {
            self.course.claimable[1].get_or_insert(self.plies);
        }
        if count >= 5 || halfmove >= 150 || (m.is_capture() && position.is_dead()) {
            self.course.ended = position.ending().or(Some(Ruling { outcome: Outcome::Draw, cause: Cause::Fivefold, rule: &common::DRAWS }));
        }
    }

    #[cold]
    fn missing_number<R: Read>(&mut self, parser: &Parser<R>) {
        let message = format!("expected `{}` before the move", self.move_number());
        self.find(&code::MISSING_NUMBER, self.last.place, parser, message);
    }

    #[inline(never)]
    fn check_spelling<R: Read>(&mut self, pattern: &Pattern, m: Move, parser: &Parser<R>) {
        let Written::Move(right) = self.line.position.written(m) else { return };
        let place = self.last.place;
        let spelt = Spelt(Written::Move(right)).to_string();
        if m.is_capture() && !pattern.capture {
            self.find(&code::MISSING_CAPTURE, place, parser, format!("a capture is written `{spelt}`"));
        } else if pattern.capture && !m.is_capture() {
            self.find(&code::EXTRA_CAPTURE, place, parser, format!("nothing is taken: `{spelt}`"));
        }
        if (pattern.file, pattern.rank) == (right.file, right.rank) {
            return;
        }
        let whole = pattern.file.is_some() && pattern.rank.is_some();
        let (kind, why) = if whole {
            (&code::LONG_ALGEBRAIC, "the whole origin is more than is needed")
        } else if right.file.is_none() && right.rank.is_none() {
            (&code::OVER_DISAMBIGUATED, "no other piece of the kind can go there")
        } else {
            (&code::DISAMBIGUATION, "pieces are told apart by file, else by rank, else by both")
        };
        self.find(kind, place, parser, format!("{why}: `{spelt}`"));
    }

    #[cold]
    fn forgive<R: Read>(&mut self, leniency: Leniency, parser: &Parser<R>) {
        let (kind, message) = match leniency {
            Leniency::Dash => (&code::LONG_ALGEBRAIC, "a dash between origin and arrival"),
            Leniency::ZeroCastling | Leniency::LetterCastling => (&code::CASTLING_FORM, "castling is written `O-O` or `O-O-O` with capital letters"),
            Leniency::SmallPiece => (&code::SMALL_PIECE, "a piece is written with a capital letter"),
            Leniency::Figurine => (&code::FIGURINE, "a piece is written with a letter"),
            Leniency::PawnLetter => (&code::PAWN_LETTER, "a pawn has no letter"),
            Leniency::PromotionForm => (&code::PROMOTION_FORM, "a promotion is written `=Q`, `=R`, `=B` or `=N`"),
            Leniency::EnPassantMark => (&code::EN_PASSANT_MARK, "en passant is not marked"),
        };
        self.find(kind, self.last.place, parser, message.into());
    }

    #[cold]
    fn check_suffix<R: Read>(&mut self, given: Suffix, parser: &Parser<R>) {
        let right = true_suffix(&self.line.position);
        self.line.may_be_mate = false;
        if given == right {
            return;
        }
        self.wrong_suffix(right, self.last.place, parser);
    }

    fn wrong_suffix<R: Read>(&mut self, right: Suffix, place: Place, parser: &Parser<R>) {
        let message = match right {
            Suffix::Mate => "this is checkmate: `#`",
            Suffix::Check => "this is check: `+`",
            Suffix::None | Suffix::Double => "this is no check",
        };
        let ply = self.outer.is_empty().then_some(self.plies);
        if let Some(finding) = self.find(&code::CHECK_SUFFIX, place, parser, message.into()) {
            finding.ply = ply;
        }
    }

    /// A line ends: was its last check a mate?
    fn settle_suffix<R: Read>(&mut self, parser: &Parser<R>) {
        if std::mem::take(&mut self.line.may_be_mate) && self.line.known && !self.line.position.has_legal_move() {
            self.wrong_suffix(Suffix::Mate, self.last.place, parser);
        }
    }

    #[cold]
    fn unreadable_ply<R: Read>(&mut self, fault: SanFault, parser: &Parser<R>) -> Option<Canonical> {
        let place = self.last.place;
        match fault {
            SanFault::Drop => self.extension("a drop `@`", "Olympic Chess", place, parser),
            SanFault::Above => self.extension("an arrival on the second level `^`", "MetaChess #4", place, parser),
            SanFault::Beside => self.extension("an arrival on another board `/`", "StrategiChess", place, parser),
            _ => {
                let text = parser.text(place.span).to_vec();
                let nearest = nearest(&self.line.position, &decode(&text).0);
                let number = self.move_number();
                let fen = self.fen();
                let ply = self.outer.is_empty().then_some(self.plies);
                if let Some(finding) = self.find(&code::BAD_PLY, place, parser, format!("not a move: {fault}")) {
                    finding.nearest = nearest;
                    finding.number = Some(number);
                    finding.position = Some(fen);
                    finding.ply = ply;
                }
            }
        }
        self.give_up();
        None
    }

    /// From here on the position is not known.
    fn give_up(&mut self) {
        if self.outer.is_empty() && self.judging && self.line.known {
            let next = match self.line.position.turn() {
                Side::White => format!("{}...", self.line.position.fullmove()),
                Side::Black => format!("{}.", self.line.position.fullmove() + 1),
            };
            self.unjudged_from = Some(next);
        }
        self.line.lose();
        self.numbered = false;
    }

    fn fen(&self) -> String {
        AsFen(&self.line.position.to_setup()).to_string()
    }

    #[cold]
    fn past_the_end<R: Read>(&mut self, parser: &Parser<R>) -> Option<Canonical> {
        let Some(ended) = self.course.ended else { return None };
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        let (number, fen, ply) = (self.move_number(), self.fen(), self.plies);
        if let Some(finding) = self.find(&code::MOVE_AFTER_END, self.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
            finding.number = Some(number);
            finding.position = Some(fen);
            finding.ply = Some(ply);
        }
        self.give_up();
        None
    }

    #[cold]
    fn refuse<R: Read>(&mut self, san: &San, parser: &Parser<R>) -> Option<Canonical> {
        let Some(refusal) = Refusal::of(&self.line.position, &san.written) else { return None };
        self.settle_suffix_before(parser);
        let main = self.outer.is_empty();
        if let (Reason::Ended(ruling), true) = (refusal.reason(), main) {
            self.course.ended = Some(*ruling);
            return self.past_the_end(parser);
        }
        let text = decode(parser.text(self.last.place.span)).0.into_owned();
        let position = &self.line.position;
        let possible = refusal.possible(position).into_iter().map(|m| spell(position, m)).collect();
        let ambiguous = matches!(refusal.reason(), Reason::Ambiguous(_));
        let nearest = if ambiguous { None } else { nearest(position, &text) };
        let (number, fen) = (self.move_number(), self.fen());
        let signal = signals_result(&san.written);
        let mut message = format!("{number} {} is illegal: {refusal}", text.trim_end_matches(['+', '#']));
        if signal {
            message.push_str(" (electronic boards signal a result with the kings on the centre squares)");
        }
        let kind = if main { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let ply = main.then_some(self.plies);
        let index = self.findings.len();
        if let Some(finding) = self.find(kind, self.last.place, parser, message) {
            finding.rule = Some(refusal.rule());
            finding.possible = possible;
            finding.nearest = nearest;
            finding.number = Some(number);
            finding.position = Some(fen);
            finding.ply = ply;
        }
        self.give_up();
        self.last.refused = main.then_some(index);
        self.last.moved = true;
        None
    }

    /// The ply before this one claimed check: it was mate if nothing is possible now.
    fn settle_suffix_before<R: Read>(&mut self, parser: &Parser<R>) {
        if std::mem::take(&mut self.line.may_be_mate) && !self.line.position.has_legal_move() {
            let refused = self.last.place;
            let message = "the check before this move is checkmate: `#`".to_string();
            self.find(&code::CHECK_SUFFIX, refused, parser, message);
        }
    }

    #[cold]
    fn null_move<R: Read>(&mut self, parser: &Parser<R>) -> Option<Canonical> {
        match self.line.position.passed() {
            Some(passed) => {
                self.find(&code::NULL_MOVE, self.last.place, parser, "a pass, as analysts write it".into());
                let (side, number) = (self.line.position.turn(), self.line.position.fullmove());
                self.line.jump(passed);
                self.numbered = false;
                Some(Canonical { written: Written::Pass, suffix: Suffix::None, side, number }).filter(|_| self.canonical)
            }
            None => {
                self.find(&code::ILLEGAL_VARIATION, self.last.place, parser, "a pass while in check".into());
                self.give_up();
                None
            }
        }
    }

    fn extension<R: Read>(&mut self, what: &str, game: &str, place: Place, parser: &Parser<R>) {
        let tag = if game == "Recursive Chess" { format!("[Variant \"{game}\"] with [Level \"1\"]") } else { format!("[Variant \"{game}\"]") };
        self.find(&code::EXTENSION_TOKEN, place, parser, format!("{what} is no notation of chess; it needs the tag {tag}"));
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
        self.give_up();
        self.judging = false;
    }

    fn open_rav<R: Read>(&mut self, parser: &Parser<R>) {
        if !self.in_moves {
            self.enter_moves(parser);
        }
        if self.plies == 0 && self.outer.is_empty() {
            self.find(&code::DANGLING, *parser.place(), parser, "a variation stands before any move".into());
        }
        let variation = self.line.variation();
        self.outer.push(std::mem::replace(&mut self.line, variation));
        self.interrupted = true;
        self.numbered = false;
    }

    fn close_rav<R: Read>(&mut self, parser: &Parser<R>) {
        self.settle_suffix(parser);
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
        self.interrupted = true;
        self.numbered = false;
        self.last.moved = false;
    }

    fn nag<R: Read>(&mut self, parser: &Parser<R>) {
        let text = parser.text(parser.place().span);
        let digits = text.strip_prefix(b"$").unwrap_or(text);
        let in_range = !digits.is_empty() && digits.len() <= 3 && digits.iter().fold(0, |sum, b| sum * 10 + u32::from(b - b'0')) <= 255;
        if !in_range {
            self.find(&code::NAG_RANGE, *parser.place(), parser, "a numeric annotation glyph is `$0` to `$255`".into());
        }
    }

    fn glyphs<R: Read>(&mut self, parser: &Parser<R>) {
        if parser.place().span.len() > 2 {
            self.find(&code::NAG_RANGE, *parser.place(), parser, "a move is annotated with one or two of `!` and `?`".into());
        }
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
        if parser.text(place.span) == b"1/2" {
            self.find(&code::RESULT_FORM, place, parser, "a draw is written `1/2-1/2`".into());
        }
        self.marker = Some(place);
        self.last_word = place;
    }

    #[inline]
    fn prose<R: Read>(&mut self, prose: Prose, part: Part, parser: &Parser<R>) {
        if prose == Prose::Escape {
            return;
        }
        self.interrupted = true;
        let span = parser.place().span;
        let text = parser.text(span);
        if has_control(text) {
            self.find(&code::CONTROL_CHARACTER, *parser.place(), parser, "a control character in a comment".into());
        }
        if part == Part::WHOLE && !text.is_ascii() && std::str::from_utf8(text).is_err() {
            self.find(&code::ENCODING, *parser.place(), parser, "not UTF-8; read as Latin-1".into());
        }
        if self.in_moves && self.at_main_line() && self.block_depth == 0 {
            let mut at = 0;
            while let Some(found) = commands(&parser.text(span)[at..]).next() {
                let here = parser.place().at(Span::new(span.from + (at + found.bytes.start) as u64, span.from + (at + found.bytes.end) as u64));
                at += found.bytes.end;
                self.command(&found, here, parser);
            }
        }
    }

    fn command<R: Read>(&mut self, command: &Command<'_>, place: Place, parser: &Parser<R>) {
        let arguments = command.arguments;
        let understood = match command.name {
            b"clk" => self.clock(arguments, place, parser),
            b"ts" => self.time_stamp(arguments, place, parser),
            b"emt" => duration(arguments).is_some(),
            _ if !self.judging || !self.line.known && command.name != b"stands" => true,
            b"resign" => self.resign(arguments),
            b"draw" => self.agree(arguments),
            b"flag" => self.flag(arguments),
            b"claim" => self.claim(arguments, place, parser),
            b"illegal" => self.attempt(arguments, place, parser),
            b"stands" => self.stands(arguments, place, parser),
            b"penalty" => self.penalty(arguments),
            name if command::is_known(name) => true,
            name => {
                self.unknown_command(name, place, parser);
                true
            }
        };
        if !understood {
            let name = decode(command.name).0.into_owned();
            self.find(&code::BAD_COMMAND, place, parser, format!("[%{name}] has arguments that it does not take; expected {}", expected_arguments(&name)));
        }
    }

    fn unknown_command<R: Read>(&mut self, name: &[u8], place: Place, parser: &Parser<R>) {
        if self.unknown_commands.iter().any(|known| known == name) || self.unknown_commands.len() > 64 {
            return;
        }
        self.unknown_commands.push(name.to_vec());
        self.find(&code::UNKNOWN_COMMAND, place, parser, format!("[%{}] is kept and not understood", decode(name).0));
    }

    /// The side that made the last ply.
    fn mover(&self) -> Side {
        self.line.position.turn().other()
    }

    fn clock<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
        let Some(shown) = duration(arguments) else { return false };
        if !self.judging || !self.line.known || !self.last.moved {
            return true;
        }
        let before = self.course.clocks.show(self.mover(), shown);
        let (Some(before), Some(control)) = (before, self.time_control) else { return true };
        if control.stages || shown <= before + control.increment + 999 {
            return true;
        }
        let message = format!("{}'s clock rises from {} to {}, and the time control adds {} s a move", self.mover(), tell_time(before), tell_time(shown), control.increment / 1000);
        self.find(&code::CLOCK_RISES, place, parser, message);
        true
    }

    fn time_stamp<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
        let Some(stamp) = duration(arguments) else { return false };
        if let Some(before) = self.course.clocks.stamp(stamp) {
            if stamp < before {
                self.find(&code::TIME_RUNS_BACKWARDS, place, parser, format!("{} comes after {}", tell_time(stamp), tell_time(before)));
            }
        }
        true
    }

    fn end_by(&mut self, outcome: Outcome, cause: Cause, rule: &'static Rule) {
        self.course.ended.get_or_insert(Ruling { outcome, cause, rule });
    }

    fn resign(&mut self, arguments: &[u8]) -> bool {
        let Some(side) = side_of(arguments) else { return false };
        self.end_by(Outcome::Win(side.other()), Cause::Resignation, &law::AGREED_END);
        true
    }

    fn agree(&mut self, arguments: &[u8]) -> bool {
        match arguments {
            b"agreed" => {
                self.end_by(Outcome::Draw, Cause::Agreement, &law::AGREED_END);
                true
            }
            b"offer" | b"offered" | b"declined" => true,
            _ => false,
        }
    }

    fn flag(&mut self, arguments: &[u8]) -> bool {
        let Some(side) = side_of(arguments) else { return false };
        let winner = side.other();
        self.end_by(Outcome::win_if(winner, self.line.position.can_mate(winner)), Cause::Flag, &common::FLAG);
        true
    }

    fn penalty(&mut self, arguments: &[u8]) -> bool {
        let words: Vec<_> = arguments.split(|b| *b == b' ').filter(|w| !w.is_empty()).collect();
        let [side, seconds] = words[..] else { return false };
        let seconds = std::str::from_utf8(seconds).ok().and_then(|s| s.parse::<i64>().ok());
        let (Some(side), Some(seconds)) = (side_of(side), seconds) else { return false };
        self.course.clocks.adjust(side, seconds);
        true
    }

    fn claim<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
        let mut words = arguments.split(|b| *b == b' ').filter(|w| !w.is_empty());
        let threefold = match words.next() {
            Some(b"threefold") => true,
            Some(b"fifty") => false,
            _ => return false,
        };
        let intended = words.next();
        if words.next().is_some() {
            return false;
        }
        let Some((position, irreversible)) = self.intended_position(intended) else { return false };
        let count = if irreversible { 1 } else { self.history.count(&position) + usize::from(intended.is_some()) };
        let halfmove = position.halfmove();
        let correct = if threefold { count >= 3 } else { halfmove >= 100 };
        if correct {
            let cause = if threefold { Cause::ThreefoldClaim } else { Cause::FiftyMoveClaim };
            self.end_by(Outcome::Draw, cause, &common::DRAWS);
            return true;
        }
        self.course.wrong_claim = true;
        let message = if threefold {
            format!("the claim is not correct: this position is there for the {} time, not the third", ordinal(count))
        } else {
            format!("the claim is not correct: {halfmove} plies without capture or pawn move, not 100")
        };
        if let Some(finding) = self.find(&code::WRONG_CLAIM, place, parser, message) {
            finding.rule = Some(&common::DRAWS);
        }
        true
    }

    /// The position that a claim speaks of, and whether the intended move makes it a new one.
    fn intended_position(&self, intended: Option<&[u8]>) -> Option<(Chess, bool)> {
        let mut position = self.line.position.clone();
        let Some(text) = intended else { return Some((position, false)) };
        let san = San::parse(text, &CHESS).ok()?;
        let Found::One(m) = position.find(&san.written) else { return None };
        let irreversible = position.is_irreversible(m);
        position.play(m);
        Some((position, irreversible))
    }

    fn attempt<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
        if arguments.is_empty() {
            return false;
        }
        let legal = San::parse(arguments, &CHESS).is_ok_and(|san| matches!(self.line.position.find(&san.written), Found::One(_)));
        if legal {
            if let Some(finding) = self.find(&code::LEGAL_ATTEMPT, place, parser, "this move is legal here and is not counted as an illegal attempt".into()) {
                finding.rule = Some(&common::ILLEGAL_ATTEMPTS);
            }
            return true;
        }
        let side = self.line.position.turn();
        let count = &mut self.course.attempts[side as usize];
        *count += 1;
        if *count >= self.attempts_allowed {
            let winner = side.other();
            self.end_by(Outcome::win_if(winner, self.line.position.can_mate(winner)), Cause::IllegalAttempts, &common::ILLEGAL_ATTEMPTS);
        }
        true
    }

    /// The illegal ply before this comment stands: the game goes on from where the piece went.
    fn stands<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
        let Some((from, to)) = two_squares(arguments) else { return false };
        let Some(index) = self.last.refused.take() else {
            let message = "[%stands] belongs behind an illegal move, and none stands right before it";
            self.find(&code::BAD_COMMAND, place, parser, message.into());
            return true;
        };
        let Some(position) = self.line.position.displaced(from, to) else {
            let message = format!("no position of a game comes of putting the piece on {from} on {to}");
            self.find(&code::BAD_COMMAND, place, parser, message);
            return true;
        };
        if let Some(finding) = self.findings.get_mut(index) {
            finding.code = &code::ILLEGAL_STANDS;
            finding.rule = Some(&common::ILLEGAL_ATTEMPTS);
            finding.message.push_str("; both played on, and it stands");
        }
        self.line.jump(position);
        self.unjudged_from = None;
        self.history.start(&self.line.position);
        true
    }

    fn fault<R: Read>(&mut self, fault: Fault, parser: &Parser<R>) {
        if !matches!(fault, Fault::Mark | Fault::Wide | Fault::BadTag(_)) && !self.in_moves {
            self.enter_moves(parser);
        }
        let place = *parser.place();
        let main = self.at_main_line();
        match fault {
            Fault::Wide => {
                self.judging = false;
                self.in_moves = true;
                self.find(&code::NOT_TEXT, place, parser, "the text is UTF-16; NPGN is UTF-8 (save or convert it as UTF-8)".into());
            }
            Fault::Mark => {
                self.find(&code::BYTE_ORDER_MARK, place, parser, "the file begins with a byte order mark".into());
            }
            Fault::UnclosedComment => {
                self.find(&code::UNCLOSED_COMMENT, opening(place), parser, "this comment is not closed before the next game; `}` was expected".into());
                self.give_up();
            }
            Fault::Unclosed(open) => {
                let opened = place;
                let (what, mark) = bracket(open);
                self.findings.retain(|finding| finding.place.span.from < opened.span.from || finding.severity == Severity::Error);
                self.find(&code::UNCLOSED_BRACKET, opened, parser, format!("this {what} is not closed; `{mark}` was expected"));
                if open == Open::Rav {
                    self.close_rav(parser);
                }
                self.give_up();
            }
            Fault::Stray(bracket) => {
                self.find(&code::STRAY_BRACKET, place, parser, format!("this `{}` closes nothing", char::from(bracket)));
            }
            Fault::BadTag(kind) => {
                self.find(&code::BAD_TAG, place, parser, tag_words(kind).into());
            }
            Fault::TagInMoves => {
                self.find(&code::BAD_TAG, place, parser, "a tag pair among the moves; tags stand before them".into());
            }
            Fault::Control => {
                self.find(&code::CONTROL_CHARACTER, place, parser, "a control character among the moves".into());
            }
            Fault::Strange | Fault::BadBlock | Fault::Misplaced(_) => {
                self.find(&code::BAD_TOKEN, place, parser, misplaced_words(fault).into());
                self.give_up();
            }
            Fault::NumberForm => {
                self.find(&code::NUMBER_FORM, place, parser, "a move number is written with its dots: `1.` for White, `1...` for Black".into());
                self.numbered = true;
            }
            Fault::EnPassantMark => {
                self.find(&code::EN_PASSANT_MARK, place, parser, "en passant is not marked".into());
            }
            Fault::ResultInRav => {
                self.find(&code::RESULT_IN_VARIATION, place, parser, "a variation has no result".into());
            }
            Fault::SignAlone => {
                self.find(&code::SIGN_ALONE, place, parser, "PGN has numeric glyphs for evaluations, such as `$18` for `+-`".into());
            }
            Fault::NoResult => {
                // Where something was not closed, the result is in there.
                let swallowed = self.findings.iter().any(|finding| finding.code == &code::UNCLOSED_BRACKET || finding.code == &code::UNCLOSED_COMMENT);
                if main && self.block_depth == 0 && !swallowed {
                    self.settle_suffix(parser);
                    let at = if self.plies > 0 { self.last.place } else { self.last_word };
                    self.find(&code::MISSING_RESULT, at, parser, "no result stands behind the moves: `1-0`, `0-1`, `1/2-1/2` or `*`".into());
                }
            }
            Fault::Limit(limited) => {
                let (flag, limit) = limited.flag(&self.options.limits);
                self.give_up();
                self.find(&code::LIMIT, place, parser, format!("more than the limit of {limit} ({flag}); the rest of the record is passed over"));
            }
        }
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
        let mut over: Vec<_> = self.listed.iter().filter(|(_, count)| **count > LISTED).map(|(id, count)| (*id, *count - LISTED)).collect();
        over.sort_unstable();
        for (id, count) in over {
            if let Some(last) = self.findings.iter().rfind(|finding| finding.code.id == id).cloned() {
                self.findings.push(Finding { code: &code::MORE, severity: last.severity, message: format!("{count} more findings of the kind {id} in this game"), ..last });
            }
        }
    }

    /// Notes a finding; answers with it, so that more can be said of it, where it is reported.
    pub(crate) fn find<R: Read>(&mut self, code: &'static Code, place: Place, parser: &Parser<R>, message: String) -> Option<&mut Finding> {
        let severity = self.options.weights.of(code)?;
        let listed = self.listed.entry(code.id).or_insert(0);
        *listed += 1;
        if *listed > LISTED {
            return None;
        }
        let excerpt = excerpt(place, parser);
        let shown = place.span.to.min(place.span.from + 256);
        let text = decode(parser.text(Span::new(place.span.from, shown))).0.into_owned();
        let column = column(place, parser);
        self.findings.push(Finding {
            code,
            severity,
            rule: None,
            place,
            column,
            excerpt,
            path: String::new(),
            ply: None,
            number: None,
            text,
            message,
            possible: Vec::new(),
            nearest: None,
            position: None,
            also: None,
        });
        self.findings.last_mut()
    }

    /// Adds a second place to a finding.
    pub(crate) fn explain_by<R: Read>(finding: &mut Finding, place: Option<Place>, words: &str, parser: &Parser<R>) {
        if let Some(place) = place {
            finding.also = Some((place, words.into(), excerpt(place, parser)));
        }
    }

    /// The result as recorded and as judged, with findings where they differ.
    fn conclude<R: Read>(&mut self, parser: &Parser<R>) -> GameResult {
        crate::verdict::conclude(self, parser)
    }
}

/// `12.` before a move of White, `12...` before one of Black.
pub(crate) fn number_of(position: &Chess) -> String {
    let dots = if position.turn() == Side::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove())
}

#[inline]
fn is_plain_pawn_capture(pattern: &Pattern, m: Move) -> bool {
    pattern.role == Role::Pawn && pattern.capture && pattern.rank.is_none() && pattern.file.is_some() && m.is_capture()
}

/// The sign that the ply leading here must carry.
fn true_suffix(position: &Chess) -> Suffix {
    match (position.in_check(), position.in_check() && !position.has_legal_move()) {
        (_, true) => Suffix::Mate,
        (true, false) => Suffix::Check,
        (false, false) => Suffix::None,
    }
}

/// A legal move with its sign of check.
fn spell(position: &Chess, m: Move) -> String {
    let mut after = position.clone();
    after.play(m);
    format!("{}{}", Spelt(position.written(m)), true_suffix(&after).as_str())
}

/// The legal move whose spelling is nearest to a text, within two letters.
fn nearest(position: &Chess, text: &str) -> Option<String> {
    let text: Vec<char> = text.trim_end_matches(['+', '#']).chars().take(8).collect();
    let candidates = position.legal_moves().filter_map(|m| {
        let spelt = Spelt(position.written(m)).to_string();
        let letters: Vec<char> = spelt.chars().collect();
        let distance = edits(&text, &letters);
        let near = distance <= 2 && distance < text.len();
        near.then(|| (distance, letters.first() != text.first(), digits_apart(&text, &letters), spelt, m))
    });
    let best = candidates.min_by(|a, b| (a.0, a.1, a.2, &a.3).cmp(&(b.0, b.1, b.2, &b.3)));
    best.map(|(.., m)| spell(position, m))
}

/// Levenshtein distance of two short words; a piece letter of the wrong case is half an error less.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let cost = usize::from(!left.eq_ignore_ascii_case(right));
            let next = (diagonal + cost).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}

/// How far apart the letters of two words of one length are, place by place.
fn digits_apart(a: &[char], b: &[char]) -> u32 {
    if a.len() != b.len() {
        return 50;
    }
    a.iter().zip(b).map(|(x, y)| u32::from(*x).abs_diff(u32::from(*y)).min(40)).sum()
}

fn signals_result(written: &Written) -> bool {
    let centre = |square: Square| matches!((square.file, square.rank), (3 | 4, 3 | 4));
    matches!(written, Written::Move(pattern) if pattern.role == Role::King && centre(pattern.to))
}

fn side_of(arguments: &[u8]) -> Option<Side> {
    match arguments {
        b"W" => Some(Side::White),
        b"B" => Some(Side::Black),
        _ => None,
    }
}

fn two_squares(arguments: &[u8]) -> Option<(Square, Square)> {
    let [a @ b'a'..=b'h', b @ b'1'..=b'8', c @ b'a'..=b'h', d @ b'1'..=b'8'] = arguments else { return None };
    Some((Square::new(a - b'a', b - b'1'), Square::new(c - b'a', d - b'1')))
}

fn expected_arguments(name: &str) -> &'static str {
    match name {
        "clk" | "emt" | "ts" => "a time h:mm:ss",
        "resign" | "flag" => "W or B",
        "draw" => "agreed",
        "claim" => "threefold or fifty, and the move intended if there is one, which must be legal",
        "illegal" => "the move attempted",
        "stands" => "two squares, as in b1d6",
        "penalty" => "W or B and seconds with their sign",
        _ => "others",
    }
}

/// `1:05:09`.
pub(crate) fn tell_time(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn ordinal(count: usize) -> String {
    match count {
        0 | 1 => "first".into(),
        2 => "second".into(),
        n => format!("{n}th"),
    }
}

const fn bracket(open: Open) -> (&'static str, char) {
    match open {
        Open::Rav => ("variation", ')'),
        Open::Subgame => ("sub-game", '>'),
        Open::Turn => ("turn", '>'),
        Open::Action => ("action", '>'),
    }
}

/// The brace before an unclosed comment's text.
fn opening(place: Place) -> Place {
    let from = place.span.from.saturating_sub(1).max(place.line_start);
    place.at(Span::new(from, from + 1))
}

const fn tag_words(fault: TagFault) -> &'static str {
    match fault {
        TagFault::Name => "a tag pair is [Name \"value\"]: no name of letters, digits and `_` stands behind `[`",
        TagFault::Quote => "a tag pair is [Name \"value\"]: no `\"` stands behind the name",
        TagFault::Unclosed => "the tag's value is not closed; `\"` was expected before the end of the line",
        TagFault::Bracket => "a tag pair is [Name \"value\"]: no `]` stands behind the value",
        TagFault::TooLong => "the tag's value is too long",
    }
}

const fn misplaced_words(fault: Fault) -> &'static str {
    match fault {
        Fault::BadBlock => "behind `<` stands a square and `:`, an address such as A2, or one of prisoners, consolidate, reserve",
        Fault::Misplaced(Open::Turn) => "a turn holds items of an address, a dot and a move, with comments between them",
        Fault::Misplaced(Open::Action) => "an action holds words and nothing else",
        Fault::Misplaced(_) => "this may not stand here",
        _ => "this has no meaning among the moves",
    }
}

fn column<R: Read>(place: Place, parser: &Parser<R>) -> u64 {
    let bytes = place.span.from.saturating_sub(place.line_start);
    let before = parser.text(Span::new(place.line_start, place.span.from));
    if before.len() as u64 == bytes && before.len() < (64 << 10) {
        decode(before).0.chars().count() as u64 + 1
    } else {
        bytes + 1
    }
}

fn excerpt<R: Read>(place: Place, parser: &Parser<R>) -> Option<Excerpt> {
    let from = place.line_start.max(place.span.from.saturating_sub(CONTEXT as u64));
    let line = parser.lexer().line_text(from, CONTEXT * 3)?;
    let start = usize::try_from(place.span.from - from).ok()?.min(line.len());
    let length = usize::try_from(place.span.len()).unwrap_or(usize::MAX);
    let text = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    let end = start.saturating_add(length).clamp(start, text.len().max(start));
    Some(Excerpt { text, from: start, to: end })
}
