//! Overchess, judged against the naive model.

#![allow(clippy::unwrap_used)]

mod chance;
#[path = "naive/overchess.rs"]
mod naive;

#[path = "overchess/agree.rs"]
mod agree;
