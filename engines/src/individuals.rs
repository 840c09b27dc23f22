//! What commanders do with individuals: which of them they capture, hand over, and set up on which squares.

use crate::{
    chance::Chance,
    commander::{give, post, set_up_of_chess, worth_on},
};
use overboard_games::overchess::{Over, Places, Ply, Roster, SubSetPlace, play::points};
use overboard_rules::square::{Role, Side};

/// The individuals of a set-up that are not placed yet, the strongest first.
fn unplaced(alone: &Over, side: Side, role: Role) -> Vec<SubSetPlace> {
    let (Some(armies), Some(placed)) = (alone.outermost().armies(), alone.placed()) else {
        return Vec::new();
    };
    let army = &armies[side];
    let stands = |place: SubSetPlace| {
        let name = army.at(place).map(|one| &one.name);
        placed[side].iter().any(|(_, one)| Some(&one.name) == name)
    };
    let mut left = of_kind(army, role);
    left.retain(|place| !stands(*place));
    strongest_first(army, left)
}

/// The places of a kind that are held.
fn of_kind(among: &Places, role: Role) -> Vec<SubSetPlace> {
    among.held().filter(|place| place.role() == role).collect()
}

/// Places by the strength of their holders; equal ones keep their order.
fn strongest_first(army: &Places, mut places: Vec<SubSetPlace>) -> Vec<SubSetPlace> {
    places.sort_by_key(|place| match army.at(*place) {
        Some(one) => -points(&one.army),
        None => 0,
    });
    places
}

/// The first of the strongest of a kind that there is room for.
fn first_of_the_best(among: &Places, role: Role, room: usize) -> Option<SubSetPlace> {
    let mut best = strongest_first(among, of_kind(among, role));
    best.truncate(room);
    among.held().find(|place| best.contains(place))
}

/// All prisoners that fit, or the first of them.
pub fn prisoners(alone: &Over) -> Option<Ply> {
    let pieces = match alone.outermost().settling().next() {
        Some((_, pieces)) => pieces,
        None => Roster::NONE,
    };
    let captives = alone.captives();
    let Some(first) = captives.held().next() else {
        if pieces.is_none() {
            return None;
        }
        return Some(Ply::Prisoners(pieces));
    };
    let room = usize::from(pieces.count(first.role()));
    first_of_the_best(captives, first.role(), room).map(Ply::Take)
}

/// Who is handed over, and where to.
pub fn gift(alone: &Over, plies: &[Ply]) -> Option<Ply> {
    let level = alone.outermost();
    let mut listed = Vec::new();
    for ply in plies {
        if let Ply::Hand(place, _) = ply {
            listed.push(*place);
        }
    }
    let Some(first) = listed.first() else {
        return give(level, plies);
    };
    let role = first.role();
    // After the first, as many are listed as may be left out.
    listed.dedup();
    let room = of_kind(alone.hand(), role).len() + 1 - listed.len();
    let place = first_of_the_best(alone.hand(), role, room)?;
    let worth_of = |ply: &Ply| match ply {
        Ply::Hand(of, on) if *of == place => worth_on(level, *on),
        _ => -1,
    };
    plies.iter().copied().max_by_key(worth_of)
}

/// A set-up, or part of one: the strong ones go where most of the fighting is.
pub fn set_up(alone: &Over, side: Side, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let Some((_, next)) = alone.placing() else {
        return set_up_of_chess(alone, side, plies, chance);
    };
    let unplaced = unplaced(alone, side, next.role());
    let rank = unplaced.iter().position(|place| *place == next)?;
    let mut squares = Vec::new();
    for ply in plies {
        if let Ply::Place(_, on) = ply {
            squares.push((post(on.square()) + chance.below(3) as i32, *ply));
        }
    }
    squares.sort_by_key(|(worth, _)| -worth);
    squares.get(rank).map(|(_, ply)| *ply)
}
