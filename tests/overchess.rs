//! Overchess, judged against the naive model.

mod agree;
mod apart;
mod counts;
mod levels;
mod records;
