//! An event as a report.

use super::{
    Acceleration, Extra, Forbidden, Forfeit, Game, Header, Line, LineUp, Player, Request, Symbol,
    Team, TeamByes, Trf, room,
};
use crate::{
    Event,
    dates::{is_birth, is_day},
    roster::RequestKind,
    rounds::{Board, ByeKind, GameResult, Match, Round},
    settings::{Participants, Scoring, Settings, System},
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    standings::standings,
    swiss_team::{
        acceleration::{Acceleration as Accelerated, Range, baku_listed},
        settings::{PreferenceType, Settings as Regulations},
    },
    team::Colour,
    tournament::{ByScore, Score, SideResult, Tournament, Worth},
};

impl From<&Event> for Trf {
    fn from(event: &Event) -> Self {
        if let Some(ids) = room::short_ids(event) {
            return Self::from(&room::renumbered(event.clone(), &ids));
        }
        let field = event.tournament(event.rounds.len());
        let places = standings(&field, &event.settings.criteria().unwrap_or_default());
        let rank = |row: usize| {
            let place = places.iter().find(|place| place.row == row)?;
            Some(place.rank)
        };
        let mut trf = Self {
            headers: headers(event),
            ..Self::default()
        };
        let Worth { win, draw, loss } = event.settings.game_points;
        trf.game_points = vec![('W', win), ('D', draw), ('L', loss)];
        trf.players = players(event);
        let of_teams = event.settings.is_of_teams();
        if of_teams {
            let Worth { win, draw, loss } = event.settings.match_points;
            trf.match_points = vec![("TW".into(), win), ("TD".into(), draw), ("TL".into(), loss)];
            trf.teams = teams(event, &field, rank);
        }
        for (round, sheet) in RoundNo::all().zip(&event.rounds) {
            for this in &sheet.matches {
                add_match(&mut trf, event, round, this);
            }
            for bye in &sheet.byes {
                add_bye(&mut trf, event, round, bye.who, bye.kind);
            }
            if event.takes_pairs_by_hand() {
                add_absent(&mut trf, event, round, sheet);
            }
        }
        if !of_teams {
            for (row, player) in trf.players.iter_mut().enumerate() {
                (player.points, player.rank) = (Some(field.total(row, Score::Match)), rank(row));
            }
        }
        add_requests(&mut trf, event);
        trf.accelerations = accelerations(event);
        trf.forfeits.sort_by_key(|this| (this.round, this.white));
        trf.requests.sort_by_key(|this| (this.round, this.kind));
        for request in &mut trf.requests {
            request.who.sort_unstable();
        }
        trf
    }
}

/// A participant that has not arrived, or has withdrawn, is in no file of a round.
fn add_absent(trf: &mut Trf, event: &Event, round: RoundNo, sheet: &Round) {
    for who in event.numbers() {
        if sheet.bye_of(who).is_none() && sheet.of(who).is_none() {
            add_bye(trf, event, round, who, ByeKind::Zero);
        }
    }
}

fn headers(event: &Event) -> Vec<Header> {
    let settings = &event.settings;
    // Older events may have days that are not in the calendar.
    let date = |day: &str| {
        if is_day(day) {
            day.replace('-', "/")
        } else {
            String::new()
        }
    };
    let [breaks, order] = criteria(event);
    let kind = if settings.trf_type.is_empty() {
        settings.game.clone()
    } else {
        settings.trf_type.as_str().into()
    };
    let [teams, colours] = match event.teams.len() {
        0 => [Foreign::default(), Foreign::default()],
        teams => [teams.to_string(), settings.colours().to_string()].map(Foreign::new),
    };
    let texts = [
        ("012", settings.name.clone()),
        ("022", settings.city.clone()),
        ("032", settings.federation.clone()),
        ("042", date(&settings.start).into()),
        ("052", date(&settings.end).into()),
        ("062", event.players.len().to_string().into()),
        ("082", teams),
        ("092", kind),
        ("102", settings.arbiter.clone()),
        ("122", settings.time_control.clone()),
        ("142", event.scheduled().to_string().into()),
        ("152", initial(settings).into()),
        ("192", system_code(event).into()),
        ("202", breaks.into()),
        ("212", order.into()),
        ("352", colours),
        // Older programs take the number of rounds from this record alone.
        ("XXR", event.scheduled().to_string().into()),
    ];
    let mut headers = Vec::new();
    for (code, text) in texts {
        if !text.is_empty() {
            headers.push(Header {
                code: code.into(),
                text,
                at: Line::default(),
            });
        }
    }
    headers
}

