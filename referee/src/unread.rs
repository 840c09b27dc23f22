//! Words that are no plies, and what they may have meant.

use crate::{
    finding as code, game::judge::Judge, hearing::Hearing, nearest::nearest, numbering::Unjudged,
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    san::{LANGUAGES, Language, San, SanError, Spelt},
};
use overboard_rules::{ply::Written, position::Found, refusal::list, variant::Extension};

/// How a word would be read in other languages.
struct Guess {
    languages: Vec<&'static Language>,
    /// In English.
    written: Written,
}

impl<G: Judge> Hearing<'_, G> {
    #[cold]
    pub(crate) fn unreadable_ply(&mut self, at: G::Board, fault: SanError) -> Option<Canonical> {
        let place = self.state.last.place;
        match fault {
            SanError::Drop => self.extension("a drop `@`", Extension::Drop, place),
            SanError::Above => {
                self.extension(
                    "an arrival on the second level `^`",
                    Extension::Above,
                    place,
                );
            }
            SanError::Beside => {
                self.extension("an arrival on another board `/`", Extension::Beside, place);
            }
            _ => self.no_ply(at, fault),
        }
        self.lose(at, Unjudged::NextMove);
        None
    }

    /// Reports that a word is no ply, and what it may have meant.
    fn no_ply(&mut self, at: G::Board, fault: SanError) {
        let place = self.state.last.place;
        let text = self.parser.text(place.span);
        let position = self.referee.position();
        let language = self.state.options().limits.language;
        let guesses =
            position.map_or_else(Vec::new, |position| guesses(position, at, text, language));
        let nearest = match (guesses.first(), position) {
            (Some(guess), _) => Some(Spelt(guess.written).to_string()),
            (None, Some(position)) => nearest(position, at, None, &decode(text).0),
            (None, None) => None,
        };
        let mut message = no_move(fault);
        if !guesses.is_empty() {
            message.push_str(if fault == SanError::NoMove {
                ": a "
            } else {
                ". A "
            });
            message.push_str(&in_words(&guesses));
            self.state.terms.guess(
                guesses
                    .into_iter()
                    .flat_map(|guess| guess.languages)
                    .collect(),
            );
        } else if self.state.options().limits.language.is_some() && !Language::names(G::ALPHABET) {
            message.push_str("; no language has letters for gold and silver, so --piece-letters does not change the letters of this game");
        }
        let board = self.picture(at);
        let moment = self.moment();
        if let Some(finding) = self.find(&code::BAD_PLY, place, message) {
            finding.nearest = nearest;
            finding.board = board;
            finding.moment = moment;
        }
    }

    /// Takes a ply in an unknown position: only its syntax can be checked.
    #[cold]
    pub fn pass_over(&mut self) -> Option<Canonical> {
        self.state.numbers.drop_given();
        let place = self.state.last.place;
        let text = self.parser.text(place.span);
        let is_guessed = || {
            let reads = |language: &&'static Language| {
                San::parse_in(Some(language), text, G::ALPHABET).is_ok()
            };
            self.state.terms.guessed().iter().any(reads)
        };
        if self.state.judging.is_on()
            && !self.state.brackets.in_unreadable()
            && !self.state.judging.speaks_otherwise()
            && let Err(fault) =
                San::parse_in(self.state.options().limits.language, text, G::ALPHABET)
            && !is_guessed()
        {
            self.find(&code::BAD_PLY, place, no_move(fault));
        }
        None
    }
}

/// The legal plies that a word would be in other languages, those of the commonest first.
fn guesses<G: Judge>(
    game: &G,
    at: G::Board,
    text: &[u8],
    language: Option<&'static Language>,
) -> Vec<Guess> {
    let mut guesses: Vec<Guess> = Vec::new();
    let current = language.map_or("en", |language| language.code);
    for language in LANGUAGES.iter().filter(|other| other.code != current) {
        let Ok(San { written, .. }) = San::parse_in(Some(language), text, G::ALPHABET) else {
            continue;
        };
        if let Some(guess) = guesses.iter_mut().find(|guess| guess.written == written) {
            guess.languages.push(language);
        } else if matches!(game.find(at, &written), Found::One(_)) {
            guesses.push(Guess {
                languages: vec![language],
                written,
            });
        }
    }
    guesses
}

/// `knight in German notation?` and how to read it so.
fn in_words(guesses: &[Guess]) -> String {
    let piece = |guess: &Guess| match guess.written {
        Written::Move(pattern) => pattern.role.name(),
        _ => "piece",
    };
    let said = guesses
        .iter()
        .filter_map(|guess| Some((piece(guess), guess.languages.first()?.name)));
    let meanings = said.map(|(piece, name)| format!("{piece} in {name}"));
    let mut codes = guesses
        .iter()
        .flat_map(|guess| &guess.languages)
        .map(|language| language.code);
    let first = codes.next().unwrap_or_default();
    let others: Vec<_> = codes.collect();
    let or = if others.is_empty() {
        String::new()
    } else {
        format!(" (or {})", others.join(", "))
    };
    format!(
        "{} notation? If so, read the record with --piece-letters {first}{or}",
        list(meanings, "or a")
    )
}

fn no_move(fault: SanError) -> String {
    match fault {
        SanError::NoMove => fault.to_string(),
        fault => format!("this is not a move: {fault}"),
    }
}
