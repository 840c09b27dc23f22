//! [`Witness`]: follows a record together with the referee, and gives an account of its own.

use crate::referee::AnyReferee;
use overboard_formats::parse::{Event, Parser};
use overboard_referee::report::Report;
use std::io;

/// Takes the events of a record before the referee does, so that at each event it sees the position before it.
///
/// A witness shares one pass over the text with the referee. `overboard score` counts kings in this way, and `overboard
/// orders` collects instructions.
///
/// ```
/// use overboard_formats::{limits::Limits, parse::{Event, Parser}};
/// use overboard_games::referee::{AnyReferee, witness::Witness};
/// use overboard_referee::{Options, report::Report};
///
/// /// Counts the comments of each game.
/// #[derive(Default)]
/// struct Comments(usize);
///
/// impl Witness for Comments {
///     type Account = usize;
///
///     fn hear(&mut self, event: Event, _: &AnyReferee, _: &Parser<'_>) {
///         self.0 += usize::from(matches!(event, Event::Prose(..)));
///     }
///
///     fn account(&mut self, _: &Report, _: &AnyReferee) -> usize {
///         std::mem::take(&mut self.0)
///     }
/// }
///
/// let text = "1. e4 {Best by test.} e5 {So is this.} *";
/// let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
/// let mut referee = AnyReferee::new(Options::default());
/// let (report, comments) = Comments::default().attend(&mut referee, &mut parser).unwrap().unwrap();
/// assert_eq!((report.plies, comments), (2, 2));
/// ```
pub trait Witness {
    /// The account of a game.
    type Account;

    /// Takes an event of the record.
    fn hear(&mut self, event: Event, referee: &AnyReferee, parser: &Parser<'_>);

    /// The account of the game that has just ended.
    fn account(&mut self, report: &Report, referee: &AnyReferee) -> Self::Account;

    /// About how many bytes an account takes on the heap.
    #[must_use]
    fn bytes(_account: &Self::Account) -> usize {
        0
    }

    /// Adds `lines` to all line numbers: the game was read from a part of a longer text.
    fn move_down(_account: &mut Self::Account, _lines: u64) {}

    /// Follows the next record to its end; `None` when there are no more.
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

/// The witness that ignores everything.
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
