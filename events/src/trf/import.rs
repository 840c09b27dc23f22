//! Converts a report to an event.

pub(super) mod members;
mod seats;
mod swiss;

use super::{Game, Symbol, Trf};
use crate::{
    Event,
    csv::{At, CsvError},
    dates::is_day,
    names,
    roster::{self, Request, RequestKind},
    rounds::{Board, Bye, ByeKind, GameResult, Match, Round},
    settings::{BoardOrder, Participants, Primary, Scoring, Settings, System},
};
use overboard_formats::foreign::Foreign;
use overboard_games::registry::Variant;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    team::{Colour, Pattern},
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
    let settings = settings(trf, file)?;
    let paired = paired(trf);
    let mut event = Event {
        settings,
        teams: teams(trf),
        players: players(trf),
        requests: requests(trf, paired),
        table: None,
        rounds: Vec::new(),
        bases: BTreeMap::new(),
    };
    for round in RoundNo::first(paired) {
        let mut sheet = match event.settings.participants {
            Participants::Players => single_round(trf, round),
            Participants::Teams => team_round(trf, &event, round),
        };
        if event.settings.system == System::Knockout {
            // Who is out has no bye: only what the report says is one.
            let of_players = event.settings.participants == Participants::Players;
            let is_told = |who: TeamNo| {
                asked(trf, who, round) != ' '
                    || (of_players && game(trf, who.get(), round).is_some())
            };
            sheet
                .byes
                .retain(|bye| bye.kind != ByeKind::Zero || is_told(bye.who));
        }
        event.rounds.push(sheet);
    }
    event.teams.sort_by_key(|team| team.number);
    event.players.sort_by_key(|player| player.id);
    // Written and read back, so that names and numbers are ones that the files of an event can hold.
    Event::read(&event.write()).map_err(|faults| {
        faults
            .into_iter()
            .next()
            .unwrap_or_else(|| At::file(file).fault("no event"))
    })
}

/// How many rounds are paired. Byes in a round without pairs were requested before it was paired.
fn paired(trf: &Trf) -> u32 {
    let of = |player: &super::Player| {
        let counts = |game: &Game| game.opponent.is_some() || !"HFZ ".contains(game.result.0);
        player
            .rounds
            .iter()
            .rposition(counts)
            .map_or(0, |round| round + 1)
    };
    let games = trf.players.iter().map(of).max().unwrap_or(0);
    let byes = trf
        .byes
        .as_ref()
        .and_then(|byes| byes.teams.iter().rposition(Option::is_some));
    let forfeits = trf
        .forfeits
        .iter()
        .map(|this| this.round.get())
        .max()
        .unwrap_or(0)
        .min(999);
    forfeits.max(games.max(byes.map_or(0, |round| round + 1)) as u32)
}

