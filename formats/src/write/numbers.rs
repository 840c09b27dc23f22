//! Move numbers, and the plies that follow them.

use super::Writer;
use crate::{
    canonical::{Canonical, board_number},
    san::Spelt,
};
use overboard_rules::square::Side;
use std::{
    io::{self, Write},
    mem,
};

/// The maximum number of consecutive numbers without plies that are held.
const NUMBERS: usize = 1000;

/// Numbers that were read before the ply that they belong to.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) held: Vec<u8>,
    /// Earlier numbers that no ply followed. They are dropped at the end of the moves, since reading the output again
    /// would drop them, too.
    pub(super) stray: Vec<Vec<u8>>,
    /// Whether there are too many to hold, so that numbers are written wherever they are.
    pub(super) stay: bool,
    /// Whether there is a number before an action whose ply is still to come.
    pub(super) before_action: bool,
}

impl<W: Write> Writer<W> {
    pub(super) fn ply(&mut self, text: &[u8], canonical: Option<Canonical>) -> io::Result<()> {
        self.judged = canonical.is_some();
        self.after_ply = true;
        let number = mem::take(&mut self.numbers.held);
        let Some(canonical) = canonical else {
            self.write_number(&number)?;
            self.interrupted = false;
            return self.token(text);
        };
        // A number before an action belongs to the ply after it.
        let numbered = mem::take(&mut self.numbers.before_action) && number.is_empty();
        if !self.in_item && !numbered {
            self.number_of(&canonical)?;
        }
        let suffix = canonical.suffix.as_str();
        self.token(format!("{}{suffix}", Spelt(canonical.written)).as_bytes())
    }

    /// Writes the number of a ply or turn, if it needs one.
    pub(super) fn number_of(&mut self, canonical: &Canonical) -> io::Result<()> {
        self.numbers.held.clear();
        let number = canonical.number;
        let text = match (canonical.board, canonical.side) {
            (Some(board), side) => board_number(board, number, side),
            (None, Side::White) => format!("{number}."),
            (None, Side::Black) if self.interrupted => format!("{number}..."),
            (None, Side::Black) => String::new(),
        };
        self.write_number(text.as_bytes())?;
        self.interrupted = false;
        Ok(())
    }

    /// Keeps a number for its ply. A second run of digits is another number, not a continuation of the first.
    pub(super) fn number(&mut self, text: &[u8]) -> io::Result<()> {
        if self.numbers.held.last().is_some_and(u8::is_ascii_digit)
            && text.first().is_some_and(u8::is_ascii_digit)
        {
            let before = mem::take(&mut self.numbers.held);
            self.numbers.stray.push(before);
            self.numbers.stay |= self.numbers.stray.len() > NUMBERS;
            if self.numbers.stay {
                self.write_stray()?;
            }
        }
        // Side by side, a number and the dots after it would be read as one number.
        if !self.numbers.held.is_empty() {
            self.numbers.held.push(b' ');
        }
        self.numbers.held.extend_from_slice(text);
        Ok(())
    }

    /// Writes the numbers that no ply followed.
    pub(super) fn write_stray(&mut self) -> io::Result<()> {
        mem::take(&mut self.numbers.stray)
            .iter()
            .try_for_each(|number| self.write_number(number))
    }

    /// Writes the number that waits for its ply, where it is.
    pub(super) fn write_held_number(&mut self) -> io::Result<()> {
        let number = mem::take(&mut self.numbers.held);
        self.write_number(&number)
    }

    pub(super) fn write_number(&mut self, number: &[u8]) -> io::Result<()> {
        if number.is_empty() {
            return Ok(());
        }
        self.settle_opening()?;
        if !self.style.fills && self.ravs == 0 && !self.glue {
            self.break_line()?;
        }
        for word in number.split(|byte| *byte == b' ') {
            self.token(word)?;
        }
        Ok(())
    }

    /// Writes a number in its place if no ply follows. The same goes for a number with a board, since what follows it
    /// is about that board (SC-37), and for one in a record without tags, where a remark written before it would be
    /// read as one among the tags.
    pub(super) fn settle_number(&mut self) -> io::Result<()> {
        if self.head.has_unread {
            return self.write_held_number();
        }
        if self.ravs == 0 && self.numbers.held.iter().any(u8::is_ascii_alphabetic) {
            self.numbers.before_action = true;
            return self.write_held_number();
        }
        let begins_with_digit = self.numbers.held.first().is_some_and(u8::is_ascii_digit);
        let waits =
            self.numbers.held.is_empty() || begins_with_digit && self.numbers.held.ends_with(b".");
        if waits {
            Ok(())
        } else {
            self.write_held_number()
        }
    }
}
