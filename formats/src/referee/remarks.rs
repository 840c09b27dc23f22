//! Comments and the commands in them: clocks, claims, attempts, resignations.

use super::Referee;
use crate::{
    command::{self, Command, commands, duration},
    encoding::{Oddities, decode, has_unseen},
    finding::{self as code},
    lex::{Part, Prose},
    parse::Parser,
    san::{CHESS, San},
    span::{Place, Span},
};
use overboard_rules::{
    chess::{Chess, Found},
    laws::{chess as law, common},
    outcome::{Cause, Outcome, Ruling},
    rule::Rule,
    square::{Side, Square},
};
use std::io::Read;

impl Referee {
    pub(super) fn prose<R: Read>(&mut self, prose: Prose, part: Part, parser: &Parser<R>) {
        if prose == Prose::Escape {
            return;
        }
        self.interrupted = true;
        let text = parser.text(parser.place().span);
        let in_game = self.in_moves && self.at_main_line() && self.block_depth == 0;
        match command::lone_clock(text) {
            Some(shown) if in_game => self.clock(shown, *parser.place(), parser),
            _ => self.remark(part, in_game, parser),
        }
    }

    /// A comment that is more than a clock.
    pub(super) fn remark<R: Read>(&mut self, part: Part, in_game: bool, parser: &Parser<R>) {
        let place = *parser.place();
        let text = parser.text(place.span);
        let odd = Oddities::of(text);
        if odd.control() || (odd.high() && has_unseen(text)) {
            self.find(
                &code::CONTROL_CHARACTER,
                place,
                parser,
                "a character that cannot be seen, in a comment".into(),
            );
        }
        if part == Part::WHOLE && odd.high() && std::str::from_utf8(text).is_err() {
            self.find(&code::ENCODING, place, parser, "not UTF-8; read as Latin-1".into());
        }
        let in_game = in_game || (!self.in_moves && self.at_main_line() && self.block_depth == 0);
        for found in commands(text).filter(|_| in_game) {
            if !self.in_moves {
                self.enter_moves(parser);
            }
            let at = |index: usize| place.span.from + index as u64;
            let here = place.at(Span::new(at(found.bytes.start), at(found.bytes.end)));
            self.command(&found, here, parser);
        }
    }

    pub(super) fn command<R: Read>(&mut self, command: &Command<'_>, place: Place, parser: &Parser<R>) {
        let arguments = command.arguments;
        let understood = match command.name {
            b"clk" => duration(arguments).map(|shown| self.clock(shown, place, parser)).is_some(),
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
            self.find(
                &code::BAD_COMMAND,
                place,
                parser,
                format!(
                    "[%{name}] has arguments that it does not take; expected {}",
                    expected_arguments(&name)
                ),
            );
        }
    }

    pub(super) fn unknown_command<R: Read>(&mut self, name: &[u8], place: Place, parser: &Parser<R>) {
        if self.unknown_commands.iter().any(|known| known == name) || self.unknown_commands.len() > 64 {
            return;
        }
        self.unknown_commands.push(name.to_vec());
        self.find(
            &code::UNKNOWN_COMMAND,
            place,
            parser,
            format!("[%{}] is kept and not understood", decode(name).0),
        );
    }

    /// The side that made the last ply.
    pub(super) fn mover(&self) -> Side {
        self.line.position.turn().other()
    }

    pub(super) fn clock<R: Read>(&mut self, shown: u64, place: Place, parser: &Parser<R>) {
        if !self.judging || !self.line.known || !self.last.moved {
            return;
        }
        let before = self.course.clocks.show(self.mover(), shown);
        let (Some(before), Some(control)) = (before, self.time_control) else { return };
        if control.stages || shown <= before + control.increment + 999 {
            return;
        }
        let message = format!(
            "{}'s clock rises from {} to {}, and the time control adds {} s a move",
            self.mover(),
            tell_time(before),
            tell_time(shown),
            control.increment / 1000
        );
        self.find(&code::CLOCK_RISES, place, parser, message);
    }

