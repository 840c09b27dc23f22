//! Words: plies, results, addresses and arguments.

use super::{Event, GrammarFault, Limited, Mode, Open, Parser, is_address};
use crate::{encoding::written_length, lex::Lead};

/// Whether a text is the result of a finished game, including spellings outside the standard: `1/2`, and `½` in UTF-8
/// and in Latin-1.
#[must_use]
pub fn is_result(text: &[u8]) -> bool {
    matches!(
        text,
        b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"\xc2\xbd" | b"\xc2\xbd-\xc2\xbd" | b"\xbd" | b"\xbd-\xbd"
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

    pub(super) fn word(&mut self, lead: Lead) -> Event {
        match self.top() {
            Some(Open::Turn) => self.turn_word(),
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
    pub(super) fn turn_word(&mut self) -> Event {
        if self.take_item_due() {
            return self.symbol_in_turn();
        }
        if is_address(self.lexer.text(self.span())) {
            self.after_address = true;
            return Event::Address;
        }
        self.say(Event::Unread);
        Event::Fault(GrammarFault::Misplaced(Open::Turn))
    }

    pub(super) fn take_item_due(&mut self) -> bool {
        self.frames.last_mut().is_some_and(|frame| std::mem::take(&mut frame.item_due))
    }

    pub(super) fn symbol_in_turn(&mut self) -> Event {
        if is_result(self.lexer.text(self.span())) { Event::Result } else { Event::Ply }
    }

    pub(super) fn dots(&mut self, after_address: bool) -> Option<Event> {
        let item_due = self.take_item_due();
        let joins = (after_address || item_due) && self.span().len() == 1;
        if let Some(frame) = self.frames.last_mut().filter(|_| joins) {
            // A second dot is a fault, but goes with the first, which is not written if no item follows.
            frame.item_due = true;
            return if item_due { self.fault(GrammarFault::Misplaced(Open::Turn)) } else { None };
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
                self.take_item_due();
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
