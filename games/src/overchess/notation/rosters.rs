//! Tables of the sub-sets of an over-game.

use super::said;
use crate::overchess::{
    Army, Individual, KINDS, Name, Over, OverPiece, Reserves, Roster, Step, SubSetPlace,
};
use overboard_pictures::diagram::WordTable;
use overboard_rules::{path::squares, square::Side};

/// An over-piece and its square; `xe4` is one that attacks e4.
struct RosterEntry<'a> {
    there: OverPiece,
    /// The individual that it is, if over-pieces have names.
    one: Option<&'a Individual>,
    place: String,
}

/// White's and Black's over-pieces of an open over-game: the square of each, what is left of its sub-set, its points
/// (OV-14) and those of the sub-sets behind it, what is lost, and what has joined it.
#[must_use]
pub fn tables(over: &Over, level: usize) -> Vec<WordTable> {
    let entries = entries(over, level);
    let levels = levels(over, level, &entries);
    Side::BOTH
        .map(|side| table(over, level, side, &entries, levels))
        .into()
}

/// How many levels of sub-sets are shown: as far inwards as anything was lost, and two at least where there are; deeper
/// ones than have headings are omitted.
fn levels(over: &Over, level: usize, entries: &[RosterEntry<'_>]) -> usize {
    let most = over
        .level(level)
        .map_or(1, |level| usize::from(level.depth()));
    let mut levels = 2;
    for entry in entries {
        if let Some(one) = entry.one {
            levels = levels.max(touched(&one.army));
        }
    }
    levels.min(most).min(LEVELS.len() + 1)
}

fn entries(over: &Over, level: usize) -> Vec<RosterEntry<'_>> {
    let mut entries = Vec::new();
    let Some(level) = over.level(level) else {
        return entries;
    };
    for on in squares() {
        let mut contests = level.contested().enumerate();
        let contest = contests.find(|(_, contest)| contest.to == on);
        let mark = if contest.is_some() { "x" } else { "" };
        if let Some(there) = level.with_set(on) {
            entries.push(RosterEntry {
                there,
                one: level.at(on),
                place: format!("{mark}{on}"),
            });
        }
        if let Some((slot, contest)) = contest {
            entries.push(RosterEntry {
                there: contest.defender,
                one: level.attacked(slot),
                place: contest.victim.unwrap_or(on).to_string(),
            });
        }
    }
    entries
}

