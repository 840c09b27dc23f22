//! A window that moves over a stream of bytes.

use std::io::{self, Read};

/// The number of bytes kept before the current token, for excerpts.
const LOOK_BACK: usize = 16 << 10;
/// The number of bytes read at a time.
const CHUNK: usize = 64 << 10;

/// A moving window over a stream: the text that was read and not yet released, followed by a zero byte that is not part
/// of the text, so that scanning loops need not check for the end.
///
/// The reader is boxed, so that lexer, parser and everything that uses them are compiled once and not once for each
/// kind of reader. The virtual call happens once per 64 KiB, too rarely to be measurable. The lifetime is that of the
/// reader: a slice in memory is read in place, and a file is `'static`.
pub struct Source<'r> {
    reader: Box<dyn Read + Send + 'r>,
    bytes: Vec<u8>,
    end: usize,
    base: u64,
    exhausted: bool,
}

impl<'r> Source<'r> {
    /// A window that begins `base` bytes into the text; nothing is read yet.
    pub fn new(reader: impl Read + Send + 'r, base: u64) -> Self {
        Self {
            reader: Box::new(reader),
            bytes: vec![0; CHUNK + 1],
            end: 0,
            base,
            exhausted: false,
        }
    }

    /// The window: the text in it, and one zero byte.
    #[inline]
    pub fn window(&self) -> &[u8] {
        &self.bytes[..=self.end]
    }

    /// The index in the window where the text read so far ends.
    #[inline]
    pub const fn end(&self) -> usize {
        self.end
    }

    /// The offset in the whole text of the first byte of the window.
    #[inline]
    pub const fn base(&self) -> u64 {
        self.base
    }

    /// The text between two offsets, as far as the window has it.
    #[inline]
    pub fn slice(&self, from: u64, to: u64) -> &[u8] {
        // An offset before the window wraps around to one after it.
        let (first, last) = (from.wrapping_sub(self.base), to.wrapping_sub(self.base));
        if first <= last && last <= self.end as u64 {
            &self.bytes[first as usize..last as usize]
        } else {
            self.slice_held(from, to)
        }
    }

    #[cold]
    fn slice_held(&self, from: u64, to: u64) -> &[u8] {
        let index = |offset: u64| {
            usize::try_from(offset.saturating_sub(self.base)).map_or(self.end, |i| i.min(self.end))
        };
        &self.bytes[index(from)..index(to).max(index(from))]
    }

    /// Whether the window still has the text from `offset` on.
    pub const fn holds(&self, offset: u64) -> bool {
        offset >= self.base
    }

    /// Reads on, keeping the text from index `keep` on and up to `LOOK_BACK` bytes before it. Returns by how much
    /// indices into the window have decreased, or `None` at the end of the text.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn fill(&mut self, keep: usize) -> io::Result<Option<usize>> {
        if self.exhausted {
            return Ok(None);
        }
        let dropped = keep.saturating_sub(LOOK_BACK);
        let dropped = if dropped >= CHUNK / 2 { dropped } else { 0 };
        if dropped > 0 {
            self.bytes.copy_within(dropped..self.end, 0);
            self.end -= dropped;
            self.base += dropped as u64;
        }
        if self.bytes.len() < self.end + CHUNK / 2 + 1 {
            self.bytes
                .resize((self.end + CHUNK + 1).max(self.bytes.len() * 3 / 2), 0);
        }
        let room = self.bytes.len() - 1;
        let read = read_some(&mut *self.reader, &mut self.bytes[self.end..room])?;
        self.exhausted = read == 0;
        self.end += read;
        self.bytes[self.end] = 0;
        Ok(if self.exhausted && dropped == 0 {
            None
        } else {
            Some(dropped)
        })
    }

    /// Whether everything has been read.
    pub const fn exhausted(&self) -> bool {
        self.exhausted
    }
}

fn read_some(reader: &mut dyn Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(into) {
            Err(interrupted) if interrupted.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
