//! Plies of the over-game, and what a record leaves out between them.

use super::OverPlay;
use crate::{Desk, finding as code};
use overboard_formats::{
    canonical::Canonical,
    parse::Parser,
    san::{CHESS, MoveText, San, Suffix},
    span::Place,
};
use overboard_games::overchess::{self, Due, Over, Ply, laws as law};
use overboard_rules::{
    game::{Game as _, Said, Spelt, Step},
    general as common,
    path::BoardPath,
    ply::Written,
    position::Found,
    square::Square,
};

impl OverPlay {
    pub(super) fn over_ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        self.enter(Some(Said::Unreadable), desk, parser);
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
        if self.is_past_the_end(desk, parser) || self.lacks_a_block(desk.last.place, desk, parser) {
            return None;
        }
        match self.line.position.as_deref()?.find(self.here(), &san.written) {
            Found::One(ply) => self.accept(ply, &san, desk, parser),
            Found::None | Found::Several => {
                self.refuse_ply(&san, desk, parser);
                None
            }
        }
    }

    pub(super) fn is_past_the_end(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        if self.is_past_the_block(desk.last.place, desk, parser) {
            return true;
        }
        let Some(ended) = desk.course.ended.filter(|_| desk.at_main_line()) else { return false };
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, desk.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
        }
        self.lose(desk);
        true
    }

    /// Whether the sub-game being read had ended.
    pub(super) fn is_past_the_block(&mut self, place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let Some(block) = self.line.blocks.last().filter(|block| block.over.is_some()) else { return false };
        let (message, path) = (format!("the sub-game on {} had ended", block.on), self.path());
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, place, parser, message) {
            finding.rule = Some(&common::ENDED);
            finding.path = path;
        }
        self.lose(desk);
        true
    }

    /// Whether a sub-game is to be played first and is not there; then nothing is judged any more.
    pub(super) fn lacks_a_block(&mut self, place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let level = self.level();
        let due = self.line.position.as_deref().and_then(|position| contested(position, level));
        let Some(on) = due else { return false };
        let message = format!(
            "the sub-game on {on} is to be played first and is not recorded, or not to its end: the game is not judged from here"
        );
        if let Some(finding) = desk.find(&code::OPEN_PLY, place, parser, message) {
            finding.rule = Some(&law::ATTACK);
        }
        self.lose(desk);
        true
    }

    fn accept(&mut self, ply: Ply, san: &San, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let before = self.line.position.clone()?;
        let (Ply::Over(m), (here, Spelt::Ply(written))) = (ply, before.spell(ply)) else { return None };
        tell_spelling(san, &written, before.current().captures(m), desk, parser);
        self.line.dead.retain(|dead| dead.outer(dead.len().saturating_sub(1)) != here);
        self.make(&Step::Ply(ply), desk);
        let after = self.line.position.as_deref()?;
        let level = self.line.blocks.len();
        if let (true, Some(roles), Some(over)) =
            (desk.at_main_line(), self.roles.get_mut(level), after.level(level))
        {
            roles.moved((m.from(), m.to()), matches!(written, Written::Castle(_)), over);
        }
        let suffix = overchess::suffix(&before, &ply, after);
        if san.suffix != suffix {
            desk.wrong_suffix(suffix, desk.last.place, parser);
        }
        desk.last.moved = true;
        let coordinates = match desk.canonical {
            true => MoveText::from(&overchess::own_coordinates(&before, &ply)).unwrap_or_default(),
            false => MoveText::new(),
        };
        self.line.remember(before);
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
}

/// The square of the sub-game that is due or being played in an over-game, 0 the outermost.
pub(super) fn contested(over: &Over, level: usize) -> Option<Square> {
    if over.open() > level + 1 {
        return over.level(level)?.contested().next().map(|contest| contest.to);
    }
    match over.due() {
        Due::Sub(on) | Due::Setup(on, _) if over.open() == level + 1 => Some(on),
        _ => None,
    }
}

/// Says where a legal ply is written otherwise than it should be.
pub(super) fn tell_spelling(
    san: &San,
    right: &Written,
    captures: bool,
    desk: &mut Desk,
    parser: &Parser<'_>,
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
