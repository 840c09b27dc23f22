//! The sheets of a game of Mega-Chess as one record.

use super::{
    BoardSheet, SoFar,
    entries::{Entries, Entry, What},
};
use crate::{Count, Item, Origin, Problem, Tagged as _};
use overboard_formats::{lex::Prose, parse::Open, record::Node};
use std::{cmp::Reverse, collections::BinaryHeap, iter::Peekable};

/// Where an entry stands among those of the other sheets: after a ply the turns end that end with it, the innermost first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    ordinal: u64,
    ends_turn: bool,
    depth: Reverse<usize>,
    /// The number of the sheet.
    sheet: usize,
}

/// The sheets of a game as one record.
pub struct Merged<'p> {
    sheets: Vec<Entries<'p>>,
    /// The places of the next entries of all sheets.
    next: BinaryHeap<Reverse<Place>>,
    /// The number of the turn of the whole game.
    count: Count,
    /// Whether a turn is open, and the way to the innermost board whose own is.
    is_open: bool,
    open: Vec<String>,
    given: std::vec::IntoIter<Item>,
    /// How many more entries are taken.
    pub left: usize,
    /// What is written for a ply that is on no sheet, and the ordinals of those to come.
    pub unseen: Option<(String, Peekable<std::slice::Iter<'p, u64>>)>,
    wrong: Option<Problem>,
}

impl<'p> Merged<'p> {
    /// Of these sheets, the outermost first, without some.
    pub fn without(sheets: &'p [BoardSheet], is_left_out: impl Fn(&BoardSheet) -> bool) -> Self {
        let mut merged = Self {
            sheets: sheets.iter().map(Entries::supplied).collect(),
            next: BinaryHeap::new(),
            count: Count::from(sheets[0].kept.tag("FEN")),
            is_open: false,
            open: Vec::new(),
            given: Vec::new().into_iter(),
            left: usize::MAX,
            unseen: None,
            wrong: None,
        };
        for (nth, sheet) in sheets.iter().enumerate() {
            if !is_left_out(sheet) {
                merged.queue(nth);
            }
        }
        merged.given = merged.sheets[0].take_lead().into_iter();
        merged
    }

    /// Gives the next entry of a sheet its place among the others.
    fn queue(&mut self, nth: usize) {
        let sheet = &mut self.sheets[nth];
        if let Some(entry) = sheet.fill() {
            let place = Place {
                ordinal: entry.ordinal,
                ends_turn: matches!(entry.what, What::Turn(_)),
                depth: Reverse(entry.on.len()),
                sheet: nth,
            };
            self.next.push(Reverse(place));
        }
        self.wrong = self.wrong.take().or_else(|| sheet.wrong.clone());
    }

    /// The next entry, which is not taken yet.
    pub fn peek(&self) -> Option<&Entry> {
        let Reverse(place) = self.next.peek()?;
        self.sheets[place.sheet].read.as_ref()
    }

    /// What is known where the order ends after so many entries. Plies without ordinals are missing among the others, so
    /// they are named first.
    pub fn stopped(self, entries: usize, misplaced: Option<Problem>) -> Option<SoFar> {
        let stop = |sheet: &Entries<'_>| {
            let wrong = sheet.wrong.as_ref().map(|problem| problem.origin);
            sheet.read.as_ref().map(|entry| entry.origin).or(wrong)
        };
        let stops = self.sheets.iter().map(stop).collect();
        let problem = self.wrong.or(misplaced)?;
        Some(SoFar {
            entries,
            problem,
            number: self.count.dots(),
            stops,
        })
    }

    /// Closes the turns that are open.
    fn close_turns(&mut self) -> Vec<Item> {
        let inside = std::mem::take(&mut self.open).len();
        let open = inside + usize::from(std::mem::take(&mut self.is_open));
        vec![(Node::BlockClose(Open::Turn), Origin::NOWHERE); open]
    }

    /// The next entry.
    pub fn next_entry(&mut self) -> Option<Entry> {
        let Reverse(place) = self.next.pop()?;
        let entry = self.sheets[place.sheet].read.take()?;
        self.queue(place.sheet);
        Some(entry)
    }

    /// What is written for the next ply that is on no sheet, if it comes before the next entry. A turn begins with another one, and
    /// ends with an entry that has the ordinal of its last ply. In a turn of a board inside another it does not stand.
    fn next_unseen(&mut self) -> Option<Vec<Item>> {
        if !self.is_open || !self.open.is_empty() {
            return None;
        }
        let next = self.peek().map_or(u64::MAX, |entry| entry.ordinal);
        let (mark, ordinals) = self.unseen.as_mut()?;
        ordinals.next_if(|ordinal| **ordinal <= next)?;
        let mark = Node::Prose(Prose::Brace, mark.clone());
        Some(vec![(mark, Origin::NOWHERE)])
    }

    /// The nodes of an entry, with the brackets around it.
    pub fn write(&mut self, entry: Entry) -> Vec<Item> {
        let Entry {
            what,
            on,
            origin,
            after,
            ..
        } = entry;
        let mut nodes = Vec::new();
        let mut put = |node: Node| nodes.push((node, origin));
        match what {
            What::Ply(ply) => {
                let Some((last, around)) = on.split_last() else {
                    put(Node::Number(self.count.dots()));
                    put(ply);
                    self.count.advance();
                    nodes.extend(after);
                    return nodes;
                };
                if !std::mem::replace(&mut self.is_open, true) {
                    put(Node::Number(self.count.dots()));
                    put(Node::TurnOpen);
                }
                let pairs = self.open.iter().zip(around);
                let common = pairs.take_while(|(open, address)| open == address).count();
                self.open.truncate(common);
                for address in &around[common..] {
                    put(Node::Address(address.clone()));
                    put(Node::TurnOpen);
                    self.open.push(address.clone());
                }
                put(Node::Address(last.clone()));
                put(ply);
            }
            What::Turn(sign) => {
                if self.is_open {
                    put(Node::BlockClose(Open::Turn));
                }
                if !sign.is_empty() {
                    put(Node::Suffix(sign));
                }
                if self.open.pop().is_none() {
                    self.is_open = false;
                    self.count.advance();
                }
            }
        }
        nodes.extend(after);
        nodes
    }
}

impl Iterator for Merged<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.given.next() {
                return Some(item);
            }
            if self.left == 0 {
                self.given = self.close_turns().into_iter();
                return self.given.next();
            }
            if let Some(unseen) = self.next_unseen() {
                self.given = unseen.into_iter();
                continue;
            }
            self.left -= 1;
            let entry = self.next_entry()?;
            self.given = self.write(entry).into_iter();
        }
    }
}
