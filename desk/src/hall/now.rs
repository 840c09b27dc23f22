//! How things stand beside the boards: who is to act, what the clocks show, what waits for an answer.

use super::Eyes;
use crate::{
    clock::Hand,
    keeper::{Keeper, Vote},
    lines::{self, ClockFace, DueSeat},
};
use overboard_engines::external::lines::{Over, Seat};
use serde::Serialize;

/// How things stand.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Now {
    due: Vec<DueSeat>,
    clocks: Vec<ClockFace>,
    /// How the game ended, if it has.
    over: Option<Over>,
    /// Who has offered a draw that stands.
    offer: Option<Seat>,
    /// The team that it is of.
    #[serde(rename = "offeredBy")]
    offered_by: Option<String>,
    /// What was refused last, for the arbiter, who may record it.
    pending: Option<String>,
    /// The votes of a council, for its own side.
    votes: Vec<Vote>,
    /// Acts that can be taken back.
    acts: usize,
}

impl Now {
    /// How things stand for those with these eyes.
    #[must_use]
    pub fn of(keeper: &Keeper, eyes: Eyes) -> Self {
        let due = lines::called(keeper).due;
        let sees_votes = due.iter().any(|due| eyes.see(due.seat.side));
        let votes = if sees_votes {
            keeper.votes()
        } else {
            Vec::new()
        };
        let pending = match eyes {
            Eyes::Arbiter => keeper.refused().map(str::to_owned),
            _ => None,
        };
        let state = keeper.state();
        let offer = state.offer.as_ref();
        let team = |hand: &Hand| state.game.team(&hand.path, hand.side()).to_string();
        Self {
            due,
            clocks: lines::clocks(keeper).clocks,
            over: lines::over(keeper),
            offer: offer.map(|hand| lines::seat(&hand.path, hand.side())),
            offered_by: offer.map(team),
            pending,
            votes,
            acts: keeper.acts(),
        }
    }
}
