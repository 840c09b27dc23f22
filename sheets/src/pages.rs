//! Texts that are written side by side and read one after the other, in little memory however long they become.

use super::{
    Item,
    text::{self, Pen},
};
use overboard_formats::record::Node;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// Bytes of a text that are held before they are put away.
const HELD: usize = 1 << 14;
/// Bytes put away that are held before they go to the file.
const TAIL: usize = 1 << 20;

/// Texts by their numbers. What of them is too long to be held waits in one file without a name, which goes with them.
#[derive(Default)]
pub struct Pages {
    pages: Vec<Page>,
    store: Store,
}

/// A text as it is written.
#[derive(Default)]
struct Page {
    held: String,
    pen: Pen,
    /// Where in what is held something may still be inserted.
    mark: Option<usize>,
    /// Where it stands as far as it was put away.
    runs: Vec<Run>,
}

/// Where something stands that was put away: offset and length.
type Run = (u64, u64);

/// What was put away: a file, and what follows it.
#[derive(Default)]
struct Store {
    file: Option<File>,
    length: u64,
    tail: Vec<u8>,
}

impl Pages {
    /// Those of which the first begins with these nodes.
    ///
    /// # Errors
    /// Those of the file.
    pub fn begin(items: &[Item]) -> io::Result<Self> {
        let mut pages = Self::default();
        for (node, _) in items {
            pages.put(0, node)?;
        }
        Ok(pages)
    }

    fn page(&mut self, page: usize) -> &mut Page {
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, Page::default);
        }
        &mut self.pages[page]
    }

    /// Writes a node at the end of a page.
    ///
    /// # Errors
    /// Those of the file.
    pub fn put(&mut self, page: usize, node: &Node) -> io::Result<()> {
        let here = self.page(page);
        here.pen.put(node, &mut here.held);
        if here.held.len() < HELD || here.mark.is_some() {
            Ok(())
        } else {
            self.put_away(page)
        }
    }

    /// Remembers the end of a page, where something may be inserted. Until it is known what, all that follows is held.
    pub fn mark(&mut self, page: usize) {
        let here = self.page(page);
        here.mark = Some(here.held.len());
    }

    /// Inserts a node, or nothing, where a page is marked.
    pub fn insert(&mut self, page: usize, node: Option<&Node>) {
        let here = self.page(page);
        if let (Some(mark), Some(node)) = (here.mark.take(), node) {
            let mut text = String::from(" ");
            Pen::default().put(node, &mut text);
            here.held.insert_str(mark, &text);
        }
    }

    /// Ends a page: `head` stands before all that is on it.
    ///
    /// # Errors
    /// Those of the file.
    pub fn end(&mut self, page: usize, head: &[Item]) -> io::Result<()> {
        let text = text::joined(head) + "\n";
        if self.page(page).runs.is_empty() {
            self.page(page).held.insert_str(0, &text);
        } else {
            let run = self.store.put(text.as_bytes())?;
            self.page(page).runs.insert(0, run);
        }
        self.put_away(page)?;
        // Many pages wait, and no more is written on this one.
        let here = self.page(page);
        here.held = String::new();
        here.runs.shrink_to_fit();
        Ok(())
    }

    fn put_away(&mut self, page: usize) -> io::Result<()> {
        let run = self.store.put(self.pages[page].held.as_bytes())?;
        let here = self.page(page);
        here.held.clear();
        here.runs.push(run);
        Ok(())
    }

    /// The text of a page, with an empty line after it.
    pub fn read(&self, page: usize) -> impl Read + Send + '_ {
        let page = self.pages.get(page);
        let (runs, held) = page.map_or((&[][..], ""), |page| (&page.runs[..], page.held.as_str()));
        let kept = Runs {
            store: &self.store,
            runs,
            at: 0,
        };
        kept.chain(held.as_bytes()).chain(text::END.as_bytes())
    }

    /// The same between a head and an end.
    pub fn read_within(
        &self,
        page: usize,
        head: String,
        end: &'static [u8],
    ) -> impl Read + Send + '_ {
        io::Cursor::new(head).chain(self.read(page)).chain(end)
    }
}

impl Store {
    fn put(&mut self, text: &[u8]) -> io::Result<Run> {
        if !self.tail.is_empty() && self.tail.len() + text.len() > TAIL {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(tempfile::tempfile()?),
            };
            file.seek(SeekFrom::Start(self.length))?;
            file.write_all(&self.tail)?;
            self.length += self.tail.len() as u64;
            self.tail.clear();
            self.tail.shrink_to(TAIL);
        }
        let at = self.length + self.tail.len() as u64;
        self.tail.extend_from_slice(text);
        Ok((at, text.len() as u64))
    }
}

/// Stretches of what was put away, one after the other.
struct Runs<'a> {
    store: &'a Store,
    runs: &'a [Run],
    /// How much of the first one was read.
    at: u64,
}

impl Read for Runs<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some((from, length)) = self.runs.first().copied() else {
            return Ok(0);
        };
        let most = into
            .len()
            .min(usize::try_from(length - self.at).unwrap_or(usize::MAX));
        let into = &mut into[..most];
        let from = from + self.at;
        // A stretch stands in the file whole, or after it.
        let count = if let Some(start) = from.checked_sub(self.store.length) {
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            self.store
                .tail
                .get(start..)
                .unwrap_or_default()
                .read(into)?
        } else {
            let Some(mut file) = self.store.file.as_ref() else {
                return Ok(0);
            };
            file.seek(SeekFrom::Start(from))?;
            file.read(into)?
        };
        if count == 0 && most > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += count as u64;
        if self.at == length {
            (self.runs, self.at) = (&self.runs[1..], 0);
        }
        // An empty stretch is no end.
        if count == 0 {
            self.read(into)
        } else {
            Ok(count)
        }
    }
}
