//! Merges the sheets of the boards of Mega-Chess into one record, by the ordinals that the plies on them have.

use super::{is_of_turns, ordinals::misplaced, under_way};
use crate::{Count, Item, Items, Origin, Problem, Tagged as _, packed::Packed, without};
use entries::{Entries, What};
use lost::LostBoard;
use merged::Merged;
use overboard_formats::{lex::Prose, record::Node};
use overboard_rules::square::Side;
use std::collections::HashSet;
use supplied::{Sheeted, doubled, doubtful, supplied};
use unseen::{Unseen, boards_without, missing};

mod entries;
pub mod lost;
mod merged;
mod supplied;
pub mod unseen;

/// The commands that say where a ply stands in the game, and on which board.
const MARKS: [&str; 3] = ["seq", "turn", "on"];

/// The sheets of a game, the outermost first.
pub struct Turns {
    sheets: Vec<BoardSheet>,
}

/// A sheet, the way to its board at the start, and the ordinals of the plies that lack them, as far as the others say them.
struct BoardSheet {
    kept: Packed,
    path: Vec<String>,
    supplied: Vec<u64>,
    /// Where the plies among these stand that have ordinals, but wrong ones.
    doubtful: HashSet<u64>,
}

/// Whether a record says by ordinals that it is the sheet of a game whose boards have others.
pub fn is_marked(sheet: &Packed) -> bool {
    let is_mark = |text: &str| !without(text, &["seq", "turn"]).0.is_empty();
    sheet
        .items()
        .any(|(node, _)| matches!(&node, Node::Prose(Prose::Brace, text) if is_mark(text)))
}

/// How far the ordinals put the sheets of a game in an order.
pub struct SoFar {
    /// How many plies and ends of turns there are before the first that has no ordinal, or the wrong one.
    entries: usize,
    /// What is wrong there.
    pub problem: Problem,
    /// The number of the turn in which that is.
    pub number: String,
    /// Where each sheet has its first ply, draw or end of a turn that is in no order, if it has one.
    pub stops: Vec<Option<Origin>>,
}

impl Turns {
    /// The sheets of a family, each with the squares that lead to its board.
    pub fn of(sheets: Vec<(Packed, Vec<String>)>) -> Self {
        let sheets = sheets
            .into_iter()
            .map(|(kept, path)| BoardSheet {
                kept,
                path,
                supplied: Vec::new(),
                doubtful: HashSet::new(),
            })
            .collect();
        let mut turns = Self { sheets };
        turns.supply();
        turns
    }

    /// Supplies ordinals that are missing, if all of them follow from the others. Returns whether none is missing then.
    fn supply(&mut self) -> bool {
        // On a board with boards inside, its own turns would have to be kept together.
        let is_deeper = self.sheets.iter().any(|sheet| sheet.path.len() > 1);
        if is_deeper || !self.is_marked() {
            return false;
        }
        let Some(read) = self.survey() else {
            return false;
        };
        let is_missing = |entry: &Sheeted| entry.ordinal.is_none();
        if !read.iter().flatten().any(is_missing) {
            return true;
        }
        let Some(supplied) = supplied(&read, self.first_side()) else {
            return false;
        };
        for (sheet, supplied) in self.sheets.iter_mut().zip(supplied) {
            sheet.supplied = supplied;
        }
        true
    }

    /// Takes plies whose ordinals cannot be right as if they had none, if then all of them follow from the others. Returns
    /// what is wrong with each, and changes nothing where that is not known.
    pub fn correct(&mut self) -> Vec<Problem> {
        let Some(written) = self.survey() else {
            return Vec::new();
        };
        let doubtful = doubtful(&written, self.first_side()).unwrap_or_default();
        if doubtful.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        for (sheet, doubtful) in self.sheets.iter_mut().zip(doubtful) {
            let places = doubtful.iter().map(|origin| origin.place.span.from);
            sheet.doubtful = places.collect();
        }
        if !self.supply() {
            for sheet in &mut self.sheets {
                sheet.doubtful.clear();
            }
            return Vec::new();
        }
        let doubled = doubled(&written);
        let right = self.survey_supplied();
        let pairs = written.iter().flatten().zip(right.iter().flatten());
        let mut wrong = Vec::new();
        for (entry, right) in pairs {
            if let (Some(said), Some(taken)) = (entry.ordinal, right.ordinal)
                && said != taken
            {
                let is_doubled = doubled.contains(&said);
                wrong.push(wrong_ordinal(said, taken, is_doubled, entry.origin));
            }
        }
        wrong
    }

    /// The side that makes the first turn.
    fn first_side(&self) -> Side {
        Count::from(self.root().tag("FEN")).side
    }

    /// What the sheets say of the order of their plies; `None` if one cannot be read to its end.
    fn survey(&self) -> Option<Vec<Vec<Sheeted>>> {
        self.sheets.iter().map(BoardSheet::survey).collect()
    }

    /// The same with the ordinals that were supplied, of each sheet as far as it can be read.
    fn survey_supplied(&self) -> Vec<Vec<Sheeted>> {
        let surveyed = |sheet: &BoardSheet| Entries::supplied(sheet).read_on(sheet);
        self.sheets.iter().map(surveyed).collect()
    }

