//! The settings that follow from a report.

use super::{game, seats, swiss};
use crate::{
    csv::{At, CsvError},
    dates::is_day,
    settings::{BoardOrder, Participants, Scoring, Settings, System},
    trf::{Team, Trf},
};
use overboard_formats::foreign::Foreign;
use overboard_games::registry::Variant;
use overboard_schedules::{
    ids::RoundNo,
    team::Pattern,
    tiebreak::TieBreak,
    tournament::{ByScore, Score},
};
use std::collections::BTreeMap;

/// The settings of a report's event.
///
/// # Errors
/// Why they are not ones that an event can have.
pub fn settings(trf: &Trf, file: &str) -> Result<Settings, CsvError> {
    let of_teams = !trf.teams.is_empty();
    let code = text(trf, "192");
    let (system, cycles) = system(code, of_teams);
    let is_ours = code.is_empty() || code.to_ascii_uppercase().starts_with("CUSTOM_TEAM_SWISS");
    let mut settings = Settings {
        city: text(trf, "022").into(),
        federation: text(trf, "032").into(),
        arbiter: text(trf, "102").into(),
        time_control: text(trf, "122").into(),
        start: date(text(trf, "042")),
        end: date(text(trf, "052")),
        system,
        cycles,
        board_order: BoardOrder::Free,
        tie_breaks: tie_breaks(trf),
        primary: primary(trf),
        swiss: swiss::table(trf, system)?,
        ..Settings::default()
    };
    let name = text(trf, "012");
    settings.name = if name.is_empty() { "event" } else { name }.into();
    if system == System::ByHand && !is_ours {
        settings.trf_system = code.to_owned();
    }
    settings.participants = if of_teams {
        Participants::Teams
    } else {
        Participants::Players
    };
    settings.rounds = u32::try_from(trf.rounds())
        .ok()
        .filter(|rounds| *rounds > 0);
    settings.boards = if of_teams { boards(trf) } else { 1 };
    played(trf, &mut settings);
    worth(trf, &mut settings);
    for (key, _) in settings.all_idle() {
        settings = settings.with(key, None).unwrap_or(settings);
    }
    Settings::read(&settings.write()).map_err(|fault| {
        let why = format!("the settings that follow from it: {}", fault.message);
        At::file(file).fault(why)
    })
}

/// The text of a record; empty if there is none.
fn text<'t>(trf: &'t Trf, code: &str) -> &'t str {
    trf.header(code).map_or("", Foreign::as_it_came)
}

/// The game, how its matches are scored, and the colours on their boards.
fn played(trf: &Trf, settings: &mut Settings) {
    let of_teams = !trf.teams.is_empty();
    let told = text(trf, "092");
    let mut variant = Variant::Chess;
    settings.game = "Chess".into();
    match Variant::of(Some(told.as_bytes())) {
        Some(known) if !told.is_empty() => {
            variant = known;
            settings.game = told.into();
        }
        // What other programs put there says how pairings were made, or is a text for people: it stays as it is.
        _ => settings.trf_type = told.to_owned(),
    }
    settings.scoring = Scoring::usual(variant, of_teams);
    // Of a game with roles, records 299 of played matches hold the sub-games won.
    let has_tallies = trf.extra.iter().any(|extra| "WDL".contains(extra.kind));
    if settings.scoring == Scoring::Game && of_teams && has_tallies {
        settings.scoring = Scoring::Subgames;
    }
    if settings.scoring == Scoring::Boards {
        settings.pattern = pattern(trf, settings.boards);
    }
}

/// What results and byes are worth.
fn worth(trf: &Trf, settings: &mut Settings) {
    // What a record leaves out is worth what it always is: some programs write only what differs. Of two values the
    // first holds.
    for (known, points) in trf.match_points.iter().rev() {
        match known.as_str() {
            "TW" => settings.match_points.win = *points,
            "TD" => settings.match_points.draw = *points,
            "TL" => settings.match_points.loss = *points,
            _ => {}
        }
    }
    settings.bye = trf.byes.as_ref().map(|byes| byes.points);
    for (known, points) in trf.game_points.iter().rev() {
        match *known {
            'W' => settings.game_points.win = *points,
            'D' => settings.game_points.draw = *points,
            'L' => settings.game_points.loss = *points,
            'P' if !settings.is_of_teams() => settings.bye = Some(ByScore::both(*points)),
            _ => {}
        }
    }
}

