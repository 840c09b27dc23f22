//! Many games of nested and multi-board chess: players, batches, ledgers.
//!
//! Nothing here prints or decides an exit code. A [`manifest`] says what is to be played; a [`batch`]
//! plays it on any number of threads, always to the same bytes; a [`journal`] keeps every game, and
//! survives its writer; [`merge`] makes one ledger of many. [`serve`] lets the same players play for other programs.

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
