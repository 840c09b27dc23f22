//! The over-games of Overchess as their commanders look at them, whatever their depth.
//!
//! What stands on a board is read off its [`Level`]. What is looked ahead in is an [`Over`] of that level alone: a
//! sub-game inside is due or being played, and no more of it is seen.

use crate::{
    chance::Chance,
    commander::{give, post, set_up_of_chess},
    skirmish::{Fighter, value, worth},
};
use overboard_games::overchess::{Army, Due, Individual, Level, Over, Place, Places, Ply, Roster};
use overboard_rules::square::{Role, Side, Square};

/// What a sub-set is worth in points: each man by his kind, and by the strength of what stands behind him. A
/// complete one is worth as much at any depth.
fn points(army: &Army) -> i32 {
    match army {
        Army::Untouched => Roster::FULL.points() as i32,
        Army::Men(men) => men.points() as i32,
        Army::Places(places) => points_of(places),
    }
}

fn points_of(places: &Places) -> i32 {
    // In hundredths, so that many weak men are not nothing.
    let men = places.held().filter_map(|place| Some((place.role(), places.at(place)?)));
    men.map(|(role, one)| value(100 * points_of_kind(role), points(&one.army))).sum::<i32>() / 100
}

/// With the strength of those who stand behind it, where they are individuals.
fn strong(level: &Level, one: Option<&Individual>, there: Fighter) -> Fighter {
    match one.filter(|_| level.depth() > 1) {
        Some(one) => Fighter { points: points(&one.army), ..there },
        None => there,
    }
}

/// What stands on a square, on a contested one the attacker; none but a king has no sub-set.
#[must_use]
pub fn fighter(level: &Level, on: Square) -> Option<Fighter> {
    let there = level.piece_at(on)?;
    Some(strong(level, level.at(on), there.into()))
}

/// The attacked over-piece of a contest, 0 the one to be settled first.
#[must_use]
pub fn attacked(level: &Level, contest: usize) -> Option<Fighter> {
    let there = level.contested().nth(contest)?;
    Some(strong(level, level.attacked(contest), there.defender.into()))
}

/// The square to be settled first.
#[must_use]
pub fn first_contested(level: &Level) -> Option<Square> {
    level.contested().next().map(|contest| contest.to)
}

/// What is due in an over-game that is looked at alone.
#[must_use]
pub fn due(alone: &Over) -> Due {
    match first_contested(alone.outermost()).filter(|_| alone.open() > 1) {
        Some(on) => Due::Sub(on),
        None => alone.due(),
    }
}

/// The legal plies.
#[must_use]
pub fn plies(alone: &Over) -> Vec<Ply> {
    let mut plies = Vec::new();
    alone.for_each_legal(|ply| plies.push(ply));
    plies
}

/// The individuals of a set-up that are still to be placed, the strongest first.
fn unplaced(alone: &Over, side: Side, role: Role) -> Vec<Place> {
    let (Some(armies), Some(placed)) = (alone.outermost().armies(), alone.placed()) else {
        return Vec::new();
    };
    let army = &armies[side as usize];
    let stands = |place: &Place| {
        let name = army.at(*place).map(|one| &one.name);
        placed[side as usize].iter().any(|(_, one)| Some(&one.name) == name)
    };
    let left = army.held().filter(|place| place.role() == role && !stands(place));
    strongest_first(army, left.collect())
}

/// Places by the strength of those who hold them; of equals in their order.
fn strongest_first(army: &Places, mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by_key(|place| army.at(*place).map_or(0, |one| -points(&one.army)));
    places
}

/// The first, in order, of the strongest of a kind for whom there is room.
fn first_of_the_best(among: &Places, role: Role, room: usize) -> Option<Place> {
    let of_kind = among.held().filter(|place| place.role() == role).collect();
    let best: Vec<_> = strongest_first(among, of_kind).into_iter().take(room).collect();
    among.held().find(|place| best.contains(place))
}

/// All prisoners that fit, or the first of them.
#[must_use]
pub fn prisoners(alone: &Over) -> Option<Ply> {
    let men = alone.outermost().settling().next().map_or(Roster::NONE, |(_, men)| men);
    let captives = alone.captives();
    let Some(first) = captives.held().next() else {
        return (!men.is_none()).then_some(Ply::Prisoners(men));
    };
    let room = usize::from(men.count(first.role()));
    first_of_the_best(captives, first.role(), room).map(Ply::Take)
}

/// Who is handed over, and where to.
#[must_use]
pub fn gift(alone: &Over, plies: &[Ply]) -> Option<Ply> {
    let level = alone.outermost();
    let places = plies.iter().filter_map(|ply| match ply {
        Ply::Hand(place, _) => Some(*place),
        _ => None,
    });
    let Some(first) = places.clone().next() else { return give(level, plies) };
    // As many are listed behind the first as may be left out.
    let mut listed: Vec<_> = places.collect();
    listed.dedup();
    let of_kind = alone.hand().held().filter(|place| place.role() == first.role()).count();
    let room = of_kind + 1 - listed.len();
    let place = first_of_the_best(alone.hand(), first.role(), room)?;
    let worth_of = |ply: &Ply| match ply {
        Ply::Hand(of, on) if *of == place => level.piece_at(*on).map_or(0, |there| worth(there.piece.role)),
        _ => -1,
    };
    plies.iter().copied().max_by_key(worth_of)
}

/// A set-up, or a part of it: the strong where most is fought for.
pub fn set_up(alone: &Over, side: Side, plies: &[Ply], chance: &mut Chance) -> Option<Ply> {
    let Some((_, next)) = alone.placing() else { return set_up_of_chess(alone, side, plies, chance) };
    let rank = unplaced(alone, side, next.role()).iter().position(|place| *place == next)?;
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

/// What White's and Black's over-pieces are worth together, as the men of the two sub-sets that they are.
#[must_use]
pub fn armies(level: &Level) -> [i32; 2] {
    let mut points = [0; 2];
    let standing = squares().filter_map(|on| fighter(level, on));
    let attacked = (0..2).filter_map(|contest| attacked(level, contest));
    for there in standing.chain(attacked).filter(|there| there.piece.role != Role::King) {
        points[there.piece.side as usize] += value(points_of_kind(there.piece.role) * 100, there.points);
    }
    points.map(|points| points / 100)
}

/// All squares.
pub fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank)))
}

/// The points of a man by his kind, where he stands for nothing but himself.
#[must_use]
pub fn points_of_kind(role: Role) -> i32 {
    Roster::NONE.plus(role).points() as i32
}
