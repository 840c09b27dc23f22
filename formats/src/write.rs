//! Events into canonical text.
//!
//! Plain chess is written in PGN export format: the Seven Tag Roster first, the other tags in ASCII
//! order, movetext filled to less than 80 columns, an empty line behind it. Nested records break
//! lines before numbers and around blocks, two spaces a level. Streams: nothing of a record is kept
//! but its tags and the word being written.

use crate::{
    canonical::{Canonical, board_number},
    encoding::decode,
    header::{ROSTER, escape, unescape_into},
    lex::{Part, Prose},
    parse::{Event, Fault, Open, Parser},
    san::{Spelt, Suffix},
};
use overboard_rules::square::Side;
use std::{
    io::{self, Write},
    mem,
};

/// Bytes of remarks among the tags that are kept until the last tag.
const WAITING: usize = 1 << 20;
/// Bytes of moves that wait for the result of a record without a tag Result; a longer record is
/// written without that tag.
const HELD: usize = 16 << 20;
/// Bytes of a word that are kept before it is written piece by piece.
const WORD: usize = 1 << 16;
/// Numbers without plies that are held in a row.
const NUMBERS: usize = 1000;
/// Columns of export format that a line may fill.
const COLUMNS: usize = 79;

/// Writes records in canonical form.
pub struct Writer<W> {
    out: W,
    tags: Vec<(String, String)>,
    tags_open: bool,
    nested: bool,
    /// Whether the lines of a record with this tag Variant are filled.
    wraps: fn(Option<&[u8]>) -> bool,
    depth: usize,
    ravs: usize,
    /// Characters written on the line so far.
    column: usize,
    /// The word not yet written, to which a closing bracket may still be joined.
    word: Vec<u8>,
    /// Whether what comes joins the word.
    glue: bool,
    number: Vec<u8>,
    /// Numbers before that one that no ply followed. Where the moves end they are left out, as it is: read again,
    /// they would be.
    stray: Vec<Vec<u8>>,
    /// Whether they have become too many to be held, and are written wherever they stand.
    keeps_numbers: bool,
    interrupted: bool,
    /// A sub-game of which nothing but its square, and then its result, has been read.
    opening: Option<(String, Option<String>)>,
    open_tags: Vec<(String, String)>,
    held_moves: Option<Vec<u8>>,
    result: Option<String>,
    judged: bool,
    command: bool,
    /// Whether the comment being written has no word yet, and whether white space was read behind one.
    fresh: bool,
    gap: bool,
    /// Whether a piece of the word being written is written already.
    continues: bool,
    /// Whether nothing of the record is written yet.
    at_beginning: bool,
    /// Whether the address of a board was written last.
    item_due: bool,
    /// Whether what is being written is an item of a turn.
    in_item: bool,
    /// Whether what was written last could not be read.
    after_unread: bool,
    /// Whether a number stands before an action whose ply is still to come.
    numbered: bool,
    /// Whether the sign behind the turn just closed is written.
    signed: bool,
    /// Remarks read among the tags.
    waiting: Vec<(Event, Vec<u8>)>,
    waiting_bytes: usize,
    /// Whether the comment being written never closes.
    unclosed: bool,
    /// Whether missing tags of the roster are supplied: not behind an unreadable one, which a
    /// supplied `Event` would cut off as a record of its own.
    completes_roster: bool,
}

impl<W: Write> Writer<W> {
    /// A writer to `out`; `wraps` knows from the tag Variant whether lines of a record are filled, as PGN export format
    /// fills them, or hold a move of both sides each.
    pub const fn new(out: W, wraps: fn(Option<&[u8]>) -> bool) -> Self {
        Self {
            out,
            tags: Vec::new(),
            tags_open: false,
            nested: false,
            wraps,
            depth: 0,
            ravs: 0,
            column: 0,
            word: Vec::new(),
            glue: false,
            number: Vec::new(),
            stray: Vec::new(),
            keeps_numbers: false,
            interrupted: true,
            opening: None,
            open_tags: Vec::new(),
            held_moves: None,
            result: None,
            judged: false,
            command: false,
            fresh: false,
            gap: false,
            continues: false,
            at_beginning: true,
            item_due: false,
            in_item: false,
            after_unread: false,
            numbered: false,
            signed: false,
            waiting: Vec::new(),
            waiting_bytes: 0,
            unclosed: false,
            completes_roster: true,
        }
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes an event; `canonical` is the referee's spelling of a legal ply.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(
        &mut self,
        event: Event,
        canonical: Option<Canonical>,
        parser: &Parser<'_>,
    ) -> io::Result<()> {
        if event == Event::Tag {
            let tag = parser.lexer().tag();
            return self.tag(parser.text(tag.name), parser.text(tag.value));
        }
        let text = parser.text(parser.place().span);
        if self.wait(event, text) {
            return Ok(());
        }
        if !matches!(event, Event::Begin | Event::Fault(_)) && !self.stands_before_tags(event, text) {
            self.end_tags()?;
            for (event, text) in mem::take(&mut self.waiting) {
                self.put(event, None, &text)?;
            }
        }
        self.put(event, canonical, text)
    }

