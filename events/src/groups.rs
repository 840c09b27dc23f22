//! The score of one group of a Scheveningen event against the other.

use crate::{Event, pairing::RoundError, settings::System};
use overboard_formats::foreign::Foreign;
use overboard_schedules::{
    ids::TeamNo,
    points::Points,
    tournament::{ByScore, Score, Tournament},
};

/// A group and its score.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name: that in the column, or A and B.
    pub name: Foreign,
    /// Its members by number.
    pub members: Vec<TeamNo>,
    /// The points of all members together.
    pub scores: ByScore<Points>,
}

impl Group {
    /// One of the scores.
    #[must_use]
    pub const fn score(&self, score: Score) -> Points {
        self.scores.of(score)
    }
}

/// Why an event has no scores of groups.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoGroups {
    /// It is no Scheveningen event.
    #[error("only a Scheveningen event is played by one group against another")]
    System,
    /// There are not two groups of the same size.
    #[error(transparent)]
    Order(#[from] RoundError),
}

impl Event {
    /// The two groups of a Scheveningen event with their scores; `field` is the input of its standings.
    ///
    /// # Errors
    /// Why there are not two groups of the same size.
    pub fn group_scores(&self, field: &Tournament) -> Result<[Group; 2], NoGroups> {
        if self.settings.system != System::Scheveningen {
            return Err(NoGroups::System);
        }
        let order = self.table_order()?;
        let (first, second) = order.split_at(order.len() / 2);
        let group = |letter: &str, members: &[TeamNo]| {
            let mut group = Group {
                name: letter.into(),
                members: members.to_vec(),
                scores: ByScore::ZERO,
            };
            for (row, entrant) in field.rows.iter().enumerate() {
                if members.contains(&entrant.number) {
                    group.scores.matches += field.total(row, Score::Match);
                    group.scores.games += field.total(row, Score::Game);
                }
            }
            if self.settings.is_of_teams()
                && let Some(first) = members.first()
                && let Some(team) = self.team(*first)
                && !team.group.is_empty()
            {
                group.name = team.group.clone();
            }
            group
        };
        Ok([group("A", first), group("B", second)])
    }
}
