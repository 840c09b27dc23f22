//! Individuals: where each stands, and the individuals of its sub-set.

use super::{in_two, or_fault};
use crate::{
    fen::fault,
    overchess::{
        Army, Individual, Name, OverSetup, Places, Roster, Standing, Step, SubSetPlace, name,
        notation::position::expected, roster, square_named,
    },
};
use overboard_referee::game::position::FenError;
use overboard_rules::{
    by_side::BySide,
    path::squares,
    square::{Piece, Role, Side, Square},
};
use std::ops::Range;

const INDIVIDUAL: &str =
    "individuals are written once each like `e4:e2={a2:e7/c2,b2}` or `e4=5P2R`";

/// All individuals on the board or attacked: those listed, and the expected ones elsewhere.
pub(super) fn individuals(
    text: &str,
    field: &Range<usize>,
    depth: u8,
    over: &OverSetup,
    owners: Option<&BySide<Name>>,
) -> Result<Vec<(Standing, Individual)>, FenError> {
    let standing = seats(over);
    let mut known: Vec<(Standing, Individual)> = Vec::new();
    for item in braced_items(text, field) {
        let read = individual(&text[item.clone()], depth, &standing, owners);
        let new = read.filter(|(at, _)| !holds(&known, *at));
        known.push(or_fault(new, text, item, INDIVIDUAL)?);
    }
    for (at, on, side) in standing {
        if holds(&known, at) {
            continue;
        }
        let Some(name) = expected(owners, side, on) else {
            let what = format!("it does not say which individual stands on {on}");
            return fault(field.clone(), what);
        };
        known.push((at, Individual::untouched(name)));
    }
    Ok(known)
}

/// Whether somebody is known to stand there.
fn holds(known: &[(Standing, Individual)], at: Standing) -> bool {
    known.iter().any(|(other, _)| *other == at)
}

/// Where individuals stand on the board or are attacked, each with its square and its side.
fn seats(over: &OverSetup) -> Vec<(Standing, Square, Side)> {
    let mut seats = Vec::new();
    for (on, piece) in squares().zip(over.pieces) {
        if let Some(Piece { side, role }) = piece
            && role != Role::King
        {
            seats.push((Standing::On(on), on, side));
        }
    }
    for contest in &over.contested {
        let Piece { side, role } = contest.defender;
        if role != Role::King {
            let on = contest.victim.unwrap_or(contest.to);
            seats.push((Standing::Attacked(contest.to), on, side));
        }
    }
    seats
}

/// The items of a list separated by commas outside of braces; none for `-`.
fn braced_items(text: &str, field: &Range<usize>) -> Vec<Range<usize>> {
    let list = &text[field.clone()];
    let (mut items, mut from, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, letter) in list.bytes().enumerate() {
        match letter {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                items.push(field.start + from..field.start + at);
                from = at + 1;
            }
            _ => {}
        }
    }
    items.push(field.start + from..field.end);
    if list == "-" { Vec::new() } else { items }
}

/// Parses an item: `e4:e2={…}`, `xe4:e7=5P`.
fn individual(
    item: &str,
    depth: u8,
    standing: &[(Standing, Square, Side)],
    owners: Option<&BySide<Name>>,
) -> Option<(Standing, Individual)> {
    let (head, pieces) = in_two(item, '=');
    let (seat, reported) = in_two(head, ':');
    let at = match seat.strip_prefix('x') {
        Some(on) => Standing::Attacked(square_named(on)?),
        None => Standing::On(square_named(seat)?),
    };
    let (_, on, side) = standing.iter().find(|(other, ..)| *other == at)?;
    let name = match reported {
        Some(reported) => name(reported)?,
        None => expected(owners, *side, *on)?,
    };
    let army = match pieces {
        Some(pieces) => whole_army(pieces, depth, &name)?,
        None => Army::Untouched,
    };
    Some((at, Individual { name, army }))
}

fn whole_army(text: &str, depth: u8, owner: &Name) -> Option<Army> {
    let mut rest = text;
    let army = army(&mut rest, depth, owner)?;
    rest.is_empty().then_some(army)
}

/// Parses the sub-set of a piece of a game of this depth; never deeper than games go.
fn army(rest: &mut &str, depth: u8, owner: &Name) -> Option<Army> {
    if depth <= 1 {
        let pieces = roster(word(rest))?;
        return if pieces.fits_in(Roster::FULL) {
            Some(Army::of_pieces(pieces))
        } else {
            None
        };
    }
    Some(Army::of_places(places(rest, depth, Some(owner))?, owner))
}

/// Parses individuals in braces; without an owner, all have full names.
pub(super) fn places(rest: &mut &str, depth: u8, owner: Option<&Name>) -> Option<Places> {
    let mut places = Places::default();
    *rest = rest.strip_prefix('{')?;
    if let Some(behind) = rest.strip_prefix('}') {
        *rest = behind;
        return Some(places);
    }
    loop {
        let (on, reported) = in_two(word(rest), ':');
        let place = SubSetPlace::of(square_named(on)?)?;
        let name = match (reported, owner) {
            (Some(reported), _) => name(reported)?,
            (None, Some(owner)) => owner.inner(Step::Square(place.square())),
            (None, None) => return None,
        };
        let army = match rest.strip_prefix('=') {
            Some(behind) => {
                *rest = behind;
                army(rest, depth - 1, &name)?
            }
            None => Army::Untouched,
        };
        let is_known = places.at(place).is_some() || places.find(&name).is_some();
        if is_known || name.role() != Some(place.role()) {
            return None;
        }
        places.put(place, Individual { name, army });
        if let Some(behind) = rest.strip_prefix('}') {
            *rest = behind;
            return Some(places);
        }
        *rest = rest.strip_prefix(',')?;
    }
}

/// The text before the next comma, brace or `=`.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find([',', '}', '=', '{']).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(end);
    *rest = behind;
    word
}
