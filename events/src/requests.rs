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
    tournament::ByScore,
};

/// Why a request is not possible, or none is found. Participants are named as messages quote them, kinds as
/// [`RequestKind::noun`] does.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// The two participants are one.
    #[error("--other must name another participant")]
    OnlyOne,
    /// A request of this kind is about one participant.
    #[error("--other is only for forbid, not for {0}")]
    Other(&'static str),
    /// A request of this kind has no points.
    #[error("points are only for a penalty, not for {0}")]
    Points(&'static str),
    /// A penalty without points.
    #[error("a penalty needs points, such as --match-points=-1 or --game-points=-1")]
    NoPoints,
    /// There is no such round.
    #[error("there is no round {round} for a {kind}: the event has {}", counted(*.rounds, "round"))]
    NoRound {
        /// The round.
        round: RoundNo,
        /// What was requested.
        kind: &'static str,
        /// How many rounds there are.
        rounds: u32,
    },
    /// Pairs cannot be forbidden in this system.
    #[error("pairs can only be forbidden in the systems swiss-team and by-hand")]
    NoPairsByHand,
    /// Byes cannot be requested in this system.
    #[error("byes can only be requested in the systems swiss-team and by-hand")]
    NoByes,
    /// These two are forbidden to meet already.
    #[error("{0} and {1} are already forbidden to meet")]
    Forbidden(String, String),
    /// It has withdrawn already.
    #[error("{0} has already withdrawn")]
    Withdrawn(String),
    /// It comes later by an earlier request.
    #[error("{name} comes in round {round} by an earlier request")]
    Late {
        /// The participant.
        name: String,
        /// The round.
        round: RoundNo,
    },
    /// It has withdrawn before the round.
    #[error("{name} has withdrawn from round {from} on")]
    Gone {
        /// The participant.
        name: String,
        /// The first round without it.
        from: RoundNo,
    },
    /// It has not arrived in the round.
    #[error("{name} has not arrived yet in round {round}, and scores nothing in it")]
    NotArrived {
        /// The participant.
        name: String,
        /// The round.
        round: RoundNo,
    },
    /// It has a bye already.
    #[error("{name} already has a {kind} in round {round}")]
    HasBye {
        /// The participant.
        name: String,
        /// Which bye.
        kind: &'static str,
        /// The round.
        round: RoundNo,
    },
    /// A bye for a round that is paired.
    #[error(
        "round {0} is already paired; --correct gives this bye to a participant who has another one there"
    )]
    ByeTooLate(RoundNo),
    /// A withdrawal from a round that is paired.
    #[error(
        "round {round} is already paired: a withdrawal counts from round {from} on, and anyone absent from a paired game loses it by forfeit (`overboard result`, 1-0f or 0-1f)"
    )]
    WithdrawalTooLate {
        /// The round.
        round: RoundNo,
        /// The first one from which it counts.
        from: usize,
    },
    /// A withdrawal from a round with a result.
    #[error("{name} has a result in round {last}; a withdrawal counts from round {} on", .last.next())]
    HasResult {
        /// The participant.
        name: String,
        /// The last round with a result.
        last: RoundNo,
    },
    /// A bye of a round that is paired is not removed.
    #[error(
        "round {round} is already paired; `overboard event request FOLDER zero-bye {who} --round {round} --correct` gives another bye there, `overboard pair set FOLDER {round}` an opponent"
    )]
    Paired {
        /// The round.
        round: RoundNo,
        /// The participant.
        who: TeamNo,
    },
    /// There is no such request.
    #[error("there is no {kind} for {name}{}", of_round(*.round))]
    None {
        /// What was requested.
        kind: &'static str,
        /// The participant.
        name: String,
        /// The round that was asked for, if one was.
        round: Option<RoundNo>,
    },
    /// There is more than one.
    #[error(
        "there is more than one {kind} for {name}, of the rounds {rounds}; --round says which, and for penalties --match-points and --game-points"
    )]
    Several {
        /// What was requested.
        kind: &'static str,
        /// The participant.
        name: String,
        /// The rounds.
        rounds: String,
    },
}

fn of_round(round: Option<RoundNo>) -> String {
    match round {
        Some(round) => format!(", round {round}"),
        None => String::new(),
    }
}

