//! Overchess, judged against the naive model.

#![allow(clippy::unwrap_used)]

mod chance;
#[path = "naive/overchess.rs"]
mod naive;
#[path = "naive/matryoshka.rs"]
mod matryoshka;
mod text;

#[path = "overchess/agree.rs"]
mod agree;
#[path = "overchess/deep.rs"]
mod deep;
#[path = "overchess/levels.rs"]
mod levels;
#[path = "overchess/records.rs"]
mod records;
