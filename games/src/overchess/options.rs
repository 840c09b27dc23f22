//! The options of a game of Overchess.

use super::roster::Roster;
use overboard_rules::by_side::BySide;

/// What becomes of the two over-pieces after a drawn sub-game (OV-6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Drawn {
    /// The attacker goes back to the square it came from.
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
    /// So many for each team.
    Team(BySide<Roster>),
    /// So many for each sub-set of a team.
    Set(BySide<Roster>),
}

/// The optional rules in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// OV-21.
    pub prisoners: bool,
    /// OV-22.
    pub consolidation: bool,
    /// OV-30.
    pub fog: bool,
    /// OV-6.
    pub drawn: Drawn,
    /// OV-23.
    pub reserves: Reserves,
}
