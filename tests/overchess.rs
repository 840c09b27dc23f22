//! Overchess, as the naive model plays it.

#[path = "naive/overchess.rs"]
mod naive;
