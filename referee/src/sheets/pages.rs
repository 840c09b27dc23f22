//! Texts that are written side by side and read one after the other, in little memory however long they become.

use super::text;
use overboard_formats::record::Node;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// Bytes of a text that are held before they go to the file.
const HELD: usize = 1 << 14;

/// Texts by their numbers. What of them is too long to be held waits in one file without a name, which goes with them.
#[derive(Default)]
pub struct Pages {
    pages: BTreeMap<usize, Page>,
    file: Option<File>,
    /// Bytes of the file.
    length: u64,
}

/// A text as it is written.
#[derive(Default)]
struct Page {
    held: String,
    /// Whether something was written, and whether what comes joins it.
    is_begun: bool,
    is_glued: bool,
    /// Where in the file it stands: offsets and lengths.
    runs: Vec<(u64, u64)>,
}

impl Pages {
    /// Writes a node behind what stands on a page.
    ///
    /// # Errors
    /// Those of the file.
    pub fn put(&mut self, page: usize, node: &Node) -> io::Result<()> {
        let page = self.pages.entry(page).or_default();
        text::part(node, page.is_glued || !page.is_begun, &mut page.held);
        page.is_glued = text::write(node, &mut page.held);
        page.is_begun = true;
        if page.held.len() < HELD {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.seek(SeekFrom::Start(self.length))?;
        file.write_all(page.held.as_bytes())?;
        page.runs.push((self.length, page.held.len() as u64));
        self.length += page.held.len() as u64;
        page.held.clear();
        Ok(())
    }

    /// The text of a page, with an empty line after it.
    pub fn read(&self, page: usize) -> impl Read + Send + '_ {
        let page = self.pages.get(&page);
        let (runs, held) = page.map_or((&[][..], ""), |page| (&page.runs[..], page.held.as_str()));
        let kept = Runs { file: self.file.as_ref(), runs, at: 0 };
        kept.chain(held.as_bytes()).chain(&b"\n\n"[..])
    }
}

/// Stretches of a file, one after the other.
struct Runs<'a> {
    file: Option<&'a File>,
    runs: &'a [(u64, u64)],
    /// How much of the first one was read.
    at: u64,
}

impl Read for Runs<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let (Some(mut file), Some((from, length))) = (self.file, self.runs.first().copied()) else {
            return Ok(0);
        };
        file.seek(SeekFrom::Start(from + self.at))?;
        let most = into.len().min(usize::try_from(length - self.at).unwrap_or(usize::MAX));
        let count = file.read(&mut into[..most])?;
        if count == 0 && most > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += count as u64;
        if self.at == length {
            (self.runs, self.at) = (&self.runs[1..], 0);
        }
        Ok(count)
    }
}