/// The lists of records 202 and 212: the tie-breaks, or all criteria in their order. The code of a Swiss says which score
/// comes first; for other systems only the list of all criteria does.
fn criteria(event: &Event) -> [String; 2] {
    let settings = &event.settings;
    let breaks = settings.tie_breaks.join(",");
    let is_told = matches!(settings.system, System::SwissTeam | System::ByHand);
    if settings.primary == Score::Match || !settings.is_of_teams() || is_told {
        return [breaks, String::new()];
    }
    if breaks.is_empty() {
        return [breaks, "GPTS".into()];
    }
    [String::new(), format!("GPTS,{breaks}")]
}

/// The initial colour. Other pairing programs use it for the next round, so it is written only if lots were drawn, or the
/// Swiss system here has used its own.
fn initial(settings: &Settings) -> &'static str {
    let table = settings.swiss.as_ref();
    let is_drawn = table.is_some_and(|table| table.contains_key("initial"));
    if !is_drawn && settings.system != System::SwissTeam {
        return "";
    }
    match settings.regulations() {
        Ok(regulations) if regulations.initial == Colour::Black => "B",
        _ => "W",
    }
}

/// The code of the system by which an event is paired; empty if there is none.
fn system_code(event: &Event) -> String {
    let settings = &event.settings;
    match (settings.system, settings.cycles, settings.participants) {
        (System::RoundRobin, 1, _) => "FIDE_ROUNDROBIN".into(),
        (System::RoundRobin, 2, _) => "FIDE_DOUBLEROUNDROBIN".into(),
        (System::RoundRobin, cycles, _) => format!("BERGER_ROUNDROBIN_G{cycles}"),
        (System::Scheveningen, 1, _) => "FIDE_SCHEVENINGEN_G1".into(),
        (System::Scheveningen, 2, _) => "FIDE_DOUBLESCHEVENINGEN".into(),
        (System::Scheveningen, cycles, _) => format!("CUSTOM_SCHEVENINGEN_G{cycles}"),
        (System::Knockout, ..) => "CUSTOM_KNOCKOUT".into(),
        (System::SwissTeam, ..) => swiss_code(event),
        (System::ByHand, ..) if !settings.trf_system.is_empty() => settings.trf_system.clone(),
        (_, _, Participants::Teams) if settings.primary == Score::Game => {
            "CUSTOM_TEAM_SWISS_GP".into()
        }
        (_, _, Participants::Teams) => "CUSTOM_TEAM_SWISS".into(),
        // Paired elsewhere, by an unnamed system. Pairing programs refuse a code that they do not know, but accept a
        // report without one.
        (_, _, Participants::Players) => String::new(),
    }
}

/// The code of the team Swiss with what the event has chosen.
fn swiss_code(event: &Event) -> String {
    let regulations = event.settings.regulations();
    let regulations = regulations.unwrap_or_else(|_| Regulations::new(1));
    let kind = match regulations.preference {
        PreferenceType::A => "_TYPEA",
        PreferenceType::B => "_TYPEB",
        PreferenceType::None => "",
    };
    let [first, second] = if regulations.primary_is_match_points() {
        ["_MP", "_GP"]
    } else {
        ["_GP", "_MP"]
    };
    let second = if regulations.secondary { second } else { "" };
    let is_baku = matches!(event.settings.acceleration(), Ok(Some(Accelerated::Baku)));
    let baku = if is_baku { "_BAKU" } else { "" };
    format!("FIDE_TEAM{kind}{first}{second}{baku}")
}

