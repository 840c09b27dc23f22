//! A game of a ledger played over again, to see how many plies there were to choose from.

use crate::{
    contest::Flat,
    journal::Entry,
    manifest::Manifest,
    records::{Unwritable, linked_start, nested_start, plies},
};
use overboard_formats::{any::AnyPosition, coordinates::overs::Deed, linked, registry::Game};
use overboard_rules::{
    chess::Chess,
    metachess::Meta,
    olympic::Olympic,
    overchess::{Ply, deep::DeepPly},
    strategichess::Strategi,
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
/// A game that is not legal.
pub fn walk(entry: &Entry<'_>, manifest: &Manifest) -> Result<Option<Walk>, Unwritable> {
    let Ok(game) = manifest.game() else { return Ok(None) };
    match game {
        Game::Chess => flat::<Chess>(entry).map(Some),
        Game::Olympic => flat::<Olympic>(entry).map(Some),
        Game::Strategi if manifest.boards > 1 => boards(entry, manifest).map(Some),
        Game::Strategi => flat::<Strategi>(entry).map(Some),
        Game::Meta => flat::<Meta>(entry).map(Some),
        Game::Mega | Game::Over => nested(game, entry, manifest),
    }
}

/// Linked boards: whoever is to move has all boards of the team to choose from.
fn boards(entry: &Entry<'_>, manifest: &Manifest) -> Result<Walk, Unwritable> {
    let mut position = linked_start(entry, manifest)?;
    let mut walk = Walk::default();
    for (index, word) in entry.moves.split_ascii_whitespace().enumerate() {
        for board in 0..position.boards() {
            position.for_each_legal(board, |_| walk.choices += 1);
        }
        let number = index + 1;
        let illegal = || Unwritable::Ply { game: entry.game, ply: word.into(), number };
        position.play(linked::at(&position, word).ok_or_else(illegal)?);
        walk.positions += 1;
    }
    walk.kings = Some(linked::score(&position));
    Ok(walk)
}

/// Nested boards: every ply that any of them allows.
fn nested(game: Game, entry: &Entry<'_>, manifest: &Manifest) -> Result<Option<Walk>, Unwritable> {
    let mut position = nested_start(game, manifest)?;
    if let Some(fen) = &entry.fen {
        position = position.read(fen).map_err(|_| Unwritable::Start(entry.game))?.0;
    }
    let mut walk = Some(Walk::default());
    for (index, ply) in plies(game, &entry.moves).enumerate() {
        walk = walk.and_then(|walk| walk.past(&position));
        let illegal = || Unwritable::Ply { game: entry.game, ply: ply.clone(), number: index + 1 };
        match &mut position {
            AnyPosition::Over(over) => Deed::<Ply>::read(over, &ply).ok_or_else(illegal)?.make(over),
            AnyPosition::Deep(deep) => Deed::<DeepPly>::read(deep, &ply).ok_or_else(illegal)?.make(deep),
            AnyPosition::Chess(_)
            | AnyPosition::Olympic(_)
            | AnyPosition::Strategi(_)
            | AnyPosition::Meta(_)
            | AnyPosition::Linked(_)
            | AnyPosition::Mega(_) => position = position.played(&ply).ok_or_else(illegal)?.1,
        }
    }
    Ok(walk)
}

impl Walk {
    /// With a position more; `None` where there is too much to be counted.
    #[must_use]
    pub fn past(self, position: &AnyPosition) -> Option<Self> {
        let choices = self.choices.checked_add(position.choices()?)?;
        Some(Self { positions: self.positions + 1, choices, ..self })
    }
}

fn flat<P: Flat>(entry: &Entry<'_>) -> Result<Walk, Unwritable> {
    let mut position = match &entry.fen {
        Some(fen) => P::read(fen).map_err(|_| Unwritable::Start(entry.game))?.0,
        None => P::default(),
    };
    let mut walk = Walk::default();
    for (index, word) in entry.moves.split_ascii_whitespace().enumerate() {
        let (mut choices, mut found) = (0, None);
        position.for_each_legal(|m| {
            choices += 1;
            if position.coordinates(m).as_bytes() == word.as_bytes() {
                found = Some(m);
            }
        });
        let number = index + 1;
        let illegal = || Unwritable::Ply { game: entry.game, ply: word.into(), number };
        position.play(found.ok_or_else(illegal)?);
        walk.positions += 1;
        walk.choices += choices;
    }
    Ok(walk)
}
