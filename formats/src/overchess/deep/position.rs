//! Positions of depth 2 and more as text.

use super::{
    super::{contest_parts, squares, write_board, write_list, write_open, write_spares},
    seen_by,
};
use crate::overchess::AsRoster;
use overboard_rules::{
    overchess::{
        Due, Roster,
        deep::{Army, Deep, Individual, Name, Place, Places, Step},
    },
    square::{Role, Side, Square},
};
use std::fmt::{self, Write};

/// The text of a position.
#[must_use]
pub fn position(deep: &Deep) -> String {
    of_level(deep, 0)
}

/// The text of an open over-game's position, with the games open inside it.
pub fn of_level(deep: &Deep, level: usize) -> String {
    let mut text = String::new();
    for level in level..deep.open() {
        // Memory can be written.
        let _ = write_level(deep, level, &mut text);
        if level + 1 < deep.open()
            && let Some(contest) = deep.over(level).and_then(|over| over.contested().next())
        {
            let _ = write!(text, " {{{}: ", contest.to);
        }
    }
    (level + 1..deep.open()).for_each(|_| text.push('}'));
    text
}

fn write_level(deep: &Deep, level: usize, out: &mut String) -> fmt::Result {
    let Some(over) = deep.over(level) else { return Ok(()) };
    write_board(over, out)?;
    let standing = squares().filter_map(|on| item(deep, level, on));
    let attacked = over.contested().enumerate().filter_map(|(slot, contest)| {
        let at = contest.victim.unwrap_or(contest.to);
        let men = contest.defender.men;
        let text = individual(deep, level, contest.defender.piece.side, at, men, deep.attacked(level, slot)?);
        Some(format!("x{}{}", contest.to, text?))
    });
    write_list(out, standing.chain(attacked))?;
    out.push(' ');
    write_list(out, over.contested().map(|contest| contest_parts(&contest)))?;
    out.push(' ');
    write_spares(over, out)?;
    if level + 1 == deep.open() { write_what_is_open(deep, out) } else { Ok(()) }
}

/// `e4:e2={…}` where a piece is not the one that began there, untouched.
fn item(deep: &Deep, level: usize, on: Square) -> Option<String> {
    let there = deep.over(level)?.piece_at(on).filter(|there| there.piece.role != Role::King)?;
    let text = individual(deep, level, there.piece.side, on, there.men, deep.at(level, on)?)?;
    Some(format!("{on}{text}"))
}

/// What is said of an individual behind its square; nothing where nothing is to be said.
fn individual(
    deep: &Deep,
    level: usize,
    side: Side,
    on: Square,
    men: Roster,
    one: &Individual,
) -> Option<String> {
    let mut text = String::new();
    if expected(&owners(deep, level), side, on).as_ref() != Some(&one.name) {
        text = format!(":{}", one.name);
    }
    match deep.depth_of(level) {
        1 if men == Roster::FULL => {}
        1 => {
            let _ = write!(text, "={}", AsRoster(men));
        }
        _ if one.army == Army::Untouched => {}
        _ => {
            text.push('=');
            write_army(&one.army, &one.name, &mut text);
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The names of the pieces whose sub-sets play in an over-game: nobody's in the outermost.
pub fn owners(deep: &Deep, level: usize) -> Option<[Name; 2]> {
    let parties = deep.parties(level.checked_sub(1)?)?;
    Some(parties.map(|one| one.name.clone()))
}

/// Who stands on a square where nothing is said: who began there.
pub fn expected(owners: &Option<[Name; 2]>, side: Side, on: Square) -> Option<Name> {
    let Some(owners) = owners else { return Some(Name::over_piece(on)) };
    let place = Place::of(seen_by(side, on))?;
    Some(owners[side as usize].inner(Step::Square(place.square())))
}

/// `5P2R`, or `{a2:e7/c2,b2,d1={…}}`: the individuals by their places, with names where they came from
/// elsewhere.
fn write_army(army: &Army, owner: &Name, out: &mut String) {
    match army {
        Army::Untouched => {}
        Army::Men(men) => {
            let _ = write!(out, "{}", AsRoster(*men));
        }
        Army::Places(places) => write_places(places, Some(owner), out),
    }
}

/// Individuals in braces; those of nobody with all their names.
fn write_places(places: &Places, owner: Option<&Name>, out: &mut String) {
    out.push('{');
    let mut held = Vec::from_iter(places.held());
    held.sort_by_key(|place| (place.square().rank, place.square().file));
    for (at, place) in held.into_iter().enumerate() {
        let Some(one) = places.at(place) else { continue };
        let _ = write!(out, "{}{}", if at > 0 { "," } else { "" }, place.square());
        if owner.is_none_or(|owner| one.name != owner.inner(Step::Square(place.square()))) {
            let _ = write!(out, ":{}", one.name);
        }
        if one.army != Army::Untouched {
            out.push('=');
            write_army(&one.army, &one.name, out);
        }
    }
    out.push('}');
}

fn write_what_is_open(deep: &Deep, out: &mut String) -> fmt::Result {
    if let (Some(placed), Due::Setup(on, side)) = (deep.placed(), deep.due()) {
        let list = |placed: &[(Square, &Individual)]| match placed {
            [] => "-".to_string(),
            _ => placed.iter().map(|(on, one)| format!("{on}:{}", one.name)).collect::<Vec<_>>().join(","),
        };
        let who = if side == Side::White { "w" } else { "b" };
        return write!(out, " {{{on}: setup {who} {} {}}}", list(&placed[0]), list(&placed[1]));
    }
    let over = deep.current();
    match over.due() {
        Due::Settling(at) if deep.captives().held().next().is_some() => {
            write!(out, " {{settle {at}:")?;
            write_places(deep.captives(), None, out);
            let others = over.settling().map(|(on, _)| on).filter(|on| *on != at);
            others.for_each(|on| {
                let _ = write!(out, ",{on}");
            });
            out.write_char('}')
        }
        Due::Giving if deep.depth_of(deep.open() - 1) > 1 => {
            out.push_str(" {consolidate ");
            write_places(deep.hand(), None, out);
            out.write_char('}')
        }
        _ => write_open(over, out),
    }
}