    fn put(&mut self, event: Event, canonical: Option<Canonical>, text: &[u8]) -> io::Result<()> {
        if !matches!(event, Event::Number | Event::Result | Event::End | Event::Fault(_)) {
            self.write_stray()?;
            self.keeps_numbers = false;
        }
        let signed = mem::take(&mut self.signed);
        if !matches!(event, Event::Fault(_)) {
            self.join_item(event);
            self.judged &= matches!(event, Event::Unread | Event::Glyphs | Event::Nag);
        }
        match event {
            Event::Begin => self.begin(),
            Event::Number => self.number(text)?,
            Event::Ply => self.ply(text, canonical)?,
            Event::Glyphs => self.glyphs(text)?,
            Event::Suffix if signed => {}
            Event::Suffix => self.join(text),
            Event::Nag => self.token(text)?,
            Event::Prose(prose, part) => self.prose(prose, part, text)?,
            Event::RavOpen => self.open_rav()?,
            Event::RavClose => self.close_rav()?,
            Event::SubgameOpen => self.open_subgame(text)?,
            Event::TurnOpen => {
                if let Some(turn) = canonical {
                    self.number_of(&turn)?;
                }
                self.open_inline(b"<")?;
            }
            Event::Address => {
                self.token(text)?;
                self.item_due = true;
            }
            Event::ActionOpen(verb) => {
                self.numbered |= !self.number.is_empty();
                self.open_inline(b"<")?;
                self.token(verb.word().as_bytes())?;
            }
            Event::Argument if text == b":" => self.join(b":"),
            Event::Argument => self.token(text)?,
            Event::BlockClose(open) => {
                self.close_block(open)?;
                if let Some(turn) = canonical {
                    self.join(turn.suffix.as_str().as_bytes());
                    self.signed = true;
                }
                match open {
                    Open::Turn => self.interrupted = false,
                    Open::Action => self.interrupted = !self.numbered,
                    _ => {}
                }
            }
            Event::Result => self.result(text)?,
            Event::Unread => {
                self.completes_roster &= !self.tags_open;
                self.unread(text)?;
            }
            Event::Fault(Fault::Unclosed(open)) => self.abandon(open)?,
            Event::Fault(Fault::UnclosedComment) => self.unclosed = true,
            Event::Tag | Event::Fault(_) | Event::Done => {}
            Event::End => self.end()?,
        }
        self.at_beginning &= matches!(event, Event::Begin | Event::Fault(_));
        Ok(())
    }

    /// Joins the item of a turn to its address.
    fn join_item(&mut self, event: Event) {
        let joins = mem::take(&mut self.item_due);
        // Behind what cannot be read it is the item still, and has no number.
        self.in_item = joins || (self.in_item && self.after_unread);
        self.after_unread = event == Event::Unread;
        if joins && matches!(event, Event::Ply | Event::Result | Event::TurnOpen) {
            self.join(b".");
            self.glue = true;
        }
    }

    /// Whether this is a remark, or an unreadable tag, before the first tag.
    fn stands_before_tags(&self, event: Event, text: &[u8]) -> bool {
        let may = match event {
            Event::Prose(..) => !self.unclosed,
            Event::Unread => text.starts_with(b"["),
            _ => false,
        };
        may && self.tags_open && self.tags.is_empty() && self.number.is_empty()
    }

