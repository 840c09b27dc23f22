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
    square::{Role, Side, Square},
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
    let open = (level..over.open()).filter_map(|level| over.level(level));
    for (at, level) in open.enumerate() {
        // Writing to a `String` cannot fail.
        if at > 0
            && let Some(contest) = around.and_then(|around| around.contested().next())
        {
            let _ = write!(text, " {{{}: ", contest.to);
        }
        let _ = write_level(level, around, &mut text);
        around = Some(level);
    }
    let _ = write_what_is_open(over, &mut text);
    let around = over.open().saturating_sub(level + 1);
    text.push_str(&"}".repeat(around));
    text
}

/// The nine fields of an over-game, which may have been opened by a contest of the one around it.
fn write_level(level: &Level, around: Option<&Level>, out: &mut String) -> fmt::Result {
    write!(out, "{} ", AsFen(&level.to_setup()))?;
    if level.is_named() {
        let owners = around.and_then(owners);
        let standing = squares().filter_map(|on| item(level, &owners, on));
        let attacked = level.contested().enumerate().filter_map(|(slot, contest)| {
            let at = contest.victim.unwrap_or(contest.to);
            let text = individual(level, &owners, at, contest.defender, level.attacked(slot)?)?;
            Some(format!("x{}{text}", contest.to))
        });
        write_list(out, standing.chain(attacked))?;
        out.push(' ');
        write_list(
            out,
            level.contested().map(|contest| contest_parts(&contest)),
        )?;
    } else {
        write_list(out, squares().filter_map(|on| incomplete(level, on)))?;
        out.push(' ');
        write_list(
            out,
            level
                .contested()
                .map(|contest| AsContest(contest).to_string()),
        )?;
    }
    out.push(' ');
    write_spares(level, out)
}

/// An item such as `e4:e2={…}`, if the piece is not the one that began there, untouched.
fn item(level: &Level, owners: &Option<BySide<Name>>, on: Square) -> Option<String> {
    let there = level
        .piece_at(on)
        .filter(|there| there.piece.role != Role::King)?;
    let text = individual(level, owners, on, there, level.at(on)?)?;
    Some(format!("{on}{text}"))
}

/// The details of an individual after its square; empty if there are none.
fn individual(
    level: &Level,
    owners: &Option<BySide<Name>>,
    on: Square,
    there: OverPiece,
    one: &Individual,
) -> Option<String> {
    let mut text = String::new();
    if expected(owners, there.piece.side, on).as_ref() != Some(&one.name) {
        text = format!(":{}", one.name);
    }
    match level.depth() {
        1 if there.pieces == Roster::FULL => {}
        1 => {
            let _ = write!(text, "={}", there.pieces);
        }
        _ if one.army == Army::Untouched => {}
        _ => {
            text.push('=');
            write_army(&one.army, &one.name, &mut text);
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The names of the pieces whose sub-sets play in the inner over-game.
fn owners(around: &Level) -> Option<BySide<Name>> {
    around
        .parties()
        .map(|parties| BySide::from(parties).map(|one| one.name.clone()))
}

/// The individual on a square of which the text says nothing: the one that began there.
pub(super) fn expected(owners: &Option<BySide<Name>>, side: Side, on: Square) -> Option<Name> {
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
    let mut held = Vec::from_iter(places.held());
    held.sort_by_key(|place| (place.square().rank, place.square().file));
    for (at, place) in held.into_iter().enumerate() {
        let Some(one) = places.at(place) else {
            continue;
        };
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
        let list = |placed: &[(Square, &Individual)]| match placed {
            [] => "-".to_string(),
            _ => placed
                .iter()
                .map(|(on, one)| format!("{on}:{}", one.name))
                .collect::<Vec<_>>()
                .join(","),
        };
        let who = if side == Side::White { "w" } else { "b" };
        return write!(
            out,
            " {{{on}: setup {who} {} {}}}",
            list(&placed[Side::White]),
            list(&placed[Side::Black])
        );
    }
    let level = over.current();
    match level.due() {
        Due::Settling(at) if !over.captives().is_empty() => {
            write!(out, " {{settle {at}:")?;
            write_places(over.captives(), None, out);
            let others = level.settling().map(|(on, _)| on).filter(|on| *on != at);
            for on in others {
                write!(out, ",{on}")?;
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

fn incomplete(level: &Level, on: Square) -> Option<String> {
    let there = level
        .piece_at(on)
        .filter(|there| there.piece.role != Role::King && there.pieces != Roster::FULL)?;
    Some(format!("{on}={}", there.pieces))
}

fn write_list(out: &mut String, items: impl Iterator<Item = String>) -> fmt::Result {
    let start = out.len();
    for item in items {
        write!(out, "{}{item}", if out.len() == start { "" } else { "," })?;
    }
    if out.len() == start {
        out.write_char('-')
    } else {
        Ok(())
    }
}

/// A contested square without the pieces of the attacked side.
fn contest_parts(contest: &Contested) -> String {
    let defender = OverPiece {
        pieces: Roster::FULL,
        ..contest.defender
    };
    AsContest(Contested {
        defender,
        ..*contest
    })
    .to_string()
}

struct AsContest(Contested);

impl fmt::Display for AsContest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contested {
            from,
            to,
            defender,
            victim,
            promotion,
        } = self.0;
        write!(f, "{from}x{to}:{}", defender.piece.letter())?;
        if defender.pieces != Roster::FULL {
            write!(f, "{}", defender.pieces)?;
        }
        if let Some(victim) = victim {
            write!(f, "@{victim}")?;
        }
        promotion.map_or(Ok(()), |role| write!(f, "={}", role.letter()))
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
            let own = squares().map(|on| ("", on, level.own_spares(on)));
            let attacked = level
                .contested()
                .map(|contest| ("x", contest.to, level.defenders_spares(contest.to)));
            let left = own.chain(attacked).filter(|(.., pieces)| !pieces.is_none());
            write_list(
                out,
                left.map(|(mark, on, pieces)| format!("{mark}{on}:{pieces}")),
            )
        }
    }
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
            let part = |(on, pieces): (Square, Roster)| {
                if pieces.is_none() {
                    on.to_string()
                } else {
                    format!("{on}:{pieces}")
                }
            };
            write_list(out, level.settling().map(part))?;
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
    let (mut rank, mut file) = (7_u8, 0_u8);
    for letter in pieces.chars() {
        marked.push(letter);
        match letter {
            '/' => (rank, file) = (rank.saturating_sub(1), 0),
            '1'..='8' => file += letter as u8 - b'0',
            _ => {
                if level.is_promoted(Square::new(file, rank)) {
                    marked.push('~');
                }
                file += 1;
            }
        }
    }
    marked.push_str(rest);
    marked
}
