//! Builds positions from their parts: the open over-games one after the other, and their individuals.

use super::{OverSetup, PhaseSetup, SetupRefusal, unfit};
use crate::board8::board::{bit, squares};
use crate::overchess::{
    Options, Over, Reserves,
    army::{Army, Individual, Places},
    individuals::{Individuals, Seat, seen_by},
    laws as law,
    level::Level,
    name::{KING, Name, Step, SubSetPlace},
    placing::{Placement, Placing},
    state::{Game, Phase},
};
use overboard_rules::{
    by_side::BySide,
    path::{index, square},
    square::{Role, Side, Square},
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
    Captives(Vec<(SubSetPlace, Individual)>),
    /// Individuals that may still be handed over.
    Hand(Vec<(SubSetPlace, Individual)>),
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
        return named(
            depth,
            Options {
                reserves: Reserves::None,
                ..options
            },
            setup,
            None,
        );
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
    !setup.individuals.is_empty()
        && setup
            .individuals
            .iter()
            .all(|(_, one)| one.name.steps().len() > 1)
}

/// Checks that no individual is in two sub-sets at once: neither named in both, nor named in one while the
/// other is untouched.
fn each_once(setup: &OverSetup) -> Result<(), SetupRefusal> {
    let mut armies: HashMap<&[Step], &Army> = HashMap::new();
    let aside: &[(SubSetPlace, Individual)] = match &setup.open {
        Open::Captives(individuals) | Open::Hand(individuals) => individuals,
        _ => &[],
    };
    let outer = setup.individuals.iter().map(|(_, individual)| individual);
    let mut left: Vec<&Individual> = outer
        .chain(aside.iter().map(|(_, individual)| individual))
        .collect();
    while let Some(Individual { name, army }) = left.pop() {
        if armies.insert(name.steps(), army).is_some() {
            return unfit(format!("{name} occurs twice"), &law::NAMED);
        }
        if let Army::Places(places) = army {
            left.extend(places.held().filter_map(|place| places.at(place)));
        }
    }
    let is_at_home_too = |steps: &&[Step]| {
        let nearest = (1..steps.len())
            .rev()
            .find_map(|at| Some((at, armies.get(&steps[..at])?)));
        nearest.is_some_and(|(at, army)| {
            matches!(army, Army::Untouched) && matches!(steps[at], Step::Square(_))
        })
    };
    match armies
        .keys()
        .copied()
        .filter(is_at_home_too)
        .min()
        .and_then(Name::of)
    {
        Some(name) => unfit(format!("{name} occurs twice"), &law::NAMED),
        None => Ok(()),
    }
}

/// An over-game of individuals. `owners` are the pieces whose sub-sets its sides are; the outermost has none.
fn named(
    depth: u8,
    options: Options,
    setup: &OverSetup,
    owners: Option<BySide<Places>>,
) -> Result<Level, SetupRefusal> {
    let mut parts = OverSetup {
        sets: Vec::new(),
        contested: setup.contested.clone(),
        spares: setup.spares.clone(),
        phase: setup.phase.clone(),
        individuals: Vec::new(),
        open: Open::Nothing,
        ..*setup
    };
    let options = if owners.is_some() {
        Options {
            reserves: Reserves::None,
            ..options
        }
    } else {
        options
    };
    for (standing, individual) in &setup.individuals {
        let pieces = individual.army.roster();
        if !individual.army.fits(depth) {
            return unfit(
                format!("the sub-set of {} is not of this depth", individual.name),
                &law::DEPTH,
            );
        }
        match standing {
            Standing::On(on) => parts.sets.push((*on, pieces)),
            Standing::Attacked(on) => {
                let contest = parts.contested.iter_mut().find(|contest| contest.to == *on);
                let Some(contest) = contest else {
                    return unfit(format!("{on} is not contested"), &law::FOG);
                };
                contest.pieces = pieces;
            }
        }
    }
    let nested = matches!(setup.open, Open::Placing(_) | Open::Nested(_));
    if nested {
        parts.phase = PhaseSetup::Nested;
    }
    if depth == 1 && nested {
        return unfit("the sub-games of depth 1 are chess", &law::DEPTH);
    }
    let game = Game::from_setup(options, &parts, depth > 1)?;
    let who = seated(&game, setup, owners.as_ref())?;
    let mut level = Level::named(depth, game, who);
    if let Some(owners) = &owners {
        nobody_comes_from_nowhere(options, setup, owners)?;
    }
    level.report_beside();
    if matches!(level.game.phase, Phase::Over) {
        level.game.see_again();
    }
    let begun = if let Open::Placing(placed) = &setup.open {
        Some(placing(&level, placed)?)
    } else {
        None
    };
    if let Some(who) = level.individuals_mut() {
        who.placing = begun;
        match &setup.open {
            Open::Captives(individuals) => fill(&mut who.captives, individuals),
            Open::Hand(individuals) => fill(&mut who.hand, individuals),
            Open::Nothing | Open::Placing(_) | Open::Nested(_) => {}
        }
    }
    Ok(level)
}

