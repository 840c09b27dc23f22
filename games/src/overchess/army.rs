//! Sub-sets of individuals, each of which stands for a sub-set of its own.

use super::{
    name::{Name, Step, SubSetPlace},
    roster::Roster,
};
use overboard_rules::hash;
use std::sync::Arc;

/// A sub-set: what is behind a piece.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Army {
    /// Complete and untouched, whatever its depth: it is not stored (OV-40).
    #[default]
    Untouched,
    /// Ordinary pieces, which have no sub-sets of their own.
    Pieces(Roster),
    /// Individuals in their places.
    Places(Places),
}

/// The hash of a complete sub-set.
const COMPLETE: u128 = 1;

/// An individual and its sub-set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Individual {
    /// Its name.
    pub name: Name,
    /// Its own sub-set.
    pub army: Army,
}

impl Individual {
    /// The one with this name, and a complete sub-set.
    pub(super) const fn untouched(name: Name) -> Self {
        Self {
            name,
            army: Army::Untouched,
        }
    }
}

/// Individuals by the place that they hold in a sub-set: the place where they began or, for those that joined it, the
/// first free one of their kind.
///
/// Positions are copied far more often than individuals change, so copies share them until one of them is changed.
#[derive(Clone, Debug, Default)]
pub struct Places(Option<Arc<Slots>>);

type Slots = [Option<Individual>; 16];

/// The value for no individuals, which needs no allocation.
static NOBODY: Slots = [const { None }; 16];

/// No individuals, for games whose pieces have no names.
pub(super) static NO_PLACES: Places = Places(None);

impl PartialEq for Places {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.slots(), other.slots()) || self.slots() == other.slots()
    }
}

impl Eq for Places {}

impl Places {
    /// Those that began with a piece.
    #[must_use]
    pub fn own(owner: &Name) -> Self {
        let mut places = Self::default();
        for place in SubSetPlace::ALL {
            places.put(place, Individual::untouched(owner.own(place)));
        }
        places
    }

    fn slots(&self) -> &Slots {
        self.0.as_deref().unwrap_or(&NOBODY)
    }

    fn slots_mut(&mut self) -> &mut Slots {
        Arc::make_mut(self.0.get_or_insert_with(Arc::default))
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none() || self.slots().iter().all(Option::is_none)
    }

    /// The individual in a place.
    #[must_use]
    pub fn at(&self, place: SubSetPlace) -> Option<&Individual> {
        self.slots()[usize::from(place.number())].as_ref()
    }

    /// The same, mutable.
    pub(super) fn at_mut(&mut self, place: SubSetPlace) -> Option<&mut Individual> {
        self.at(place)?;
        self.slots_mut()[usize::from(place.number())].as_mut()
    }

    /// Puts an individual into a place.
    pub fn put(&mut self, place: SubSetPlace, individual: Individual) {
        self.slots_mut()[usize::from(place.number())] = Some(individual);
    }

    /// Takes an individual from its place.
    pub(super) fn take(&mut self, place: SubSetPlace) -> Option<Individual> {
        self.at(place)?;
        self.slots_mut()[usize::from(place.number())].take()
    }

    /// The occupied places, in the order of [`SubSetPlace::ALL`].
    pub fn held(&self) -> impl Iterator<Item = SubSetPlace> + '_ {
        self.all().map(|(place, _)| place)
    }

    /// The same places, each with the individual that holds it.
    pub fn all(&self) -> impl Iterator<Item = (SubSetPlace, &Individual)> {
        let places = SubSetPlace::ALL.into_iter();
        places.filter_map(|place| Some((place, self.at(place)?)))
    }

    /// How many of each kind there are.
    #[must_use]
    pub fn roster(&self) -> Roster {
        Roster::of(self.held().map(SubSetPlace::role))
    }

    /// The place of the individual with this name.
    #[must_use]
    pub fn find(&self, name: &Name) -> Option<SubSetPlace> {
        let (place, _) = self.all().find(|(_, one)| one.name == *name)?;
        Some(place)
    }

    /// Adds an individual: it gets the first free place of the kind that it held before.
    pub(super) fn join(&mut self, from: SubSetPlace, individual: Individual) {
        let free = SubSetPlace::of_kind(from.role()).find(|place| self.at(*place).is_none());
        if let Some(place) = free {
            self.put(place, individual);
        }
    }

    /// Whether all are as they began with their owner, untouched.
    fn is_untouched(&self, owner: &Name) -> bool {
        for place in SubSetPlace::ALL {
            let Some(Individual { name, army }) = self.at(place) else {
                return false;
            };
            let home = Some((&Step::Square(place.square()), owner.steps()));
            if *army != Army::Untouched || name.steps().split_last() != home {
                return false;
            }
        }
        true
    }

    /// A hash that is equal for sub-sets of equal value, kind by kind, whoever the individuals are (OV-17).
    pub(super) fn hash(&self) -> u128 {
        let mut codes = Vec::new();
        for (place, one) in self.all() {
            codes.push((place.role() as u64, one.army.hash()));
        }
        if codes.len() == SubSetPlace::ALL.len() && codes.iter().all(|(_, hash)| *hash == COMPLETE)
        {
            return COMPLETE;
        }
        codes.sort_unstable();
        let mut words = Vec::new();
        for (role, hash) in codes {
            words.extend([role, hash as u64, (hash >> 64) as u64]);
        }
        hash::of(&words)
    }
}

impl Army {
    /// The army of these pieces; never [`Army::Untouched`].
    #[must_use]
    pub fn of_pieces(pieces: Roster) -> Self {
        if pieces == Roster::FULL {
            Self::Untouched
        } else {
            Self::Pieces(pieces)
        }
    }

    /// The army of these individuals behind a piece with this name.
    #[must_use]
    pub fn of_places(places: Places, owner: &Name) -> Self {
        if places.is_untouched(owner) {
            Self::Untouched
        } else {
            Self::Places(places)
        }
    }

    /// How many of each kind there are.
    #[must_use]
    pub fn roster(&self) -> Roster {
        match self {
            Self::Untouched => Roster::FULL,
            Self::Pieces(pieces) => *pieces,
            Self::Places(places) => places.roster(),
        }
    }

    /// The individuals behind a piece with this name.
    #[must_use]
    pub fn places(&self, owner: &Name) -> Places {
        match self {
            Self::Places(places) => places.clone(),
            _ => Places::own(owner),
        }
    }

    /// A hash that is equal for sub-sets of equal value.
    pub(super) fn hash(&self) -> u128 {
        match self {
            Self::Untouched => COMPLETE,
            Self::Pieces(pieces) => hash::of(&[2, pieces.code()]),
            Self::Places(places) => places.hash(),
        }
    }
}
