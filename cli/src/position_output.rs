//! The output for positions, in a buffer that is reused.

use std::io::{self, Write};

/// A text in a buffer that is kept from one text to the next.
///
/// The buffer is longer than the text, so that a few bytes can be appended by copying a fixed larger number of them. A
/// new buffer for every text cost a third of the time of listing moves of StrategiChess, most of it in the system.
#[derive(Default)]
pub struct PositionOutput {
    room: Vec<u8>,
    end: usize,
}

/// The least number of bytes by which the buffer grows, and what is kept of it.
const STEP: usize = 1 << 12;
const KEPT: usize = 1 << 20;

impl PositionOutput {
    /// The text so far.
    pub fn text(&self) -> &[u8] {
        self.room.get(..self.end).unwrap_or_default()
    }

    /// Ends the text here, and drops what comes after.
    pub fn cut(&mut self, end: usize) {
        self.end = self.end.min(end);
    }

    /// Starts a new text.
    pub fn clear(&mut self) {
        self.end = 0;
        if self.room.len() > KEPT {
            self.room = Vec::new();
        }
    }

    /// Appends what `fill` writes to the start of the next bytes; `fill` returns how many of them count.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, fill: impl FnOnce(&mut [u8; N]) -> usize) {
        if self.room.len() < self.end + N {
            self.grow(N);
        }
        if let Some(next) = self
            .room
            .get_mut(self.end..)
            .and_then(<[u8]>::first_chunk_mut)
        {
            self.end += fill(next).min(N);
        }
    }

    /// Appends this many spaces.
    pub fn pad(&mut self, spaces: usize) {
        if self.room.len() < self.end + spaces {
            self.grow(spaces);
        }
        if let Some(next) = self.room.get_mut(self.end..self.end + spaces) {
            next.fill(b' ');
            self.end += spaces;
        }
    }

    /// Makes room for at least this many more bytes.
    #[cold]
    fn grow(&mut self, by: usize) {
        let length = (self.end + by)
            .max(2 * self.room.len())
            .next_multiple_of(STEP);
        self.room.resize(length, 0);
    }
}

impl Write for PositionOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room.len() < self.end + bytes.len() {
            self.grow(bytes.len());
        }
        if let Some(next) = self.room.get_mut(self.end..self.end + bytes.len()) {
            next.copy_from_slice(bytes);
            self.end += bytes.len();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_appended_cut_and_begun_anew() {
        let mut answer = PositionOutput::default();
        let long = [b'a'; 5_000];
        for round in 0..3 {
            assert_eq!(answer.text(), b"", "{round}");
            answer.write_all(b"ab").unwrap();
            answer.put(|room: &mut [u8; 8]| {
                room.copy_from_slice(b"cdefghij");
                3
            });
            write!(answer, "{}", 12).unwrap();
            assert_eq!(answer.text(), b"abcde12");
            answer.cut(3);
            answer.pad(2);
            assert_eq!(answer.text(), b"abc  ");
            answer.cut(3);
            answer.cut(30);
            answer.write_all(&long).unwrap();
            assert_eq!(
                (answer.text().len(), &answer.text()[..5]),
                (5_003, &b"abcaa"[..])
            );
            answer.clear();
        }
        let much = vec![b'x'; KEPT + 1];
        answer.write_all(&much).unwrap();
        assert_eq!(answer.text(), much);
        answer.clear();
        assert!(answer.room.is_empty());
    }
}
