//! What a report has no field for, carried in comments: the files of the event, line by line.
//!
//! ```text
//! ### overboard event.toml name = "cup"
//! ### overboard teams.csv number,name,short,group,captain,strength
//! ```
//!
//! Another program may change the report and keep the comments. So the report takes precedence: it is compared with the
//! one that the event in the comments would produce, and where they differ the report holds; everything else is from
//! the event.

use super::{Edition, Trf, import, room};
use crate::{
    Event, Files,
    csv::{At, CsvError},
    roster::{Player, Request, Team},
    rounds::{Match, Round},
    settings::Settings,
};
use std::collections::BTreeSet;

/// The beginning of such a comment.
const MARK: &str = "### overboard ";

/// Writes the comments of an event's files.
pub(super) fn write(files: &Files, out: &mut String) {
    for (name, bytes) in files {
        for line in String::from_utf8_lossy(bytes).split_terminator('\n') {
            // A line of a report must not contain line ends.
            let line = line.replace('\r', " ");
            out.push_str(format!("{MARK}{name} {line}").trim_end());
            out.push('\n');
        }
    }
}

/// Reads a line of a report, if it is such a comment.
pub(super) fn take(line: &str, files: &mut Files) {
    let Some(rest) = line.strip_prefix(MARK) else {
        return;
    };
    let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let file = files.entry(name.to_owned()).or_default();
    file.extend_from_slice(text.trim_end().as_bytes());
    file.push(b'\n');
}

/// The event in the comments, changed where the report itself says something else; the report's own event if there are
/// no comments, or they cannot be read.
pub(super) fn merged(mut own: Event, trf: &Trf, file: &str) -> Event {
    if trf.carried.is_empty() {
        return own;
    }
    let Ok(carried) = Event::read(&trf.carried) else {
        return own;
    };
    let plain = Trf::from(&carried);
    // Ids that a report has no room for come back from the comments.
    let ids = room::own_ids(&carried);
    if let Some(ids) = &ids {
        own = room::renumbered(own, ids);
    }
    let mut exported = Vec::new();
    for edition in [Edition::Of2026, Edition::Of2016] {
        if let Ok(event) = read_back(&plain, edition, file) {
            exported.push(placeless(match &ids {
                Some(ids) => room::renumbered(event, ids),
                None => event,
            }));
        }
    }
    let bare = placeless(own.clone());
    let mut merged = carried.clone();
    merged.settings = settings(&bare.settings, &exported, &carried.settings)
        .unwrap_or_else(|| own.settings.clone());
    merged.teams = by_key(
        &bare.teams,
        &carried.teams,
        |team: &Team| team.number,
        |team| exported.iter().any(|event| event.teams.contains(team)),
    );
    merged.players = by_key(
        &bare.players,
        &carried.players,
        |player: &Player| player.id,
        |player| exported.iter().any(|event| event.players.contains(player)),
    );
    merged.requests = requests(&bare.requests, &exported, &carried.requests);
    merged.rounds = rounds(&bare.rounds, &exported, &carried.rounds);
    // Rounds that are paired but not played may leave no trace in a report.
    let most = exported.iter().map(|event| event.rounds.len()).max();
    let left = carried.rounds.len().min(most.unwrap_or(0));
    if merged.rounds.len() == left {
        merged.rounds.extend_from_slice(&carried.rounds[left..]);
    }
    let paired = merged.rounds.len();
    merged.bases.retain(|round, _| round.index() < paired);
    Event::read(&merged.write()).unwrap_or(own)
}

/// The event of the report that another one would be written as.
fn read_back(plain: &Trf, edition: Edition, file: &str) -> Result<Event, CsvError> {
    let text = plain.write(edition);
    import::plain(&Trf::read(file, text.as_bytes())?, file)
}

/// The rounds, each from the comments where the report is as these would have it.
fn rounds(own: &[Round], exported: &[Event], carried: &[Round]) -> Vec<Round> {
    let mut all = Vec::new();
    for (place, own) in own.iter().enumerate() {
        let here = exported.iter().filter_map(|event| event.rounds.get(place));
        let known = carried.get(place);
        let merged = known.and_then(|known| round(own, &here.collect::<Vec<_>>(), known));
        all.push(merged.unwrap_or_else(|| own.clone()));
    }
    all
}

