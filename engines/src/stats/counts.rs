//! A game of a ledger played over again: whether it ends as it is booked, and how many plies there were
//! to choose from.

use crate::{
    ending::End,
    journal::LedgerEntry,
    live_game::LiveGame,
    manifest::Manifest,
    proof::Replay,
    records::{RecordError, plies, start},
};
use overboard_games::{playable::Playable, with_game};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome},
};

/// What was seen on the way through a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    /// Positions in which a ply was made.
    pub positions: u64,
    /// Legal plies in all of them.
    pub choices: u64,
    /// White's and Black's kings at the end, where a game has many.
    pub kings: Option<BySide<u32>>,
}

/// Plays a game over again and sees whether it is what its line says. Nothing is answered where choices are not
/// counted or are too many to be, or no rules of the game are here.
///
/// # Errors
/// A game that is not legal, or that has another end or other plies than its line says.
pub fn count_game(
    entry: &LedgerEntry<'_>,
    manifest: &Manifest,
    replay: Replay,
) -> Result<Option<GameCounts>, RecordError> {
    let Ok(game) = manifest.game() else { return Ok(None) };
    with_game!(game, manifest.boards, G => follow::<G>(entry, manifest, replay == Replay::Choices))
}

fn follow<G: Playable>(
    entry: &LedgerEntry<'_>,
    manifest: &Manifest,
    counts: bool,
) -> Result<Option<GameCounts>, RecordError> {
    let mut table = LiveGame::from(start::<G>(entry, manifest)?);
    let mut walk = counts.then(GameCounts::default);
    let mut made = 0;
    for (index, ply) in plies::<G>(&entry.moves).enumerate() {
        if manifest.stops(made) && table.game().may_stop() {
            return Err(RecordError::Late { game: entry.game, limit: manifest.max_plies });
        }
        let step = if counts {
            let (step, choices) = table.game().at_among(ply);
            walk = walk.and_then(|walk| walk.past(choices));
            step
        } else {
            table.game().at(ply)
        };
        let goes_on = table.end().is_none();
        table.step(&step.filter(|_| goes_on).ok_or_else(|| RecordError::at(entry, index, ply))?);
        made += 1;
    }
    // What a player said or did wrong stands in no move.
    let is_said = table.end().is_none() && manifest.admits_end(entry.end.cause);
    if !is_said {
        compare(entry, table.end(), table.game().adjudicate())?;
    }
    if made != entry.plies {
        return Err(RecordError::Plies { game: entry.game, made, booked: entry.plies });
    }
    if !is_said && table.end().is_none() && !manifest.stops(made) {
        return Err(RecordError::Early { game: entry.game, made, limit: manifest.max_plies });
    }
    Ok(walk.map(|walk| GameCounts { kings: table.game().kings(), ..walk }))
}

/// Whether the moves of a game end it as its line says; where they do not end it, it was stopped and scored.
fn compare(entry: &LedgerEntry<'_>, played: Option<End>, scored: Outcome) -> Result<(), RecordError> {
    if played.unwrap_or(End { outcome: scored, cause: Cause::PlyCap }) == entry.end {
        return Ok(());
    }
    Err(RecordError::End { game: entry.game, played, booked: entry.end })
}

impl GameCounts {
    /// With a position more, in which there were so many plies; `None` where there are too many to be counted.
    #[must_use]
    pub fn past(self, choices: Option<u64>) -> Option<Self> {
        let choices = self.choices.checked_add(choices?)?;
        Some(Self { positions: self.positions + 1, choices, ..self })
    }
}
