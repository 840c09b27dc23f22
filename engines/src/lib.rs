//! Many games of nested and multi-board chess: players, batches, ledgers.
//!
//! Nothing here prints or decides an exit code. A [`manifest`] describes a run; a [`batch`] plays it on any number of
//! threads, always with the same bytes as a result; a [`journal`] saves every game, and survives a crash of its writer;
//! [`merge`] combines ledgers. [`serve`] offers the same players to other programs.

pub mod adjudicate;
mod as_text;
pub mod batch;
pub mod book;
pub mod chance;
pub mod commander;
pub mod ending;
pub mod exchange;
pub mod extend;
pub mod external;
pub mod game;
mod individuals;
pub mod journal;
pub mod leash;
pub mod live_game;
pub mod manifest;
pub mod merge;
pub mod openings;
pub mod picker;
pub mod players;
pub mod proof;
pub mod records;
pub mod search;
pub mod serve;
pub mod shard;
pub mod stats;
pub mod tally;
pub mod tree;
