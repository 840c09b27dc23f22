//! Acts that records write as a whole: set-ups, prisoners, spares, consolidations.

use super::{
    Arrangement, Asked, Breach, Due, KINDS, Name, Over, Place, Places, Ply, Roster, difference,
    refusal::{NO_PRISONERS, NOT_AGREED},
};
use crate::overchess::laws as law;
use overboard_rules::{
    game::Game as _,
    square::{Role, Side, Square},
};
use std::cmp::Ordering;

/// An act that a record writes as a whole, and that is a run of plies. Nothing is settled by it that comes before:
/// that is silence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// One ply by itself, as lines of coordinates hold it.
    Ply(Ply),
    /// The attacker's and the defender's men, as a FEN tells them, of a sub-game of chess.
    SetUp([Arrangement; 2]),
    /// Where the attacker's and the defender's individuals stand: each at home in the first place, on the square of
    /// the second. Those without a choice may be left out.
    Seats([Vec<(Place, Place)>; 2]),
    /// `<prisoners 2P N>`, `<prisoners e7/a2>`.
    Prisoners(Told),
    /// `<reserve e4: 2P N>`.
    Reserve(Square, Roster),
    /// `<consolidate c3: d2+2P f1+N>`; who has one way to go may be left out.
    Consolidate(Square, Vec<(Square, Told)>),
}

/// Men as they are told: counted, and by name where they have names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// How many of each kind, besides those with names.
    pub men: Roster,
    /// Who.
    pub names: Vec<Name>,
}

impl Told {
    /// So many men.
    #[must_use]
    pub const fn men(men: Roster) -> Self {
        Self { men, names: Vec::new() }
    }

    fn is_nobody(&self) -> bool {
        self.men.is_none() && self.names.is_empty()
    }
}

impl Block {
    /// Whether it is a set-up, or a part of one.
    pub(super) const fn is_set_up(&self) -> bool {
        matches!(self, Self::SetUp(_) | Self::Seats(_) | Self::Ply(Ply::Setup(_) | Ply::Place(..)))
    }
}

type Ran<T = ()> = Result<T, Box<Breach>>;

/// A run of plies as it is made.
struct Run {
    over: Over,
    plies: Vec<Ply>,
}

impl Over {
    /// The plies that an act comes to.
    ///
    /// # Errors
    /// The rule that it breaks, where, and what was possible.
    pub fn run(&self, block: &Block) -> Result<Vec<Ply>, Box<Breach>> {
        let mut run = Run { over: self.clone(), plies: Vec::new() };
        match block {
            Block::Ply(ply) => run.ask(*ply)?,
            Block::SetUp(men) => run.set_up(*men)?,
            Block::Seats(seats) => run.seat(seats)?,
            Block::Prisoners(told) => run.take_prisoners(told)?,
            Block::Reserve(on, men) => {
                for role in KINDS {
                    for _ in 0..men.count(role) {
                        run.ask(Ply::Reserve(*on, role))?;
                    }
                }
            }
            Block::Consolidate(from, gifts) => run.consolidate(*from, gifts)?,
        }
        Ok(run.plies)
    }

    /// A run of plies as one act, with nothing left out; `None` where they are not exactly one.
    #[must_use]
    pub fn as_block(&self, plies: &[Ply]) -> Option<Block> {
        let block = match plies.first()? {
            Ply::Over(_) | Ply::Sub(_) => return None,
            Ply::Setup(_) => self.as_set_up(plies)?,
            Ply::Place(..) => self.as_seats(plies)?,
            Ply::Reserve(on, _) => {
                let men = plies.iter().filter_map(|ply| match ply {
                    Ply::Reserve(at, role) if at == on => Some(*role),
                    _ => None,
                });
                Block::Reserve(*on, men.fold(Roster::NONE, Roster::plus))
            }
            Ply::Consolidate(from) => Block::Consolidate(*from, self.as_gifts(plies)),
            Ply::Give(..) | Ply::Hand(..) => return None,
            Ply::Prisoners(men) => Block::Prisoners(Told::men(*men)),
            Ply::Done | Ply::Take(_) => {
                let names = plies.iter().filter_map(|ply| match ply {
                    Ply::Take(place) => Some(self.captives().at(*place)?.name.clone()),
                    _ => None,
                });
                Block::Prisoners(Told { men: Roster::NONE, names: names.collect() })
            }
        };
        (self.run(&block).ok()? == plies).then_some(block)
    }

    fn as_set_up(&self, plies: &[Ply]) -> Option<Block> {
        let mut men = self.current().rosters()?.map(Arrangement::only_one);
        if let Some(attackers) = self.current().attackers_setup() {
            men[0] = Some(attackers);
        }
        let mut over = self.clone();
        for ply in plies {
            if let (Ply::Setup(told), Due::Setup(_, side)) = (ply, over.due()) {
                men[side as usize] = Some(*told);
            }
            over.play(*ply);
        }
        let [Some(attackers), Some(defenders)] = men else { return None };
        Some(Block::SetUp([attackers, defenders]))
    }

