//! The FIDE Swiss Team Pairing System (Handbook C.04.6, in force since 1 February 2026).
//!
//! A [`Field`](field::Field) says what is known before a round; [`pair`] pairs it.

pub mod acceleration;
pub mod article;
mod bracket;
pub mod check;
mod colours;
mod context;
pub mod explain;
pub mod failure;
pub mod field;
mod legality;
pub mod pairing;
pub mod readings;
pub mod settings;
pub mod standing;
mod upfloaters;

pub use check::check;
pub use pairing::pair;
