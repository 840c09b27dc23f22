//! Builds positions from what a text gives: the open over-games one after the other, and their individuals.

use super::{Draft, Seated, contested, unfit};
use crate::overchess::{
    Options, Over,
    army::{Army, Individual, Places},
    individuals::{Individuals, Seat, seen_by},
    laws as law,
    level::Level,
    name::{KING, Name, Step, SubSetPlace},
    placing::{Placement, Placing},
    roster::KINDS,
    state::{Game, Phase},
};
use overboard_rules::{
    by_side::BySide,
    path::{index, square},
    setup::SetupError,
    square::{Side, Square},
};
use std::collections::HashMap;

impl Over {
    /// The position with these games open, the others inside the outermost one; depth counts from 1.
    pub(in crate::overchess) fn from_drafts(
        mut depth: u8,
        options: Options,
        outer: Draft,
        inner: Vec<Draft>,
    ) -> Result<Self, SetupError> {
        each_once(&outer)?;
        let mut over = Self::alone_with(outermost(depth, options, outer)?);
        for inside in inner {
            depth -= 1;
            let owners = contested(over.inner.armies())?;
            over.enter(named(depth, options.inside(), inside, Some(&owners))?);
        }
        if !over.outer.is_empty() && over.current().end_by_itself().is_some() {
            return unfit("the sub-game is over", &law::SUB_RESULT);
        }
        over.go_on();
        Ok(over)
    }
}

fn outermost(depth: u8, options: Options, draft: Draft) -> Result<Level, SetupError> {
    match depth {
        0 => unfit("games are open deeper than the depth allows", &law::DEPTH),
        _ if stand_inside(&draft.individuals) => named(depth, options.inside(), draft, None),
        1 if draft.individuals.is_empty() => {
            Ok(Level::unnamed(Game::from_draft(options, &draft, false)?))
        }
        1 => unfit("the pieces of a game of depth 1 have no names", &law::NAMED),
        _ => named(depth, options, draft, None),
    }
}

/// Whether an over-game given by itself is played inside another one: all its individuals belong to some sub-set.
fn stand_inside(all: &[Seated]) -> bool {
    !all.is_empty() && all.iter().all(|seated| seated.one.name.steps().len() > 1)
}

/// Checks that no individual is in two sub-sets at once: neither named in both, nor named in one while the
/// other is untouched.
fn each_once(draft: &Draft) -> Result<(), SetupError> {
    let mut armies: HashMap<&[Step], &Army> = HashMap::new();
    let mut left: Vec<&Individual> = draft.individuals.iter().map(|seated| &seated.one).collect();
    for aside in [&draft.captives, &draft.hand] {
        left.extend(aside.all().map(|(_, one)| one));
    }
    while let Some(Individual { name, army }) = left.pop() {
        if armies.insert(name.steps(), army).is_some() {
            return twice(name);
        }
        if let Army::Places(places) = army {
            left.extend(places.all().map(|(_, one)| one));
        }
    }
    let names = armies.keys().copied();
    let at_home_too = names.filter(|steps| is_at_home_too(steps, &armies)).min();
    match at_home_too.and_then(Name::of) {
        Some(name) => twice(&name),
        None => Ok(()),
    }
}

fn twice<T>(name: &Name) -> Result<T, SetupError> {
    unfit(format!("{name} occurs twice"), &law::NAMED)
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
    draft: Draft,
    owners: Option<&BySide<Places>>,
) -> Result<Level, SetupError> {
    let game = Game::from_draft(options, &draft, depth > 1)?;
    let who = seated(&game, &draft.individuals, owners)?;
    if let Some(owners) = owners {
        nobody_comes_from_nowhere(options, &draft.individuals, owners)?;
    }
    let mut level = Level::named(depth, game, who);
    level.report_beside();
    if matches!(level.game.phase, Phase::Over) {
        level.game.see_again();
    }
    let placing = match &draft.placed {
        Some(placed) => Some(placing(contested(level.armies())?, placed)?),
        None => None,
    };
    if let Some(who) = level.individuals_mut() {
        who.placing = placing;
        who.captives = draft.captives;
        who.hand = draft.hand;
    }
    Ok(level)
}