    fn as_seats(&self, plies: &[Ply]) -> Option<Block> {
        let mut seats = [Vec::new(), Vec::new()];
        let mut over = self.clone();
        for ply in plies {
            if let (Ply::Place(place, on), Some((side, _))) = (ply, over.placing()) {
                seats[side as usize].push((*place, *on));
            }
            over.play(*ply);
        }
        // Half a set-up is none.
        (over.path() != self.path() || over.placing().is_none()).then_some(Block::Seats(seats))
    }

    fn as_gifts(&self, plies: &[Ply]) -> Vec<(Square, Told)> {
        let mut gifts: Vec<(Square, Told)> = Vec::new();
        let mut over = self.clone();
        for ply in plies {
            let (to, man, name) = match ply {
                Ply::Give(to, role) => (*to, Some(*role), None),
                Ply::Hand(place, to) => (*to, None, over.hand().at(*place).map(|one| one.name.clone())),
                _ => {
                    over.play(*ply);
                    continue;
                }
            };
            let at = gifts.iter().position(|(known, _)| *known == to).unwrap_or_else(|| {
                gifts.push((to, Told::default()));
                gifts.len() - 1
            });
            let told = &mut gifts[at].1;
            told.men = man.map_or(told.men, |role| told.men.plus(role));
            told.names.extend(name);
            over.play(*ply);
        }
        gifts
    }

    /// Individuals among some who are told, in the order of places; `act` makes a ply of each who could be meant.
    fn who(&self, told: &Told, among: &Places, act: impl Fn(Place) -> Ply) -> Ran<Vec<Place>> {
        let mut places = Vec::new();
        for name in &told.names {
            let Some(place) = among.find(name) else {
                let words = format!("no individual {name} is there");
                return self.refuse((words, &law::NAMED), among.held().map(act).collect());
            };
            places.push(place);
        }
        for role in KINDS.into_iter().filter(|role| told.men.count(*role) > 0) {
            places.extend(self.counted(role, told.men.count(role), among, &places, &act)?);
        }
        places.sort_by_key(|place| place.order());
        Ok(places)
    }

    /// Those of a kind who have no name told, where a count of them leaves no choice.
    fn counted(
        &self,
        role: Role,
        count: u8,
        among: &Places,
        named: &[Place],
        act: impl Fn(Place) -> Ply,
    ) -> Ran<Vec<Place>> {
        let left = among.held().filter(|place| place.role() == role && !named.contains(place));
        let left = Vec::from_iter(left);
        let (kind, there) = (role.name(), left.len());
        let words = match there.cmp(&usize::from(count)) {
            Ordering::Equal => return Ok(left),
            Ordering::Less => {
                format!("more pieces of the kind {kind} are given than there are: {count} of {there}")
            }
            Ordering::Greater => {
                format!("it does not say which pieces of the kind {kind} are meant: {count} of {there}")
            }
        };
        self.refuse((words, &law::NAMED), left.into_iter().map(act).collect())
    }
}

impl Run {
    fn play(&mut self, ply: Ply) {
        self.over.play(ply);
        self.plies.push(ply);
    }

    fn ask(&mut self, ply: Ply) -> Ran {
        let ply = self.over.judge(Asked::Ply(ply))?;
        self.play(ply);
        Ok(())
    }

    fn set_up(&mut self, men: [Arrangement; 2]) -> Ran {
        let board = self.over.path();
        let first = match self.over.due() {
            Due::Setup(_, first) => Some(first),
            // What has no choice stands already, and may be told all the same.
            Due::Sub(_) if self.over.current().stands_as_it_must_begin() => None,
            _ => return self.ask(Ply::Setup(men[0])),
        };
        let armies = self.over.current().rosters().unwrap_or_default();
        for (who, (right, men)) in
            ["the attacker's", "the defender's"].into_iter().zip(armies.into_iter().zip(men))
        {
            if let Some(words) = difference(right, men.roster()) {
                let rule = if men.roster().fits_in(right) { &law::SET_UP } else { &law::DEPLETION };
                return self.over.refuse((format!("{who} set-up holds {words}"), rule), Vec::new());
            }
        }
        let Some(first) = first else { return Ok(()) };
        self.ask(Ply::Setup(men[first as usize]))?;
        match self.over.due() {
            Due::Setup(_, Side::Black) if first == Side::White && self.over.path() == board => {
                self.ask(Ply::Setup(men[1]))
            }
            _ => Ok(()),
        }
    }

