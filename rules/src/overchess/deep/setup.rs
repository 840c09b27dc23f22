//! Positions of depth 2 and more out of their parts.

use super::{
    Army, Deep, Individual, Level, Name, Options, Place, Places, Side, Square, Step,
    level::Seat,
    placing::{Placing, Squares},
};
use crate::{
    laws::overchess as law,
    overchess::{
        Over, OverSetup, PhaseSetup,
        board::{bit, squares},
        game::Phase,
        setup::Unfit,
    },
    path::{index, square},
    square::Role,
};
use std::{collections::HashMap, sync::Arc};

/// An open over-game: the parts of its position.
#[derive(Clone, Debug)]
pub struct DeepSetup {
    /// Its board and what is counted; the counts of men come from the individuals, and are left out here.
    pub over: OverSetup,
    /// Who stands where, except kings.
    pub individuals: Vec<(Standing, Individual)>,
    /// What is open besides.
    pub open: Open,
}

/// Where an individual stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// On a square; on a contested one as the attacker.
    On(Square),
    /// On a contested square, attacked.
    Attacked(Square),
}

/// What is open beside the over-board.
#[derive(Clone, Debug)]
pub enum Open {
    /// Nothing, or what the parts of the over-position say.
    Nothing,
    /// A set-up, with the names of those set up already: the attacker's, then the defender's.
    Placing([Vec<(Square, Name)>; 2]),
    /// A game inside.
    Nested(Box<DeepSetup>),
    /// Prisoners who may still be taken, by the places that they had.
    Captives(Vec<(Place, Individual)>),
    /// Individuals who may still be handed over.
    Hand(Vec<(Place, Individual)>),
}

fn unfit<T>(words: impl Into<String>, rule: &'static crate::rule::Rule) -> Result<T, Unfit> {
    Err(Unfit { words: words.into(), rule })
}

impl Deep {
    /// The position of these parts.
    ///
    /// # Errors
    /// The first reason why they make none.
    pub fn from_setup(depth: u8, options: Options, setup: &DeepSetup) -> Result<Self, Unfit> {
        each_once(setup)?;
        let mut deep = Self { options, levels: Vec::new(), ended: Vec::new() };
        let mut parts = Some(setup);
        let mut depth = depth;
        while let Some(setup) = parts {
            if depth == 0 {
                return unfit("games are open deeper than the depth allows", &law::DEPTH);
            }
            let owners = deep.levels.last().map(|level| level.armies());
            let owners = match owners {
                None => None,
                Some(Some(armies)) => Some(armies),
                Some(None) => return unfit("no square is contested for the sub-game", &law::ATTACK),
            };
            deep.levels.push(Arc::new(level(depth, options, setup, owners)?));
            parts = if let Open::Nested(inner) = &setup.open { Some(inner) } else { None };
            depth -= 1;
        }
        if deep.levels.len() > 1 && deep.current().ending().is_some() {
            return unfit("the sub-game is over", &law::SUB_RESULT);
        }
        deep.go_on();
        Ok(deep)
    }
}

/// Nobody is in two sub-sets at once: neither named in both, nor named in one while the other is untouched.
fn each_once(setup: &DeepSetup) -> Result<(), Unfit> {
    let mut armies: HashMap<&[Step], &Army> = HashMap::new();
    let aside: &[(Place, Individual)] = match &setup.open {
        Open::Captives(individuals) | Open::Hand(individuals) => individuals,
        _ => &[],
    };
    let outer = setup.individuals.iter().map(|(_, individual)| individual);
    let mut left: Vec<&Individual> = outer.chain(aside.iter().map(|(_, individual)| individual)).collect();
    while let Some(Individual { name, army }) = left.pop() {
        if armies.insert(name.steps(), army).is_some() {
            return unfit(format!("{name} stands twice"), &law::NAMED);
        }
        if let Army::Places(places) = army {
            left.extend(places.held().filter_map(|place| places.at(place)));
        }
    }
    let is_at_home_too = |steps: &&[Step]| {
        let nearest = (1..steps.len()).rev().find_map(|at| Some((at, armies.get(&steps[..at])?)));
        nearest
            .is_some_and(|(at, army)| matches!(army, Army::Untouched) && matches!(steps[at], Step::Square(_)))
    };
    match armies.keys().copied().filter(is_at_home_too).min().and_then(Name::of) {
        Some(name) => unfit(format!("{name} stands twice"), &law::NAMED),
        None => Ok(()),
    }
}

