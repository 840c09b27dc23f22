//! The FIDE Swiss Team Pairing System (Handbook C.04.6, in force since 1 February 2026).
//!
//! [`NextRound`](next_round::NextRound) is what is known before a round; [`pair`] pairs it.

pub mod acceleration;
pub mod article;
mod bracket;
pub mod check;
mod colours;
mod context;
pub mod explain;
mod legality;
pub mod next_round;
pub mod pairing;
pub mod pairing_error;
pub mod readings;
pub mod settings;
pub mod standing;
mod upfloaters;

pub use check::check;
pub use pairing::pair;
