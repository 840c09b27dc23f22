//! The likely reason why totals do not follow from games.

use super::Cause;
use crate::{
    Event,
    rounds::{Board, ByeKind, GameResult, Match},
    settings::{Participants, Scoring},
    trf::{Game, Player},
};
use overboard_rules::refusal::list;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    tournament::{Score, Worth},
};

/// Why a player may have so many points more, and what explains it if only one thing does.
pub fn of_player(event: &Event, player: &Player, more: Points) -> (String, Option<Cause>) {
    match event.settings.participants {
        Participants::Players => of_single_player(event, player, more),
        Participants::Teams => of_team_player(event, player, more),
    }
}

/// The rounds in which a player has an entry of a certain kind.
fn rounds_with(event: &Event, player: &Player, test: impl Fn(Game) -> bool) -> Vec<RoundNo> {
    let mut rounds = Vec::new();
    for round in 0..event.rounds.len() {
        let entry = player.rounds.get(round).copied().unwrap_or_default();
        if test(entry) {
            rounds.push(RoundNo::at(round));
        }
    }
    rounds
}

const UNEQUAL: &str = "perhaps a result is missing, or points were given apart from the games";

/// A player of a team has no byes: only a board of a match of the team can explain more points.
fn of_team_player(event: &Event, player: &Player, more: Points) -> (String, Option<Cause>) {
    let mut unseated = rounds_with(event, player, |game| {
        game.opponent.is_none() && "- ".contains(game.result.0)
    });
    unseated.retain(|round| free_board(event, *round, player.number).is_some());
    let win = event.settings.game_points.win;
    let count = i32::try_from(unseated.len()).unwrap_or(i32::MAX);
    if unseated.is_empty() || more <= Points::ZERO || more > win.times(count) {
        return (UNEQUAL.into(), None);
    }
    let were = listed(&unseated);
    let reason = format!(
        "{were} without a game, when a board of the match had none: perhaps a win by forfeit"
    );
    let cause = match unseated[..] {
        [round] if more == win => Some(Cause::Forfeit {
            round,
            player: player.number,
        }),
        _ => None,
    };
    (reason, cause)
}

/// The place of the match of a player's team in its round, if the match is played on boards and has one that nobody has.
fn free_board(event: &Event, round: RoundNo, player: u32) -> Option<usize> {
    if event.settings.scoring != Scoring::Boards {
        return None;
    }
    let known = event.player(player)?;
    let team = known.team?;
    let matches = &event.rounds[round.index()].matches;
    let plays = |this: &Match| this.sides().contains(&team);
    let place = matches.iter().position(plays)?;
    let this = &matches[place];
    if this.result.is_some() || this.boards.len() >= event.settings.boards as usize {
        return None;
    }
    Some(place)
}

/// Seats a player on the first board that nobody has, as the winner by forfeit; returns the board.
pub fn seat_without_opponent(event: &mut Event, round: RoundNo, player: u32) -> Option<u32> {
    let place = free_board(event, round, player)?;
    let team = event.player(player)?.team;
    let this = &event.rounds[round.index()].matches[place];
    let number = u32::try_from(this.boards.len()).ok()? + 1;
    let has_white = Some(event.team_with_white(this, number)) == team;
    let mut board = Board {
        board: number,
        ..Board::default()
    };
    if has_white {
        board.white = Some(player);
        board.result = Some(GameResult::WhiteForfeit);
    } else {
        board.black = Some(player);
        board.result = Some(GameResult::BlackForfeit);
    }
    event.rounds[round.index()].matches[place]
        .boards
        .push(board);
    Some(number)
}

fn of_single_player(event: &Event, player: &Player, more: Points) -> (String, Option<Cause>) {
    if more <= Points::ZERO {
        return (fewer_points(event, player, -more), None);
    }
    let Worth { win, draw, .. } = event.settings.game_points;
    for (how, sign) in [
        ("written `0000 - -`", '-'),
        ("empty", ' '),
        ("a zero-point bye", 'Z'),
    ] {
        let is_unplayed = |game: Game| game.opponent.is_none() || sign == 'Z';
        let rounds = rounds_with(event, player, |game| {
            game.result.0 == sign && is_unplayed(game)
        });
        let [first, ..] = rounds[..] else { continue };
        let is_one = rounds.len() == 1;
        let count = i32::try_from(rounds.len()).unwrap_or(i32::MAX);
        let were = format!("{} {how}", listed(&rounds));
        if more == draw && is_one {
            let cause = Cause::Bye(first, ByeKind::Half);
            return (format!("{were}: perhaps a half-point bye"), Some(cause));
        }
        if more == win && is_one {
            let cause = Cause::Bye(first, full_bye(event, first));
            let reason = format!("{were}: perhaps a bye, or a win by forfeit");
            return (reason, Some(cause));
        }
        if more <= win.times(count) {
            return (format!("{were}: perhaps byes, or wins by forfeit"), None);
        }
    }
    (UNEQUAL.into(), None)
}

/// Why a single player may have so many points fewer.
fn fewer_points(event: &Event, player: &Player, fewer: Points) -> String {
    let Worth { win, draw, .. } = event.settings.game_points;
    let half = rounds_with(event, player, |game| game.result.0 == 'H');
    let count = i32::try_from(half.len()).unwrap_or(i32::MAX);
    if !half.is_empty() && fewer <= draw.times(count) {
        let were = listed(&half);
        return format!("{were} a half-point bye: perhaps it counts nothing");
    }
    let full = rounds_with(event, player, |game| {
        game.opponent.is_none() && "FU+".contains(game.result.0)
    });
    if !full.is_empty() {
        let were = listed(&full);
        return format!("{were} a bye: perhaps it counts less than {win}");
    }
    UNEQUAL.into()
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

/// Why a team may have so many match points or game points more.
pub fn of_team(event: &Event, team: TeamNo, score: Score, more: Points) -> Option<String> {
    let mut empty = Vec::new();
    let mut byes = Vec::new();
    let mut forfeits = Vec::new();
    for (number, round) in RoundNo::all().zip(&event.rounds) {
        let outcome = round.of(team).map(|this| event.outcome(this));
        match (outcome, round.bye_of(team).map(|bye| bye.kind)) {
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
    Some(if score == Score::Match {
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
    match rounds {
        [one] => format!("round {one} is"),
        _ => format!("rounds {} are", list(rounds, "and")),
    }
}
