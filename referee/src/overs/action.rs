//! Actions: prisoners, reserves, consolidations.

use super::{
    OverPlay, named,
    refusal::{Refused, judge},
};
use crate::{Desk, acting::Acting, finding as code};
use overboard_formats::parse::{Parser, Verb};
use overboard_games::overchess::{self, AsRoster, Asked, Due, Ply, Roster, laws as law};
use overboard_rules::{
    general as common,
    outcome::Outcome,
    square::{Role, Square},
};
use std::sync::Arc;

impl OverPlay {
    pub(super) fn act(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        let Some((verb, said, place)) = self.action.take() else { return };
        if !self.is_in_chess() && self.ignored == 0 {
            self.enter(true, desk, parser);
        }
        if self.line.position.is_none() || !desk.judging || self.ignored > 0 {
            return;
        }
        if self.is_past_the_block(place, desk, parser) {
            return;
        }
        if let Some(ended) = desk.course.ended.filter(|_| desk.at_main_line()) {
            let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
            if let Some(finding) = desk.find(&code::MOVE_AFTER_END, place, parser, message) {
                finding.rule = Some(&common::ENDED);
            }
            return self.lose(desk);
        }
        if !self.is_in_chess() && self.lacks_a_block(place, desk, parser) {
            return;
        }
        let Some(position) = self.line.position.as_deref() else { return };
        let mut after = position.clone();
        let (numbered, mut acting) = (self.numbered, desk.acting(&mut after));
        // Individuals are called by their names, and their sub-games are not chess.
        let by_name = acting.current().depth() > 1;
        let acted = match verb {
            Verb::Prisoners if by_name => named::take_prisoners(&mut acting, &said),
            Verb::Prisoners => take_prisoners(&mut acting, &said),
            Verb::Reserve => call_in(&mut acting, &said, numbered),
            Verb::Consolidate if by_name => named::consolidate(&mut acting, &said),
            Verb::Consolidate => consolidate(&mut acting, &said),
        };
        match acted {
            Ok(()) => {
                if verb == Verb::Consolidate {
                    let before = self.line.position.take();
                    match self.line.blocks.last_mut() {
                        Some(block) => block.before = before,
                        None => self.line.before = before,
                    }
                    desk.plies += u32::from(desk.at_main_line() && desk.block_depth == 0);
                    self.numbered = false;
                    // The ply behind it follows it at once.
                    desk.interrupted = false;
                }
                self.line.position = Some(Arc::new(after));
                self.note_the_end(Outcome::Draw);
                self.settle_roles(desk);
                self.follow_course(desk);
            }
            Err(Act::Unread(expected)) => {
                let message = format!("this action cannot be read; expected {expected}");
                desk.find(&code::BAD_PLY, place, parser, message);
                self.lose(desk);
            }
            Err(Act::Refused(refused)) => {
                let text = format!("<{}{said}>", verb.word());
                self.refuse_act(&text, refused, place, desk, parser);
            }
        }
    }
}

/// Why an action was not made.
pub enum Act {
    /// It cannot be read; what was expected.
    Unread(&'static str),
    /// It is not legal.
    Refused(Refused),
}

impl From<Refused> for Act {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

/// The roster of words such as `2P N`.
pub(super) fn men<'a>(words: impl Iterator<Item = &'a str>) -> Option<Roster> {
    overchess::roster(&words.collect::<String>())
}

fn take_prisoners(position: &mut Acting<'_>, said: &str) -> Result<(), Act> {
    let Some(men) = men(said.split_whitespace()) else { return Err(Act::Unread("men such as `2P N`")) };
    let offered = position.current().settling().next().is_some_and(|(_, men)| !men.is_none());
    if men.is_none() && offered {
        return Ok(position.ask(Ply::Done)?);
    }
    Ok(position.ask(Ply::Prisoners(men))?)
}

/// A square, a colon and what stands behind them.
pub(super) fn addressed(said: &str) -> Option<(Square, Vec<&str>)> {
    let (on, rest) = said.split_once(':').unwrap_or((said, ""));
    Some((overchess::square_named(on.trim())?, rest.split_whitespace().collect()))
}

fn call_in(position: &mut Acting<'_>, said: &str, numbered: bool) -> Result<(), Act> {
    const EXPECTED: &str = "a square and men, such as `f6: 2P N`";
    let Some((on, words)) = addressed(said) else { return Err(Act::Unread(EXPECTED)) };
    let Some(roster) = men(words.into_iter()) else { return Err(Act::Unread(EXPECTED)) };
    // A number says that the over-piece is about to move; nothing is settled any more.
    let is_before_a_move = numbered
        && position.current().piece_at(on).is_some_and(|there| there.piece.side == position.current().turn());
    // The prisoners are taken first, and those who come before are done.
    while let Due::Settling(due) = position.due() {
        let prisoners = position.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
        if due == on && prisoners.is_none() && !is_before_a_move {
            break;
        }
        position.settle_one()?;
    }
    for role in overchess::KINDS {
        for _ in 0..roster.count(role) {
            position.ask(Ply::Reserve(on, role))?;
        }
    }
    Ok(())
}

/// `c3: d2+2P f1+N`, and what has only one way to go.
fn consolidate(position: &mut Acting<'_>, said: &str) -> Result<(), Act> {
    const EXPECTED: &str = "a square and where its men go, such as `c3: d2+2P f1+N`";
    let Some((from, words)) = addressed(said) else { return Err(Act::Unread(EXPECTED)) };
    position.settle()?;
    let mut gifts = Vec::new();
    for word in words {
        let read = word
            .split_once('+')
            .and_then(|(to, men)| Some((overchess::square_named(to)?, overchess::roster(men)?)));
        gifts.push(read.ok_or(Act::Unread(EXPECTED))?);
    }
    gifts.sort_by_key(|(to, _)| (to.rank, to.file));
    position.ask(Ply::Consolidate(from))?;
    for role in overchess::KINDS {
        for (to, men) in &gifts {
            for _ in 0..men.count(role) {
                // A kind that has one way to go may be left out before another that is told.
                while judge(position, Asked::Ply(Ply::Give(*to, role))).is_err() && position.hand_over_one() {
                }
                position.ask(Ply::Give(*to, role))?;
            }
        }
    }
    hand_over_the_rest(position);
    if position.due() == Due::Giving {
        let (left, _) = position.current().giving().unwrap_or_default();
        let words = format!("men are left to be handed over, and it is not told to whom: {}", AsRoster(left));
        // A king is never handed over; what could be is told.
        let asked = Asked::Ply(Ply::Give(from, Role::King));
        let possible = judge(position, asked).err().map_or(Vec::new(), |refused| refused.possible);
        return Err(Act::Refused(Refused { words, rule: &law::CONSOLIDATED, possible }));
    }
    Ok(())
}

/// Hands over what has only one way to go.
pub(super) fn hand_over_the_rest(position: &mut Acting<'_>) {
    while position.due() == Due::Giving && position.hand_over_one() {}
}
