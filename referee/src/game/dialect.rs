//! Records of a game in a notation of others, with forms of its own.

use super::judge::Judge;
use crate::{hearing::Hearing, record_state::RecordState, referee::Referee};
use overboard_formats::lex::Part;
use overboard_rules::outcome::{Outcome, Ruling};

/// What there is to do about the forms of another notation. Each of these is asked only in a game that has one.
pub struct Dialect<G: Judge> {
    /// Reads tags that only its records have, before anything is set up.
    pub read_tags: fn(&mut RecordState),
    /// Handles a piece of a comment of the main line. Returns whether nothing else is to handle it.
    pub remark: fn(&mut Hearing<'_, G>, Part, &[u8]) -> bool,
    /// The comment read last as it is written, if not as it is.
    pub rewritten: fn(&mut Referee<G>) -> Option<String>,
    /// Whether the comment read last may turn out to mean something by what comes next.
    pub leaves_open: fn(&Referee<G>) -> bool,
    /// A comment that was left open as it is written, where the moves end right after it.
    pub end_rewritten: fn(&mut Referee<G>) -> Option<String>,
    /// The result that a record may give in place of the right one, if there is such a result: that of the board which
    /// decided a match.
    pub other_result: fn(&Referee<G>, Option<Ruling>) -> Option<Outcome>,
    /// The result that is written at the end of a record, where this one, if any, was read after its moves.
    pub right_result: fn(&Referee<G>, &RecordState, Option<&'static str>) -> Option<&'static str>,
}
