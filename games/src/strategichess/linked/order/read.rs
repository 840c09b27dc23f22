//! Parses an instruction, word by word.

use super::{Departure, Item, OrderError, Share};
use overboard_formats::header::unescape_list;
use overboard_rules::square::{Role, Square};
use std::ops::Range;

/// Marks that open a name, and those that may close it.
const QUOTES: [(char, &str); 11] = [
    ('"', "\"”“"),
    ('“', "”\"“"),
    ('”', "”\""),
    ('„', "“”\""),
    ('‟', "”\""),
    ('\'', "'’"),
    ('‘', "’'"),
    ('’', "’'"),
    ('‚', "‘’'"),
    ('«', "»"),
    ('»', "«»"),
];
/// Punctuation without meaning.
pub const SIGNS: &str = ".,:;!?-–—−";
/// Signs that make the number after them negative.
const MINUS: &str = "-−–";
const WHICH: &str = "`reinforcements`, or pieces such as `2 Knights and a Pawn`";

#[derive(Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    departures: Vec<Departure>,
}

impl<'a> Reader<'a> {
    pub const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            departures: Vec::new(),
        }
    }

    /// How the frame departed from the form.
    pub fn departures(mut self) -> Vec<Departure> {
        self.departures.sort_unstable();
        self.departures.dedup();
        self.departures
    }

    fn fault<T>(&self, expected: &'static str) -> Result<T, OrderError> {
        Err(OrderError {
            at: self.at,
            expected,
        })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips all characters that are `wanted`; returns them.
    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Skips what stands between two words of the pieces: spaces, quotation marks and brackets, which mean nothing there.
    fn skip_spaces(&mut self) {
        self.skip(|c| c.is_whitespace() || c == '(' || is_quote(c));
    }

    /// Skips what closes around the pieces.
    fn skip_closing(&mut self) {
        self.skip(|c| c == ')' || is_quote(c));
    }

    /// Skips the separator between two words of the frame: one space, or one line end.
    fn part(&mut self, begins: bool) {
        let between = self.skip(|c| c.is_whitespace() || SIGNS.contains(c));
        let signs = between.contains(|c| SIGNS.contains(c));
        let right = if begins { "" } else { " " };
        if signs {
            self.departures.push(Departure::Signs);
        } else if between != right && !(between == "\n" || between == "\r\n") {
            self.departures.push(Departure::Spaces);
        }
    }

    /// The letters and digits that come next.
    fn word(&self) -> Range<usize> {
        let length = self
            .rest()
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(self.rest().len());
        self.at..self.at + length
    }

    /// Skips these words of the frame.
    pub fn words(&mut self, words: &str, expected: &'static str) -> Result<(), OrderError> {
        for word in words.split(' ') {
            self.part(self.at == 0);
            let next = self.word();
            let there = &self.text[next.clone()];
            if there.to_lowercase() != word.to_lowercase() {
                return self.fault(expected);
            }
            if there != word {
                self.departures.push(Departure::Capitals);
            }
            self.at = next.end;
        }
        Ok(())
    }

    /// A name in quotation marks, or a plain one: a word of letters and digits, which may contain hyphens and
    /// apostrophes.
    pub fn name(&mut self) -> Result<String, OrderError> {
        self.part(false);
        let rest = self.rest();
        let opening = rest.chars().next().unwrap_or(' ');
        let Some((_, closing)) = QUOTES.into_iter().find(|(mark, _)| *mark == opening) else {
            return self.plain_name();
        };
        let inside = &rest[opening.len_utf8()..];
        let is_closing = |(at, mark): &(usize, char)| {
            // Unlike a closing quotation mark, an apostrophe in a name is followed by a letter.
            let goes_on = inside[at + mark.len_utf8()..].starts_with(char::is_alphanumeric);
            closing.contains(*mark) && !(matches!(mark, '\'' | '’') && goes_on)
        };
        let (length, mark) = match inside.char_indices().find(is_closing) {
            Some((length, mark)) if length > 0 => (length, mark),
            _ => return self.fault("a player's name in double quotes"),
        };
        if (opening, mark) != ('"', '"') {
            self.departures.push(Departure::Quotes);
        }
        self.at += opening.len_utf8() + length + mark.len_utf8();
        // A line end counts as a space.
        let name = inside[..length].replace("\r\n", " ").replace('\n', " ");
        Ok(unescape_list(&name))
    }

    fn plain_name(&mut self) -> Result<String, OrderError> {
        let from = self.at;
        let name = self.skip(|c| c.is_alphanumeric() || "-'’%_".contains(c));
        if !name.starts_with(|c: char| c.is_alphanumeric()) {
            self.at = from;
            return self.fault("a player's name in double quotes");
        }
        self.departures.push(Departure::NoQuotes);
        Ok(unescape_list(name))
    }

    /// `reinforcements`, or a list of pieces.
    pub fn pieces(&mut self) -> Result<Vec<Item>, OrderError> {
        self.part_before_pieces();
        if self.skip_word("reinforcements") {
            self.skip_closing();
            return Ok(Vec::new());
        }
        let mut items = vec![self.item()?];
        while self.joined() {
            items.push(self.item()?);
        }
        Ok(items)
    }

    /// The separator before the pieces. A minus sign that touches a number belongs to it.
    fn part_before_pieces(&mut self) {
        let from = self.at;
        let spaces = self.skip(char::is_whitespace);
        let is_minus = !spaces.is_empty() && self.clone().minus();
        self.at = from;
        if is_minus {
            self.skip(char::is_whitespace);
        } else {
            self.part(false);
        }
    }

    /// Whether another item follows; skips what joins them. A mere sign before `to` joins nothing.
    fn joined(&mut self) -> bool {
        let from = self.at;
        let signs = self.skip(|c| c.is_whitespace() || ",;&".contains(c));
        let by_word = self.skip_word("and");
        let by_sign = signs.contains([',', ';', '&']) && !self.is_next("to");
        let joined = by_word || by_sign;
        if joined {
            self.skip_spaces();
        } else {
            self.at = from;
        }
        joined
    }

    /// Whether this word comes next, in any case.
    fn is_next(&self, word: &str) -> bool {
        self.text[self.word()].eq_ignore_ascii_case(word)
    }

    /// Skips a word and the spaces before it, in any case.
    fn skip_word(&mut self, word: &str) -> bool {
        let from = self.at;
        self.skip_spaces();
        let there = self.is_next(word);
        self.at = if there { self.word().end } else { from };
        there
    }

    fn skip_one_of(&mut self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().copied().find(|word| self.skip_word(word))
    }

    /// `Rook`, `a Pawn`, `2 Knights`, `all of your Pawns on n4 and n5`, `Nn5`.
    fn item(&mut self) -> Result<Item, OrderError> {
        let share = Share::ALL
            .into_iter()
            .find(|share| self.skip_word(share.word()));
        let article = self.skip_one_of(&["an", "a", "the", "your"]);
        let is_negative = self.minus();
        let number = self.number();
        self.skip_word("of");
        self.skip_one_of(&["the", "your"]);
        self.skip_spaces();
        let next = self.word();
        let word = &self.text[next.clone()];
        let (role, plural, glued) = match (named(word), word.chars().next()) {
            (Some((role, plural)), _) => (role, plural, None),
            (None, Some(letter)) => {
                let square = square(&word[letter.len_utf8()..]);
                match lettered(letter) {
                    Some(role) if square.is_some() => (role, false, square),
                    _ => return self.fault(WHICH),
                }
            }
            (None, None) => return self.fault(WHICH),
        };
        self.at = next.end;
        let plural = plural | self.apostrophe_s();
        self.skip_closing();
        let mut squares: Vec<_> = glued.into_iter().collect();
        self.squares(&mut squares)?;
        self.skip_closing();
        let count = match article {
            Some("a" | "an") if number.is_none() => Some(1),
            _ => number,
        };
        Ok(Item {
            share,
            count,
            is_negative,
            role,
            plural,
            squares,
        })
    }

    /// Skips the `'s` of `3 P's`, by which some write a plural.
    fn apostrophe_s(&mut self) -> bool {
        let rest = self.rest();
        let end = ["'s", "’s"].into_iter().find(|end| rest.starts_with(end));
        let Some(end) = end else { return false };
        if rest[end.len()..].starts_with(char::is_alphanumeric) {
            return false;
        }
        self.at += end.len();
        true
    }

    /// Skips the minus sign of a number.
    fn minus(&mut self) -> bool {
        let from = self.at;
        self.skip_spaces();
        let signs = self.skip(|c| MINUS.contains(c));
        let is_minus = !signs.is_empty() && self.rest().starts_with(|c: char| c.is_ascii_digit());
        self.at = if is_minus { self.at } else { from };
        is_minus
    }

    /// `on n4`, `n4 and n5`: the squares after a piece.
    fn squares(&mut self, squares: &mut Vec<(String, Option<Square>)>) -> Result<(), OrderError> {
        let on = self.skip_one_of(&["on", "at"]).is_some();
        loop {
            let from = self.at;
            if !squares.is_empty() {
                self.joined();
            }
            self.skip_spaces();
            let next = self.word();
            if let Some(square) = square(&self.text[next.clone()]) {
                squares.push(square);
                self.at = next.end;
                continue;
            }
            if on && squares.is_empty() {
                return self.fault("a square such as `n5`");
            }
            self.at = from;
            return Ok(());
        }
    }

    /// `2`, `two`, `twenty-one`.
    fn number(&mut self) -> Option<u32> {
        self.skip_spaces();
        let digits = self.skip(|c| c.is_ascii_digit());
        if !digits.is_empty() {
            return Some(digits.parse().unwrap_or(u32::MAX));
        }
        if let Some(tens) = self.index_of(&TENS) {
            let from = self.at;
            self.skip(|c| c == '-');
            let units = match self.index_of(&UNITS) {
                Some(units @ 1..10) => units,
                _ => {
                    self.at = from;
                    0
                }
            };
            return Some(20 + 10 * tens + units);
        }
        self.index_of(&UNITS)
    }

    /// Which of some words comes next; skips it.
    fn index_of(&mut self, words: &[&str]) -> Option<u32> {
        for (index, word) in (0..).zip(words) {
            if self.skip_word(word) {
                return Some(index);
            }
        }
        None
    }

    /// The full stop, and nothing after it.
    pub fn end(&mut self) -> Result<(), OrderError> {
        let between = self.skip(char::is_whitespace);
        let from = self.at;
        let signs = self.skip(|c| SIGNS.contains(c));
        let after = self.skip(char::is_whitespace);
        if !self.rest().is_empty() {
            self.at = if signs.is_empty() { from } else { self.at };
            return self.fault("nothing after the instruction");
        }
        match signs {
            "." if between.is_empty() && after.is_empty() => {}
            "." => self.departures.push(Departure::Spaces),
            "" => self.departures.push(Departure::NoFullStop),
            _ => self.departures.push(Departure::Signs),
        }
        Ok(())
    }
}

