//! Cuts incoming bytes into lines of limited length.

use std::{
    io::{self, Read},
    ops::Range,
};

/// The most bytes of a line, without its end.
pub const LONGEST: usize = 64 << 10;
/// The initial size of the buffer, in bytes.
const SMALL: usize = 4 << 10;

/// A buffer of lines that grows up to the longest line.
#[derive(Debug, Default)]
pub struct Lines {
    buffer: Vec<u8>,
    /// What was read but is not part of a line yet.
    unread: Range<usize>,
    /// How many bytes at its front have been searched for a line end.
    searched: usize,
    /// The current line.
    line: Range<usize>,
    /// Whether the rest of an overlong line is being skipped.
    skips: bool,
}

impl Lines {
    /// Advances to the next complete line; returns whether there is one.
    pub fn advance(&mut self) -> bool {
        loop {
            let rest = &self.buffer[self.unread.start + self.searched..self.unread.end];
            let Some(length) = memchr::memchr(b'\n', rest) else {
                self.searched = self.unread.len();
                return false;
            };
            let end = self.unread.start + self.searched + length;
            self.line = self.unread.start..end;
            (self.unread.start, self.searched) = (end + 1, 0);
            if !std::mem::take(&mut self.skips) {
                return true;
            }
        }
    }

    /// The current line, without its end.
    pub fn line(&self) -> &[u8] {
        let line = &self.buffer[self.line.clone()];
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Reads what is available, once; returns how many bytes.
    pub fn fill(&mut self, from: &mut impl Read) -> io::Result<usize> {
        if self.skips {
            // Only what may contain its end is kept.
            self.unread = self.unread.end..self.unread.end;
            self.searched = 0;
        }
        if self.unread.is_empty() {
            (self.unread, self.line) = (0..0, 0..0);
        } else if self.unread.end == self.buffer.len() {
            self.make_room();
        }
        if self.buffer.is_empty() {
            self.buffer.resize(SMALL, 0);
        }
        let count = from.read(&mut self.buffer[self.unread.end..])?;
        self.unread.end += count;
        Ok(count)
    }

    /// Makes room after the unread bytes; nothing of an overlong line is kept.
    fn make_room(&mut self) {
        if self.unread.start > 0 {
            self.buffer.copy_within(self.unread.clone(), 0);
            (self.unread, self.line) = (0..self.unread.len(), 0..0);
        } else if self.buffer.len() <= LONGEST {
            self.buffer
                .resize((2 * self.buffer.len()).min(LONGEST + 1), 0);
        } else {
            (self.unread, self.searched, self.skips) = (0..0, 0, true);
        }
    }

    /// Skips all complete lines that have been read.
    #[cfg(unix)]
    pub fn skip_all(&mut self) {
        while self.advance() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of some bytes that arrive in pieces of a given length.
    fn lines(bytes: &[u8], piece: usize) -> Vec<Vec<u8>> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for piece in bytes.chunks(piece) {
            let mut piece = piece;
            while !piece.is_empty() {
                lines.fill(&mut piece).unwrap();
                while lines.advance() {
                    found.push(lines.line().to_vec());
                }
            }
        }
        assert!(lines.buffer.len() <= LONGEST + 1);
        found
    }

    #[test]
    fn lines_are_cut_however_they_come_in() {
        let text = b"one\r\ntwo\n\nthree and more\nno end";
        for piece in [1, 2, 3, 7, 100] {
            let expected: [&[u8]; 4] = [b"one", b"two", b"", b"three and more"];
            assert_eq!(lines(text, piece), expected, "{piece}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_is_heard() {
        let most = vec![b'a'; LONGEST];
        for more in [0, 1, 2, LONGEST, 10 * LONGEST] {
            let long = [&*most, &vec![b'b'; more]].concat();
            let text = [&*long, b"\nbestmove e2e4\n"].concat();
            for piece in [1000, 4096, 1 << 20] {
                let found = lines(&text, piece);
                assert_eq!(found.last().unwrap(), b"bestmove e2e4");
                assert_eq!(found.len(), if more == 0 { 2 } else { 1 }, "{more} {piece}");
            }
        }
    }
}
