//! Statistics of games: shares of the points with intervals, Elo, sequential tests, lengths, ends.
//!
//! Formulas and sources are in `docs/statistics.md`. No value is ever NaN or infinite: a figure without a finite value
//! is `None`.

mod account;
mod breakdown;
mod counter;
mod counts;
mod elo;
mod listener;
mod over_time;
mod ratings;
mod sample;
mod spread;
mod sprt;
mod wdl;

pub use account::{Account, Counted, Meeting, PlayerScore};
pub use breakdown::{Breakdown, By, Survival, survival};
pub use counter::Counter;
pub use counts::{GameCounts, count_game};
pub use elo::{elo, share_of};
pub use listener::{GameHeader, Listener};
pub use over_time::{CountsOverTime, Point};
pub use ratings::{PairedScores, Pool, Rated};
pub use sample::{Interval, Sample, SampleError};
pub use spread::Spread;
pub use sprt::{Decision, Model, Sprt, TestError};
pub use wdl::Wdl;
