//! At level 2 and more: the one board of which too little is on sheets. One of those inside it has none, or ordinals there are
//! missing or wrong.
//!
//! A turn of the match has one turn of each of its boards at most, and the plies of that follow each other. So the plies that are
//! not on the sheets of other boards tell whose they are: of one board only they are together in every turn.

use super::{
    BoardSheet, SoFar, Turns,
    entries::{Entries, Supply},
    supplied::{Sheeted, ends_of_turns},
    unseen::{boards_of, first},
};
use crate::Origin;
use std::collections::HashMap;

/// A board of which it is only known in which turns it was played on.
pub struct LostBoard {
    /// Where it stood at the start: `B2`.
    pub home: String,
    /// The ordinal of its first ply in each of these turns.
    pub ordinals: Vec<u64>,
}

impl LostBoard {
    /// Whether a sheet is its own, or of a board inside it.
    pub(super) fn has(&self, sheet: &BoardSheet) -> bool {
        sheet.path.first() == Some(&self.home)
    }
}

/// How many plies a match has at most for each that is on the sheets of the other boards. It keeps the work linear where an ordinal
/// is a slip; in a turn of level 2 a board has eight of 64 plies.
const MOST_FOR_EACH: u64 = 64;

/// The sheets of a game without those of one board: who made each ply, and where turns end.
struct Others<'s> {
    /// The board, as it stood at the start, by the ordinal of the ply; the outermost one has no name.
    of: HashMap<u64, &'s str>,
    ends: Vec<u64>,
}

impl<'s> Others<'s> {
    /// `None` if something is wrong on these sheets, too.
    fn than(home: &str, sheets: &'s [BoardSheet], read: &[Option<Vec<Sheeted>>]) -> Option<Self> {
        let (mut of, mut last) = (HashMap::new(), 0);
        for (sheet, read) in sheets.iter().zip(read) {
            let own = sheet.path.first().map_or("", String::as_str);
            if own == home {
                continue;
            }
            for entry in read.as_ref()? {
                let ordinal = entry.ordinal?;
                last = last.max(ordinal);
                if !entry.ends_turn && of.insert(ordinal, own).is_some() {
                    return None;
                }
            }
        }
        // A wrong ordinal may be any number.
        if last > of.len() as u64 * MOST_FOR_EACH {
            return None;
        }
        let root = read.first()?.as_ref()?;
        let ends = ends_of_turns(root, last)?;
        Some(Self { of, ends })
    }

    /// The first ordinal in each turn that none of these sheets has; `None` if those of a turn are not together, or are all
    /// there are in it.
    fn missing(&self) -> Option<Vec<u64>> {
        let (mut missing, mut from) = (Vec::new(), 1);
        for end in &self.ends {
            let mut free = (from..=*end).filter(|ordinal| !self.of.contains_key(ordinal));
            if let Some(first) = free.next() {
                let last = free.last().unwrap_or(first);
                let are_together = (first..=last).all(|ordinal| !self.of.contains_key(&ordinal));
                let whose = |ordinal: u64| {
                    let is_of_turn = (from..=*end).contains(&ordinal);
                    if is_of_turn {
                        self.of.get(&ordinal)
                    } else {
                        None
                    }
                };
                let (before, after) = (whose(first - 1), whose(last + 1));
                let is_inside_another = before.is_some() && before == after;
                let is_all = before.is_none() && after.is_none();
                if !are_together || is_inside_another || is_all {
                    return None;
                }
                missing.push(first);
            }
            from = end + 1;
        }
        Some(missing)
    }
}

impl Turns {
    /// The board that is lost, if there can be only one.
    pub fn lost_board(&self) -> Option<LostBoard> {
        let is_deeper = self.sheets.iter().any(|sheet| sheet.path.len() > 1);
        if !is_deeper || !self.is_marked() {
            return None;
        }
        let surveyed = |sheet| Entries::of(sheet, Supply::Sought).survey(sheet);
        let read: Vec<_> = self.sheets.iter().map(surveyed).collect();
        let mut lost = None;
        let root = self.root();
        let head: Vec<_> = root.items().take(root.head_length()).collect();
        for home in boards_of(&first(&head)?) {
            let Some(others) = Others::than(&home, &self.sheets, &read) else {
                continue;
            };
            let Some(ordinals) = others.missing().filter(|missing| !missing.is_empty()) else {
                continue;
            };
            if lost.replace(LostBoard { home, ordinals }).is_some() {
                return None;
            }
        }
        lost
    }

    /// How far the match goes without that board, whose sheets stop where they begin.
    pub fn without(&self, lost: &LostBoard, so_far: &SoFar) -> SoFar {
        let begins = |sheet: &BoardSheet| -> Option<Origin> {
            let mut entries = Entries::of(sheet, Supply::Sought);
            let first = entries.fill().map(|entry| entry.origin);
            first.or(entries.wrong.map(|problem| problem.origin))
        };
        let stop = |sheet: &BoardSheet| lost.has(sheet).then(|| begins(sheet)).flatten();
        SoFar {
            stops: self.sheets.iter().map(stop).collect(),
            problem: so_far.problem.clone(),
            number: so_far.number.clone(),
            ..*so_far
        }
    }
}
