//! What the position may be: several readings of it, and lost boards, of which nothing is known.

use overboard_rules::{
    game::{BoardId, Game, Happening},
    ply::StandingAct,
};

/// The most readings that are followed at a time. If there are more, the position counts as unknown.
const MOST: usize = 64;
/// The most readings from which duplicates are removed. Each is a position, and each of [`MOST`] becomes at most five where a
/// move on one board is not known.
const MOST_UNTHINNED: usize = 512;

/// The position of a line of play under each reading of what could not be judged.
///
/// Normally there is one reading and no lost board: then the position is known.
#[derive(Clone, Debug)]
pub struct Readings<G: Game> {
    first: G,
    others: Vec<G>,
    /// Whether anything is known.
    known: bool,
    /// The boards of which nothing is known.
    lost: Vec<G::Board>,
}

impl<G: Game> Readings<G> {
    /// A position that is known.
    #[must_use]
    pub const fn of(position: G) -> Self {
        Self {
            first: position,
            others: Vec::new(),
            known: true,
            lost: Vec::new(),
        }
    }

    /// The position under the first reading; `None` if nothing is known.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> Option<&G> {
        if self.known { Some(&self.first) } else { None }
    }

    /// The position under the first reading, or the last one before nothing was known.
    #[inline]
    #[must_use]
    pub const fn latest(&self) -> &G {
        &self.first
    }

    /// The position under each reading; none if nothing is known.
    pub fn iter(&self) -> impl Iterator<Item = &G> + Clone {
        self.position().into_iter().chain(&self.others)
    }

    /// Whether anything is known.
    #[inline]
    #[must_use]
    pub const fn is_any(&self) -> bool {
        self.known
    }

    /// Whether the position is completely known.
    #[inline]
    #[must_use]
    pub const fn is_sure(&self) -> bool {
        self.known && self.others.is_empty() && self.lost.is_empty()
    }

    /// The boards of which nothing is known, sorted.
    #[must_use]
    pub fn lost(&self) -> &[G::Board] {
        &self.lost
    }

    /// The outermost lost board that is this board or contains it.
    #[inline]
    #[must_use]
    pub fn lost_around(&self, at: G::Board) -> Option<G::Board> {
        if self.lost.is_empty() {
            return None;
        }
        // No lost board is inside another, so in sorted order none comes between a board and the lost one that contains
        // it.
        let after = self.lost.partition_point(|lost| *lost <= at);
        let lost = self.lost.get(after.checked_sub(1)?)?;
        lost.contains(at).then_some(*lost)
    }

    /// Plays a ply under every reading. Returns its effects under the first.
    #[inline]
    pub fn play(&mut self, ply: G::Ply) -> G::Effects {
        for other in &mut self.others {
            other.play(ply);
        }
        self.first.play(ply)
    }

    /// Applies something other than a ply, and keeps the readings under which it is possible. Returns its effects under
    /// the first of them; `None`, with nothing changed, if it is possible under none.
    pub fn happen(&mut self, at: G::Board, event: Happening) -> Option<G::Effects> {
        if self.others.is_empty() {
            let brought = self.first.happen(at, event);
            return if self.known { brought } else { None };
        }
        let mut brought = None;
        let mut after = Vec::with_capacity(self.others.len() + 1);
        for reading in self.iter() {
            let mut reading = reading.clone();
            if let Some(effects) = reading.happen(at, event) {
                brought.get_or_insert(effects);
                after.push(reading);
            }
        }
        if brought.is_some() {
            self.replace(after);
        }
        brought
    }

    /// Follows everything that an act which stands may have done: each act in each reading makes one of its own. Returns
    /// whether any is possible; if none is, or they are too many, nothing is changed.
    pub fn stand(
        &mut self,
        at: G::Board,
        standing_acts: &[StandingAct],
        thin: impl FnOnce(&mut Vec<G>),
    ) -> bool {
        let mut after = Vec::new();
        for reading in self.iter() {
            for standing_act in standing_acts {
                let mut reading = reading.clone();
                if reading
                    .happen(at, Happening::Stood(*standing_act))
                    .is_some()
                {
                    after.push(reading);
                }
            }
        }
        thin(&mut after);
        let is_possible = (1..=MOST).contains(&after.len());
        if is_possible {
            self.replace(after);
        }
        is_possible
    }

    /// Keeps the readings that match; if none does, nothing is known.
    pub fn retain(&mut self, mut wanted: impl FnMut(&G) -> bool) {
        let kept = self
            .iter()
            .filter(|reading| wanted(reading))
            .cloned()
            .collect();
        self.replace(kept);
    }

    /// Nothing is known any more.
    pub fn lose_all(&mut self) {
        self.known = false;
        self.others = Vec::new();
    }

    /// A board is closed, and what was known last of the others holds again. A board that opens there later is another.
    pub fn hold_again(&mut self, closed: G::Board) {
        self.known = true;
        self.lost.retain(|lost| !closed.contains(*lost));
    }

    /// From here on nothing is known of these boards, on one of which an act was done. Drops the readings under which
    /// `bars` forbids it, unless all of them do.
    pub fn lose(
        &mut self,
        one_of: &[G::Board],
        bars: impl Fn(&G, G::Board) -> bool,
        thin: impl FnOnce(&mut Vec<G>),
    ) {
        if one_of.contains(&G::Board::WHOLE) {
            return self.lose_all();
        }
        for at in one_of {
            self.enter_lost(*at);
        }
        self.forget(one_of, bars, thin);
    }

    fn enter_lost(&mut self, at: G::Board) {
        if self.lost_around(at).is_some() {
            return;
        }
        // Those inside it come directly after it.
        let place = self.lost.partition_point(|lost| *lost < at);
        let inside = self.lost[place..]
            .iter()
            .take_while(|lost| at.contains(**lost))
            .count();
        self.lost.splice(place..place + inside, [at]);
    }

    /// An act on one of these boards cannot be judged.
    pub fn forget(
        &mut self,
        one_of: &[G::Board],
        bars: impl Fn(&G, G::Board) -> bool,
        thin: impl FnOnce(&mut Vec<G>),
    ) {
        let Some(mut after) = self.after_unknown(one_of, bars) else {
            return self.lose_all();
        };
        // The act was possible, so readings that forbid it are dropped, unless all do.
        if after.is_empty() {
            return;
        }
        thin(&mut after);
        self.replace(if after.len() > MOST {
            Vec::new()
        } else {
            after
        });
    }

    /// The readings after an act on one of these boards of which nothing is known; `None` if they are too many, or cannot be
    /// listed.
    fn after_unknown(
        &self,
        one_of: &[G::Board],
        bars: impl Fn(&G, G::Board) -> bool,
    ) -> Option<Vec<G>> {
        let mut after = Vec::new();
        for reading in self.iter() {
            for at in one_of {
                let is_listed = bars(reading, *at) || reading.forget(*at, &mut after);
                if !is_listed || after.len() > MOST_UNTHINNED {
                    return None;
                }
            }
        }
        Some(after)
    }

    fn replace(&mut self, readings: Vec<G>) {
        let mut readings = readings.into_iter();
        match readings.next() {
            Some(first) => {
                self.first = first;
                self.others = readings.collect();
            }
            None => self.lose_all(),
        }
    }
}