/// One over-game. `owners` are the sub-sets that its sides are; the outermost has none.
fn level(
    depth: u8,
    options: Options,
    setup: &DeepSetup,
    owners: Option<[Places; 2]>,
) -> Result<Level, Unfit> {
    let mut parts = setup.over.clone();
    let inside = owners.is_some();
    let options =
        if inside { Options { reserves: crate::overchess::Reserves::None, ..options } } else { options };
    parts.sets.clear();
    for (standing, individual) in &setup.individuals {
        let men = individual.army.roster();
        if !individual.army.fits(depth) {
            return unfit(format!("the sub-set of {} is not of this depth", individual.name), &law::DEPTH);
        }
        match standing {
            Standing::On(on) => parts.sets.push((*on, men)),
            Standing::Attacked(on) => {
                let contest = parts.contested.iter_mut().find(|contest| contest.to == *on);
                let Some(contest) = contest else {
                    return unfit(format!("{on} is not contested"), &law::FOG);
                };
                contest.men = men;
            }
        }
    }
    let phase = std::mem::replace(&mut parts.phase, PhaseSetup::Over);
    let nested = matches!(setup.open, Open::Placing(_) | Open::Nested(_));
    parts.phase = if nested { PhaseSetup::Nested } else { phase };
    if depth == 1 && nested {
        return unfit("the sub-games of depth 1 are chess", &law::DEPTH);
    }
    let over = Over::from_setup_beside(options, &parts, depth > 1)?;
    let mut level = Level::empty(depth, over);
    seat_all(&mut level, setup, owners.as_ref())?;
    if let Some(owners) = &owners {
        nobody_comes_from_nowhere(options, setup, owners)?;
    }
    level.tell_beside();
    if matches!(level.over.game.phase, Phase::Over) {
        level.over.game.see_again();
    }
    match &setup.open {
        Open::Placing(placed) => level.placing = Some(placing(&level, placed)?),
        Open::Captives(individuals) => fill(&mut level.captives, individuals),
        Open::Hand(individuals) => fill(&mut level.hand, individuals),
        Open::Nothing | Open::Nested(_) => {}
    }
    Ok(level)
}

fn fill(places: &mut Places, individuals: &[(Place, Individual)]) {
    individuals.iter().for_each(|(place, individual)| places.put(*place, individual.clone()));
}

fn seat_all(level: &mut Level, setup: &DeepSetup, owners: Option<&[Places; 2]>) -> Result<(), Unfit> {
    for (standing, individual) in &setup.individuals {
        let (seat, piece) = match standing {
            Standing::On(on) => (Seat::On(index(*on)), level.over.game.board.piece_at(index(*on))),
            Standing::Attacked(on) => {
                let contests = level.over.game.contests.iter().flatten();
                let found = contests.enumerate().find(|(_, contest)| square(contest.to) == *on);
                let Some((slot, contest)) = found else {
                    return unfit(format!("{on} is not contested"), &law::FOG);
                };
                (Seat::Attacked(slot), Some(contest.defender))
            }
        };
        let Some(piece) = piece.filter(|piece| piece.role != Role::King) else {
            return unfit(format!("{} stands on no over-piece's square", individual.name), &law::NAMED);
        };
        let place = place_of(individual, piece.side, owners)?;
        if level.sides[piece.side as usize].at(place).is_some() {
            return unfit(format!("{} stands twice", individual.name), &law::NAMED);
        }
        level.sides[piece.side as usize].put(place, individual.clone());
        level.seat(piece.side, place.number(), seat);
    }
    let board = level.over.game.board;
    for at in squares(board.occupied() & board.kind(Role::King)) {
        let side = if board.of(Side::White) & bit(at) != 0 { Side::White } else { Side::Black };
        level.seat(side, super::name::KING, Seat::On(at));
    }
    let others = board.occupied() & !board.kind(Role::King);
    let nameless = squares(others).find(|at| level.at(square(*at)).is_none());
    match nameless {
        Some(at) => unfit(format!("it is not told who stands on {}", square(at)), &law::NAMED),
        None => Ok(()),
    }
}

