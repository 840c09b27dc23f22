//! How a game ends.

use crate::{rule::Rule, square::Side};
use std::fmt;

/// The score of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The result as PGN writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Win(Side::White) => "1-0",
            Self::Win(Side::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// A win for `side` where it can still mate, else a draw (GEN-10).
    #[must_use]
    pub const fn win_if(side: Side, can_mate: bool) -> Self {
        if can_mate { Self::Win(side) } else { Self::Draw }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
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
    /// A position there for the third time, where that loses.
    Repetition,
    /// A position there for the third time, by check after check.
    PerpetualCheck,
    /// Kings counted after a long time without a capture, or when a flag ends play.
    KingsCounted,
    /// Kings counted because every linked board is closed.
    AllClosed,
    /// The over-king stands attacked behind an attack of its own side that failed.
    KingFalls,
    /// Mega-checkmate.
    MegaMate,
    /// Mega-stalemate, which the side to move loses.
    MegaStalemate,
    /// A hundred and fifty mega-moves in a row.
    MegaMoves,
    /// A correct claim after a hundred mega-moves in a row.
    MegaMovesClaim,
    /// A correct claim of threefold repetition.
    ThreefoldClaim,
    /// A correct claim under the fifty-move rule.
    FiftyMoveClaim,
    /// Resignation.
    Resignation,
    /// A draw agreed.
    Agreement,
    /// A fallen flag.
    Flag,
    /// Too many illegal attempts by one player.
    IllegalAttempts,
    /// Words that no captain may pass on.
    Infraction,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead position",
            Self::SeventyFiveMoves => "the seventy-five-move rule",
            Self::Fivefold => "fivefold repetition",
            Self::Repetition => "the third occurrence of a position, which White loses",
            Self::PerpetualCheck => {
                "the third occurrence of a position after nothing but checks by Black, who loses"
            }
            Self::KingsCounted => "counting the kings",
            Self::AllClosed => "counting the kings, all boards being closed",
            Self::KingFalls => "the fall of the king",
            Self::MegaMate => "mega-mate",
            Self::MegaStalemate => "mega-stalemate, which loses",
            Self::MegaMoves => "a hundred and fifty mega-moves in a row",
            Self::MegaMovesClaim => "a correct claim after a hundred mega-moves in a row",
            Self::ThreefoldClaim => "a correct claim of threefold repetition",
            Self::FiftyMoveClaim => "a correct claim under the fifty-move rule",
            Self::Resignation => "resignation",
            Self::Agreement => "agreed draw",
            Self::Flag => "a fallen flag",
            Self::Infraction => "a rules infraction",
            Self::IllegalAttempts => "repeated illegal attempts",
        })
    }
}

/// The end of a game: its score, why, and the rule that says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The score.
    pub outcome: Outcome,
    /// What ended it.
    pub cause: Cause,
    /// The rule.
    pub rule: &'static Rule,
}
