//! Pairing systems and standings: who meets whom in an event, and why.
//!
//! Pure: no files, no clock, no threads, no printing, and no other crate of the workspace.

pub mod checker;
pub mod generator;
pub mod hutton;
pub mod ids;
pub mod knockout;
pub mod lots;
pub mod matching;
pub mod molter;
pub mod points;
pub mod roles;
pub mod round_robin;
pub mod scheveningen;
pub mod standings;
pub mod swiss_team;
pub mod team;
pub mod tiebreak;
pub mod tournament;
pub mod varma;
