//! Words: plies, results, addresses and arguments.

use super::{After, Event, GrammarFault, Limited, Mode, Open, Parser, is_address};
use crate::{
    encoding::{decode, is_dash, written_length},
    lex::Lead,
};

/// The result that both sides lost, where nothing follows: among the moves it is castling.
pub const BOTH_LOST: &[u8] = b"0-0";

/// The result of a finished game as the standard writes it, from any spelling: `1/2`, `½` in UTF-8 and in Latin-1, a
/// colon or a dash of any length for the hyphen. The standard lacks `0-0`, `1/2-0` and `0-1/2`, which arbiters give.
///
/// `0-0` itself may be castling, and is not read here.
///
/// ```
/// use overboard_formats::parse::result_of;
///
/// assert_eq!(result_of("½–½".as_bytes()), Some("1/2-1/2"));
/// assert_eq!((result_of(b"0:1"), result_of(b"0-0")), (Some("0-1"), None));
/// ```
#[must_use]
pub fn result_of(text: &[u8]) -> Option<&'static str> {
    match text {
        b"1-0" => Some("1-0"),
        b"0-1" => Some("0-1"),
        b"1/2-1/2" => Some("1/2-1/2"),
        BOTH_LOST => None,
        _ => result_spelt_otherwise(text),
    }
}

/// The result that was read as the end of a record, where `0-0` is no castling: [`result_of`], or `0-0`, or `*`.
///
/// ```
/// use overboard_formats::parse::result_at_the_end;
///
/// assert_eq!((result_at_the_end(b"0-0"), result_at_the_end(b"*")), (Some("0-0"), Some("*")));
/// ```
#[must_use]
pub fn result_at_the_end(text: &[u8]) -> Option<&'static str> {
    match text {
        b"*" => Some("*"),
        BOTH_LOST => Some("0-0"),
        _ => result_of(text),
    }
}

fn result_spelt_otherwise(text: &[u8]) -> Option<&'static str> {
    /// In bytes: `½—½` has seven.
    const LONGEST: usize = 9;
    if text.len() > LONGEST
        || !text
            .iter()
            .any(|byte| matches!(byte, b':' | b'/' | b'-' | 0x80..))
    {
        return None;
    }
    let text = decode(text).0;
    let has_colon = text.contains(':');
    let spelt = text
        .replace('½', "1/2")
        .replace(':', "-")
        .replace(is_dash, "-");
    match spelt.as_str() {
        "1-0" => Some("1-0"),
        "0-1" => Some("0-1"),
        "1/2-1/2" | "1/2" => Some("1/2-1/2"),
        "1/2-0" => Some("1/2-0"),
        "0-1/2" => Some("0-1/2"),
        "0-0" if has_colon => Some("0-0"),
        _ => None,
    }
}

/// Whether a text is the result of a finished game, in any spelling that [`result_of`] reads.
#[must_use]
pub fn is_result(text: &[u8]) -> bool {
    result_of(text).is_some()
}

impl<'r> Parser<'r> {
    /// A result or a ply, where both are possible.
    #[inline(always)]
    pub(super) fn symbol(&mut self, lead: Lead) -> Event {
        match lead {
            Lead::Letter => Event::Ply,
            Lead::Figure => self.number_or_result(),
        }
    }

    #[inline(never)]
    fn number_or_result(&mut self) -> Event {
        let text = self.lexer.text(self.span());
        if is_result(text) || self.ends_with_both_lost {
            return self.result();
        }
        if text.iter().all(u8::is_ascii_digit) && !matches!(text, b"00" | b"000") {
            self.say(Event::Number);
            return Event::Fault(GrammarFault::NumberForm);
        }
        Event::Ply
    }

    pub(super) fn word(&mut self, lead: Lead, after: After) -> Event {
        match self.top() {
            Some(Open::Turn) => self.turn_word(after),
            Some(Open::Action) => self.argument(),
            _ if self.is_after_result() => {
                self.say(Event::Unread);
                Event::Fault(GrammarFault::Misplaced(Open::Subgame))
            }
            _ => self.symbol(lead),
        }
    }

    pub(super) fn argument(&mut self) -> Event {
        self.action += written_length(self.lexer.text(self.span())) as u64 + 1;
        if self.action > self.limits.action as u64 {
            self.over_limit(Limited::Action);
            return Event::Fault(GrammarFault::Limit(Limited::Action));
        }
        Event::Argument
    }

    /// In a turn: an address, or what follows it.
    fn turn_word(&mut self, after: After) -> Event {
        if after == After::Joined {
            return self.symbol_in_turn();
        }
        if is_address(self.lexer.text(self.span())) {
            self.after = After::Address;
            return Event::Address;
        }
        self.say(Event::Unread);
        Event::Fault(GrammarFault::Misplaced(Open::Turn))
    }

    fn symbol_in_turn(&mut self) -> Event {
        if is_result(self.lexer.text(self.span())) {
            Event::Result
        } else {
            Event::Ply
        }
    }

    pub(super) fn dots(&mut self, after: After) -> Option<Event> {
        if matches!(after, After::Address | After::Joined) && self.span().len() == 1 {
            self.after = After::Joined;
            // A second dot is a fault, but goes with the first, which is not written if no item follows.
            return if after == After::Joined {
                self.fault(GrammarFault::Misplaced(Open::Turn))
            } else {
                None
            };
        }
        if self.in_list() {
            return self.unread(GrammarFault::Misplaced(self.top()?));
        }
        self.say(Event::Number);
        self.fault(GrammarFault::NumberForm)
    }

    pub(super) fn result(&mut self) -> Event {
        let fault = match self.top() {
            Some(Open::Rav) => GrammarFault::ResultInRav,
            Some(Open::Turn | Open::Action) => GrammarFault::Misplaced(Open::Turn),
            _ if self.is_after_result() => GrammarFault::Misplaced(Open::Subgame),
            Some(Open::Subgame) | None => {
                *self.mode_here() = Mode::Ended;
                return Event::Result;
            }
        };
        self.say(Event::Unread);
        Event::Fault(fault)
    }
}
