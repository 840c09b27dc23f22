//! Many games of nested and multi-board chess: players, batches, ledgers.
//!
//! Nothing here prints or decides an exit code. A [`manifest`] describes a run. A [`batch`] plays it on any number of
//! threads, always with the same bytes as a result. A [`journal`] saves every game, and survives a crash of its writer.
//! [`merge`] combines ledgers. [`serve`] offers the same players to other programs. [`external`] plays against engines.
//!
//! Six games of Olympic Chess, of which the better player wins five or more:
//!
//! ```
//! use overboard_engines::{
//!     batch::{Batch, Done, Keeper, Over},
//!     book::Book,
//!     journal::Header,
//!     manifest::{Manifest, PROGRAM, laws_of},
//!     shard::Shard,
//! };
//! use overboard_games::registry::Variant;
//! use overboard_rules::{outcome::Outcome, square::Side};
//! use std::{collections::BTreeMap, io};
//!
//! /// Counts the wins of the first player. The games arrive in order, whatever thread played them.
//! #[derive(Default)]
//! struct Wins(u32);
//!
//! impl Keeper for Wins {
//!     fn take(&mut self, games: &[Done]) -> io::Result<bool> {
//!         for Done { fixture, end, .. } in games {
//!             let first = if fixture.swapped { Side::Black } else { Side::White };
//!             self.0 += u32::from(end.outcome == Outcome::Win(first));
//!         }
//!         Ok(true) // more games are wanted
//!     }
//! }
//!
//! let manifest: Manifest = serde_json::from_value(serde_json::json!({
//!     "format": 1, "program": PROGRAM, "laws": laws_of(Variant::Olympic, 1), "variant": "Olympic Chess",
//!     "players": ["greedy", "random"], "schedule": "pairs", "rounds": 3, "games_per_unit": 2, "seed": 1,
//!     "openings": { "random_plies": 8 }, "max_plies": 2000, "timed": false,
//! }))
//! .unwrap();
//! let header = Header::of(&manifest, Shard::WHOLE);
//! let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
//! let batch = Batch { header: &header, book: &Book::default(), pool: &pool, engines: None };
//! let mut wins = Wins::default();
//! assert_eq!(batch.run(0, BTreeMap::new(), &mut wins).unwrap(), Over::All);
//! assert!(wins.0 >= 5);
//! ```

pub mod adjudicate;
pub mod batch;
pub mod book;
pub mod chance;
pub mod commander;
pub mod described;
pub mod ending;
pub mod exchange;
pub mod extend;
pub mod external;
pub mod game;
mod individuals;
pub mod journal;
pub mod live_game;
mod lock;
pub mod manifest;
pub mod merge;
pub mod move_limits;
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

pub use lock::lock;
