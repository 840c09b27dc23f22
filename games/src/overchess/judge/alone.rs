//! Sub-games of an over-game that is not known any more.
//!
//! After an illegal over-move it is not known which over-pieces fight, nor who wins. But a sub-game is a game of its own:
//! where its set-up is written, or can be only one, it is judged by itself (GEN-13).

use crate::{
    overchess::{Agreed, Over},
    registry::under_way,
};
use overboard_formats::{header::Name, parse::Event};
use overboard_referee::{
    game::judge::Judge as _,
    hearing::Hearing,
    referee::{DynReferee, Referee},
};

/// A sub-game that is judged by itself.
pub(super) struct Alone {
    referee: Box<dyn DynReferee>,
    /// Whether its tags have been read.
    has_begun: bool,
    /// How many blocks are open in it.
    blocks: usize,
}

impl Alone {
    /// The sub-game whose block opens, inside so many others; `None` if nothing of it can be known.
    pub fn opening(hearing: &Hearing<'_, Over>, around: usize) -> Option<Self> {
        let is_judged = hearing.state.judging.is_on() && !hearing.state.games.any_ended();
        let is_lost = is_judged && !hearing.referee.now().is_any();
        let is_main = hearing.state.at_main_line() && hearing.referee.outer.is_empty();
        // Rows are of the game whose position is known.
        if !is_lost || !is_main || hearing.state.rows.is_some() {
            return None;
        }
        let agreed = &hearing.referee.options;
        let depth = agreed.depth.checked_sub(u8::try_from(around).ok()? + 1)?;
        let referee: Box<dyn DynReferee> = if depth == 0 {
            Box::new(Referee::<under_way::Chess>::new(())?)
        } else {
            Box::new(Referee::<Over>::new(Agreed { depth, ..*agreed })?)
        };
        Some(Self {
            referee,
            has_begun: false,
            blocks: 0,
        })
    }

    /// The tags have been read: sets up the first position. Returns whether it is known.
    fn begin(&mut self, hearing: &mut Hearing<'_, Over>) -> bool {
        self.has_begun = true;
        if let Some(block) = hearing.referee.open.blocks.last_mut() {
            block.entered = true;
        }
        let inside = Over::inner_game(&hearing.referee.options, hearing.state.games.around());
        hearing.state.check_tags(inside, hearing.parser);
        let is_written = hearing.state.header().bytes(Name::Fen).is_some();
        // At depth 2 and more a set-up names individuals of the game around it.
        if is_written && !self.is_chess() || !is_written && !has_full_sets(hearing) {
            return false;
        }
        self.referee.set_up(hearing.state, hearing.parser);
        if !hearing.state.judging.is_on() {
            // Only this sub-game cannot be judged.
            hearing.state.judging.go_on();
            return false;
        }
        self.referee.start(hearing.state, hearing.parser);
        if let Some(block) = hearing.referee.open.blocks.last_mut() {
            block.is_alone = true;
        }
        true
    }

    fn is_chess(&self) -> bool {
        self.referee.as_any().is::<Referee<under_way::Chess>>()
    }

    /// Its block closes: compares its result with what happened.
    fn conclude(mut self, hearing: &mut Hearing<'_, Over>) {
        let mut standing = self.referee.standing(hearing.state, hearing.parser);
        standing.complete = self.referee.is_known();
        let result = hearing.state.conclude(standing, hearing.parser);
        hearing.state.games.conclude(result);
    }
}

/// Whether no sub-set can have lost anything: every one of them then sets up the array of chess (OV-4).
fn has_full_sets(hearing: &Hearing<'_, Over>) -> bool {
    let from_array = hearing
        .state
        .games
        .whole()
        .header
        .bytes(Name::Fen)
        .is_none();
    from_array && !hearing.referee.own.has_fought
}

/// Passes an event to the sub-game that is judged by itself, if there is one. Returns whether nothing else is to handle
/// it.
pub(super) fn hear(hearing: &mut Hearing<'_, Over>, event: Event) -> bool {
    let Some(alone) = hearing.referee.own.alone.take() else {
        return false;
    };
    let known = hearing.state.findings.len();
    let path = hearing.state.games.current().path.clone();
    let is_its_own = pass_on(hearing, alone, event);
    for finding in hearing.state.findings.after(known) {
        // A moment of this sub-game cannot be shown: nothing leads to it.
        finding.moment = None;
        if finding.path.is_empty() {
            let message = format!("sub-game {path}, {}", finding.message.as_it_came());
            finding.message = message.into();
            finding.path.clone_from(&path);
        }
    }
    is_its_own
}

fn pass_on(hearing: &mut Hearing<'_, Over>, mut alone: Box<Alone>, event: Event) -> bool {
    let ends = match event {
        Event::BlockClose(_) => alone.blocks == 0,
        Event::End | Event::Done => true,
        _ => false,
    };
    if !alone.has_begun {
        if matches!(event, Event::Tag) {
            hearing.referee.own.alone = Some(alone);
            return false;
        }
        if !alone.begin(hearing) {
            return false;
        }
    }
    if ends {
        alone.conclude(hearing);
        return false;
    }
    let opens = matches!(
        event,
        Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_)
    );
    // A sub-game of chess holds no blocks: what is in it is not judged.
    if opens && alone.is_chess() {
        return false;
    }
    match event {
        _ if opens => alone.blocks += 1,
        Event::BlockClose(_) => alone.blocks -= 1,
        _ => {}
    }
    // How it is spelt is not said: it is not known at which path it stands.
    let _ = alone.referee.hear(event, hearing.state, hearing.parser);
    hearing.referee.own.alone = Some(alone);
    true
}
