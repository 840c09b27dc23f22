//! Keeping the record of a game while it is played: every game of the registry, with its sub-games, turns and boards.
//!
//! A [`keeper::Keeper`] is the only one who writes a record. Each act is in its [`journal`] and on disk before it is
//! answered, and the file of the record is written whole or not at all. Legal plies are found by the game itself;
//! everything else is judged with the record so far, by the referee of `check`. [`clock`] runs the clocks,
//! [`attendant`] lets programs sit down, [`lines`] is the protocol, [`words`] what is typed.
//!
//! ```
//! use overboard_desk::keeper::{Keeper, New, OnEdit, DeskTerms};
//! use overboard_games::registry::Variant;
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("game.npgn");
//! let new = New { game: Variant::Over, boards: 1, level: None, rules: String::new(), tags: Vec::new() };
//! let mut keeper = Keeper::open(&path, Some(&new), DeskTerms::default(), OnEdit::Stop).unwrap();
//! // The last move is the first one of the sub-game on d5, whose sub-sets are complete.
//! for ply in ["e4", "d5", "exd5", "Nf3"] {
//!     keeper.play(&[ply.to_owned()]).unwrap();
//! }
//! let refused = keeper.play(&["Ke3".to_owned()]).unwrap_err();
//! assert!(refused.to_string().contains("king"), "{refused}");
//! drop(keeper);
//!
//! // After a crash everything is there that was answered.
//! let again = Keeper::open(&path, None, DeskTerms::default(), OnEdit::Stop).unwrap();
//! assert_eq!((again.acts(), again.state().game.here()), (4, "d5".to_owned()));
//! ```

pub mod attendant;
pub mod clock;
pub mod hall;
pub mod journal;
pub mod keeper;
pub mod kept;
pub mod lines;
pub mod record;
pub mod state;
pub mod words;
