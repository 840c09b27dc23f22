//! Who meets whom in an event, and why.
//!
//! Pure: no files, no clock, no threads, no printing, and no other room of the house.

pub mod generator;
pub mod matching;
pub mod points;
pub mod swiss_team;
