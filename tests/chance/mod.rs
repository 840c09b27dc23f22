//! Chance as the unit tests of formats have it: it lies there, so that the crate is whole in its package.

#[path = "../../formats/src/chance.rs"]
mod numbers;

pub use numbers::Chance;
