//! Plies that are due and that records omit (GEN-8), one at a time.

use super::{Breach, Due, Over, Ply, Roster};
use crate::overchess::laws as law;
use overboard_rules::by_side::BySide;

impl Over {
    /// Whether something is due that records may omit: a set-up, settling a sub-game, the end of a consolidation.
    #[must_use]
    pub fn may_be_unsaid(&self) -> bool {
        matches!(self.due(), Due::Setup(..) | Due::Settling(_) | Due::Giving)
    }

    /// The next ply of settling a sub-game about which the record says nothing: all prisoners that fit are taken, and
    /// no spares. `None` if nothing is being settled.
    ///
    /// # Errors
    /// More prisoners with names survive than fit (OV-41).
    pub fn unsaid_settling(&self) -> Result<Option<Ply>, Box<Breach>> {
        let Due::Settling(_) = self.due() else {
            return Ok(None);
        };
        let fits = self.prisoners_that_fit();
        let captives = self.captives();
        let Some(first) = captives.held().next() else {
            return Ok(Some(if fits.is_none() {
                Ply::Done
            } else {
                Ply::Prisoners(fits)
            }));
        };
        let all = captives.roster();
        if all == fits {
            return Ok(Some(Ply::Take(first)));
        }
        let mut more = Vec::from_iter(captives.held());
        more.retain(|place| all.count(place.role()) > fits.count(place.role()));
        let words = "more prisoners survive than fit: they must be named".into();
        let possible = more.into_iter().map(Ply::Take).collect();
        self.refuse((words, &law::NAMED), possible)
    }

    /// How many prisoners the over-piece being settled may still take.
    pub(super) fn prisoners_that_fit(&self) -> Roster {
        match self.current().settling().next() {
            Some((_, pieces)) => pieces,
            None => Roster::NONE,
        }
    }

    /// The next ply of a consolidation that is omitted because there is no other (OV-24).
    #[must_use]
    pub fn only_gift(&self) -> Option<Ply> {
        let Due::Giving = self.due() else { return None };
        match self.legal_plies()[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The refusal of an unwritten consolidation that has more than one continuation (OV-24).
    pub(super) fn unwritten_gifts(&self) -> Box<Breach> {
        let words = match self.current().giving() {
            Some((left, _)) if self.current().depth() == 1 => {
                format!(
                    "pieces are left to be handed over, and the record does not say to which sub-set: {left}"
                )
            }
            _ => {
                "individuals are left to be handed over, and the record does not say to which sub-set".into()
            }
        };
        self.breach((words, &law::CONSOLIDATED), self.legal_plies())
    }

    /// The next ply of a set-up that is not written: in complete sub-sets every individual is in its own place. `None`
    /// if no set-up is due.
    ///
    /// # Errors
    /// A sub-set is not complete, so its set-up must be written.
    pub fn unsaid_placing(&self) -> Result<Option<Ply>, Box<Breach>> {
        let Due::Setup(on, _) = self.due() else {
            return Ok(None);
        };
        if let Some((_, place)) = self.placing()
            && let Some(armies) = self.current().armies()
            && armies.map(|army| army.roster()) == BySide::both(Roster::FULL)
        {
            let in_place = Ply::Place(place, place);
            if self.is_legal(&in_place) {
                return Ok(Some(in_place));
            }
        }
        let words =
            format!("a sub-set on {on} is not complete, and there is no FEN with its set-up");
        self.refuse((words, &law::SET_UP), Vec::new())
    }
}
