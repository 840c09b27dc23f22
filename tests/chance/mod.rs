//! The random generator of the referee's unit tests; it is kept in that crate, so that its package is complete.

#[path = "../../sheets/src/chance.rs"]
mod numbers;

pub use numbers::Chance;
