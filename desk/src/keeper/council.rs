//! A council: several Commanders of Overchess who vote about each over-move.

use super::{ActError, Done, Keeper};
use crate::{journal::Part, kept::Made};
use overboard_engines::external::lines::{FaultCode, fault};
use overboard_formats::{foreign::Foreign, header::same_name};
use serde::{Deserialize, Serialize};

/// How several Commanders of a side move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Commanders {
    /// Whoever moves first.
    #[default]
    Any,
    /// A move is made as soon as more than half of them have named it.
    Vote,
}

/// The members of a council who have named a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Vote {
    /// The move in coordinates.
    pub ply: String,
    /// They.
    pub names: Vec<Foreign>,
}

impl Keeper {
    /// Plays a player's plies, or takes them as a vote where a council decides.
    pub(super) fn play_or_vote(&mut self, name: &str, plies: &[String]) -> Result<Done, ActError> {
        let Some(council) = self.council() else {
            return self.play(plies);
        };
        let [ply] = plies else {
            let words = "a council votes about one move at a time";
            return Err(fault(FaultCode::OutOfTurn, words).into());
        };
        // Whoever names a move has not made it: an illegal one is no attempt.
        let made = self.state.game.seek(ply)?;
        let words = coordinates(&made);
        let own = council.iter().find(|member| same_name(member, name));
        let voter = own.map_or(name, String::as_str);
        let agrees = |(other, vote): &(&String, &String)| *other != voter && **vote == words;
        let agreeing = 1 + self.state.votes.iter().filter(agrees).count();
        let is_decided = agreeing * 2 > council.len();
        let mut parts = vec![Part::Vote(voter.to_owned(), words)];
        if is_decided {
            parts.extend(made.iter().cloned().map(Part::Made));
        }
        self.commit(parts)?;
        Ok(Done {
            made: if is_decided { made } else { Vec::new() },
            ..Done::default()
        })
    }

    /// Those who vote about the move that is due; `None` where one person moves, or whoever comes first.
    pub(super) fn council(&self) -> Option<Vec<String>> {
        if self.terms.commanders != Some(Commanders::Vote) || self.state.over.is_some() {
            return None;
        }
        let here = self.state.game.here();
        if !self.is_commanded(&here) {
            return None;
        }
        let names = self.names(&here, self.side());
        if names.len() > 1 { Some(names) } else { None }
    }

    /// Those of these people who have not voted about the move that is due; all of them, who may change their votes, if
    /// everybody has voted and no move has more than half.
    pub(super) fn without_vote(&self, names: Vec<String>) -> Vec<String> {
        let votes = &self.state.votes;
        let waiting = names.iter().filter(|name| !votes.contains_key(*name));
        let waiting: Vec<_> = waiting.cloned().collect();
        if waiting.is_empty() { names } else { waiting }
    }

    /// The votes about the next move so far.
    #[must_use]
    pub fn votes(&self) -> Vec<Vote> {
        let mut votes: Vec<Vote> = Vec::new();
        for (name, ply) in &self.state.votes {
            let name = Foreign::from(name.as_str());
            match votes.iter_mut().find(|known| known.ply == *ply) {
                Some(known) => known.names.push(name),
                None => votes.push(Vote {
                    ply: ply.clone(),
                    names: vec![name],
                }),
            }
        }
        votes
    }
}

fn coordinates(made: &[Made]) -> String {
    let words: Vec<_> = made.iter().map(|step| &*step.coord).collect();
    words.join(" ")
}
