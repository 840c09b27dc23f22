//! Puts sub-games into the games that they belong to.

use super::{
    SheetBundle,
    ordinals::ordinals,
    parents::ParentPlace,
    plies::{PlyPlace, visit},
};
use crate::{
    Item, Items, Origin, Problem, Tagged as _,
    packed::{Packed, What},
    stripped,
    tags::{self, Kept, Supplied},
};
use overboard_formats::{lex::Prose, parse::Open, record::Node};
use std::collections::BTreeMap;

/// The sheets of a game and of the games within it.
pub struct Games {
    /// Outer ones before inner ones.
    sheets: Vec<GameSheet>,
    common: tags::Common,
}

/// A sheet, and what is inserted in it.
struct GameSheet {
    kept: Packed,
    /// The square on which it is played, within another one.
    square: String,
    /// Sheets, each with the node after which it is inserted; in the order of these.
    within: Vec<(usize, usize)>,
}

impl Games {
    /// The sheets of a family, taken out of the bundle.
    pub fn of(bundle: &mut SheetBundle, family: &[usize]) -> Self {
        let places = family.iter().enumerate();
        let index: BTreeMap<_, _> = places.map(|(nth, at)| (*at, nth)).collect();
        let common = tags::Common::of(&bundle.sheets[family[0]].kept);
        let mut sheets = Vec::new();
        // Those within a sheet come after it, so they are still in the bundle.
        for at in family {
            let marks = bundle.marks(*at).into_iter();
            let within = marks.map(|(mark, child)| (mark, index[&child])).collect();
            let member = &mut bundle.sheets[*at];
            let square = match &member.place {
                ParentPlace::Behind(_, square) => square.clone(),
                _ => String::new(),
            };
            sheets.push(GameSheet {
                kept: std::mem::take(&mut member.kept),
                square,
                within,
            });
        }
        Self { sheets, common }
    }

    /// The outermost sheet.
    pub fn root(&self) -> &Packed {
        &self.sheets[0].kept
    }

    /// The record.
    pub fn items(&self) -> Items<'_> {
        Box::new(Merged {
            games: self,
            open: vec![OpenGame::of(self, 0)],
        })
    }

    /// What is left out of the record.
    pub fn notes(&self) -> Vec<Problem> {
        let mut notes = Vec::new();
        for sheet in self.sheets.iter().rev() {
            for (_, nth) in &sheet.within {
                self.note_left_out(*nth, &mut notes);
            }
        }
        notes
    }

    /// Notes the tags of a sub-game that are left out.
    fn note_left_out(&self, nth: usize, notes: &mut Vec<Problem>) {
        let supplied = self.supplied(nth);
        let left_out = |name: &str, value: &str| supplied.keeps(name, value) == Kept::Homeless;
        for (name, value, origin) in self.sheets[nth].kept.tags_that(left_out) {
            let what =
                format!("the tag {name} \"{value}\" has no place in a sub-game and is left out");
            notes.push(Problem::at("note", what, origin));
        }
    }

    /// The tags that the sheet of a sub-game was given.
    fn supplied(&self, nth: usize) -> Supplied {
        let sheet = &self.sheets[nth];
        let path = sheet.kept.tag("Parent").unwrap_or_default();
        let steps: Vec<_> = path.split('/').skip(1).collect();
        let mut last = (0, None);
        for (at, (part, _)) in sheet.kept.parts().enumerate() {
            match part.what() {
                What::Prose(_) => {}
                What::Result => last = (at, Some(part.to_node())),
                _ => last = (at, None),
            }
        }
        // A sub-game may follow the result.
        let is_last = sheet.within.last().is_none_or(|(mark, _)| *mark < last.0);
        let result = if is_last { last.1.as_ref() } else { None };
        let common = self.common.of_sub_game(&steps, tags::last_result(result));
        Supplied::to(&sheet.kept, common)
    }
}

/// A game of which items are given out.
struct OpenGame<'p> {
    nth: usize,
    items: Items<'p>,
    /// Items of its sheet that were given out or left out.
    taken: usize,
    /// How many of them are its tags and what stands among those, and what becomes of these.
    head: usize,
    supplied: Option<Supplied>,
    /// How many sub-games were inserted.
    inserted: usize,
    /// Whether it says that it was begun, or how it ended.
    is_said: bool,
    /// Where the last item of its sheet stands.
    last: Origin,
}

