//! Many games of nested and multi-board chess: players, batches, ledgers.
//!
//! Nothing here prints or decides an exit code. A [`manifest`] says what is to be played; a [`batch`]
//! plays it on any number of threads, always to the same bytes; a [`journal`] keeps every game, and
//! survives its writer; [`merge`] makes one ledger of many.

pub mod batch;
pub mod boards;
pub mod chance;
pub mod commander;
pub mod contest;
pub mod ending;
pub mod evaluate;
pub mod field;
pub mod game;
pub mod journal;
pub mod manifest;
pub mod merge;
pub mod nested;
pub mod openings;
pub mod overs;
pub mod players;
pub mod records;
pub mod search;
pub mod shard;
pub mod skirmish;
pub mod stats;
pub mod tally;
pub mod tree;
