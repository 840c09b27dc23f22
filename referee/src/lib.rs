//! The referee of one game: follows a record as it is read, judges every ply, and reports its findings.
//!
//! It knows no game. [`Referee<G>`](referee::Referee) judges the records of any game that implements the traits in
//! [`game`]; what only the records of one game have, such as turns in brackets or captains, is in that game's folder
//! and is called through the hooks of [`Judge`](game::judge::Judge). `overboard-games` lists the games, and its
//! `referee::AnyReferee` takes the right referee for each record.
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser};
//! use overboard_games::referee::AnyReferee;
//! use overboard_referee::{Options, finding::Verdict};
//!
//! let mut parser = Parser::new("1. e4 e5 2. Ke3 Nf6 *".as_bytes(), 0, Limits::default());
//! let report = AnyReferee::new(Options::default()).judge(&mut parser).unwrap().expect("a game");
//! assert_eq!(report.verdict, Verdict::Illegal);
//! assert!(report.findings.iter().any(|finding| finding.code.id == "illegal-move"));
//! ```

use finding::Weights;
use overboard_formats::limits::Limits;

pub mod beside;
pub mod claims;
pub mod commands;
pub mod early;
pub mod editions;
pub mod faults;
pub mod finding;
pub mod game;
pub mod game_state;
pub mod hearing;
pub mod line;
pub mod meant;
mod nearest;
pub mod numbering;
pub mod plies;
pub mod readings;
pub mod record_state;
pub mod referee;
pub mod remedy;
pub mod report;
pub mod rows;
mod standing;
pub mod tags;
mod termination;
mod unread;
pub mod verdict;

/// How to judge.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Limits on the text.
    pub limits: Limits,
    /// The severity of each kind of finding.
    pub weights: Weights,
    /// Rules in force in addition to those that a record declares, in the form of its tag Rules.
    pub rules: String,
    /// Only count notes, if they will not be shown.
    pub count_notes: bool,
    /// Keep no excerpts of the text with findings, if the caller has the text.
    pub no_excerpts: bool,
    /// Continue after an illegal move as if it stood, if it is certain from where to where the piece went.
    pub judge_on: bool,
    /// Rapid and blitz games are supervised, so that the competition rules apply to illegal moves (FIDE A.4, B.2).
    pub supervised: bool,
    /// Keep the acts of the main line, in coordinates, of a game whose plies alone do not determine it.
    pub acts: bool,
    /// Keep those positions of the main line in which a move of the outermost game is due, where acts may come between.
    pub moments: bool,
    /// Return what happens in the main line as rows (`AnyReferee::next_row`).
    pub rows: bool,
    /// Count the legal plies before each ply of the rows.
    pub choices: bool,
    /// Keep the boards to be drawn with the rows (`AnyReferee::next_seen`).
    pub scenes: bool,
    /// Keep the record that sheets make ([`report::Report::whole`]) with the reports on them, if anything is found in it.
    pub wholes: bool,
}