fn fill(places: &mut Places, individuals: &[(SubSetPlace, Individual)]) {
    for (place, individual) in individuals {
        places.put(*place, individual.clone());
    }
}

fn seated(
    game: &Game,
    setup: &OverSetup,
    owners: Option<&BySide<Places>>,
) -> Result<Individuals, SetupRefusal> {
    let mut who = Individuals::nobody();
    let mut seats = Vec::with_capacity(setup.individuals.len());
    for (standing, individual) in &setup.individuals {
        let (seat, piece) = match standing {
            Standing::On(on) => (Seat::On(index(*on)), game.board.piece_at(index(*on))),
            Standing::Attacked(on) => {
                let contests = game.contests.iter().flatten();
                let found = contests
                    .enumerate()
                    .find(|(_, contest)| square(contest.to) == *on);
                let Some((slot, contest)) = found else {
                    return unfit(format!("{on} is not contested"), &law::FOG);
                };
                (Seat::Attacked(slot), Some(contest.defender))
            }
        };
        let Some(piece) = piece.filter(|piece| piece.role != Role::King) else {
            return unfit(
                format!("{} stands on no over-piece's square", individual.name),
                &law::NAMED,
            );
        };
        seats.push((seat, piece, individual));
    }
    let inside = owners.is_none() && stands_inside(setup);
    let inside = if inside {
        Some(places_inside(
            seats.iter().map(|(_, piece, one)| (piece.side, *one)),
        )?)
    } else {
        None
    };
    for (at, (seat, piece, individual)) in seats.into_iter().enumerate() {
        let place = match &inside {
            Some(places) => places[at],
            None => place_of(individual, piece.side, owners)?,
        };
        if who.sides[piece.side].at(place).is_some() {
            return unfit(format!("{} occurs twice", individual.name), &law::NAMED);
        }
        who.sides[piece.side].put(place, individual.clone());
        who.seat(piece.side, place.number(), seat);
    }
    let board = game.board;
    for at in squares(board.occupied() & board.kind(Role::King)) {
        let side = if board.of(Side::White) & bit(at) != 0 {
            Side::White
        } else {
            Side::Black
        };
        who.seat(side, KING, Seat::On(at));
    }
    let others = board.occupied() & !board.kind(Role::King);
    let nameless = squares(others).find(|at| who.at(square(*at)).is_none());
    match nameless {
        Some(at) => unfit(
            format!("it does not say which individual stands on {}", square(at)),
            &law::NAMED,
        ),
        None => Ok(who),
    }
}

