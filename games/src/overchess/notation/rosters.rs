//! Tables of the sub-sets of an over-game.

use super::said;
use crate::overchess::{
    Army, Individual, Name, Over, OverPiece, Reserves, Roster, Step, SubSetPlace,
};
use overboard_pictures::diagram::WordTable;
use overboard_rules::{
    path::squares,
    square::{Role, Side},
};

/// The order of the rows.
const ORDER: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// An over-piece and its square; `xe4` is one that attacks e4.
struct RosterEntry<'a> {
    there: OverPiece,
    /// The individual that it is, if over-pieces have names.
    one: Option<&'a Individual>,
    place: String,
    spares: Roster,
}

/// White's and Black's over-pieces of an open over-game: the square of each, what is left of its sub-set, its points
/// (OV-14) and those of the sub-sets behind it, what is lost, and what has joined it.
#[must_use]
pub fn tables(over: &Over, level: usize) -> Vec<WordTable> {
    let entries = entries(over, level);
    let most = over
        .level(level)
        .map_or(1, |level| usize::from(level.depth()));
    let levels = if most > 1 {
        let inwards = entries
            .iter()
            .filter_map(|entry| entry.one)
            .map(|one| touched(&one.army));
        inwards.max().unwrap_or(1).clamp(2, most)
    } else {
        1
    };
    [Side::White, Side::Black]
        .map(|side| table(over, level, side, &entries, levels))
        .into()
}

fn entries(over: &Over, level: usize) -> Vec<RosterEntry<'_>> {
    let mut entries = Vec::new();
    let Some(level) = over.level(level) else {
        return entries;
    };
    for on in squares() {
        let contest = level
            .contested()
            .enumerate()
            .find(|(_, contest)| contest.to == on);
        let place = if contest.is_some() {
            format!("x{on}")
        } else {
            on.to_string()
        };
        if let Some(there) = level
            .piece_at(on)
            .filter(|there| there.piece.role != Role::King)
        {
            entries.push(RosterEntry {
                there,
                one: level.at(on),
                place,
                spares: level.own_spares(on),
            });
        }
        if let Some((slot, contest)) = contest {
            let place = contest.victim.unwrap_or(on).to_string();
            let spares = level.defenders_spares(on);
            entries.push(RosterEntry {
                there: contest.defender,
                one: level.attacked(slot),
                place,
                spares,
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
    let own: Vec<_> = entries
        .iter()
        .filter(|entry| entry.there.piece.side == side)
        .collect();
    let reserves = over
        .level(level)
        .map_or(Reserves::None, |level| level.options().reserves);
    let named = over.outermost().is_named();
    let each_has_spares = matches!(reserves, Reserves::Set(_));
    let has_joined = own.iter().any(|entry| !joined(entry).is_empty());
    let mut heads = vec!["", "on"];
    heads.extend(named.then_some("is"));
    heads.extend(["left", "points"]);
    heads.extend(LEVELS.iter().take(levels - 1));
    heads.push("lost");
    heads.extend(has_joined.then_some("joined"));
    heads.extend(each_has_spares.then_some("spare"));
    let mut rows = Vec::new();
    for role in ORDER {
        for entry in own.iter().filter(|entry| entry.there.piece.role == role) {
            let mut row = vec![role.letter().to_string(), entry.place.clone()];
            row.extend(entry.one.map(|one| one.name.to_string()));
            row.push(entry.there.pieces.to_string());
            row.extend((0..shown(levels)).map(|inward| points(entry, inward).to_string()));
            row.push(lost(entry, levels));
            row.extend(has_joined.then(|| joined(entry)));
            row.extend(each_has_spares.then(|| entry.spares.to_string()));
            rows.push(row.into_iter().map(Into::into).collect());
        }
    }
    WordTable {
        title: title(over, level, side, &own, levels).into(),
        heads,
        rows,
    }
}

/// The headings of the columns of points further inwards; those of deeper levels are omitted.
const LEVELS: [&str; 3] = ["level 2", "level 3", "level 4"];

const fn shown(levels: usize) -> usize {
    if levels > LEVELS.len() + 1 {
        LEVELS.len() + 1
    } else {
        levels
    }
}

/// A title such as `Sub-game on d5, White: 616 points, 9240 on level 2`.
fn title(over: &Over, level: usize, side: Side, own: &[&RosterEntry<'_>], levels: usize) -> String {
    let sum = |inward| {
        own.iter()
            .map(|entry| points(entry, inward))
            .fold(0, |sum: u128, more| sum.saturating_add(more))
    };
    let mut title = match level {
        0 => format!("{side}, {} points", sum(0)),
        _ => format!("{}, {side}, {} points", said(&over.path_of(level)), sum(0)),
    };
    for inward in 1..shown(levels) {
        title.push_str(&format!(", {} on level {}", sum(inward), inward + 1));
    }
    if let Some(level) = over.level(level)
        && matches!(level.options().reserves, Reserves::Team(_))
    {
        title.push_str(&format!(", {} in reserve", level.team_spares(side)));
    }
    title
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
            let behind = places.held().filter_map(|place| places.at(place));
            behind.fold(0, |sum: u128, one| {
                sum.saturating_add(points_inside(&one.army, inward - 1))
            })
        }
    }
}

/// How many levels inwards anything was lost.
fn touched(army: &Army) -> usize {
    match army {
        Army::Untouched => 0,
        Army::Pieces(_) => 1,
        Army::Places(places) => {
            let behind = places.held().filter_map(|place| places.at(place));
            1 + behind.map(|one| touched(&one.army)).max().unwrap_or(0)
        }
    }
}

/// The empty places; if pieces have no names, how many are lost.
fn lost(entry: &RosterEntry<'_>, levels: usize) -> String {
    let room = entry.there.pieces.room();
    match entry.one.map(|one| &one.army) {
        _ if room.is_none() => "-".into(),
        Some(Army::Places(places)) if levels > 1 => {
            let empty = SubSetPlace::ALL
                .into_iter()
                .filter(|place| places.at(*place).is_none());
            empty
                .map(|place| place.square().to_string())
                .collect::<Vec<_>>()
                .join(" ")
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
    for (place, piece) in places
        .held()
        .filter_map(|place| Some((place, places.at(place)?)))
    {
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
    groups
        .iter()
        .map(|(from, pieces)| format!("{from}:{pieces}"))
        .collect::<Vec<_>>()
        .join(" ")
}
