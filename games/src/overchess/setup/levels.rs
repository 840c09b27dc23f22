//! Builds positions from their parts: the open over-games one after the other, and their individuals.

use super::{OverSetup, PhaseSetup, SetupRefusal, unfit};
use crate::board8::board::squares;
use crate::overchess::{
    Options, Over,
    army::{Army, Individual, Places},
    individuals::{Individuals, Seat, seen_by},
    laws as law,
    level::Level,
    name::{KING, Name, Step, SubSetPlace},
    placing::{Placement, Placing},
    roster::KINDS,
    state::{Game, Phase, has_set},
};
use overboard_rules::{
    by_side::BySide,
    path::{index, square},
    square::{Piece, Side, Square},
};
use std::collections::HashMap;

/// Where an individual stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// On a square; on a contested one as the attacker.
    On(Square),
    /// On a contested square, attacked.
    Attacked(Square),
}

/// What is open apart from the over-board.
#[derive(Clone, Debug, Default)]
pub enum Open {
    /// Nothing, or what [`PhaseSetup`] says.
    #[default]
    Nothing,
    /// A set-up, with the names of those that have been set up: the attacker's, then the defender's.
    Placing([Vec<(Square, Name)>; 2]),
    /// An inner game.
    Nested(Box<OverSetup>),
    /// Prisoners that may still be taken, with the places that they had.
    Captives(Places),
    /// Individuals that may still be handed over.
    Hand(Places),
}

impl Over {
    /// The position with these parts; depth counts from 1.
    ///
    /// # Errors
    /// The first reason why they are not a position.
    pub fn from_setup(
        depth: u8,
        options: Options,
        setup: &OverSetup,
    ) -> Result<Self, SetupRefusal> {
        each_once(setup)?;
        let mut over = Self::alone_with(outermost(depth, options, setup)?);
        let (mut setup, mut depth) = (setup, depth);
        while let Open::Nested(inside) = &setup.open {
            depth -= 1;
            if depth == 0 {
                return unfit("games are open deeper than the depth allows", &law::DEPTH);
            }
            let Some(owners) = over.inner.armies() else {
                return unfit("no square is contested for the sub-game", &law::ATTACK);
            };
            over.enter(named(depth, options, inside, Some(owners))?);
            setup = inside;
        }
        if !over.outer.is_empty() && over.current().end_by_itself().is_some() {
            return unfit("the sub-game is over", &law::SUB_RESULT);
        }
        over.go_on();
        Ok(over)
    }
}

fn outermost(depth: u8, options: Options, setup: &OverSetup) -> Result<Level, SetupRefusal> {
    if depth > 0 && stands_inside(setup) {
        return named(depth, options.inside(), setup, None);
    }
    match depth {
        0 => unfit("games are open deeper than the depth allows", &law::DEPTH),
        1 if !setup.individuals.is_empty() || !matches!(setup.open, Open::Nothing) => {
            unfit("the pieces of a game of depth 1 have no names", &law::NAMED)
        }
        1 => Ok(Level::unnamed(Game::from_setup(options, setup, false)?)),
        _ => named(depth, options, setup, None),
    }
}

/// Whether an over-game given by itself is played inside another one: all its individuals belong to some sub-set.
fn stands_inside(setup: &OverSetup) -> bool {
    let mut individuals = setup.individuals.iter();
    !setup.individuals.is_empty() && individuals.all(|(_, one)| one.name.steps().len() > 1)
}

/// Checks that no individual is in two sub-sets at once: neither named in both, nor named in one while the
/// other is untouched.
fn each_once(setup: &OverSetup) -> Result<(), SetupRefusal> {
    let mut armies: HashMap<&[Step], &Army> = HashMap::new();
    let mut left: Vec<&Individual> = setup.individuals.iter().map(|(_, one)| one).collect();
    if let Open::Captives(aside) | Open::Hand(aside) = &setup.open {
        left.extend(aside.all().map(|(_, one)| one));
    }
    while let Some(Individual { name, army }) = left.pop() {
        if armies.insert(name.steps(), army).is_some() {
            return unfit(format!("{name} occurs twice"), &law::NAMED);
        }
        if let Army::Places(places) = army {
            left.extend(places.all().map(|(_, one)| one));
        }
    }
    let names = armies.keys().copied();
    let twice = names.filter(|steps| is_at_home_too(steps, &armies)).min();
    if let Some(steps) = twice
        && let Some(name) = Name::of(steps)
    {
        return unfit(format!("{name} occurs twice"), &law::NAMED);
    }
    Ok(())
}

