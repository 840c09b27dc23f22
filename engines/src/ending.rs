//! How a game of a batch ended.

use crate::manifest::Manifest;
use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    square::Side,
};

/// The end of a game: its score, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// The score.
    pub outcome: Outcome,
    /// The reason.
    pub cause: Cause,
}

impl From<Ruling> for End {
    fn from(ruling: Ruling) -> Self {
        Self {
            outcome: ruling.outcome,
            cause: ruling.cause,
        }
    }
}

/// An end as recorded in a ledger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Booked {
    /// The end.
    pub end: End,
    /// Whether the ledger uses an outdated word for it.
    pub old_word: bool,
}

impl Booked {
    /// The end, from its result and the word for its cause; `None` if either is invalid.
    #[must_use]
    pub fn read(result: &str, word: &str, manifest: &Manifest) -> Option<Self> {
        let outcome = Outcome::read(result)?;
        let renamed = renamed(outcome, word, manifest);
        let cause = renamed.or_else(|| Cause::from_word(word))?;
        Some(Self {
            end: End { outcome, cause },
            old_word: renamed.is_some(),
        })
    }
}

/// The cause of an outdated word: some ends had other words before laws had versions.
fn renamed(outcome: Outcome, word: &str, manifest: &Manifest) -> Option<Cause> {
    if manifest.laws.is_some() {
        return None;
    }
    (manifest.game().ok()?.info().old_end)(outcome, word)
}

/// The value of an outcome for a side: 1, 0 or -1.
#[must_use]
pub fn worth(outcome: Outcome, side: Side) -> i32 {
    match outcome {
        Outcome::Win(winner) if winner == side => 1,
        Outcome::Win(_) => -1,
        Outcome::Draw => 0,
    }
}

/// The half points of a side for an outcome.
#[must_use]
pub fn half_points(outcome: Outcome, side: Side) -> usize {
    (1 + worth(outcome, side)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Schedule, tests::manifest};

    #[test]
    fn old_words_of_mega_chess_are_read_as_what_they_meant() {
        let mega = Manifest {
            variant: "Recursive Chess 1".into(),
            laws: None,
            ..manifest(Schedule::Pairs, &["random"])
        };
        let read = |manifest: &Manifest, result, word| {
            Booked::read(result, word, manifest).map(|booked| (booked.end.cause, booked.old_word))
        };
        for (result, word, cause) in [
            ("1-0", "checkmate", Cause::MegaMate),
            ("0-1", "stalemate", Cause::MegaStalemate),
            ("1/2-1/2", "rules", Cause::MegaMoves),
        ] {
            assert_eq!(read(&mega, result, word), Some((cause, true)));
            let new = Manifest {
                laws: Some(1),
                ..mega.clone()
            };
            assert_eq!(read(&new, result, cause.word()), Some((cause, false)));
            assert_eq!(
                read(&new, result, word),
                Cause::from_word(word).map(|cause| (cause, false))
            );
        }
        assert_eq!(
            read(&mega, "1/2-1/2", "fivefold"),
            Some((Cause::Fivefold, false))
        );
        assert_eq!(read(&mega, "1-0", "rules"), None);
        assert_eq!(read(&mega, "2-0", "checkmate"), None);
        let chess = Manifest {
            variant: "Chess".into(),
            ..mega
        };
        assert_eq!(
            read(&chess, "1/2-1/2", "stalemate"),
            Some((Cause::Stalemate, false))
        );
        assert_eq!(read(&chess, "1/2-1/2", "rules"), None);
    }
}
