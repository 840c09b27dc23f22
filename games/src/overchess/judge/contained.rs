//! Sub-games in which something cannot be judged, and the over-game around them.
//!
//! A fault in a sub-game does not hide what comes after it (GEN-13): its result says what happens on the over-board. What
//! the winner has left is not known any more, so a sub-game that it fights later cannot be judged, and passes this on.

use crate::overchess::{Over, Reserves, judge::roles::Roles};
use overboard_referee::{hearing::Hearing, numbering::Unjudged, readings::Readings};
use overboard_rules::{outcome::Outcome, path::BoardPath, square::Square};

/// Whether the over-game being read goes on after a sub-game that begins here, whatever is found in that.
pub(super) fn can_be(hearing: &Hearing<'_, Over>) -> bool {
    let Some(position) = hearing.referee.position() else {
        return false;
    };
    let rules = position.rules();
    // Otherwise what the armies have left decides what can be done on the over-board.
    let is_of_over_pieces =
        !rules.prisoners && !rules.consolidation && rules.reserves == Reserves::None;
    // Rows and lines are of a game whose position is known.
    let is_written = hearing.state.rows.is_some() || hearing.state.acts().is_some();
    is_of_over_pieces && hearing.state.at_main_line() && !is_written
}

/// Whether the armies of the sub-game on a square depend on one that could not be judged.
pub(super) fn depends_on_another(hearing: &Hearing<'_, Over>, on: Square) -> bool {
    let level = hearing.referee.open.blocks.len();
    let roles = hearing.referee.own.roles.get(level);
    roles.is_some_and(|roles| !roles.has_known_armies(on))
}

/// An over-move was made. If its sub-game was dead at its set-up as far as the armies are known, and they are not, nothing
/// is known.
pub(super) fn after_over_move(hearing: &mut Hearing<'_, Over>) {
    let level = hearing.referee.open.blocks.len();
    let roles = hearing.referee.own.roles.get(level);
    if roles.is_some_and(Roles::has_settled_unknown) {
        hearing.lose(BoardPath::OUTERMOST, Unjudged::NextMove);
    }
}

/// A sub-game in which something could not be judged, and after which the over-game goes on.
pub(super) struct Contained {
    /// How it had ended by its moves, if it had: then all of it was known.
    ended: Option<Outcome>,
}

/// The block of a sub-game closes: if something in it could not be judged, the over-game goes on from there.
pub(super) fn go_on(hearing: &mut Hearing<'_, Over>) -> Option<Contained> {
    let block = hearing.referee.open.blocks.last()?;
    if !block.is_contained || hearing.referee.now().is_any() {
        return None;
    }
    let ended = block.over;
    hearing.referee.line.change(Readings::hold_again);
    hearing.referee.has_gap = true;
    hearing.referee.is_filled_in |= ended.is_none();
    Some(Contained { ended })
}

/// The sub-game of the innermost block has this outcome. If it was not known how it went, or how one inside it went, it
/// is not known what its armies have left.
pub(super) fn settle(
    hearing: &mut Hearing<'_, Over>,
    contained: Option<Contained>,
    outcome: Option<Outcome>,
) {
    let recorded = hearing.state.games.concluded().outcome();
    // Without a result, or with another than that of its moves, it is not known how the players went on.
    let goes_on = match &contained {
        None => true,
        Some(Contained { ended: None }) => outcome.is_some(),
        Some(Contained { ended }) => recorded == *ended,
    };
    if !goes_on {
        hearing.lose(BoardPath::OUTERMOST, Unjudged::NextMove);
    }
    let level = hearing.referee.open.blocks.len();
    let Some(on) = hearing.referee.open.blocks.last().map(|block| block.on) else {
        return;
    };
    let roles = &mut hearing.referee.own.roles;
    let inside = roles.get(level);
    let is_unsure = inside.is_some_and(Roles::has_unknown_armies)
        || contained.is_some_and(|contained| contained.ended.is_none());
    if is_unsure && let Some(around) = roles.get_mut(level - 1) {
        around.forget_armies(on);
    }
}
