//! Words that are no plies, and what they may have meant.

use crate::{
    finding as code, game::judged::Judged, nearest::nearest, numbering::Unjudged,
    record_state::RecordState, referee::Referee,
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::Parser,
    san::{LANGUAGES, Language, San, SanError, Spelt},
};
use overboard_rules::{ply::Written, position::Found, refusal::list, variant::Extension};

/// How a word would be read in other languages.
struct Guess {
    languages: Vec<&'static Language>,
    /// In English.
    written: Written,
}

impl<G: Judged> Referee<G> {
    #[cold]
    pub(crate) fn unreadable_ply(
        &mut self,
        at: G::Board,
        fault: SanError,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let place = state.last.place;
        match fault {
            SanError::Drop => state.extension("a drop `@`", Extension::Drop, place, parser),
            SanError::Above => {
                state.extension(
                    "an arrival on the second level `^`",
                    Extension::Above,
                    place,
                    parser,
                );
            }
            SanError::Beside => {
                state.extension(
                    "an arrival on another board `/`",
                    Extension::Beside,
                    place,
                    parser,
                );
            }
            _ => self.no_ply(at, fault, state, parser),
        }
        self.lose(at, Unjudged::NextMove, state);
        None
    }

    /// Reports that a word is no ply, and what it may have meant.
    fn no_ply(&self, at: G::Board, fault: SanError, state: &mut RecordState, parser: &Parser<'_>) {
        let place = state.last.place;
        let text = parser.text(place.span);
        let position = self.line.now().position();
        let language = state.options.limits.language;
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
            state.guessed = guesses
                .into_iter()
                .flat_map(|guess| guess.languages)
                .collect();
        } else if state.options.limits.language.is_some() && !Language::names(G::ALPHABET) {
            message.push_str("; no language has letters for gold and silver, so --piece-letters does not change the letters of this game");
        }
        let board = position.and_then(|position| position.panel(at));
        let moment = self.moment(state);
        if let Some(finding) = state.find(&code::BAD_PLY, place, parser, message) {
            finding.nearest = nearest;
            finding.board = board.map(Box::new);
            finding.moment = moment;
        }
    }

    /// Takes a ply in an unknown position: only its syntax can be checked.
    #[cold]
    pub fn pass_over(&mut self, state: &mut RecordState, parser: &Parser<'_>) -> Option<Canonical> {
        state.numbered = false;
        let place = state.last.place;
        let text = parser.text(place.span);
        let is_guessed = || {
            let reads = |language: &&'static Language| {
                San::parse_in(Some(language), text, G::ALPHABET).is_ok()
            };
            state.guessed.iter().any(reads)
        };
        if state.judging
            && state.bad_blocks == 0
            && !state.speaks_otherwise
            && let Err(fault) = San::parse_in(state.options.limits.language, text, G::ALPHABET)
            && !is_guessed()
        {
            state.find(&code::BAD_PLY, place, parser, no_move(fault));
        }
        None
    }
}

/// The legal plies that a word would be in other languages, those of the commonest first.
fn guesses<G: Judged>(
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
