//! How nested and multi-board games are written, and the referee that reads them.
//!
//! Text in, values out; nothing here prints or decides an exit code. Bytes become tokens
//! ([`lex`]), tokens events ([`parse`]), and events either a [`report`] ([`referee`]), canonical text
//! ([`write`](mod@write)) or a [`record`].
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser, referee::{Options, Referee}};
//!
//! let text = "1. e4 e5 2. Ke3 Nf6 *";
//! let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
//! let report = Referee::new(Options::default()).judge(&mut parser).unwrap().expect("one game");
//! assert_eq!(report.findings.last().unwrap().rule.unwrap().id, "CH-13");
//! ```

pub mod any;
#[cfg(test)]
mod chance;
pub mod command;
pub mod coordinates;
#[cfg(test)]
#[path = "../../tests/depth/mod.rs"]
mod depth;
pub mod encoding;
pub mod fen;
pub mod finding;
pub mod header;
pub mod json_lines;
pub mod lex;
pub mod lieutenants;
pub mod limits;
pub mod line;
pub mod linked;
pub mod mega;
mod metachess;
pub mod notation;
mod olympic;
pub mod order;
pub mod orders;
pub mod overchess;
pub mod parse;
pub mod record;
pub mod referee;
pub mod registry;
pub mod replay;
pub mod report;
pub mod san;
pub mod score;
pub mod sheets;
mod source;
pub mod span;
mod strategichess;
pub mod witness;
pub mod write;
