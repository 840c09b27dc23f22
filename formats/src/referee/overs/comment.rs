//! Commands in comments beside the over-game.

use super::{OverPlay, nest::Nest};
use crate::referee::Desk;
use crate::{
    command::{self, Command, commands, duration, side as side_of},
    finding as code,
    lex::{Part, Prose},
    parse::Parser,
    san::{CHESS, San},
    span::{Place, Span},
};
use overboard_rules::{
    laws::{chess as regular, common, overchess as law},
    outcome::{Cause, Outcome},
    overchess::Asked,
};
use std::io::Read;

impl<G: Nest> OverPlay<G> {
    pub(super) fn prose<R: Read>(&mut self, prose: Prose, part: Part, desk: &mut Desk, parser: &Parser<R>) {
        if prose == Prose::Escape {
            return;
        }
        desk.look_at_comment(part, parser);
        desk.interrupted = true;
        if !desk.in_moves || !desk.at_main_line() {
            return;
        }
        let place = *parser.place();
        for found in commands(parser.text(place.span)) {
            let at = |index: usize| place.span.from + index as u64;
            let here = place.at(Span::new(at(found.bytes.start), at(found.bytes.end)));
            self.command(&found, here, desk, parser);
        }
    }

    pub(super) fn command<R: Read>(
        &mut self,
        command: &Command<'_>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let arguments = command.arguments;
        let known = desk.judging && self.line.position.is_some();
        let understood = match command.name {
            b"clk" | b"emt" => duration(arguments).is_some(),
            b"ts" => desk.time_stamp(arguments, place, parser),
            b"penalty" => desk.penalty(arguments).is_some(),
            b"infraction" => desk.infraction(arguments),
            // Inside a sub-game they speak of it, and its result says what came of them.
            name if (!known || desk.block_depth > 0) && command::is_known(name) => true,
            b"resign" => resign(arguments, desk),
            b"draw" => desk.agree(arguments, &regular::AGREED_END),
            b"flag" => self.flag(arguments, desk),
            b"claim" => self.claim(arguments, place, desk, parser),
            b"illegal" => self.attempt(arguments, place, desk, parser),
            b"player" => self.roles.command(arguments, place, desk, parser),
            name if command::is_known(name) && name != b"stands" => true,
            name => {
                desk.unknown_command(name, place, parser);
                true
            }
        };
        if !understood {
            desk.bad_command(command, place, parser);
        }
    }

    pub(super) fn flag(&self, arguments: &[u8], desk: &mut Desk) -> bool {
        let Some(side) = side_of(arguments) else { return false };
        let can_win = self.line.position.as_deref().is_some_and(|position| position.outermost().can_win());
        desk.end_by(Outcome::win_if(side.other(), can_win), Cause::Flag, &common::FLAG);
        true
    }

    /// `threefold` or `fifty`, with the over-move intended if there is one.
    pub(super) fn claim<R: Read>(
        &mut self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> bool {
        let mut words = arguments.split(|b| *b == b' ').filter(|word| !word.is_empty());
        let (repeats, cause) = match words.next() {
            Some(b"threefold") => (true, Cause::ThreefoldClaim),
            Some(b"fifty") => (false, Cause::FiftyMoveClaim),
            _ => return false,
        };
        self.settle(desk, parser);
        let Some(position) = self.line.position.as_deref() else { return true };
        let position = match (words.next(), words.next()) {
            (None, _) => position.clone(),
            (Some(intended), None) => {
                let asked = San::parse(intended, &CHESS).map(|san| Asked::Over(san.written));
                let Some(ply) = asked.ok().and_then(|asked| position.judge(asked).ok()) else { return false };
                {
                    let mut after = position.clone();
                    after.play(&ply);
                    after
                }
            }
            _ => return false,
        };
        let [repeated, idle] = position.outermost().claimable();
        if if repeats { repeated } else { idle } {
            desk.end_by(Outcome::Draw, cause, if repeats { &law::REPETITION } else { &law::REGULAR });
            return true;
        }
        let (why, rule) = if repeats {
            ("this position is not there for the third time".to_string(), &law::REPETITION)
        } else {
            (
                format!("{} over-moves without progress, not 100", position.outermost().halfmove()),
                &law::REGULAR,
            )
        };
        desk.wrong_claim(format!("the claim is not correct: {why}"), rule, place, parser);
        true
    }

    pub(super) fn attempt<R: Read>(
        &self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> bool {
        let Some(position) = self.line.position.as_deref().filter(|_| !arguments.is_empty()) else {
            return false;
        };
        let asked = San::parse(arguments, &CHESS).map(|san| Asked::Over(san.written));
        if asked.is_ok_and(|asked| position.judge(asked).is_ok()) {
            let message = "this move is legal here and is not counted as an illegal attempt";
            if let Some(finding) = desk.find(&code::LEGAL_ATTEMPT, place, parser, message.into()) {
                finding.rule = Some(&common::ILLEGAL_ATTEMPTS);
            }
            return true;
        }
        let side = position.outermost().turn();
        let count = &mut desk.course.attempts[side as usize];
        *count += 1;
        if *count >= desk.attempts_allowed {
            let outcome = Outcome::win_if(side.other(), position.outermost().can_win());
            desk.end_by(outcome, Cause::IllegalAttempts, &common::ILLEGAL_ATTEMPTS);
        }
        true
    }
}

fn resign(arguments: &[u8], desk: &mut Desk) -> bool {
    let Some(side) = side_of(arguments) else { return false };
    desk.end_by(Outcome::Win(side.other()), Cause::Resignation, &regular::AGREED_END);
    true
}
