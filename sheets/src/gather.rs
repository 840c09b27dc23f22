//! Gathers the sheets among the games of a text, while these are judged or only read.

use super::{
    Tagged as _,
    bundle::{game_of, is_of_boards},
    packed::{Folding, Packed},
};
use overboard_formats::parse::{Event, Parser};
use overboard_games::referee::{AnyReferee, witness::Witness};
use overboard_referee::report::Report;
use std::io;

/// A record that is a sheet, or to which sheets may belong, little larger than its text.
pub struct Gathered(pub(super) Packed);

/// Keeps the records that are sheets, or to which sheets may belong, as far as they can be read.
#[derive(Clone, Default)]
pub struct Gatherer {
    record: Folding,
    /// Whether the record is one of them, once its tags are read.
    wanted: Option<bool>,
}

impl Gatherer {
    /// Reads the next record without judging it: `None` if there are no more, and nothing where it is no sheet.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn read(&mut self, parser: &mut Parser<'_>) -> io::Result<Option<Option<Gathered>>> {
        loop {
            match parser.next()? {
                Event::Done => return Ok(None),
                Event::End => return Ok(Some(self.gathered())),
                event => self.take(event, parser),
            }
        }
    }

    fn take(&mut self, event: Event, parser: &Parser<'_>) {
        let may_precede_tags = matches!(
            event,
            Event::Begin | Event::Tag | Event::Prose(..) | Event::Unread | Event::Fault(_)
        );
        if self.wanted.is_none() && !may_precede_tags {
            self.decide();
        }
        if self.wanted != Some(false) {
            self.record.hear(event, parser);
        }
    }

    /// Decides by the tags whether the record is kept.
    fn decide(&mut self) {
        if self.wanted.is_none() {
            self.wanted = Some(is_wanted(&self.record));
        }
    }

    /// The record that has just ended, if it is kept.
    fn gathered(&mut self) -> Option<Gathered> {
        self.decide();
        let record = std::mem::take(&mut self.record);
        if self.wanted.take() != Some(true) {
            return None;
        }
        // What is wrong with one that cannot be read is in its report.
        Some(Gathered(record.finish().ok()?))
    }
}

/// Whether a record is a sheet, or sheets may belong to it.
fn is_wanted(record: &Folding) -> bool {
    if record.tag("Parent").is_some() {
        return true;
    }
    let holds_others = game_of(record).is_some_and(|info| info.has_roles || info.has_levels);
    record.tag("GameId").is_some() && (holds_others || is_of_boards(record))
}

impl Witness for Gatherer {
    type Account = Option<Gathered>;

    fn hear(&mut self, event: Event, _: &AnyReferee, parser: &Parser<'_>) {
        self.take(event, parser);
    }

    fn account(&mut self, _: &Report, _: &AnyReferee) -> Self::Account {
        self.gathered()
    }

    fn bytes(account: &Self::Account) -> usize {
        account.as_ref().map_or(0, |Gathered(sheet)| sheet.size())
    }

    fn move_down(account: &mut Self::Account, lines: u64) {
        if let Some(Gathered(sheet)) = account {
            sheet.move_down(lines);
        }
    }
}