/// Checks that the individuals of a sub-set have no more pieces behind them than when the sub-game began. If
/// pieces may join others (OV-21, OV-22), this holds for their sum, kind by kind.
fn nobody_comes_from_nowhere(
    options: Options,
    setup: &OverSetup,
    owners: &BySide<Places>,
) -> Result<(), SetupRefusal> {
    let began = |name| {
        owners
            .iter()
            .find_map(|places| places.at(places.find(name)?))
    };
    if !options.prisoners && !options.consolidation {
        let grown = setup
            .individuals
            .iter()
            .map(|(_, individual)| individual)
            .find(|individual| {
                began(&individual.name)
                    .is_some_and(|began| !individual.army.roster().fits_in(began.army.roster()))
            });
        return grown.map_or(Ok(()), |individual| {
            unfit(
                format!("{} has more pieces than its sub-set", individual.name),
                &law::DEPLETION,
            )
        });
    }
    let here = || setup.individuals.iter().map(|(_, individual)| individual);
    let owned = || {
        owners
            .iter()
            .flat_map(|places| places.held().filter_map(|place| places.at(place)))
    };
    let kinds = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    let grown = kinds
        .into_iter()
        .find(|role| pieces_behind(here(), *role) > pieces_behind(owned(), *role));
    grown.map_or(Ok(()), |role| {
        let words = format!(
            "in the sub-game there are more {}s than in both sub-sets",
            role.name()
        );
        unfit(words, &law::DEPLETION)
    })
}

/// How many pieces of a kind these individuals have in their sub-sets.
fn pieces_behind<'a>(individuals: impl Iterator<Item = &'a Individual>, role: Role) -> u32 {
    individuals
        .map(|individual| u32::from(individual.army.roster().count(role)))
        .sum()
}

/// The place of an individual on its side: in the outermost game by the square on which the over-piece began, inside by
/// the sub-set to which it belongs.
fn place_of(
    individual: &Individual,
    side: Side,
    owners: Option<&BySide<Places>>,
) -> Result<SubSetPlace, SetupRefusal> {
    let name = &individual.name;
    let place = match owners {
        Some(owners) => owners[side].find(name),
        None => match name.steps() {
            [Step::Square(on)] => {
                let seen = seen_by(side, index(*on));
                SubSetPlace::of(square(seen))
            }
            _ => None,
        },
    };
    place.map_or_else(
        || {
            unfit(
                format!("{name} is not an individual of {side}'s"),
                &law::NAMED,
            )
        },
        Ok,
    )
}

/// The places of individuals that the text does not give. Each gets the one in its name, or else a free one of its
/// kind; which of these makes no difference.
fn places_inside<'a>(
    all: impl Iterator<Item = (Side, &'a Individual)> + Clone,
) -> Result<Vec<SubSetPlace>, SetupRefusal> {
    let mut taken: BySide<Vec<SubSetPlace>> = Default::default();
    let own = |one: &Individual| match one.name.steps().last() {
        Some(Step::Square(on)) => SubSetPlace::of(*on),
        _ => None,
    };
    let first: Vec<Option<SubSetPlace>> = all
        .clone()
        .map(|(side, one)| {
            let place = own(one).filter(|place| !taken[side].contains(place))?;
            taken[side].push(place);
            Some(place)
        })
        .collect();
    let rest = all.zip(first).map(|((side, one), place)| {
        let kind = one.name.steps().last().and_then(|step| step.role());
        let is_left =
            |place: &SubSetPlace| Some(place.role()) == kind && !taken[side].contains(place);
        let Some(found) = place.or_else(|| SubSetPlace::ALL.into_iter().find(is_left)) else {
            return unfit(format!("{side} has no place for {}", one.name), &law::NAMED);
        };
        taken[side].push(found);
        Ok(found)
    });
    rest.collect()
}

fn placing(level: &Level, placed: &[Vec<(Square, Name)>; 2]) -> Result<Placing, SetupRefusal> {
    let Some(armies) = level.armies() else {
        return unfit("no square is contested for the sub-game", &law::ATTACK);
    };
    let mut squares: BySide<Placement> = BySide::both([None; 16]);
    for (side, names) in [Side::White, Side::Black].into_iter().zip(placed) {
        for (on, name) in names {
            let seen = SubSetPlace::of(square(seen_by(side, index(*on))));
            let place = armies[side].find(name);
            let (Some(place), Some(regular)) = (place, seen) else {
                return unfit(format!("{name} cannot be set up on {on}"), &law::SET_UP);
            };
            if place.role() != regular.role() || squares[side].contains(&Some(index(*on))) {
                return unfit(format!("{name} cannot be set up on {on}"), &law::SET_UP);
            }
            squares[side][usize::from(place.number())] = Some(index(*on));
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