fn table(
    over: &Over,
    level: usize,
    side: Side,
    entries: &[RosterEntry<'_>],
    levels: usize,
) -> WordTable {
    let is_own = |entry: &&RosterEntry<'_>| entry.there.piece.side == side;
    let own: Vec<_> = entries.iter().filter(is_own).collect();
    let reserves = over
        .level(level)
        .map_or(Reserves::None, |level| level.options().reserves);
    let named = over.outermost().is_named();
    let each_has_spares = matches!(reserves, Reserves::Set(_));
    let has_joined = own.iter().any(|entry| !joined(entry).is_empty());
    let mut heads = vec!["", "on"];
    if named {
        heads.push("is");
    }
    heads.extend(["left", "points"]);
    heads.extend(LEVELS.iter().take(levels - 1));
    heads.push("lost");
    if has_joined {
        heads.push("joined");
    }
    if each_has_spares {
        heads.push("spare");
    }
    let mut rows = Vec::new();
    for role in KINDS.into_iter().rev() {
        for entry in &own {
            if entry.there.piece.role != role {
                continue;
            }
            let mut row = vec![role.letter().to_string(), entry.place.clone()];
            row.extend(entry.one.map(|one| one.name.to_string()));
            row.push(entry.there.pieces.to_string());
            row.extend((0..levels).map(|inward| points(entry, inward).to_string()));
            row.push(lost(entry, levels));
            if has_joined {
                row.push(joined(entry));
            }
            if each_has_spares {
                row.push(entry.there.spares.to_string());
            }
            rows.push(row.into_iter().map(Into::into).collect());
        }
    }
    WordTable {
        title: title(over, level, side, &own, levels).into(),
        heads,
        rows,
    }
}

/// The headings of the columns of points further inwards.
const LEVELS: [&str; 3] = ["level 2", "level 3", "level 4"];

/// A title such as `Sub-game on d5, White: 616 points, 9240 on level 2`.
fn title(over: &Over, level: usize, side: Side, own: &[&RosterEntry<'_>], levels: usize) -> String {
    let sum = |inward| added(own.iter().map(|entry| points(entry, inward)));
    let mut title = match level {
        0 => format!("{side}, {} points", sum(0)),
        _ => format!("{}, {side}, {} points", said(&over.path_of(level)), sum(0)),
    };
    for inward in 1..levels {
        title.push_str(&format!(", {} on level {}", sum(inward), inward + 1));
    }
    if let Some(level) = over.level(level)
        && matches!(level.options().reserves, Reserves::Team(_))
    {
        title.push_str(&format!(", {} in reserve", level.team_spares(side)));
    }
    title
}

fn added(points: impl Iterator<Item = u128>) -> u128 {
    points.fold(0, u128::saturating_add)
}

/// The points of a sub-set, or the total of those this many levels inside it.
fn points(entry: &RosterEntry<'_>, inward: usize) -> u128 {
    match inward {
        0 => u128::from(entry.there.pieces.points()),
        _ => entry.one.map_or(0, |one| points_inside(&one.army, inward)),
    }
}

fn points_inside(army: &Army, inward: usize) -> u128 {
    const MEN: u128 = SubSetPlace::ALL.len() as u128;
    match army {
        Army::Untouched => {
            let sets = MEN.saturating_pow(u32::try_from(inward).unwrap_or(u32::MAX));
            sets.saturating_mul(u128::from(Roster::FULL.points()))
        }
        Army::Pieces(pieces) => u128::from(if inward == 0 { pieces.points() } else { 0 }),
        Army::Places(places) if inward == 0 => u128::from(places.roster().points()),
        Army::Places(places) => {
            let behind = places.all();
            added(behind.map(|(_, one)| points_inside(&one.army, inward - 1)))
        }
    }
}

/// How many levels inwards anything was lost.
fn touched(army: &Army) -> usize {
    match army {
        Army::Untouched => 0,
        Army::Pieces(_) => 1,
        Army::Places(places) => {
            let behind = places.all().map(|(_, one)| touched(&one.army));
            1 + behind.max().unwrap_or(0)
        }
    }
}

/// The empty places; if pieces have no names, how many are lost.
fn lost(entry: &RosterEntry<'_>, levels: usize) -> String {
    let room = entry.there.pieces.room();
    match entry.one.map(|one| &one.army) {
        _ if room.is_none() => "-".into(),
        Some(Army::Places(places)) if levels > 1 => {
            let mut empty = Vec::new();
            for place in SubSetPlace::ALL {
                if places.at(place).is_none() {
                    empty.push(place.square().to_string());
                }
            }
            empty.join(" ")
        }
        _ => room.to_string(),
    }
}

/// Individuals that did not begin in this sub-set, counted by the piece with which they began: `e7:2P1N`, and
/// `spare:1P` for spare pieces.
fn joined(entry: &RosterEntry<'_>) -> String {
    let Some(
        one @ Individual {
            army: Army::Places(places),
            ..
        },
    ) = entry.one
    else {
        return String::new();
    };
    let mut groups: Vec<(String, Roster)> = Vec::new();
    for (place, piece) in places.all() {
        let from = match piece.name.steps().split_last() {
            Some((Step::Spare(..), _)) => "spare".to_string(),
            Some((_, owner)) if owner != one.name.steps() => {
                Name::of(owner).map_or_else(String::new, |owner| owner.to_string())
            }
            _ => continue,
        };
        match groups.iter_mut().find(|(known, _)| *known == from) {
            Some((_, pieces)) => *pieces = pieces.plus(place.role()),
            None => groups.push((from, Roster::NONE.plus(place.role()))),
        }
    }
    let said = groups
        .iter()
        .map(|(from, pieces)| format!("{from}:{pieces}"));
    Vec::from_iter(said).join(" ")
}
