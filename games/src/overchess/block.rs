//! Acts that records write as a whole: set-ups, prisoners, spares, consolidations.

use super::{
    Arrangement, Asked, Breach, Due, KINDS, Name, Over, Places, Ply, Roster, SubSetPlace,
    difference,
    refusal::{NO_PRISONERS, NOT_AGREED},
};
use crate::overchess::laws as law;
use overboard_rules::{
    by_side::BySide,
    game::Game as _,
    square::{Role, Side, Square},
};
use std::cmp::Ordering;

/// An act that a record writes as a whole, and that is a run of plies. Plies that a record omits before it are not part
/// of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// A single ply, as in lines of coordinates.
    Ply(Ply),
    /// The attacker's and the defender's pieces, as a FEN describes them, for a sub-game of chess.
    SetUp(BySide<Arrangement>),
    /// The places of the attacker's and the defender's individuals: each by its own place, then that of its square.
    /// Those without a choice may be omitted.
    Seats(BySide<Vec<(SubSetPlace, SubSetPlace)>>),
    /// `<prisoners 2P N>`, `<prisoners e7/a2>`.
    Prisoners(CountedPieces),
    /// `<reserve e4: 2P N>`.
    Reserve(Square, Roster),
    /// `<consolidate c3: d2+2P f1+N>`; a piece with only one destination may be omitted.
    Consolidate(Square, Vec<(Square, CountedPieces)>),
}

/// Pieces as records write them: counted, and by name if they have names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CountedPieces {
    /// How many of each kind, in addition to those with names.
    pub pieces: Roster,
    /// Those with names.
    pub names: Vec<Name>,
}

impl CountedPieces {
    /// Pieces without names.
    #[must_use]
    pub const fn pieces(roster: Roster) -> Self {
        Self {
            pieces: roster,
            names: Vec::new(),
        }
    }

    fn is_nobody(&self) -> bool {
        self.pieces.is_none() && self.names.is_empty()
    }
}

impl Block {
    /// Whether it is a set-up, or part of one.
    pub(super) const fn is_set_up(&self) -> bool {
        matches!(
            self,
            Self::SetUp(_) | Self::Seats(_) | Self::Ply(Ply::Setup(_) | Ply::Place(..))
        )
    }
}

type Ran<T = ()> = Result<T, Box<Breach>>;

/// A run of plies in progress.
struct Run {
    over: Over,
    plies: Vec<Ply>,
}

impl Over {
    /// The plies of which an act consists.
    ///
    /// # Errors
    /// The rule that it breaks, where, and what was possible.
    pub fn run(&self, block: &Block) -> Result<Vec<Ply>, Box<Breach>> {
        let mut run = Run {
            over: self.clone(),
            plies: Vec::new(),
        };
        match block {
            Block::Ply(ply) => run.ask(*ply)?,
            Block::SetUp(pieces) => run.set_up(*pieces)?,
            Block::Seats(seats) => run.seat(seats)?,
            Block::Prisoners(reported) => run.take_prisoners(reported)?,
            Block::Reserve(on, pieces) => {
                for role in KINDS {
                    for _ in 0..pieces.count(role) {
                        run.ask(Ply::Reserve(*on, role))?;
                    }
                }
            }
            Block::Consolidate(from, gifts) => run.consolidate(*from, gifts)?,
        }
        Ok(run.plies)
    }

