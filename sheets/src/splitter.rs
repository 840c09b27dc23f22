//! Splits one record into its sheets while it is read, in little memory however long it is.
//!
//! Sheets wait on [`Pages`] until the record has ended: only then is it known whether all of it can be read.

use super::{
    Item, Origin, Problem, Sheet, Tagged,
    pages::Pages,
    text,
    unbundle::{self, SplitInto, boards::Boards, games::Games, turns::Turns},
    unreadable,
};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    record::{Node, Record},
};
use overboard_games::{overchess, referee::AnyReferee};
use overboard_referee::Options;
use std::io::{self, Write};

/// Why a record was not split.
#[derive(Debug)]
pub enum NotApart {
    /// The record is at fault.
    Problem(Problem),
    /// It could not be read.
    Reading(io::Error),
    /// The file in which sheets wait failed.
    Keeping(io::Error),
}

/// Why sheets were not written.
#[derive(Debug)]
pub enum NotWritten {
    /// The file in which they wait could not be read.
    Kept(io::Error),
    /// The output failed.
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

/// What a record becomes while it is read: sheets, once its tags say which game it is.
enum Made {
    /// Its tags, and the remarks among them.
    Head(Vec<Item>),
    /// A game on one board.
    One(Pages),
    /// Linked boards.
    Boards(Box<Boards>),
    /// Games inside games.
    Games(Box<Games>),
    /// Boards inside boards.
    Turns(Box<Turns>),
}

/// Follows a game of Overchess to find the positions of the whole game in which those inner games begin that are
/// Overchess themselves, and one of Mega-Chess to find which boards its mega-moves carry along. Which game a record is of
/// is known once its tags have been read.
struct Around {
    referee: Option<Box<AnyReferee>>,
    depth: usize,
}

impl Around {
    fn new(limits: Limits) -> Self {
        let options = Options {
            limits,
            count_notes: true,
            no_excerpts: true,
            ..Options::default()
        };
        Self {
            referee: Some(Box::new(AnyReferee::spelling(options))),
            depth: 0,
        }
    }

    /// Handles an event; returns the position in which a sub-game begins here, or a legal ply in coordinates.
    fn hear(&mut self, event: Event, parser: &Parser<'_>) -> Option<String> {
        let referee = self.referee.as_mut()?;
        let begins = event == Event::SubgameOpen && referee.is_at_main_line();
        let ply = referee.hear(event, parser);
        match event {
            _ if begins => referee.around(self.depth),
            Event::Ply => ply.map(|ply| ply.coordinates.to_string()),
            _ => None,
        }
    }

    /// The tags have been read.
    fn begin(&mut self, sheet: &Sheet, way: &SplitInto) {
        self.depth = overchess::depth(sheet.tag("Rules").unwrap_or_default()) as usize;
        let follows = match way {
            SplitInto::Turns => true,
            SplitInto::Games => self.depth >= 2,
            SplitInto::One | SplitInto::Boards => false,
        };
        if !follows {
            self.referee = None;
        }
    }
}

impl Sheets {
    /// Reads the next record of a text and splits it; `id` is its GameId if it has none. `None` if there are no more
    /// records.
    ///
    /// # Errors
    /// Those of the reader and of the file in which sheets wait; or why the record cannot be split, after all of it has
    /// been read.
    pub fn read(
        parser: &mut Parser<'_>,
        file: usize,
        id: &str,
        limits: Limits,
    ) -> Result<Option<Self>, NotApart> {
        let mut record = Record::default();
        let mut made = Made::Head(Vec::new());
        let mut around = Around::new(limits);
        let (mut origin, mut own, mut wrong) = (None, None, None);
        loop {
            let event = parser.next().map_err(NotApart::Reading)?;
            match event {
                Event::Done => return Ok(None),
                Event::End => break,
                event => record.hear(event, parser),
            }
            let mut position = around.hear(event, parser);
            for (fault, place) in record.take_faults() {
                wrong = wrong.or_else(|| unreadable(&fault, Origin { file, place }));
            }
            for (node, place) in record.take_settled() {
                let item = (node, Origin { file, place });
                origin.get_or_insert(item.1);
                // What opens a sub-game and a ply are settled at once, whatever came before them.
                let opens = matches!(item.0, Node::SubgameOpen(_) | Node::Ply(_));
                let position = if opens { position.take() } else { None };
                made.take(item, position, id, (&mut own, &mut around))
                    .map_err(NotApart::Keeping)?;
            }
        }
        for (node, place) in record.take_rest() {
            let item = (node, Origin { file, place });
            origin.get_or_insert(item.1);
            made.take(item, None, id, (&mut own, &mut around))
                .map_err(NotApart::Keeping)?;
        }
        // If the record holds nothing but tags.
        made.begin(id, (&mut own, &mut around))
            .map_err(NotApart::Keeping)?;
        if let Some(wrong) = wrong {
            return Err(NotApart::Problem(wrong));
        }
        made.end()?;
        Ok(Some(Self {
            origin: origin.unwrap_or(Origin::FIRST),
            id: own,
            limits,
            made,
        }))
    }

