//! Pairing numbers drawn by lot.

use crate::{
    Event,
    roster::Player,
    settings::{Participants, System},
};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::TeamNo,
    lots::{bring_together, draw},
    varma,
};
use std::collections::BTreeMap;

/// How lots are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lots {
    /// Every order is as likely as any other.
    Any,
    /// Members of one group (teams) or federation (players) of a round robin meet in early rounds.
    Early,
    /// By the Varma tables, which keep members of one group or federation apart in the last three rounds.
    Varma,
}

/// Why lots cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LotsError {
    /// Round 1 is paired, so the numbers are in use.
    #[error(
        "round 1 is paired, so the numbers can no longer change; `overboard event cancel FOLDER 1` cancels the pairings"
    )]
    Paired,
    /// There are too few participants.
    #[error("lots need two participants or more")]
    Few,
    /// The numbers have gaps.
    #[error("pairing numbers must run from 1 without gaps; {0} is missing")]
    Gap(TeamNo),
    /// The system is not a round robin, so not everyone meets.
    #[error("--early and --varma are only for round robins")]
    NoRounds,
    /// There is no Varma table for this number of participants.
    #[error("Varma tables are for 9 to 24 participants, not for {0}")]
    NoVarma(usize),
}

impl Event {
    /// Gives the participants numbers by lot; in a Scheveningen event within each group.
    ///
    /// # Errors
    /// Why lots cannot be drawn.
    pub fn draw_lots(&mut self, seed: u64, how: Lots) -> Result<(), LotsError> {
        let count = self.participants().len();
        if !self.rounds.is_empty() {
            return Err(LotsError::Paired);
        }
        if count < 2 {
            return Err(LotsError::Few);
        }
        if let Some(number) = self.gap() {
            return Err(LotsError::Gap(number));
        }
        if how != Lots::Any && self.settings.system != System::RoundRobin {
            return Err(LotsError::NoRounds);
        }
        let mut numbers = draw(count, seed);
        let groups = self.lot_groups();
        match how {
            Lots::Any => {}
            Lots::Early => bring_together(&mut numbers, &groups),
            Lots::Varma => {
                numbers = varma::draw(&self.contingents(&groups), seed)
                    .ok_or(LotsError::NoVarma(count))?;
            }
        }
        if self.settings.system == System::Scheveningen {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|one| (groups[*one], numbers[*one]));
            for (number, one) in TeamNo::all().zip(order) {
                numbers[one] = number;
            }
        }
        let new = |old: TeamNo| numbers.get(old.index()).copied().unwrap_or(old);
        self.renumber(new);
        self.teams.sort_by_key(|team| team.number);
        self.players.sort_by_key(|player| player.id);
        Ok(())
    }

    /// Draws the initial colour of a Swiss (C.04.6, 1.6).
    ///
    /// # Errors
    /// Why it cannot be drawn.
    pub fn draw_initial(&mut self, seed: u64) -> Result<&'static str, String> {
        if !self.takes_pairs_by_hand() {
            return Err("--initial is only for the systems swiss-team and by-hand".into());
        }
        // Two lots are drawn, one for each colour; the colour with number 1 wins.
        let colour = match draw(2, seed)[0].index() {
            0 => "white",
            _ => "black",
        };
        self.set("swiss.initial", Some(colour))?;
        Ok(colour)
    }

    /// The participants of each group, by index, in the order in which they draw: the largest group first, groups of
    /// one size alphabetically, and so the members of a group. A participant without a group draws alone.
    fn contingents(&self, groups: &[Option<usize>]) -> Vec<Vec<usize>> {
        let names: Vec<Foreign<&str>> = self.participants().iter().map(|one| one.name).collect();
        let code = |place: usize| match self.settings.participants {
            Participants::Teams => self.teams[place].group.lent(),
            Participants::Players => self.players[place].federation.lent(),
        };
        let mut all: BTreeMap<(Option<usize>, usize), Vec<usize>> = BTreeMap::new();
        for (place, group) in groups.iter().enumerate() {
            all.entry((*group, if group.is_none() { place + 1 } else { 0 }))
                .or_default()
                .push(place);
        }
        let mut all: Vec<Vec<usize>> = all.into_values().collect();
        for members in &mut all {
            members.sort_by_key(|place| names[*place]);
        }
        all.sort_by_key(|members| {
            (
                std::cmp::Reverse(members.len()),
                code(members[0]),
                names[members[0]],
            )
        });
        all
    }

    /// The group of each participant, given by the index of its first member; `None` if it has no group.
    fn lot_groups(&self) -> Vec<Option<usize>> {
        let names: Vec<Foreign> = match self.settings.participants {
            Participants::Teams => self.teams.iter().map(|team| team.group.clone()).collect(),
            Participants::Players => {
                let by_team = self.settings.system == System::Scheveningen;
                let name = |player: &Player| match player.team {
                    team if by_team => format!("{team:?}").into(),
                    _ => player.federation.clone(),
                };
                self.players.iter().map(name).collect()
            }
        };
        let first = |name: &Foreign| {
            if name.is_empty() {
                None
            } else {
                names.iter().position(|other| other == name)
            }
        };
        names.iter().map(first).collect()
    }

    /// Gives each participant the number `new` of its old one, everywhere in the event. The order of teams and players
    /// stays.
    pub(crate) fn renumber(&mut self, new: impl Fn(TeamNo) -> TeamNo) {
        match self.settings.participants {
            Participants::Teams => {
                for team in &mut self.teams {
                    team.number = new(team.number);
                }
                for player in &mut self.players {
                    player.team = player.team.map(&new);
                }
            }
            Participants::Players => {
                for player in &mut self.players {
                    player.id = new(TeamNo::new(player.id)).get();
                }
            }
        }
        for request in &mut self.requests {
            request.who = new(request.who);
            request.other = request.other.map(&new);
        }
    }
}
