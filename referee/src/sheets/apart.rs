//! One record into its sheets while it is read, in little memory however long it is.
//!
//! The sheets of boards, and the one sheet of a game of one board, wait on [`Pages`] until the record has ended: only then
//! is it known whether all of it could be read. What is taken apart game by game, as Overchess is, is held whole.

use super::unbundle::{Way, boards::Boards};
use super::{Item, Origin, Problem, Sheet, Tagged, pages::Pages, text, unbundle, unreadable};
use overboard_formats::{limits::Limits, parse::Event, parse::Parser, record::Node, record::Record};
use std::io::{self, Write};

/// Why a record was not taken apart: what is wrong with it, or what went wrong.
#[derive(Debug)]
pub enum NotApart {
    /// With the record.
    Problem(Problem),
    /// With reading it.
    Reading(io::Error),
    /// With the file in which sheets wait.
    Keeping(io::Error),
}

/// Why sheets were not written.
#[derive(Debug)]
pub enum NotWritten {
    /// The file in which they wait cannot be read.
    Kept(io::Error),
    /// They cannot be written where they are to go.
    Out(io::Error),
}

/// The sheets of a record, ready to be written.
pub struct Sheets {
    /// Where the record begins.
    pub origin: Origin,
    /// Its own GameId.
    pub id: Option<String>,
    limits: Limits,
    made: Made,
}

/// How sheets wait.
enum Made {
    Texts(Vec<String>),
    One(Pages),
    Boards(Box<Boards>),
}

/// A record as it is read.
enum Reading {
    /// Its tags, and the remarks among them.
    Head(Vec<Item>),
    /// A game of one board.
    One(Pages),
    /// Boards side by side.
    Boards(Box<Boards>),
    /// Games inside games.
    Games(Vec<Item>),
}

impl Sheets {
    /// Reads the next record of a text and takes it apart; `id` is its GameId where it has none. `None` when there are no
    /// more.
    ///
    /// # Errors
    /// Those of the reader and of the file in which sheets wait; what keeps the record from being taken apart, after all
    /// of it was read.
    pub fn read(
        parser: &mut Parser<'_>,
        file: usize,
        id: &str,
        limits: Limits,
    ) -> Result<Option<Self>, NotApart> {
        let mut record = Record::default();
        let mut reading = Reading::Head(Vec::new());
        let (mut origin, mut own, mut wrong) = (None, None, None);
        loop {
            let event = parser.next().map_err(NotApart::Reading)?;
            match event {
                Event::Done => return Ok(None),
                Event::End => break,
                event => record.hear(event, parser),
            }
            for (fault, place) in record.take_faults() {
                wrong = wrong.or_else(|| unreadable(&fault, Origin { file, place }));
            }
            for (node, place) in record.take_settled() {
                let item = (node, Origin { file, place });
                origin.get_or_insert(item.1);
                reading.take(item, id, &mut own).map_err(NotApart::Keeping)?;
            }
        }
        for (node, place) in record.take_rest() {
            let item = (node, Origin { file, place });
            origin.get_or_insert(item.1);
            reading.take(item, id, &mut own).map_err(NotApart::Keeping)?;
        }
        if matches!(reading, Reading::Head(_)) {
            reading.begin(id, &mut own).map_err(NotApart::Keeping)?;
        }
        if let Some(wrong) = wrong {
            return Err(NotApart::Problem(wrong));
        }
        let made = reading.end(id, limits)?;
        let origin = origin.unwrap_or_else(|| Sheet { items: Vec::new() }.origin());
        Ok(Some(Self { origin, id: own, limits, made }))
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        match &self.made {
            Made::Texts(texts) => texts.len(),
            Made::One(_) => 1,
            Made::Boards(boards) => boards.sheets(),
        }
    }

    /// Writes them, the outermost first, each with an empty line after it.
    ///
    /// # Errors
    /// Those of the writer, and those of the file in which they wait.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), NotWritten> {
        let mut lay = |text: &mut (dyn io::Read + Send)| {
            let mut kept = None;
            let reader = Noting { inner: text, failed: &mut kept };
            let laid = text::lay_out(reader, self.limits, out);
            match (laid, kept) {
                (Ok(()), _) => Ok(()),
                (Err(_), Some(kept)) => Err(NotWritten::Kept(kept)),
                (Err(error), None) => Err(NotWritten::Out(error)),
            }
        };
        match &self.made {
            Made::Texts(texts) => {
                texts.iter().try_for_each(|text| out.write_all(text.as_bytes())).map_err(NotWritten::Out)
            }
            Made::One(pages) => lay(&mut pages.read(0)),
            Made::Boards(boards) => (0..boards.sheets()).try_for_each(|sheet| lay(&mut boards.read(sheet))),
        }
    }
}

/// A reader whose failure is known apart from that of a writer.
struct Noting<'a> {
    inner: &'a mut (dyn io::Read + Send),
    failed: &'a mut Option<io::Error>,
}

impl io::Read for Noting<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.inner.read(into).map_err(|error| {
            let kind = error.kind();
            *self.failed = Some(error);
            kind.into()
        })
    }
}

impl Reading {
    fn take(&mut self, item: Item, id: &str, own: &mut Option<String>) -> io::Result<()> {
        if let Self::Head(head) = self {
            if matches!(item.0, Node::Tag(..) | Node::Prose(..)) {
                head.push(item);
                return Ok(());
            }
            self.begin(id, own)?;
        }
        match self {
            Self::Head(_) => Ok(()),
            Self::One(pages) => pages.put(0, &item.0),
            Self::Boards(boards) => boards.take(item),
            Self::Games(items) => {
                items.push(item);
                Ok(())
            }
        }
    }

    /// The tags are all there: they say which game it is.
    fn begin(&mut self, id: &str, own: &mut Option<String>) -> io::Result<()> {
        let Self::Head(head) = self else { return Ok(()) };
        let sheet = Sheet { items: std::mem::take(head) };
        *own = Tagged::tag(&sheet, "GameId").map(String::from);
        *self = match unbundle::way(&sheet) {
            // Why there are no sheets of a game is said when all of it is read.
            Ok(Way::Games) | Err(_) => Self::Games(sheet.items),
            Ok(Way::Boards) => Self::Boards(Box::new(Boards::begin(sheet, id)?)),
            Ok(Way::One) => {
                let mut pages = Pages::default();
                sheet.items.iter().try_for_each(|(node, _)| pages.put(0, node))?;
                Self::One(pages)
            }
        };
        Ok(())
    }

    fn end(self, id: &str, limits: Limits) -> Result<Made, NotApart> {
        match self {
            Self::Head(_) => Ok(Made::Texts(Vec::new())),
            Self::One(pages) => Ok(Made::One(pages)),
            Self::Boards(mut boards) => {
                boards.end().map_err(NotApart::Keeping)?.map_err(NotApart::Problem)?;
                Ok(Made::Boards(boards))
            }
            Self::Games(items) => {
                let texts = unbundle(Sheet { items }, id, limits).map_err(NotApart::Problem)?;
                Ok(Made::Texts(texts))
            }
        }
    }
}
