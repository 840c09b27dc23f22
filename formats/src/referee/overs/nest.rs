//! What the table asks of a position, whether its sub-games are chess or go deeper.

use super::action::{Act, men};
use crate::{
    any::AnyPosition,
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
        deep::{Deep, DeepAsked, DeepBreach, DeepPly, Name, Open, Place, Places, Standing},
    },
    rule::Rule,
    square::{Side, Square},
};

/// Words and the rule behind them.
pub type Reason = (String, &'static Rule);

/// A refused act.
pub struct Refused {
    pub words: String,
    pub rule: &'static Rule,
    /// What was possible, as it is written.
    pub possible: Vec<String>,
}

impl Refused {
    pub fn of((words, rule): Reason) -> Self {
        Self { words, rule, possible: Vec::new() }
    }
}

/// Why a set-up is not made.
pub enum SetUpFault {
    /// It cannot be read.
    Unread(String),
    /// It is not legal.
    Refused(Reason),
}

/// A position with sub-games, and how it is written.
pub trait Nest: Clone + Into<AnyPosition> {
    /// The first position of this depth.
    fn start(depth: u8, options: Options) -> Self;
    /// A position of this depth out of its text.
    fn read(text: &str, depth: u8, options: Options) -> Result<(Self, bool), Unusable>;
    /// An open over-game, 0 the outermost.
    fn over(&self, level: usize) -> Option<&Over>;
    /// How many over-games are open in each other.
    fn open(&self) -> usize;
    /// What is due in the innermost.
    fn due(&self) -> Due;
    /// The side of the outermost game that makes the next ply.
    fn actor(&self) -> Side;
    /// The over-games that ended with the last act: how many are around each, and how it ended.
    fn ended(&self) -> &[(usize, Outcome)];
    /// Judges an act of the innermost game.
    fn judge(&self, asked: Asked) -> Result<Ply, Refused>;
    /// Plays a legal one.
    fn play(&mut self, ply: &Ply);
    /// Ends the sub-game of an over-game by its recorded result.
    fn conclude(&mut self, level: usize, outcome: Outcome);
    /// A deed as lines of coordinates tell it, where they do.
    fn told(&self, deed: &Deed) -> Option<String>;
    /// Takes the prisoners that have names, all that fit; answers whether there are any.
    fn take_named(&mut self) -> Result<bool, Refused>;
    /// The gift, or the end of handing over, that is the only way.
    fn only_way(&self) -> Option<Ply>;
    /// Hands over who has a name and one way to go; answers whether there is one.
    fn hand_over_named(&mut self) -> bool;
    /// Acts on individuals, where the innermost game has some.
    fn act(&mut self, verb: Verb, said: &str) -> Option<Result<(), Act>>;
    /// Makes the set-up that a record leaves out.
    fn set_up_untold(&mut self) -> Result<(), Reason>;
    /// Makes the set-up of an over-game's sub-game that is one itself.
    fn set_up_as(&mut self, level: usize, fen: &str) -> Result<(), SetUpFault>;
    /// The sign of an over-move.
    fn suffix(&self, ply: &Ply, after: &Self) -> Suffix;
    /// An act in coordinates, from the innermost over-game on.
    fn coordinates(&self, ply: &Ply) -> PlyText;

    /// The outermost over-game.
    fn outermost(&self) -> &Over;

    /// The innermost over-game.
    fn current(&self) -> &Over {
        self.over(self.open() - 1).unwrap_or_else(|| self.outermost())
    }

    /// The square of the sub-game that is due or being played in an over-game.
    fn contested(&self, level: usize) -> Option<Square> {
        if self.open() > level + 1 {
            return self.over(level)?.contested().next().map(|contest| contest.to);
        }
        match self.due() {
            Due::Sub(on) | Due::Setup(on, _) if self.open() == level + 1 => Some(on),
            _ => None,
        }
    }
}

impl Nest for Over {
    fn start(_: u8, options: Options) -> Self {
        Self::start(options)
    }

    fn read(text: &str, _: u8, options: Options) -> Result<(Self, bool), Unusable> {
        overchess::read(text, options)
    }

    fn over(&self, level: usize) -> Option<&Over> {
        (level == 0).then_some(self)
    }

    fn open(&self) -> usize {
        1
    }

    fn due(&self) -> Due {
        self.due()
    }

    fn actor(&self) -> Side {
        self.actor()
    }

    fn ended(&self) -> &[(usize, Outcome)] {
        &[]
    }

    fn judge(&self, asked: Asked) -> Result<Ply, Refused> {
        self.judge(asked).map_err(|breach| {
            let possible = names(&breach.possible, |ply| overchess::san(self, ply));
            Refused { words: breach.words, rule: breach.rule, possible }
        })
    }

    fn play(&mut self, ply: &Ply) {
        self.play(ply);
    }

    fn conclude(&mut self, _: usize, outcome: Outcome) {
        self.conclude(outcome);
    }

    fn told(&self, deed: &Deed) -> Option<String> {
        Some(deed.text(self))
    }

    fn take_named(&mut self) -> Result<bool, Refused> {
        Ok(false)
    }

    fn only_way(&self) -> Option<Ply> {
        let mut ways = Vec::new();
        self.for_each_legal(|ply| ways.push(ply));
        match ways[..] {
            [only @ (Ply::Give(..) | Ply::Done)] => Some(only),
            _ => None,
        }
    }

    fn hand_over_named(&mut self) -> bool {
        false
    }

    fn act(&mut self, _: Verb, _: &str) -> Option<Result<(), Act>> {
        None
    }

    fn set_up_untold(&mut self) -> Result<(), Reason> {
        match self.due() {
            Due::Setup(on, _) => {
                let words = format!("a sub-set on {on} is not complete, and no FEN tells the set-up");
                Err((words, &law::SET_UP))
            }
            _ => Ok(()),
        }
    }

    fn set_up_as(&mut self, _: usize, _: &str) -> Result<(), SetUpFault> {
        Ok(())
    }

    fn suffix(&self, ply: &Ply, after: &Self) -> Suffix {
        overchess::suffix(self, ply, after)
    }

    fn coordinates(&self, ply: &Ply) -> PlyText {
        overchess::coordinates(self, ply)
    }

    fn outermost(&self) -> &Over {
        self
    }
}

/// What was possible, without the way to its game, in order.
fn names<P>(possible: &[P], name: impl Fn(&P) -> PlyText) -> Vec<String> {
    let own = |ply: &P| {
        let san = name(ply);
        san.rsplit_once('.').map_or(san.to_string(), |(_, own)| own.to_string())
    };
    let mut names: Vec<_> = possible.iter().take(64).map(own).collect();
    names.sort_unstable();
    names
}

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

/// `c3: d2+c2/a2 f1+c2/b1`.
fn consolidate_named(deep: &mut Deep, said: &str) -> Result<(), Act> {
    const EXPECTED: &str = "a square and where its individuals go, such as `c3: d2+c2/a2 f1+c2/b1`";
    let Some((from, words)) = super::action::addressed(said) else { return Err(Act::Unread(EXPECTED)) };
    while let Due::Settling(_) = deep.due() {
        if !deep.take_named().map_err(Act::Refused)? {
            deep.play(&DeepPly::Plain(Ply::Done));
        }
    }
    judge(deep, DeepPly::Plain(Ply::Consolidate(from)))?;
    let mut gifts = Vec::new();
    for word in words {
        let read = word.split_once('+').and_then(|(to, name)| Some((overchess::square(to)?, name)));
        let (to, name) = read.ok_or(Act::Unread(EXPECTED))?;
        let place = places(std::iter::once(name), deep.hand())?;
        gifts.extend(place.into_iter().map(|place| (place, to)));
    }
    gifts.sort_by_key(|(place, _)| Place::ALL.iter().position(|other| other == place));
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

/// Makes the set-up that a FEN tells, individual by individual, and compares the rest.
fn set_up(deep: &mut Deep, level: usize, fen: &str) -> Result<(), SetUpFault> {
    let (Some(armies), Some(parties)) = (deep.armies(level), deep.parties(level)) else { return Ok(()) };
    let owners: [Name; 2] = parties.map(|one| one.name.clone());
    let depth = deep.depth_of(level).saturating_sub(1);
    let told = deep::block(fen, depth, deep.options(), owners)
        .map_err(|fault| SetUpFault::Unread(fault.to_string()))?;
    let refuse = |words: String, rule: &'static Rule| Err(SetUpFault::Refused((words, rule)));
    for (standing, one) in &told.individuals {
        let Standing::On(on) = standing else {
            return refuse("nothing is contested in a set-up".into(), &law::SET_UP);
        };
        let piece = told.over.pieces[usize::from(on.rank) * 8 + usize::from(on.file)];
        let Some(piece) = piece else { continue };
        let Some(place) = armies[piece.side as usize].find(&one.name) else {
            let words = format!("{} on {on} is none of {}'s that are left", one.name, who(piece.side));
            return refuse(words, &law::DEPLETION);
        };
        let right = armies[piece.side as usize].at(place);
        if right.is_some_and(|right| right.army != one.army) {
            return refuse(format!("the sub-set of {} is not what is left of it", one.name), &law::DEPTH);
        }
        let regular = Place::of(deep::seen_by(piece.side, *on));
        if piece.role != place.role() || regular.is_none_or(|regular| regular.role() != place.role()) {
            return refuse(format!("{} does not start on {on}", one.name), &law::SET_UP);
        }
    }
    let squares = |side: Side, place: Place| {
        let name = &armies[side as usize].at(place)?.name;
        told.individuals.iter().find_map(|(standing, one)| match standing {
            Standing::On(on) if one.name == *name => Some(*on),
            _ => None,
        })
    };
    for side in [Side::White, Side::Black] {
        if let Some(missing) = armies[side as usize].held().find(|place| squares(side, *place).is_none()) {
            let name = armies[side as usize].at(missing).map(|one| one.name.to_string()).unwrap_or_default();
            return refuse(format!("{name} of {}'s sub-set is not set up", who(side)), &law::SET_UP);
        }
    }
    while let (Some((side, place)), Due::Setup(..)) = (deep.placing(), deep.due()) {
        if deep.open() != level + 1 {
            break;
        }
        let on = squares(side, place).and_then(|on| Place::of(deep::seen_by(side, on)));
        let ply = DeepPly::Place(place, on.unwrap_or(place));
        let ply = deep
            .judge(DeepAsked::Ply(ply))
            .map_err(|breach| SetUpFault::Refused((breach.words, breach.rule)))?;
        deep.play(&ply);
    }
    against_rest(deep, level, &told)
}

/// What is wrong with the fields beside who stands where.
fn against_rest(
    deep: &Deep,
    level: usize,
    told: &overboard_rules::overchess::deep::DeepSetup,
) -> Result<(), SetUpFault> {
    let Some(over) = deep.over(level + 1) else { return Ok(()) };
    if told.over.turn != Side::White {
        return Err(SetUpFault::Refused(("the attacker, White, moves first".into(), &law::SET_UP)));
    }
    if told.over.castling != over.castling() {
        let words = "castling is possible with each rook set up on its corner, and with no other";
        return Err(SetUpFault::Refused((words.into(), &law::SUB_GAME)));
    }
    let begins = told.over.contested.is_empty()
        && told.over.en_passant.is_none()
        && matches!(told.open, Open::Nothing)
        && matches!(told.over.phase, overboard_rules::overchess::PhaseSetup::Over);
    if begins {
        Ok(())
    } else {
        Err(SetUpFault::Refused(("a sub-game begins with nothing open".into(), &law::SET_UP)))
    }
}

const fn who(side: Side) -> &'static str {
    match side {
        Side::White => "the attacker",
        Side::Black => "the defender",
    }
}
