//! What the tag Termination says: in PGN's words, or in the sentences of chess.com.

use overboard_rules::outcome::Cause;

/// How a game ended, as its tag says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Termination {
    /// What ended it; `None` where nothing in particular did, or it has not ended.
    pub cause: Option<Cause>,
    /// Who won: a name, or nobody in a draw; `None` where only the tag Result says that.
    pub winner: Option<Winner>,
    /// Whether it has not ended.
    pub is_open: bool,
}

/// Who won, as a sentence says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winner {
    /// The player with this name.
    Named(String),
    /// Nobody: the game was drawn.
    Nobody,
}

/// How chess.com ends the sentence about a game that somebody won.
const WON: [(&str, Cause); 4] = [
    (" won by checkmate", Cause::Checkmate),
    (" won by resignation", Cause::Resignation),
    (" won on time", Cause::Flag),
    (" won - game abandoned", Cause::Abandoned),
];

/// How it ends the sentence about a drawn game.
const DRAWN: [(&str, Cause); 6] = [
    ("by agreement", Cause::Agreement),
    ("by repetition", Cause::ThreefoldClaim),
    ("by stalemate", Cause::Stalemate),
    ("by insufficient material", Cause::DeadPosition),
    ("by timeout vs insufficient material", Cause::Flag),
    ("by 50-move rule", Cause::FiftyMoveClaim),
];

impl Termination {
    /// Reads the value of the tag; `None` if it is none that is known.
    #[must_use]
    pub fn read(tag: &str) -> Option<Self> {
        if let Some(said) = Self::in_pgn(tag) {
            return Some(said);
        }
        if let Some(how) = tag.strip_prefix("Game drawn ") {
            let (_, cause) = DRAWN.iter().find(|(words, _)| *words == how)?;
            return Some(Self::sentence(*cause, Winner::Nobody));
        }
        let (name, cause) = WON
            .iter()
            .find_map(|(words, cause)| Some((tag.strip_suffix(words)?, *cause)))?;
        Some(Self::sentence(cause, Winner::Named(name.to_string())))
    }

    fn in_pgn(tag: &str) -> Option<Self> {
        let is_open = tag.eq_ignore_ascii_case("unterminated");
        let cause = Cause::from_tag(tag);
        let is_word = is_open || tag.eq_ignore_ascii_case("normal") || cause.is_some();
        is_word.then_some(Self {
            cause,
            winner: None,
            is_open,
        })
    }

    const fn sentence(cause: Cause, winner: Winner) -> Self {
        Self {
            cause: Some(cause),
            winner: Some(winner),
            is_open: false,
        }
    }

    /// Whether it says no more than that the game ended.
    #[must_use]
    pub const fn is_normal(&self) -> bool {
        self.cause.is_none() && !self.is_open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_sentences_are_read() {
        let cause = |tag| Termination::read(tag).and_then(|said| said.cause);
        assert_eq!(cause("Time forfeit"), Some(Cause::Flag));
        assert_eq!(cause("Ann won on time"), Some(Cause::Flag));
        assert_eq!(cause("Game drawn by stalemate"), Some(Cause::Stalemate));
        assert!(Termination::read("Normal").is_some_and(|said| said.is_normal()));
        assert!(Termination::read("unterminated").is_some_and(|said| said.is_open));
        assert_eq!(Termination::read("Ann lost interest"), None);
        assert_eq!(Termination::read("Game drawn by lot"), None);
        let said = Termination::read("Ann B. won by checkmate").unwrap();
        assert_eq!(said.winner, Some(Winner::Named("Ann B.".into())));
    }
}
