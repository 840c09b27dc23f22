//! What the tags of a record ask for: the game, its set-up, its options.

use super::Referee;
use crate::{
    command::{self},
    encoding::{Oddities, decode, has_unseen},
    fen::Fen,
    finding::{self as code},
    header::{Game, Name, ROSTER, contradictions, locate},
    line::Line,
    parse::Parser,
    span::Span,
};
use overboard_rules::{chess::Chess, laws::chess as law, refusal::list};
use std::io::Read;

impl Referee {
    pub(super) fn tag<R: Read>(&mut self, parser: &Parser<R>) {
        let tag = parser.lexer().tag();
        let (name, value) = (parser.text(tag.name), parser.text(tag.value));
        let place = parser.place().at(tag.value);
        self.last_word = place;
        let odd = Oddities::of(value);
        if odd.control() || (odd.high() && has_unseen(value)) {
            self.find(
                &code::CONTROL_CHARACTER,
                place,
                parser,
                "a character that cannot be seen, in a tag value".into(),
            );
        }
        if odd.high() && std::str::from_utf8(value).is_err() {
            self.find(&code::ENCODING, place, parser, "not UTF-8; read as Latin-1".into());
        }
        // The tags of a sub-game are its own; its referee comes with its game.
        if self.block_depth == 0 && !self.header.add(name, value, place) {
            let name = decode(name).0.into_owned();
            self.find(
                &code::DUPLICATE_TAG,
                place,
                parser,
                format!("the tag {name} stands twice; the first counts"),
            );
        }
    }

    /// The tags are over: what do they ask for?
    #[cold]
    pub(super) fn enter_moves<R: Read>(&mut self, parser: &Parser<R>) {
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

    pub(super) fn refuse_variant<R: Read>(&mut self, game: Option<Game>, parser: &Parser<R>) {
        self.judging = false;
        let Some(place) = self.header.place(Name::Variant) else { return };
        let message = match game {
            Some(game) => format!(
                "the rules of {} are not in this version; the record is read and not judged",
                game.name()
            ),
            None => "a variant whose rules are not known here is never judged as chess".to_string(),
        };
        self.find(&code::UNKNOWN_VARIANT, place, parser, message);
    }

    pub(super) fn set_up<R: Read>(&mut self, parser: &Parser<R>) {
        let set_up = self.header.bytes(Name::SetUp).map(<[u8]>::to_vec);
        let Some(fen) = self.header.text(Name::Fen) else {
            if set_up.as_deref() == Some(b"1") {
                let place = self.header.place(Name::SetUp).unwrap_or_default();
                self.find(
                    &code::SETUP_TAG,
                    place,
                    parser,
                    "SetUp \"1\" announces a FEN, and there is none".into(),
                );
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
                    self.find(
                        &code::FEN_FORM,
                        place,
                        parser,
                        "a FEN has six fields with one space between them, the last from 1 on".into(),
                    );
                }
                match Chess::from_setup(&read.setup) {
                    Ok(position) => self.line = Line::from(position),
                    Err(reasons) => {
                        self.judging = false;
                        let message =
                            format!("no game can start from this position: {}", list(reasons, "and"));
                        if let Some(finding) = self.find(&code::IMPOSSIBLE_POSITION, place, parser, message) {
                            finding.rule = Some(&law::SET_UP);
                        }
                    }
                }
            }
            Err(fault) => {
                self.judging = false;
                let value = parser.text(place.span);
                let at = |index: usize| place.span.from + locate(value, fen[..index].chars().count()) as u64;
                let here = Span::new(at(fault.bytes.start), at(fault.bytes.end));
                self.find(&code::BAD_FEN, place.at(here), parser, format!("the FEN cannot be read: {fault}"));
            }
        }
    }

    pub(super) fn check_tags<R: Read>(&mut self, parser: &Parser<R>) {
        if let Some(game) = self.game {
            for (name, message) in contradictions(&self.header, game, &self.options.limits) {
                let place = self.header.place(name).unwrap_or_default();
                let kind = if matches!(name, Name::White | Name::Black | Name::Boards) {
                    &code::BAD_LIST
                } else {
                    &code::BAD_RULES
                };
                self.find(kind, place, parser, message);
            }
        }
        self.read_options();
        if let Some(text) = self.header.text(Name::TimeControl) {
            match command::time_control(&text) {
                Ok(control) => self.time_control = control,
                Err(fault) => {
                    let place = self.header.place(Name::TimeControl).unwrap_or_default();
                    self.find(&code::BAD_TIME_CONTROL, place, parser, fault.to_string());
                }
            }
        }
        let names =
            [Name::Event, Name::Site, Name::Date, Name::Round, Name::White, Name::Black, Name::Result];
        let missing: Vec<_> = names
            .into_iter()
            .zip(ROSTER)
            .filter(|(name, _)| self.header.place(*name).is_none())
            .map(|(_, name)| name)
            .collect();
        if !missing.is_empty() {
            let message = format!("missing of the Seven Tag Roster: {}", list(missing, "and"));
            self.find(&code::MISSING_TAG, self.first_word, parser, message);
        }
        self.check_values(parser);
    }

    fn check_values<R: Read>(&mut self, parser: &Parser<R>) {
        for name in [Name::Date, Name::SetUp, Name::Termination] {
            let Some(expected) = self.header.bytes(name).and_then(|value| expected(name, value)) else {
                continue;
            };
            let place = self.header.place(name).unwrap_or_default();
            self.find(&code::TAG_VALUE, place, parser, expected.into());
        }
    }

    pub(super) fn read_options(&mut self) {
        let declared = self.header.text(Name::Rules).unwrap_or_default();
        for item in self.options.rules.split(':').chain(declared.split(':')) {
            if let Some(count) = item.strip_prefix("illegal=").and_then(|n| n.parse().ok()) {
                self.attempts_allowed = count;
            }
        }
    }
}

/// What a tag's value should have been, where PGN does not know it.
fn expected(name: Name, value: &[u8]) -> Option<&'static str> {
    match name {
        Name::Date if !is_date(value) => Some("a date is `YYYY.MM.DD` with `?` for what is not known"),
        Name::SetUp if !matches!(value, b"0" | b"1") => Some("SetUp is `0` or `1`"),
        Name::Termination if !is_termination(value) => Some(TERMINATIONS),
        _ => None,
    }
}

const TERMINATIONS: &str = "PGN's words are abandoned, adjudication, death, emergency, normal, rules infraction, time forfeit and unterminated";

fn is_termination(value: &[u8]) -> bool {
    let word = value.to_ascii_lowercase();
    matches!(
        &word[..],
        b"abandoned"
            | b"adjudication"
            | b"death"
            | b"emergency"
            | b"normal"
            | b"rules infraction"
            | b"time forfeit"
            | b"unterminated"
    )
}

/// `2026.11.21`, with `?` for unknown digits.
fn is_date(value: &[u8]) -> bool {
    value.len() == 10
        && value.iter().enumerate().all(|(i, b)| match i {
            4 | 7 => *b == b'.',
            _ => b.is_ascii_digit() || *b == b'?',
        })
}
