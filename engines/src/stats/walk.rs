//! A game of a ledger played over again: whether it ends as it is booked, and how many plies there were
//! to choose from.

use crate::{
    contest::{Contest, Flat, Table},
    ending::End,
    journal::Entry,
    manifest::Manifest,
    records::{Unwritable, linked_start, nested_start, plies},
};
use overboard_games::{
    chess::Chess,
    coordinates::overs::Deed,
    game_notation::GameNotation as _,
    metachess::Meta,
    olympic::Olympic,
    registry::{AnyGame, Variant},
    strategichess::{Strategi, linked},
};
use overboard_rules::{
    game::Game as _,
    outcome::{Cause, Outcome},
};

/// What was seen on the way through a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Walk {
    /// Positions in which a ply was made.
    pub positions: u64,
    /// Legal plies in all of them.
    pub choices: u64,
    /// White's and Black's kings at the end, where a game has many.
    pub kings: Option<[u32; 2]>,
}

/// Plays a game over again; nothing is answered where there were too many plies to be counted, or no
/// rules of the game are here.
///
/// # Errors
/// A game that is not legal, or that ends otherwise than its line says.
pub fn walk(entry: &Entry<'_>, manifest: &Manifest) -> Result<Option<Walk>, Unwritable> {
    let Ok(game) = manifest.game() else { return Ok(None) };
    match game {
        Variant::Chess => flat::<Chess>(entry).map(Some),
        Variant::Olympic => flat::<Olympic>(entry).map(Some),
        Variant::Strategi if manifest.boards > 1 => boards(entry, manifest).map(Some),
        Variant::Strategi => flat::<Strategi>(entry).map(Some),
        Variant::Meta => flat::<Meta>(entry).map(Some),
        Variant::Mega | Variant::Over => nested(game, entry, manifest),
    }
}

/// Linked boards: whoever is to move has all boards of the team to choose from.
fn boards(entry: &Entry<'_>, manifest: &Manifest) -> Result<Walk, Unwritable> {
    let mut position = linked_start(entry, manifest)?;
    let mut walk = Walk::default();
    for (index, word) in entry.moves.split_ascii_whitespace().enumerate() {
        walk.choices += position.count_legal();
        let number = index + 1;
        let illegal = || Unwritable::Ply { game: entry.game, ply: word.into(), number };
        let goes_on = position.ending().is_none();
        position.play(goes_on.then(|| linked::at(&position, word)).flatten().ok_or_else(illegal)?);
        walk.positions += 1;
    }
    compare(entry, position.ending().map(End::from), position.counted())?;
    walk.kings = Some(linked::score(&position));
    Ok(walk)
}

/// Nested boards: every ply that any of them allows.
fn nested(game: Variant, entry: &Entry<'_>, manifest: &Manifest) -> Result<Option<Walk>, Unwritable> {
    let mut position = nested_start(game, manifest)?;
    if let Some(fen) = &entry.fen {
        position = position.read(fen).map_err(|_| Unwritable::Start(entry.game))?.0;
    }
    let mut walk = Some(Walk::default());
    for (index, ply) in plies(game, &entry.moves).enumerate() {
        walk = walk.and_then(|walk| walk.past(&position));
        let illegal = || Unwritable::Ply { game: entry.game, ply: ply.clone(), number: index + 1 };
        if position.end_by_itself().is_some() {
            return Err(illegal());
        }
        match &mut position {
            AnyGame::Over(over) => Deed::read(over, &ply).ok_or_else(illegal)?.make(over),
            AnyGame::Chess(_)
            | AnyGame::Olympic(_)
            | AnyGame::Strategi(_)
            | AnyGame::Meta(_)
            | AnyGame::Linked(_)
            | AnyGame::Mega(_) => position = position.played(&ply).ok_or_else(illegal)?.1,
        }
    }
    compare(entry, position.end_by_itself().map(End::from), Outcome::Draw)?;
    Ok(walk)
}

/// Whether the moves of a game end it as its line says; where they do not end it, it was stopped and scored.
fn compare(entry: &Entry<'_>, played: Option<End>, scored: Outcome) -> Result<(), Unwritable> {
    if played.unwrap_or(End { outcome: scored, cause: Cause::PlyCap }) == entry.end {
        return Ok(());
    }
    Err(Unwritable::End { game: entry.game, played, booked: entry.end })
}

impl Walk {
    /// With a position more; `None` where there is too much to be counted.
    #[must_use]
    pub fn past(self, position: &AnyGame) -> Option<Self> {
        let choices = self.choices.checked_add(position.choices()?)?;
        Some(Self { positions: self.positions + 1, choices, ..self })
    }
}

fn flat<P: Flat>(entry: &Entry<'_>) -> Result<Walk, Unwritable> {
    let position = match &entry.fen {
        Some(fen) => P::read(fen).map_err(|_| Unwritable::Start(entry.game))?.0,
        None => P::default(),
    };
    let mut table = Table::from(position);
    let mut walk = Walk::default();
    for (index, word) in entry.moves.split_ascii_whitespace().enumerate() {
        let is_written = |m: &&P::Move| table.position().coordinates(**m).as_bytes() == word.as_bytes();
        let number = index + 1;
        let illegal = || Unwritable::Ply { game: entry.game, ply: word.into(), number };
        let m = *table.plies().iter().find(is_written).ok_or_else(illegal)?;
        walk.positions += 1;
        walk.choices += table.plies().len() as u64;
        table.play(m);
    }
    compare(entry, table.end(), Outcome::Draw)?;
    Ok(walk)
}
