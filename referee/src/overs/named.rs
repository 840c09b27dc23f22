//! Acts on individuals, which are called by their names, and the set-ups that they make.

use super::{
    action::{Act, addressed, men},
    refusal::{Reason, Refused},
};
use crate::acting::Acting;
use overboard_games::overchess::{
    self, Asked, Due, Individual, KINDS, Name, Open, Over, OverSetup, PhaseSetup, Place, Places, Ply, Roster,
    Standing, laws as law,
};
use overboard_rules::{
    rule::Rule,
    square::{Role, Side, Square},
};
use std::cmp::Ordering;

/// Takes the prisoners that have names, all that fit; answers whether there are any.
pub fn take_all(over: &mut Acting<'_>) -> Result<bool, Refused> {
    let captives = over.captives();
    if captives.is_empty() {
        return Ok(false);
    }
    let fits = over.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
    if captives.roster() != fits {
        let words = "more prisoners survive than fit: they must be named";
        let more =
            captives.held().filter(|place| captives.roster().count(place.role()) > fits.count(place.role()));
        let possible = more.filter_map(|place| captives.at(place)).map(|one| one.name.to_string());
        return Err(Refused { words: words.into(), rule: &law::NAMED, possible: possible.collect() });
    }
    let all = Vec::from_iter(captives.held());
    all.into_iter().for_each(|place| over.play(&Ply::Take(place)));
    Ok(true)
}

fn unknown(text: &str, among: &Places) -> Act {
    let possible = among.held().filter_map(|place| among.at(place)).map(|one| one.name.to_string()).collect();
    let words = format!("no individual {text} is there");
    Act::Refused(Refused { words, rule: &law::NAMED, possible })
}

/// The place of a named individual among some.
fn place(word: &str, among: &Places) -> Result<Place, Act> {
    let name = overchess::name(word).ok_or(Act::Unread("individuals such as `e7/a2`"))?;
    among.find(&name).ok_or_else(|| unknown(word, among))
}

/// Those of a kind among some who are not named already, where a count of them leaves no choice.
fn counted(role: Role, count: u8, among: &Places, named: &[Place]) -> Result<Vec<Place>, Act> {
    let left = among.held().filter(|place| place.role() == role && !named.contains(place));
    let left = Vec::from_iter(left);
    let (kind, there) = (role.name(), left.len());
    let words = match there.cmp(&usize::from(count)) {
        Ordering::Equal => return Ok(left),
        Ordering::Less => format!("more of the kind {kind} are told than are there: {count} of {there}"),
        Ordering::Greater => format!("it is not told who of the kind {kind} is meant: {count} of {there}"),
    };
    let possible = left.iter().filter_map(|place| among.at(*place)).map(|one| one.name.to_string()).collect();
    Err(Act::Refused(Refused { words, rule: &law::NAMED, possible }))
}

/// How many of each kind a word such as `2P` or `P` tells; names begin with a small letter.
fn count(word: &str) -> Option<Roster> {
    overchess::roster(word).filter(|men| !men.is_none())
}

/// The places of individuals among some who are named, or counted without a choice, in the order of places.
fn places<'a>(words: impl Iterator<Item = &'a str> + Clone, among: &Places) -> Result<Vec<Place>, Act> {
    let names = words.clone().filter(|word| count(word).is_none());
    let mut places = names.map(|word| place(word, among)).collect::<Result<Vec<_>, _>>()?;
    let all = words.filter_map(count).fold(Roster::NONE, Roster::joined);
    for role in KINDS.into_iter().filter(|role| all.count(*role) > 0) {
        places.extend(counted(role, all.count(role), among, &places)?);
    }
    places.sort_by_key(order);
    Ok(places)
}

fn order(place: &Place) -> usize {
    Place::ALL.iter().position(|other| other == place).unwrap_or_default()
}

