//! Positions as text.

use super::{AsArrangement, seen_by};
use crate::{
    fen::AsFen,
    overchess::{
        Army, Contested, Due, Individual, Level, Name, Over, OverPiece, Places, Reserves, Roster,
        Step, SubSetPlace,
    },
};
use overboard_rules::{
    by_side::BySide,
    path::squares,
    square::{Side, Square},
};
use std::fmt::{self, Write};

/// The text of a position.
#[must_use]
pub fn position(over: &Over) -> String {
    of_level(over, 0)
}

/// The text of an open over-game's position, with the games open inside it.
pub fn of_level(over: &Over, level: usize) -> String {
    let mut text = String::new();
    let mut around = level.checked_sub(1).and_then(|around| over.level(around));
    for at in level..over.open() {
        let Some(inner) = over.level(at) else { break };
        // Writing to a `String` cannot fail.
        if at > level
            && let Some(contest) = around.and_then(|around| around.contested().next())
        {
            let _ = write!(text, " {{{}: ", contest.to);
        }
        let _ = write_level(inner, around, &mut text);
        around = Some(inner);
    }
    let _ = write_what_is_open(over, &mut text);
    let around = over.open().saturating_sub(level + 1);
    text.push_str(&"}".repeat(around));
    text
}

/// The nine fields of an over-game, which may have been opened by a contest of the one around it.
fn write_level(level: &Level, around: Option<&Level>, out: &mut String) -> fmt::Result {
    write!(out, "{} ", AsFen(&level.to_setup()))?;
    let owners = around.and_then(owners);
    let (mut sets, mut contested) = (Vec::new(), Vec::new());
    for on in squares() {
        if let Some(there) = level.with_set(on) {
            let details = details(level, owners.as_ref(), on, there, level.at(on));
            sets.extend(details.map(|details| format!("{on}{details}")));
        }
    }
    for (slot, mut contest) in level.contested().enumerate() {
        if level.is_named() {
            let (one, on) = (level.attacked(slot), contest.victim.unwrap_or(contest.to));
            let details = details(level, owners.as_ref(), on, contest.defender, one);
            sets.extend(details.map(|details| format!("x{}{details}", contest.to)));
            contest.defender.pieces = Roster::FULL;
        }
        contested.push(contest.to_string());
    }
    write_list(out, &sets)?;
    out.push(' ');
    write_list(out, &contested)?;
    out.push(' ');
    write_spares(level, out)
}

/// What is written of an over-piece after its square, such as `:e2={…}`; `None` if it is complete, and the individual
/// that began there.
fn details(
    level: &Level,
    owners: Option<&BySide<Name>>,
    on: Square,
    there: OverPiece,
    one: Option<&Individual>,
) -> Option<String> {
    let mut text = String::new();
    if let Some(one) = one {
        if expected(owners, there.piece.side, on).as_ref() != Some(&one.name) {
            text = format!(":{}", one.name);
        }
        if level.depth() > 1 && one.army != Army::Untouched {
            text.push('=');
            write_army(&one.army, &one.name, &mut text);
        }
    }
    if level.depth() == 1 && there.pieces != Roster::FULL {
        let _ = write!(text, "={}", there.pieces);
    }
    if text.is_empty() { None } else { Some(text) }
}

/// The names of the pieces whose sub-sets play in the inner over-game.
fn owners(around: &Level) -> Option<BySide<Name>> {
    let parties = BySide::from(around.parties()?);
    Some(parties.map(|one| one.name.clone()))
}

/// The individual on a square of which the text says nothing: the one that began there.
pub(super) fn expected(owners: Option<&BySide<Name>>, side: Side, on: Square) -> Option<Name> {
    let Some(owners) = owners else {
        return Some(Name::over_piece(on));
    };
    let place = SubSetPlace::of(seen_by(side, on))?;
    Some(owners[side].inner(Step::Square(place.square())))
}

/// A sub-set: `5P2R`, or `{a2:e7/c2,b2,d1={…}}`, the individuals by their places, with names if they came from
/// elsewhere.
fn write_army(army: &Army, owner: &Name, out: &mut String) {
    match army {
        Army::Untouched => {}
        Army::Pieces(pieces) => {
            let _ = write!(out, "{pieces}");
        }
        Army::Places(places) => write_places(places, Some(owner), out),
    }
}

