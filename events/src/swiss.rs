//! A team event as the input of the Swiss Team Pairing System.

use crate::{
    Event,
    pairing::RoundError,
    roster::RequestKind,
    rounds::{Bye, ByeKind, Match, Round},
    settings::{Settings, System, WrongSetting, keys_of},
};
use overboard_formats::serde_words::plain;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
    swiss_team::{
        acceleration::Acceleration,
        check::{Given, Verdict, check},
        next_round::{Event as Happened, NextRound, Past, Presence, Team},
        pair,
        settings::{Score, Settings as Regulations},
    },
    team::{self, Colour},
    tournament::{self, Entrant, Kind, RoundEntry, Worth},
};

impl Settings {
    /// Which teams have virtual points, and in which rounds (C.04.7).
    ///
    /// # Errors
    /// What is wrong with the key `acceleration`.
    pub fn acceleration(&self) -> Result<Option<Acceleration>, WrongSetting> {
        let wrong = |why: String| WrongSetting::new("swiss.acceleration", why);
        let table = self.swiss.as_ref();
        let Some(value) = table.and_then(|table| table.get("acceleration")) else {
            return Ok(None);
        };
        let found = match value {
            toml::Value::Boolean(true) => return Ok(Some(Acceleration::Baku)),
            toml::Value::Boolean(false) => return Ok(None),
            toml::Value::Array(_) => {
                Acceleration::Listed(value.clone().try_into().map_err(|error| {
                    wrong(format!(
                        "{}; a range is {{ points = 2, rounds = [1, 3], teams = [1, 10] }}",
                        plain(toml::de::Error::message(&error))
                    ))
                })?)
            }
            _ => return Err(wrong("expected true, false or a list of ranges".into())),
        };
        found
            .validate()
            .map_err(|(_, fault)| wrong(fault.to_string()))?;
        Ok(Some(found))
    }

    /// The regulations for the Swiss system: from the table `[swiss]`, and from other settings.
    ///
    /// # Errors
    /// What is wrong with the table.
    pub fn regulations(&self) -> Result<Regulations, WrongSetting> {
        let wrong = |why: String| WrongSetting::new("swiss", why);
        let mut table = self.swiss.clone().unwrap_or_default();
        let known = keys_of("swiss");
        if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
            let why = format!("unknown key `{key}`; expected {}", known.join(", "));
            return Err(wrong(why));
        }
        self.acceleration()?;
        table.remove("acceleration");
        table.insert("rounds".into(), i64::from(self.rounds.unwrap_or(1)).into());
        let mut regulations: Regulations = table
            .try_into()
            .map_err(|error: toml::de::Error| wrong(plain(error.message())))?;
        regulations.primary = match self.primary {
            tournament::Score::Match => Score::MatchPoints,
            tournament::Score::Game => Score::GamePoints,
        };
        Ok(regulations)
    }
}

impl Event {
    /// What is known before a round is paired.
    ///
    /// # Errors
    /// If the event is not of this system, or a match before the round is undecided.
    pub fn swiss_field(&self, round: RoundNo) -> Result<NextRound, RoundError> {
        if self.settings.system != System::SwissTeam {
            return Err(RoundError::Swiss(
                "the system of this event is not swiss-team".into(),
            ));
        }
        self.decided(round.index())?;
        let settings = self
            .settings
            .regulations()
            .map_err(|wrong| RoundError::Swiss(wrong.to_string()))?;
        let field = self.tournament(round.index());
        let mut teams = Vec::new();
        for (row, Entrant { number, rounds, .. }) in field.rows.iter().enumerate() {
            let past = |index| past(&rounds[index], &field, index);
            teams.push(Team {
                tpn: *number,
                presence: self.presence(*number, round),
                history: (0..round.index()).map(past).collect(),
                virtual_points: self.virtual_points(row, *number, field.rows.len()),
            });
        }
        let mut forbidden = Vec::new();
        for request in &self.requests {
            if let Some(other) = request.other
                && request.kind == RequestKind::Forbid
                && request.round <= round
            {
                forbidden.push((request.who, other));
            }
        }
        Ok(NextRound {
            settings,
            teams,
            forbidden,
        })
    }

    /// The virtual points of the team at index `place` in the order of numbers, round by round.
    fn virtual_points(&self, place: usize, number: TeamNo, teams: usize) -> Vec<Points> {
        let Ok(Some(acceleration)) = self.settings.acceleration() else {
            return Vec::new();
        };
        let Worth { win, draw, .. } = self.settings.match_points;
        acceleration.of(
            number,
            place,
            teams,
            self.settings.rounds.unwrap_or(1) as u16,
            win,
            draw,
        )
    }

