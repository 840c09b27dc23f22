//! What a ply that is asked for means at depth 2 and more, and why it is no legal one.

use super::{Asked, Deep, DeepPly, Due, Place, Places, Ply, Role, Side};
use crate::{
    laws::{common, overchess as law},
    overchess::{
        against::NO_PRISONERS,
        board::bit,
        game::{Phase, has_set},
    },
    path::{BoardPath, index},
    ply::Written,
    rule::Rule,
    square::Square,
};

/// What a record, or a player, asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeepAsked {
    /// A move on the innermost over-board.
    Over(Written),
    /// A move of the sub-game of chess.
    Sub(Written),
    /// Any other ply, as it is.
    Ply(DeepPly),
}

/// A refused ply: why, the rule, in which game, and what was possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeepBreach {
    /// Why.
    pub words: String,
    /// The rule.
    pub rule: &'static Rule,
    /// The way to the game in which the rule is broken.
    pub within: BoardPath,
    /// Legal plies that come to mind.
    pub possible: Vec<DeepPly>,
}

type Reason = (String, &'static Rule);

impl Deep {
    /// The ply that is asked for, or why it is no legal one.
    ///
    /// # Errors
    /// The rule that it breaks, where, and what was possible.
    pub fn judge(&self, asked: DeepAsked) -> Result<DeepPly, Box<DeepBreach>> {
        let inner = self.innermost();
        let own = inner.placing.is_some()
            || (inner.depth > 1 && matches!(inner.over.game.phase, Phase::Giving(..)))
            || inner.captives.held().next().is_some();
        match asked {
            DeepAsked::Ply(ply) if self.is_legal(&ply) => Ok(ply),
            DeepAsked::Ply(DeepPly::Plain(ply)) if !own => self.plain(Asked::Ply(ply)),
            DeepAsked::Over(written) if !own => self.plain(Asked::Over(written)),
            DeepAsked::Sub(written) if !own => self.plain(Asked::Sub(written)),
            DeepAsked::Ply(ply) => self.refuse(self.against_ply(&ply), self.alike(&ply)),
            DeepAsked::Over(_) | DeepAsked::Sub(_) => self.refuse(self.what_is_due(), Vec::new()),
        }
    }

    fn plain(&self, asked: Asked) -> Result<DeepPly, Box<DeepBreach>> {
        self.current().judge(asked).map(DeepPly::Plain).map_err(|breach| {
            let possible = breach.possible.iter().copied().map(DeepPly::Plain).collect();
            Box::new(DeepBreach { words: breach.words, rule: breach.rule, within: self.within(), possible })
        })
    }

    /// The way to the game that goes on, not to one that is only set up.
    fn within(&self) -> BoardPath {
        let path = self.path_of(self.open() - 1);
        match self.due() {
            Due::Sub(on) => path.on(on),
            _ => path,
        }
    }

    fn refuse(&self, (words, rule): Reason, possible: Vec<DeepPly>) -> Result<DeepPly, Box<DeepBreach>> {
        Err(Box::new(DeepBreach { words, rule, within: self.within(), possible }))
    }

    /// The legal plies of the same sort.
    fn alike(&self, ply: &DeepPly) -> Vec<DeepPly> {
        let mut alike = Vec::new();
        self.for_each_legal(|legal| {
            if std::mem::discriminant(&legal) == std::mem::discriminant(ply) {
                alike.push(legal);
            }
        });
        alike
    }

    fn what_is_due(&self) -> Reason {
        if self.has_fallen() {
            return ("the game had ended".into(), &common::ENDED);
        }
        match self.due() {
            Due::Setup(at, side) => {
                let whose = if side == Side::White { "attacker" } else { "defender" };
                (format!("the {whose}'s set-up of the sub-game on {at} is due"), &law::SET_UP)
            }
            Due::Giving => ("a consolidation is going on".into(), &law::CONSOLIDATION),
            Due::Settling(at) => {
                (format!("the sub-game is being settled for the over-piece on {at}"), &law::MOMENTS)
            }
            Due::Over | Due::OverFrom(_) => ("an over-move is due".into(), &law::OVER_GAME),
            Due::Sub(at) => (format!("the sub-game on {at} is to be played first"), &law::ATTACK),
        }
    }

    fn against_ply(&self, ply: &DeepPly) -> Reason {
        match *ply {
            DeepPly::Place(place, on) => self.against_placing(place, on),
            DeepPly::Take(place) => self.against_taking(place),
            DeepPly::Hand(place, to) => self.against_handing(place, to),
            DeepPly::Plain(Ply::Done) if self.due() == Due::Giving => {
                ("an individual in hand still fits into a sub-set".into(), &law::CONSOLIDATION)
            }
            DeepPly::Plain(Ply::Give(..)) if self.due() == Due::Giving => {
                ("who is handed over is to be named".into(), &law::DEEP_PLIES)
            }
            DeepPly::Plain(Ply::Prisoners(_)) if self.captives().held().next().is_some() => {
                ("who is taken prisoner is to be named".into(), &law::NAMED)
            }
            DeepPly::Plain(_) => self.what_is_due(),
        }
    }

    fn against_placing(&self, place: Place, on: Place) -> Reason {
        let Some((side, next)) = self.placing() else { return self.what_is_due() };
        let army = &self.innermost().placing.as_ref().map(|placing| &placing.armies[side as usize]);
        if army.is_none_or(|army| army.at(place).is_none()) {
            return (format!("the sub-set has nobody in the place {}", place.square()), &law::DEPLETION);
        }
        if place.role() != on.role() {
            let words = format!("{} is not regular for a {}", on.square(), place.role().name());
            return (words, &law::SET_UP);
        }
        if place != next {
            return (format!("the individual of {} is to be set up next", next.square()), &law::DEEP_PLIES);
        }
        (format!("another individual stands on {}", on.square()), &law::SET_UP)
    }

    fn against_taking(&self, place: Place) -> Reason {
        if !self.options.prisoners {
            return ("prisoners are taken only where the rules of the game say so".into(), &law::PRISONERS);
        }
        match self.current().game.part() {
            Some(part) if self.current().game.set(part.at).men.room().count(place.role()) == 0 => {
                (format!("the sub-set has no room for a {}", place.role().name()), &law::LIMIT)
            }
            Some(_) => (
                format!("nobody who may be taken any more was in the place {}", place.square()),
                &law::PRISONERS,
            ),
            None => (NO_PRISONERS.into(), &law::PRISONERS),
        }
    }

    fn against_handing(&self, place: Place, to: Square) -> Reason {
        let inner = self.innermost();
        if !matches!(inner.over.game.phase, Phase::Giving(..)) || inner.depth == 1 {
            return self.what_is_due();
        }
        let hand: &Places = self.hand();
        if hand.at(place).is_none() {
            let words = format!("nobody of the place {} is left to be handed over", place.square());
            return (words, &law::CONSOLIDATION);
        }
        let game = &inner.over.game;
        let own = game.board.piece_at(index(to)).filter(|piece| piece.side == game.turn && has_set(*piece));
        let role: Role = place.role();
        if own.is_none() {
            return (format!("no sub-set of {} is on {to}", game.turn), &law::CONSOLIDATION);
        }
        if game.barred() & bit(index(to)) != 0 {
            return (format!("{to} is contested, and contested sub-sets have no room"), &law::CONSOLIDATION);
        }
        if game.set(index(to)).men.room().count(role) == 0 {
            return (format!("the sub-set of {to} has no room for a {}", role.name()), &law::LIMIT);
        }
        let words = "individuals are handed over in the order P N B R Q, then by place, and none that fits is left out";
        (words.into(), &law::DEEP_PLIES)
    }
}