    pub(super) fn time_stamp<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
        let Some(stamp) = duration(arguments) else { return false };
        if let Some(before) = self.course.clocks.stamp(stamp)
            && stamp < before
        {
            self.find(
                &code::TIME_RUNS_BACKWARDS,
                place,
                parser,
                format!("{} comes after {}", tell_time(stamp), tell_time(before)),
            );
        }
        true
    }

    pub(super) fn end_by(&mut self, outcome: Outcome, cause: Cause, rule: &'static Rule) {
        self.course.ended.get_or_insert(Ruling { outcome, cause, rule });
    }

    pub(super) fn resign(&mut self, arguments: &[u8]) -> bool {
        let Some(side) = side_of(arguments) else { return false };
        self.end_by(Outcome::Win(side.other()), Cause::Resignation, &law::AGREED_END);
        true
    }

    pub(super) fn agree(&mut self, arguments: &[u8]) -> bool {
        match arguments {
            b"agreed" => {
                self.end_by(Outcome::Draw, Cause::Agreement, &law::AGREED_END);
                true
            }
            b"offer" | b"offered" | b"declined" => true,
            _ => false,
        }
    }

    pub(super) fn flag(&mut self, arguments: &[u8]) -> bool {
        let Some(side) = side_of(arguments) else { return false };
        let winner = side.other();
        self.end_by(Outcome::win_if(winner, self.line.position.can_mate(winner)), Cause::Flag, &common::FLAG);
        true
    }

    pub(super) fn penalty(&mut self, arguments: &[u8]) -> bool {
        let words: Vec<_> = arguments.split(|b| *b == b' ').filter(|w| !w.is_empty()).collect();
        let [side, seconds] = words[..] else { return false };
        let seconds = std::str::from_utf8(seconds).ok().and_then(|s| s.parse::<i64>().ok());
        let (Some(_), Some(seconds)) = (side_of(side), seconds) else { return false };
        self.course.clocks.adjust(seconds.unsigned_abs());
        true
    }

    pub(super) fn claim<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
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
        let count =
            if irreversible { 1 } else { self.history.count(&position) + usize::from(intended.is_some()) };
        let halfmove = position.halfmove();
        let correct = if threefold { count >= 3 } else { halfmove >= 100 };
        if correct {
            let cause = if threefold { Cause::ThreefoldClaim } else { Cause::FiftyMoveClaim };
            self.end_by(Outcome::Draw, cause, &common::DRAWS);
            return true;
        }
        self.course.wrong_claim = true;
        let message = if threefold {
            format!(
                "the claim is not correct: this position is there for the {} time, not the third",
                ordinal(count)
            )
        } else {
            format!("the claim is not correct: {halfmove} plies without capture or pawn move, not 100")
        };
        if let Some(finding) = self.find(&code::WRONG_CLAIM, place, parser, message) {
            finding.rule = Some(&common::DRAWS);
        }
        true
    }

    /// The position that a claim speaks of, and whether the intended move makes it a new one.
    pub(super) fn intended_position(&self, intended: Option<&[u8]>) -> Option<(Chess, bool)> {
        let mut position = self.line.position.clone();
        let Some(text) = intended else { return Some((position, false)) };
        let san = San::parse(text, &CHESS).ok()?;
        let Found::One(m) = position.find(&san.written) else { return None };
        let irreversible = position.is_irreversible(m);
        position.play(m);
        Some((position, irreversible))
    }

    pub(super) fn attempt<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
        if arguments.is_empty() {
            return false;
        }
        let legal = San::parse(arguments, &CHESS)
            .is_ok_and(|san| matches!(self.line.position.find(&san.written), Found::One(_)));
        if legal {
            if let Some(finding) = self.find(
                &code::LEGAL_ATTEMPT,
                place,
                parser,
                "this move is legal here and is not counted as an illegal attempt".into(),
            ) {
                finding.rule = Some(&common::ILLEGAL_ATTEMPTS);
            }
            return true;
        }
        let side = self.line.position.turn();
        let count = &mut self.course.attempts[side as usize];
        *count += 1;
        if *count >= self.attempts_allowed {
            let winner = side.other();
            self.end_by(
                Outcome::win_if(winner, self.line.position.can_mate(winner)),
                Cause::IllegalAttempts,
                &common::ILLEGAL_ATTEMPTS,
            );
        }
        true
    }

    /// The illegal ply before this comment stands: the game goes on from where the piece went.
    pub(super) fn stands<R: Read>(&mut self, arguments: &[u8], place: Place, parser: &Parser<R>) -> bool {
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
}

pub(super) fn side_of(arguments: &[u8]) -> Option<Side> {
    match arguments {
        b"W" => Some(Side::White),
        b"B" => Some(Side::Black),
        _ => None,
    }
}

pub(super) fn two_squares(arguments: &[u8]) -> Option<(Square, Square)> {
    let [a @ b'a'..=b'h', b @ b'1'..=b'8', c @ b'a'..=b'h', d @ b'1'..=b'8'] = arguments else { return None };
    Some((Square::new(a - b'a', b - b'1'), Square::new(c - b'a', d - b'1')))
}

pub(super) fn expected_arguments(name: &str) -> &'static str {
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
pub(super) fn tell_time(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

pub(super) fn ordinal(count: usize) -> String {
    match count {
        0 | 1 => "first".into(),
        2 => "second".into(),
        n => format!("{n}th"),
    }
}
