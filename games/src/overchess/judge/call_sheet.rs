//! Who has to act in a game of Overchess: who makes the over-move, who plays the sub-games that are due, and
//! who may be called next.

use crate::overchess::Roster;
use overboard_rules::{
    by_side::BySide,
    square::{Role, Side, Square},
};

/// Everyone who has to act in the position at the end of the main line.
#[derive(Clone, Default, Debug)]
pub struct Calls {
    /// Who is to make the next over-move; `None` while a sub-game is due.
    pub mover: Option<Mover>,
    /// Sub-games that are due, in the order in which they are to be played; under fog the later ones wait.
    pub games: Vec<SubGame>,
    /// Over-pieces that the next over-move may involve in a sub-game, attackers first.
    pub next: Vec<Party>,
    /// The over-games that are open, the outermost first, and who commands in them.
    pub commands: Vec<Command>,
    /// Everybody who has a role in the outermost game, by team.
    pub people: BySide<Vec<String>>,
}

/// Who commands in an over-game.
#[derive(Clone, Default, Debug)]
pub struct Command {
    /// The path to it, by contested squares from the outermost on; empty for the outermost game.
    pub path: String,
    /// The people any of whom may make the over-moves of a side; empty if the record names none.
    pub names: BySide<Vec<String>>,
}

/// Who makes an over-move.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The team, by its colour in the outermost game.
    pub team: Side,
    /// The path to the over-game, by contested squares from the outermost on: `d5`; empty for the outermost game.
    pub path: String,
    /// The people any of whom may move; empty if the record names no commander.
    pub names: Vec<String>,
}

/// A sub-game that is due.
#[derive(Clone, Debug)]
pub struct SubGame {
    /// The path to it, by contested squares from the outermost on: `d5`.
    pub path: String,
    /// How far it has got.
    pub stage: SubGameStage,
    /// The attacker, who has White in it, and the defender.
    pub parties: [Party; 2],
}

/// How far a sub-game has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubGameStage {
    /// It begins when the next over-move has been made (OV-30).
    Waits,
    /// The attacker (White) or the defender (Black) has to set up.
    SetUp(Side),
    /// The attacker (White) or the defender (Black) has to move.
    Play(Side),
    /// It is over, and prisoners or spares are taken.
    Settling,
}

/// An over-piece in a sub-game, and its leader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// The team, by its colour in the outermost game.
    pub team: Side,
    /// Whether it is the attacker.
    pub attacks: bool,
    /// The kind of piece that it was at the start.
    pub role: Role,
    /// Its square at the start. People refer to it by this square, wherever it is now.
    pub from: Square,
    /// The people any of whom may play; empty if the record names none.
    pub names: Vec<String>,
    /// What is left of its sub-set, not counting the king.
    pub left: Roster,
}