const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
fn is_quote(c: char) -> bool {
    QUOTES
        .iter()
        .any(|(mark, closing)| *mark == c || closing.contains(c))
}

/// The kind of piece that a name or letter means, and whether it is a plural.
fn named(word: &str) -> Option<(Role, bool)> {
    let small = word.to_lowercase();
    let one = small.strip_suffix('s').unwrap_or(&small);
    let mut letters = one.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return lettered(letter).map(|role| (role, one != small));
    }
    // The author also calls a rook a Castle.
    let is_named = |role: &Role| role.name() == one || (*role == Role::Rook && one == "castle");
    Role::OF_CHESS
        .into_iter()
        .find(is_named)
        .map(|role| (role, one != small))
}

fn lettered(letter: char) -> Option<Role> {
    Role::OF_CHESS
        .into_iter()
        .find(|role| role.letter() == letter.to_ascii_uppercase())
}

/// A word that is a letter and a number, in small letters, and the square of a board of 14 by 14 that it means, if there
/// is such a square.
fn square(word: &str) -> Option<(String, Option<Square>)> {
    let small = word.to_ascii_lowercase();
    let [letter @ b'a'..=b'z', digits @ ..] = small.as_bytes() else {
        return None;
    };
    if digits.len() > 2 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let file = letter - b'a';
    let rank: u8 = small[1..].parse().ok()?;
    let on = if file < 14 && (1..=14).contains(&rank) {
        Some(Square::new(file, rank - 1))
    } else {
        None
    };
    Some((small, on))
}