fn settings(trf: &Trf, file: &str) -> Result<Settings, CsvError> {
    let fail = |message: String| At::file(file).fault(message);
    let text = |code: &str| trf.header(code).map_or("", Foreign::as_it_came).to_owned();
    let game = Some(text("092"))
        .filter(|game| !game.is_empty() && Variant::of(Some(game.as_bytes())).is_some());
    let variant = Variant::of(game.as_ref().map(String::as_bytes)).unwrap_or(Variant::Chess);
    let of_teams = !trf.teams.is_empty();
    // Of a game with roles, records 299 of played matches hold the sub-games won.
    let has_tallies = trf.extra.iter().any(|extra| "WDL".contains(extra.kind));
    let scoring = match Scoring::usual(variant, of_teams) {
        Scoring::Game if of_teams && has_tallies => Scoring::Subgames,
        usual => usual,
    };
    let (system, cycles) = system(&text("192"), of_teams);
    let name = Some(text("012")).filter(|name| !name.is_empty());
    let mut settings = Settings {
        name: name.map_or_else(|| "event".into(), Foreign::new),
        // What other programs put there says how pairings were made, or is a text for people: it stays as it is.
        trf_type: if game.is_none() {
            text("092")
        } else {
            String::new()
        },
        game: game.map_or_else(|| "Chess".into(), Foreign::new),
        ..Settings::default()
    };
    (settings.city, settings.federation) = (text("022").into(), text("032").into());
    (settings.arbiter, settings.time_control) = (text("102").into(), text("122").into());
    (settings.start, settings.end) = (date(&text("042")), date(&text("052")));
    (settings.system, settings.cycles, settings.scoring) = (system, cycles, scoring);
    let code = text("192");
    let is_ours = code.is_empty() || code.to_ascii_uppercase().starts_with("CUSTOM_TEAM_SWISS");
    settings.trf_system = if system == System::ByHand && !is_ours {
        code
    } else {
        String::new()
    };
    settings.participants = if of_teams {
        Participants::Teams
    } else {
        Participants::Players
    };
    settings.rounds = u32::try_from(trf.rounds())
        .ok()
        .filter(|rounds| *rounds > 0);
    settings.board_order = BoardOrder::Free;
    let pattern = text("352");
    settings.boards = if of_teams { boards(trf, &pattern) } else { 1 };
    let is_whole = |pattern: &String| pattern.chars().count() == settings.boards as usize;
    let pattern = if pattern.is_empty() {
        played_colours(trf, settings.boards)
    } else {
        Some(pattern)
    };
    settings.pattern = pattern.filter(|pattern| scoring == Scoring::Boards && is_whole(pattern));
    worth(trf, &mut settings);
    settings.tie_breaks = tie_breaks(trf);
    settings.primary = primary(trf);
    settings.swiss = swiss::table(trf, system)?;
    for (key, _) in settings.all_idle() {
        settings = settings.with(&key, None).unwrap_or(settings);
    }
    Settings::read(&settings.write()).map_err(|fault| {
        fail(format!(
            "the settings that follow from it: {}",
            fault.message
        ))
    })
}

/// What results and byes are worth.
fn worth(trf: &Trf, settings: &mut Settings) {
    // What a record leaves out is worth what it always is: some programs write only what differs.
    for (points, sign) in settings.match_points.iter_mut().zip(["TW", "TD", "TL"]) {
        *points = trf
            .match_points
            .iter()
            .find(|(known, _)| known == sign)
            .map_or(*points, |reported| reported.1);
    }
    for (points, sign) in settings.game_points.iter_mut().zip(['W', 'D', 'L']) {
        *points = trf
            .game_points
            .iter()
            .find(|(known, _)| *known == sign)
            .map_or(*points, |reported| reported.1);
    }
    settings.bye = trf.byes.as_ref().map(|byes| byes.points);
    let of_bye = trf.game_points.iter().find(|(sign, _)| *sign == 'P');
    if let (Some((_, points)), Participants::Players) = (of_bye, settings.participants) {
        settings.bye = Some([*points; 2]);
    }
}

/// `YYYY/MM/DD` with dashes; empty if it is not a date of the calendar.
pub(super) fn date(text: &str) -> String {
    let date = text.trim().replace(['/', '.'], "-");
    if is_day(&date) { date } else { String::new() }
}

fn system(code: &str, of_teams: bool) -> (System, u32) {
    let code = code.trim().to_ascii_uppercase();
    let games = code
        .rsplit_once("_G")
        .and_then(|(_, games)| games.parse().ok())
        .filter(|games| (1..=16).contains(games));
    match code.as_str() {
        "FIDE_DOUBLEROUNDROBIN" => (System::RoundRobin, 2),
        "FIDE_DOUBLESCHEVENINGEN" => (System::Scheveningen, 2),
        "CUSTOM_KNOCKOUT" => (System::Knockout, 1),
        code if code.contains("ROUNDROBIN") => (System::RoundRobin, games.unwrap_or(1)),
        code if code.contains("SCHEVENINGEN") => (System::Scheveningen, games.unwrap_or(1)),
        code if code.starts_with("FIDE_TEAM") && of_teams => (System::SwissTeam, 1),
        _ => (System::ByHand, 1),
    }
}

