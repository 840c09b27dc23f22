//! A position of depth 2 and more at the table: individuals are called by their names.

use super::{
    action::{Act, addressed, men},
    nest::{Nest, Reason, Refused, SetUpFault, names},
    set_up::set_up,
};
use crate::referee::acting::Acting;
use crate::{
    coordinates::overs::Deed,
    notation::Unusable,
    overchess::{self, deep},
    parse::Verb,
    san::{PlyText, Suffix},
};
use overboard_rules::{
    laws::overchess as law,
    outcome::Outcome,
    overchess::{
        Asked, Due, KINDS, Options, Over, Ply, Roster,
        deep::{Deep, DeepAsked, DeepBreach, DeepPly, Place, Places},
    },
    square::{Role, Side, Square},
};
use std::cmp::Ordering;

impl Nest for Deep {
    type Own = DeepPly;

    fn start(depth: u8, options: Options) -> Self {
        Self::start(depth, options)
    }

    fn read(text: &str, depth: u8, options: Options) -> Result<(Self, bool), Unusable> {
        deep::read(text, depth, options)
    }

    fn over(&self, level: usize) -> Option<&Over> {
        self.over(level)
    }

    fn open(&self) -> usize {
        self.open()
    }

    fn due(&self) -> Due {
        self.due()
    }

    fn actor(&self) -> Side {
        self.actor()
    }

    fn ended(&self) -> &[(usize, Outcome)] {
        self.ended()
    }

    fn judge(&self, asked: Asked) -> Result<Ply, Refused> {
        let asked = match asked {
            Asked::Over(written) => DeepAsked::Over(written),
            Asked::Sub(written) => DeepAsked::Sub(written),
            Asked::Ply(ply) => DeepAsked::Ply(DeepPly::Plain(ply)),
        };
        match self.judge(asked) {
            Ok(DeepPly::Plain(ply)) => Ok(ply),
            Ok(_) => Err(Refused::of(("this is another act".into(), &law::DEEP_PLIES))),
            Err(breach) => Err(refused(self, *breach)),
        }
    }

    fn play(&mut self, ply: &Ply) {
        self.play(&DeepPly::Plain(*ply));
    }

    fn displaced(&self, from: Square, to: Square) -> Option<Self> {
        self.displaced(from, to)
    }

    fn told(&self, deed: &Deed<DeepPly>) -> String {
        deed.text(self)
    }

    fn make(&mut self, deed: &Deed<DeepPly>) {
        deed.make(self);
    }

    fn take_named(acting: &mut Acting<'_, Self>) -> Result<bool, Refused> {
        let deep: &Self = acting;
        if deep.captives().held().next().is_none() {
            return Ok(false);
        }
        let fits = deep.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
        if deep.captives().roster() != fits {
            let words = "more prisoners survive than fit: they must be named";
            let captives = deep.captives();
            let more = captives
                .held()
                .filter(|place| captives.roster().count(place.role()) > fits.count(place.role()));
            let possible = more.filter_map(|place| captives.at(place)).map(|one| one.name.to_string());
            return Err(Refused { words: words.into(), rule: &law::NAMED, possible: possible.collect() });
        }
        let all = Vec::from_iter(deep.captives().held());
        all.into_iter().for_each(|place| acting.play_own(DeepPly::Take(place)));
        Ok(true)
    }

    fn only_way(&self) -> Option<Ply> {
        match ways(self)[..] {
            [DeepPly::Plain(only @ (Ply::Give(..) | Ply::Done))] => Some(only),
            _ => None,
        }
    }

    fn hand_over_named(acting: &mut Acting<'_, Self>) -> bool {
        let only = match ways(acting)[..] {
            [only @ DeepPly::Hand(..)] => only,
            _ => return false,
        };
        acting.play_own(only);
        true
    }

    fn act(acting: &mut Acting<'_, Self>, verb: Verb, said: &str) -> Option<Result<(), Act>> {
        match verb {
            _ if acting.depth_of(acting.open() - 1) == 1 => None,
            Verb::Reserve => None,
            Verb::Prisoners => Some(take_named(acting, said)),
            Verb::Consolidate => Some(consolidate_named(acting, said)),
        }
    }

    /// Complete sub-sets stand each in its place; others where there is no choice.
    fn set_up_untold(acting: &mut Acting<'_, Self>) -> Result<(), Reason> {
        let Due::Setup(on, _) = acting.due() else { return Ok(()) };
        let complete = acting
            .armies(acting.open() - 1)
            .is_some_and(|armies| armies.iter().all(|army| army.roster() == Roster::FULL));
        if !complete {
            let words = format!("a sub-set on {on} is not complete, and no FEN tells the set-up");
            return Err((words, &law::SET_UP));
        }
        while let Some((_, place)) = acting.placing() {
            acting.play_own(DeepPly::Place(place, place));
        }
        Ok(())
    }