/// Records 250 of an acceleration for which the code has no name.
fn accelerations(event: &Event) -> Vec<Acceleration> {
    let ranges = match (event.settings.acceleration(), event.settings.system) {
        (Ok(Some(Accelerated::Listed(ranges))), System::SwissTeam | System::ByHand) => ranges,
        (Ok(Some(Accelerated::Baku)), System::ByHand) => {
            let worth = event.settings.worth().matches;
            let rounds = u16::try_from(event.scheduled()).unwrap_or(u16::MAX);
            let count = u16::try_from(event.participants().len()).unwrap_or(u16::MAX);
            baku_listed(count, rounds, worth.win, worth.draw)
        }
        _ => Vec::new(),
    };
    let of_teams = event.settings.is_of_teams();
    let record = |range: Range| Acceleration {
        points: ByScore {
            matches: of_teams.then_some(range.points),
            games: (!of_teams).then_some(range.points),
        },
        rounds: range.rounds,
        who: range.teams,
        at: Line::default(),
    };
    ranges.into_iter().map(record).collect()
}

/// The letters that fit into the columns.
fn cut(text: &Foreign, columns: usize) -> Foreign {
    text.cut(|text| text.chars().take(columns).collect())
}

/// The same without a space at the end.
fn trimmed(text: &Foreign, columns: usize) -> Foreign {
    cut(text, columns).cut(|text| text.trim().to_owned())
}

/// A date of birth as reports have it; one that does not exist is left out.
fn written_birth(text: &str) -> String {
    if is_birth(text) {
        text.replace('-', "/")
    } else {
        String::new()
    }
}

impl Event {
    /// The dates that a report leaves out because they do not exist, with their places.
    #[must_use]
    pub fn impossible_dates(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (key, day) in [("start", &self.settings.start), ("end", &self.settings.end)] {
            if !day.is_empty() && !is_day(day) {
                wrong.push(format!(
                    "the setting {key} is {day}, which is not in the calendar"
                ));
            }
        }
        for player in &self.players {
            let birth = player.birth.shown();
            if !is_birth(&birth) {
                wrong.push(format!(
                    "the date of birth of {} is `{birth}`; expected 1990-05-17 or 1990",
                    player.name.shown()
                ));
            }
        }
        wrong
    }
}

fn players(event: &Event) -> Vec<Player> {
    let player = |player: &crate::roster::Player| Player {
        number: player.id,
        sex: cut(&player.sex, 1),
        title: cut(&player.title, 3),
        name: trimmed(&player.name, 33),
        rating: player.rating,
        federation: cut(&player.federation, 3),
        fide_id: cut(&player.fide_id, 11),
        birth: player.birth.cut(written_birth),
        points: Some(Points::ZERO),
        ..Player::default()
    };
    event.players.iter().map(player).collect()
}

fn teams(event: &Event, field: &Tournament, rank: impl Fn(usize) -> Option<u32>) -> Vec<Team> {
    let team = |(row, team): (usize, &crate::roster::Team)| Team {
        number: team.number,
        name: trimmed(&team.name, 32),
        short: trimmed(&team.short, 5),
        strength: team.strength,
        points: ByScore {
            matches: Some(field.total(row, Score::Match)),
            games: Some(field.total(row, Score::Game)),
        },
        rank: rank(row),
        members: event.roster_ids(team.number),
        ..Team::default()
    };
    event.teams.iter().enumerate().map(team).collect()
}

/// Puts a game into a player's line.
fn put(trf: &mut Trf, id: u32, round: RoundNo, game: Game, points: Points) {
    let Some(player) = trf.players.iter_mut().find(|player| player.number == id) else {
        return;
    };
    if player.rounds.len() <= round.index() {
        player.rounds.resize(round.index() + 1, Game::default());
    }
    player.rounds[round.index()] = game;
    player.points = Some(player.points.unwrap_or_default() + points);
}

