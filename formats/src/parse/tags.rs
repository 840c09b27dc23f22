//! Tag pairs, and where they begin a record.

use super::{Event, GrammarFault, Limited, Mode, Open, Parser};
use crate::lex::{Kind, TagFault};

impl<'r> Parser<'r> {
    pub(super) fn tag(&mut self) -> Option<Event> {
        let spans = self.lexer.tag();
        let begins = self.mode == Mode::Ended
            || (spans.at_line_start && (self.text(spans.name) == b"Event" || self.among_moves()));
        if !self.begin_or_pass(begins, Kind::Tag) {
            return None;
        }
        if *self.mode_here() != Mode::Tags || self.in_rav_or_list() {
            return self.unread(GrammarFault::TagInMoves);
        }
        self.tags += 1;
        if self.tags > self.limits.tags {
            return self.over_limit(Limited::Tags);
        }
        if let Some(control) = spans.control {
            self.say_at(Event::Fault(GrammarFault::Control), control);
        }
        Some(Event::Tag)
    }

    /// Ends the record before a tag pair that begins another one. Returns whether the pair is read now: else it is
    /// passed over, or kept until its record has begun.
    fn begin_or_pass(&mut self, begins: bool, kind: Kind) -> bool {
        if self.mode == Mode::Skipping && !begins {
            return false;
        }
        if begins && !self.is_fresh() {
            self.end_record(self.span().from);
        }
        if self.mode == Mode::Outside {
            self.begin_here();
            self.keep(kind);
            return false;
        }
        true
    }

    /// Whether no record has begun, or one that has only remarks so far.
    fn is_fresh(&self) -> bool {
        self.mode == Mode::Outside
            || (self.mode == Mode::Tags && self.tags == 0 && self.frames.is_empty())
    }

    fn in_rav_or_list(&self) -> bool {
        matches!(self.top(), Some(Open::Rav | Open::Turn | Open::Action))
    }

    /// Whether a tag pair at the start of a line begins a record, whatever its name.
    fn among_moves(&self) -> bool {
        self.frames.is_empty() && self.mode == Mode::Moves
    }

    pub(super) fn bad_tag(&mut self, kind: Kind, fault: TagFault) -> Option<Event> {
        let begins = self.mode == Mode::Ended || self.lexer.tag().at_line_start;
        if !self.begin_or_pass(begins, kind) {
            return None;
        }
        self.tags += 1;
        if fault == TagFault::TooLong {
            return self.over_limit(Limited::TagValue);
        }
        if self.tags > self.limits.tags {
            return self.over_limit(Limited::Tags);
        }
        self.unread(GrammarFault::BadTag(fault))
    }
}
