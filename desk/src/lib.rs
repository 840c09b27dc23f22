//! Keeping the record of a game while it is played.

pub mod attendant;
pub mod clock;
pub mod journal;
pub mod keeper;
pub mod kept;
pub mod lines;
pub mod record;
pub mod state;
pub mod words;