impl<'p> OpenGame<'p> {
    fn of(games: &'p Games, nth: usize) -> Self {
        let kept = &games.sheets[nth].kept;
        let supplied = if nth > 0 {
            Some(games.supplied(nth))
        } else {
            None
        };
        let (items, head) = (Box::new(kept.items()), kept.head_length());
        Self {
            nth,
            items,
            taken: 0,
            head,
            supplied,
            inserted: 0,
            is_said: nth == 0,
            last: kept.origin(),
        }
    }

    /// Whether an item just taken is left out of the record.
    fn leaves_out(&self, node: &Node) -> bool {
        if self.taken > self.head {
            return false;
        }
        let Some(supplied) = &self.supplied else {
            return false;
        };
        matches!(node, Node::Tag(name, value) if supplied.keeps(name, value) != Kept::Stays)
    }
}

/// The items of games within games.
struct Merged<'p> {
    games: &'p Games,
    /// The games that are open, the innermost last.
    open: Vec<OpenGame<'p>>,
}

impl Iterator for Merged<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let top = self.open.last_mut()?;
            let within = self.games.sheets[top.nth].within.get(top.inserted);
            if let Some((mark, child)) = within
                && *mark < top.taken
            {
                top.inserted += 1;
                top.is_said = true;
                let sheet = &self.games.sheets[*child];
                self.open.push(OpenGame::of(self.games, *child));
                return Some((Node::SubgameOpen(sheet.square.clone()), sheet.kept.origin()));
            }
            if let Some((node, origin)) = top.items.next() {
                top.taken += 1;
                if top.leaves_out(&node) {
                    continue;
                }
                top.is_said |= tags::says_something(&node);
                top.last = origin;
                return Some((node, origin));
            }
            if !std::mem::replace(&mut top.is_said, true) {
                // An empty block is not valid, so the sheet of a game that was not begun gets its result.
                return Some((
                    Node::Result("*".into()),
                    self.games.sheets[top.nth].kept.origin(),
                ));
            }
            // What is missing at its end is missing on its own sheet.
            let last = self.open.pop()?.last;
            if self.open.is_empty() {
                return None;
            }
            return Some((Node::BlockClose(Open::Subgame), last));
        }
    }
}

impl SheetBundle {
    /// The node of a sheet after which each sub-game of it is put: several after one ply in the order of their ordinals,
    /// then of input.
    fn marks(&self, at: usize) -> Vec<(usize, usize)> {
        let mut after: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for child in &self.sheets[at].children {
            if let ParentPlace::Behind(ply, _) = &self.sheets[*child].place {
                after.entry(*ply).or_default().push(*child);
            }
        }
        let mut marks = Vec::new();
        if after.is_empty() {
            return marks;
        }
        let mut ply = 0;
        visit(&self.sheets[at].kept, |place: &PlyPlace| {
            let mut children = after.remove(&ply).unwrap_or_default();
            children.sort_by_cached_key(|child| (begun(&self.sheets[*child].kept), *child));
            for (nth, child) in children.into_iter().enumerate() {
                let mark = place
                    .marks
                    .get(nth)
                    .or(place.marks.last())
                    .copied()
                    .unwrap_or(place.end);
                marks.push((mark, child));
            }
            ply += 1;
        });
        // Several after one node stay in their order.
        marks.sort_by_key(|(mark, _)| *mark);
        marks
    }
}

/// When a sheet was begun: the first ordinal on it, and whether that is of the ply before it, because it holds
/// a result only.
fn begun(sheet: &Packed) -> (u64, bool) {
    let mut plies = 0;
    visit(sheet, |_| plies += 1);
    (first_ordinal(sheet).unwrap_or(u64::MAX), plies == 1)
}

fn first_ordinal(sheet: &Packed) -> Option<u64> {
    let mut comments = sheet
        .parts()
        .filter(|(part, _)| part.what() == What::Prose(Prose::Brace));
    comments.find_map(|(part, _)| ordinals(&stripped(part.text()).0).next())
}