    /// The number of sheets.
    #[must_use]
    pub fn count(&self) -> usize {
        match &self.made {
            Made::Head(_) => 0,
            Made::One(_) => 1,
            Made::Boards(boards) => boards.sheets(),
            Made::Games(games) => games.sheets(),
            Made::Turns(turns) => turns.sheets(),
        }
    }

    /// Writes all sheets, the outermost first, each followed by an empty line.
    ///
    /// # Errors
    /// Those of the writer and of the file in which they wait.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), NotWritten> {
        (0..self.count()).try_for_each(|nth| self.write_one(nth, out))
    }

    /// Writes one of them.
    pub(super) fn write_one(&self, nth: usize, out: &mut dyn Write) -> Result<(), NotWritten> {
        let mut lay = |text: &mut (dyn io::Read + Send)| {
            let mut kept = None;
            let reader = Noting {
                inner: text,
                failed: &mut kept,
            };
            let laid = text::lay_out(reader, self.limits, out);
            match (laid, kept) {
                (Ok(()), _) => Ok(()),
                (Err(_), Some(kept)) => Err(NotWritten::Kept(kept)),
                (Err(error), None) => Err(NotWritten::Out(error)),
            }
        };
        match &self.made {
            Made::Head(_) => Ok(()),
            Made::One(pages) => lay(&mut pages.read(nth)),
            Made::Boards(boards) => lay(&mut boards.read(nth)),
            Made::Games(games) => lay(&mut games.read(nth)),
            Made::Turns(turns) => lay(&mut turns.read(nth)),
        }
    }
}

/// A reader that remembers its error, to distinguish it from an error of the writer.
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

/// What kept a record from being taken apart to its end.
fn ended(end: io::Result<Result<(), Problem>>) -> Result<(), NotApart> {
    end.map_err(NotApart::Keeping)?.map_err(NotApart::Problem)
}

impl Made {
    fn take(
        &mut self,
        item: Item,
        position: Option<String>,
        id: &str,
        known: (&mut Option<String>, &mut Around),
    ) -> io::Result<()> {
        if let Self::Head(head) = self {
            if matches!(item.0, Node::Tag(..) | Node::Prose(..)) {
                head.push(item);
                return Ok(());
            }
            self.begin(id, known)?;
        }
        match self {
            Self::Head(_) => Ok(()),
            Self::One(pages) => pages.put(0, &item.0),
            Self::Boards(boards) => boards.take(item),
            Self::Games(games) => games.take(&item, position),
            Self::Turns(turns) => turns.take(&item, position.as_deref()),
        }
    }

    /// All tags have been read: they say which game it is.
    fn begin(
        &mut self,
        id: &str,
        (own, around): (&mut Option<String>, &mut Around),
    ) -> io::Result<()> {
        let Self::Head(head) = self else {
            return Ok(());
        };
        let sheet = Sheet {
            items: std::mem::take(head),
        };
        *own = Tagged::tag(&sheet, "GameId").map(String::from);
        let way = unbundle::way(&sheet);
        around.begin(&sheet, &way);
        *self = match way {
            SplitInto::Games => Self::Games(Box::new(Games::begin(sheet, id)?)),
            SplitInto::Boards => Self::Boards(Box::new(Boards::begin(sheet, id)?)),
            SplitInto::Turns => Self::Turns(Box::new(Turns::begin(sheet, id)?)),
            SplitInto::One => Self::One(Pages::begin(&sheet.items)?),
        };
        Ok(())
    }

    fn end(&mut self) -> Result<(), NotApart> {
        match self {
            Self::Head(_) | Self::One(_) => Ok(()),
            Self::Boards(boards) => ended(boards.end()),
            Self::Games(games) => ended(games.end()),
            Self::Turns(turns) => ended(turns.end()),
        }
    }
}
