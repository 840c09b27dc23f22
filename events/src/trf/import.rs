//! Converts a report to an event.

pub(super) mod members;
mod seats;
mod settings;
mod swiss;

pub(super) use settings::date;

use super::{Forfeit, Game, Symbol, Trf};
use crate::{
    Event,
    csv::{At, CsvError},
    names,
    roster::{self, Request, RequestKind},
    rounds::{Board, Bye, ByeKind, GameResult, Match, Round},
    settings::{Participants, Scoring, System},
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    team::{Colour, Seat},
};
use std::collections::{BTreeMap, BTreeSet};

/// The event of a report, including what its comments carry.
///
/// # Errors
/// Why the report is not an event.
pub fn event(trf: &Trf, file: &str) -> Result<Event, CsvError> {
    Ok(super::carried::merged(plain(trf, file)?, trf, file))
}

/// The event of a report's records alone.
pub(super) fn plain(trf: &Trf, file: &str) -> Result<Event, CsvError> {
    let trf = &members::completed(trf);
    let paired = paired(trf);
    let mut event = Event {
        settings: settings::settings(trf, file)?,
        teams: teams(trf),
        players: players(trf),
        requests: requests(trf, paired),
        ..Event::default()
    };
    for round in RoundNo::first(paired) {
        let mut sheet = match event.settings.participants {
            Participants::Players => single_round(trf, round),
            Participants::Teams => team_round(trf, &event, round),
        };
        if event.settings.system == System::Knockout {
            // Who is out has no bye: only what the report says is one.
            sheet
                .byes
                .retain(|bye| bye.kind != ByeKind::Zero || is_told(trf, &event, bye.who, round));
        }
        event.rounds.push(sheet);
    }
    event.teams.sort_by_key(|team| team.number);
    event.players.sort_by_key(|player| player.id);
    // Written and read back, so that names and numbers are ones that the files of an event can hold.
    Event::read(&event.write()).map_err(|faults| {
        let first = faults.into_iter().next();
        first.unwrap_or_else(|| At::file(file).fault("no event"))
    })
}

/// Whether the report says anything of a participant in a round.
fn is_told(trf: &Trf, event: &Event, who: TeamNo, round: RoundNo) -> bool {
    let of_players = !event.settings.is_of_teams();
    asked(trf, who, round) != ' ' || (of_players && game(trf, who.get(), round).is_some())
}

/// How many rounds are paired. Byes in a round without pairs were requested before it was paired.
fn paired(trf: &Trf) -> u32 {
    let counts = |game: &Game| game.opponent.is_some() || !"HFZ ".contains(game.result.0);
    let mut paired = 0;
    for player in &trf.players {
        if let Some(last) = player.rounds.iter().rposition(counts) {
            paired = paired.max(last + 1);
        }
    }
    if let Some(byes) = &trf.byes
        && let Some(last) = byes.teams.iter().rposition(Option::is_some)
    {
        paired = paired.max(last + 1);
    }
    let mut paired = paired as u32;
    for this in &trf.forfeits {
        paired = paired.max(this.round.get().min(999));
    }
    paired
}

fn players(trf: &Trf) -> Vec<roster::Player> {
    let mut players = Vec::new();
    for (place, player) in trf.players.iter().enumerate() {
        let (team, board) = match seat(trf, player.number) {
            Some(Seat { team, board }) => (Some(team), board),
            None => (None, place as u32 + 1),
        };
        players.push(roster::Player {
            id: player.number,
            team,
            board,
            name: named("Player", player.number, &player.name),
            rating: player.rating,
            title: player.title.clone(),
            federation: player.federation.clone(),
            fide_id: player.fide_id.clone(),
            birth: player.birth.clone(),
            sex: player.sex.clone(),
            ..roster::Player::default()
        });
    }
    players
}

/// The place of a player in the first team that names it.
fn seat(trf: &Trf, number: u32) -> Option<Seat> {
    for team in &trf.teams {
        if let Some(place) = team.members.iter().position(|member| *member == number) {
            return Some(Seat {
                team: team.number,
                board: place as u32 + 1,
            });
        }
    }
    None
}

