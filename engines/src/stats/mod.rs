//! What games have come to, in figures that can be trusted: shares of the points with intervals, Elo,
//! sequential tests, lengths, ends.
//!
//! Formulas and sources are in `docs/statistics.md`. Nothing here is ever NaN or infinite: a figure that
//! has no finite value is `None`.

mod account;
mod breakdown;
mod elo;
mod listener;
mod ratings;
mod sample;
mod spread;
mod sprt;
mod trace;
mod walk;

pub use account::{Account, Counted, Meeting, Standing};
pub use breakdown::{Breakdown, By, Results, Survival, survival};
pub use elo::{elo, share_of};
pub use listener::{Listener, Told};
pub use ratings::{Field, Pool, Rated};
pub use sample::{Interval, NoSample, Sample};
pub use spread::Spread;
pub use sprt::{Decision, Model, NoTest, Sprt};
pub use trace::{Point, Trace};
pub use walk::{Walk, walk};
