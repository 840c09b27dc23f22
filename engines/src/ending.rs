//! How a game of a batch ended: a closed list.

use overboard_rules::{
    outcome::{Cause, Outcome, Ruling},
    square::Side,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a game of a batch ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// No series of legal moves leads to mate.
    DeadPosition,
    /// Seventy-five moves by each side without capture or pawn move.
    SeventyFiveMoves,
    /// The same position for the fifth time.
    Fivefold,
    /// A repetition that loses.
    Repetition,
    /// A repetition by check after check.
    PerpetualCheck,
    /// Kings counted after a long time without a capture.
    KingsCounted,
    /// Kings counted because every linked board is closed.
    AllClosed,
    /// A king that stands attacked when a sub-game is settled.
    KingFalls,
    /// Another end by the rules of the game.
    Rules,
    /// The batch's limit of plies: an adjudication (GEN-5).
    PlyCap,
}

impl Termination {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::DeadPosition,
        Self::SeventyFiveMoves,
        Self::Fivefold,
        Self::Repetition,
        Self::PerpetualCheck,
        Self::KingsCounted,
        Self::AllClosed,
        Self::KingFalls,
        Self::Rules,
        Self::PlyCap,
    ];

    /// Its name in a ledger.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead-position",
            Self::SeventyFiveMoves => "seventy-five-moves",
            Self::Fivefold => "fivefold",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual-check",
            Self::KingsCounted => "kings-counted",
            Self::AllClosed => "all-closed",
            Self::KingFalls => "king-falls",
            Self::Rules => "rules",
            Self::PlyCap => "ply-cap",
        }
    }

    /// Whether the batch ended the game, and not its rules (GEN-5).
    #[must_use]
    pub const fn is_adjudication(self) -> bool {
        matches!(self, Self::PlyCap)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Cause> for Termination {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Checkmate | Cause::MegaMate => Self::Checkmate,
            Cause::Stalemate | Cause::MegaStalemate => Self::Stalemate,
            Cause::DeadPosition => Self::DeadPosition,
            Cause::SeventyFiveMoves => Self::SeventyFiveMoves,
            Cause::Fivefold => Self::Fivefold,
            Cause::Repetition => Self::Repetition,
            Cause::PerpetualCheck => Self::PerpetualCheck,
            Cause::KingsCounted => Self::KingsCounted,
            Cause::AllClosed => Self::AllClosed,
            Cause::KingFalls => Self::KingFalls,
            _ => Self::Rules,
        }
    }
}

/// The end of a game: its score, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// The score.
    pub outcome: Outcome,
    /// Why.
    pub termination: Termination,
}

impl From<Ruling> for End {
    fn from(ruling: Ruling) -> Self {
        Self { outcome: ruling.outcome, termination: ruling.cause.into() }
    }
}

/// What an outcome is worth to a side: 1, 0 or -1.
#[must_use]
pub fn worth(outcome: Outcome, side: Side) -> i32 {
    match outcome {
        Outcome::Win(winner) if winner == side => 1,
        Outcome::Win(_) => -1,
        Outcome::Draw => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_ledger() {
        for termination in Termination::ALL {
            let json = serde_json::to_string(&termination).unwrap();
            assert_eq!(json, format!("\"{termination}\""));
        }
    }
}