fn add_match(trf: &mut Trf, event: &Event, round: RoundNo, this: &Match) {
    let linked = !matches!(event.settings.scoring, Scoring::Boards);
    if !event.settings.is_of_teams() {
        let pair = [Some(this.white.get()), Some(this.black.get())];
        return add_game(trf, event, round, pair, this.result, false);
    }
    let boards = boards(event, this);
    for board in &boards {
        let result = event.result_on(this, board);
        add_game(
            trf,
            event,
            round,
            [board.white, board.black],
            result,
            linked,
        );
    }
    if !event.settings.pairs_players() {
        add_line_ups(trf, event, round, this, &boards);
    }
    let forfeit = match this.result {
        Some(GameResult::WhiteForfeit) => Some("+-"),
        Some(GameResult::BlackForfeit) => Some("-+"),
        Some(GameResult::BothForfeit) => Some("--"),
        _ => None,
    };
    if let Some(kind) = forfeit {
        trf.forfeits.push(Forfeit {
            kind: kind.into(),
            round,
            white: this.white,
            black: this.black,
        });
    }
    if linked && event.settings.scoring != Scoring::Game {
        add_tallies(trf, event, round, this);
    }
}

/// Writes what each side of a match has, where it does not follow from the games.
/// The letter of a result of a game that is not rated, or of a match.
const fn letter(result: SideResult) -> char {
    match result {
        SideResult::Win => 'W',
        SideResult::Draw => 'D',
        SideResult::Loss => 'L',
    }
}

fn add_tallies(trf: &mut Trf, event: &Event, round: RoundNo, this: &Match) {
    let Some(outcome) = event.outcome(this) else {
        return;
    };
    for (side, team) in this.sides().into_iter().enumerate() {
        let own = match this.result {
            Some(result) => result.for_sides()[side],
            None => SideResult::Win,
        };
        let kind = match (outcome.played, own) {
            (true, own) => letter(own),
            (false, SideResult::Win) => '+',
            (false, _) => '-',
        };
        trf.extra.push(Extra {
            kind,
            points: outcome.scores[side].map(Some),
            round: Some(round),
            who: vec![team],
        });
    }
}

/// The boards of a match; if it has none, the first players of both teams.
fn boards(event: &Event, this: &Match) -> Vec<Board> {
    if !this.boards.is_empty() {
        return this.boards.clone();
    }
    let usual = event.line_up(this.white, this.black);
    if !usual.is_empty() {
        return usual;
    }
    let first = |team: TeamNo| event.roster(team).first().map(|player| player.id);
    let [white, black] = event.on_board(1, this.sides().map(first));
    vec![Board {
        board: 1,
        white,
        black,
        ..Board::default()
    }]
}

/// Writes line-ups, unless they follow from the players' lines: there the members who play sit in roster order from
/// board 1 on, each with an opponent.
fn add_line_ups(trf: &mut Trf, event: &Event, round: RoundNo, this: &Match, boards: &[Board]) {
    let last = boards.iter().map(|board| board.board).max();
    let count = last.unwrap_or(0).max(event.settings.boards);
    let seats = |team: TeamNo| -> Vec<u32> {
        let seat = |number: u32| {
            let board = boards.iter().find(|board| board.board == number)?;
            event.seated(this, board, team)
        };
        let seats = (1..=count).map(seat);
        seats.map(Option::unwrap_or_default).collect()
    };
    let is_told = |team: TeamNo| {
        let seats = seats(team);
        let mut seated = event.roster_ids(team);
        seated.retain(|id| seats.contains(id));
        seats.starts_with(&seated) && seats[seated.len()..].iter().all(|id| *id == 0)
    };
    let both = [(this.white, this.black), (this.black, this.white)];
    let is_full = boards
        .iter()
        .all(|board| board.white.is_some() && board.black.is_some());
    if is_full && both.iter().all(|(team, _)| is_told(*team)) {
        return;
    }
    trf.line_ups.extend(both.map(|(team, opponent)| LineUp {
        round,
        team,
        opponent,
        players: seats(team),
    }));
}

