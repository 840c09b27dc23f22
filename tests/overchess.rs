//! Overchess, judged against the naive model.

#![allow(clippy::unwrap_used)]

mod chance;
#[path = "naive/matryoshka.rs"]
mod matryoshka;
#[path = "naive/overchess.rs"]
mod naive;
mod text;

#[path = "overchess/agree.rs"]
mod agree;
#[path = "overchess/apart.rs"]
mod apart;
#[path = "overchess/counts.rs"]
mod counts;
#[path = "overchess/levels.rs"]
mod levels;
#[path = "overchess/records.rs"]
mod records;
