//! What comments of BPGN say: times in seconds, and how a match ended.
//!
//! ```
//! use overboard_games::bughouse::bpgn::words::{End, clock, seconds};
//!
//! assert_eq!(seconds(b"118.585"), Some(118_585));
//! assert_eq!(clock(118_585), "0:01:58.585");
//! let names = ["Ann", "Di", "Ed", "Bob"];
//! assert_eq!(End::read("Bob resigns", |name| names.iter().position(|known| *known == name)), Some(End::Resigned(3)));
//! ```

use overboard_referee::remedy::clock_face;
use std::fmt::Write as _;

/// A longer comment says nothing but words.
const LONGEST: usize = 200;

/// Seconds with at most three decimals, in milliseconds; `None` for anything else.
#[must_use]
pub fn seconds(text: &[u8]) -> Option<u64> {
    let mut total = 0_u64;
    let (mut whole, mut decimals) = (0, None);
    for byte in text {
        match byte {
            b'0'..=b'9' => total = total * 10 + u64::from(byte - b'0'),
            b'.' if decimals.is_none() && whole > 0 => {
                decimals = Some(0);
                continue;
            }
            _ => return None,
        }
        match &mut decimals {
            Some(count) => *count += 1,
            None => whole += 1,
        }
        if whole > 9 || decimals.is_some_and(|count| count > 3) {
            return None;
        }
    }
    match (whole, decimals) {
        (0, _) | (_, Some(0)) => None,
        (_, decimals) => Some(total * 10_u64.pow(3 - decimals.unwrap_or(0))),
    }
}

/// The seconds since the start of the match in `[ts=0.861]`, in milliseconds.
#[must_use]
pub fn stamp(text: &[u8]) -> Option<u64> {
    seconds(text.strip_prefix(b"[ts=")?.strip_suffix(b"]")?)
}

/// Whether a comment is a time in a form of BPGN. Servers also write clocks below zero, of players whose flag had not been
/// called; these are no commands here, and stay as they are.
#[must_use]
pub fn is_time(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    seconds(digits).is_some() || stamp(text).is_some()
}

/// A time in milliseconds as commands have it: `0:01:58.585`.
#[must_use]
pub fn clock(milliseconds: u64) -> String {
    let mut text = clock_face(milliseconds / 1000);
    let rest = milliseconds % 1000;
    if rest > 0 {
        // Writing to a `String` cannot fail.
        let _ = write!(text, ".{rest:03}");
        text.truncate(text.trim_end_matches('0').len());
    }
    text
}

/// A time in milliseconds as BPGN has it: `118.585`.
#[must_use]
pub fn in_seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// How a match ended, as a comment before the result says. Players are indices of [`SEATS`](super::SEATS).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A player resigned.
    Resigned(usize),
    /// A player was mated.
    Mated(usize),
    /// A player's time ran out.
    Flagged(usize),
    /// A player's team won; why is not known in our terms.
    Won(usize),
    /// The teams agreed on a draw.
    Agreed,
    /// A position occurred for the third time.
    Repeated,
    /// The time of both teams ran out.
    AllFlagged,
    /// The match was broken off.
    Aborted,
}

/// Words after a name, and what they say of that player.
type Said = (&'static str, fn(usize) -> End);

/// What is said after the name of the player concerned.
const AFTER_NAME: [Said; 10] = [
    (" resigns", End::Resigned),
    (" resigned", End::Resigned),
    (" checkmated", End::Mated),
    (" is checkmated", End::Mated),
    (" forfeits on time", End::Flagged),
    (" lost on time", End::Flagged),
    (" ran out of time", End::Flagged),
    (" won by checkmate", End::Won),
    (" won by resignation", End::Won),
    (" won on time", End::Won),
];

/// What is said without a name.
const WHOLE: [(&str, End); 5] = [
    ("Game drawn by mutual agreement", End::Agreed),
    ("Game drawn by agreement", End::Agreed),
    ("Game drawn by repetition", End::Repeated),
    (
        "Game drawn because both players ran out of time",
        End::AllFlagged,
    ),
    ("Game aborted", End::Aborted),
];

impl End {
    /// The end that a comment says, where `seat` knows the players by their names.
    pub fn read(text: &str, seat: impl Fn(&str) -> Option<usize>) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = without_number(&words);
        let text = text.strip_suffix('.').unwrap_or(text);
        let begins = |(words, _): &&(&str, Self)| begins_with(text, words);
        if let Some((words, end)) = WHOLE.iter().find(begins) {
            let is_whole = text.len() == words.len() || *end == Self::Aborted;
            return if is_whole { Some(*end) } else { None };
        }
        // The longest that fits, since a name may have any words in it.
        let known = AFTER_NAME.iter().filter(|(words, _)| text.ends_with(words));
        let (words, end) = known.max_by_key(|(words, _)| words.len())?;
        let name = &text[..text.len() - words.len()];
        Some(end(seat(name).or_else(|| code(name))?))
    }

    /// The end in words, with the names of the players.
    #[must_use]
    pub fn words(self, names: &[String; 4]) -> String {
        // Whoever is not known has the name of the seat.
        let name = |seat: usize| match &*names[seat] {
            "" | "?" => CODES[seat],
            known => known,
        };
        match self {
            Self::Resigned(seat) => format!("{} resigns", name(seat)),
            Self::Mated(seat) => format!("{} checkmated", name(seat)),
            Self::Flagged(seat) => format!("{} forfeits on time", name(seat)),
            Self::Won(seat) => format!("{} won by resignation", name(seat)),
            Self::Agreed => "Game drawn by mutual agreement".into(),
            Self::Repeated => "Game drawn by repetition".into(),
            Self::AllFlagged => "Game drawn because both players ran out of time".into(),
            Self::Aborted => "Game aborted".into(),
        }
    }
}

/// Whether a comment has the form of one that says how a match ended, whoever plays it.
#[must_use]
pub fn says_end(text: &str) -> bool {
    End::read(text, |_| Some(0)).is_some()
}

fn begins_with(text: &str, words: &str) -> bool {
    let start = text.as_bytes().get(..words.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(words.as_bytes()))
}

/// What a server says of its game 12, without that: `Game 12 (Ann vs. Di) Ann resigns`.
fn without_number(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix("Game ")
        && let Some((number, rest)) = rest.split_once(" (")
        && let Some((_, said)) = rest.split_once(") ")
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return said;
    }
    text
}

/// The names of the seats: `WA` is White on board A.
const CODES: [&str; 4] = ["WA", "BA", "WB", "BB"];

/// The seat with a name of this kind.
fn code(name: &str) -> Option<usize> {
    let is_it = |known: &&str| known.eq_ignore_ascii_case(name);
    CODES.iter().position(is_it)
}
