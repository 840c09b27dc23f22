//! At level 2 and more: the one board of which too little is on sheets. One of those inside it has none, or ordinals there are
//! missing or wrong.
//!
//! A turn of the match has one turn of each of its boards at most, and the plies of that follow each other. So the plies that are
//! not on the sheets of other boards tell whose they are: of one board only they are together in every turn.

use super::{
    BoardSheet, SoFar, Turns,
    entries::{Entries, Supply},
    supplied::{Sheeted, ends_of_turns, plies_of},
    unseen::{boards_of, first_of},
};
use crate::Origin;
use std::{
    collections::{BTreeSet, HashMap, hash_map::Entry},
    ops::Range,
};

/// A board of which it is only known in which turns it was played on.
pub struct LostBoard {
    /// Where it stood at the start: `B2`.
    pub home: String,
    /// The ordinal of its first ply in each of these turns.
    pub ordinals: Vec<u64>,
    /// Whether its sheets have as many plies as are missing on the others, so that none of them is missing.
    pub is_whole: bool,
}

impl LostBoard {
    /// Whether a sheet is its own, or of a board inside it.
    pub(super) fn has(&self, sheet: &BoardSheet) -> bool {
        sheet.path.first() == Some(&self.home)
    }
}

/// How many plies a match has at most for each that is on its sheets: so the work stays linear where an ordinal is a slip. In a
/// turn of level 2 a board has eight of 64 plies.
const MOST_FOR_EACH: u64 = 8;

/// Of which board of the outermost game each ply is, by where that stood at the start. The outermost one itself has no name.
#[derive(Default)]
struct Owners<'s> {
    /// Two, where sheets of two boards have the same ordinal.
    of: HashMap<u64, (&'s str, Option<&'s str>)>,
    /// The boards on whose own sheets something is wrong.
    wrong: BTreeSet<&'s str>,
    /// The last ply of each board.
    latest: HashMap<&'s str, u64>,
}

impl<'s> Owners<'s> {
    /// Those of these sheets, the outermost first; `None` if no board alone can be at fault.
    fn of(sheets: &'s [BoardSheet], read: &[Option<Vec<Sheeted>>]) -> Option<Self> {
        let mut owners = Self::default();
        for (sheet, read) in sheets.iter().zip(read) {
            let own = sheet.path.first().map_or("", String::as_str);
            let Some(read) = read else {
                owners.wrong.insert(own);
                continue;
            };
            for entry in plies_of(read) {
                match entry.ordinal {
                    Some(ordinal) => owners.add(own, ordinal)?,
                    None => {
                        owners.wrong.insert(own);
                    }
                }
            }
        }
        Some(owners)
    }

    /// A board has a ply; `None` if two others have it already.
    fn add(&mut self, own: &'s str, ordinal: u64) -> Option<()> {
        let latest = self.latest.entry(own).or_default();
        *latest = ordinal.max(*latest);
        match self.of.entry(ordinal) {
            Entry::Vacant(free) => {
                free.insert((own, None));
            }
            Entry::Occupied(taken) if taken.get().0 == own => {
                self.wrong.insert(own);
            }
            Entry::Occupied(mut taken) => {
                let (_, second) = taken.get_mut();
                if second.replace(own).is_some() {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Which other board than this one has a ply; `Err` if two have it.
    fn other_than(&self, home: &str, ordinal: u64) -> Result<Option<&'s str>, ()> {
        let Some((first, second)) = self.of.get(&ordinal) else {
            return Ok(None);
        };
        match *second {
            None if *first == home => Ok(None),
            Some(second) if *first == home => Ok(Some(second)),
            Some(second) if second != home => Err(()),
            _ => Ok(Some(*first)),
        }
    }

    /// The last ordinal, if a board is left out.
    fn last_without(&self, home: &str, root: &[Sheeted]) -> Option<u64> {
        let mut last = root.iter().map(|entry| entry.ordinal).max().flatten();
        for (own, latest) in &self.latest {
            if *own != home {
                last = last.max(Some(*latest));
            }
        }
        last
    }

    /// Where turns end, if a board is left out; the last of them may be under way.
    fn ends_without(&self, home: &str, root: &[Sheeted]) -> Option<Vec<u64>> {
        let last = self.last_without(home, root)?;
        // A wrong ordinal may be any number.
        if last > self.of.len() as u64 * MOST_FOR_EACH {
            return None;
        }
        ends_of_turns(root, last)
    }

    /// The ordinals of each turn that no other board has; `None` if something is wrong with another one, or if those of a turn
    /// are not together or are all there are in it.
    fn missing_without(&self, home: &str, root: &[Sheeted]) -> Option<Vec<Range<u64>>> {
        if self.wrong.iter().any(|wrong| *wrong != home) {
            return None;
        }
        let (mut missing, mut from) = (Vec::new(), 1);
        for end in self.ends_without(home, root)? {
            let mut others = Vec::new();
            for ordinal in from..=end {
                others.push(self.other_than(home, ordinal).ok()?);
            }
            if let Some(first) = others.iter().position(Option::is_none) {
                let last = others.iter().rposition(Option::is_none)?;
                let are_together = others[first..=last].iter().all(Option::is_none);
                let (before, after) = (others[..first].last(), others.get(last + 1));
                let is_inside_another = before.is_some() && before == after;
                let is_all = before.is_none() && after.is_none();
                if !are_together || is_inside_another || is_all {
                    return None;
                }
                missing.push(from + first as u64..from + last as u64 + 1);
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
        let read: Vec<_> = self.sheets.iter().map(BoardSheet::survey).collect();
        let outermost = read.first()?.as_ref()?;
        let owners = Owners::of(&self.sheets, &read)?;
        let mut lost = None;
        for home in boards_of(&first_of(self.root())?) {
            let Some(missing) = owners.missing_without(&home, outermost) else {
                continue;
            };
            if missing.is_empty() {
                continue;
            }
            if lost.is_some() {
                return None;
            }
            let all: u64 = missing.iter().map(|run| run.end - run.start).sum();
            lost = Some(LostBoard {
                ordinals: missing.iter().map(|run| run.start).collect(),
                is_whole: self.plies_inside(&home, &read) >= all,
                home,
            });
        }
        lost
    }

    /// How many plies are on the sheets of a board and of those inside it, as far as these could be read.
    fn plies_inside(&self, home: &str, read: &[Option<Vec<Sheeted>>]) -> u64 {
        let mut plies = 0;
        for (sheet, read) in self.sheets.iter().zip(read) {
            if sheet.path.first().is_some_and(|own| own == home)
                && let Some(read) = read
            {
                plies += plies_of(read).count() as u64;
            }
        }
        plies
    }

    /// How far the match goes without that board, whose sheets stop where they begin.
    pub fn without(&self, lost: &LostBoard, so_far: &SoFar) -> SoFar {
        let stop = |sheet: &BoardSheet| {
            if lost.has(sheet) { begins(sheet) } else { None }
        };
        SoFar {
            stops: self.sheets.iter().map(stop).collect(),
            problem: so_far.problem.clone(),
            number: so_far.number.clone(),
            ..*so_far
        }
    }
}

/// Where a sheet has its first entry, or what is wrong before that.
fn begins(sheet: &BoardSheet) -> Option<Origin> {
    let mut entries = Entries::of(sheet, Supply::Sought);
    if let Some(entry) = entries.fill() {
        return Some(entry.origin);
    }
    Some(entries.wrong?.origin)
}