    /// Whether an event must wait for the tags that may still come: a remark among them is written
    /// behind the last one. A remark before the first tag stays where it is.
    fn wait(&mut self, event: Event, text: &[u8]) -> bool {
        if !self.tags_open || self.tags.is_empty() {
            return false;
        }
        let waits = match event {
            Event::Prose(..) | Event::Unread => self.waiting_bytes < WAITING,
            Event::Fault(Fault::UnclosedComment) => true,
            _ => false,
        };
        if waits {
            self.waiting_bytes += text.len();
            self.waiting.push((event, text.to_vec()));
        }
        waits
    }

    fn begin(&mut self) {
        self.at_beginning = true;
        self.item_due = false;
        self.waiting.clear();
        self.waiting_bytes = 0;
        self.unclosed = false;
        self.completes_roster = true;
        self.open_tags.clear();
        self.tags.clear();
        self.tags_open = true;
        self.nested = false;
        self.depth = 0;
        self.ravs = 0;
        self.glue = false;
        self.number.clear();
        self.stray.clear();
        self.keeps_numbers = false;
        self.numbered = false;
        self.interrupted = true;
        self.opening = None;
        self.held_moves = None;
        self.result = None;
        self.judged = false;
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) -> io::Result<()> {
        self.at_beginning = false;
        let mut plain = Vec::new();
        unescape_into(value, &mut plain);
        let pair = (decode(name).0.into_owned(), decode(&plain).0.into_owned());
        if self.opening.is_some() {
            self.open_tags.push(pair);
            return Ok(());
        }
        if self.tags_open {
            self.tags.push(pair);
            return Ok(());
        }
        self.break_line()?;
        let indent = "  ".repeat(self.depth);
        self.sink().write_all(indent.as_bytes())?;
        write_tag(self.sink(), &pair)
    }