/// `e7/a2 e7/b1`, `2P e7/b1` where there is no choice of pawns, or `0` for nobody.
pub fn take_prisoners(over: &mut Acting<'_>, said: &str) -> Result<(), Act> {
    let words = said.split_whitespace();
    if men(words.clone()) == Some(Roster::NONE) {
        return Ok(over.ask(Ply::Done)?);
    }
    if over.captives().is_empty() {
        // Says why there are none.
        return Ok(over.ask(Ply::Take(Place::ALL[0]))?);
    }
    let named = places(words, over.captives())?;
    let roster = named.iter().fold(Roster::NONE, |men, place| men.plus(place.role()));
    let fits = over.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
    if !roster.fits_in(fits) {
        let words = "the sub-set has no room for all of them".to_string();
        return Err(Act::Refused(Refused::of((words, &law::LIMIT))));
    }
    for place in named {
        over.ask(Ply::Take(place))?;
    }
    if !over.captives().is_empty() {
        over.play(&Ply::Done);
    }
    Ok(())
}

const GIFTS: &str = "a square and where its individuals go, such as `c3: d2+c2/a2 f1+c2/b1`";

/// Who goes where, of those in hand: `d2+c2/a2`, or `d2+2P` where there is no choice, in the order of places.
fn gifts(words: Vec<&str>, hand: &Places) -> Result<Vec<(Place, Square)>, Act> {
    let read = |word: &'_ str| {
        let (to, who) = word.split_once('+')?;
        Some((overchess::square_named(to)?, who.to_string()))
    };
    let words: Option<Vec<_>> = words.into_iter().map(read).collect();
    let words = words.ok_or(Act::Unread(GIFTS))?;
    let mut gifts = Vec::new();
    for (to, who) in words.iter().filter(|(_, who)| count(who).is_none()) {
        gifts.push((place(who, hand)?, *to));
    }
    let named: Vec<_> = gifts.iter().map(|(place, _)| *place).collect();
    for role in KINDS {
        let told = words.iter().filter_map(|(to, who)| Some((*to, count(who)?.count(role))));
        let told: Vec<_> = told.filter(|(_, count)| *count > 0).collect();
        let Some((to, _)) = told.first() else { continue };
        let all = told.iter().map(|(_, count)| *count).fold(0, u8::saturating_add);
        let meant = counted(role, all, hand, &named)?;
        if told.iter().any(|(other, _)| other != to) {
            let squares = told.iter().map(|(to, _)| to);
            let names = meant.iter().filter_map(|place| hand.at(*place)).map(|one| &one.name);
            let possible = names.flat_map(|name| squares.clone().map(move |to| format!("{to}+{name}")));
            let mut possible = Vec::from_iter(possible);
            possible.sort_unstable();
            let words = format!("it is not told who of the kind {} goes where", role.name());
            return Err(Act::Refused(Refused { words, rule: &law::NAMED, possible }));
        }
        gifts.extend(meant.into_iter().map(|place| (place, *to)));
    }
    gifts.sort_by_key(|(place, _)| order(place));
    Ok(gifts)
}

/// `c3: d2+c2/a2 f1+c2/b1`.
pub fn consolidate(over: &mut Acting<'_>, said: &str) -> Result<(), Act> {
    let Some((from, words)) = addressed(said) else { return Err(Act::Unread(GIFTS)) };
    over.settle()?;
    over.ask(Ply::Consolidate(from))?;
    let gifts = gifts(words, over.hand())?;
    for (place, to) in gifts {
        // Who has one way to go may be left out before another that is told.
        while !over.is_legal(&Ply::Hand(place, to)) && over.hand_over_one() {}
        over.ask(Ply::Hand(place, to))?;
    }
    while over.due() == Due::Giving && over.hand_over_one() {}
    if over.due() == Due::Giving {
        let words = "individuals are left to be handed over, and it is not told to whom".to_string();
        let left = over.hand().held().filter_map(|place| over.hand().at(place));
        let possible = left.map(|one| one.name.to_string()).collect();
        return Err(Act::Refused(Refused { words, rule: &law::CONSOLIDATED, possible }));
    }
    Ok(())
}

