//! Variations, sub-games, turns and actions, and results.

use super::{Writer, tags::rank};
use crate::{
    canonical::Canonical,
    encoding::decode,
    parse::{BOTH_LOST, Open, result_of},
};
use std::{
    io::{self, Write},
    mem,
};

impl<W: Write> Writer<W> {
    pub(super) fn open_rav(&mut self) -> io::Result<()> {
        self.settle_number()?;
        if self.numbers.held.iter().any(u8::is_ascii_alphabetic) {
            // A board before a variation is none of a ply in it.
            self.write_held_number()?;
        }
        self.ravs += 1;
        self.token(b"(")?;
        self.glue = true;
        self.interrupted = true;
        Ok(())
    }

    pub(super) fn close_rav(&mut self) -> io::Result<()> {
        // A number in a variation is none of a ply after it.
        self.write_held_number()?;
        self.ravs = self.ravs.saturating_sub(1);
        self.close(b")")?;
        self.interrupted = true;
        Ok(())
    }

    fn close(&mut self, mark: &[u8]) -> io::Result<()> {
        self.glue = false;
        if self.word.is_empty() {
            return self.token(mark);
        }
        self.join(mark);
        Ok(())
    }

    pub(super) fn open_inline(&mut self, mark: &[u8]) -> io::Result<()> {
        self.write_held_number()?;
        self.token(mark)?;
        self.glue = true;
        Ok(())
    }

    pub(super) fn open_subgame(&mut self, square: &[u8]) -> io::Result<()> {
        // A number before a sub-game is none of a ply in it.
        self.write_held_number()?;
        self.settle_opening()?;
        self.opening = Some((decode(square).0.into_owned(), None));
        Ok(())
    }

    /// Begins the lines of the sub-game that was just opened, since it has more than a result.
    pub(super) fn settle_opening(&mut self) -> io::Result<()> {
        let Some((square, result)) = self.opening.take() else {
            return Ok(());
        };
        self.token(format!("<{square}:").as_bytes())?;
        self.depth += 1;
        self.flush_deeper()?;
        self.newline()?;
        let mut tags = mem::take(&mut self.open_tags);
        tags.sort_by_key(|(name, _)| rank(self.style, name));
        for tag in &tags {
            self.write_inner_tag(tag)?;
        }
        self.interrupted = true;
        match result {
            Some(result) => self.token(result.as_bytes()),
            None => Ok(()),
        }
    }

    /// Writes the opening of a sub-game, indented like the level around it.
    fn flush_deeper(&mut self) -> io::Result<()> {
        self.depth -= 1;
        self.flush()?;
        self.depth += 1;
        Ok(())
    }

    /// Closes a block, with the suffix of a turn that was judged.
    pub(super) fn end_block(&mut self, open: Open, turn: Option<Canonical>) -> io::Result<()> {
        self.close_block(open)?;
        if let Some(turn) = turn {
            self.join(turn.suffix.as_str().as_bytes());
            self.signed = true;
        }
        match open {
            Open::Turn => self.interrupted = false,
            Open::Action => self.interrupted = !self.numbers.before_action,
            _ => {}
        }
        Ok(())
    }

    fn close_block(&mut self, open: Open) -> io::Result<()> {
        self.settle_number()?;
        if open != Open::Subgame {
            return self.close(b">");
        }
        if let Some((square, Some(result))) = self
            .opening
            .take_if(|(_, result)| result.is_some() && self.open_tags.is_empty())
        {
            self.interrupted = false;
            return self.token(format!("<{square}: {result}>").as_bytes());
        }
        self.settle_opening()?;
        self.break_line()?;
        self.depth = self.depth.saturating_sub(1);
        self.token(b">")?;
        self.interrupted = false;
        Ok(())
    }

    pub(super) fn result(&mut self, text: &[u8]) -> io::Result<()> {
        // Anywhere but at the end `0-0` would be castling.
        let has_both_lost = result_of(text) == Some("0-0");
        let canonical = match result_of(text) {
            Some(result) if !has_both_lost => result.as_bytes(),
            _ => text,
        };
        let number = mem::take(&mut self.numbers.held);
        self.numbers.stray.clear();
        if mem::take(&mut self.numbers.stay) {
            self.write_number(&number)?;
        }
        if let Some((_, result @ None)) = &mut self.opening {
            *result = Some(String::from_utf8_lossy(canonical).into_owned());
            return Ok(());
        }
        self.token(canonical)?;
        if self.depth == 0 && !self.nested_item() {
            self.both_lost = has_both_lost && self.ravs == 0 && self.tag_says_both_lost();
            let result = if self.both_lost { BOTH_LOST } else { canonical };
            self.head
                .result
                .get_or_insert_with(|| String::from_utf8_lossy(result).into_owned());
        }
        Ok(())
    }

    /// Whether the tag Result of a record whose result is read now is `0-0`, or will be.
    fn tag_says_both_lost(&self) -> bool {
        match self.head.result.as_ref().or(self.head.stated.as_ref()) {
            Some(stated) => stated.as_bytes() == BOTH_LOST,
            None => self.head.held_moves.is_some() && !self.head.has_unread && !self.head.is_parted,
        }
    }

    /// Whether the last result belongs to a board in a turn.
    fn nested_item(&self) -> bool {
        self.word.contains(&b'.')
    }

    /// Forgets a bracket that never closed, and writes nothing.
    pub(super) fn abandon(&mut self, open: Open) -> io::Result<()> {
        self.settle_opening()?;
        match open {
            Open::Rav => self.ravs = self.ravs.saturating_sub(1),
            Open::Subgame => self.depth = self.depth.saturating_sub(1),
            Open::Turn | Open::Action => {}
        }
        Ok(())
    }
}