fn teams(trf: &Trf) -> Vec<roster::Team> {
    let team = |team: &super::Team| roster::Team {
        number: team.number,
        name: named("Team", team.number.get(), &team.name),
        short: team.short.clone(),
        strength: team
            .strength
            .filter(|strength| (1..=9999).contains(strength)),
        ..roster::Team::default()
    };
    trf.teams.iter().map(team).collect()
}

/// The name given, or one made from the number if it is invisible.
fn named(what: &str, number: u32, given: &Foreign) -> Foreign {
    // As it would be written: columns have no room for control characters.
    let name = names::name(&names::on_a_line(given.as_it_came()));
    name.unwrap_or_else(|_| format!("{what} {number}")).into()
}

fn requests(trf: &Trf, paired: u32) -> Vec<Request> {
    let mut requests = forbidden(trf);
    let mut asked = |round: RoundNo, kind: char, who: TeamNo| {
        let kind = match kind {
            'F' => RequestKind::FullBye,
            'H' => RequestKind::HalfBye,
            _ => RequestKind::ZeroBye,
        };
        requests.push(request(round, kind, who));
    };
    for this in &trf.requests {
        if this.round.get() <= paired {
            continue;
        }
        for who in &this.who {
            asked(this.round, this.kind, *who);
        }
    }
    if trf.teams.is_empty() {
        for player in &trf.players {
            for (round, game) in RoundNo::all().zip(&player.rounds).skip(paired as usize) {
                if game.result.0 != ' ' {
                    asked(round, game.result.0, TeamNo::new(player.number));
                }
            }
        }
    }
    for this in &trf.extra {
        if this.kind != ' ' {
            continue;
        }
        let points = this.scores(trf.teams.is_empty());
        let round = this.round.unwrap_or_default();
        for who in &this.who {
            requests.push(Request {
                points,
                ..request(round, RequestKind::Penalty, *who)
            });
        }
    }
    requests
}

fn request(round: RoundNo, kind: RequestKind, who: TeamNo) -> Request {
    Request::new(round.max(RoundNo::new(1)), kind, who)
}

/// The pairs that may not meet.
fn forbidden(trf: &Trf) -> Vec<Request> {
    let mut pairs = Vec::new();
    for this in &trf.forbidden {
        for (index, one) in this.who.iter().enumerate() {
            for other in &this.who[index + 1..] {
                pairs.push(Request {
                    other: Some(*other),
                    ..request(this.first, RequestKind::Forbid, *one)
                });
            }
        }
    }
    pairs
}

fn game(trf: &Trf, number: u32, round: RoundNo) -> Option<Game> {
    let player = trf.players.iter().find(|player| player.number == number)?;
    let game = *player.rounds.get(round.index())?;
    if game == Game::default() {
        return None;
    }
    Some(game)
}

fn single_round(trf: &Trf, round: RoundNo) -> Round {
    let mut sheet = Round::default();
    let mut seen = BTreeSet::new();
    for player in &trf.players {
        if seen.contains(&player.number) {
            continue;
        }
        let this = game(trf, player.number, round);
        let Some(opponent) = this.and_then(|this| this.opponent) else {
            let who = TeamNo::new(player.number);
            let kind = match this {
                Some(this) => bye(this.result),
                None => bye(Symbol(asked(trf, who, round))),
            };
            sheet.byes.push(Bye::new(who, kind));
            continue;
        };
        seen.extend([player.number, opponent]);
        let is_black = this.is_some_and(|this| this.white == Some(false));
        let (white, black) = if is_black {
            (opponent, player.number)
        } else {
            (player.number, opponent)
        };
        let table = sheet.matches.len() as u32 + 1;
        sheet.matches.push(Match {
            table,
            white: TeamNo::new(white),
            black: TeamNo::new(black),
            result: result(trf, white, black, round),
            ..Match::default()
        });
    }
    sheet
}

