//! Actions: prisoners, reserves, consolidations.

use super::{OverPlay, refusal::names};
use crate::referee::{Desk, acting::Acting};
use crate::{
    finding as code,
    overchess::{self, AsRoster},
    parse::{Parser, Verb},
};
use overboard_rules::{
    laws::{common, overchess as law},
    overchess::{Asked, Breach, Due, Ply, Roster},
    square::Square,
};
use std::{io::Read, sync::Arc};

impl OverPlay {
    pub(super) fn act<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) {
        let Some((verb, said, place)) = self.action.take() else { return };
        let Some(position) = self.line.position.as_deref().filter(|_| desk.judging && self.ignored == 0)
        else {
            return;
        };
        if let Some(ended) = desk.course.ended.filter(|_| desk.at_main_line()) {
            let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
            if let Some(finding) = desk.find(&code::MOVE_AFTER_END, place, parser, message) {
                finding.rule = Some(&common::ENDED);
            }
            return self.lose(desk);
        }
        let mut after = position.clone();
        let mut acting = desk.acting(&mut after);
        let acted = match verb {
            Verb::Prisoners => take_prisoners(&mut acting, &said),
            Verb::Reserve => call_in(&mut acting, &said, self.numbered),
            Verb::Consolidate => consolidate(&mut acting, &said),
        };
        match acted {
            Ok(()) => {
                if verb == Verb::Consolidate {
                    self.line.before = self.line.position.take();
                    desk.plies += u32::from(desk.at_main_line());
                    self.numbered = false;
                    // The ply behind it follows it at once.
                    desk.interrupted = false;
                }
                self.line.position = Some(Arc::new(after));
                self.settle_roles(desk);
                self.follow_course(desk);
            }
            Err(Act::Unread(expected)) => {
                let message = format!("this action cannot be read; expected {expected}");
                desk.find(&code::BAD_PLY, place, parser, message);
                self.lose(desk);
            }
            Err(Act::Refused(breach)) => {
                let possible = names(&after, &breach);
                let text = format!("<{}{said}>", verb.word());
                self.refuse_act(&text, (breach.words, breach.rule), possible, place, desk, parser);
            }
        }
    }
}

/// Why an action was not made.
enum Act {
    /// It cannot be read; what was expected.
    Unread(&'static str),
    /// It is not legal.
    Refused(Box<Breach>),
}

impl From<Box<Breach>> for Act {
    fn from(breach: Box<Breach>) -> Self {
        Self::Refused(breach)
    }
}

/// The roster of words such as `2P N`.
fn men<'a>(words: impl Iterator<Item = &'a str>) -> Option<Roster> {
    overchess::roster(&words.collect::<String>())
}

fn make(position: &mut Acting<'_>, ply: Ply) -> Result<(), Act> {
    let ply = position.judge(Asked::Ply(ply))?;
    position.play(&ply);
    Ok(())
}

fn take_prisoners(position: &mut Acting<'_>, said: &str) -> Result<(), Act> {
    let Some(men) = men(said.split_whitespace()) else { return Err(Act::Unread("men such as `2P N`")) };
    let offered = position.settling().next().is_some_and(|(_, men)| !men.is_none());
    if men.is_none() && offered {
        return make(position, Ply::Done);
    }
    make(position, Ply::Prisoners(men))
}

/// A square, a colon and what stands behind them.
fn addressed(said: &str) -> Option<(Square, Vec<&str>)> {
    let (on, rest) = said.split_once(':').unwrap_or((said, ""));
    Some((overchess::square(on.trim())?, rest.split_whitespace().collect()))
}

fn call_in(position: &mut Acting<'_>, said: &str, numbered: bool) -> Result<(), Act> {
    const EXPECTED: &str = "a square and men, such as `f6: 2P N`";
    let Some((on, words)) = addressed(said) else { return Err(Act::Unread(EXPECTED)) };
    let Some(roster) = men(words.into_iter()) else { return Err(Act::Unread(EXPECTED)) };
    // A number says that the over-piece is about to move; nothing is settled any more.
    let is_before_a_move =
        numbered && position.piece_at(on).is_some_and(|there| there.piece.side == position.turn());
    // The prisoners are taken first, and those who come before are done.
    while let Due::Settling(due) = position.due() {
        let prisoners = position.settling().next().map_or(Roster::NONE, |(_, men)| men);
        if due == on && prisoners.is_none() && !is_before_a_move {
            break;
        }
        position.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
    }
    for role in overboard_rules::overchess::KINDS {
        for _ in 0..roster.count(role) {
            make(position, Ply::Reserve(on, role))?;
        }
    }
    Ok(())
}

/// `c3: d2+2P f1+N`, and what has only one way to go.
fn consolidate(position: &mut Acting<'_>, said: &str) -> Result<(), Act> {
    const EXPECTED: &str = "a square and where its men go, such as `c3: d2+2P f1+N`";
    let Some((from, words)) = addressed(said) else { return Err(Act::Unread(EXPECTED)) };
    while let Due::Settling(_) = position.due() {
        let prisoners = position.settling().next().map_or(Roster::NONE, |(_, men)| men);
        position.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
    }
    let mut gifts = Vec::new();
    for word in words {
        let read = word
            .split_once('+')
            .and_then(|(to, men)| Some((overchess::square(to)?, overchess::roster(men)?)));
        gifts.push(read.ok_or(Act::Unread(EXPECTED))?);
    }
    gifts.sort_by_key(|(to, _)| (to.rank, to.file));
    make(position, Ply::Consolidate(from))?;
    for role in overboard_rules::overchess::KINDS {
        for (to, men) in &gifts {
            for _ in 0..men.count(role) {
                // A kind that has one way to go may be left out before another that is told.
                while position.judge(Asked::Ply(Ply::Give(*to, role))).is_err() && give_the_only_one(position)
                {
                }
                make(position, Ply::Give(*to, role))?;
            }
        }
    }
    hand_over_the_rest(position);
    if position.due() == Due::Giving {
        let (left, _) = position.giving().unwrap_or_default();
        let words = format!("men are left to be handed over, and it is not told to whom: {}", AsRoster(left));
        let mut possible = Vec::new();
        position.for_each_legal(|ply| possible.push(ply));
        return Err(Act::Refused(Box::new(Breach {
            words,
            rule: &law::CONSOLIDATED,
            within: None,
            possible,
        })));
    }
    Ok(())
}

/// Hands over a man where there is only one way; answers whether there was.
fn give_the_only_one(position: &mut Acting<'_>) -> bool {
    let mut ways = Vec::new();
    position.for_each_legal(|ply| ways.push(ply));
    match ways[..] {
        [only @ (Ply::Give(..) | Ply::Done)] => {
            position.play(&only);
            true
        }
        _ => false,
    }
}

pub(super) fn hand_over_the_rest(position: &mut Acting<'_>) {
    while position.due() == Due::Giving && give_the_only_one(position) {}
}
