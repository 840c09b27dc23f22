//! The options of a game of Overchess.

use super::roster::Roster;
use overboard_rules::by_side::BySide;

/// What happens to the two over-pieces after a drawn sub-game (OV-6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Drawn {
    /// The attacker returns to the square from which it came.
    #[default]
    Withdraws,
    /// The attacker is removed.
    AttackerLeaves,
    /// Both are removed.
    BothLeave,
}

/// The spare pieces (OV-23), White's and Black's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reserves {
    /// None.
    #[default]
    None,
    /// These for each team.
    Team(BySide<Roster>),
    /// These for each sub-set of a team.
    Set(BySide<Roster>),
}

/// The optional rules in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// Prisoners (OV-21).
    pub prisoners: bool,
    /// Consolidation (OV-22).
    pub consolidation: bool,
    /// Fog (OV-30).
    pub fog: bool,
    /// Drawn sub-games (OV-6).
    pub drawn: Drawn,
    /// Spare pieces (OV-23).
    pub reserves: Reserves,
}

impl Options {
    /// Those of a game inside: spares belong to the outermost one (OV-25).
    pub(super) fn inside(self) -> Self {
        Self {
            reserves: Reserves::None,
            ..self
        }
    }
}
