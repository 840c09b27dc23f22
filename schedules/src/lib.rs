//! Pairing systems and standings: who meets whom in an event, and why.
//!
//! Pure computation: no files, no clock, no threads, no printing, and no other crate of the workspace.
//!
//! ```
//! use overboard_schedules::round_robin::berger;
//!
//! // The Berger table for four participants.
//! let rounds = berger(4, 1);
//! let pairs = |round: usize| {
//!     rounds[round].pairs.iter().map(|pair| (pair.white.get(), pair.black.get())).collect::<Vec<_>>()
//! };
//! assert_eq!([pairs(0), pairs(1), pairs(2)], [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]);
//! ```

pub mod checker;
pub mod generator;
pub mod hutton;
pub mod ids;
pub mod knockout;
pub mod lots;
pub mod matching;
pub mod molter;
pub mod points;
pub mod roles;
pub mod round_robin;
pub mod scheveningen;
pub mod standings;
pub mod swiss_team;
pub mod team;
pub mod tiebreak;
pub mod tournament;
pub mod varma;
