//! Those who hear a record beside the referee, and have something of their own to tell of it.

use crate::{AnyReferee, report::Report};
use overboard_formats::parse::{Event, Parser};
use std::io;

/// Hears the events of a record before the referee does, so that each finds the position before it.
pub trait Witness {
    /// What is told of a game.
    type Account;

    /// Takes an event of the record.
    fn hear(&mut self, event: Event, referee: &AnyReferee, parser: &Parser<'_>);

    /// What is to be told of the game that has just ended.
    fn account(&mut self, report: &Report, referee: &AnyReferee) -> Self::Account;

    /// About how many bytes an account takes beside its own size.
    #[must_use]
    fn bytes(_account: &Self::Account) -> usize {
        0
    }

    /// Counts lines from so many before the text that the game was read from.
    fn move_down(_account: &mut Self::Account, _lines: u64) {}

    /// Hears the next record to its end; `None` when there are no more.
    ///
    /// # Errors
    /// Those of the reader.
    fn attend(
        &mut self,
        referee: &mut AnyReferee,
        parser: &mut Parser<'_>,
    ) -> io::Result<Option<(Report, Self::Account)>> {
        loop {
            let event = parser.next()?;
            if event == Event::Done {
                return Ok(None);
            }
            if !referee.has_begun() {
                referee.begin_moves(event, parser);
            }
            self.hear(event, referee, parser);
            referee.hear(event, parser);
            if event == Event::End {
                let report = referee.take_report(parser);
                let account = self.account(&report, referee);
                return Ok(Some((report, account)));
            }
        }
    }
}

/// Nobody hears anything.
impl Witness for () {
    type Account = ();

    fn hear(&mut self, _event: Event, _referee: &AnyReferee, _parser: &Parser<'_>) {}

    fn account(&mut self, _report: &Report, _referee: &AnyReferee) {}

    fn attend(
        &mut self,
        referee: &mut AnyReferee,
        parser: &mut Parser<'_>,
    ) -> io::Result<Option<(Report, ())>> {
        Ok(referee.judge(parser)?.map(|report| (report, ())))
    }
}
