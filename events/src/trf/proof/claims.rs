//! What a report says twice, and differently.

use crate::{
    csv::CsvError,
    roster::is_federation,
    trf::{Game, Player, Request, Trf, import},
};
use overboard_schedules::ids::RoundNo;
use std::collections::BTreeMap;

/// Games of which the two players' entries say different things.
pub fn contradictions(trf: &Trf) -> Vec<CsvError> {
    let mut by_number = BTreeMap::new();
    for player in &trf.players {
        by_number.insert(player.number, player);
    }
    let mut all = Vec::new();
    for player in &trf.players {
        for (round, own) in player.rounds.iter().enumerate() {
            let Some(opponent) = own.opponent.and_then(|other| by_number.get(&other)) else {
                continue;
            };
            let theirs = opponent.rounds.get(round).copied().unwrap_or_default();
            // Each game once, from its first player; a game that only one has, from that one.
            let is_mutual = theirs.opponent == Some(player.number);
            if is_mutual && opponent.number < player.number {
                continue;
            }
            if let Some(why) = differ(player, *own, opponent, theirs) {
                let at = player.at.column(92 + 10 * round as u64);
                all.push(at.fault(format!("round {}: {why}", round + 1)));
            }
        }
    }
    all.extend(two_byes(trf));
    all
}

/// Teams with a bye in record 320 and another in 240, in the same round.
fn two_byes(trf: &Trf) -> Vec<CsvError> {
    let mut all = Vec::new();
    let Some(byes) = &trf.byes else {
        return all;
    };
    for (round, team) in RoundNo::all().zip(&byes.teams) {
        let Some(team) = trf.teams.iter().find(|known| Some(known.number) == *team) else {
            continue;
        };
        let asked = |this: &&Request| this.round == round && this.who.contains(&team.number);
        if let Some(other) = trf.requests.iter().find(asked) {
            all.push(team.at.0.fault(format!(
                "{} has the pairing-allocated bye of round {round} in record 320, and {} in record 240",
                team.name.shown(),
                other.kind
            )));
        }
    }
    all
}

/// What two entries of a game say against each other.
fn differ(player: &Player, own: Game, opponent: &Player, theirs: Game) -> Option<String> {
    let (name, other) = (player.name.shown(), opponent.name.shown());
    let (first, second) = (own.result.0, theirs.result.0);
    // The entry of an absent opponent may name nobody.
    let is_absent = theirs.opponent.is_none() && "-Z ".contains(second) && "+-".contains(first);
    if theirs.opponent != Some(player.number) && !is_absent {
        let whom = match theirs.opponent {
            Some(number) => format!("number {number}"),
            None => "nobody".into(),
        };
        return Some(format!(
            "{name} plays {other} (number {}), but {other} plays {whom}",
            opponent.number
        ));
    }
    if own.white.is_some() && own.white == theirs.white {
        let colour = if own.white == Some(true) {
            "White"
        } else {
            "Black"
        };
        return Some(format!("both {name} and {other} have {colour}"));
    }
    let fits = match first {
        '1' => second == '0',
        '0' => second == '1',
        '=' => second == '=',
        'W' => second == 'L',
        'L' => second == 'W',
        'D' => second == 'D',
        '+' => second == '-' || is_absent,
        '-' => "+-".contains(second) || is_absent,
        _ => true,
    };
    if fits || second == ' ' {
        return None;
    }
    Some(format!(
        "{name} has `{first}` and {other} `{second}` for the same game"
    ))
}

/// What is unusual in a report, and how it is understood.
#[must_use]
pub fn oddities(trf: &Trf) -> Vec<CsvError> {
    let mut all = odd_dates(trf);
    all.extend(in_no_team(trf));
    all.extend(same_ids(trf));
    all.extend(odd_federations(trf));
    all
}

fn odd_federations(trf: &Trf) -> Vec<CsvError> {
    let mut all = Vec::new();
    for player in &trf.players {
        if !is_federation(player.federation.as_it_came()) {
            let fault = format!(
                "{}: `{}` is not a federation; expected three capital letters such as GER",
                player.name.shown(),
                player.federation.shown()
            );
            all.push(player.at.column(54).fault(fault));
        }
    }
    all
}

/// Days that are none.
fn odd_dates(trf: &Trf) -> Vec<CsvError> {
    let mut all = Vec::new();
    for (code, what) in [("042", "start"), ("052", "end")] {
        let Some(given) = trf.record(code) else {
            continue;
        };
        let text = given.text.as_it_came();
        if !text.trim().is_empty() && import::date(text).is_empty() {
            let date = given.text.shown();
            let fault = format!("the {what} `{date}` is not a date (YYYY/MM/DD), and is left out");
            all.push(given.at.0.fault(fault));
        }
    }
    all
}

/// Players whom no record of a team names.
fn in_no_team(trf: &Trf) -> Vec<CsvError> {
    let mut all = Vec::new();
    for one in import::members::unlisted(trf) {
        let mut players = trf.players.iter();
        let Some(player) = players.find(|player| player.number == one.number) else {
            continue;
        };
        let name = player.name.shown();
        all.push(player.at.0.fault(match one.team {
            Some(team) => format!("{name} is in no record of a team, but plays for team {team}"),
            None => format!("{name} is in no team"),
        }));
    }
    all
}

/// Players with the same FIDE id.
fn same_ids(trf: &Trf) -> Vec<CsvError> {
    let mut all = Vec::new();
    let mut ids: BTreeMap<&str, &Player> = BTreeMap::new();
    for player in &trf.players {
        let id = player.fide_id.as_it_came();
        if id.is_empty() || id == "0" {
            continue;
        }
        if let Some(first) = ids.insert(id, player) {
            let (name, other) = (player.name.shown(), first.name.shown());
            let id = player.fide_id.shown();
            let fault = format!("{name} and {other} have the same FIDE id {id}");
            all.push(player.at.column(58).fault(fault));
        }
    }
    all
}
