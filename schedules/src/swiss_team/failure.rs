//! Why there is no pairing.

use super::{
    article::Article,
    field::{Fault, Tpn},
};
use serde::Serialize;
use thiserror::Error;

/// Why there is no pairing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The field makes no sense.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// No legal pairing exists (3.3.3).
    #[error("{0}")]
    Impossible(Impossible),
    /// Scores so many that the criteria do not fit into 2048 bits.
    #[error("too many scores and upfloaters to compare")]
    TooLarge,
    /// A mistake of this program.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

/// The proof that no legal pairing exists, after Tutte: take the teams of `cut` away; the others fall
/// apart into groups that may not meet each other, and there are more groups of odd size than teams in
/// the cut. In every odd group somebody is left over and needs an opponent of the cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
#[error("no legal pairing: {} teams cannot serve {} groups of odd size that may not meet ({})", cut.len(), groups.len(), numbers(articles))]
pub struct Impossible {
    /// The articles without any one of which there would be a pairing; if no single one blocks, all
    /// that keep teams of different groups apart.
    pub articles: Vec<Article>,
    /// The teams that everybody needs.
    pub cut: Vec<Tpn>,
    /// Whether the bye is one of the cut.
    pub bye_in_cut: bool,
    /// Groups of odd size of teams that may not meet the other groups; an empty group is the bye itself,
    /// which no team outside of the cut may have. The bye counts as one of the group it stands in.
    pub groups: Vec<Vec<Tpn>>,
}

fn numbers(articles: &[Article]) -> String {
    articles.iter().map(Article::to_string).collect::<Vec<_>>().join(", ")
}
