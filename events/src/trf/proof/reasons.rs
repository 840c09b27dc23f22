//! The likely reason why totals do not follow from games.

use crate::{
    Event,
    rounds::ByeKind,
    trf::{Game, Player},
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};

/// Why a player may have so many points more, and the bye that explains it if only one does.
pub fn of_player(
    event: &Event,
    player: &Player,
    more: Points,
) -> (Option<String>, Option<(RoundNo, ByeKind)>) {
    let paired = event.rounds.len();
    let entry = |round: usize| player.rounds.get(round).copied().unwrap_or_default();
    let rounds = |test: &dyn Fn(Game) -> bool| -> Vec<RoundNo> {
        (0..paired)
            .filter(|round| test(entry(*round)))
            .map(RoundNo::at)
            .collect()
    };
    let [win, draw, _] = event.settings.game_points;
    if more > Points::ZERO {
        let unplayed = [
            (
                "written `0000 - -`",
                rounds(&|game| game.opponent.is_none() && game.result.0 == '-'),
            ),
            (
                "empty",
                rounds(&|game| game.opponent.is_none() && game.result.0 == ' '),
            ),
            ("a zero-point bye", rounds(&|game| game.result.0 == 'Z')),
        ];
        for (how, rounds) in unplayed {
            let [first, ..] = rounds[..] else { continue };
            let is_one = rounds.len() == 1;
            let bye = |kind| is_one.then_some((first, kind));
            let count = i32::try_from(rounds.len()).unwrap_or(i32::MAX);
            let were = format!("{} {how}", listed(&rounds));
            if more == draw && is_one {
                return (
                    Some(format!("{were}: perhaps a half-point bye")),
                    bye(ByeKind::Half),
                );
            }
            if more == win && is_one {
                let kind = full_bye(event, first);
                return (
                    Some(format!("{were}: perhaps a bye, or a win by forfeit")),
                    bye(kind),
                );
            }
            if more <= win.times(count) {
                return (
                    Some(format!("{were}: perhaps byes, or wins by forfeit")),
                    None,
                );
            }
        }
    } else {
        let half = rounds(&|game| game.result.0 == 'H');
        let count = i32::try_from(half.len()).unwrap_or(i32::MAX);
        if !half.is_empty() && -more <= draw.times(count) {
            return (
                Some(format!(
                    "{} a half-point bye: perhaps it counts nothing",
                    listed(&half)
                )),
                None,
            );
        }
        let full = rounds(&|game| game.opponent.is_none() && "FU+".contains(game.result.0));
        if !full.is_empty() {
            return (
                Some(format!(
                    "{} a bye: perhaps it counts less than {win}",
                    listed(&full)
                )),
                None,
            );
        }
    }
    let unequal = "perhaps a result is missing, or points were given apart from the games";
    (Some(unequal.into()), None)
}

/// The kind of a bye worth a win: the pairing-allocated one, if nobody has it in that round.
fn full_bye(event: &Event, round: RoundNo) -> ByeKind {
    let mut byes = event.rounds[round.index()].byes.iter();
    if byes.any(|bye| bye.kind == ByeKind::Bye) {
        ByeKind::Full
    } else {
        ByeKind::Bye
    }
}

/// Why a team may have so many match points (place 0) or game points (1) more.
pub fn of_team(event: &Event, team: TeamNo, place: usize, more: Points) -> Option<String> {
    let mut empty = Vec::new();
    let mut byes = Vec::new();
    let mut forfeits = Vec::new();
    for (number, round) in RoundNo::all().zip(&event.rounds) {
        let outcome = round.of(team).map(|this| event.outcome(this));
        let bye = round.byes.iter().find(|bye| bye.who == team);
        match (outcome, bye.map(|bye| bye.kind)) {
            (None, None | Some(ByeKind::Zero)) => empty.push(number),
            (None, Some(_)) => byes.push(number),
            (Some(Some(outcome)), _) if !outcome.played => forfeits.push(number),
            _ => {}
        }
    }
    if more > Points::ZERO && !empty.is_empty() {
        return Some(format!(
            "{} without an opponent: perhaps a bye, which records 240 and 320 would give",
            listed(&empty)
        ));
    }
    if !forfeits.is_empty() {
        return Some(format!(
            "{} forfeited: perhaps with another score than usual (record 299)",
            listed(&forfeits)
        ));
    }
    if !byes.is_empty() {
        return Some(format!("{} a bye: perhaps of other points", listed(&byes)));
    }
    Some(if place == 0 {
        "perhaps match points were given apart from the matches (record 299)".into()
    } else {
        "perhaps a line-up is missing (record 300), or points were given apart from the games (record 299)".into()
    })
}

/// Why a rank may be another one.
pub fn of_rank(event: &Event) -> String {
    let list = event.settings.tie_breaks.join(", ");
    if list.is_empty() {
        "the file names no tie-breaks".into()
    } else {
        format!("by {list} (edition {} of C.07)", event.settings.edition)
    }
}

/// `round 3 is`, or `rounds 3, 4 and 7 are`.
fn listed(rounds: &[RoundNo]) -> String {
    let words: Vec<String> = rounds.iter().map(ToString::to_string).collect();
    match &words[..] {
        [one] => format!("round {one} is"),
        [first @ .., last] => format!("rounds {} and {last} are", first.join(", ")),
        [] => String::new(),
    }
}
