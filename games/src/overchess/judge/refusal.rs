//! What is reported about an illegal ply.

use super::{move_number, way};
use crate::overchess::{self, Block, Individual, Level, Over, Ply};
use overboard_formats::span::TextSpan;
use overboard_referee::{
    finding as code, game::judge::Judge as _, hearing::Hearing, numbering::Unjudged,
};
use overboard_rules::{
    game::{Game as _, Refusal},
    path::BoardPath,
    rule::Rule,
    square::Side,
};

/// Why an act is refused, in words, and the rule.
pub type Reason = (String, &'static Rule);

/// A refused act.
pub struct Refused {
    pub words: String,
    pub rule: &'static Rule,
    /// What was possible, as it would be written.
    pub possible: Vec<String>,
}

impl Refused {
    pub fn of((words, rule): Reason) -> Self {
        Self {
            words,
            rule,
            possible: Vec::new(),
        }
    }

    /// From the refusal of a ply.
    pub fn by(refusal: Refusal<Over>, over: &Over) -> Self {
        let mut possible = offer(over, &refusal);
        possible.sort_unstable();
        Self {
            words: refusal.words,
            rule: refusal.rule,
            possible,
        }
    }

    /// From the refusal of an act.
    pub fn of_act(refusal: Refusal<Over>, block: &Block, over: &Over) -> Self {
        match block {
            // Who is in hand shows only after the over-piece has been taken off the board.
            Block::Consolidate(from, _) if over.is_legal(&Ply::Consolidate(*from)) => {
                Self::by(refusal, &over.after(Ply::Consolidate(*from)))
            }
            _ => Self::by(refusal, over),
        }
    }
}

/// What was possible, as a record writes it.
pub fn offer(over: &Over, refusal: &Refusal<Over>) -> Vec<String> {
    let possible = &refusal.possible;
    let squares = possible.iter().filter_map(|ply| {
        if let Ply::Hand(_, to) = ply {
            Some(to)
        } else {
            None
        }
    });
    let where_to = squares.clone().any(|to| squares.clone().next() != Some(to));
    possible
        .iter()
        .take(64)
        .map(|ply| recorded(over, ply, where_to))
        .collect()
}

/// A ply as a record of its game writes it; individuals with who they are and, with `where_to`, where they go.
fn recorded(over: &Over, ply: &Ply, where_to: bool) -> String {
    let name = |one: Option<&Individual>| one.map_or_else(String::new, |one| one.name.to_string());
    match ply {
        Ply::Take(place) => name(over.captives().at(*place)),
        Ply::Hand(place, to) if where_to => format!("{to}+{}", name(over.hand().at(*place))),
        Ply::Hand(place, _) => name(over.hand().at(*place)),
        _ => {
            let san = overchess::own_san(over, ply);
            san.rsplit_once('.')
                .map_or(san.to_string(), |(_, own)| own.to_string())
        }
    }
}

/// Refuses an act that is not a legal ply.
pub(super) fn refuse_act(
    hearing: &mut Hearing<'_, Over>,
    text: &str,
    refused: Refused,
    place: TextSpan,
) {
    let at = if hearing.referee.open.blocks.is_empty() {
        move_number(hearing.referee)
    } else {
        format!("{}:", way(hearing.referee))
    };
    let message = format!("{at} {text} is illegal: {}", refused.words);
    let kind = if hearing.state.at_main_line() {
        &code::ILLEGAL_MOVE
    } else {
        &code::ILLEGAL_VARIATION
    };
    let here = Over::here(hearing.referee);
    let board = hearing.picture(here);
    let moment = hearing.moment();
    if let Some(finding) = hearing.find(kind, place, message) {
        finding.rule = Some(refused.rule);
        finding.moment = moment;
        finding.possible = refused.possible;
        finding.path = overchess::said(&here);
        finding.board = board;
    }
    hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
}

/// The number of the over-move that made the attack which must be settled first.
pub(super) fn attack_number(position: &Level) -> u32 {
    let attack = position
        .contested()
        .next()
        .and_then(|contest| position.piece_at(contest.to));
    let moved_since = attack.is_some_and(|attacker| attacker.piece.side == position.turn());
    let number = position.fullmove();
    if moved_since || position.turn() == Side::White {
        number.saturating_sub(1)
    } else {
        number
    }
}