    /// A run of plies as one complete act; `None` if they are not exactly one.
    #[must_use]
    pub fn as_block(&self, plies: &[Ply]) -> Option<Block> {
        let block = match plies.first()? {
            Ply::Over(_) | Ply::Sub(_) => return None,
            Ply::Setup(_) => self.as_set_up(plies)?,
            Ply::Place(..) => self.as_seats(plies)?,
            Ply::Reserve(on, _) => {
                let roster = plies.iter().filter_map(|ply| match ply {
                    Ply::Reserve(at, role) if at == on => Some(*role),
                    _ => None,
                });
                Block::Reserve(*on, roster.fold(Roster::NONE, Roster::plus))
            }
            Ply::Consolidate(from) => Block::Consolidate(*from, self.as_gifts(plies)),
            Ply::Give(..) | Ply::Hand(..) => return None,
            Ply::Prisoners(roster) => Block::Prisoners(CountedPieces::pieces(*roster)),
            Ply::Done | Ply::Take(_) => {
                let names = plies.iter().filter_map(|ply| match ply {
                    Ply::Take(place) => Some(self.captives().at(*place)?.name.clone()),
                    _ => None,
                });
                Block::Prisoners(CountedPieces {
                    pieces: Roster::NONE,
                    names: names.collect(),
                })
            }
        };
        (self.run(&block).ok()? == plies).then_some(block)
    }

    fn as_set_up(&self, plies: &[Ply]) -> Option<Block> {
        let mut pieces = self.current().rosters()?.map(Arrangement::only_one);
        if let Some(attackers) = self.current().attackers_setup() {
            pieces[Side::White] = Some(attackers);
        }
        let mut over = self.clone();
        for ply in plies {
            if let (Ply::Setup(reported), Due::Setup(_, side)) = (ply, over.due()) {
                pieces[side] = Some(*reported);
            }
            over.play(*ply);
        }
        let [Some(attackers), Some(defenders)] = pieces.into_array() else {
            return None;
        };
        Some(Block::SetUp(BySide::new(attackers, defenders)))
    }

    fn as_seats(&self, plies: &[Ply]) -> Option<Block> {
        let mut seats: BySide<Vec<_>> = BySide::default();
        let mut over = self.clone();
        for ply in plies {
            if let (Ply::Place(place, on), Some((side, _))) = (ply, over.placing()) {
                seats[side].push((*place, *on));
            }
            over.play(*ply);
        }
        // An incomplete set-up is not an act.
        (over.path() != self.path() || over.placing().is_none()).then_some(Block::Seats(seats))
    }

    fn as_gifts(&self, plies: &[Ply]) -> Vec<(Square, CountedPieces)> {
        let mut gifts: Vec<(Square, CountedPieces)> = Vec::new();
        let mut over = self.clone();
        for ply in plies {
            let (to, piece, name) = match ply {
                Ply::Give(to, role) => (*to, Some(*role), None),
                Ply::Hand(place, to) => (
                    *to,
                    None,
                    over.hand().at(*place).map(|one| one.name.clone()),
                ),
                _ => {
                    over.play(*ply);
                    continue;
                }
            };
            let at = gifts
                .iter()
                .position(|(known, _)| *known == to)
                .unwrap_or_else(|| {
                    gifts.push((to, CountedPieces::default()));
                    gifts.len() - 1
                });
            let reported = &mut gifts[at].1;
            reported.pieces = piece.map_or(reported.pieces, |role| reported.pieces.plus(role));
            reported.names.extend(name);
            over.play(*ply);
        }
        gifts
    }

    /// The named individuals among several, in the order of places; `act` makes a ply for each that could be meant.
    fn who(
        &self,
        reported: &CountedPieces,
        among: &Places,
        act: impl Fn(SubSetPlace) -> Ply,
    ) -> Ran<Vec<SubSetPlace>> {
        let mut places = Vec::new();
        for name in &reported.names {
            let Some(place) = among.find(name) else {
                let words = format!("no individual {name} is there");
                return self.refuse((words, &law::NAMED), among.held().map(act).collect());
            };
            places.push(place);
        }
        for role in KINDS
            .into_iter()
            .filter(|role| reported.pieces.count(*role) > 0)
        {
            places.extend(self.counted(role, reported.pieces.count(role), among, &places, &act)?);
        }
        places.sort_by_key(|place| place.order());
        Ok(places)
    }

