//! The set-up of a sub-game that is an over-game, as a FEN tells it.

use super::nest::SetUpFault;
use crate::overchess::deep;
use crate::referee::acting::Acting;
use overboard_rules::{
    laws::overchess as law,
    overchess::{
        PhaseSetup,
        deep::{Deep, DeepAsked, DeepPly, DeepSetup, Individual, Name, Open, Place, Places, Standing},
    },
    rule::Rule,
    square::{Side, Square},
};

/// Where an individual of a side stands.
type Seat = (Side, Place, Square);

fn refuse<T>(words: impl Into<String>, rule: &'static Rule) -> Result<T, SetUpFault> {
    Err(SetUpFault::Refused((words.into(), rule)))
}

/// Makes the set-up that a FEN tells, individual by individual, and compares the rest.
pub fn set_up(deep: &mut Acting<'_, Deep>, level: usize, fen: &str) -> Result<(), SetUpFault> {
    let (Some(armies), Some(parties)) = (deep.armies(level), deep.parties(level)) else { return Ok(()) };
    let owners: [Name; 2] = parties.map(|one| one.name.clone());
    let depth = deep.depth_of(level).saturating_sub(1);
    let told = deep::block(fen, depth, deep.options(), owners)
        .map_err(|fault| SetUpFault::Unread(fault.to_string()))?;
    let seats = seats(&told, &armies)?;
    for side in [Side::White, Side::Black] {
        all_are_set_up(side, &armies[side as usize], &seats)?;
    }
    while let Some((side, place)) = deep.placing().filter(|_| deep.open() == level + 1) {
        let seat = seats.iter().find(|(own, of, _)| (*own, *of) == (side, place));
        let on = seat.and_then(|(.., on)| Place::of(deep::seen_by(side, *on)));
        let ply = deep
            .judge(DeepAsked::Ply(DeepPly::Place(place, on.unwrap_or(place))))
            .map_err(|breach| SetUpFault::Refused((breach.words, breach.rule)))?;
        deep.play_own(ply);
    }
    against_rest(deep, level, &told)
}

/// Where all stand that are told of, each of them one who is left, with what is left of its own.
fn seats(told: &DeepSetup, armies: &[Places; 2]) -> Result<Vec<Seat>, SetUpFault> {
    let mut seats = Vec::new();
    for (standing, one) in &told.individuals {
        let Standing::On(on) = *standing else {
            return refuse("nothing is contested in a set-up", &law::SET_UP);
        };
        let Some(piece) = told.over.pieces[usize::from(on.rank) * 8 + usize::from(on.file)] else { continue };
        let place = place_of(one, piece.side, on, &armies[piece.side as usize])?;
        let regular = Place::of(deep::seen_by(piece.side, on));
        if piece.role != place.role() || regular.is_none_or(|regular| regular.role() != place.role()) {
            return refuse(format!("{} does not start on {on}", one.name), &law::SET_UP);
        }
        seats.push((piece.side, place, on));
    }
    Ok(seats)
}

fn place_of(one: &Individual, side: Side, on: Square, army: &Places) -> Result<Place, SetUpFault> {
    let Some(place) = army.find(&one.name) else {
        let words = format!("{} on {on} is none of {}'s that are left", one.name, who(side));
        return refuse(words, &law::DEPLETION);
    };
    if army.at(place).is_some_and(|right| right.army != one.army) {
        return refuse(format!("the sub-set of {} is not what is left of it", one.name), &law::DEPTH);
    }
    Ok(place)
}

fn all_are_set_up(side: Side, army: &Places, seats: &[Seat]) -> Result<(), SetUpFault> {
    let is_seated = |place: &Place| seats.iter().any(|(own, of, _)| (*own, of) == (side, place));
    let missing = army.held().find(|place| !is_seated(place)).and_then(|place| army.at(place));
    match missing {
        Some(one) => refuse(format!("{} of {}'s sub-set is not set up", one.name, who(side)), &law::SET_UP),
        None => Ok(()),
    }
}

/// What is wrong with the fields beside who stands where.
fn against_rest(deep: &Deep, level: usize, told: &DeepSetup) -> Result<(), SetUpFault> {
    let Some(over) = deep.over(level + 1) else { return Ok(()) };
    if told.over.turn != Side::White {
        return refuse("the attacker, White, moves first", &law::SET_UP);
    }
    if told.over.castling != over.castling() {
        let words = "castling is possible with each rook set up on its corner, and with no other";
        return refuse(words, &law::SUB_GAME);
    }
    let begins = told.over.contested.is_empty()
        && told.over.en_passant.is_none()
        && matches!((&told.open, &told.over.phase), (Open::Nothing, PhaseSetup::Over));
    if begins { Ok(()) } else { refuse("a sub-game begins with nothing open", &law::SET_UP) }
}

const fn who(side: Side) -> &'static str {
    match side {
        Side::White => "the attacker",
        Side::Black => "the defender",
    }
}
