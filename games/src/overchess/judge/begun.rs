//! An act that has begun and was not finished: `[%begun consolidate c3 give d2 P]`.
//!
//! A record writes two set-ups, a consolidation, and prisoners with names only as a whole. A game may be broken off in
//! the middle of them.

use super::{
    Over,
    block::enter,
    judged, make,
    refusal::{Refused, refuse_act},
};
use crate::{
    coordinates::{in_one_space, phrases},
    overchess::{Movetext, Ply},
};
use overboard_formats::span::TextSpan;
use overboard_referee::{
    game::record::{Movetext as _, Record as _},
    hearing::Hearing,
};
use overboard_rules::{game::Step, general as common};

/// Why parts of an act cannot be taken.
enum Fault {
    /// These words are not legal where they stand.
    Illegal(String),
    /// They are none, or an act that is finished.
    NotBegun,
}

/// Makes the parts of an act. Returns whether they are of an act that is not finished.
pub(super) fn begin(hearing: &mut Hearing<'_, Over>, said: &[u8], place: TextSpan) -> bool {
    // It may be the first thing after a sub-game's tags, whose set-up the act goes on from.
    enter(hearing, None);
    let Some(over) = judged(hearing) else {
        return true;
    };
    let said = String::from_utf8_lossy(said);
    let parts = match parts(over, &said) {
        Ok(parts) => parts,
        Err(Fault::NotBegun) => return false,
        Err(Fault::Illegal(words)) => {
            let reason = format!("`{words}` is no part of an act that is due here");
            let refused = Refused::of((reason, &common::ATOM));
            refuse_act(hearing, &format!("[%begun {said}]"), refused, place);
            return true;
        }
    };
    for part in parts {
        if matches!(part, Ply::Consolidate(_)) {
            super::action::count_consolidation(hearing);
        }
        make(hearing, part);
    }
    hearing.referee.own.has_begun = true;
    true
}

/// The plies that these words mean, one after the other.
fn parts(over: &Over, said: &str) -> Result<Vec<Ply>, Fault> {
    let mut game = over.clone();
    let mut written = Movetext::of(over);
    let mut parts = Vec::new();
    for words in phrases::<Over>(said, 0) {
        let words = in_one_space(&said[words]);
        let Some(step @ Step::Ply(ply)) = game.at(&words) else {
            return Err(Fault::Illegal(words.into_owned()));
        };
        let before = game.clone();
        let brought = step.make(&mut game);
        written.take(&step, &before, &game, &brought, "");
        parts.push(ply);
    }
    if written.is_halfway() && written.is_empty() {
        Ok(parts)
    } else {
        Err(Fault::NotBegun)
    }
}