/// Makes the set-up that a record leaves out: complete sub-sets of individuals stand each in its place, others where
/// there is no choice.
pub fn set_up_untold(over: &mut Acting<'_>) -> Result<(), Reason> {
    let Due::Setup(on, _) = over.due() else { return Ok(()) };
    let armies = over.current().armies();
    if armies.is_none_or(|armies| armies.iter().any(|army| army.roster() != Roster::FULL)) {
        let words = format!("a sub-set on {on} is not complete, and no FEN tells the set-up");
        return Err((words, &law::SET_UP));
    }
    while let Some((_, place)) = over.placing() {
        over.play(&Ply::Place(place, place));
    }
    Ok(())
}

/// Why a set-up is not made.
pub enum SetUpFault {
    /// It cannot be read.
    Unread(String),
    /// It is not legal.
    Refused(Reason),
}

/// Where an individual of a side stands.
type Seat = (Side, Place, Square);

fn refuse<T>(words: impl Into<String>, rule: &'static Rule) -> Result<T, SetUpFault> {
    Err(SetUpFault::Refused((words.into(), rule)))
}

/// Makes the set-up that a FEN tells, individual by individual, and compares the rest.
pub fn set_up(over: &mut Acting<'_>, level: usize, fen: &str) -> Result<(), SetUpFault> {
    let Some(around) = over.level(level) else { return Ok(()) };
    let (Some(armies), Some(parties)) = (around.armies(), around.parties()) else { return Ok(()) };
    let owners: [Name; 2] = parties.map(|one| one.name.clone());
    let depth = around.depth().saturating_sub(1);
    let told = overchess::block(fen, depth, over.rules(), owners)
        .map_err(|fault| SetUpFault::Unread(fault.to_string()))?;
    let seats = seats(&told, &armies)?;
    for side in [Side::White, Side::Black] {
        all_are_set_up(side, &armies[side as usize], &seats)?;
    }
    while let Some((side, place)) = over.placing().filter(|_| over.open() == level + 1) {
        let seat = seats.iter().find(|(own, of, _)| (*own, *of) == (side, place));
        let on = seat.and_then(|(.., on)| Place::of(overchess::seen_by(side, *on)));
        let ply = over
            .judge(Asked::Ply(Ply::Place(place, on.unwrap_or(place))))
            .map_err(|breach| SetUpFault::Refused((breach.words, breach.rule)))?;
        over.play(&ply);
    }
    against_rest(over, level, &told)
}

/// Where all stand that are told of, each of them one who is left, with what is left of its own.
fn seats(told: &OverSetup, armies: &[Places; 2]) -> Result<Vec<Seat>, SetUpFault> {
    let mut seats = Vec::new();
    for (standing, one) in &told.individuals {
        let Standing::On(on) = *standing else {
            return refuse("nothing is contested in a set-up", &law::SET_UP);
        };
        let Some(piece) = told.pieces[usize::from(on.rank) * 8 + usize::from(on.file)] else { continue };
        let place = place_of(one, piece.side, on, &armies[piece.side as usize])?;
        let regular = Place::of(overchess::seen_by(piece.side, on));
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
fn against_rest(over: &Over, level: usize, told: &OverSetup) -> Result<(), SetUpFault> {
    let Some(begun) = over.level(level + 1) else { return Ok(()) };
    if told.turn != Side::White {
        return refuse("the attacker, White, moves first", &law::SET_UP);
    }
    if told.castling != begun.castling() {
        let words = "castling is possible with each rook set up on its corner, and with no other";
        return refuse(words, &law::SUB_GAME);
    }
    let begins = told.contested.is_empty()
        && told.en_passant.is_none()
        && matches!((&told.open, &told.phase), (Open::Nothing, PhaseSetup::Over));
    if begins { Ok(()) } else { refuse("a sub-game begins with nothing open", &law::SET_UP) }
}

const fn who(side: Side) -> &'static str {
    match side {
        Side::White => "the attacker",
        Side::Black => "the defender",
    }
}
