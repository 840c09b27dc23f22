//! What is reported about an illegal ply.

use super::{move_number, way};
use crate::overchess::{self, Block, Level, Over, Places, Ply};
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
    let mut squares = Vec::new();
    for ply in &refusal.possible {
        if let Ply::Hand(_, to) = ply {
            squares.push(to);
        }
    }
    squares.dedup();
    let where_to = squares.len() > 1;
    let named = refusal.possible.iter().take(64);
    named.map(|ply| recorded(over, ply, where_to)).collect()
}

/// A ply as a record of its game writes it; individuals with who they are and, with `where_to`, where they go.
fn recorded(over: &Over, ply: &Ply, where_to: bool) -> String {
    let name = |places: &Places, place| match places.at(place) {
        Some(one) => one.name.to_string(),
        None => String::new(),
    };
    match ply {
        Ply::Take(place) => name(over.captives(), *place),
        Ply::Hand(place, to) if where_to => format!("{to}+{}", name(over.hand(), *place)),
        Ply::Hand(place, _) => name(over.hand(), *place),
        _ => {
            let san = overchess::own_san(over, ply);
            match san.rsplit_once('.') {
                Some((_, own)) => own.into(),
                None => san.to_string(),
            }
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
    let mut moved_since = false;
    if let Some(contest) = position.contested().next()
        && let Some(attacker) = position.piece_at(contest.to)
    {
        moved_since = attacker.piece.side == position.turn();
    }
    let number = position.fullmove();
    if moved_since || position.turn() == Side::White {
        number.saturating_sub(1)
    } else {
        number
    }
}
