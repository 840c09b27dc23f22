//! Comments and escape lines.

use super::Writer;
use crate::{
    encoding::decode,
    lex::{Part, Prose},
};
use std::{
    io::{self, Write},
    mem,
};

/// The number of bytes of a word that are held; a longer word is written in pieces.
const WORD: usize = 1 << 16;

impl<W: Write> Writer<W> {
    /// A comment to the end of the line, or an escape line.
    pub(super) fn line_prose(&mut self, prose: Prose, part: Part, text: &[u8]) -> io::Result<()> {
        if part.first {
            self.settle_opening()?;
            self.settle_number()?;
            if prose == Prose::Escape {
                self.break_line()?;
                self.sink().write_all(b"%")?;
            } else {
                self.flush()?;
                let lead = if self.column > 0 {
                    " ;".to_string()
                } else {
                    format!("{};", "  ".repeat(self.depth))
                };
                self.sink().write_all(lead.as_bytes())?;
                self.interrupted = true;
            }
        }
        if !part.last {
            return self.sink().write_all(decode(text).0.as_bytes());
        }
        // Read again, a return at the end would belong to the line break.
        let text = decode(text).0;
        self.sink()
            .write_all(text.trim_end_matches('\r').as_bytes())?;
        self.newline()
    }

    /// A comment: its words are filled into lines, and its commands are not broken.
    pub(super) fn comment(&mut self, part: Part, text: &[u8]) -> io::Result<()> {
        if part.first {
            if self.head.unclosed {
                self.write_held_number()?;
            }
            self.settle_number()?;
            self.token(b"{")?;
            self.glue = true;
            self.fresh = true;
            self.interrupted = true;
        }
        for chunk in text.chunk_by(|a, b| a.is_ascii_whitespace() == b.is_ascii_whitespace()) {
            match chunk[0].is_ascii_whitespace() {
                true if self.command => {
                    self.join(if chunk.contains(&b'\n') { b" " } else { chunk });
                }
                true => self.gap = true,
                false => self.comment_word(chunk)?,
            }
        }
        self.glue = true;
        if part.last {
            self.command = false;
            self.gap = false;
            match (mem::take(&mut self.head.unclosed), self.word.is_empty()) {
                (true, _) => self.word.truncate(self.word.trim_ascii_end().len()),
                (false, true) => self.rejoin_brace()?,
                (false, false) => self.join(b"}"),
            }
            self.glue = false;
        }
        Ok(())
    }

    fn comment_word(&mut self, word: &[u8]) -> io::Result<()> {
        // The first word joins the brace, whatever white space was between them; later words are separate.
        if mem::take(&mut self.gap) && !self.fresh {
            self.flush()?;
            self.continues = false;
        }
        self.fresh = false;
        self.word.extend_from_slice(decode(word).0.as_bytes());
        self.command = match (
            memchr::memmem::rfind(word, b"[%"),
            memchr::memrchr(b']', word),
        ) {
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

    /// Handles a last word so long that all of it is already written.
    fn rejoin_brace(&mut self) -> io::Result<()> {
        self.continues = false;
        self.column += 1;
        self.sink().write_all(b"}")
    }
}