    /// Writes the tags, unless they are written.
    fn end_tags(&mut self) -> io::Result<()> {
        if !mem::take(&mut self.tags_open) {
            return Ok(());
        }
        self.break_line()?;
        let variant = self.tags.iter().find(|(name, _)| name == "Variant").map(|(_, value)| value.as_bytes());
        self.nested = !(self.wraps)(variant);
        self.result = self.tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.clone());
        if self.result.is_none() {
            self.held_moves = Some(Vec::new());
            return Ok(());
        }
        self.write_tags()
    }

    fn write_tags(&mut self) -> io::Result<()> {
        let missing = ROSTER.into_iter().filter(|name| !self.tags.iter().any(|(known, _)| known == name));
        let supplied: Vec<_> = missing
            .filter(|_| self.completes_roster)
            .filter_map(|name| {
                let value = match name {
                    "Date" => "????.??.??".into(),
                    "Result" => self.result.clone()?,
                    _ => "?".into(),
                };
                Some((name.to_string(), value))
            })
            .collect();
        self.tags.extend(supplied);
        self.tags.sort_by_key(|(name, _)| rank(name));
        let mut begun = !self.completes_roster;
        for pair in mem::take(&mut self.tags) {
            // At the start of a line the tag Event begins a record: another one, where this one has begun.
            if pair.0 == "Event" && mem::replace(&mut begun, true) {
                self.out.write_all(b" ")?;
            }
            write_tag(&mut self.out, &pair)?;
        }
        self.out.write_all(b"\n")
    }

    fn sink(&mut self) -> &mut dyn Write {
        match &mut self.held_moves {
            Some(held) => held,
            None => &mut self.out,
        }
    }

    /// Writes the word that is due, on a new line where it does not fit.
    fn flush(&mut self) -> io::Result<()> {
        if self.word.is_empty() {
            return Ok(());
        }
        let word = mem::take(&mut self.word);
        if mem::take(&mut self.continues) {
            return self.sink().write_all(&word);
        }
        let width = decode(&word).0.chars().count();
        if self.column > 0 && !self.nested && self.column + 1 + width > COLUMNS {
            self.newline()?;
        } else if self.column > 0 {
            self.sink().write_all(b" ")?;
            self.column += 1;
        }
        if self.column == 0 && self.depth > 0 {
            let indent = "  ".repeat(self.depth);
            self.sink().write_all(indent.as_bytes())?;
        } else if self.column == 0 && word.first() == Some(&b'%') {
            // In the first column it would begin an escape line.
            self.sink().write_all(b" ")?;
            self.column += 1;
        }
        self.sink().write_all(&word)?;
        self.column += width;
        Ok(())
    }

    fn newline(&mut self) -> io::Result<()> {
        self.column = 0;
        self.sink().write_all(b"\n")?;
        match &self.held_moves {
            Some(held) if held.len() > HELD => self.release(),
            _ => Ok(()),
        }
    }

    /// Writes the tags, and the moves that waited for the result among them.
    fn release(&mut self) -> io::Result<()> {
        let Some(moves) = self.held_moves.take() else { return Ok(()) };
        self.write_tags()?;
        self.out.write_all(&moves)
    }

    /// Ends the line, if there is anything on it.
    fn break_line(&mut self) -> io::Result<()> {
        self.flush()?;
        self.glue = false;
        if self.column > 0 { self.newline() } else { Ok(()) }
    }

    /// A token of its own, unless the last one wants it joined.
    fn token(&mut self, text: &[u8]) -> io::Result<()> {
        self.settle_opening()?;
        if !mem::take(&mut self.glue) {
            self.flush()?;
        }
        self.word.extend_from_slice(decode(text).0.as_bytes());
        Ok(())
    }

    /// Joins text to the word before it.
    fn join(&mut self, text: &[u8]) {
        self.word.extend_from_slice(text);
    }

    fn ply(&mut self, text: &[u8], canonical: Option<Canonical>) -> io::Result<()> {
        self.judged = canonical.is_some();
        let number = mem::take(&mut self.number);
        let Some(canonical) = canonical else {
            self.write_number(&number)?;
            self.interrupted = false;
            return self.token(text);
        };
        // A number before an action is that of the ply behind it.
        let numbered = mem::take(&mut self.numbered) && number.is_empty();
        if !self.in_item && !numbered {
            self.number_of(&canonical)?;
        }
        let suffix = if canonical.suffix == Suffix::None { "" } else { canonical.suffix.as_str() };
        self.token(format!("{}{suffix}", Spelt(canonical.written)).as_bytes())
    }

    /// Writes the number of a ply or turn, where one stands before it.
    fn number_of(&mut self, canonical: &Canonical) -> io::Result<()> {
        self.number.clear();
        match canonical.side {
            side if canonical.board.is_some() => {
                let number = board_number(canonical.board.unwrap_or(0), canonical.number, side);
                self.write_number(number.as_bytes())?;
            }
            Side::White => self.write_number(format!("{}.", canonical.number).as_bytes())?,
            Side::Black if self.interrupted => {
                self.write_number(format!("{}...", canonical.number).as_bytes())?;
            }
            Side::Black => {}
        }
        self.interrupted = false;
        Ok(())
    }

    /// Keeps a number for its ply. Digits after digits are another number, not more of the same.
    fn number(&mut self, text: &[u8]) -> io::Result<()> {
        if self.number.last().is_some_and(u8::is_ascii_digit) && text.first().is_some_and(u8::is_ascii_digit)
        {
            let before = mem::take(&mut self.number);
            self.stray.push(before);
            self.keeps_numbers |= self.stray.len() > NUMBERS;
            if self.keeps_numbers {
                self.write_stray()?;
            }
        }
        self.number.extend_from_slice(text);
        Ok(())
    }

    /// Writes the numbers that no ply followed.
    fn write_stray(&mut self) -> io::Result<()> {
        mem::take(&mut self.stray).iter().try_for_each(|number| self.write_number(number))
    }

    fn write_number(&mut self, number: &[u8]) -> io::Result<()> {
        if number.is_empty() {
            return Ok(());
        }
        self.settle_opening()?;
        if self.nested && self.ravs == 0 && !self.glue {
            self.break_line()?;
        }
        self.token(number)
    }

    /// A number whose ply does not follow: it is written where it stands.
    fn settle_number(&mut self) -> io::Result<()> {
        let number = mem::take(&mut self.number);
        let numbers = number.first().is_some_and(u8::is_ascii_digit) && number.ends_with(b".");
        if !number.is_empty() && !numbers {
            return self.write_number(&number);
        }
        self.number = number;
        Ok(())
    }

    fn glyphs(&mut self, text: &[u8]) -> io::Result<()> {
        let glyphs = String::from_utf8_lossy(text);
        self.token(nag(&glyphs).as_bytes())
    }

    fn prose(&mut self, prose: Prose, part: Part, text: &[u8]) -> io::Result<()> {
        match prose {
            Prose::Brace => self.comment(part, text),
            Prose::Line | Prose::Escape => self.line_prose(prose, part, text),
        }
    }

    fn line_prose(&mut self, prose: Prose, part: Part, text: &[u8]) -> io::Result<()> {
        if part.first {
            self.settle_opening()?;
            self.settle_number()?;
            if prose == Prose::Escape {
                self.break_line()?;
                self.sink().write_all(b"%")?;
            } else {
                self.flush()?;
                let lead =
                    if self.column > 0 { " ;".to_string() } else { format!("{};", "  ".repeat(self.depth)) };
                self.sink().write_all(lead.as_bytes())?;
                self.interrupted = true;
            }
        }
        self.sink().write_all(decode(text).0.as_bytes())?;
        if part.last {
            self.newline()?;
        }
        Ok(())
    }

    /// A comment: its words are filled into the line, its commands stay whole.
    fn comment(&mut self, part: Part, text: &[u8]) -> io::Result<()> {
        if part.first {
            if self.unclosed {
                let number = mem::take(&mut self.number);
                self.write_number(&number)?;
            }
            self.settle_number()?;
            self.token(b"{")?;
            self.glue = true;
            self.fresh = true;
            self.interrupted = true;
        }
        for chunk in text.chunk_by(|a, b| a.is_ascii_whitespace() == b.is_ascii_whitespace()) {
            match chunk[0].is_ascii_whitespace() {
                true if self.command => self.join(if chunk.contains(&b'\n') { b" " } else { chunk }),
                true => self.gap = true,
                false => self.comment_word(chunk)?,
            }
        }
        self.glue = true;
        if part.last {
            self.command = false;
            self.gap = false;
            match (mem::take(&mut self.unclosed), self.word.is_empty()) {
                (true, _) => self.word.truncate(self.word.trim_ascii_end().len()),
                (false, true) => self.rejoin_brace()?,
                (false, false) => self.join(b"}"),
            }
            self.glue = false;
        }
        Ok(())
    }

    fn comment_word(&mut self, word: &[u8]) -> io::Result<()> {
        // The first word joins the brace, whatever stands between; the next ones stand by themselves.
        if mem::take(&mut self.gap) && !self.fresh {
            self.flush()?;
            self.continues = false;
        }
        self.fresh = false;
        self.word.extend_from_slice(decode(word).0.as_bytes());
        self.command = match (memchr::memmem::rfind(word, b"[%"), memchr::memrchr(b']', word)) {
            (Some(open), Some(close)) => open > close,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => self.command,
        };
        if self.word.len() > WORD {
            self.flush()?;
            self.continues = true;
        }
        Ok(())
    }

    /// The last word was so long that all of it is written already.
    fn rejoin_brace(&mut self) -> io::Result<()> {
        self.continues = false;
        self.column += 1;
        self.sink().write_all(b"}")
    }

    fn open_rav(&mut self) -> io::Result<()> {
        self.settle_number()?;
        self.ravs += 1;
        self.token(b"(")?;
        self.glue = true;
        self.interrupted = true;
        Ok(())
    }

    fn close_rav(&mut self) -> io::Result<()> {
        self.settle_number()?;
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

    fn open_inline(&mut self, mark: &[u8]) -> io::Result<()> {
        let number = mem::take(&mut self.number);
        self.write_number(&number)?;
        self.token(mark)?;
        self.glue = true;
        Ok(())
    }

    fn open_subgame(&mut self, square: &[u8]) -> io::Result<()> {
        self.settle_number()?;
        self.settle_opening()?;
        self.opening = Some((decode(square).0.into_owned(), None));
        Ok(())
    }

    /// More than a result stands in the sub-game just opened: its lines begin.
    fn settle_opening(&mut self) -> io::Result<()> {
        let Some((square, result)) = self.opening.take() else { return Ok(()) };
        self.token(format!("<{square}:").as_bytes())?;
        self.depth += 1;
        self.flush_deeper()?;
        self.newline()?;
        let mut tags = mem::take(&mut self.open_tags);
        tags.sort_by_key(|(name, _)| rank(name));
        for (name, value) in tags {
            let line = format!("{}[{name} \"{}\"]\n", "  ".repeat(self.depth), escape(&value));
            self.sink().write_all(line.as_bytes())?;
        }
        self.interrupted = true;
        match result {
            Some(result) => self.token(result.as_bytes()),
            None => Ok(()),
        }
    }

    /// Writes the opening of a sub-game with the indent of the level outside it.
    fn flush_deeper(&mut self) -> io::Result<()> {
        self.depth -= 1;
        self.flush()?;
        self.depth += 1;
        Ok(())
    }

    fn close_block(&mut self, open: Open) -> io::Result<()> {
        self.settle_number()?;
        if open != Open::Subgame {
            return self.close(b">");
        }
        if let Some((square, Some(result))) =
            self.opening.take_if(|(_, result)| result.is_some() && self.open_tags.is_empty())
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

    fn result(&mut self, text: &[u8]) -> io::Result<()> {
        let canonical: &[u8] = if matches!(text, b"1-0" | b"0-1" | b"*") { text } else { b"1/2-1/2" };
        let number = mem::take(&mut self.number);
        self.stray.clear();
        if mem::take(&mut self.keeps_numbers) {
            self.write_number(&number)?;
        }
        if let Some((_, result @ None)) = &mut self.opening {
            *result = Some(String::from_utf8_lossy(canonical).into_owned());
            return Ok(());
        }
        self.token(canonical)?;
        if self.depth == 0 && !self.nested_item() {
            self.result.get_or_insert_with(|| String::from_utf8_lossy(canonical).into_owned());
        }
        Ok(())
    }

    /// Whether the result just written is that of a board in a turn.
    fn nested_item(&self) -> bool {
        self.word.contains(&b'.')
    }

    fn unread(&mut self, text: &[u8]) -> io::Result<()> {
        if self.judged && (text == b"ep" || text == b"e.p.") {
            return Ok(());
        }
        let number = mem::take(&mut self.number);
        self.write_number(&number)?;
        if text.first() == Some(&b'"') {
            // Alone on its line, it is never taken for the value of a broken tag before it.
            self.token(text)?;
            return self.break_line();
        }
        if text.first() != Some(&b'[') {
            return self.token(text);
        }
        // A broken tag begins a record at the start of a line, where it did so, and nowhere else.
        self.break_line()?;
        let begins = mem::take(&mut self.at_beginning) && text.starts_with(b"[Event ");
        if begins {
            self.token(text.strip_suffix(b"\r").unwrap_or(text))?;
        } else {
            self.token(&[b" ", text.trim_ascii_end()].concat())?;
        }
        self.break_line()
    }

    /// A bracket that never closed: what was open is over, and nothing is written for it.
    fn abandon(&mut self, open: Open) -> io::Result<()> {
        self.settle_opening()?;
        match open {
            Open::Rav => self.ravs = self.ravs.saturating_sub(1),
            Open::Subgame => self.depth = self.depth.saturating_sub(1),
            Open::Turn | Open::Action => {}
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.settle_opening()?;
        let number = mem::take(&mut self.number);
        self.write_number(&number)?;
        self.depth = 0;
        self.break_line()?;
        if self.held_moves.is_some() {
            self.result.get_or_insert_with(|| "*".into());
        }
        self.release()?;
        self.out.write_all(b"\n")
    }
}

/// The numeric glyph that PGN has for `!` and `?`; any other row of them as it is.
#[must_use]
pub fn nag(glyphs: &str) -> &str {
    match glyphs {
        "!" => "$1",
        "?" => "$2",
        "!!" => "$3",
        "??" => "$4",
        "!?" => "$5",
        "?!" => "$6",
        other => other,
    }
}

/// Tags in canonical order: the roster, then by name.
fn rank(name: &str) -> (usize, String) {
    (ROSTER.iter().position(|known| *known == name).unwrap_or(ROSTER.len()), name.to_string())
}

fn write_tag(out: &mut dyn Write, (name, value): &(String, String)) -> io::Result<()> {
    writeln!(out, "[{name} \"{}\"]", escape(value))
}
