//! Positions as text.

use super::{AsArrangement, seen_by};
use crate::{
    fen::AsFen,
    overchess::{
        Army, Contested, Due, Individual, Level, Name, Over, OverPiece, Places, Reserves, Roster,
        SubSetPlace,
    },
};
use overboard_rules::{
    by_side::BySide,
    path::squares,
    square::{Side, Square},
};
use std::fmt;

/// The text of an open over-game's position, with the games open inside it.
pub fn of_level(over: &Over, level: usize) -> String {
    let mut text = what_is_open(over);
    for at in (level..over.open()).rev() {
        let Some(this) = over.level(at) else { break };
        let around = at.checked_sub(1).and_then(|around| over.level(around));
        text = match fields(this, around) {
            fields if text.is_empty() => fields,
            fields => format!("{fields} {{{text}}}"),
        };
        if at > level
            && let Some(contest) = around.and_then(|around| around.contested().next())
        {
            text = format!("{}: {text}", contest.to);
        }
    }
    text
}

/// The nine fields of an over-game, which may have been opened by a contest of the one around it.
fn fields(level: &Level, around: Option<&Level>) -> String {
    let owners = around.and_then(Level::owners);
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
    let (sets, contested) = (list(&sets), list(&contested));
    let board = level.to_setup();
    format!("{} {sets} {contested} {}", AsFen(&board), spares(level))
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
        if level.depth() > 1 {
            text += &army(one);
        }
    }
    if level.depth() == 1 && there.pieces != Roster::FULL {
        text += &format!("={}", there.pieces);
    }
    if text.is_empty() { None } else { Some(text) }
}

/// The individual on a square of which the text says nothing: the one that began there.
pub(super) fn expected(owners: Option<&BySide<Name>>, side: Side, on: Square) -> Option<Name> {
    let Some(owners) = owners else {
        return Some(Name::over_piece(on));
    };
    let place = SubSetPlace::of(seen_by(side, on))?;
    Some(owners[side].own(place))
}

/// The sub-set of an individual: `=5P2R`, or `={a2:e7/c2,b2,d1={…}}`, the individuals by their places, with names if
/// they came from elsewhere; nothing if it is untouched.
fn army(Individual { name, army }: &Individual) -> String {
    match army {
        Army::Untouched => String::new(),
        Army::Pieces(pieces) => format!("={pieces}"),
        Army::Places(places) => format!("={}", in_braces(places, Some(name))),
    }
}

/// Individuals in braces; without an owner, with their full names.
fn in_braces(places: &Places, owner: Option<&Name>) -> String {
    let mut held = Vec::from_iter(places.all());
    held.sort_by_key(|(place, _)| place.number());
    let mut items = Vec::new();
    for (place, one) in held {
        let on = place.square();
        let is_own = owner.is_some_and(|owner| one.name == owner.own(place));
        let army = army(one);
        items.push(if is_own {
            format!("{on}{army}")
        } else {
            format!("{on}:{}{army}", one.name)
        });
    }
    format!("{{{}}}", items.join(","))
}

/// What is open in the innermost over-game; empty if nothing is.
fn what_is_open(over: &Over) -> String {
    let level = over.current();
    match over.due() {
        Due::Over => String::new(),
        Due::OverFrom(on) => format!("reserve {on}"),
        Due::Setup(on, side) => {
            if let Some(placed) = over.placed() {
                let who = if side == Side::White { "w" } else { "b" };
                let [white, black] = placed.map(|own| standing(&own)).into_array();
                return format!("{on}: setup {who} {white} {black}");
            }
            match level.attackers_setup() {
                None => format!("{on}: setup w"),
                Some(pieces) => format!("{on}: setup b {}", AsArrangement(pieces)),
            }
        }
        Due::Sub(on) => format!("{on}: {}", sub_game(level).unwrap_or_default()),
        Due::Settling(_) => format!("settle {}", settling(over)),
        Due::Giving => format!("consolidate {}", given(over).unwrap_or_default()),
    }
}

/// Individuals that have been set up, with their squares.
fn standing(placed: &[(Square, &Individual)]) -> String {
    let items = placed.iter().map(|(on, one)| format!("{on}:{}", one.name));
    list(&Vec::from_iter(items))
}

/// The over-pieces to be settled, with the prisoners that they may take; only the first may take individuals.
fn settling(over: &Over) -> String {
    let captives = over.captives();
    let mut items = Vec::new();
    for (on, pieces) in over.current().settling() {
        items.push(if !captives.is_empty() && items.is_empty() {
            format!("{on}:{}", in_braces(captives, None))
        } else if captives.is_empty() && !pieces.is_none() {
            format!("{on}:{pieces}")
        } else {
            on.to_string()
        });
    }
    items.join(",")
}

/// What is to be handed over, and the last that was.
fn given(over: &Over) -> Option<String> {
    if over.current().depth() > 1 {
        return Some(in_braces(over.hand(), None));
    }
    let (left, last) = over.current().giving()?;
    Some(match last {
        Some((role, on)) => format!("{left} {}:{on}", role.letter()),
        None => left.to_string(),
    })
}

fn list(items: &[String]) -> String {
    match items {
        [] => "-".into(),
        _ => items.join(","),
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

fn spares(level: &Level) -> String {
    let mut items = Vec::new();
    match level.options().reserves {
        Reserves::None => {}
        Reserves::Team(_) => {
            let left = BySide::from_fn(|side| level.team_spares(side));
            if left != BySide::both(Roster::NONE) {
                return format!("{}/{}", left[Side::White], left[Side::Black]);
            }
        }
        Reserves::Set(_) => {
            for on in squares() {
                items.extend(
                    level
                        .with_set(on)
                        .and_then(|there| own_spares("", on, there)),
                );
            }
            for Contested { to, defender, .. } in level.contested() {
                items.extend(own_spares("x", to, defender));
            }
        }
    }
    list(&items)
}

fn own_spares(mark: &str, on: Square, there: OverPiece) -> Option<String> {
    if there.spares.is_none() {
        return None;
    }
    Some(format!("{mark}{on}:{}", there.spares))
}

/// A FEN of the sub-game of chess with `~` after promoted pieces.
fn sub_game(level: &Level) -> Option<String> {
    let plain = AsFen(&level.sub_game()?.to_setup()).to_string();
    let (pieces, rest) = plain.split_at(plain.find(' ').unwrap_or(plain.len()));
    let mut marked = String::with_capacity(plain.len());
    for (letter, on) in with_squares(pieces) {
        marked.push(letter);
        if letter.is_ascii_alphabetic() && level.is_promoted(on) {
            marked.push('~');
        }
    }
    Some(marked + rest)
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
