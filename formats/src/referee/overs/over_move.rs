//! Plies of the over-game, and what a record leaves out between them.

use super::{OverPlay, action::hand_over_the_rest};
use crate::referee::{Canonical, Desk};
use crate::{
    finding as code, overchess,
    parse::Parser,
    san::{CHESS, MoveText, San, Suffix},
};
use overboard_rules::{
    laws::{common, overchess as law},
    overchess::{Asked, Due, Over, Ply, Roster},
    path::BoardPath,
    ply::Written,
};
use std::{io::Read, sync::Arc};

impl OverPlay {
    pub(super) fn over_ply<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> Option<Canonical> {
        self.settle(desk);
        if !self.begin_ply(desk, parser) {
            return None;
        }
        let san = match San::parse(parser.text(desk.last.place.span), &CHESS) {
            Ok(san) => san,
            Err(fault) => {
                desk.find(&code::BAD_PLY, desk.last.place, parser, format!("this is no move: {fault}"));
                self.lose(desk);
                return None;
            }
        };
        if self.is_past_the_end(desk, parser) || self.lacks_a_block(desk, parser) {
            return None;
        }
        self.end_consolidation(desk);
        let position = self.line.position.as_deref()?;
        match position.judge(Asked::Over(san.written)) {
            Ok(ply) => self.accept(&ply, &san, desk, parser),
            Err(breach) => {
                self.refuse_ply(&san, *breach, desk, parser);
                None
            }
        }
    }

    pub(super) fn is_past_the_end<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> bool {
        let Some(ended) = desk.course.ended.filter(|_| desk.at_main_line()) else { return false };
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, desk.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
        }
        self.lose(desk);
        true
    }

    /// Whether a sub-game is to be played first and is not there; then nothing is judged any more.
    pub(super) fn lacks_a_block<R: Read>(&mut self, desk: &mut Desk, parser: &Parser<R>) -> bool {
        let due = self.line.position.as_deref().map(Over::due);
        let Some(Due::Sub(on) | Due::Setup(on, _)) = due else { return false };
        let message = format!(
            "the sub-game on {on} is to be played first and is not recorded, or not to its end: the game is not judged from here"
        );
        if let Some(finding) = desk.find(&code::OPEN_PLY, desk.last.place, parser, message) {
            finding.rule = Some(&law::ATTACK);
        }
        self.lose(desk);
        true
    }

    pub(super) fn accept<R: Read>(
        &mut self,
        ply: &Ply,
        san: &San,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> Option<Canonical> {
        let before = self.line.position.take()?;
        let Ply::Over(m) = ply else { return None };
        let written = before.written(*m);
        tell_spelling(san, &written, before.captures(*m), desk, parser);
        let mut after = Over::clone(&before);
        desk.acting(&mut after).play(ply);
        if desk.at_main_line() {
            self.roles.moved((m.from(), m.to()), matches!(written, Written::Castle(_)), &after);
        }
        let suffix = overchess::suffix(&before, ply, &after);
        if san.suffix != suffix {
            desk.wrong_suffix(suffix, desk.last.place, parser);
        }
        desk.last.moved = true;
        let coordinates = match desk.canonical {
            true => MoveText::from(&overchess::coordinates(&before, ply)).unwrap_or_default(),
            false => MoveText::new(),
        };
        self.line.position = Some(Arc::new(after));
        self.line.before = Some(before);
        self.follow_course(desk);
        self.told(written, suffix, coordinates, desk)
    }

    pub(super) fn told(
        &self,
        written: Written,
        suffix: Suffix,
        coordinates: MoveText,
        desk: &Desk,
    ) -> Option<Canonical> {
        let (number, side) = desk.last.number;
        let path = BoardPath::OUTERMOST;
        desk.canonical.then_some(Canonical {
            written,
            suffix,
            side,
            number,
            coordinates,
            act: None,
            board: None,
            path,
        })
    }

    pub(super) fn follow_course(&self, desk: &mut Desk) {
        let Some(position) = self.line.position.as_deref().filter(|_| desk.at_main_line()) else { return };
        for (right, claimable) in position.claimable().into_iter().zip(&mut desk.course.claimable) {
            if right {
                claimable.get_or_insert(desk.plies);
            }
        }
        desk.course.ended = position.ending();
    }

    /// What a record leaves out of settling a sub-game: all prisoners that fit, and no spares (GEN-8).
    pub(super) fn settle(&mut self, desk: &mut Desk) {
        let is_due = |position: &Over| matches!(position.due(), Due::Settling(_));
        if !self.line.position.as_deref().is_some_and(is_due) {
            return;
        }
        let Some(position) = self.line.position.as_mut().map(Arc::make_mut) else { return };
        let mut position = desk.acting(position);
        while let Due::Settling(_) = position.due() {
            let prisoners = position.settling().next().map_or(Roster::NONE, |(_, men)| men);
            position.play(&if prisoners.is_none() { Ply::Done } else { Ply::Prisoners(prisoners) });
        }
        self.follow_course(desk);
    }

    /// What a record leaves out of a consolidation: what has only one way (OV-24).
    pub(super) fn end_consolidation(&mut self, desk: &mut Desk) {
        if let Some(position) = &mut self.line.position
            && position.due() == Due::Giving
        {
            hand_over_the_rest(&mut desk.acting(Arc::make_mut(position)));
        }
    }
}

/// Says where a legal ply is written otherwise than it should be.
pub(super) fn tell_spelling<R: Read>(
    san: &San,
    right: &Written,
    captures: bool,
    desk: &mut Desk,
    parser: &Parser<R>,
) {
    if let (Written::Move(given), Written::Move(right)) = (&san.written, right)
        && given != right
    {
        desk.tell_spelling(given, right, captures, parser);
    }
    if let Some(leniency) = san.leniency {
        desk.forgive(leniency, parser);
    }
}
