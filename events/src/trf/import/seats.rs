//! Who sat at which board of a match, where a report says it for one team only, or for none.

use super::game;
use crate::trf::{Game, Team, Trf};
use overboard_schedules::ids::RoundNo;

/// The players of a team in a round, by board; 0 for an empty board. Where no record 300 says it, these are the members
/// who played or won by forfeit, in the order of the team.
pub fn playing(trf: &Trf, team: &Team, round: RoundNo) -> Vec<u32> {
    if let Some(reported) = reported(trf, team, round) {
        return reported.to_vec();
    }
    let plays = |member: &&u32| game(trf, **member, round).is_some_and(is_present);
    team.members.iter().filter(plays).copied().collect()
}

/// The line-up that a record 300 gives.
fn reported<'t>(trf: &'t Trf, team: &Team, round: RoundNo) -> Option<&'t [u32]> {
    let found = trf
        .line_ups
        .iter()
        .find(|this| this.round == round && this.team == team.number);
    found.map(|this| this.players.as_slice())
}

/// Whether a player came: also a win against an empty chair, which names neither opponent nor colour.
const fn is_present(game: Game) -> bool {
    game.white.is_some() || (game.opponent.is_none() && game.result.0 == '+')
}

/// The players of both teams of a match, by board. A player sits opposite the named opponent; one without an opponent
/// sits between those of the own team who come before and after.
pub fn facing(trf: &Trf, teams: [&Team; 2], round: RoundNo) -> [Vec<u32>; 2] {
    let [first, second] = teams.map(|team| playing(trf, team, round));
    match teams.map(|team| reported(trf, team, round).is_some()) {
        [true, true] => [first, second],
        [true, false] => {
            let second = opposite(trf, &first, &second, round);
            [first, second]
        }
        [false, true] => {
            let first = opposite(trf, &second, &first, round);
            [first, second]
        }
        [false, false] => merged(trf, first, second, round),
    }
}

fn opponent(trf: &Trf, player: u32, round: RoundNo) -> Option<u32> {
    game(trf, player, round)?.opponent
}

/// Seats the present players of a team opposite a line-up that is known.
fn opposite(trf: &Trf, known: &[u32], present: &[u32], round: RoundNo) -> Vec<u32> {
    let named = |player: &u32| {
        opponent(trf, *player, round)
            .filter(|opponent| present.contains(opponent))
            .unwrap_or(0)
    };
    let mut seats: Vec<u32> = known.iter().map(named).collect();
    let place = |seats: &[u32], player: u32| seats.iter().position(|seat| *seat == player);
    for (index, player) in present.iter().enumerate() {
        if place(&seats, *player).is_some() {
            continue;
        }
        let before = present[..index]
            .iter()
            .filter_map(|one| place(&seats, *one));
        let lowest = before.max().map_or(0, |seat| seat + 1);
        let after = present[index + 1..]
            .iter()
            .filter_map(|one| place(&seats, *one));
        let end = after.min().unwrap_or(seats.len());
        // A player whose own entry names somebody else does not sit here.
        let is_open = |seat: usize| {
            seats[seat] == 0 && (known[seat] == 0 || opponent(trf, known[seat], round).is_none())
        };
        let between = (lowest..end).find(|seat| is_open(*seat));
        match between.or_else(|| (0..seats.len()).find(|seat| is_open(*seat))) {
            Some(seat) => seats[seat] = *player,
            None => seats.push(*player),
        }
    }
    seats
}

/// Seats the present players of two teams opposite each other, in the order of the first team.
fn merged(trf: &Trf, first: Vec<u32>, second: Vec<u32>, round: RoundNo) -> [Vec<u32>; 2] {
    let place = |player: u32| {
        let named = opponent(trf, player, round)?;
        second.iter().position(|other| *other == named)
    };
    let is_alone =
        |other: u32| opponent(trf, other, round).is_none_or(|named| !first.contains(&named));
    let mut boards = [Vec::new(), Vec::new()];
    let mut next = 0;
    for player in &first {
        let opposite = place(*player);
        // Those of the second team who sit alone before this opponent have the boards before it.
        for other in second
            .get(next..opposite.unwrap_or(next))
            .unwrap_or_default()
        {
            if is_alone(*other) {
                boards[0].push(0);
                boards[1].push(*other);
            }
        }
        boards[0].push(*player);
        boards[1].push(opposite.map_or(0, |place| second[place]));
        next = next.max(opposite.map_or(0, |place| place + 1));
    }
    for other in &second[next..] {
        if is_alone(*other) {
            boards[0].push(0);
            boards[1].push(*other);
        }
    }
    boards
}