/// The colours on the boards of a match, from the White team's first board, as most complete line-ups had them, where no
/// record says it; `None` if they were the usual ones, or nobody played on all boards.
fn played_colours(trf: &Trf, boards: u32) -> Option<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let rounds = trf
        .players
        .iter()
        .map(|player| player.rounds.len())
        .max()
        .unwrap_or(0);
    for (team, round) in trf
        .teams
        .iter()
        .flat_map(|team| RoundNo::first(rounds as u32).map(move |round| (team, round)))
    {
        let line_up = seats::playing(trf, team, round);
        let colours = line_up
            .iter()
            .map(|id| game(trf, *id, round)?.white)
            .collect::<Option<Vec<bool>>>();
        if let Some(colours) = colours.filter(|colours| colours.len() == boards as usize) {
            let letter = |white: &bool| if *white == colours[0] { 'W' } else { 'B' };
            *seen
                .entry(colours.iter().map(letter).collect())
                .or_default() += 1;
        }
    }
    let (pattern, _) = seen.into_iter().max_by_key(|(_, times)| *times)?;
    Some(pattern).filter(|pattern| *pattern != Pattern::alternating(boards as usize).to_string())
}

/// Boards of a match: as many as the pattern has, else as many as the largest team plays at once.
fn boards(trf: &Trf, pattern: &str) -> u32 {
    if !pattern.is_empty() {
        return pattern.chars().count().min(1000) as u32;
    }
    let playing =
        |team: &super::Team, round: RoundNo| seats::playing(trf, team, round).len() as u32;
    let rounds = trf
        .players
        .iter()
        .map(|player| player.rounds.len())
        .max()
        .unwrap_or(0);
    let all = trf
        .teams
        .iter()
        .flat_map(|team| RoundNo::first(rounds as u32).map(move |round| playing(team, round)));
    all.max().unwrap_or(1).max(1)
}

/// The primary score, by the code of the system, or by the first of all criteria in record 212.
fn primary(trf: &Trf) -> Primary {
    let first = trf
        .header("212")
        .and_then(|list| list.as_it_came().split(',').next())
        .unwrap_or_default()
        .trim();
    if first.eq_ignore_ascii_case("GPTS") {
        Primary::Game
    } else {
        swiss::primary(trf)
    }
}

/// Those tie-breaks of the list that are known here.
fn tie_breaks(trf: &Trf) -> Vec<String> {
    let list = trf
        .header("202")
        .or_else(|| trf.header("212"))
        .map_or("", Foreign::as_it_came);
    let known = |code: &&str| {
        code.parse::<overboard_schedules::tiebreak::TieBreak>()
            .is_ok()
    };
    let is_order = trf.header("202").is_none();
    list.split(',')
        .map(str::trim)
        .enumerate()
        // The first of all criteria is the primary score.
        .filter(|(place, code)| !(is_order && *place == 0 && ["MPTS", "GPTS"].contains(code)))
        .map(|(_, code)| code)
        .filter(|code| !code.is_empty() && *code != "PTS")
        .filter(known)
        .map(str::to_owned)
        .collect()
}