    /// Unnamed individuals of a kind, if their number leaves no choice.
    fn counted(
        &self,
        role: Role,
        count: u8,
        among: &Places,
        named: &[SubSetPlace],
        act: impl Fn(SubSetPlace) -> Ply,
    ) -> Ran<Vec<SubSetPlace>> {
        let left = among
            .held()
            .filter(|place| place.role() == role && !named.contains(place));
        let left = Vec::from_iter(left);
        let (kind, there) = (role.name(), left.len());
        let words = match there.cmp(&usize::from(count)) {
            Ordering::Equal => return Ok(left),
            Ordering::Less => {
                format!(
                    "more pieces of the kind {kind} are given than there are: {count} of {there}"
                )
            }
            Ordering::Greater => {
                format!(
                    "it does not say which pieces of the kind {kind} are meant: {count} of {there}"
                )
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

    fn set_up(&mut self, pieces: BySide<Arrangement>) -> Ran {
        let board = self.over.path();
        let first = match self.over.due() {
            Due::Setup(_, first) => Some(first),
            // A piece without a choice has been placed already; the record may name it all the same.
            Due::Sub(_) if self.over.current().stands_as_it_must_begin() => None,
            _ => return self.ask(Ply::Setup(pieces[Side::White])),
        };
        let armies = self.over.current().rosters().unwrap_or_default();
        for (who, (right, pieces)) in ["the attacker's", "the defender's"]
            .into_iter()
            .zip(armies.into_iter().zip(pieces))
        {
            if let Some(words) = difference(right, pieces.roster()) {
                let rule = if pieces.roster().fits_in(right) {
                    &law::SET_UP
                } else {
                    &law::DEPLETION
                };
                return self
                    .over
                    .refuse((format!("{who} set-up holds {words}"), rule), Vec::new());
            }
        }
        let Some(first) = first else { return Ok(()) };
        self.ask(Ply::Setup(pieces[first]))?;
        match self.over.due() {
            Due::Setup(_, Side::Black) if first == Side::White && self.over.path() == board => {
                self.ask(Ply::Setup(pieces[Side::Black]))
            }
            _ => Ok(()),
        }
    }

    fn seat(&mut self, seats: &BySide<Vec<(SubSetPlace, SubSetPlace)>>) -> Ran {
        let (board, open) = (self.over.path(), self.over.open());
        let Some(mut next) = self.over.placing() else {
            return self.ask(Ply::Place(SubSetPlace::ALL[0], SubSetPlace::ALL[0]));
        };
        loop {
            let (side, place) = next;
            let reported = seats[side].iter().find(|(of, _)| *of == place);
            let Some((_, on)) = reported else {
                let words = format!(
                    "the individual of {} is to be set up, and its square is missing",
                    place.square()
                );
                return self.over.refuse((words, &law::SET_UP), Vec::new());
            };
            self.ask(Ply::Place(place, *on))?;
            let follows =
                |(by, of): &(Side, SubSetPlace)| (*by, of.order()) > (side, place.order());
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

    /// A kind among the prisoners reported of which the winner's sub-set can take none.
    fn without_room(&self, reported: &CountedPieces) -> Option<Role> {
        let room = self.over.prisoners_that_fit();
        let counted = KINDS
            .into_iter()
            .filter(|role| reported.pieces.count(*role) > 0);
        let named = reported
            .names
            .iter()
            .filter_map(|name| name.steps().last()?.role());
        counted.chain(named).find(|role| room.count(*role) == 0)
    }

    fn take_prisoners(&mut self, reported: &CountedPieces) -> Ran {
        if reported.is_nobody() {
            if !self.over.prisoners_that_fit().is_none() {
                return self.ask(Ply::Done);
            }
            // No prisoner could be taken, and the record says so.
            if self.over.rules().prisoners && self.over.current().game.won {
                return Ok(());
            }
        }
        if self.over.current().depth() == 1 {
            return match reported.names.first() {
                None => self.ask(Ply::Prisoners(reported.pieces)),
                Some(name) => self.over.refuse(
                    (format!("no individual {name} is there"), &law::NAMED),
                    Vec::new(),
                ),
            };
        }
        if self.over.captives().is_empty() {
            let words = if self.over.rules().prisoners {
                NO_PRISONERS
            } else {
                NOT_AGREED
            };
            return self
                .over
                .refuse((words.into(), &law::PRISONERS), Vec::new());
        }
        if let Some(role) = self.without_room(reported) {
            let words = format!("the sub-set has no room for a {}", role.name());
            return self.over.refuse((words, &law::LIMIT), Vec::new());
        }
        let who = self.over.who(reported, self.over.captives(), Ply::Take)?;
        let pieces = who
            .iter()
            .fold(Roster::NONE, |pieces, place| pieces.plus(place.role()));
        if !pieces.fits_in(self.over.prisoners_that_fit()) {
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

    fn consolidate(&mut self, from: Square, gifts: &[(Square, CountedPieces)]) -> Ran {
        self.ask(Ply::Consolidate(from))?;
        for gift in self.gifts(gifts)? {
            self.give(gift)?;
        }
        while let Some(only) = self.over.only_gift() {
            self.play(only);
        }
        if self.over.due() == Due::Giving {
            Err(self.over.unwritten_gifts())
        } else {
            Ok(())
        }
    }

    /// Plays a gift that the record names. Pieces with only one destination may be omitted before it. If playing these
    /// does not lead to the gift, the error is about the gift, not about a turn that has passed on.
    fn give(&mut self, gift: Ply) -> Ran {
        let mut ahead = Self {
            over: self.over.clone(),
            plies: Vec::new(),
        };
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

    /// The plies of the gifts in the record, in the order of play.
    fn gifts(&self, gifts: &[(Square, CountedPieces)]) -> Ran<Vec<Ply>> {
        let over = &self.over;
        if over.current().depth() == 1 {
            let mut gifts =
                Vec::from_iter(gifts.iter().map(|(to, reported)| (*to, reported.pieces)));
            gifts.sort_by_key(|(to, _)| (to.rank, to.file));
            let of_kind = |role: Role| {
                let gifts = gifts.iter();
                gifts.flat_map(move |(to, pieces)| {
                    (0..pieces.count(role)).map(move |_| Ply::Give(*to, role))
                })
            };
            return Ok(KINDS.into_iter().flat_map(of_kind).collect());
        }
        let mut handed = Vec::new();
        for (to, reported) in gifts {
            let named = CountedPieces {
                pieces: Roster::NONE,
                names: reported.names.clone(),
            };
            let act = |place| Ply::Hand(place, *to);
            handed.extend(
                over.who(&named, over.hand(), act)?
                    .into_iter()
                    .map(|place| (place, *to)),
            );
        }
        let named = Vec::from_iter(handed.iter().map(|(place, _)| *place));
        for role in KINDS {
            let reported = gifts
                .iter()
                .filter(|(_, reported)| reported.pieces.count(role) > 0);
            let Some((to, _)) = reported.clone().next() else {
                continue;
            };
            let all = reported.clone().fold(0_u8, |all, (_, reported)| {
                all.saturating_add(reported.pieces.count(role))
            });
            let meant = over.counted(role, all, over.hand(), &named, |place| {
                Ply::Hand(place, *to)
            })?;
            if reported.clone().any(|(other, _)| other != to) {
                let words = format!(
                    "it does not say which pieces of the kind {} go where",
                    role.name()
                );
                let ways = meant
                    .iter()
                    .flat_map(|place| reported.clone().map(|(to, _)| Ply::Hand(*place, *to)));
                return over.refuse((words, &law::NAMED), ways.collect());
            }
            handed.extend(meant.into_iter().map(|place| (place, *to)));
        }
        handed.sort_by_key(|(place, _)| place.order());
        Ok(handed
            .into_iter()
            .map(|(place, to)| Ply::Hand(place, to))
            .collect())
    }
}
