//! Sub-games in which something cannot be judged, and the over-game around them.
//!
//! A fault in a sub-game does not hide what comes after it (GEN-13): its result says what happens on the over-board. What
//! the winner has left is not known any more, so a sub-game that it fights later cannot be judged, and passes this on.

use super::{
    action::count_consolidation,
    block::settle_roles,
    make,
    refusal::{Refused, refuse_act},
    roles_here,
};
use crate::overchess::{Block, Due, Over, Ply, Reserves, judge::roles::Roles};
use overboard_formats::span::TextSpan;
use overboard_referee::{game::judge::Judge as _, hearing::Hearing, numbering::Unjudged};
use overboard_rules::{
    game::{Game as _, Said},
    outcome::Outcome,
    path::BoardPath,
    square::Square,
};

/// Whether the over-game being read goes on after a sub-game that begins here, whatever is found in that.
pub(super) fn can_be(hearing: &Hearing<'_, Over>) -> bool {
    // Rows and lines are of a game whose position is known.
    let is_written = hearing.state.rows.is_some() || hearing.state.acts().is_some();
    hearing.referee.position().is_some() && hearing.state.at_main_line() && !is_written
}

/// Whether the armies of the sub-game on a square depend on one that could not be judged.
pub(super) fn depends_on_another(hearing: &Hearing<'_, Over>, on: Square) -> bool {
    let is_unknown = roles(hearing).is_some_and(|roles| !roles.has_known_armies(on));
    is_unknown || is_in_doubtful_variation(hearing)
}

/// The roles in the over-game being read.
fn roles<'r>(hearing: &'r Hearing<'_, Over>) -> Option<&'r Roles> {
    let level = hearing.referee.open.blocks.len();
    hearing.referee.own.roles.get(level)
}

/// Whether a variation is read, and some armies are not known. It is not followed which over-pieces they have in it.
pub(super) fn is_in_doubtful_variation(hearing: &Hearing<'_, Over>) -> bool {
    !hearing.state.at_main_line() && roles(hearing).is_some_and(Roles::has_unknown_armies)
}

/// An over-move was made. If its sub-game was dead at its set-up as far as the armies are known, and they are not, nothing
/// is known.
pub(super) fn after_over_move(hearing: &mut Hearing<'_, Over>) {
    if roles(hearing).is_some_and(Roles::has_settled_unknown) {
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
    let here = Over::here(hearing.referee);
    hearing.referee.line.change(|now| now.hold_again(here));
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
    let here = Over::here(hearing.referee);
    let roles = &mut hearing.referee.own.roles;
    let inside = roles.get(level);
    let is_unsure = inside.is_some_and(Roles::has_unknown_armies)
        || contained.is_some_and(|contained| contained.ended.is_none());
    if is_unsure && let Some(around) = roles.get_mut(level - 1) {
        around.forget_armies(on);
    }
    hearing.referee.own.unsure = if is_unsure { Some(here) } else { None };
}

/// After such a sub-game nothing is taken or called in by the position that is known: what there was to be taken is not.
pub(super) fn take_nothing(hearing: &mut Hearing<'_, Over>) {
    if !is_after_unsure(hearing) {
        return;
    }
    let level = hearing.referee.open.blocks.len() + 1;
    let is_settling = |over: &Over| over.open() == level && matches!(over.due(), Due::Settling(_));
    while hearing.referee.position().is_some_and(is_settling) {
        hearing.state.mark_unsaid(true);
        make(hearing, Ply::Done);
        hearing.state.mark_unsaid(false);
    }
}

/// Whether the last thing played in the over-game being read is a sub-game whose survivors are not known.
fn is_after_unsure(hearing: &Hearing<'_, Over>) -> bool {
    let own = &hearing.referee.own;
    own.closed.is_some() && own.closed == own.unsure
}

/// Whether an act depends on what is not known of the armies, so that only the over-board can judge it.
pub(super) fn is_open(hearing: &Hearing<'_, Over>, block: &Block) -> bool {
    let (Some(position), Some(roles)) = (hearing.referee.position(), roles(hearing)) else {
        return false;
    };
    let rules = position.rules();
    match block {
        Block::Prisoners(_) => rules.prisoners && is_after_unsure(hearing),
        Block::Reserve(on, _) => rules.reserves != Reserves::None && roles.is_unknown_on(*on),
        Block::Consolidate(..) => match position.level(hearing.referee.open.blocks.len()) {
            Some(over) => rules.consolidation && roles.has_unknown_armies_of(over.turn()),
            None => false,
        },
        Block::Ply(_) | Block::SetUp(_) | Block::Seats(_) => false,
    }
}

/// Whether such an act belongs to the sub-game that has just closed. It has been settled without the act, so that the game
/// may have gone on, or be over.
pub(super) fn settles(hearing: &Hearing<'_, Over>, block: &Block) -> bool {
    let is_of_survivors = matches!(block, Block::Prisoners(_) | Block::Reserve(..));
    is_of_survivors && is_after_unsure(hearing) && is_open(hearing, block)
}

/// An act of which it is not known whom it could be about: what was taken or called in stays open, and an over-piece that
/// is consolidated leaves the board.
pub(super) fn act(hearing: &mut Hearing<'_, Over>, text: &str, block: &Block, place: TextSpan) {
    let Block::Consolidate(from, _) = block else {
        return;
    };
    let here = Over::here(hearing.referee);
    let position = hearing.referee.latest();
    let leave = Block::Ply(Ply::Consolidate(*from));
    if let Err(refusal) = position.resolve(here, Said::Block(&leave)) {
        let refused = Refused::of_act(*refusal, block, position);
        return refuse_act(hearing, text, refused, place);
    }
    count_consolidation(hearing);
    make(hearing, Ply::Consolidate(*from));
    if let Some((roles, over)) = roles_here(hearing.referee) {
        roles.forget_those_with_room(over);
    }
    // Its pieces go anywhere: nobody asks later what such a sub-set holds.
    while let Some(gift) = hearing.referee.position().and_then(any_gift) {
        make(hearing, gift);
    }
    settle_roles(hearing);
}

/// The first of the ways to hand over the next piece of a consolidation.
fn any_gift(over: &Over) -> Option<Ply> {
    if over.due() != Due::Giving {
        return None;
    }
    over.legal_plies().first().copied()
}
