//! Why a round cannot be paired.

use super::{article::Article, next_round::NextRoundError};
use crate::ids::TeamNo;
use serde::Serialize;
use std::fmt;
use thiserror::Error;

/// Why a round cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PairingError {
    /// The field is invalid.
    #[error(transparent)]
    NextRound(#[from] NextRoundError),
    /// There is no legal pairing (3.3.3).
    #[error("{0}")]
    Impossible(NoPairingProof),
    /// There are so many scores that the criteria do not fit into 2048 bits.
    #[error("too many scores and upfloaters to compare")]
    TooLarge,
    /// A bug in this program.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

/// The proof that there is no legal pairing, after Tutte: without the teams of `cut` the others fall apart into
/// groups that may not meet each other. In every group of odd size one team is left over and needs an opponent from
/// the cut, and there is one such group more than the cut has members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
pub struct NoPairingProof {
    /// The articles each of which alone rules out a pairing; if there is none, all that keep teams of different
    /// groups apart.
    pub articles: Vec<Article>,
    /// The teams that all groups need.
    pub cut: Vec<TeamNo>,
    /// Whether the bye is a member of the cut.
    pub bye_in_cut: bool,
    /// The groups of odd size, one more than the cut has members. The bye counts as a member of a group but is not
    /// listed: a group without teams is the bye, which no team outside the cut may have.
    pub groups: Vec<Vec<TeamNo>>,
}

impl NoPairingProof {
    /// The members of the cut, in words.
    fn servers(&self) -> String {
        let mut servers: Vec<String> = self.cut.iter().map(TeamNo::to_string).collect();
        if self.bye_in_cut {
            servers.push("the bye".to_owned());
        }
        if servers.is_empty() {
            "nobody".to_owned()
        } else {
            servers.join(", ")
        }
    }
}

/// `no legal pairing: the groups [1] and [2, 4] cannot ...`
impl fmt::Display for NoPairingProof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let group = |group: &Vec<TeamNo>| {
            let numbers: Vec<String> = group.iter().map(TeamNo::to_string).collect();
            if numbers.is_empty() {
                "the bye".to_owned()
            } else {
                format!("[{}]", numbers.join(", "))
            }
        };
        let is_cut = !self.cut.is_empty() || self.bye_in_cut;
        let bye_alone = !is_cut && self.groups.iter().any(Vec::is_empty);
        let shown = self
            .groups
            .iter()
            .filter(|group| !bye_alone || !group.is_empty());
        let groups: Vec<String> = shown.map(group).collect();
        let articles: Vec<String> = self.articles.iter().map(Article::to_string).collect();
        let each = if groups.len() == 1 {
            ""
        } else {
            "in each of these groups "
        };
        write!(
            f,
            "no legal pairing: {each}one team is left without an opponent"
        )?;
        if is_cut {
            write!(f, ": it could only meet {}", self.servers())?;
        } else if bye_alone {
            write!(f, ", and nobody may have the bye")?;
        }
        write!(f, ": {} ({})", groups.join(", "), articles.join(", "))
    }
}
