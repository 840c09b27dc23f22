//! How nested and multi-board games are written, and the referee that reads them.
//!
//! Text in, values out; nothing here prints or decides an exit code. Bytes become tokens
//! ([`lex`]), tokens events ([`parse`]), and events either a [`report`] ([`referee`]), canonical text
//! ([`write`](mod@write)) or a [`record`].
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser};
//! use overboard_referee::{Options, Referee};
//!
//! let text = "1. e4 e5 2. Ke3 Nf6 *";
//! let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
//! let report = Referee::new(Options::default()).judge(&mut parser).unwrap().expect("one game");
//! assert_eq!(report.findings.last().unwrap().rule.unwrap().id, "CH-13");
//! ```

pub mod canonical;
pub mod command;
pub mod encoding;
pub mod header;
pub mod json_lines;
pub mod lex;
pub mod limits;
pub mod parse;
pub mod record;
pub mod san;
mod source;
pub mod span;
pub mod write;