/// Whether an individual with this name is also in an untouched sub-set: the nearest of those around it that are known.
fn is_at_home_too(steps: &[Step], armies: &HashMap<&[Step], &Army>) -> bool {
    for at in (1..steps.len()).rev() {
        if let Some(army) = armies.get(&steps[..at]) {
            return matches!((army, steps[at]), (Army::Untouched, Step::Square(_)));
        }
    }
    false
}

/// An over-game of individuals. `owners` are the pieces whose sub-sets its sides are; the outermost has none.
fn named(
    depth: u8,
    options: Options,
    setup: &OverSetup,
    owners: Option<BySide<Places>>,
) -> Result<Level, SetupRefusal> {
    let is_inside = owners.is_some();
    let options = if is_inside { options.inside() } else { options };
    for (_, Individual { name, army }) in &setup.individuals {
        if !army.fits(depth) {
            let words = format!("the sub-set of {name} is not of this depth");
            return unfit(words, &law::DEPTH);
        }
    }
    if depth == 1 && matches!(setup.phase, PhaseSetup::Nested) {
        return unfit("the sub-games of depth 1 are chess", &law::DEPTH);
    }
    let game = Game::from_setup(options, setup, depth > 1)?;
    let who = seated(&game, setup, owners.as_ref())?;
    let mut level = Level::named(depth, game, who);
    if let Some(owners) = &owners {
        nobody_comes_from_nowhere(options, setup, owners)?;
    }
    level.report_beside();
    if matches!(level.game.phase, Phase::Over) {
        level.game.see_again();
    }
    let begun = match &setup.open {
        Open::Placing(placed) => Some(placing(&level, placed)?),
        _ => None,
    };
    if let Some(who) = level.individuals_mut() {
        who.placing = begun;
        match &setup.open {
            Open::Captives(captives) => who.captives = captives.clone(),
            Open::Hand(hand) => who.hand = hand.clone(),
            Open::Nothing | Open::Placing(_) | Open::Nested(_) => {}
        }
    }
    Ok(level)
}

fn seated(
    game: &Game,
    setup: &OverSetup,
    owners: Option<&BySide<Places>>,
) -> Result<Individuals, SetupRefusal> {
    let mut who = Individuals::nobody();
    let mut seats = Vec::with_capacity(setup.individuals.len());
    for (standing, individual) in &setup.individuals {
        let (seat, piece) = seat_of(game, *standing)?;
        let Some(Piece { side, .. }) = piece.filter(|piece| has_set(*piece)) else {
            let words = format!("{} stands on no over-piece's square", individual.name);
            return unfit(words, &law::NAMED);
        };
        seats.push((seat, side, individual));
    }
    let inside = if owners.is_none() && stands_inside(setup) {
        Some(places_inside(&seats)?)
    } else {
        None
    };
    for (at, (seat, side, individual)) in seats.into_iter().enumerate() {
        let place = match &inside {
            Some(places) => places[at],
            None => place_of(individual, side, owners)?,
        };
        if who.sides[side].at(place).is_some() {
            return unfit(format!("{} occurs twice", individual.name), &law::NAMED);
        }
        who.sides[side].put(place, individual.clone());
        who.seat(side, place.number(), seat);
    }
    for at in squares(game.board.occupied()) {
        match game.board.piece_at(at) {
            Some(piece) if !has_set(piece) => who.seat(piece.side, KING, Seat::On(at)),
            _ if who.at(square(at)).is_some() => {}
            _ => {
                let words = format!("it does not say which individual stands on {}", square(at));
                return unfit(words, &law::NAMED);
            }
        }
    }
    Ok(who)
}

/// Where an individual is in a game, and the over-piece there.
fn seat_of(game: &Game, standing: Standing) -> Result<(Seat, Option<Piece>), SetupRefusal> {
    let on = match standing {
        Standing::On(on) => return Ok((Seat::On(index(on)), game.board.piece_at(index(on)))),
        Standing::Attacked(on) => on,
    };
    for (slot, contest) in game.contests.iter().flatten().enumerate() {
        if square(contest.to) == on {
            return Ok((Seat::Attacked(slot), Some(contest.defender)));
        }
    }
    unfit(format!("{on} is not contested"), &law::FOG)
}