fn seated(
    game: &Game,
    all: &[Seated],
    owners: Option<&BySide<Places>>,
) -> Result<Individuals, SetupError> {
    let mut who = Individuals::nobody();
    for side in Side::BOTH {
        if let Some(king) = game.board.king(side) {
            who.seat(side, KING, Seat::On(king));
        }
    }
    if owners.is_none() && stand_inside(all) {
        seat_inside(&mut who, all)?;
        return Ok(who);
    }
    for one in all {
        let place = place_of(one, owners)?;
        if who.sides[one.side].at(place).is_some() {
            return twice(&one.one.name);
        }
        who.take_in(one, place);
    }
    Ok(who)
}

impl Individuals {
    fn take_in(&mut self, Seated { seat, side, one }: &Seated, place: SubSetPlace) {
        self.sides[*side].put(place, one.clone());
        self.seat(*side, place.number(), *seat);
    }
}

/// Checks that the individuals of a sub-set have no more pieces behind them than when the sub-game began. If
/// pieces may join others (OV-21, OV-22), this holds for their sum, kind by kind.
fn nobody_comes_from_nowhere(
    options: Options,
    all: &[Seated],
    owners: &BySide<Places>,
) -> Result<(), SetupError> {
    if options.prisoners || options.consolidation {
        return no_kind_grows(all, owners);
    }
    for Seated { one, .. } in all {
        let mut began = owners
            .iter()
            .filter_map(|places| places.at(places.find(&one.name)?));
        if let Some(began) = began.next()
            && !one.army.roster().fits_in(began.army.roster())
        {
            let words = format!("{} has more pieces than its sub-set", one.name);
            return unfit(words, &law::DEPLETION);
        }
    }
    Ok(())
}

fn no_kind_grows(all: &[Seated], owners: &BySide<Places>) -> Result<(), SetupError> {
    for role in KINDS {
        let count = |one: &Individual| u32::from(one.army.roster().count(role));
        let here: u32 = all.iter().map(|seated| count(&seated.one)).sum();
        let owned = owners.iter().flat_map(Places::all);
        if here > owned.map(|(_, one)| count(one)).sum() {
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
    Seated { side, one, .. }: &Seated,
    owners: Option<&BySide<Places>>,
) -> Result<SubSetPlace, SetupError> {
    let place = match (owners, one.name.steps()) {
        (Some(owners), _) => owners[*side].find(&one.name),
        (None, [Step::Square(on)]) => begun_on(*side, *on),
        (None, _) => None,
    };
    match place {
        Some(place) => Ok(place),
        None => {
            let words = format!("{} is not an individual of {side}'s", one.name);
            unfit(words, &law::NAMED)
        }
    }
}

/// The place of a side's pieces that begin on a square.
fn begun_on(side: Side, on: Square) -> Option<SubSetPlace> {
    SubSetPlace::of(square(seen_by(side, index(on))))
}

/// Seats individuals whose places the text does not give. Each gets the one in its name, or else a free one of its
/// kind; which of these makes no difference.
fn seat_inside(who: &mut Individuals, all: &[Seated]) -> Result<(), SetupError> {
    let mut others = Vec::new();
    for seated in all {
        let own = match seated.one.name.steps().last() {
            Some(Step::Square(on)) => SubSetPlace::of(*on),
            _ => None,
        };
        match own {
            Some(place) if who.sides[seated.side].at(place).is_none() => who.take_in(seated, place),
            _ => others.push(seated),
        }
    }
    for seated in others {
        let Seated { side, one, .. } = seated;
        let is_free = |place: &SubSetPlace| {
            Some(place.role()) == one.name.role() && who.sides[*side].at(*place).is_none()
        };
        let Some(place) = SubSetPlace::ALL.into_iter().find(is_free) else {
            return unfit(format!("{side} has no place for {}", one.name), &law::NAMED);
        };
        who.take_in(seated, place);
    }
    Ok(())
}

fn placing(
    armies: BySide<Places>,
    placed: &BySide<Vec<(Square, Name)>>,
) -> Result<Placing, SetupError> {
    let mut squares: BySide<Placement> = BySide::both([None; 16]);
    for (side, names) in placed.pairs() {
        let taken = &mut squares[side];
        for (on, name) in names {
            let at = Some(index(*on));
            match (armies[side].find(name), begun_on(side, *on)) {
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
