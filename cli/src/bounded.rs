//! Parts of files and lines of texts, of which only so many bytes are in memory.

use std::{
    fs::File,
    io::{self, BufRead, Read as _, Seek as _, SeekFrom},
    path::Path,
};

/// The size above which the memory of a long line is given back, in bytes.
const USUAL: usize = 1 << 20;

/// The bytes of a file from a place on, up to so many of them.
pub fn bytes_at(path: &Path, from: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    // A pipe has no places to go to, and is read from its beginning.
    if from > 0 {
        file.seek(SeekFrom::Start(from))?;
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A text without the byte order mark that only its beginning may have.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// A line of a text that is read.
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes with its end, and without a mark of the byte order at the beginning of the text.
    pub text: &'a [u8],
    /// That it is longer than allowed; the bytes are only its beginning.
    pub fault: Option<String>,
}

/// Reads a text line by line. However long a line is, only so many bytes of it are in memory.
pub struct Lines<R> {
    reader: R,
    longest: usize,
    number: u64,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a text, each of at most this many bytes before its end.
    pub const fn of(reader: R, longest: usize) -> Self {
        Self {
            reader,
            longest,
            number: 0,
            bytes: Vec::new(),
        }
    }

    /// The next line, if there is one.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.number += 1;
        self.bytes.clear();
        self.bytes.shrink_to(USUAL);
        let mut limited = self.reader.by_ref().take(self.longest as u64 + 1);
        if limited.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        let mut fault = None;
        if self.bytes.len() > self.longest && self.bytes.last() != Some(&b'\n') {
            self.reader.skip_until(b'\n')?;
            fault = Some(format!("the line is longer than {} bytes", self.longest));
        }
        let text = match self.number {
            1 => without_mark(&self.bytes),
            _ => &self.bytes,
        };
        Ok(Some(Line {
            number: self.number,
            text,
            fault,
        }))
    }
}
