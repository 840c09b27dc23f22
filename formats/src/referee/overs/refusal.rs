//! What is said of a ply that is not legal.

use super::OverPlay;
use crate::referee::{Desk, number_of};
use crate::{
    finding::{self as code, Finding},
    notation::Notation,
    overchess,
    parse::Parser,
    san::{San, Spelt},
    span::Place,
};
use overboard_rules::{
    overchess::{Breach, Over, Ply},
    rule::Rule,
    square::Side,
};
use std::io::Read;

impl OverPlay {
    pub(super) fn refuse_ply<R: Read>(
        &mut self,
        san: &San,
        breach: Breach,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let Some(position) = self.line.position.as_deref() else { return };
        let possible = names(position, &breach);
        let (number, side) = desk.last.number;
        let within = breach.within.map_or(String::new(), |on| {
            format!("over-move {}, sub-game {on}, move ", attack_number(position))
        });
        let message = format!(
            "{within}{} {} is illegal: {}",
            number_of(number, side),
            Spelt(san.written),
            breach.words
        );
        let path = breach.within.map_or(String::new(), |on| on.to_string());
        let place = desk.last.place;
        self.refused.clone_from(&self.line.position);
        let found = desk.findings.len();
        self.refuse((message, breach.rule), possible, path, place, desk, parser);
        desk.last.refused = (desk.at_main_line() && desk.findings.len() > found).then_some(found);
    }

    pub(super) fn refuse_act<R: Read>(
        &mut self,
        text: &str,
        (words, rule): (String, &'static Rule),
        possible: Vec<String>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let path = self.line.block.as_ref().map_or(String::new(), |block| block.on.to_string());
        let at = match (&self.line.block, &self.line.position) {
            (Some(block), Some(position)) => {
                format!("over-move {}, sub-game {}:", attack_number(position), block.on)
            }
            _ => self.move_number(),
        };
        let message = format!("{at} {text} is illegal: {words}");
        self.refuse((message, rule), possible, path, place, desk, parser);
    }

    pub(super) fn refuse<R: Read>(
        &mut self,
        (message, rule): (String, &'static Rule),
        possible: Vec<String>,
        path: String,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let kind = if desk.at_main_line() { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let board = self.line.position.as_deref().map(|position| match position.sub_game() {
            Some(chess) if !path.is_empty() => chess.panel(),
            _ => overchess::panel(position),
        });
        let note = |finding: &mut Finding| {
            finding.rule = Some(rule);
            finding.possible = possible;
            finding.path = path;
            finding.board = board.map(Box::new);
        };
        if let Some(finding) = desk.find(kind, place, parser, message) {
            note(finding);
        }
        self.lose(desk);
    }
}

/// The number of the over-move that made the attack to be settled first.
pub(super) fn attack_number(position: &Over) -> u32 {
    let attack = position.contested().next().and_then(|contest| position.piece_at(contest.to));
    let moved_since = attack.is_some_and(|attacker| attacker.piece.side == position.turn());
    let number = position.fullmove();
    if moved_since || position.turn() == Side::White { number.saturating_sub(1) } else { number }
}

/// What was possible, as it is written.
pub(super) fn names(position: &Over, breach: &Breach) -> Vec<String> {
    let name = |ply: &Ply| {
        let san = overchess::san(position, ply);
        san.rsplit_once('.').map_or(san.to_string(), |(_, own)| own.to_string())
    };
    let mut names: Vec<_> = breach.possible.iter().take(64).map(name).collect();
    names.sort_unstable();
    names
}
