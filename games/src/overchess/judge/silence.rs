//! Plies that a record omits (GEN-8), and acts that are runs of plies.

use super::{
    Referee, make,
    refusal::{Reason, Refused, refuse_act},
};
use crate::overchess::{Block, Due, Over};
use overboard_formats::parse::Parser;
use overboard_referee::{game::judged::Judged as _, record_state::RecordState};
use overboard_rules::game::{Game as _, Next, Said};

/// Plays the plies omitted before the next thing in the game being read, or before the end of the record.
pub(super) fn fill_in(
    referee: &mut Referee<Over>,
    next: Option<Said<'_, Over>>,
    state: &mut RecordState,
    parser: &Parser<'_>,
) {
    // After a game is over, omitted plies belong to the game around it.
    let may_be = referee
        .line
        .now()
        .position()
        .is_some_and(Over::may_be_unsaid);
    if !may_be
        || !state.judging
        || referee
            .open
            .blocks
            .last()
            .is_some_and(|block| block.over.is_some())
    {
        return;
    }
    let (at, numbered) = (Over::here(referee), state.numbered);
    let next = next.map(|said| Next { at, said, numbered });
    while let Some(position) = referee.line.now().position() {
        match position.unsaid(next) {
            Ok(Some(ply)) => {
                state.rows.iter_mut().for_each(|rows| rows.unsaid = true);
                make(referee, ply, state);
                state.rows.iter_mut().for_each(|rows| rows.unsaid = false);
            }
            Ok(None) => return,
            Err(refusal) => {
                let text = match position.due() {
                    Due::Setup(..) => "the sub-game",
                    Due::Giving => "a consolidation",
                    _ => "a sub-game settled without <prisoners>",
                };
                let refused = Refused::by(*refusal, position);
                return refuse_act(referee, text, refused, *parser.place(), state, parser);
            }
        }
    }
}

/// Performs a set-up that is written as a whole.
pub(super) fn perform(
    referee: &mut Referee<Over>,
    block: &Block,
    state: &mut RecordState,
) -> Result<(), Reason> {
    let Some(position) = referee.line.now().position() else {
        return Ok(());
    };
    let run = position.resolve(Over::here(referee), Said::Block(block));
    let run = run.map_err(|refusal| (refusal.words, refusal.rule))?;
    run.into_iter().for_each(|ply| make(referee, ply, state));
    Ok(())
}