fn players(trf: &Trf) -> Vec<roster::Player> {
    let seat = |number: u32| {
        trf.teams.iter().find_map(|team| {
            let board = team.members.iter().position(|member| *member == number)? as u32 + 1;
            Some((team.number, board))
        })
    };
    let player = |(place, player): (usize, &super::Player)| {
        let (team, board) = seat(player.number)
            .map_or((None, place as u32 + 1), |(team, board)| {
                (Some(team), board)
            });
        roster::Player {
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
        }
    };
    trf.players.iter().enumerate().map(player).collect()
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
fn named(what: &str, number: u32, reported: &Foreign) -> Foreign {
    // As it would be written: columns have no room for control characters.
    let plain: String = reported
        .as_it_came()
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    names::name(&plain)
        .unwrap_or_else(|_| format!("{what} {number}"))
        .into()
}

fn requests(trf: &Trf, paired: u32) -> Vec<Request> {
    let mut requests = Vec::new();
    let request = |round: RoundNo, kind, who| Request {
        round: round.max(RoundNo::new(1)),
        kind,
        who,
        other: None,
        points: [Points::ZERO; 2],
        at: At::default(),
    };
    for this in &trf.forbidden {
        for (index, one) in this.who.iter().enumerate() {
            for other in &this.who[index + 1..] {
                requests.push(Request {
                    other: Some(*other),
                    ..request(this.first, RequestKind::Forbid, *one)
                });
            }
        }
    }
    let mut asked = |round: RoundNo, kind: char, who: TeamNo| {
        let kind = match kind {
            'F' => RequestKind::FullBye,
            'H' => RequestKind::HalfBye,
            _ => RequestKind::ZeroBye,
        };
        requests.push(request(round, kind, who));
    };
    for this in trf.requests.iter().filter(|this| this.round.get() > paired) {
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
    for this in trf.extra.iter().filter(|extra| extra.kind == ' ') {
        let points = this.scores(trf.teams.is_empty());
        let round = this.round.unwrap_or_default();
        requests.extend(this.who.iter().map(|who| Request {
            points,
            ..request(round, RequestKind::Penalty, *who)
        }));
    }
    requests
}

fn game(trf: &Trf, number: u32, round: RoundNo) -> Option<Game> {
    let player = trf.players.iter().find(|player| player.number == number)?;
    player
        .rounds
        .get(round.index())
        .copied()
        .filter(|game| *game != Game::default())
}

fn single_round(trf: &Trf, round: RoundNo) -> Round {
    let mut sheet = Round::default();
    let mut seen = BTreeSet::new();
    for player in &trf.players {
        if seen.contains(&player.number) {
            continue;
        }
        let who = TeamNo::new(player.number);
        let Some(this) = game(trf, player.number, round) else {
            let kind = bye(Symbol(asked(trf, who, round)));
            sheet.byes.push(Bye {
                who,
                kind,
                at: At::default(),
            });
            continue;
        };
        let Some(opponent) = this.opponent else {
            sheet.byes.push(Bye {
                who,
                kind: bye(this.result),
                at: At::default(),
            });
            continue;
        };
        seen.extend([player.number, opponent]);
        let is_white = this.white.unwrap_or(true);
        let (white, black) = if is_white {
            (player.number, opponent)
        } else {
            (opponent, player.number)
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
        let line_up = seats::playing(trf, team, round);
        let named = trf
            .line_ups
            .iter()
            .find(|this| this.round == round && this.team == team.number);
        let opponent = line_up
            .iter()
            .find_map(|id| team_of.get(&game(trf, *id, round)?.opponent?));
        let opponent = opponent.or(named.map(|this| &this.opponent));
        let reported = trf.forfeits.iter().find(|this| {
            this.round == round && (this.white == team.number || this.black == team.number)
        });
        let Some(other) = opponent.copied().or_else(|| {
            reported.map(|this| {
                if this.white == team.number {
                    this.black
                } else {
                    this.white
                }
            })
        }) else {
            continue;
        };
        let Some(opponents) = trf
            .teams
            .iter()
            .find(|team| team.number == other && !seen.contains(&other))
        else {
            continue;
        };
        seen.extend([team.number, other]);
        let seats = seats::facing(trf, [team, opponents], round);
        let is_white = match reported {
            Some(reported) => reported.white == team.number,
            None => {
                let own = has_white(trf, event, &seats[0], round);
                let theirs = || has_white(trf, event, &seats[1], round);
                own.or_else(|| theirs().map(|white| !white)).unwrap_or(true)
            }
        };
        let [first, second] = seats;
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

/// Whether a team has White, by the colour of its first player; `None` if no player came.
fn has_white(trf: &Trf, event: &Event, line_up: &[u32], round: RoundNo) -> Option<bool> {
    let mut seated = (1..).zip(line_up).filter(|(_, id)| **id > 0);
    let first = seated.find_map(|(board, id)| Some((board, game(trf, *id, round)?.white?)));
    first.map(|(board, white)| (event.colour(board) == Colour::White) == white)
}

/// The boards and the result of a match.
fn filled(
    trf: &Trf,
    event: &Event,
    round: RoundNo,
    mut this: Match,
    [white, black]: [Vec<u32>; 2],
) -> Match {
    let id = |team: &[u32], board: usize| team.get(board).copied().filter(|id| *id > 0);
    for board in 0..white.len().max(black.len()) {
        let (first, second) = match event.colour(board as u32 + 1) {
            Colour::White => (id(&white, board), id(&black, board)),
            Colour::Black => (id(&black, board), id(&white, board)),
        };
        let result = match (first, second) {
            (Some(first), Some(second)) => result(trf, first, second, round),
            (Some(first), None) => result(trf, first, 0, round),
            (None, Some(second)) => result(trf, 0, second, round),
            (None, None) if event.settings.scoring == Scoring::Boards => {
                Some(GameResult::BothForfeit)
            }
            (None, None) => None,
        };
        this.boards.push(Board {
            board: board as u32 + 1,
            white: first,
            black: second,
            result,
            ..Board::default()
        });
    }
    if event.settings.scoring != Scoring::Boards {
        let reported = this
            .boards
            .iter()
            .find_map(|board| Some(event.turned_on(board.board, board.result?)));
        this.result = reported;
        for board in &mut this.boards {
            board.result = None;
        }
        this.tally = tally(trf, round, &this);
        if event.settings.scoring == Scoring::Game {
            this.boards.clear();
        }
    }
    let reported = trf.forfeits.iter().find(|reported| {
        reported.round == round && reported.white == this.white && reported.black == this.black
    });
    if let Some(reported) = reported {
        this.result = Some(match reported.kind.as_str() {
            "+-" => GameResult::WhiteForfeit,
            "-+" => GameResult::BlackForfeit,
            _ => GameResult::BothForfeit,
        });
        for board in &mut this.boards {
            board.result = None;
        }
        this.tally = None;
    }
    this
}

/// White's and Black's kings, from records 299.
fn tally(trf: &Trf, round: RoundNo, this: &Match) -> Option<[Points; 2]> {
    let of = |team: TeamNo| {
        let reported = trf.extra.iter().find(|extra| {
            extra.round == Some(round) && extra.who.contains(&team) && "WDL".contains(extra.kind)
        });
        reported.and_then(|extra| extra.points[1])
    };
    Some([of(this.white)?, of(this.black)?])
}

/// The bye that record 240 gives a participant in a round; a space if there is none.
fn asked(trf: &Trf, who: TeamNo, round: RoundNo) -> char {
    let reported = trf
        .requests
        .iter()
        .find(|this| this.round == round && this.who.contains(&who));
    reported.map_or(' ', |this| this.kind)
}

fn byes(trf: &Trf, event: &Event, round: RoundNo, seen: &BTreeSet<TeamNo>) -> Vec<Bye> {
    let given = trf
        .byes
        .as_ref()
        .and_then(|byes| byes.teams.get(round.index()).copied().flatten());
    let rest = if matches!(event.settings.system, System::RoundRobin) {
        ByeKind::Free
    } else {
        ByeKind::Zero
    };
    let kind = |team: TeamNo| match asked(trf, team, round) {
        _ if given == Some(team) => ByeKind::Bye,
        'F' => ByeKind::Full,
        'H' => ByeKind::Half,
        _ => rest,
    };
    let left = trf.teams.iter().filter(|team| !seen.contains(&team.number));
    left.map(|team| Bye {
        who: team.number,
        kind: kind(team.number),
        at: At::default(),
    })
    .collect()
}
