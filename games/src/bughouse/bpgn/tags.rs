//! The tags of BPGN, and what they are in this notation.
//!
//! ```
//! use overboard_games::bughouse::bpgn::tags::tidy;
//!
//! let tag = |name: &str, value: &str| (name.to_string(), value.to_string());
//! let mut tags = vec![tag("WhiteA", "Ann"), tag("BlackB", "Bob"), tag("Date", "2026-01-12")];
//! tidy(&mut tags);
//! assert!(tags.contains(&tag("White", "Ann:Bob")) && tags.contains(&tag("Date", "2026.01.12")));
//! ```

use super::{super::team, SEATS, Seat};
use overboard_formats::{
    header::{Header, Name, escape_list, unescape_list},
    span::TextSpan,
    write::{Style, Tags},
};
use overboard_rules::square::Side;

/// The tags that name the players, in the order of [`SEATS`].
pub const PLAYERS: [&str; 4] = ["WhiteA", "BlackA", "WhiteB", "BlackB"];

/// The tags with their ratings.
const RATINGS: [&str; 4] = ["WhiteAElo", "BlackAElo", "WhiteBElo", "BlackBElo"];

/// The tags that list a team's players or their ratings, and those from which BPGN takes them.
const LISTS: [(Name, [&str; 4], Side); 4] = [
    (Name::White, PLAYERS, Side::White),
    (Name::Black, PLAYERS, Side::Black),
    (Name::WhiteElo, RATINGS, Side::White),
    (Name::BlackElo, RATINGS, Side::Black),
];

/// What is written of a player or a rating that is not known.
const UNKNOWN: &str = "?";

/// The order of tags in BPGN.
const FIRST: [&str; 15] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "WhiteA",
    "WhiteAElo",
    "BlackA",
    "BlackAElo",
    "WhiteB",
    "WhiteBElo",
    "BlackB",
    "BlackBElo",
    "TimeControl",
    "Variant",
    "Result",
];

/// The tags that every record has in BPGN.
const ROSTER: [&str; 8] = [
    "Event", "Site", "Date", "WhiteA", "BlackA", "WhiteB", "BlackB", "Result",
];

/// The style of BPGN.
const BPGN: Style = Style {
    fills: true,
    first: &FIRST,
    roster: &ROSTER,
    joins: true,
    takes_result: true,
};

/// The tags of the players of a team, or of their ratings: on board A, then on board B.
fn of_team(names: &[&'static str; 4], side: Side) -> [&'static str; 2] {
    let on = |board: usize| {
        let seated = |seat: &Seat| seat.0 == board && team(seat.0, seat.1) == side;
        let index = SEATS.iter().position(seated).unwrap_or(0);
        names[index]
    };
    [on(0), on(1)]
}

/// What stands in a tag, if it says anything.
fn known(value: Option<String>) -> Option<String> {
    value.filter(|value| !matches!(&**value, "" | UNKNOWN))
}

/// Whether a record with these tags is BPGN.
fn is_bpgn(has: impl Fn(&str) -> bool) -> bool {
    PLAYERS.iter().any(|name| has(name))
}

/// The tags that say here what those of BPGN say, with their values; empty if the record is not BPGN.
fn said(get: impl Fn(&str) -> Option<String>) -> Vec<(Name, String)> {
    let mut said = Vec::new();
    if !is_bpgn(|name| get(name).is_some()) {
        return said;
    }
    if get("Variant").is_none() {
        said.push((Name::Variant, super::super::INFO.name.into()));
    }
    for (name, parts, side) in LISTS {
        let parts = of_team(&parts, side).map(&get);
        let is_said = parts.iter().any(Option::is_some);
        if is_said && known(get(name.text())).is_none() {
            let parts = parts.map(|part| escape_list(part.as_deref().unwrap_or(UNKNOWN)));
            said.push((name, parts.join(":")));
        }
    }
    if let Some(date) = get("Date").and_then(|date| with_stops(&date)) {
        said.push((Name::Date, date));
    }
    let rules = rules(&get);
    if get("Rules").is_none() && !rules.is_empty() {
        said.push((Name::Rules, rules));
    }
    said
}

/// A date with hyphens as PGN writes it.
fn with_stops(date: &str) -> Option<String> {
    let is_date = date.len() == 10
        && date.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit() || byte == b'?',
        });
    if !is_date {
        return None;
    }
    Some(date.replace('-', "."))
}

