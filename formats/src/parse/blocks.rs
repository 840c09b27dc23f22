//! Variations and blocks, from bracket to bracket.

use super::{After, Event, Frame, GrammarFault, Limited, Mode, Open, Parser, Verb};
use crate::lex::{Colon, Kind};
use std::io;

/// Whether a text is a mega-square with a capital file: `A2`.
#[must_use]
pub fn is_address(text: &[u8]) -> bool {
    matches!(text, [b'A'..=b'H', b'1'..=b'8'])
}

/// Whether a text is a square with a small file: `e5`, `n14`.
#[must_use]
pub fn is_square(text: &[u8]) -> bool {
    matches!(
        text,
        [b'a'..=b'n', b'1'..=b'9'] | [b'a'..=b'n', b'1', b'0'..=b'4']
    )
}

impl<'r> Parser<'r> {
    pub(super) fn open_rav(&mut self) -> Option<Event> {
        if self.in_list() {
            return self.unread(GrammarFault::Misplaced(self.top()?));
        }
        if self.ravs >= self.limits.rav_depth {
            return self.over_limit(Limited::RavDepth);
        }
        self.ravs += 1;
        let comes_late = self.is_after_result();
        self.frames.push(Frame {
            open: Open::Rav,
            place: *self.place(),
            mode: Mode::Moves,
            ignored: 0,
        });
        if comes_late {
            self.say(Event::RavOpen);
            return self.fault(GrammarFault::Misplaced(Open::Subgame));
        }
        Some(Event::RavOpen)
    }

    pub(super) fn close_rav(&mut self) -> Option<Event> {
        if self.top() != Some(Open::Rav) {
            return self.unread(GrammarFault::Stray(b')'));
        }
        self.frames.pop();
        self.ravs -= 1;
        Some(Event::RavClose)
    }

    /// Reads what follows `<`: a single token determines the kind of block.
    pub(super) fn block(&mut self, after: After) -> io::Result<Option<Event>> {
        if self.blocks >= self.limits.block_depth {
            return Ok(self.over_limit(Limited::BlockDepth));
        }
        if self.top() == Some(Open::Action) {
            return Ok(self.unread(GrammarFault::Misplaced(Open::Action)));
        }
        if after == After::Address {
            return Ok(self.unread(GrammarFault::Misplaced(Open::Turn)));
        }
        let opening = *self.place();
        self.late_place = None;
        let mut kind = self.lexer.next()?;
        while kind == Kind::Control {
            self.say(Event::Fault(GrammarFault::Control));
            kind = self.lexer.next()?;
        }
        let place = *self.place();
        let in_turn = self.top() == Some(Open::Turn);
        let text = self.lexer.text(place.span);
        // A capital letter with a colon directly after it begins a sub-game, too: the referee reports that it should be
        // a small letter.
        let is_capital = is_address(text);
        let labels = !in_turn && (is_square(text) || is_capital);
        let colon = if labels {
            self.lexer.eat_colon(is_capital)?
        } else {
            Colon::None
        };
        match colon {
            Colon::Found(Some(control)) => {
                self.say_at(Event::Fault(GrammarFault::Control), control);
            }
            Colon::TooFar => return Ok(self.over_limit(Limited::Symbol)),
            Colon::Found(None) | Colon::None => {}
        }
        let colon = colon != Colon::None;
        let Some(open) = self.block_kind(kind, colon) else {
            self.keep(kind);
            // In a turn the writer may leave out the dot before it, and without the dot its `>` closes the turn.
            if !in_turn {
                *self.ignored_here() += 1;
            }
            self.say_at(Event::Fault(GrammarFault::BadBlock), opening);
            self.say_at(Event::Unread, opening);
            return Ok(None);
        };
        if self.is_after_result() {
            self.say_at(
                Event::Fault(GrammarFault::Misplaced(Open::Subgame)),
                opening,
            );
        }
        self.blocks += 1;
        self.action = 0;
        self.frames.push(Frame {
            open,
            place: opening,
            mode: Mode::Tags,
            ignored: 0,
        });
        match open {
            Open::Subgame => self.say_at(Event::SubgameOpen, place),
            Open::Action => {
                if let Some(verb) = Verb::of(self.lexer.text(place.span)) {
                    self.say_at(Event::ActionOpen(verb), place);
                }
            }
            Open::Turn | Open::Rav => {
                self.after = After::Address;
                self.say_at(Event::TurnOpen, opening);
                self.say_at(Event::Address, place);
            }
        }
        Ok(None)
    }

    /// The kind of block that begins with this token after `<`.
    fn block_kind(&self, kind: Kind, colon: bool) -> Option<Open> {
        let text = self.lexer.text(self.span());
        match kind {
            Kind::Symbol(_) if Verb::of(text).is_some() && self.top() != Some(Open::Turn) => {
                Some(Open::Action)
            }
            Kind::Symbol(_) if colon => Some(Open::Subgame),
            Kind::Symbol(_) if is_address(text) => Some(Open::Turn),
            _ => None,
        }
    }

    /// Closes what is open where the record of a game under way ends. Half of an action says nothing, so that is a fault.
    pub(super) fn close_under_way(&mut self, frame: Frame) {
        match frame.open {
            Open::Rav => self.say(Event::RavClose),
            Open::Action => self.say_at(
                Event::Fault(GrammarFault::Unclosed(Open::Action)),
                frame.place,
            ),
            Open::Subgame | Open::Turn => {
                if frame.open == Open::Subgame && frame.mode != Mode::Ended {
                    self.say(Event::UnderWay);
                }
                self.say(Event::BlockClose(frame.open));
            }
        }
    }

    pub(super) fn close_block(&mut self) -> Option<Event> {
        if *self.ignored_here() > 0 {
            *self.ignored_here() -= 1;
            return self.unread(GrammarFault::Stray(b'>'));
        }
        let Some(depth) = self
            .frames
            .iter()
            .rposition(|frame| frame.open != Open::Rav)
        else {
            return self.unread(GrammarFault::Stray(b'>'));
        };
        for frame in self.frames.split_off(depth + 1) {
            self.ravs -= 1;
            self.say_at(
                Event::Fault(GrammarFault::Unclosed(frame.open)),
                frame.place,
            );
        }
        let frame = self.frames.pop()?;
        self.blocks -= 1;
        if frame.open == Open::Subgame && frame.mode != Mode::Ended {
            self.say(self.without_result());
        }
        if frame.open == Open::Turn {
            self.after = After::Turn;
        }
        self.say(Event::BlockClose(frame.open));
        None
    }
}
