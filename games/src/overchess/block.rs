//! Acts that records write as a whole: set-ups, prisoners, spares, consolidations.

use super::{
    Arrangement, Asked, Breach, Due, KINDS, Name, Over, Places, Ply, Roster, SubSetPlace,
    refusal::{NO_PRISONERS, NOT_AGREED, against_pieces},
};
use crate::overchess::laws as law;
use overboard_rules::{
    by_side::BySide,
    game::Game as _,
    rule::Rule,
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
#[derive(Clone)]
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
            Block::Prisoners(prisoners) => run.take_prisoners(prisoners)?,
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

    /// The named individuals among several, in the order of places; `act` makes a ply for each that could be meant.
    fn who(
        &self,
        wanted: &CountedPieces,
        among: &Places,
        act: impl Fn(SubSetPlace) -> Ply,
    ) -> Ran<Vec<SubSetPlace>> {
        let mut places = Vec::new();
        for name in &wanted.names {
            let Some(place) = among.find(name) else {
                let words = format!("no individual {name} is there");
                return self.refuse((words, &law::NAMED), among.held().map(act).collect());
            };
            places.push(place);
        }
        for role in KINDS {
            let count = wanted.pieces.count(role);
            if count > 0 {
                places.extend(self.counted(role, count, among, &places, &act)?);
            }
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
        let mut left = Vec::from_iter(among.held());
        left.retain(|place| place.role() == role && !named.contains(place));
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

    fn refuse(&self, words: impl Into<String>, rule: &'static Rule) -> Ran {
        self.over.refuse((words.into(), rule), Vec::new())
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
        for (side, who) in [
            (Side::White, "the attacker's"),
            (Side::Black, "the defender's"),
        ] {
            let against = against_pieces(who, armies[side], pieces[side].roster());
            if let Some((words, rule)) = against {
                return self.refuse(words, rule);
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
            let seat = seats[side].iter().find(|(of, _)| *of == place);
            let Some((_, on)) = seat else {
                let words = format!(
                    "the individual of {} is to be set up, and its square is missing",
                    place.square()
                );
                return self.refuse(words, &law::SET_UP);
            };
            self.ask(Ply::Place(place, *on))?;
            let is_here = self.over.open() == open && self.over.path() == board;
            match self.over.placing() {
                Some(due) if is_here && (due.0, due.1.order()) > (side, place.order()) => {
                    next = due;
                }
                _ => return Ok(()),
            }
        }
    }

    /// A kind among the prisoners reported of which the winner's sub-set can take none.
    fn without_room(&self, prisoners: &CountedPieces) -> Option<Role> {
        let room = self.over.prisoners_that_fit();
        let mut roles = Vec::from(KINDS);
        roles.retain(|role| prisoners.pieces.count(*role) > 0);
        roles.extend(prisoners.names.iter().filter_map(Name::role));
        roles.into_iter().find(|role| room.count(*role) == 0)
    }

    fn take_prisoners(&mut self, prisoners: &CountedPieces) -> Ran {
        if prisoners.is_nobody() {
            if !self.over.prisoners_that_fit().is_none() {
                return self.ask(Ply::Done);
            }
            // No prisoner could be taken, and the record says so.
            if self.over.rules().prisoners && self.over.current().game.won {
                return Ok(());
            }
        }
        if self.over.current().depth() == 1 {
            return match prisoners.names.first() {
                None => self.ask(Ply::Prisoners(prisoners.pieces)),
                Some(name) => self.refuse(format!("no individual {name} is there"), &law::NAMED),
            };
        }
        if self.over.captives().is_empty() {
            let words = if self.over.rules().prisoners {
                NO_PRISONERS
            } else {
                NOT_AGREED
            };
            return self.refuse(words, &law::PRISONERS);
        }
        if let Some(role) = self.without_room(prisoners) {
            let words = format!("the sub-set has no room for a {}", role.name());
            return self.refuse(words, &law::LIMIT);
        }
        let who = self.over.who(prisoners, self.over.captives(), Ply::Take)?;
        let roles = who.iter().map(|place| place.role());
        if !Roster::of(roles).fits_in(self.over.prisoners_that_fit()) {
            let words = "the sub-set has no room for all of them";
            return self.refuse(words, &law::LIMIT);
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
        let mut ahead = self.clone();
        while !ahead.over.is_legal(&gift) {
            match ahead.over.only_gift() {
                Some(only) if only != Ply::Done => ahead.play(only),
                _ => return self.ask(gift),
            }
        }
        *self = ahead;
        self.ask(gift)
    }

    /// The plies of the gifts in the record, in the order of play.
    fn gifts(&self, gifts: &[(Square, CountedPieces)]) -> Ran<Vec<Ply>> {
        if self.over.current().depth() > 1 {
            return self.handed(gifts);
        }
        let mut gifts = Vec::from_iter(gifts);
        gifts.sort_by_key(|(to, _)| (to.rank, to.file));
        let mut plies = Vec::new();
        for role in KINDS {
            for (to, gift) in &gifts {
                for _ in 0..gift.pieces.count(role) {
                    plies.push(Ply::Give(*to, role));
                }
            }
        }
        Ok(plies)
    }

    /// The same for individuals: those that are named, and those whose number leaves no choice.
    fn handed(&self, gifts: &[(Square, CountedPieces)]) -> Ran<Vec<Ply>> {
        let (over, hand) = (&self.over, self.over.hand());
        let (mut named, mut plies) = (Vec::new(), Vec::new());
        for (to, gift) in gifts {
            let only_named = CountedPieces {
                pieces: Roster::NONE,
                names: gift.names.clone(),
            };
            for place in over.who(&only_named, hand, |place| Ply::Hand(place, *to))? {
                named.push(place);
                plies.push((place, *to));
            }
        }
        for role in KINDS {
            let mut of_kind = Vec::from_iter(gifts);
            of_kind.retain(|(_, gift)| gift.pieces.count(role) > 0);
            let [(to, _), others @ ..] = &of_kind[..] else {
                continue;
            };
            let mut all = 0_u8;
            for (_, gift) in &of_kind {
                all = all.saturating_add(gift.pieces.count(role));
            }
            let meant = over.counted(role, all, hand, &named, |place| Ply::Hand(place, *to))?;
            if others.iter().any(|(other, _)| other != to) {
                let kind = role.name();
                let words = format!("it does not say which pieces of the kind {kind} go where");
                let mut ways = Vec::new();
                for place in meant {
                    ways.extend(of_kind.iter().map(|(to, _)| Ply::Hand(place, *to)));
                }
                return over.refuse((words, &law::NAMED), ways);
            }
            plies.extend(meant.into_iter().map(|place| (place, *to)));
        }
        plies.sort_by_key(|(place, _)| place.order());
        let plies = plies.into_iter();
        Ok(plies.map(|(place, to)| Ply::Hand(place, to)).collect())
    }
}
