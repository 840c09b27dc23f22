//! Chance as the unit tests of the referee have it: it lies there, so that the crate is whole in its package.

#[path = "../../referee/src/chance.rs"]
mod numbers;

pub use numbers::Chance;