/// Inside a sub-set no more men stand behind its individuals than stood there when the sub-game began. Where men
/// may join others (OV-21, OV-22) that holds for all of them together, kind by kind.
fn nobody_comes_from_nowhere(options: Options, setup: &DeepSetup, owners: &[Places; 2]) -> Result<(), Unfit> {
    let began = |name| owners.iter().find_map(|places| places.at(places.find(name)?));
    if !options.prisoners && !options.consolidation {
        let grown = setup.individuals.iter().map(|(_, individual)| individual).find(|individual| {
            began(&individual.name)
                .is_some_and(|began| !individual.army.roster().fits_in(began.army.roster()))
        });
        return grown.map_or(Ok(()), |individual| {
            unfit(format!("{} has more men than its sub-set", individual.name), &law::DEPLETION)
        });
    }
    let here = || setup.individuals.iter().map(|(_, individual)| individual);
    let owned = || owners.iter().flat_map(|places| places.held().filter_map(|place| places.at(place)));
    let kinds = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let grown = kinds.into_iter().find(|role| men_behind(here(), *role) > men_behind(owned(), *role));
    grown.map_or(Ok(()), |role| {
        let words = format!("in the sub-game there are more {}s than in both sub-sets", role.name());
        unfit(words, &law::DEPLETION)
    })
}

/// How many men of a kind stand behind these individuals.
fn men_behind<'a>(individuals: impl Iterator<Item = &'a Individual>, role: Role) -> u32 {
    individuals.map(|individual| u32::from(individual.army.roster().count(role))).sum()
}

/// The place of an individual in its side: in the outermost game by where the over-piece began, inside by the
/// sub-set that it is of.
fn place_of(individual: &Individual, side: Side, owners: Option<&[Places; 2]>) -> Result<Place, Unfit> {
    let name = &individual.name;
    let place = match owners {
        Some(owners) => owners[side as usize].find(name),
        None => match name.steps() {
            [Step::Square(on)] => {
                let seen = super::level::seen_by(side, index(*on));
                Place::of(square(seen))
            }
            _ => None,
        },
    };
    place.map_or_else(|| unfit(format!("{name} is no individual of {side}'s"), &law::NAMED), Ok)
}

fn placing(level: &Level, placed: &[Vec<(Square, Name)>; 2]) -> Result<Placing, Unfit> {
    let Some(armies) = level.armies() else {
        return unfit("no square is contested for the sub-game", &law::ATTACK);
    };
    let mut squares: [Squares; 2] = [[None; 16]; 2];
    for (side, names) in [Side::White, Side::Black].into_iter().zip(placed) {
        for (on, name) in names {
            let seen = Place::of(square(super::level::seen_by(side, index(*on))));
            let place = armies[side as usize].find(name);
            let (Some(place), Some(regular)) = (place, seen) else {
                return unfit(format!("{name} can not be set up on {on}"), &law::SET_UP);
            };
            if place.role() != regular.role() || squares[side as usize].contains(&Some(index(*on))) {
                return unfit(format!("{name} can not be set up on {on}"), &law::SET_UP);
            }
            squares[side as usize][usize::from(place.number())] = Some(index(*on));
        }
    }
    Ok(Placing::of(armies, squares))
}

impl Army {
    /// Whether a sub-set can be that of a piece of a game of this depth: men that stand for nothing at depth
    /// 1, individuals above.
    #[must_use]
    pub const fn fits(&self, depth: u8) -> bool {
        matches!((self, depth), (Self::Untouched, _) | (Self::Men(_), 1) | (Self::Places(_), 2..))
    }
}
