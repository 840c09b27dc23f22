//! A position of depth 2 and more at the table: individuals are called by their names.

use super::{
    action::{Act, addressed, men},
    nest::{Nest, Reason, Refused, SetUpFault, names},
    set_up::set_up,
};
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
        Asked, Due, Options, Over, Ply, Roster,
        deep::{Deep, DeepAsked, DeepBreach, DeepPly, Place, Places},
    },
    square::{Side, Square},
};

impl Nest for Deep {
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

    fn conclude(&mut self, level: usize, outcome: Outcome) {
        self.conclude(level, outcome);
    }

    fn told(&self, _: &Deed) -> Option<String> {
        None
    }

    fn take_named(&mut self) -> Result<bool, Refused> {
        if self.captives().held().next().is_none() {
            return Ok(false);
        }
        let fits = self.current().settling().next().map_or(Roster::NONE, |(_, men)| men);
        if self.captives().roster() != fits {
            let words = "more prisoners survive than fit: they must be named";
            let named = self.captives().held().filter_map(|place| self.captives().at(place));
            let possible = named.map(|one| one.name.to_string()).collect();
            return Err(Refused { words: words.into(), rule: &law::NAMED, possible });
        }
        let all = Vec::from_iter(self.captives().held());
        all.into_iter().for_each(|place| self.play(&DeepPly::Take(place)));
        Ok(true)
    }

    fn only_way(&self) -> Option<Ply> {
        match ways(self)[..] {
            [DeepPly::Plain(only @ (Ply::Give(..) | Ply::Done))] => Some(only),
            _ => None,
        }
    }

    fn hand_over_named(&mut self) -> bool {
        let only = match ways(self)[..] {
            [only @ DeepPly::Hand(..)] => only,
            _ => return false,
        };
        self.play(&only);
        true
    }

    fn act(&mut self, verb: Verb, said: &str) -> Option<Result<(), Act>> {
        match verb {
            _ if self.depth_of(self.open() - 1) == 1 => None,
            Verb::Reserve => None,
            Verb::Prisoners => Some(take_named(self, said)),
            Verb::Consolidate => Some(consolidate_named(self, said)),
        }
    }

    /// Complete sub-sets stand each in its place; others where there is no choice.
    fn set_up_untold(&mut self) -> Result<(), Reason> {
        let Due::Setup(on, _) = self.due() else { return Ok(()) };
        let complete = self
            .armies(self.open() - 1)
            .is_some_and(|armies| armies.iter().all(|army| army.roster() == Roster::FULL));
        if !complete {
            let words = format!("a sub-set on {on} is not complete, and no FEN tells the set-up");
            return Err((words, &law::SET_UP));
        }
        while let Some((_, place)) = self.placing() {
            self.play(&DeepPly::Place(place, place));
        }
        Ok(())
    }

    fn set_up_as(&mut self, level: usize, fen: &str) -> Result<(), SetUpFault> {
        set_up(self, level, fen)
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

/// Hands over who has only one way to go; answers whether there was one, or nobody any more.
fn hand_over_one(deep: &mut Deep) -> bool {
    if let Some(only) = deep.only_way() {
        deep.play(&DeepPly::Plain(only));
        return true;
    }
    deep.hand_over_named()
}

fn refused(deep: &Deep, breach: DeepBreach) -> Refused {
    let possible = names(&breach.possible, |ply| deep::own_san(deep, ply));
    Refused { words: breach.words, rule: breach.rule, possible }
}

fn judge(deep: &mut Deep, ply: DeepPly) -> Result<(), Act> {
    let ply = deep.judge(DeepAsked::Ply(ply)).map_err(|breach| Act::Refused(refused(deep, *breach)))?;
    deep.play(&ply);
    Ok(())
}

fn unknown(text: &str, among: &Places) -> Act {
    let possible = among.held().filter_map(|place| among.at(place)).map(|one| one.name.to_string()).collect();
    let words = format!("no individual {text} is there");
    Act::Refused(Refused { words, rule: &law::NAMED, possible })
}

/// The places of named individuals among some, in the order of places.
fn places<'a>(words: impl Iterator<Item = &'a str>, among: &Places) -> Result<Vec<Place>, Act> {
    let find = |word: &str| {
        let name = deep::name(word).ok_or(Act::Unread("individuals such as `e7/a2`"))?;
        among.find(&name).ok_or_else(|| unknown(word, among))
    };
    let mut places = words.map(find).collect::<Result<Vec<_>, _>>()?;
    places.sort_by_key(|place| Place::ALL.iter().position(|other| other == place));
    Ok(places)
}

/// `e7/a2 e7/b1`, or `0` for nobody.
fn take_named(deep: &mut Deep, said: &str) -> Result<(), Act> {
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
        deep.play(&DeepPly::Plain(Ply::Done));
    }
    Ok(())
}

const GIFTS: &str = "a square and where its individuals go, such as `c3: d2+c2/a2 f1+c2/b1`";

/// Who goes where, of those in hand: `d2+c2/a2`, in the order of places.
fn gifts(words: Vec<&str>, hand: &Places) -> Result<Vec<(Place, Square)>, Act> {
    let mut gifts = Vec::new();
    for word in words {
        let read = word.split_once('+').and_then(|(to, name)| Some((overchess::square(to)?, name)));
        let (to, name) = read.ok_or(Act::Unread(GIFTS))?;
        let place = places(std::iter::once(name), hand)?;
        gifts.extend(place.into_iter().map(|place| (place, to)));
    }
    gifts.sort_by_key(|(place, _)| Place::ALL.iter().position(|other| other == place));
    Ok(gifts)
}

/// `c3: d2+c2/a2 f1+c2/b1`.
fn consolidate_named(deep: &mut Deep, said: &str) -> Result<(), Act> {
    let Some((from, words)) = addressed(said) else { return Err(Act::Unread(GIFTS)) };
    while let Due::Settling(_) = deep.due() {
        if !deep.take_named().map_err(Act::Refused)? {
            deep.play(&DeepPly::Plain(Ply::Done));
        }
    }
    judge(deep, DeepPly::Plain(Ply::Consolidate(from)))?;
    let gifts = gifts(words, deep.hand())?;
    for (place, to) in gifts {
        // Who has one way to go may be left out before another that is told.
        while !deep.is_legal(&DeepPly::Hand(place, to)) && hand_over_one(deep) {}
        judge(deep, DeepPly::Hand(place, to))?;
    }
    while deep.due() == Due::Giving && hand_over_one(deep) {}
    if deep.due() == Due::Giving {
        let words = "individuals are left to be handed over, and it is not told to whom".to_string();
        let left = deep.hand().held().filter_map(|place| deep.hand().at(place));
        let possible = left.map(|one| one.name.to_string()).collect();
        return Err(Act::Refused(Refused { words, rule: &law::CONSOLIDATED, possible }));
    }
    Ok(())
}