/// The options that bughouse.pro has in tags of its own. What it plays by a word that is unknown here is an option that is
/// refused by its name.
fn rules(get: impl Fn(&str) -> Option<String>) -> String {
    let mut rules = Vec::new();
    if let Some(drops) = get("DropAggression") {
        let drops = drops.to_lowercase();
        let law = if drops == "mate allowed" {
            "any".into()
        } else {
            drops.replace(' ', "-")
        };
        rules.push(format!("drop={law}"));
        // Where this tag is written, the third occurrence of a position ends the match.
        rules.push("repetition=auto".into());
    }
    if let Some(ranks) = get("PawnDropRanks") {
        rules.push(format!("pawndrop={ranks}"));
    }
    if let Some(promotion) = get("Promotion") {
        rules.push(format!("promotion={}", promotion.to_lowercase()));
    }
    rules.join(":")
}

/// Where the first tag is that names a player as BPGN does.
pub(super) fn place(header: &Header) -> Option<TextSpan> {
    let place = |name: &str| header.place(Name::of(name.as_bytes())?);
    PLAYERS.into_iter().find_map(place)
}

/// Adds to the tags of a record of BPGN what they say in this notation. Returns whether it is one.
pub(in super::super) fn read(header: &mut Header) -> bool {
    let get = |name: &str| Name::of(name.as_bytes()).and_then(|name| header.text(name));
    let said = said(get);
    let place = place(header);
    for (name, value) in &said {
        let here = header.place(*name).or(place).unwrap_or_default();
        header.supply(*name, value, here);
    }
    place.is_some()
}

/// The value of a tag.
pub(crate) fn value<'t>(tags: &'t Tags, name: &str) -> Option<&'t str> {
    let found = tags.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| &**value)
}

/// Gives a tag a value.
fn set(tags: &mut Tags, name: &str, value: String) {
    match tags.iter_mut().find(|(known, _)| known == name) {
        Some((_, there)) => *there = value,
        None => tags.push((name.into(), value)),
    }
}

/// Removes a tag; a second one with the same name says something else, and stays.
fn remove(tags: &mut Tags, name: &str) {
    if let Some(at) = tags.iter().position(|(known, _)| known == name) {
        tags.remove(at);
    }
}

/// Writes the tags of BPGN, if there are any, as those of this notation.
pub fn tidy(tags: &mut Tags) -> Style {
    if !is_bpgn(|name| value(tags, name).is_some()) {
        return Style::NESTED;
    }
    let said = said(|name| value(tags, name).map(str::to_owned));
    for (name, value) in said {
        set(tags, name.text(), value);
        if let Some((_, parts, side)) = LISTS.iter().find(|(list, ..)| *list == name) {
            for part in of_team(parts, *side) {
                remove(tags, part);
            }
        }
    }
    Style {
        takes_result: true,
        ..Style::NESTED
    }
}

/// Writes the tags of a record of Bughouse as those of BPGN.
pub fn to_bpgn(tags: &mut Tags) -> Style {
    for (name, parts, side) in LISTS {
        let name = name.text();
        let Some(list) = value(tags, name) else {
            continue;
        };
        let players: Vec<_> = list.split(':').map(unescape_list).collect();
        // Whatever lists other than two cannot be divided.
        if players.len() > 2 {
            continue;
        }
        remove(tags, name);
        for (part, player) in of_team(&parts, side).into_iter().zip(players) {
            if value(tags, part).is_none() {
                set(tags, part, player);
            }
        }
    }
    if value(tags, "Variant").is_none() {
        set(tags, "Variant", super::super::INFO.name.into());
    }
    BPGN
}
