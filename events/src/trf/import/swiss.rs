//! What a report says about the Swiss system: its code in record 192, the initial colour, virtual points.

use super::super::{Header, Trf};
use crate::{csv::CsvError, settings::System};
use overboard_schedules::{
    swiss_team::acceleration::{Acceleration, Range},
    tournament::{ByScore, Score},
};
use toml::{Table, Value};

/// The form of the code of a team Swiss.
const CODE: &str = "FIDE_TEAM[_TYPEA|_TYPEB][_MP|_GP][_GP|_MP][_BAKU]";

fn code(trf: &Trf) -> Option<(&Header, String)> {
    let header = trf.record("192")?;
    Some((header, header.text.as_it_came().trim().to_ascii_uppercase()))
}

/// The parts after `FIDE_TEAM`, in order.
fn parts(code: &str) -> Vec<&str> {
    let after = code
        .strip_prefix("FIDE_TEAM")
        .or_else(|| code.strip_prefix("CUSTOM_TEAM_SWISS"));
    let mut parts: Vec<&str> = after.unwrap_or_default().split('_').collect();
    parts.retain(|part| !part.is_empty());
    parts
}

/// The primary score; match points if the code does not say.
pub fn primary(trf: &Trf) -> Score {
    let Some((_, code)) = code(trf) else {
        return Score::Match;
    };
    let first = parts(&code)
        .into_iter()
        .find(|part| ["MP", "GP"].contains(part));
    if first == Some("GP") {
        Score::Game
    } else {
        Score::Match
    }
}

/// The table `[swiss]` that follows from the report, if it is not empty.
///
/// # Errors
/// What is wrong with a record.
pub fn table(trf: &Trf, system: System) -> Result<Option<Table>, CsvError> {
    let mut table = Table::new();
    if !matches!(system, System::SwissTeam | System::ByHand) {
        return Ok(None);
    }
    if system == System::SwissTeam
        && let Some((header, code)) = code(trf)
    {
        choices(&mut table, &code).ok_or_else(|| {
            header.at.0.fault(format!(
                "expected {CODE} in record 192, found `{}`",
                header.text.shown()
            ))
        })?;
    }
    if let Some(initial) = trf.record("152") {
        let colour = match initial.text.as_it_came().trim() {
            "W" | "w" => "white",
            "B" | "b" => "black",
            other => {
                return Err(initial
                    .at
                    .0
                    .fault(format!("expected W or B in record 152, found `{other}`")));
            }
        };
        table.insert("initial".into(), colour.into());
    }
    if !trf.accelerations.is_empty() {
        table.insert("acceleration".into(), ranges(trf)?);
    } else if let Some((_, code)) = code(trf)
        && code.ends_with("_BAKU")
    {
        table.insert("acceleration".into(), true.into());
    }
    Ok(if table.is_empty() { None } else { Some(table) })
}

/// The preference and scores of a code; `None` if it is not valid. The bare code stands for type A with match points,
/// then game points; in a longer code, what is omitted does not apply.
fn choices(table: &mut Table, code: &str) -> Option<()> {
    let mut parts = parts(code).into_iter().peekable();
    let kind = parts.next_if(|part| ["TYPEA", "TYPEB"].contains(part));
    let scores: Vec<&str> =
        std::iter::from_fn(|| parts.next_if(|part| ["MP", "GP"].contains(part))).collect();
    parts.next_if_eq(&"BAKU");
    let is_plain = kind.is_none() && scores.is_empty();
    let preference = match kind {
        Some("TYPEB") => "b",
        None if !is_plain => "none",
        _ => "a",
    };
    let secondary = match scores[..] {
        [] | ["MP", "GP"] | ["GP", "MP"] => true,
        [_] => false,
        _ => return None,
    };
    table.insert("preference".into(), preference.into());
    table.insert("secondary".into(), secondary.into());
    match parts.next() {
        Some(_) => None,
        None => Some(()),
    }
}

/// Records 250. Teams are paired by match points, but some programs put their virtual points in the other column.
fn ranges(trf: &Trf) -> Result<Value, CsvError> {
    let mut all = Vec::new();
    let mut places = Vec::new();
    for this in &trf.accelerations {
        let ByScore { matches, games } = this.points;
        let points = if trf.teams.is_empty() {
            games.or(matches)
        } else {
            matches.or(games)
        };
        all.push(Range {
            points: points.unwrap_or_default(),
            rounds: this.rounds,
            teams: this.who,
        });
        places.push(&this.at.0);
    }
    let listed = Acceleration::Listed(all.clone());
    listed
        .validate()
        .map_err(|(index, fault)| places[index].fault(format!("record 250: {fault}")))?;
    Value::try_from(all).map_err(|error| trf.accelerations[0].at.0.fault(error.to_string()))
}