/// Individuals in braces; without an owner, with their full names.
fn write_places(places: &Places, owner: Option<&Name>, out: &mut String) {
    out.push('{');
    let mut held = Vec::from_iter(places.all());
    held.sort_by_key(|(place, _)| (place.square().rank, place.square().file));
    for (at, (place, one)) in held.into_iter().enumerate() {
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

fn write_what_is_open(over: &Over, out: &mut String) -> fmt::Result {
    if let (Some(placed), Due::Setup(on, side)) = (over.placed(), over.due()) {
        let who = if side == Side::White { "w" } else { "b" };
        write!(out, " {{{on}: setup {who}")?;
        for own in placed {
            out.push(' ');
            let items = own.iter().map(|(on, one)| format!("{on}:{}", one.name));
            write_list(out, &Vec::from_iter(items))?;
        }
        return out.write_char('}');
    }
    let level = over.current();
    match level.due() {
        Due::Settling(at) if !over.captives().is_empty() => {
            write!(out, " {{settle {at}:")?;
            write_places(over.captives(), None, out);
            for (on, _) in level.settling() {
                if on != at {
                    write!(out, ",{on}")?;
                }
            }
            out.write_char('}')
        }
        Due::Giving if level.depth() > 1 => {
            out.push_str(" {consolidate ");
            write_places(over.hand(), None, out);
            out.write_char('}')
        }
        _ => write_open(level, out),
    }
}

fn write_list(out: &mut String, items: &[String]) -> fmt::Result {
    match items {
        [] => out.write_char('-'),
        _ => out.write_str(&items.join(",")),
    }
}

impl fmt::Display for Contested {
    /// `e2xe4:n5P2R`, `e5xd6:p@d5`, `b7xa8:r=Q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contested {
            from,
            to,
            defender,
            victim,
            promotion,
        } = *self;
        write!(f, "{from}x{to}:{}", defender.piece.letter())?;
        if defender.pieces != Roster::FULL {
            write!(f, "{}", defender.pieces)?;
        }
        if let Some(victim) = victim {
            write!(f, "@{victim}")?;
        }
        if let Some(role) = promotion {
            write!(f, "={}", role.letter())?;
        }
        Ok(())
    }
}

fn write_spares(level: &Level, out: &mut String) -> fmt::Result {
    match level.options().reserves {
        Reserves::None => out.write_char('-'),
        Reserves::Team(_) => {
            let left = BySide::from_fn(|side| level.team_spares(side));
            if left == BySide::both(Roster::NONE) {
                return out.write_char('-');
            }
            write!(out, "{}/{}", left[Side::White], left[Side::Black])
        }
        Reserves::Set(_) => {
            let mut items = Vec::new();
            for on in squares() {
                items.extend(level.with_set(on).and_then(|there| spares("", on, there)));
            }
            for Contested { to, defender, .. } in level.contested() {
                items.extend(spares("x", to, defender));
            }
            write_list(out, &items)
        }
    }
}

fn spares(mark: &str, on: Square, there: OverPiece) -> Option<String> {
    if there.spares.is_none() {
        return None;
    }
    Some(format!("{mark}{on}:{}", there.spares))
}

fn write_open(level: &Level, out: &mut String) -> fmt::Result {
    match level.due() {
        Due::Over => Ok(()),
        Due::OverFrom(on) => write!(out, " {{reserve {on}}}"),
        Due::Setup(on, _) => match level.attackers_setup() {
            None => write!(out, " {{{on}: setup w}}"),
            Some(pieces) => write!(out, " {{{on}: setup b {}}}", AsArrangement(pieces)),
        },
        Due::Sub(on) => {
            write!(out, " {{{on}: ")?;
            if let Some(chess) = level.sub_game() {
                out.push_str(&with_marks(level, &AsFen(&chess.to_setup()).to_string()));
            }
            out.write_char('}')
        }
        Due::Settling(_) => {
            out.push_str(" {settle ");
            for (at, (on, pieces)) in level.settling().enumerate() {
                write!(out, "{}{on}", if at > 0 { "," } else { "" })?;
                if !pieces.is_none() {
                    write!(out, ":{pieces}")?;
                }
            }
            out.write_char('}')
        }
        Due::Giving => {
            let Some((left, last)) = level.giving() else {
                return Ok(());
            };
            write!(out, " {{consolidate {left}")?;
            if let Some((role, on)) = last {
                write!(out, " {}:{on}", role.letter())?;
            }
            out.write_char('}')
        }
    }
}

/// A FEN of the sub-game with `~` after promoted pieces.
fn with_marks(level: &Level, plain: &str) -> String {
    let (pieces, rest) = plain.split_at(plain.find(' ').unwrap_or(plain.len()));
    let mut marked = String::with_capacity(plain.len());
    for (letter, on) in with_squares(pieces) {
        marked.push(letter);
        if letter.is_ascii_alphabetic() && level.is_promoted(on) {
            marked.push('~');
        }
    }
    marked.push_str(rest);
    marked
}

/// The letters of a placement; a piece, and the mark behind it, with the square of the piece.
pub(super) fn with_squares(placement: &str) -> impl Iterator<Item = (char, Square)> {
    let (mut rank, mut file) = (7_u8, 0_u8);
    placement.chars().map(move |letter| {
        match letter {
            '~' => {}
            '/' => (rank, file) = (rank.saturating_sub(1), 0),
            '1'..='8' => file = file.saturating_add(letter as u8 - b'0'),
            _ => file = file.saturating_add(1),
        }
        (letter, Square::new(file.saturating_sub(1).min(7), rank))
    })
}
