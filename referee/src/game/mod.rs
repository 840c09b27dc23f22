//! What a referee, a player and a viewer need of a game, as traits that each game implements in its folder.

pub mod catalogue;
pub mod dialect;
pub mod judge;
pub mod listing;
pub mod notation;

pub mod play;
pub mod position;
pub mod record;
pub mod san;
pub mod tags;
