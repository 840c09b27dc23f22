//! Words: plies, results, addresses and arguments.

use super::{After, Event, GrammarFault, Limited, Mode, Open, Parser, is_address};
use crate::{encoding::written_length, lex::Lead};

/// Whether a text is the result of a finished game, including spellings outside the standard: `1/2`, and `½` in UTF-8
/// and in Latin-1.
#[must_use]
pub fn is_result(text: &[u8]) -> bool {
    matches!(
        text,
        b"1-0"
            | b"0-1"
            | b"1/2-1/2"
            | b"1/2"
            | b"\xc2\xbd"
            | b"\xc2\xbd-\xc2\xbd"
            | b"\xbd"
            | b"\xbd-\xbd"
    )
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
    pub(super) fn number_or_result(&mut self) -> Event {
        let text = self.lexer.text(self.span());
        if is_result(text) {
            return self.result();
        }
        if text.iter().all(u8::is_ascii_digit) {
            self.say(Event::Number);
            return Event::Fault(GrammarFault::NumberForm);
        }
        Event::Ply
    }

    pub(super) fn word(&mut self, lead: Lead, after: After) -> Event {
        match self.top() {
            Some(Open::Turn) => self.turn_word(after),
            Some(Open::Action) => self.argument(),
            Some(Open::Subgame) if *self.mode_here() == Mode::Ended => {
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
    pub(super) fn turn_word(&mut self, after: After) -> Event {
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

    pub(super) fn symbol_in_turn(&mut self) -> Event {
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
        match self.top() {
            Some(Open::Rav) => {
                self.say(Event::Unread);
                Event::Fault(GrammarFault::ResultInRav)
            }
            Some(Open::Subgame) if *self.mode_here() == Mode::Ended => {
                self.say(Event::Unread);
                Event::Fault(GrammarFault::Misplaced(Open::Subgame))
            }
            Some(Open::Subgame) => {
                *self.mode_here() = Mode::Ended;
                Event::Result
            }
            Some(Open::Turn | Open::Action) => {
                self.say(Event::Unread);
                Event::Fault(GrammarFault::Misplaced(Open::Turn))
            }
            None => {
                self.mode = Mode::Ended;
                Event::Result
            }
        }
    }
}