/// Checks that the individuals of a sub-set have no more pieces behind them than when the sub-game began. If
/// pieces may join others (OV-21, OV-22), this holds for their sum, kind by kind.
fn nobody_comes_from_nowhere(
    options: Options,
    setup: &OverSetup,
    owners: &BySide<Places>,
) -> Result<(), SetupRefusal> {
    if options.prisoners || options.consolidation {
        return no_kind_grows(setup, owners);
    }
    for (_, Individual { name, army }) in &setup.individuals {
        let mut began = owners
            .iter()
            .filter_map(|places| places.at(places.find(name)?));
        if let Some(began) = began.next()
            && !army.roster().fits_in(began.army.roster())
        {
            let words = format!("{name} has more pieces than its sub-set");
            return unfit(words, &law::DEPLETION);
        }
    }
    Ok(())
}

fn no_kind_grows(setup: &OverSetup, owners: &BySide<Places>) -> Result<(), SetupRefusal> {
    for role in KINDS {
        let count = |one: &Individual| u32::from(one.army.roster().count(role));
        let here: u32 = setup.individuals.iter().map(|(_, one)| count(one)).sum();
        let mut owned = 0;
        for (_, one) in owners.iter().flat_map(Places::all) {
            owned += count(one);
        }
        if here > owned {
            let kind = role.name();
            let words = format!("in the sub-game there are more {kind}s than in both sub-sets");
            return unfit(words, &law::DEPLETION);
        }
    }
    Ok(())
}

/// The place of an individual on its side: in the outermost game by the square on which the over-piece began, inside by
/// the sub-set to which it belongs.
fn place_of(
    individual: &Individual,
    side: Side,
    owners: Option<&BySide<Places>>,
) -> Result<SubSetPlace, SetupRefusal> {
    let name = &individual.name;
    let place = match (owners, name.steps()) {
        (Some(owners), _) => owners[side].find(name),
        (None, [Step::Square(on)]) => SubSetPlace::of(square(seen_by(side, index(*on)))),
        (None, _) => None,
    };
    match place {
        Some(place) => Ok(place),
        None => {
            let words = format!("{name} is not an individual of {side}'s");
            unfit(words, &law::NAMED)
        }
    }
}

/// The places of individuals that the text does not give. Each gets the one in its name, or else a free one of its
/// kind; which of these makes no difference.
fn places_inside(seats: &[(Seat, Side, &Individual)]) -> Result<Vec<SubSetPlace>, SetupRefusal> {
    let mut taken: BySide<Vec<SubSetPlace>> = Default::default();
    let mut own = Vec::new();
    for (_, side, one) in seats {
        let place = match one.name.steps().last() {
            Some(Step::Square(on)) => SubSetPlace::of(*on),
            _ => None,
        };
        let free = place.filter(|place| !taken[*side].contains(place));
        taken[*side].extend(free);
        own.push(free);
    }
    let mut places = Vec::new();
    for ((_, side, one), own) in seats.iter().zip(own) {
        let taken = &mut taken[*side];
        let mut left = SubSetPlace::ALL
            .into_iter()
            .filter(|place| Some(place.role()) == one.name.role() && !taken.contains(place));
        let Some(place) = own.or_else(|| left.next()) else {
            return unfit(format!("{side} has no place for {}", one.name), &law::NAMED);
        };
        taken.push(place);
        places.push(place);
    }
    Ok(places)
}

fn placing(level: &Level, placed: &[Vec<(Square, Name)>; 2]) -> Result<Placing, SetupRefusal> {
    let Some(armies) = level.armies() else {
        return unfit("no square is contested for the sub-game", &law::ATTACK);
    };
    let mut squares: BySide<Placement> = BySide::both([None; 16]);
    for (side, names) in Side::BOTH.into_iter().zip(placed) {
        for (on, name) in names {
            let seen = SubSetPlace::of(square(seen_by(side, index(*on))));
            let taken = &mut squares[side];
            let at = Some(index(*on));
            match (armies[side].find(name), seen) {
                (Some(place), Some(regular))
                    if place.role() == regular.role() && !taken.contains(&at) =>
                {
                    taken[usize::from(place.number())] = at;
                }
                _ => return unfit(format!("{name} cannot be set up on {on}"), &law::SET_UP),
            }
        }
    }
    Ok(Placing::of(armies, squares))
}

impl Army {
    /// Whether a sub-set can be that of a piece of a game of this depth: ordinary pieces at depth 1, individuals above.
    #[must_use]
    pub const fn fits(&self, depth: u8) -> bool {
        matches!(
            (self, depth),
            (Self::Untouched, _) | (Self::Pieces(_), 1) | (Self::Places(_), 2..)
        )
    }
}