fn add_game(
    trf: &mut Trf,
    event: &Event,
    round: RoundNo,
    ids: [Option<u32>; 2],
    result: Option<GameResult>,
    unrated: bool,
) {
    for side in [0, 1] {
        let (Some(id), opponent) = (ids[side], ids[1 - side]) else {
            continue;
        };
        let own = result.map(|result| result.for_sides()[side]);
        let sign = match (result.map(GameResult::is_forfeit), own) {
            (Some(true), Some(SideResult::Win)) => '+',
            (Some(true), _) => '-',
            (Some(false), Some(own)) if unrated => letter(own),
            (Some(false), Some(SideResult::Win)) => '1',
            (Some(false), Some(SideResult::Draw)) => '=',
            (Some(false), Some(SideResult::Loss)) => '0',
            _ => ' ',
        };
        let points = own.map_or(Points::ZERO, |own| event.settings.game_points.of(own));
        // Gacrux takes an entry that has a colour but no opponent for no game at all.
        let white = if opponent.is_some() || !"+-".contains(sign) {
            Some(side == 0)
        } else {
            None
        };
        put(
            trf,
            id,
            round,
            Game {
                opponent,
                white,
                result: Symbol(sign),
            },
            points,
        );
    }
}

fn add_bye(trf: &mut Trf, event: &Event, round: RoundNo, who: TeamNo, kind: ByeKind) {
    let sign = sign(kind);
    if !event.settings.is_of_teams() {
        let game = Game {
            result: Symbol(sign),
            ..Game::default()
        };
        return put(trf, who.get(), round, game, Points::ZERO);
    }
    if kind == ByeKind::Bye {
        let byes = trf.byes.get_or_insert_with(|| TeamByes {
            points: event.settings.bye(),
            teams: Vec::new(),
        });
        if byes.teams.len() <= round.index() {
            byes.teams.resize(round.index() + 1, None);
        }
        byes.teams[round.index()] = Some(who);
        return;
    }
    ask(trf, sign, round, who);
}

/// The symbol of a bye.
const fn sign(bye: ByeKind) -> char {
    match bye {
        ByeKind::Bye => 'U',
        ByeKind::Full => 'F',
        ByeKind::Half => 'H',
        ByeKind::Zero | ByeKind::Free => 'Z',
    }
}

/// Adds a participant to record 240 of a round.
fn ask(trf: &mut Trf, kind: char, round: RoundNo, who: TeamNo) {
    let mut requests = trf.requests.iter_mut();
    match requests.find(|request| request.kind == kind && request.round == round) {
        Some(request) if request.who.contains(&who) => {}
        Some(request) => request.who.push(who),
        None => trf.requests.push(Request {
            kind,
            round,
            who: vec![who],
        }),
    }
}

fn add_requests(trf: &mut Trf, event: &Event) {
    let next = event.upcoming();
    if event.takes_pairs_by_hand() {
        // For a round that is not paired yet, record 240 says who is absent.
        for who in event.numbers() {
            if !event.is_in(who, next) {
                ask(trf, 'Z', next, who);
            }
        }
    }
    for request in &event.requests {
        if let Some(bye) = request.kind.bye()
            && request.round >= next
        {
            ask(trf, sign(bye), request.round, request.who);
        }
        match (request.kind, request.other) {
            (RequestKind::Forbid, Some(other)) => trf.forbidden.push(Forbidden {
                first: request.round,
                last: RoundNo::new(event.scheduled()),
                who: vec![request.who, other],
            }),
            (RequestKind::Penalty, _) => trf.extra.push(Extra {
                kind: ' ',
                points: match (event.settings.participants, request.points) {
                    (Participants::Teams, points) => points.map(Some),
                    // The one score of a player is in the second field.
                    (Participants::Players, points) => ByScore {
                        matches: None,
                        games: Some(points.matches),
                    },
                },
                round: Some(request.round),
                who: vec![request.who],
            }),
            _ => {}
        }
    }
}
