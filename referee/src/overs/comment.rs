//! Commands in comments beside the over-game.

use super::OverPlay;
use crate::{
    Desk,
    remarks::{Remarked, claimed},
};
use overboard_formats::{
    command::{self, Command},
    lex::{Part, Prose},
    parse::Parser,
    san::{CHESS, San},
    span::Place,
};
use overboard_games::{
    chess::laws as regular,
    overchess::{Over, laws as law},
};
use overboard_rules::{
    game::{Game as _, Happening},
    outcome::Cause,
    path::BoardPath,
    ply::Arrival,
    position::Found,
    rule::Rule,
    square::Side,
};
use std::sync::Arc;

impl OverPlay {
    pub(super) fn prose(&mut self, prose: Prose, part: Part, desk: &mut Desk, parser: &Parser<'_>) {
        if prose == Prose::Escape {
            return;
        }
        desk.look_at_comment(part, parser);
        desk.interrupted = true;
        if !desk.in_moves || !desk.at_main_line() {
            return;
        }
        self.obey_all(desk, parser);
    }

    /// `W d1 "Bob"`: from here on others hold a role of the over-game being read.
    fn appoint(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
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
}

impl Remarked for OverPlay {
    const END: &'static Rule = &regular::AGREED_END;

    fn is_known(&self) -> bool {
        self.line.position.is_some()
    }

    /// Inside a sub-game they speak of it, and its result says what came of them.
    fn is_inside(&self, desk: &Desk) -> bool {
        desk.block_depth > 0
    }

    fn can_win(&self, _: Side) -> bool {
        self.line.position.as_deref().is_some_and(|position| position.outermost().can_win())
    }

    fn own(
        &mut self,
        command: &Command<'_>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<bool> {
        let is_own = command.name == b"player" && self.is_known() && self.ignored == 0;
        is_own.then(|| self.appoint(command.arguments, place, desk, parser))
    }

    /// `threefold` or `fifty`, with the over-move intended if there is one.
    fn claim(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let Some((repeats, intended)) = claimed(arguments) else { return false };
        self.fill_in(None, desk, parser);
        let Some(position) = self.line.position.as_deref() else { return true };
        let position = match intended {
            None => position.clone(),
            Some(intended) => {
                let san = San::parse(intended, &CHESS).ok();
                let found = san.map(|san| position.find(BoardPath::OUTERMOST, &san.written));
                let Some(Found::One(ply)) = found else { return false };
                position.after(ply)
            }
        };
        let claimable = position.claimable(BoardPath::OUTERMOST, 1);
        let (right, ground) = if repeats {
            (claimable.repetition, (Cause::ThreefoldClaim, &law::REPETITION))
        } else {
            (claimable.progress, (Cause::FiftyMoveClaim, &law::REGULAR))
        };
        let why_not = || match repeats {
            true => "this position is not there for the third time".to_string(),
            false => format!("{} over-moves without progress, not 100", position.outermost().halfmove()),
        };
        desk.decide_claim(right, ground, why_not, place, parser);
        true
    }

    fn attempt(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let Some(position) = self.line.position.as_deref().filter(|_| !arguments.is_empty()) else {
            return false;
        };
        let found =
            San::parse(arguments, &CHESS).map(|san| position.find(BoardPath::OUTERMOST, &san.written));
        if matches!(found, Ok(Found::One(_))) {
            desk.legal_attempt(place, parser);
        } else {
            let over = position.outermost();
            desk.count_attempt(over.turn(), |_| over.can_win());
        }
        true
    }

    /// The illegal ply before this comment stands (GEN-9): on the over-board, or inside a block in the sub-game.
    fn stands(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let Some((from, to)) = CHESS.two_squares(arguments) else { return false };
        let (Some(index), Some(refused)) = (desk.last.refused.take(), self.refused.take()) else {
            desk.nothing_stands(place, parser);
            return true;
        };
        let mut after = Over::clone(&refused);
        let displaced = Happening::Displaced { from, to, arrival: Arrival::Here };
        let Some(effects) = after.happen(refused.path(), displaced) else {
            desk.leads_nowhere(from, to, place, parser);
            return true;
        };
        desk.let_stand(index);
        desk.unjudged_from = None;
        // No line of coordinates tells it.
        desk.deeds = None;
        let after = Arc::new(after);
        let in_chess = refused.current().sub_game().is_some();
        match self.line.blocks.last_mut() {
            Some(block) if in_chess => block.go_on_from(refused, &after),
            _ => self.line.remember(refused),
        }
        let level = self.line.blocks.len();
        if let (false, Some(roles), Some(over)) = (in_chess, self.roles.get_mut(level), after.level(level)) {
            roles.moved((from, to), false, over);
        }
        self.line.position = Some(after);
        self.line.close_ended(&effects);
        self.follow_course(desk);
        self.keep_moment(desk);
        true
    }
}
