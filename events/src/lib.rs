//! Events: participants, pairings and results round by round, and the folder that holds them.
//!
//! An [`Event`] is read from plain files and written to them: settings, rosters, a file for each round. It pairs its
//! next round by the systems of `overboard-schedules`, takes results from records in which the referee found no errors,
//! and is converted to and from tournament reports ([`trf`]). Nothing here prints or decides an exit code; only
//! [`store`], [`site`], [`atomic_files`] and [`draft_folder`] touch files.
//!
//! ```
//! use overboard_events::{Event, Files};
//!
//! let settings = "name = \"cup\"\ngame = \"chess\"\nsystem = \"round-robin\"\n\
//!     participants = \"players\"\nscoring = \"game\"\n";
//! let players = "id,name\n1,Ann\n2,Bob\n3,Cy\n";
//! let files = [("event.toml", settings), ("players.csv", players)];
//! let files: Files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into();
//! let event = Event::read(&files).unwrap();
//! let round = event.next_round().unwrap();
//! assert_eq!((round.matches.len(), round.byes.len()), (1, 1));
//! ```

pub mod atomic_files;
pub mod calls;
pub mod card;
pub mod change;
pub mod checks;
mod corrections;
pub mod count;
pub mod csv;
pub mod dates;
pub mod draft_folder;
pub mod encoding;
pub mod entry;
mod event;
pub mod groups;
pub mod leaders;
pub mod lots;
pub mod names;
pub mod norms;
pub mod outside_pairings;
pub mod pack;
pub mod pairing;
pub mod pairing_basis;
pub mod requests;
pub mod results;
pub mod roles;
pub mod roster;
pub mod rounds;
pub mod settings;
pub mod site;
pub mod standing;
pub mod store;
pub mod swiss;
pub mod table;
pub mod trf;

pub use event::{Event, Files, Participant};