    fn seat(&mut self, seats: &[Vec<(Place, Place)>; 2]) -> Ran {
        let (board, open) = (self.over.path(), self.over.open());
        let Some(mut next) = self.over.placing() else {
            return self.ask(Ply::Place(Place::ALL[0], Place::ALL[0]));
        };
        loop {
            let (side, place) = next;
            let told = seats[side as usize].iter().find(|(of, _)| *of == place);
            let Some((_, on)) = told else {
                let words = format!(
                    "the individual of {} is to be set up, and its square is missing",
                    place.square()
                );
                return self.over.refuse((words, &law::SET_UP), Vec::new());
            };
            self.ask(Ply::Place(place, *on))?;
            let follows =
                |(by, of): &(Side, Place)| (*by as usize, of.order()) > (side as usize, place.order());
            match self
                .over
                .placing()
                .filter(|due| self.over.open() == open && self.over.path() == board && follows(due))
            {
                Some(due) => next = due,
                None => return Ok(()),
            }
        }
    }

    fn take_prisoners(&mut self, told: &Told) -> Ran {
        if told.is_nobody() {
            if !self.over.prisoners_that_fit().is_none() {
                return self.ask(Ply::Done);
            }
            // Nobody could be taken, which the record says as it is.
            if self.over.rules().prisoners && self.over.current().game.won {
                return Ok(());
            }
        }
        if self.over.current().depth() == 1 {
            return match told.names.first() {
                None => self.ask(Ply::Prisoners(told.men)),
                Some(name) => {
                    self.over.refuse((format!("no individual {name} is there"), &law::NAMED), Vec::new())
                }
            };
        }
        if self.over.captives().is_empty() {
            let words = if self.over.rules().prisoners { NO_PRISONERS } else { NOT_AGREED };
            return self.over.refuse((words.into(), &law::PRISONERS), Vec::new());
        }
        let who = self.over.who(told, self.over.captives(), Ply::Take)?;
        let men = who.iter().fold(Roster::NONE, |men, place| men.plus(place.role()));
        if !men.fits_in(self.over.prisoners_that_fit()) {
            let words = "the sub-set has no room for all of them".into();
            return self.over.refuse((words, &law::LIMIT), Vec::new());
        }
        for place in who {
            self.ask(Ply::Take(place))?;
        }
        if !self.over.captives().is_empty() {
            self.play(Ply::Done);
        }
        Ok(())
    }

    fn consolidate(&mut self, from: Square, gifts: &[(Square, Told)]) -> Ran {
        self.ask(Ply::Consolidate(from))?;
        for gift in self.gifts(gifts)? {
            self.give(gift)?;
        }
        while let Some(only) = self.over.only_gift() {
            self.play(only);
        }
        if self.over.due() == Due::Giving { Err(self.over.gifts_untold()) } else { Ok(()) }
    }

    /// Makes a gift that is told. Those who have one way to go may be left out before it; where that does not lead to
    /// it, the fault is one of the gift and not of a turn that has passed on.
    fn give(&mut self, gift: Ply) -> Ran {
        let mut ahead = Self { over: self.over.clone(), plies: Vec::new() };
        while !ahead.over.is_legal(&gift) {
            match ahead.over.only_gift() {
                Some(only) if only != Ply::Done => ahead.play(only),
                _ => return self.ask(gift),
            }
        }
        self.plies.append(&mut ahead.plies);
        self.over = ahead.over;
        self.ask(gift)
    }

    /// What is told of who goes where, in the order in which it is done.
    fn gifts(&self, gifts: &[(Square, Told)]) -> Ran<Vec<Ply>> {
        let over = &self.over;
        if over.current().depth() == 1 {
            let mut gifts = Vec::from_iter(gifts.iter().map(|(to, told)| (*to, told.men)));
            gifts.sort_by_key(|(to, _)| (to.rank, to.file));
            let of_kind = |role: Role| {
                let gifts = gifts.iter();
                gifts.flat_map(move |(to, men)| (0..men.count(role)).map(move |_| Ply::Give(*to, role)))
            };
            return Ok(KINDS.into_iter().flat_map(of_kind).collect());
        }
        let mut handed = Vec::new();
        for (to, told) in gifts {
            let named = Told { men: Roster::NONE, names: told.names.clone() };
            let act = |place| Ply::Hand(place, *to);
            handed.extend(over.who(&named, over.hand(), act)?.into_iter().map(|place| (place, *to)));
        }
        let named = Vec::from_iter(handed.iter().map(|(place, _)| *place));
        for role in KINDS {
            let told = gifts.iter().filter(|(_, told)| told.men.count(role) > 0);
            let Some((to, _)) = told.clone().next() else { continue };
            let all = told.clone().fold(0_u8, |all, (_, told)| all.saturating_add(told.men.count(role)));
            let meant = over.counted(role, all, over.hand(), &named, |place| Ply::Hand(place, *to))?;
            if told.clone().any(|(other, _)| other != to) {
                let words = format!("it does not say which pieces of the kind {} go where", role.name());
                let ways = meant.iter().flat_map(|place| told.clone().map(|(to, _)| Ply::Hand(*place, *to)));
                return over.refuse((words, &law::NAMED), ways.collect());
            }
            handed.extend(meant.into_iter().map(|place| (place, *to)));
        }
        handed.sort_by_key(|(place, _)| place.order());
        Ok(handed.into_iter().map(|(place, to)| Ply::Hand(place, to)).collect())
    }
}
