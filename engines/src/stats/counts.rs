//! Replays a game of a ledger: whether it ends as recorded, and how many legal plies there were.

use crate::{
    ending::End,
    journal::LedgerEntry,
    live_game::LiveGame,
    manifest::Manifest,
    proof::Replay,
    records::{RecordError, plies, start},
};
use overboard_games::with_game;
use overboard_referee::game::play::Play;
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome},
};

/// What was counted in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    /// Positions in which a ply was made.
    pub positions: u64,
    /// The total of their legal plies.
    pub choices: u64,
    /// White's and Black's kings at the end, if the game has many.
    pub kings: Option<BySide<u32>>,
}

/// Replays a game and checks that it is what its line says. Returns `None` if legal plies are not counted, are too many
/// to count, or the game is not supported.
///
/// # Errors
/// If the game is not legal, or its end or plies differ from its line.
pub fn count_game(
    entry: &LedgerEntry<'_>,
    manifest: &Manifest,
    replay: Replay,
) -> Result<Option<GameCounts>, RecordError> {
    let Ok(game) = manifest.game() else {
        return Ok(None);
    };
    with_game!(game, manifest.boards, G => follow::<G>(entry, manifest, replay == Replay::Choices))
}

fn follow<G: Play>(
    entry: &LedgerEntry<'_>,
    manifest: &Manifest,
    counts: bool,
) -> Result<Option<GameCounts>, RecordError> {
    let mut table = LiveGame::from(start::<G>(entry, manifest)?);
    let mut walk = counts.then(GameCounts::default);
    let mut made = 0;
    for (index, ply) in plies::<G>(&entry.moves).enumerate() {
        if manifest.stops(made) && table.game().may_stop() {
            return Err(RecordError::Late {
                game: entry.game,
                limit: manifest.max_plies,
            });
        }
        let step = table.game().at(ply);
        if counts {
            let choices = table.game().count_legal();
            let choices = (choices < u64::MAX).then_some(choices);
            walk = walk.and_then(|walk| walk.past(choices));
        }
        let goes_on = table.end().is_none();
        match step {
            Some(step) if goes_on => table.step(&step),
            _ => return Err(RecordError::at(entry, index, ply)),
        }
        made += 1;
    }
    // What a player said, and faults, are not in the moves.
    let is_said = table.end().is_none() && manifest.admits_end(entry.end.cause);
    if !is_said {
        compare(entry, table.end(), table.game().adjudicate())?;
    }
    if made != entry.plies {
        return Err(RecordError::Plies {
            game: entry.game,
            made,
            booked: entry.plies,
        });
    }
    if !is_said && table.end().is_none() && !manifest.stops(made) {
        return Err(RecordError::Early {
            game: entry.game,
            made,
            limit: manifest.max_plies,
        });
    }
    Ok(walk.map(|walk| GameCounts {
        kings: table.game().kings(),
        ..walk
    }))
}

/// Checks that the moves of a game lead to the recorded end; if they do not end it, it was stopped and scored.
fn compare(
    entry: &LedgerEntry<'_>,
    played: Option<End>,
    scored: Outcome,
) -> Result<(), RecordError> {
    if played.unwrap_or(End {
        outcome: scored,
        cause: Cause::PlyCap,
    }) == entry.end
    {
        return Ok(());
    }
    Err(RecordError::End {
        game: entry.game,
        played,
        booked: entry.end,
    })
}

impl GameCounts {
    /// The counts with one more position that has `choices` legal plies; `None` if there are too many to count.
    #[must_use]
    pub fn past(self, choices: Option<u64>) -> Option<Self> {
        let choices = self.choices.checked_add(choices?)?;
        Some(Self {
            positions: self.positions + 1,
            choices,
            ..self
        })
    }
}