/// `YYYY/MM/DD` with dashes; empty if it is not a date of the calendar.
pub fn date(text: &str) -> String {
    let date = text.trim().replace(['/', '.'], "-");
    if is_day(&date) { date } else { String::new() }
}

/// The system of a code, and how often everyone meets in it.
fn system(code: &str, of_teams: bool) -> (System, u32) {
    let code = code.trim().to_ascii_uppercase();
    let games = code.rsplit_once("_G").map_or("", |(_, games)| games);
    let games = games.parse().unwrap_or(1);
    let cycles = if (1..=16).contains(&games) { games } else { 1 };
    match code.as_str() {
        "FIDE_DOUBLEROUNDROBIN" => (System::RoundRobin, 2),
        "FIDE_DOUBLESCHEVENINGEN" => (System::Scheveningen, 2),
        "CUSTOM_KNOCKOUT" => (System::Knockout, 1),
        code if code.contains("ROUNDROBIN") => (System::RoundRobin, cycles),
        code if code.contains("SCHEVENINGEN") => (System::Scheveningen, cycles),
        code if code.starts_with("FIDE_TEAM") && of_teams => (System::SwissTeam, 1),
        _ => (System::ByHand, 1),
    }
}

/// The colours on the boards of a match: those of record 352, or those that were played; `None` if they are the usual
/// ones, or not those of all boards.
fn pattern(trf: &Trf, boards: u32) -> Option<String> {
    let told = text(trf, "352");
    if told.is_empty() {
        return played_colours(trf, boards);
    }
    if told.chars().count() != boards as usize {
        return None;
    }
    Some(told.to_owned())
}

/// The colours on the boards of a match, from the White team's first board, as most complete line-ups had them, where no
/// record says it; `None` if they were the usual ones, or nobody played on all boards.
fn played_colours(trf: &Trf, boards: u32) -> Option<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for team in &trf.teams {
        for round in RoundNo::first(trf.longest() as u32) {
            if let Some(colours) = colours(trf, team, round, boards) {
                *seen.entry(colours).or_default() += 1;
            }
        }
    }
    let (pattern, _) = seen.into_iter().max_by_key(|(_, times)| *times)?;
    if pattern == Pattern::alternating(boards as usize).to_string() {
        return None;
    }
    Some(pattern)
}

/// The colours of a complete line-up, as if its first board had White.
fn colours(trf: &Trf, team: &Team, round: RoundNo, boards: u32) -> Option<String> {
    let mut colours = Vec::new();
    for id in seats::playing(trf, team, round) {
        colours.push(game(trf, id, round)?.white?);
    }
    if colours.len() != boards as usize {
        return None;
    }
    let letter = |white: &bool| if *white == colours[0] { 'W' } else { 'B' };
    Some(colours.iter().map(letter).collect())
}

/// Boards of a match: as many as the pattern has, else as many as the largest team plays at once.
fn boards(trf: &Trf) -> u32 {
    let pattern = text(trf, "352");
    if !pattern.is_empty() {
        return pattern.chars().count().min(1000) as u32;
    }
    most_playing(trf).max(1) as u32
}

/// The most players of a team in a round.
fn most_playing(trf: &Trf) -> usize {
    let mut most = 0;
    for team in &trf.teams {
        for round in RoundNo::first(trf.longest() as u32) {
            most = most.max(seats::playing(trf, team, round).len());
        }
    }
    most
}

/// The primary score, by the code of the system, or by the first of all criteria in record 212.
fn primary(trf: &Trf) -> Score {
    let first = text(trf, "212").split(',').next().unwrap_or_default();
    if first.trim().eq_ignore_ascii_case("GPTS") {
        Score::Game
    } else {
        swiss::primary(trf)
    }
}

/// Those tie-breaks of the list that are known here.
fn tie_breaks(trf: &Trf) -> Vec<String> {
    let (list, is_order) = match trf.header("202") {
        Some(list) => (list.as_it_came(), false),
        None => (text(trf, "212"), true),
    };
    let mut known = Vec::new();
    for (place, code) in list.split(',').map(str::trim).enumerate() {
        // The first of all criteria is the primary score.
        let is_primary = is_order && place == 0 && ["MPTS", "GPTS"].contains(&code);
        if is_primary || code.is_empty() || code == "PTS" {
            continue;
        }
        if code.parse::<TieBreak>().is_ok() {
            known.push(code.to_owned());
        }
    }
    known
}