    /// Checks that every match of the first rounds has a result.
    fn decided(&self, rounds: usize) -> Result<(), RoundError> {
        for (round, sheet) in RoundNo::all().zip(self.rounds.iter().take(rounds)) {
            for this in &sheet.matches {
                if self.outcome(this).is_none() {
                    let table = this.table;
                    return Err(RoundError::Undecided { round, table });
                }
            }
        }
        Ok(())
    }

    fn presence(&self, who: TeamNo, round: RoundNo) -> Presence {
        if let Some(late) = self.request(who, RequestKind::Late)
            && late.round > round
        {
            return Presence::NotArrived;
        }
        let is_away = !self.is_in(who, round) || self.asked_for(who, round).is_some();
        if is_away || self.was_absent(who, round) {
            return Presence::Absent;
        }
        Presence::Present
    }

    /// Whether a bye other than a pairing-allocated one is on the sheet of a round.
    fn was_absent(&self, who: TeamNo, round: RoundNo) -> bool {
        let Some(sheet) = self.rounds.get(round.index()) else {
            return false;
        };
        let mut byes = sheet.byes.iter();
        byes.any(|bye| bye.who == who && bye.kind != ByeKind::Bye)
    }

    /// The bye that was requested for a round.
    pub(crate) fn asked_for(&self, who: TeamNo, round: RoundNo) -> Option<ByeKind> {
        for request in &self.requests {
            if let Some(kind) = request.kind.bye()
                && request.who == who
                && request.round == round
            {
                return Some(kind);
            }
        }
        None
    }

    /// The next round by the Swiss system.
    pub(super) fn swiss_round(&self) -> Result<Round, RoundError> {
        let number = self.upcoming();
        let pairing = pair(&self.swiss_field(number)?)
            .map_err(|failure| RoundError::Swiss(failure.to_string()))?;
        let mut table = team::Round::default();
        for this in &pairing.matches {
            table.pairs.push(team::Pair::new(this.white, this.black));
        }
        let mut round = self.dressed(&table, ByeKind::Zero);
        let bye = pairing.bye.map(|who| Bye::new(who, ByeKind::Bye));
        round.byes.extend(bye);
        for who in self.numbers() {
            if self.presence(who, number) != Presence::Present {
                let kind = self.asked_for(who, number);
                let kind = kind.unwrap_or(ByeKind::Zero);
                round.byes.push(Bye::new(who, kind));
            }
        }
        Ok(round)
    }

    /// The verdict of the Swiss system's checker on a round.
    ///
    /// # Errors
    /// If the data before the round is invalid.
    pub fn swiss_verdict(&self, round: RoundNo) -> Result<Verdict, RoundError> {
        let sheet = &self.rounds[round.index()];
        let pair = |this: &Match| (this.white, this.black);
        let bye = sheet.byes.iter().find(|bye| bye.kind == ByeKind::Bye);
        let given = Given {
            matches: sheet.matches.iter().map(pair).collect(),
            bye: bye.map(|bye| bye.who),
        };
        check(&self.swiss_field(round)?, &given)
            .map_err(|failure| RoundError::Swiss(failure.to_string()))
    }
}

fn past(entry: &RoundEntry, field: &tournament::Tournament, round: usize) -> Past {
    let colour = entry.colour.unwrap_or(Colour::White);
    let other = entry.opponent.map(|row| &field.rows[row]);
    let is_lost = |other: &Entrant| {
        let theirs = other.rounds.get(round);
        theirs.is_some_and(|entry| entry.kind == Kind::ForfeitLoss)
    };
    let is_double = other.is_some_and(is_lost);
    let event = match (entry.kind, other.map(|other| other.number)) {
        (Kind::Played, Some(opponent)) => Happened::Played { opponent, colour },
        (Kind::ForfeitWin, Some(opponent)) => Happened::ForfeitWin { opponent },
        (Kind::ForfeitLoss, Some(opponent)) if is_double => Happened::DoubleForfeit { opponent },
        (Kind::ForfeitLoss, Some(opponent)) => Happened::ForfeitLoss { opponent },
        (Kind::Pab, _) => Happened::PairingBye,
        (Kind::FullBye, _) => Happened::FullBye,
        (Kind::HalfBye, _) => Happened::HalfBye,
        _ => Happened::Absent,
    };
    Past {
        event,
        match_points: entry.scores.matches,
        game_points: entry.scores.games,
    }
}
