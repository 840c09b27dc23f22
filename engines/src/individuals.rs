//! What commanders do with individuals: which of them they capture, hand over, and set up on which squares.

use crate::{
    chance::Chance,
    commander::{give, post, set_up_of_chess},
};
use overboard_games::overchess::{
    Over, Places, Ply, Roster, SubSetPlace,
    play::{points, worth},
};
use overboard_rules::square::{Role, Side};

/// The individuals of a set-up that are not placed yet, the strongest first.
fn unplaced(alone: &Over, side: Side, role: Role) -> Vec<SubSetPlace> {
    let (Some(armies), Some(placed)) = (alone.outermost().armies(), alone.placed()) else {
        return Vec::new();
    };
    let army = &armies[side];
    let stands = |place: &SubSetPlace| {
        let name = army.at(*place).map(|one| &one.name);
        placed[side].iter().any(|(_, one)| Some(&one.name) == name)
    };
    let left = army
        .held()
        .filter(|place| place.role() == role && !stands(place));
    strongest_first(army, left.collect())
}

/// Places by the strength of their holders; equal ones keep their order.
fn strongest_first(army: &Places, mut places: Vec<SubSetPlace>) -> Vec<SubSetPlace> {
    places.sort_by_key(|place| army.at(*place).map_or(0, |one| -points(&one.army)));
    places
}

/// The first of the strongest of a kind that there is room for.
fn first_of_the_best(among: &Places, role: Role, room: usize) -> Option<SubSetPlace> {
    let of_kind = among.held().filter(|place| place.role() == role).collect();
    let best: Vec<_> = strongest_first(among, of_kind)
        .into_iter()
        .take(room)
        .collect();
    among.held().find(|place| best.contains(place))
}

/// All prisoners that fit, or the first of them.
pub fn prisoners(alone: &Over) -> Option<Ply> {
    let pieces = alone
        .outermost()
        .settling()
        .next()
        .map_or(Roster::NONE, |(_, pieces)| pieces);
    let captives = alone.captives();
    let Some(first) = captives.held().next() else {
        return (!pieces.is_none()).then_some(Ply::Prisoners(pieces));
    };
    let room = usize::from(pieces.count(first.role()));
    first_of_the_best(captives, first.role(), room).map(Ply::Take)
}

/// Who is handed over, and where to.
pub fn gift(alone: &Over, plies: &[Ply]) -> Option<Ply> {
    let level = alone.outermost();
    let places = plies.iter().filter_map(|ply| match ply {
        Ply::Hand(place, _) => Some(*place),
        _ => None,
    });
    let Some(first) = places.clone().next() else {
        return give(level, plies);
    };
    // After the first, as many are listed as may be left out.
    let mut listed: Vec<_> = places.collect();
    listed.dedup();
    let of_kind = alone
        .hand()
        .held()
        .filter(|place| place.role() == first.role())
        .count();
    let room = of_kind + 1 - listed.len();
    let place = first_of_the_best(alone.hand(), first.role(), room)?;
    let worth_of = |ply: &Ply| match ply {
        Ply::Hand(of, on) if *of == place => level
            .piece_at(*on)
            .map_or(0, |there| worth(there.piece.role)),
        _ => -1,
    };
    plies.iter().copied().max_by_key(worth_of)
}

/// A set-up, or part of one: the strong ones go where most of the fighting is.
pub fn set_up(alone: &Over, side: Side, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let Some((_, next)) = alone.placing() else {
        return set_up_of_chess(alone, side, plies, chance);
    };
    let rank = unplaced(alone, side, next.role())
        .iter()
        .position(|place| *place == next)?;
    let mut squares: Vec<_> = plies
        .iter()
        .filter_map(|ply| match ply {
            Ply::Place(_, on) => Some((*ply, *on)),
            _ => None,
        })
        .map(|(ply, on)| (post(on.square()) + chance.below(3) as i32, ply))
        .collect();
    squares.sort_by_key(|(worth, _)| -worth);
    squares.get(rank).map(|(_, ply)| *ply)
}
