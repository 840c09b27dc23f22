//! What a referee, a player and a viewer need of a game, as traits that each game implements in its folder.

pub mod catalogue;
pub mod game_notation;
pub mod judged;
pub mod playable;
pub mod position;
pub mod recorded;
pub mod san;
pub mod tags;