    fn set_up_as(acting: &mut Acting<'_, Self>, level: usize, fen: &str) -> Result<(), SetUpFault> {
        set_up(acting, level, fen)
    }

    fn suffix(&self, ply: &Ply, after: &Self) -> Suffix {
        deep::suffix(self, &DeepPly::Plain(*ply), after)
    }

    fn coordinates(&self, ply: &Ply) -> PlyText {
        deep::own_coordinates(self, &DeepPly::Plain(*ply))
    }

    fn outermost(&self) -> &Over {
        self.outermost()
    }
}

fn ways(deep: &Deep) -> Vec<DeepPly> {
    let mut ways = Vec::new();
    deep.for_each_legal(|ply| ways.push(ply));
    ways
}

fn refused(deep: &Deep, breach: DeepBreach) -> Refused {
    let possible = names(&breach.possible, |ply| deep::own_san(deep, ply));
    Refused { words: breach.words, rule: breach.rule, possible }
}

fn judge(deep: &mut Acting<'_, Deep>, ply: DeepPly) -> Result<(), Act> {
    let ply = deep.judge(DeepAsked::Ply(ply)).map_err(|breach| Act::Refused(refused(deep, *breach)))?;
    deep.play_own(ply);
    Ok(())
}

fn unknown(text: &str, among: &Places) -> Act {
    let possible = among.held().filter_map(|place| among.at(place)).map(|one| one.name.to_string()).collect();
    let words = format!("no individual {text} is there");
    Act::Refused(Refused { words, rule: &law::NAMED, possible })
}

/// The place of a named individual among some.
fn place(word: &str, among: &Places) -> Result<Place, Act> {
    let name = deep::name(word).ok_or(Act::Unread("individuals such as `e7/a2`"))?;
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
fn take_named(deep: &mut Acting<'_, Deep>, said: &str) -> Result<(), Act> {
    let words = said.split_whitespace();
    if men(words.clone()) == Some(Roster::NONE) {
        return judge(deep, DeepPly::Plain(Ply::Done));
    }
    if deep.captives().held().next().is_none() {
        // Says why there are none.
        return judge(deep, DeepPly::Take(Place::ALL[0]));
    }
    let named = places(words, deep.captives())?;
    let roster = named.iter().fold(Roster::NONE, |men, place| men.plus(place.role()));
    let fits = deep.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
    if !roster.fits_in(fits) {
        let words = "the sub-set has no room for all of them".to_string();
        return Err(Act::Refused(Refused::of((words, &law::LIMIT))));
    }
    for place in named {
        judge(deep, DeepPly::Take(place))?;
    }
    if deep.captives().held().next().is_some() {
        deep.play(&Ply::Done);
    }
    Ok(())
}

const GIFTS: &str = "a square and where its individuals go, such as `c3: d2+c2/a2 f1+c2/b1`";

/// Who goes where, of those in hand: `d2+c2/a2`, or `d2+2P` where there is no choice, in the order of places.
fn gifts(words: Vec<&str>, hand: &Places) -> Result<Vec<(Place, Square)>, Act> {
    let read = |word: &'_ str| {
        let (to, who) = word.split_once('+')?;
        Some((overchess::square(to)?, who.to_string()))
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
fn consolidate_named(deep: &mut Acting<'_, Deep>, said: &str) -> Result<(), Act> {
    let Some((from, words)) = addressed(said) else { return Err(Act::Unread(GIFTS)) };
    deep.settle()?;
    judge(deep, DeepPly::Plain(Ply::Consolidate(from)))?;
    let gifts = gifts(words, deep.hand())?;
    for (place, to) in gifts {
        // Who has one way to go may be left out before another that is told.
        while !deep.is_legal(&DeepPly::Hand(place, to)) && deep.hand_over_one() {}
        judge(deep, DeepPly::Hand(place, to))?;
    }
    while deep.due() == Due::Giving && deep.hand_over_one() {}
    if deep.due() == Due::Giving {
        let words = "individuals are left to be handed over, and it is not told to whom".to_string();
        let left = deep.hand().held().filter_map(|place| deep.hand().at(place));
        let possible = left.map(|one| one.name.to_string()).collect();
        return Err(Act::Refused(Refused { words, rule: &law::CONSOLIDATED, possible }));
    }
    Ok(())
}
