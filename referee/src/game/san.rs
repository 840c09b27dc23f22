//! The way in and out for a move as people write it: from a position and `Nf3` to the ply and back.
//!
//! ```
//! use overboard_games::{chess::Chess, one_board::OneBoard};
//! use overboard_referee::game::{notation::Notation as _, san::by_san};
//! use overboard_rules::game::{Game as _, Only};
//!
//! let mut game = OneBoard(Chess::default());
//! let ply = by_san(&game, Only, "Nf3").expect("a legal move");
//! assert_eq!(game.san(ply).as_str(), "Nf3");
//! game.play(ply);
//! let refusal = by_san(&game, Only, "Ke3").unwrap_err();
//! assert!(refusal.to_string().ends_with("(CH-13)"), "{refusal}");
//! ```

use super::judge::Judge;
use overboard_formats::san::{self, San};
use overboard_rules::{game::Said, general, position::Found, rule::Rule};

/// Why a text does not mean a legal ply.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// It is not written as a ply.
    #[error("{0}")]
    Unreadable(#[from] san::SanError),
    /// The game has no board of this name.
    #[error("there is no board `{0}`")]
    NoBoard(String),
    /// The ply is not legal here: the reason, and the rule that it breaks.
    #[error("{words} ({id})", id = rule.id)]
    Refused {
        /// The reason in words.
        words: String,
        /// The rule.
        rule: &'static Rule,
    },
}

/// The legal ply that a text on a board means, with English letters, with or without a sign of check. Acts that are written
/// in brackets have no such text; `Notation::by_coordinates` finds them.
///
/// # Errors
/// Why there is none, with the rule.
pub fn by_san<G: Judge>(game: &G, at: G::Board, text: &str) -> Result<G::Ply, SanError> {
    let san = San::parse_in(None, text.as_bytes(), G::ALPHABET)?;
    if let Found::One(ply) = game.find(at, &san.written) {
        return Ok(ply);
    }
    let refused = |words: String, rule| SanError::Refused { words, rule };
    match game.resolve(at, Said::Ply(san.written)) {
        Ok(plies) => plies.first().copied().ok_or_else(|| {
            let words = "nothing is done by this".to_owned();
            refused(words, &general::JUDGED)
        }),
        Err(refusal) => Err(refused(refusal.words, refusal.rule)),
    }
}
