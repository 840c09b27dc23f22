//! Commands in comments beside the over-game.

use super::{OverPlay, nest::Nest};
use crate::{
    command::{self, Command, duration},
    lex::{Part, Prose},
    notation::Notation,
    parse::Parser,
    referee::{
        Desk,
        remarks::{claimed, commands_here},
    },
    san::{CHESS, San, Suffix},
    span::Place,
};
use overboard_rules::{
    laws::{chess as regular, overchess as law},
    outcome::{Cause, Outcome},
    overchess::Asked,
    position::Position,
};
use std::{io::Read, sync::Arc};

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
        for (found, here) in commands_here(parser) {
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
        let can_win =
            |_| self.line.position.as_deref().is_some_and(|position| position.outermost().can_win());
        let understood = match command.name {
            b"clk" | b"emt" => duration(arguments).is_some(),
            b"ts" => desk.time_stamp(arguments, place, parser),
            b"penalty" => desk.penalty(arguments).is_some(),
            b"infraction" => desk.infraction(arguments),
            b"stands" if desk.judging => self.stands(arguments, place, desk, parser),
            b"player" if known && self.ignored == 0 => self.appoint(arguments, place, desk, parser),
            // Inside a sub-game they speak of it, and its result says what came of them.
            name if (!known || desk.block_depth > 0) && command::is_known(name) => true,
            b"resign" => desk.resign(arguments, &regular::AGREED_END),
            b"draw" => desk.agree(arguments, &regular::AGREED_END),
            b"flag" => desk.flag(arguments, can_win),
            b"claim" => self.claim(arguments, place, desk, parser),
            b"illegal" => self.attempt(arguments, place, desk, parser),
            name => desk.keep_command(name, place, parser),
        };
        if !understood {
            desk.bad_command(command, place, parser);
        }
    }

    /// `W d1 "Bob"`: from here on others hold a role of the over-game being read.
    fn appoint<R: Read>(
        &mut self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> bool {
        let blocks = &self.line.blocks;
        let (level, begins) = (blocks.len(), blocks.last().is_some_and(|block| !block.entered));
        let level = if begins { level - 1 } else { level };
        match self.roles.get_mut(level) {
            Some(roles) if begins => roles.appoint_inside(arguments, place),
            Some(roles) => roles.command(arguments, place, desk, parser),
            // A game of chess has none.
            None => command::appointed(arguments).is_some(),
        }
    }

    /// `threefold` or `fifty`, with the over-move intended if there is one.
    pub(super) fn claim<R: Read>(
        &mut self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> bool {
        let Some((repeats, intended)) = claimed(arguments) else { return false };
        self.settle(desk, parser);
        let Some(position) = self.line.position.as_deref() else { return true };
        let position = match intended {
            None => position.clone(),
            Some(intended) => {
                let asked = San::parse(intended, &CHESS).map(|san| Asked::Over(san.written));
                let Some(ply) = asked.ok().and_then(|asked| position.judge(asked).ok()) else { return false };
                let mut after = position.clone();
                after.play(&ply);
                after
            }
        };
        let [repeated, idle] = position.outermost().claimable();
        if if repeats { repeated } else { idle } {
            let cause = if repeats { Cause::ThreefoldClaim } else { Cause::FiftyMoveClaim };
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
            desk.legal_attempt(place, parser);
        } else {
            let over = position.outermost();
            desk.count_attempt(over.turn(), |_| over.can_win());
        }
        true
    }

    /// The illegal ply before this comment stands (GEN-9): on the over-board, or inside a block in the sub-game.
    fn stands<R: Read>(
        &mut self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> bool {
        let Some((from, to)) = CHESS.two_squares(arguments) else { return false };
        let (Some(index), Some(refused)) = (desk.last.refused.take(), self.refused.take()) else {
            desk.nothing_stands(place, parser);
            return true;
        };
        let Some(after) = refused.displaced(from, to) else {
            desk.leads_nowhere(from, to, place, parser);
            return true;
        };
        desk.let_stand(index);
        desk.unjudged_from = None;
        // No line of coordinates tells it.
        desk.deeds = None;
        let after = Arc::new(after);
        let chess = refused.current().sub_game();
        let outcome = match chess.and_then(|chess| chess.displaced(from, to)) {
            Some(chess) if chess.suffix() == Suffix::Mate => Outcome::Win(chess.turn().other()),
            _ => Outcome::Draw,
        };
        let in_chess = chess.is_some();
        match self.line.blocks.last_mut() {
            Some(block) if in_chess => block.go_on_from(refused, &after),
            Some(block) => block.before = Some(refused),
            None => self.line.before = Some(refused),
        }
        let level = self.line.blocks.len();
        if let (false, Some(roles), Some(over)) = (in_chess, self.roles.get_mut(level), after.over(level)) {
            roles.moved((from, to), false, over);
        }
        self.line.position = Some(after);
        self.note_the_end(outcome);
        self.follow_course(desk);
        true
    }
}
