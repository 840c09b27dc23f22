//! Who sat at which board of a match, where a report says it for one team only, or for none.

use super::game;
use crate::trf::{Game, LineUp, Team, Trf};
use overboard_schedules::ids::RoundNo;

/// The players of a team in a round, by board; 0 for an empty board. Where no record 300 says it, these are the members
/// who played or won by forfeit, in the order of the team.
pub fn playing(trf: &Trf, team: &Team, round: RoundNo) -> Vec<u32> {
    if let Some(record) = record(trf, team, round) {
        return record.players.clone();
    }
    let mut playing = Vec::new();
    for member in &team.members {
        if let Some(game) = game(trf, *member, round)
            && is_present(game)
        {
            playing.push(*member);
        }
    }
    playing
}

/// The record 300 of a team in a round.
pub fn record<'t>(trf: &'t Trf, team: &Team, round: RoundNo) -> Option<&'t LineUp> {
    trf.line_ups
        .iter()
        .find(|this| this.round == round && this.team == team.number)
}

/// Whether a player came: also a win against an empty chair, which names neither opponent nor colour.
const fn is_present(game: Game) -> bool {
    game.white.is_some() || (game.opponent.is_none() && game.result.0 == '+')
}

/// The players of both teams of a match, by board. A player sits opposite the named opponent; one without an opponent
/// sits between those of the own team who come before and after.
pub fn facing(trf: &Trf, teams: [&Team; 2], round: RoundNo) -> [Vec<u32>; 2] {
    let [first, second] = teams.map(|team| playing(trf, team, round));
    match teams.map(|team| record(trf, team, round).is_some()) {
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

/// The opponent that a player's own record names.
pub fn opponent(trf: &Trf, player: u32, round: RoundNo) -> Option<u32> {
    game(trf, player, round)?.opponent
}

/// Seats the present players of a team opposite a line-up that is known.
fn opposite(trf: &Trf, known: &[u32], present: &[u32], round: RoundNo) -> Vec<u32> {
    let mut seats = Vec::new();
    for player in known {
        seats.push(match opponent(trf, *player, round) {
            Some(named) if present.contains(&named) => named,
            _ => 0,
        });
    }
    let place = |seats: &[u32], player: &u32| seats.iter().position(|seat| seat == player);
    for (index, player) in present.iter().enumerate() {
        if place(&seats, player).is_some() {
            continue;
        }
        let mut lowest = 0;
        for before in &present[..index] {
            if let Some(seat) = place(&seats, before) {
                lowest = lowest.max(seat + 1);
            }
        }
        let mut end = seats.len();
        for after in &present[index + 1..] {
            if let Some(seat) = place(&seats, after) {
                end = end.min(seat);
            }
        }
        // A player whose own entry names somebody else does not sit here.
        let is_open = |seat: usize| {
            seats[seat] == 0 && (known[seat] == 0 || opponent(trf, known[seat], round).is_none())
        };
        let anywhere = 0..seats.len();
        match (lowest..end).chain(anywhere).find(|seat| is_open(*seat)) {
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
    let mut boards = [Vec::new(), Vec::new()];
    // Those of the second team who sit alone.
    let seat_alone = |boards: &mut [Vec<u32>; 2], others: &[u32]| {
        for other in others {
            let named = opponent(trf, *other, round);
            if named.is_none_or(|named| !first.contains(&named)) {
                boards[0].push(0);
                boards[1].push(*other);
            }
        }
    };
    let mut next = 0;
    for player in &first {
        let mut other = 0;
        if let Some(place) = place(*player) {
            // Those before this opponent have the boards before it.
            seat_alone(&mut boards, second.get(next..place).unwrap_or_default());
            other = second[place];
            next = next.max(place + 1);
        }
        boards[0].push(*player);
        boards[1].push(other);
    }
    seat_alone(&mut boards, &second[next..]);
    boards
}
