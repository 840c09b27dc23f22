//! Gathers the sheets among the games of a text while these are judged.

use super::{
    Tagged as _,
    packed::{Folding, Packed},
};
use crate::{AnyReferee, report::Report, witness::Witness};
use overboard_formats::parse::{Event, Parser};
use overboard_games::registry::Variant;

/// A record that is a sheet, or to which sheets may belong, little larger than its text.
pub struct Gathered(pub(super) Packed);

/// Keeps the records that are sheets, or to which sheets may belong, as far as they can be read.
#[derive(Clone, Default)]
pub struct Gatherer {
    record: Folding,
    /// Whether the record is one of them, once its tags are read.
    wanted: Option<bool>,
}

impl Witness for Gatherer {
    type Account = Option<Gathered>;

    fn hear(&mut self, event: Event, referee: &AnyReferee, parser: &Parser<'_>) {
        if self.wanted.is_none() && referee.has_begun() {
            let game = referee.game().map(Variant::info);
            let is_outermost = self.record.tag("GameId").is_some()
                && game.is_some_and(|info| info.has_boards || info.has_roles);
            self.wanted = Some(is_outermost || self.record.tag("Parent").is_some());
        }
        if self.wanted != Some(false) {
            self.record.hear(event, parser);
        }
    }

    fn account(&mut self, _: &Report, _: &AnyReferee) -> Self::Account {
        let record = std::mem::take(&mut self.record);
        // What is wrong with one that cannot be read is in its report.
        (self.wanted.take() == Some(true)).then(|| record.finish().ok().map(Gathered)).flatten()
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
