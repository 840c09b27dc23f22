//! What a requested ply means in the innermost game, and why an act on individuals is illegal.

use super::{Due, Over, Ply, SubSetPlace, state::Phase};
use crate::overchess::laws as law;
use overboard_rules::{
    general as common,
    path::BoardPath,
    rule::Rule,
    square::{Side, Square},
};

mod game;

pub use game::{Asked, Breach};
pub(super) use game::{NO_PRISONERS, NOT_AGREED, against_pieces};

type Reason = (String, &'static Rule);

impl Over {
    /// The requested ply, or why it is illegal.
    ///
    /// # Errors
    /// The rule that it breaks, where, and what was possible.
    pub fn judge(&self, asked: Asked) -> Result<Ply, Box<Breach>> {
        let own = self.is_about_individuals();
        match asked {
            Asked::Ply(ply) if self.is_legal(&ply) => Ok(ply),
            Asked::Ply(ply) if own || ply.is_of_individuals() => {
                self.refuse(self.against_ply(&ply), self.alike(&ply))
            }
            _ if own => self.refuse(self.what_is_due(), Vec::new()),
            _ => self.current().game.judge(asked).map_err(|mut breach| {
                breach.at = self.within();
                breach
            }),
        }
    }

    /// Whether an act on individuals is due.
    fn is_about_individuals(&self) -> bool {
        let inner = self.current();
        inner.individuals().is_some_and(|who| {
            who.placing.is_some()
                || (inner.depth() > 1 && matches!(inner.game.phase, Phase::Giving(..)))
                || !who.captives.is_empty()
        })
    }

    /// The path to the game in progress, not to one that is only being set up.
    fn within(&self) -> BoardPath {
        let path = self.current_path();
        match self.due() {
            Due::Sub(on) => path.on(on),
            _ => path,
        }
    }

    pub(super) fn refuse<T>(&self, reason: Reason, possible: Vec<Ply>) -> Result<T, Box<Breach>> {
        Err(self.breach(reason, possible))
    }

    pub(super) fn breach(&self, (words, rule): Reason, possible: Vec<Ply>) -> Box<Breach> {
        Box::new(Breach {
            words,
            rule,
            at: self.within(),
            possible,
        })
    }

    /// The legal plies of the same kind.
    fn alike(&self, ply: &Ply) -> Vec<Ply> {
        let mut alike = Vec::new();
        self.legal_moves(|legal| {
            let plain = !legal.is_of_individuals() && !ply.is_of_individuals();
            if plain || std::mem::discriminant(&legal) == std::mem::discriminant(ply) {
                alike.push(legal);
            }
        });
        alike
    }

    pub(super) fn what_is_due(&self) -> Reason {
        if self.has_fallen() {
            return ("the game had ended".into(), &common::ENDED);
        }
        match self.due() {
            Due::Setup(at, side) => {
                let whose = if side == Side::White {
                    "attacker"
                } else {
                    "defender"
                };
                (
                    format!("the {whose}'s set-up of the sub-game on {at} is due"),
                    &law::SET_UP,
                )
            }
            Due::Giving => ("a consolidation is going on".into(), &law::CONSOLIDATION),
            Due::Settling(at) => (
                format!("the sub-game is being settled for the over-piece on {at}"),
                &law::MOMENTS,
            ),
            Due::Over | Due::OverFrom(_) => ("an over-move is due".into(), &law::OVER_GAME),
            Due::Sub(at) => (format!("the sub-game on {at} comes first"), &law::ATTACK),
        }
    }

    fn against_ply(&self, ply: &Ply) -> Reason {
        match *ply {
            Ply::Place(place, on) => self.against_placing(place, on),
            Ply::Take(place) => self.against_taking(place),
            Ply::Hand(place, to) => self.against_handing(place, to),
            Ply::Done if self.due() == Due::Giving => (
                "an individual in hand still fits into a sub-set".into(),
                &law::CONSOLIDATION,
            ),
            Ply::Give(..) if self.due() == Due::Giving => {
                ("who is handed over is to be named".into(), &law::DEEP_PLIES)
            }
            Ply::Prisoners(_) if !self.captives().is_empty() => {
                ("who is taken prisoner is to be named".into(), &law::NAMED)
            }
            _ => self.what_is_due(),
        }
    }

    fn against_placing(&self, place: SubSetPlace, on: SubSetPlace) -> Reason {
        let Some((side, next)) = self.placing() else {
            return self.what_is_due();
        };
        let armies = self.current().armies();
        if armies.is_none_or(|armies| armies[side].at(place).is_none()) {
            return (
                format!("the sub-set has nobody in the place {}", place.square()),
                &law::DEPLETION,
            );
        }
        if place.role() != on.role() {
            let words = format!(
                "{} is not regular for a {}",
                on.square(),
                place.role().name()
            );
            return (words, &law::SET_UP);
        }
        if place != next {
            return (
                format!("the individual of {} is to be set up next", next.square()),
                &law::DEEP_PLIES,
            );
        }
        (
            format!("another individual stands on {}", on.square()),
            &law::SET_UP,
        )
    }

    fn against_taking(&self, place: SubSetPlace) -> Reason {
        if !self.rules().prisoners {
            return (NOT_AGREED.into(), &law::PRISONERS);
        }
        let game = &self.current().game;
        let Some(part) = game.part() else {
            return (NO_PRISONERS.into(), &law::PRISONERS);
        };
        let room = game.set(part.at).pieces.room();
        if room.count(place.role()) == 0 {
            let words = format!("the sub-set has no room for a {}", place.role().name());
            return (words, &law::LIMIT);
        }
        let on = place.square();
        let words = format!("nobody who may be taken any more was in the place {on}");
        (words, &law::PRISONERS)
    }

    fn against_handing(&self, place: SubSetPlace, to: Square) -> Reason {
        let inner = self.current();
        if !matches!(inner.game.phase, Phase::Giving(..)) || inner.depth() == 1 {
            return self.what_is_due();
        }
        let hand = self.hand();
        if hand.at(place).is_none() {
            let words = format!(
                "nobody of the place {} is left to be handed over",
                place.square()
            );
            return (words, &law::CONSOLIDATION);
        }
        if let Some(reason) = inner.game.has_no_room(to, place.role()) {
            return reason;
        }
        let words = "individuals are handed over in the order P N B R Q, then by place, and none that fits is left out";
        (words.into(), &law::DEEP_PLIES)
    }
}

impl Ply {
    /// Whether it is an act on an individual.
    const fn is_of_individuals(self) -> bool {
        matches!(self, Self::Place(..) | Self::Take(_) | Self::Hand(..))
    }
}
