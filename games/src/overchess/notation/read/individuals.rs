//! Individuals: where each stands, and the individuals of its sub-set.

use super::{Reader, in_two};
use crate::{
    fen::fault,
    overchess::{
        Army, Individual, Name, Places, Roster, SubSetPlace,
        individuals::Seat,
        name,
        notation::position::expected,
        roster,
        setup::{Draft, Seated},
        square_named,
        state::has_set,
    },
};
use overboard_referee::game::position::FenError;
use overboard_rules::{
    path::{index, squares},
    square::{Side, Square},
};
use std::ops::Range;

const INDIVIDUAL: &str =
    "individuals are written once each like `e4:e2={a2:e7/c2,b2}` or `e4=5P2R`";

impl Reader<'_> {
    /// Reads all individuals on the board or attacked, and their sub-sets: those listed, and the expected ones elsewhere.
    pub(super) fn read_individuals(
        &self,
        field: &Range<usize>,
        draft: &mut Draft,
    ) -> Result<(), FenError> {
        let mut unknown = seats(draft);
        for item in braced_items(self.text, field) {
            let read = self.individual(&self.text[item.clone()], draft, &mut unknown);
            draft.add(self.or_fault(read, item, INDIVIDUAL)?);
        }
        for (seat, side, on) in unknown {
            let Some(name) = expected(self.owners.as_ref(), side, on) else {
                let what = format!("it does not say which individual stands on {on}");
                return fault(field.clone(), what);
            };
            let one = Individual::untouched(name);
            draft.add(Seated { seat, side, one });
        }
        Ok(())
    }

    /// Parses an item, `e4:e2={…}` or `xe4:e7=5P`, about one who is still unknown.
    fn individual(
        &self,
        item: &str,
        draft: &Draft,
        unknown: &mut Vec<(Seat, Side, Square)>,
    ) -> Option<Seated> {
        let (head, pieces) = in_two(item, '=');
        let (on, who) = in_two(head, ':');
        let seat = match on.strip_prefix('x') {
            Some(on) => Seat::Attacked(draft.slot(square_named(on)?)?),
            None => Seat::On(index(square_named(on)?)),
        };
        let at = unknown.iter().position(|(other, ..)| *other == seat)?;
        let (_, side, on) = unknown.remove(at);
        let name = match who {
            Some(who) => name(who)?,
            None => expected(self.owners.as_ref(), side, on)?,
        };
        let mut army = Army::Untouched;
        if let Some(mut pieces) = pieces {
            army = self::army(&mut pieces, self.depth, &name)?;
            if !pieces.is_empty() {
                return None;
            }
        }
        let one = Individual { name, army };
        Some(Seated { seat, side, one })
    }
}

/// Where individuals stand on the board or are attacked, each with its side and its square.
fn seats(draft: &Draft) -> Vec<(Seat, Side, Square)> {
    let mut seats = Vec::new();
    for on in squares() {
        if let Some(piece) = draft.fields.piece_at(on)
            && has_set(piece)
        {
            seats.push((Seat::On(index(on)), piece.side, on));
        }
    }
    for (slot, contest) in draft.contested.iter().enumerate() {
        let piece = contest.defender.piece;
        // A second one on the same square cannot be told from the first.
        if has_set(piece) && draft.slot(contest.to) == Some(slot) {
            let on = contest.victim.unwrap_or(contest.to);
            seats.push((Seat::Attacked(slot), piece.side, on));
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

/// Parses the sub-set of a piece of a game of this depth; never deeper than games go.
fn army(rest: &mut &str, depth: u8, owner: &Name) -> Option<Army> {
    if depth <= 1 {
        let pieces = roster(word(rest))?;
        let is_sub_set = pieces.fits_in(Roster::FULL);
        return is_sub_set.then_some(Army::of_pieces(pieces));
    }
    Some(Army::of_places(places(rest, depth, Some(owner))?, owner))
}

/// Parses individuals in braces; without an owner, all have full names.
pub(super) fn places(rest: &mut &str, depth: u8, owner: Option<&Name>) -> Option<Places> {
    let mut places = Places::default();
    if !eat(rest, '{') {
        return None;
    }
    if eat(rest, '}') {
        return Some(places);
    }
    loop {
        let (on, who) = in_two(word(rest), ':');
        let place = SubSetPlace::of(square_named(on)?)?;
        let name = match (who, owner) {
            (Some(who), _) => name(who)?,
            (None, Some(owner)) => owner.own(place),
            (None, None) => return None,
        };
        let mut army = Army::Untouched;
        if eat(rest, '=') {
            army = self::army(rest, depth - 1, &name)?;
        }
        let is_known = places.at(place).is_some() || places.find(&name).is_some();
        if is_known || name.role() != Some(place.role()) {
            return None;
        }
        places.put(place, Individual { name, army });
        if eat(rest, '}') {
            return Some(places);
        }
        if !eat(rest, ',') {
            return None;
        }
    }
}

/// Whether this sign is next, and goes past it.
fn eat(rest: &mut &str, sign: char) -> bool {
    let behind = rest.strip_prefix(sign);
    *rest = behind.unwrap_or(rest);
    behind.is_some()
}

/// The text before the next comma, brace or `=`.
fn word<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find([',', '}', '=', '{']).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(end);
    *rest = behind;
    word
}