    /// The plies of the boards that have no sheet, if nothing else is missing and everything else fits.
    pub fn unseen(&self) -> Option<Unseen> {
        let mut homes = Vec::new();
        for sheet in &self.sheets[1..] {
            let [home] = &sheet.path[..] else {
                return None;
            };
            homes.push(home.as_str());
        }
        let (homes, game) = boards_without(self.root(), &homes)?;
        let read = self.survey()?;
        let ordinals = missing(&read, game.turn(), homes.len())?;
        if ordinals.is_empty() {
            return None;
        }
        Some(Unseen { homes, ordinals })
    }

    /// The outermost sheet.
    pub fn root(&self) -> &Packed {
        &self.sheets[0].kept
    }

    /// How far the plies are in order; `None` if all are.
    pub fn so_far(&self) -> Option<SoFar> {
        let doubled = doubled(&self.survey_supplied());
        let mut merged = self.merged();
        let (mut entries, mut plies) = (0, 0);
        while let Some(entry) = merged.peek() {
            let is_ply = matches!(entry.what, What::Ply(_));
            let right = plies + u64::from(is_ply);
            // Either may be the one that is wrong.
            if is_ply && doubled.contains(&entry.ordinal) {
                let said = entry.ordinal;
                let message = format!("two plies say that they are number {said} of the game");
                let problem = Problem::at("unfit", message, entry.origin);
                return merged.stopped(entries, Some(problem));
            }
            if entry.ordinal != right {
                let problem = misplaced(entry.ordinal, right, entry.origin);
                return merged.stopped(entries, Some(problem));
            }
            plies = right;
            entries += 1;
            // It also keeps the number of the turn.
            if let Some(entry) = merged.next_entry() {
                merged.write(entry);
            }
        }
        merged.stopped(entries, None)
    }

    /// The record.
    pub fn items(&self) -> Items<'_> {
        self.around(self.merged())
    }

    /// The head and the result of the outermost sheet around these plies.
    fn around<'s>(&'s self, merged: Merged<'s>) -> Items<'s> {
        let root = self.root();
        let end = root
            .items()
            .filter(|(node, _)| matches!(node, Node::Result(_)));
        Box::new(root.head().chain(merged).chain(end))
    }

    /// The record with the plies that are on no sheet.
    pub fn items_with<'s>(&'s self, unseen: &'s Unseen) -> Items<'s> {
        let mut merged = self.merged();
        merged.unseen = Some((
            unseen::mark(&unseen.homes),
            unseen.ordinals.iter().peekable(),
        ));
        self.around(merged)
    }

    /// The record without what stands on the sheets of a board that is lost.
    pub fn items_without<'s>(&'s self, lost: &'s LostBoard) -> Items<'s> {
        let mut merged = Merged::without(&self.sheets, |sheet| lost.has(sheet));
        merged.unseen = Some((
            unseen::mark(std::slice::from_ref(&lost.home)),
            lost.ordinals.iter().peekable(),
        ));
        self.around(merged)
    }

    /// The record as far as its plies are in order. What its end decides is left out.
    pub fn items_so_far(&self, so_far: &SoFar) -> Items<'_> {
        let root = self.root();
        let mut merged = self.merged();
        merged.left = so_far.entries;
        under_way(root, root.head(), merged)
    }

    /// Whether a sheet is that of a board with boards inside, or the outermost one.
    pub fn has_boards_inside(&self, sheet: usize) -> bool {
        is_of_turns(&self.sheets[sheet].kept)
    }

    /// Whether any ply has an ordinal.
    pub fn is_marked(&self) -> bool {
        self.sheets.iter().any(|sheet| is_marked(&sheet.kept))
    }

    /// The number of the ply that stands at a place of a sheet.
    pub fn number_at(&self, sheet: usize, origin: Origin) -> String {
        let kept = &self.sheets[sheet].kept;
        let is_before = |(_, there): &Item| there.place.span.from <= origin.place.span.from;
        let mut number = Count::from(kept.tag("FEN")).dots();
        for (node, _) in kept.items().take_while(is_before) {
            if let Node::Number(text) = node {
                number = text;
            }
        }
        number
    }

    /// Whether a turn of board moves stands on the outermost sheet itself, as in a record that was never split.
    pub fn is_whole(&self) -> bool {
        let mut items = self.root().items();
        items.any(|(node, _)| matches!(node, Node::TurnOpen))
    }

    fn merged(&self) -> Merged<'_> {
        Merged::without(&self.sheets, |_| false)
    }
}

/// The problem of a ply whose ordinal is that of another one, or of another turn.
fn wrong_ordinal(said: u64, taken: u64, is_doubled: bool, origin: Origin) -> Problem {
    let why = if is_doubled {
        "and so does another one"
    } else {
        "which does not fit the other sheets"
    };
    let message = format!(
        "this ply says that it is number {said} of the game, {why}: it is taken as number {taken}, which is on no sheet"
    );
    Problem::at("unfit", message, origin)
}
