//! Plies that a record omits (GEN-8), and acts that are runs of plies.

use super::{
    make,
    refusal::{Reason, Refused, refuse_act},
};
use crate::overchess::{Block, Due, Over};
use overboard_referee::{game::judge::Judge as _, hearing::Hearing};
use overboard_rules::game::{Game as _, Next, Said};

/// Plays the plies omitted before the next thing in the game being read, or before the end of the record.
pub(super) fn fill_in(hearing: &mut Hearing<'_, Over>, next: Option<Said<'_, Over>>) {
    // After a game is over, omitted plies belong to the game around it.
    let may_be = hearing.referee.position().is_some_and(Over::may_be_unsaid);
    if !may_be
        || hearing.referee.own.has_begun
        || !hearing.state.judging.is_on()
        || hearing.referee.open.is_over()
    {
        return;
    }
    let at = Over::here(hearing.referee);
    let numbered = hearing.state.numbers.is_given();
    let next = next.map(|said| Next { at, said, numbered });
    while let Some(position) = hearing.referee.position() {
        match position.unsaid(next) {
            Ok(Some(ply)) => {
                hearing.state.mark_unsaid(true);
                make(hearing, ply);
                hearing.state.mark_unsaid(false);
            }
            Ok(None) => return,
            Err(refusal) => {
                let text = match position.due() {
                    Due::Setup(..) => "the sub-game",
                    Due::Giving => "a consolidation",
                    _ => "a sub-game settled without <prisoners>",
                };
                let refused = Refused::by(*refusal, position);
                return refuse_act(hearing, text, refused, hearing.place());
            }
        }
    }
}

/// Performs a set-up that is written as a whole.
pub(super) fn perform(hearing: &mut Hearing<'_, Over>, block: &Block) -> Result<(), Reason> {
    let Some(position) = hearing.referee.position() else {
        return Ok(());
    };
    let run = position.resolve(Over::here(hearing.referee), Said::Block(block));
    let run = run.map_err(|refusal| (refusal.words, refusal.rule))?;
    for ply in run {
        make(hearing, ply);
    }
    Ok(())
}
