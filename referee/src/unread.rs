//! Words that are no plies, and what they may have meant.

use crate::{
    finding as code, game::judge::Judge, hearing::Hearing, nearest::nearest, numbering::Unjudged,
};
use overboard_formats::{
    canonical::Canonical,
    encoding::decode,
    parse::{Event, Parser},
    san::{Alphabet, LANGUAGES, Language, Leniency, San, SanError, Spelt, Suffix, split_suffix},
};
use overboard_rules::{
    game,
    ply::{Pattern, Written},
    position::Found,
    refusal::list,
    square::Role,
    variant::Extension,
};
use std::{collections::BTreeSet, ops::ControlFlow};

/// How a word would be read in other languages.
struct Guess {
    languages: Vec<&'static Language>,
    /// In English.
    written: Written,
}

impl Guess {
    fn piece(&self) -> &'static str {
        match self.written {
            Written::Move(pattern) => pattern.role.name(),
            _ => "piece",
        }
    }
}

impl<G: Judge> Hearing<'_, G> {
    #[cold]
    pub(crate) fn unreadable_ply(&mut self, at: G::Board, fault: SanError) -> Option<Canonical> {
        if let Some(san) = self.short_capture(at) {
            return self.judge_unless_ended(at, &san);
        }
        if let Some(san) = self.in_another_language() {
            return self.judge_in_another_language(at, &san);
        }
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

    /// A pawn's capture without its rank, as in `ed` and `exd`, or without the pawn's file, as in `xd5`, if just one such
    /// capture is legal.
    fn short_capture(&self, at: G::Board) -> Option<San> {
        let (short, suffix) = short_capture(self.text())?;
        let position = self.referee.position()?;
        let mut meant = Vec::new();
        let _ = position.legal_on(at, |ply| {
            if let (_, game::Spelt::Ply(Written::Move(pattern))) = position.spell(ply)
                && short.may_be(&pattern)
            {
                meant.push(pattern);
            }
            ControlFlow::Continue(())
        });
        let [pattern] = meant[..] else { return None };
        Some(San {
            written: Written::Move(pattern),
            suffix,
            leniency: Some(short.leniency()),
        })
    }

    /// The word in a language other than English, if that has all the letters that follow in the record and English
    /// does not. The record is read in that language from there on.
    pub(crate) fn in_another_language(&mut self) -> Option<San> {
        let state = &mut *self.state;
        if state.options().limits.language.is_some()
            // Elsewhere, letters are also those of boards.
            || !state.is_under_fide()
            || !state.terms.may_look()
        {
            return None;
        }
        let place = state.last.place;
        let language = language_of(self.parser.read_again(place.span.from), G::ALPHABET)?;
        if state.terms.found() == Some(language) {
            return None;
        }
        let text = self.parser.text(place.span);
        let san = San::parse_in(Some(language), text, G::ALPHABET).ok()?;
        if state.terms.found().is_none() {
            let message = format!(
                "these are letters of another language: the record is read in {}",
                language.name
            );
            self.find(&code::PIECE_LETTERS, place, message);
        }
        self.state.terms.read_in(language);
        Some(san)
    }

    /// Judges a ply that was read in a language that the moves seem to show. If it is legal, they do.
    #[cold]
    pub(crate) fn judge_in_another_language(
        &mut self,
        at: G::Board,
        san: &San,
    ) -> Option<Canonical> {
        let before = self.state.games.current().plies;
        let canonical = self.judge_unless_ended(at, san);
        if canonical.is_some() || self.state.games.current().plies > before {
            self.state.terms.prove();
        }
        canonical
    }

    /// Reports that a word is no ply, and what it may have meant.
    fn no_ply(&mut self, at: G::Board, fault: SanError) {
        let place = self.state.last.place;
        let text = self.parser.text(place.span);
        let position = self.referee.position();
        let language = self.state.language();
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
        } else if self.state.language().is_some() && !Language::names(G::ALPHABET) {
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
            && let Err(fault) = San::parse_in(self.state.language(), text, G::ALPHABET)
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

/// A pawn's capture that leaves out one of its parts.
struct ShortCapture {
    from: Option<u8>,
    to_file: u8,
    to_rank: Option<u8>,
    promotion: Option<Role>,
}

impl ShortCapture {
    /// Whether it may be short for this capture.
    fn may_be(&self, pattern: &Pattern) -> bool {
        let is_capture = (pattern.role, pattern.capture) == (Role::Pawn, true);
        let has_files = self.from.is_none_or(|from| pattern.file == Some(from))
            && pattern.to.file == self.to_file;
        let has_rank = self.to_rank.is_none_or(|rank| pattern.to.rank == rank);
        is_capture && has_files && has_rank && pattern.promotion == self.promotion
    }

    const fn leniency(&self) -> Leniency {
        match self.from {
            Some(_) => Leniency::ShortCapture,
            None => Leniency::NamelessCapture,
        }
    }
}

/// Reads `ed`, `exd` or `e:d`, or `xd5`, perhaps with `=Q`, and its suffix.
fn short_capture(text: &[u8]) -> Option<(ShortCapture, Suffix)> {
    let (body, suffix) = split_suffix(text);
    let (body, promotion) = match body {
        [body @ .., b'=', letter] | [body @ .., letter @ b'A'..=b'Z'] => {
            (body, Some(Role::from_letter(*letter)?))
        }
        body => (body, None),
    };
    let file = |letter: &u8| letter.is_ascii_lowercase().then(|| letter - b'a');
    let (from, to_file, to_rank) = match body {
        [b'x', to, rank @ b'1'..=b'9'] => (None, file(to)?, Some(rank - b'1')),
        [from, to] | [from, b'x' | b':', to] => (Some(file(from)?), file(to)?, None),
        _ => return None,
    };
    let capture = ShortCapture {
        from,
        to_file,
        to_rank,
        promotion,
    };
    Some((capture, suffix))
}

/// The first language that has all the letters with which the plies of a record begin; `None` if English has them, or
/// no language does. What stands after its result is of no record.
fn language_of(mut record: Parser, alphabet: &Alphabet) -> Option<&'static Language> {
    let mut letters = BTreeSet::new();
    while let Ok(event) = record.next() {
        match event {
            Event::Ply => {
                if let Some(letter) = letter_of(record.text(record.place().span), alphabet) {
                    letters.insert(letter);
                }
            }
            Event::End | Event::Done => break,
            _ => {}
        }
    }
    let has_all = |language: &&Language| {
        let own = language.letters();
        letters.iter().all(|letter| own.contains(letter))
    };
    LANGUAGES
        .iter()
        .find(has_all)
        .filter(|language| language.code != "en")
}

/// The letter of a ply of a piece, whatever it means. Other words with a capital letter stay as they are when the record
/// is written, so they must not decide what its plies mean.
fn letter_of(word: &[u8], alphabet: &Alphabet) -> Option<u8> {
    let (letter, rest) = word.split_first()?;
    if !letter.is_ascii_uppercase() {
        return None;
    }
    San::parse(&[b"N", rest].concat(), alphabet).ok()?;
    Some(*letter)
}

/// `knight in German notation?` and how to read it so.
fn in_words(guesses: &[Guess]) -> String {
    let said = guesses
        .iter()
        .filter_map(|guess| Some((guess.piece(), guess.languages.first()?.name)));
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
