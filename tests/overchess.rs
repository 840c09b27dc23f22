//! Overchess, judged against the naive model.

#![allow(clippy::unwrap_used)]

mod chance;
#[path = "naive/overchess.rs"]
mod naive;
mod text;

#[path = "overchess/agree.rs"]
mod agree;
#[path = "overchess/apart.rs"]
mod apart;
#[path = "overchess/counts.rs"]
mod counts;
#[path = "overchess/deep.rs"]
mod deep;
#[path = "overchess/records.rs"]
mod records;
