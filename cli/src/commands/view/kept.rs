//! The text of a record, kept while it is read, for a page that offers it.

use overboard_engines::lock;
use overboard_formats::{encoding::decode, span::Span};
use std::{
    io::{self, Read},
    sync::{Arc, Mutex, MutexGuard},
};

/// The most bytes of a record that a page holds.
const MOST: usize = 4 << 20;

/// What has been read of a text, from the beginning of the current record on.
#[derive(Clone, Debug, Default)]
pub struct KeptText(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    /// The offset of the first byte.
    from: u64,
    bytes: Vec<u8>,
}

impl KeptText {
    /// Reads a text that begins at this offset, and keeps it.
    pub fn reader(
        &self,
        from: u64,
        text: impl Read + Send + 'static,
    ) -> impl Read + Send + 'static {
        *self.lock() = Kept {
            from,
            bytes: Vec::new(),
        };
        Reader {
            text,
            kept: self.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        lock(&self.0)
    }

    /// Forgets what is before this offset.
    pub fn forget_before(&self, offset: u64) {
        self.lock().forget_before(offset);
    }

    /// The text of a record; `None` if it is too long.
    pub fn of(&self, span: Span) -> Option<String> {
        let kept = self.lock();
        let from = usize::try_from(span.from.checked_sub(kept.from)?).ok()?;
        let to = usize::try_from(span.to.checked_sub(kept.from)?).ok()?;
        let bytes = kept.bytes.get(from..to.min(kept.bytes.len()))?;
        let text = decode(bytes).0;
        Some(format!("{}\n", text.trim()))
    }
}

impl Kept {
    fn forget_before(&mut self, offset: u64) {
        let count = usize::try_from(offset.saturating_sub(self.from)).unwrap_or(usize::MAX);
        let count = count.min(self.bytes.len());
        self.bytes.drain(..count);
        self.from += count as u64;
    }
}

struct Reader<R> {
    text: R,
    kept: KeptText,
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(buffer)?;
        let mut kept = self.kept.lock();
        kept.bytes.extend_from_slice(&buffer[..count]);
        // The beginning of what is too long is forgotten, so that its text is not there any more.
        if kept.bytes.len() > MOST {
            let middle = kept.from + (kept.bytes.len() / 2) as u64;
            kept.forget_before(middle);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_kept_from_its_beginning() {
        let kept = KeptText::default();
        let mut text = String::new();
        let mut reader = kept.reader(10, "one\n two \nthree".as_bytes());
        reader.read_to_string(&mut text).unwrap();
        kept.forget_before(13);
        let span = |from, to| Span { from, to };
        assert_eq!(kept.of(span(14, 19)).as_deref(), Some("two\n"));
        assert_eq!(kept.of(span(10, 13)), None, "it is forgotten");
    }

    #[test]
    fn what_is_too_long_is_not_kept() {
        let kept = KeptText::default();
        let long = vec![b' '; MOST + 1];
        io::copy(&mut kept.reader(0, io::Cursor::new(long)), &mut io::sink()).unwrap();
        let all = Span {
            from: 0,
            to: MOST as u64,
        };
        assert_eq!(kept.of(all), None);
    }
}
