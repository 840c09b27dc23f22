//! What follows from the notation of any game: its legal plies as lists, and what a position is.
//!
//! ```
//! use overboard_games::{chess::Chess, one_board::OneBoard};
//! use overboard_referee::game::listing;
//!
//! let game = OneBoard(Chess::default());
//! let mut list = Vec::new();
//! assert_eq!(listing::list(&game, &mut list).word, "ongoing");
//! assert_eq!((list.len(), list[0].coord.as_str(), list[0].san.as_str()), (20, "a2a3", "a3"));
//! let (san, after) = listing::played(&game, "g1f3").expect("a legal ply");
//! assert_eq!(san.as_str(), "Nf3");
//! assert_eq!(listing::branches(&after).len(), 20);
//! ```

use crate::game::notation::Notation;
use overboard_formats::san::{PlyText, ShortText};
use overboard_rules::{
    game::BoardId as _,
    outcome::{Cause, Outcome, Ruling},
    repetition::Times,
    square::Side,
};
use std::ops::ControlFlow;

/// A legal ply in both spellings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// In coordinates.
    pub coord: PlyText,
    /// As SAN, with its sign; on nested boards prefixed with the address of its board.
    pub san: PlyText,
    /// On linked boards: the board from which it is made, and the side that makes it.
    pub made: Option<(u16, Side)>,
}

/// A legal ply in both spellings, as they are visited one after the other.
#[derive(Clone, Copy, Debug)]
pub enum SpeltPly<'a> {
    /// Coordinates and SAN of a ply on one board.
    Short(&'a ShortText, &'a ShortText),
    /// A ply of any length.
    Listed(&'a Listed),
}

impl From<SpeltPly<'_>> for Listed {
    fn from(spelling: SpeltPly<'_>) -> Self {
        match spelling {
            SpeltPly::Short(coord, san) => Self {
                coord: coord.text(),
                san: san.text(),
                made: None,
            },
            SpeltPly::Listed(listed) => listed.clone(),
        }
    }
}

/// What a position is, regardless of its history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// `ongoing`, `check`, or how it has ended ([`overboard_rules::outcome::Cause::status`]).
    pub word: &'static str,
    /// Its outcome, if it ends the game.
    pub outcome: Option<Outcome>,
    /// What ended it; in prose it has one name everywhere.
    pub cause: Option<Cause>,
}

impl Listed {
    /// A number that orders coordinates by their first bytes.
    pub fn key(&self) -> u128 {
        let mut bytes = [0; 16];
        let length = self.coord.len().min(16);
        bytes[..length].copy_from_slice(&self.coord.as_bytes()[..length]);
        u128::from_be_bytes(bytes)
    }
}

/// What a position is, regardless of its history (GEN-11).
pub fn status<G: Notation>(game: &G) -> Status {
    match game.ruling(Times::FIRST) {
        Some(Ruling { outcome, cause, .. }) => Status {
            word: cause.status().unwrap_or(cause.word()),
            outcome: Some(outcome),
            cause: Some(cause),
        },
        None => Status {
            word: match game.is_check(G::Board::WHOLE) {
                true => "check",
                false => "ongoing",
            },
            outcome: None,
            cause: None,
        },
    }
}

/// Writes the legal plies to `list`, in byte order of their coordinates; none if the position has ended (GEN-11). Returns
/// what the position is.
pub fn list<G: Notation>(game: &G, list: &mut Vec<Listed>) -> Status {
    list.clear();
    let status = status(game);
    if status.outcome.is_none() {
        plies(game, list);
    }
    status
}

/// The same even after an end by count or dead position, where lines of play continue (GEN-6).
fn plies<G: Notation>(game: &G, list: &mut Vec<Listed>) {
    game.for_each_spelt(&mut |ply| list.push(ply.into()));
    if G::IN_ORDER {
        return;
    }
    if G::LONG_COORDINATES {
        list.sort_unstable_by(|a, b| a.coord.cmp(&b.coord));
    } else {
        // Cached keys: they are small compared to the entries.
        list.sort_by_cached_key(Listed::key);
    }
}

/// Calls `visit` with the legal plies in both spellings, in byte order of their coordinates, even after an end by count
/// or dead position (GEN-6).
pub fn for_each_in_order<G: Notation>(game: &G, visit: &mut impl FnMut(SpeltPly<'_>)) {
    if G::IN_ORDER {
        return game.for_each_spelt(visit);
    }
    let mut list = Vec::with_capacity(64);
    plies(game, &mut list);
    for listed in &list {
        visit(SpeltPly::Listed(listed));
    }
}

/// The legal ply with these coordinates as SAN, and the position after it; `None` if there is no such ply.
pub fn played<G: Notation>(game: &G, coordinates: &str) -> Option<(PlyText, G)> {
    let ply = game.by_coordinates(coordinates)?;
    Some((game.san(ply), game.after(ply)))
}

/// Each legal ply with its coordinates, in their byte order, even after an end by count or dead position (GEN-6).
pub fn branches<G: Notation>(game: &G) -> Vec<(PlyText, G::Ply)> {
    let mut branches = Vec::with_capacity(64);
    let _ = game.legal(|ply| {
        branches.push((game.coordinates(ply), ply));
        ControlFlow::Continue(())
    });
    branches.sort_unstable_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
    branches
}
