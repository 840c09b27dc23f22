//! The plies of boards that have no sheet: the ordinals that are on none.
//!
//! Ordinals can be wrong, too. So they are taken for those of these boards only where everything fits: each other ordinal has one
//! ply, each ply stands in a turn of its side, and no more ordinals are missing in a turn than there are such boards.

use super::supplied::{Sheeted, Turns, ends_of_turns};
use crate::{packed::Packed, text::rendered};
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::{
    mega::Mega,
    referee::replay::{Moment, Replay},
    registry::AnyGame,
};
use overboard_referee::Options;
use overboard_rules::{
    path::{MegaSquare, squares},
    square::Side,
};

/// The most boards without a sheet on which plies are sought. Each of them adds to what such a ply may have been, and the referee
/// follows 64 readings.
const MOST: usize = 8;

/// Boards without a sheet, and the ordinals of the plies that were made there.
pub struct Unseen {
    /// Where they stood at the start: `B2`.
    pub homes: Vec<String>,
    pub ordinals: Vec<u64>,
}

/// What stands in the record for a ply on one of these boards.
pub fn mark(homes: &[String]) -> String {
    format!("[%unseen {}]", homes.join(" "))
}

/// The starting position of a game, by the tags of its outermost sheet.
pub fn first(head: &[crate::Item]) -> Option<Mega> {
    let record = format!("{}*\n", rendered(head));
    let parser = Parser::new(record.as_bytes(), 0, Limits::default());
    let mut replay = Replay::new(parser, Options::default());
    let Moment::Position(_) = replay.next_moment().ok()?? else {
        return None;
    };
    let AnyGame::Mega(mega) = replay.position()? else {
        return None;
    };
    Some(*mega)
}

/// The same from the sheet itself.
pub fn first_of(root: &Packed) -> Option<Mega> {
    first(&root.head().collect::<Vec<_>>())
}

/// The boards of a game that begins there, by where they stand.
pub fn boards_of(game: &Mega) -> impl Iterator<Item = String> {
    let in_play = squares().filter(|on| game.board(*on).is_some());
    in_play.map(|on| MegaSquare(on).to_string())
}

/// The boards of a game that have no sheet, unless they are many, and its starting position; `homes` have one.
pub fn boards_without(root: &Packed, homes: &[&str]) -> Option<(Vec<String>, Mega)> {
    let game = first_of(root)?;
    let without = boards_of(&game).filter(|name| !homes.contains(&name.as_str()));
    let without: Vec<_> = without.collect();
    if without.is_empty() || without.len() > MOST {
        return None;
    }
    Some((without, game))
}

/// The ordinals that no sheet has, the outermost sheet first among these; `None` if the sheets contradict each other, or
/// those that are missing cannot be of so many boards.
pub fn missing(sheets: &[Vec<Sheeted>], first: Side, boards_without: usize) -> Option<Vec<u64>> {
    let (root, boards) = sheets.split_first()?;
    let (mut known, mut last) = (Vec::new(), None);
    for entry in sheets.iter().flatten() {
        let ordinal = entry.ordinal?;
        last = last.max(Some(ordinal));
        if !entry.ends_turn {
            known.push(ordinal);
        }
    }
    let last = last?;
    let ends = ends_of_turns(root, last)?;
    // A wrong ordinal may be any number.
    let most = known.len() + boards_without * ends.len();
    if last > most as u64 {
        return None;
    }
    let turns = Turns::of(ends, first, known)?;
    let fits = |board: &Vec<Sheeted>| turns.has_each(board);
    if !boards.iter().all(fits) {
        return None;
    }
    turns.free_of(boards_without)
}
