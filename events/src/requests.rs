//! Checks that requests are possible: byes, withdrawals, forbidden pairs, penalties.

use crate::{
    Event,
    csv::CsvError,
    roster::{Request, RequestKind},
    rounds::Round,
};
use overboard_rules::refusal::counted;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};

impl Event {
    /// Checks that a request can be added.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn accept(&self, request: &Request) -> Result<(), String> {
        if request.other == Some(request.who) {
            return Err("--other must name another participant".into());
        }
        if request.other.is_some() && request.kind != RequestKind::Forbid {
            return Err(format!(
                "--other is only for forbid, not for {}",
                request.kind.noun()
            ));
        }
        if request.points != [Points::ZERO; 2] && request.kind != RequestKind::Penalty {
            return Err(format!(
                "points are only for a penalty, not for {}",
                request.kind.noun()
            ));
        }
        self.in_time(request)?;
        self.is_possible(request, &self.requests)?;
        self.is_open(request)
    }

    /// The index of an existing request, to remove it: the only one of its kind, or that of the round.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn asked(&self, request: &Request, round: Option<RoundNo>) -> Result<usize, String> {
        let mut found = Vec::new();
        for (place, known) in self.requests.iter().enumerate() {
            let is_alike = known.kind == request.kind
                && both(known) == both(request)
                && (round.is_none() || round == Some(known.round))
                && (request.points == [Points::ZERO; 2] || known.points == request.points);
            if is_alike {
                found.push(place);
            }
        }
        // Of several that are the same, the last one goes.
        if let Some(last) = found.last().copied() {
            let figures = |place: usize| {
                let known = &self.requests[place];
                (known.round, known.points)
            };
            if found.iter().all(|place| figures(*place) == figures(last)) {
                found = vec![last];
            }
        }
        let (name, kind) = (self.called(request.who), request.kind.noun());
        match found[..] {
            [place] => {
                let known = &self.requests[place];
                if known.kind.is_bye() && known.round.index() < self.rounds.len() {
                    let round = known.round;
                    return Err(format!(
                        "round {round} is already paired; `overboard event request FOLDER zero-bye {} --round {round} --correct` gives another bye there, `overboard pair set FOLDER {round}` an opponent",
                        request.who
                    ));
                }
                Ok(place)
            }
            [] => {
                let mut why = format!("there is no {kind} for {name}");
                if let Some(round) = round {
                    why.push_str(&format!(", round {round}"));
                }
                Err(why)
            }
            _ => {
                let round = |place: &usize| self.requests[*place].round.to_string();
                let rounds: Vec<String> = found.iter().map(round).collect();
                Err(format!(
                    "there is more than one {kind} for {name}, of the rounds {}; --round says which, and for penalties --match-points and --game-points",
                    rounds.join(", ")
                ))
            }
        }
    }

    /// Requests without effect, which no command would accept: for rounds that do not exist, or contradicted by others.
    #[must_use]
    pub fn idle_requests(&self) -> Vec<CsvError> {
        let mut idle = Vec::new();
        for (place, request) in self.requests.iter().enumerate() {
            let known = &self.requests[..place];
            if let Err(why) = self.is_possible(request, known) {
                let kind = request.kind.noun();
                idle.push(
                    request
                        .at
                        .fault(format!("this {kind} is not possible: {why}")),
                );
            }
        }
        idle
    }

    /// Checks that its round exists, and that it has an effect, given those that are known.
    fn is_possible(&self, request: &Request, known: &[Request]) -> Result<(), String> {
        self.has_round(request)?;
        self.has_effect(request, known)
    }

    /// Checks that the round exists. In some systems the number of rounds follows from the number of participants,
    /// which may change until round 1 is paired.
    fn has_round(&self, request: &Request) -> Result<(), String> {
        let scheduled = self.scheduled();
        let is_known = self.settings.rounds.is_some() || !self.rounds.is_empty();
        if is_known && scheduled > 0 && request.round.get() > scheduled {
            return Err(format!(
                "there is no round {} for a {}: the event has {}",
                request.round,
                request.kind.noun(),
                counted(scheduled, "round")
            ));
        }
        Ok(())
    }

    /// Checks that a request has an effect, given those that are known.
    fn has_effect(&self, request: &Request, known: &[Request]) -> Result<(), String> {
        let Request {
            round,
            kind,
            who,
            points,
            ..
        } = *request;
        let name = self.called(who);
        let mut all = known.iter();
        let first = all.find(|known| known.who == who && known.kind == kind);
        match kind {
            RequestKind::Forbid if !self.takes_pairs_by_hand() => {
                Err("pairs can only be forbidden in the systems swiss-team and by-hand".into())
            }
            RequestKind::Forbid
                if known.iter().any(|known| {
                    known.kind == kind && both(known) == both(request) && known.round <= round
                }) =>
            {
                let other = request.other.map(|other| self.called(other));
                let other = other.unwrap_or_default();
                Err(format!("{name} and {other} are already forbidden to meet"))
            }
            RequestKind::Penalty if points == [Points::ZERO; 2] => {
                Err("a penalty needs points, such as --match-points=-1 or --game-points=-1".into())
            }
            _ if kind.is_bye() => self.bye_has_effect(request, known),
            _ => match (kind, first) {
                (RequestKind::Withdraw, Some(_)) => Err(format!("{name} has already withdrawn")),
                (RequestKind::Late, Some(known)) => Err(format!(
                    "{name} comes in round {} by an earlier request",
                    known.round
                )),
                _ => Ok(()),
            },
        }
    }

    fn bye_has_effect(&self, request: &Request, known: &[Request]) -> Result<(), String> {
        let Request { round, who, .. } = *request;
        let name = self.called(who);
        if !self.takes_pairs_by_hand() {
            return Err("byes can only be requested in the systems swiss-team and by-hand".into());
        }
        if !self.is_in(who, round) {
            return Err(match self.request(who, RequestKind::Withdraw) {
                Some(gone) if gone.round <= round => {
                    format!("{name} has withdrawn from round {} on", gone.round)
                }
                _ => {
                    format!("{name} has not arrived yet in round {round}, and scores nothing in it")
                }
            });
        }
        let is_bye =
            |known: &&Request| known.who == who && known.round == round && known.kind.is_bye();
        match known.iter().find(is_bye) {
            Some(known) => Err(format!(
                "{name} already has a {} in round {round}",
                known.kind.as_str()
            )),
            None => Ok(()),
        }
    }

    /// Checks that a bye or withdrawal is not for a round that is already paired.
    fn in_time(&self, request: &Request) -> Result<(), String> {
        let Request { round, kind, .. } = *request;
        let paired = self.rounds.len();
        if round.index() >= paired {
            return Ok(());
        }
        match kind {
            _ if kind.is_bye() && self.takes_pairs_by_hand() => Err(format!(
                "round {round} is already paired; --correct gives this bye to a participant who has another one there"
            )),
            RequestKind::Withdraw if self.is_paired_by_results() => Err(format!(
                "round {round} is already paired: a withdrawal counts from round {} on, and anyone absent from a paired game loses it by forfeit (`overboard result`, 1-0f or 0-1f)",
                paired + 1
            )),
            _ => Ok(()),
        }
    }

    /// Checks that a participant does not withdraw before a round in which it has a result.
    fn is_open(&self, request: &Request) -> Result<(), String> {
        if request.kind != RequestKind::Withdraw {
            return Ok(());
        }
        let has_result = |round: &Round| {
            let this = round.of(request.who);
            this.is_some_and(|this| self.outcome(this).is_some())
        };
        let Some(last) = self.rounds.iter().rposition(has_result) else {
            return Ok(());
        };
        let last = RoundNo::at(last);
        if last < request.round {
            return Ok(());
        }
        Err(format!(
            "{} has a result in round {last}; a withdrawal counts from round {} on",
            self.called(request.who),
            last.next()
        ))
    }
}

/// The participants that a request is about, sorted.
fn both(request: &Request) -> [Option<TeamNo>; 2] {
    let mut both = [Some(request.who), request.other];
    both.sort();
    both
}