const fn bye(Symbol(sign): Symbol) -> ByeKind {
    match sign {
        'U' => ByeKind::Bye,
        'F' | '+' | '1' | 'W' => ByeKind::Full,
        'H' | '=' | 'D' => ByeKind::Half,
        _ => ByeKind::Zero,
    }
}

/// The result of two players, from either line.
fn result(trf: &Trf, white: u32, black: u32, round: RoundNo) -> Option<GameResult> {
    let sign = |number: u32| game(trf, number, round).map_or(' ', |game| game.result.0);
    match (sign(white), sign(black)) {
        ('-', '-') => Some(GameResult::BothForfeit),
        // A forfeit loss against an empty chair has no opponent.
        ('-', _) if black == 0 => Some(GameResult::BothForfeit),
        (_, '-') if white == 0 => Some(GameResult::BothForfeit),
        ('+', _) | (' ', '-') => Some(GameResult::WhiteForfeit),
        ('-', _) | (' ', '+') => Some(GameResult::BlackForfeit),
        ('1' | 'W', _) | (' ', '0' | 'L') => Some(GameResult::White),
        ('0' | 'L', _) | (' ', '1' | 'W') => Some(GameResult::Black),
        ('=' | 'D', _) | (' ', '=' | 'D') => Some(GameResult::Draw),
        _ => None,
    }
}

fn team_round(trf: &Trf, event: &Event, round: RoundNo) -> Round {
    let mut sheet = Round::default();
    let team_of = members::listed(trf);
    let mut seen = BTreeSet::new();
    for team in &trf.teams {
        if seen.contains(&team.number) {
            continue;
        }
        let Some(other) = met(trf, team, round, &team_of) else {
            continue;
        };
        let Some(opponents) = trf.teams.iter().find(|team| team.number == other) else {
            continue;
        };
        if seen.contains(&other) {
            continue;
        }
        seen.extend([team.number, other]);
        let [first, second] = seats::facing(trf, [team, opponents], round);
        let is_white = match forfeit(trf, team.number, round) {
            Some(forfeit) => forfeit.white == team.number,
            None => has_white(trf, event, [&first, &second], round),
        };
        let (white, black, seats) = if is_white {
            (team, opponents, [first, second])
        } else {
            (opponents, team, [second, first])
        };
        let table = sheet.matches.len() as u32 + 1;
        let this = Match {
            table,
            white: white.number,
            black: black.number,
            ..Match::default()
        };
        sheet.matches.push(filled(trf, event, round, this, seats));
    }
    sheet.byes = byes(trf, event, round, &seen);
    sheet
}

/// The team that a team met: that of an opponent of its players, or the one in a record 300 or of a forfeited match.
fn met(
    trf: &Trf,
    team: &super::Team,
    round: RoundNo,
    team_of: &BTreeMap<u32, TeamNo>,
) -> Option<TeamNo> {
    for id in seats::playing(trf, team, round) {
        if let Some(opponent) = seats::opponent(trf, id, round)
            && let Some(other) = team_of.get(&opponent)
        {
            return Some(*other);
        }
    }
    if let Some(named) = seats::record(trf, team, round) {
        return Some(named.opponent);
    }
    let forfeit = forfeit(trf, team.number, round)?;
    Some(if forfeit.white == team.number {
        forfeit.black
    } else {
        forfeit.white
    })
}

/// The forfeited match of a team in a round.
fn forfeit(trf: &Trf, team: TeamNo, round: RoundNo) -> Option<&Forfeit> {
    trf.forfeits
        .iter()
        .find(|this| this.round == round && [this.white, this.black].contains(&team))
}

/// Whether the first of two teams has White, by the colour of its first player, else by that of the other's; it has if
/// nobody came.
fn has_white(trf: &Trf, event: &Event, [own, other]: [&[u32]; 2], round: RoundNo) -> bool {
    let first = first_colour(trf, event, own, round);
    first.unwrap_or_else(|| first_colour(trf, event, other, round) != Some(true))
}