impl Event {
    /// Checks that a request can be added.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn accept(&self, request: &Request) -> Result<(), RequestError> {
        if request.other == Some(request.who) {
            return Err(RequestError::OnlyOne);
        }
        if request.other.is_some() && request.kind != RequestKind::Forbid {
            return Err(RequestError::Other(request.kind.noun()));
        }
        if request.points != ByScore::ZERO && request.kind != RequestKind::Penalty {
            return Err(RequestError::Points(request.kind.noun()));
        }
        self.in_time(request)?;
        self.is_possible(request, &self.requests)?;
        self.is_open(request)
    }

    /// The index of an existing request, to remove it: the only one of its kind, or that of the round.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn asked(&self, request: &Request, round: Option<RoundNo>) -> Result<usize, RequestError> {
        let mut found = self.alike(request, round);
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
                let Request { kind, round, .. } = self.requests[place];
                if kind.is_bye() && round.index() < self.rounds.len() {
                    let who = request.who;
                    return Err(RequestError::Paired { round, who });
                }
                Ok(place)
            }
            [] => Err(RequestError::None { kind, name, round }),
            _ => {
                let round = |place: &usize| self.requests[*place].round.to_string();
                let rounds: Vec<String> = found.iter().map(round).collect();
                let rounds = rounds.join(", ");
                Err(RequestError::Several { kind, name, rounds })
            }
        }
    }

    /// The indices of the requests of the same kind for the same participants, and with the same round and points where
    /// these are given.
    fn alike(&self, request: &Request, round: Option<RoundNo>) -> Vec<usize> {
        let mut found = Vec::new();
        for (place, known) in self.requests.iter().enumerate() {
            let is_of_round = round.is_none() || round == Some(known.round);
            if is_of_round && is_alike(known, request) {
                found.push(place);
            }
        }
        found
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
    fn is_possible(&self, request: &Request, known: &[Request]) -> Result<(), RequestError> {
        self.has_round(request)?;
        self.has_effect(request, known)
    }

    /// Checks that the round exists. In some systems the number of rounds follows from the number of participants,
    /// which may change until round 1 is paired.
    fn has_round(&self, request: &Request) -> Result<(), RequestError> {
        let scheduled = self.scheduled();
        let is_known = self.settings.rounds.is_some() || !self.rounds.is_empty();
        if is_known && scheduled > 0 && request.round.get() > scheduled {
            return Err(RequestError::NoRound {
                round: request.round,
                kind: request.kind.noun(),
                rounds: scheduled,
            });
        }
        Ok(())
    }

    /// Checks that a request has an effect, given those that are known.
    fn has_effect(&self, request: &Request, known: &[Request]) -> Result<(), RequestError> {
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
            RequestKind::Forbid if !self.takes_pairs_by_hand() => Err(RequestError::NoPairsByHand),
            RequestKind::Forbid
                if known.iter().any(|known| {
                    known.kind == kind && both(known) == both(request) && known.round <= round
                }) =>
            {
                let other = request.other.map(|other| self.called(other));
                let other = other.unwrap_or_default();
                Err(RequestError::Forbidden(name, other))
            }
            RequestKind::Penalty if points == ByScore::ZERO => Err(RequestError::NoPoints),
            _ if kind.is_bye() => self.bye_has_effect(request, known),
            _ => match (kind, first) {
                (RequestKind::Withdraw, Some(_)) => Err(RequestError::Withdrawn(name)),
                (RequestKind::Late, Some(known)) => {
                    let round = known.round;
                    Err(RequestError::Late { name, round })
                }
                _ => Ok(()),
            },
        }
    }

    fn bye_has_effect(&self, request: &Request, known: &[Request]) -> Result<(), RequestError> {
        let Request { round, who, .. } = *request;
        let name = self.called(who);
        if !self.takes_pairs_by_hand() {
            return Err(RequestError::NoByes);
        }
        if !self.is_in(who, round) {
            return Err(match self.request(who, RequestKind::Withdraw) {
                Some(gone) if gone.round <= round => {
                    let from = gone.round;
                    RequestError::Gone { name, from }
                }
                _ => RequestError::NotArrived { name, round },
            });
        }
        let is_bye =
            |known: &&Request| known.who == who && known.round == round && known.kind.is_bye();
        match known.iter().find(is_bye) {
            Some(known) => {
                let kind = known.kind.as_str();
                Err(RequestError::HasBye { name, kind, round })
            }
            None => Ok(()),
        }
    }

    /// Checks that a bye or withdrawal is not for a round that is already paired.
    fn in_time(&self, request: &Request) -> Result<(), RequestError> {
        let Request { round, kind, .. } = *request;
        let paired = self.rounds.len();
        if round.index() >= paired {
            return Ok(());
        }
        match kind {
            _ if kind.is_bye() && self.takes_pairs_by_hand() => {
                Err(RequestError::ByeTooLate(round))
            }
            RequestKind::Withdraw if self.is_paired_by_results() => {
                let from = paired + 1;
                Err(RequestError::WithdrawalTooLate { round, from })
            }
            _ => Ok(()),
        }
    }

    /// Checks that a participant does not withdraw before a round in which it has a result.
    fn is_open(&self, request: &Request) -> Result<(), RequestError> {
        if request.kind != RequestKind::Withdraw {
            return Ok(());
        }
        match self.last_with_result(request.who) {
            Some(last) if last >= request.round => {
                let name = self.called(request.who);
                Err(RequestError::HasResult { name, last })
            }
            _ => Ok(()),
        }
    }

    /// The last round in which a participant has a result.
    fn last_with_result(&self, who: TeamNo) -> Option<RoundNo> {
        let has_result = |round: &Round| {
            let this = round.of(who);
            this.is_some_and(|this| self.outcome(this).is_some())
        };
        let last = self.rounds.iter().rposition(has_result)?;
        Some(RoundNo::at(last))
    }
}

/// Whether a request is of the same kind and for the same participants as another, and with its points if it has any.
fn is_alike(known: &Request, other: &Request) -> bool {
    let has_points = other.points == ByScore::ZERO || known.points == other.points;
    known.kind == other.kind && both(known) == both(other) && has_points
}

/// The participants that a request is about, sorted.
fn both(request: &Request) -> [Option<TeamNo>; 2] {
    let mut both = [Some(request.who), request.other];
    both.sort();
    both
}
