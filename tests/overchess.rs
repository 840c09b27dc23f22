//! Overchess, compared with the naive model.

mod agree;
mod apart;
mod called;
mod counts;
pub mod levels;
mod lines;
mod notation;
mod reasons;
mod records;
mod set_ups;