/// Whether a team has White, by the colour of its first player; `None` if no player came.
fn first_colour(trf: &Trf, event: &Event, line_up: &[u32], round: RoundNo) -> Option<bool> {
    for (board, id) in (1..).zip(line_up) {
        if *id > 0
            && let Some(game) = game(trf, *id, round)
            && let Some(white) = game.white
        {
            return Some((event.colour(board) == Colour::White) == white);
        }
    }
    None
}

/// The boards and the result of a match.
fn filled(
    trf: &Trf,
    event: &Event,
    round: RoundNo,
    mut this: Match,
    [white, black]: [Vec<u32>; 2],
) -> Match {
    for board in 0..white.len().max(black.len()) {
        let seats = [&white, &black].map(|team| team.get(board).copied().unwrap_or(0));
        let [first, second] = event.on_board(board as u32 + 1, seats);
        let result = if [first, second] != [0, 0] {
            result(trf, first, second, round)
        } else if event.settings.scoring == Scoring::Boards {
            Some(GameResult::BothForfeit)
        } else {
            None
        };
        let id = |seat: u32| if seat == 0 { None } else { Some(seat) };
        this.boards.push(Board {
            board: board as u32 + 1,
            white: id(first),
            black: id(second),
            result,
            ..Board::default()
        });
    }
    if event.settings.scoring != Scoring::Boards {
        this.result = result_of_boards(event, &this.boards);
        this.tally = tally(trf, round, &this);
        if event.settings.scoring == Scoring::Game {
            this.boards.clear();
        }
    }
    let forfeit = trf
        .forfeits
        .iter()
        .find(|one| one.round == round && one.white == this.white && one.black == this.black);
    if let Some(forfeit) = forfeit {
        this.result = Some(match forfeit.kind.as_str() {
            "+-" => GameResult::WhiteForfeit,
            "-+" => GameResult::BlackForfeit,
            _ => GameResult::BothForfeit,
        });
        this.tally = None;
    }
    // The result of a match stands in place of those of its boards.
    if this.result.is_some() {
        for board in &mut this.boards {
            board.result = None;
        }
    }
    this
}

/// The result of a match of one game, which the report repeats for the player of each board.
fn result_of_boards(event: &Event, boards: &[Board]) -> Option<GameResult> {
    for board in boards {
        if let Some(result) = board.result {
            return Some(event.turned_on(board.board, result));
        }
    }
    None
}

/// White's and Black's kings, from records 299.
fn tally(trf: &Trf, round: RoundNo, this: &Match) -> Option<[Points; 2]> {
    let of = |team: TeamNo| game_points(trf, round, team);
    Some([of(this.white)?, of(this.black)?])
}

/// The game points of a team in a round that are reported besides its result.
fn game_points(trf: &Trf, round: RoundNo, team: TeamNo) -> Option<Points> {
    let extra = trf.extra.iter().find(|extra| {
        extra.round == Some(round) && extra.who.contains(&team) && "WDL".contains(extra.kind)
    });
    extra?.points.games
}

/// The bye that record 240 gives a participant in a round; a space if there is none.
fn asked(trf: &Trf, who: TeamNo, round: RoundNo) -> char {
    let request = trf
        .requests
        .iter()
        .find(|this| this.round == round && this.who.contains(&who));
    request.map_or(' ', |this| this.kind)
}

fn byes(trf: &Trf, event: &Event, round: RoundNo, seen: &BTreeSet<TeamNo>) -> Vec<Bye> {
    let given = match &trf.byes {
        Some(byes) => byes.teams.get(round.index()).copied().unwrap_or_default(),
        None => None,
    };
    let rest = if event.settings.system == System::RoundRobin {
        ByeKind::Free
    } else {
        ByeKind::Zero
    };
    let mut byes = Vec::new();
    for team in &trf.teams {
        let who = team.number;
        if seen.contains(&who) {
            continue;
        }
        let kind = match asked(trf, who, round) {
            _ if given == Some(who) => ByeKind::Bye,
            'F' => ByeKind::Full,
            'H' => ByeKind::Half,
            _ => rest,
        };
        byes.push(Bye::new(who, kind));
    }
    byes
}
