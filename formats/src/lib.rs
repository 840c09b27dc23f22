//! The file formats of nested and multi-board games: NPGN (a superset of PGN), JSON Lines, rows of plies.
//!
//! Text in, values out; nothing here knows a game, prints or decides an exit code. Bytes become tokens ([`lex`]),
//! tokens become events ([`parse`]), and events become either canonical text ([`write`](mod@write)) or a [`record`]:
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::{Event, Parser}};
//!
//! let mut parser = Parser::new("1. e4 {the best} e5 *".as_bytes(), 0, Limits::default());
//! let mut plies = Vec::new();
//! loop {
//!     match parser.next().unwrap() {
//!         Event::Ply => plies.push(String::from_utf8_lossy(parser.text(parser.place().span)).into_owned()),
//!         Event::Done => break,
//!         _ => {}
//!     }
//! }
//! assert_eq!(plies, ["e4", "e5"]);
//! ```
//!
//! To judge records, with findings, see the front page of `overboard-referee`.

mod as_text;
pub mod canonical;
pub mod command;
pub mod encoding;
pub mod figures;
pub mod foreign;
pub mod header;
pub mod io_words;
pub mod json_lines;
pub mod lex;
pub mod limits;
pub mod parse;
pub mod ply_rows;
pub mod record;
pub mod san;
pub mod serde_words;
mod source;
pub mod span;
pub mod write;
