//! What is said of a ply that is not legal.

use super::OverPlay;
use crate::{
    Desk,
    finding::{self as code, Finding},
    number_of,
};
use overboard_formats::{
    parse::Parser,
    san::{San, Spelt},
    span::Place,
};
use overboard_games::{
    notation::Notation,
    overchess::{self, Asked, Breach, Level, Over, Ply},
};
use overboard_rules::{rule::Rule, square::Side};

/// Words and the rule behind them.
pub type Reason = (String, &'static Rule);

/// A refused act.
pub struct Refused {
    pub words: String,
    pub rule: &'static Rule,
    /// What was possible, as it is written.
    pub possible: Vec<String>,
}

impl Refused {
    pub fn of((words, rule): Reason) -> Self {
        Self { words, rule, possible: Vec::new() }
    }

    fn breach(over: &Over, breach: &Breach) -> Self {
        // Without the way to the game, in order.
        let own = |ply: &Ply| {
            let san = overchess::own_san(over, ply);
            san.rsplit_once('.').map_or(san.to_string(), |(_, own)| own.to_string())
        };
        let mut possible: Vec<_> = breach.possible.iter().take(64).map(own).collect();
        possible.sort_unstable();
        Self { words: breach.words.clone(), rule: breach.rule, possible }
    }
}

/// Judges an act of the innermost game.
pub fn judge(over: &Over, asked: Asked) -> Result<Ply, Refused> {
    over.judge(asked).map_err(|breach| Refused::breach(over, &breach))
}

impl OverPlay {
    pub(super) fn refuse_ply(&mut self, san: &San, refused: Refused, desk: &mut Desk, parser: &Parser<'_>) {
        let (number, side) = desk.last.number;
        let way = if self.line.blocks.is_empty() { String::new() } else { format!("{}, move ", self.way()) };
        let number = number_of(number, side);
        let message = format!("{way}{number} {} is illegal: {}", Spelt(san.written), refused.words);
        self.refused.clone_from(&self.line.position);
        let found = desk.findings.len();
        self.refuse((message, refused.rule), refused.possible, desk.last.place, desk, parser);
        desk.last.refused = (desk.at_main_line() && desk.findings.len() > found).then_some(found);
    }

    pub(super) fn refuse_act(
        &mut self,
        text: &str,
        refused: Refused,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let at = match self.line.position {
            Some(_) if !self.line.blocks.is_empty() => format!("{}:", self.way()),
            _ => self.move_number(),
        };
        let message = format!("{at} {text} is illegal: {}", refused.words);
        self.refuse((message, refused.rule), refused.possible, place, desk, parser);
    }

    pub(super) fn refuse(
        &mut self,
        (message, rule): (String, &'static Rule),
        possible: Vec<String>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let kind = if desk.at_main_line() { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let path = self.path();
        let board = self.line.position.as_deref().map(|position| match position.current().sub_game() {
            Some(chess) if self.is_in_chess() => chess.panel(),
            _ => overchess::panel(position.level(self.level()).unwrap_or_else(|| position.outermost())),
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
pub(super) fn attack_number(position: &Level) -> u32 {
    let attack = position.contested().next().and_then(|contest| position.piece_at(contest.to));
    let moved_since = attack.is_some_and(|attacker| attacker.piece.side == position.turn());
    let number = position.fullmove();
    if moved_since || position.turn() == Side::White { number.saturating_sub(1) } else { number }
}
