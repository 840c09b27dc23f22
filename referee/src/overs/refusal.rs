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
    overchess::{self, Block, Individual, Level, Over, Ply},
};
use overboard_rules::{
    game::{Game as _, Refusal, Said},
    rule::Rule,
    square::Side,
};

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

    /// What was refused in a position, or in a run of plies from it.
    pub fn by(refusal: Refusal<Over>, over: &Over) -> Self {
        let Refusal { words, rule, possible, .. } = refusal;
        let squares =
            possible.iter().filter_map(|ply| if let Ply::Hand(_, to) = ply { Some(to) } else { None });
        let where_to = squares.clone().any(|to| squares.clone().next() != Some(to));
        let recorded = |ply| recorded(over, ply, where_to);
        let mut possible: Vec<_> = possible.iter().take(64).map(recorded).collect();
        possible.sort_unstable();
        Self { words, rule, possible }
    }

    /// What was refused of an act.
    pub fn of_act(refusal: Refusal<Over>, block: &Block, over: &Over) -> Self {
        match block {
            // Who is in hand is seen once an over-piece is taken from the board.
            Block::Consolidate(from, _) if over.is_legal(&Ply::Consolidate(*from)) => {
                Self::by(refusal, &over.after(Ply::Consolidate(*from)))
            }
            _ => Self::by(refusal, over),
        }
    }
}

/// A ply as a record of its game writes it; of individuals who they are, and where they go if that is asked, too.
fn recorded(over: &Over, ply: &Ply, where_to: bool) -> String {
    let name = |one: Option<&Individual>| one.map_or_else(String::new, |one| one.name.to_string());
    match ply {
        Ply::Take(place) => name(over.captives().at(*place)),
        Ply::Hand(place, to) if where_to => format!("{to}+{}", name(over.hand().at(*place))),
        Ply::Hand(place, _) => name(over.hand().at(*place)),
        _ => {
            let san = overchess::own_san(over, ply);
            san.rsplit_once('.').map_or(san.to_string(), |(_, own)| own.to_string())
        }
    }
}

impl OverPlay {
    /// A ply that means nothing legal is refused.
    pub(super) fn refuse_ply(&mut self, san: &San, desk: &mut Desk, parser: &Parser<'_>) {
        let Some(position) = self.line.position.as_deref() else { return };
        let Err(refusal) = position.resolve(self.here(), Said::Ply(san.written)) else { return };
        let refused = Refused::by(*refusal, position);
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