/// A round, match by match; `None` if the pairs differ from those in the comments. A report has no table numbers, so
/// they are taken from the comments.
fn round(own: &Round, exported: &[&Round], known: &Round) -> Option<Round> {
    if exported.contains(&own) {
        return Some(known.clone());
    }
    let fits = own.matches.len() == known.matches.len()
        && exported.iter().any(|round| round.byes == own.byes);
    if !fits {
        return None;
    }
    let mut matches = Vec::new();
    for known in &known.matches {
        let plain = |this: &Match| Match {
            table: known.table,
            ..this.clone()
        };
        let own = plain(own.of_pair(known)?);
        let was_told = |round: &&Round| round.matches.iter().any(|this| plain(this) == own);
        matches.push(if exported.iter().any(was_told) {
            known.clone()
        } else {
            own
        });
    }
    Some(Round {
        matches,
        byes: known.byes.clone(),
    })
}

/// The settings, merged key by key.
fn settings(own: &Settings, exported: &[Event], carried: &Settings) -> Option<Settings> {
    let table = |settings: &Settings| settings.write().parse::<toml::Table>().ok();
    let (own, mut merged) = (table(own)?, table(carried)?);
    let exported = exported.iter().filter_map(|event| table(&event.settings));
    let exported: Vec<toml::Table> = exported.collect();
    let keys: BTreeSet<String> = own.keys().chain(merged.keys()).cloned().collect();
    for key in keys {
        let is_told = |one: &toml::Table| one.get(&key) == own.get(&key);
        if exported.iter().any(is_told) {
            continue;
        }
        match own.get(&key) {
            Some(value) => merged.insert(key, value.clone()),
            None => merged.remove(&key),
        };
    }
    Settings::read(&toml::to_string(&merged).ok()?).ok()
}

/// Rows of a table: those that are unchanged in the report are taken from the event.
fn by_key<T: Clone, K: PartialEq>(
    own: &[T],
    carried: &[T],
    key: impl Fn(&T) -> K,
    is_unchanged: impl Fn(&T) -> bool,
) -> Vec<T> {
    let one = |row: &T| {
        let known = carried.iter().find(|known| key(known) == key(row));
        match known {
            Some(known) if is_unchanged(row) => known.clone(),
            _ => row.clone(),
        }
    };
    own.iter().map(one).collect()
}

/// The requests, with those that the report added, and without those that it removed.
fn requests(own: &[Request], exported: &[Event], carried: &[Request]) -> Vec<Request> {
    let was_told = |request: &Request| {
        exported
            .iter()
            .any(|event| event.requests.contains(request))
    };
    if exported.iter().any(|event| event.requests == own) {
        return carried.to_vec();
    }
    let mut all = Vec::new();
    for request in carried {
        let plain = Request {
            at: At::default(),
            ..request.clone()
        };
        if !was_told(&plain) || own.contains(&plain) {
            all.push(request.clone());
        }
    }
    for request in own {
        if !was_told(request) {
            all.push(request.clone());
        }
    }
    all
}

/// An event whose parts have no places, so that two can be compared.
fn placeless(mut event: Event) -> Event {
    for team in &mut event.teams {
        team.at = At::default();
    }
    for player in &mut event.players {
        player.at = At::default();
    }
    for request in &mut event.requests {
        request.at = At::default();
    }
    for round in &mut event.rounds {
        for bye in &mut round.byes {
            bye.at = At::default();
        }
        for this in &mut round.matches {
            this.at = At::default();
            for board in &mut this.boards {
                board.at = At::default();
            }
        }
    }
    event
}

/// What is wrong with the comments of a report, so that the user can see why they are ignored.
#[must_use]
pub fn fault(trf: &Trf) -> Option<CsvError> {
    if trf.carried.is_empty() {
        return None;
    }
    let faults = Event::read(&trf.carried).err()?;
    faults.into_iter().next()
}
