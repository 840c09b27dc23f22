//! Puts sheets together into one record.

use super::{Item, Origin, Problem, Sheet, Tagged, packed::Packed, reconcile, stripped, tags, text};
use boards::together;
use overboard_formats::{
    lex::Prose,
    limits::Limits,
    parse::Open,
    record::{Node, Record},
};
use overboard_games::registry::Variant;
use parents::ParentPlace;
use plies::{Plies, PlyPlace, ply_places};
use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, HashMap},
};

mod boards;
mod ordinals;
mod parents;
mod plies;

pub(super) use ordinals::{Ordinals, cleaned};

/// Collects sheets, and bundles them once all are there.
pub struct SheetBundle {
    pub(super) sheets: Vec<Member>,
    limits: Limits,
    /// The sheets whose plies are in memory at the moment, and the number of those plies.
    known: RefCell<(Vec<usize>, usize)>,
}

/// A record made of sheets.
#[derive(Clone, Debug)]
pub struct Bundled {
    /// The record, in no particular layout.
    pub text: String,
    /// Its GameId.
    pub id: Option<String>,
    /// Where its outermost sheet begins.
    pub origin: Origin,
    /// How many sheets it is made of.
    pub sheets: usize,
    /// What did not keep it from being made.
    pub notes: Vec<Problem>,
}

/// All sheets of a game as one record.
pub(super) struct Whole {
    /// Its nodes.
    pub items: Vec<Item>,
    /// Its GameId.
    id: Option<String>,
    /// Where its outermost sheet begins.
    origin: Origin,
    /// How many sheets it is made of.
    sheets: usize,
    /// What did not keep it from being made.
    notes: Vec<Problem>,
    /// Whether it is one sheet, which has nothing but what is its own.
    is_alone: bool,
}

/// A sheet among the others.
pub(super) struct Member {
    /// The sheet, in packed form until its game is put together.
    pub kept: Packed,
    /// The same while it is.
    sheet: Sheet,
    /// Which record it is, as the caller counts them.
    pub file: usize,
    /// Other sheets of the same game, merged into this one.
    pub united: Vec<usize>,
    pub parent: Option<usize>,
    place: ParentPlace,
    children: Vec<usize>,
    /// How many sheets were merged in it.
    count: usize,
    /// Its plies, read when a sheet has to be put after one of them.
    plies: OnceCell<Plies>,
    notes: Vec<Problem>,
    problems: Vec<Problem>,
}

impl SheetBundle {
    /// A bundle without sheets.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self { sheets: Vec::new(), limits, known: RefCell::new((Vec::new(), 0)) }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// A record that cannot be read.
    pub fn add(&mut self, record: &Record, file: usize) -> Result<(), Problem> {
        self.sheets.push(Member {
            kept: Packed::of(&Sheet::of(record, file)?),
            sheet: Sheet { items: Vec::new() },
            file,
            united: Vec::new(),
            parent: None,
            place: ParentPlace::Nowhere,
            children: Vec::new(),
            count: 1,
            plies: OnceCell::new(),
            notes: Vec::new(),
            problems: Vec::new(),
        });
        Ok(())
    }

    /// The records made of the sheets, lazily, in the order of their outermost sheets; an error for each
    /// record that cannot be made and for each sheet that belongs to none.
    pub fn bundle(mut self) -> impl Iterator<Item = Result<Bundled, Vec<Problem>>> {
        let (roots, orphans) = self.families();
        let made = roots.into_iter().map(move |root| self.make(root));
        made.chain((!orphans.is_empty()).then_some(Err(orphans)))
    }

    /// Groups the sheets that belong together. Returns the outermost ones, and what is wrong with those that
    /// belong to none of them.
    pub(super) fn families(&mut self) -> (Vec<usize>, Vec<Problem>) {
        let mut by_id: HashMap<String, usize> = HashMap::new();
        let mut roots = Vec::new();
        let mut waiting = Vec::new();
        for at in 0..self.sheets.len() {
            let sheet = &self.sheets[at].kept;
            let id = sheet.tag("GameId").map(String::from);
            let is_root = sheet.tag("Parent").is_none();
            match id.as_ref().and_then(|id| by_id.get(id).copied()) {
                Some(known) if is_root && self.sheets[known].kept.tag("Parent").is_none() => {
                    self.unite(known, at);
                    continue;
                }
                None => {
                    if let Some(id) = id {
                        by_id.insert(id, at);
                    }
                }
                Some(_) => {}
            }
            if is_root { roots.push(at) } else { waiting.push(at) }
        }
        let orphans = self.attach(waiting, &by_id, &roots);
        (roots, orphans)
    }

    /// Merges two sheets of the same game.
    fn unite(&mut self, known: usize, other: usize) {
        let other_sheet = self.sheets[other].kept.take();
        let file = self.sheets[other].file;
        let member = &mut self.sheets[known];
        member.count += 1;
        member.united.push(file);
        let mut sheet = member.kept.take();
        match reconcile::merge(&mut sheet, other_sheet) {
            Ok(notes) => member.notes.extend(notes),
            Err(problem) => member.problems.push(problem),
        }
        member.kept = Packed::of(&sheet);
    }

    /// All sheets of a game, outer ones before inner ones.
    pub(super) fn family(&self, root: usize) -> Vec<usize> {
        let mut family = vec![root];
        let mut at = 0;
        while at < family.len() {
            family.extend(&self.sheets[family[at]].children);
            at += 1;
        }
        family
    }

    fn make(&mut self, root: usize) -> Result<Bundled, Vec<Problem>> {
        let whole = self.put_together(root);
        // Frees the memory of this one before the others are unpacked.
        for at in self.family(root) {
            self.sheets[at].sheet.items = Vec::new();
        }
        let Whole { items, id, origin, sheets, notes, is_alone } = whole?;
        if is_alone {
            return Ok(Bundled { text: text::rendered(&items).text, id, origin, sheets, notes });
        }
        let (mut items, ordinals) = cleaned(items);
        own_tags(&mut items);
        let rendered = text::rendered(&items);
        let fault = match ordinals {
            Ordinals::Wrong(problem) => Some(problem),
            Ordinals::All => None,
            Ordinals::Some => rendered.fault(self.limits),
        };
        match fault {
            Some(problem) => Err(vec![problem]),
            None => Ok(Bundled { text: rendered.text, id, origin, sheets, notes }),
        }
    }

    /// All sheets of a game as one record, with everything that sheets have besides.
    pub(super) fn put_together(&mut self, root: usize) -> Result<Whole, Vec<Problem>> {
        let family = self.family(root);
        let origin = self.sheets[root].kept.origin();
        let sheets = family.iter().map(|at| self.sheets[*at].count).sum();
        let problems: Vec<_> =
            family.iter().flat_map(|at| std::mem::take(&mut self.sheets[*at].problems)).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut notes: Vec<_> =
            family.iter().flat_map(|at| std::mem::take(&mut self.sheets[*at].notes)).collect();
        for at in &family {
            let member = &mut self.sheets[*at];
            member.sheet = member.kept.take();
        }
        let id = self.sheets[root].sheet.tag("GameId").map(String::from);
        let common = tags::Common::of(&self.sheets[root].sheet);
        let boards = boards_of(&self.sheets[root].sheet);
        let is_over =
            Variant::of(self.sheets[root].sheet.tag("Variant").map(str::as_bytes)) == Some(Variant::Over);
        let is_alone = id.is_none() || (family.len() == 1 && !is_over && boards.is_none());
        let items = match boards {
            _ if is_alone => std::mem::take(&mut self.sheets[root].sheet.items),
            Some(boards) if family.len() > 1 => {
                let sheets = self.board_sheets(root, boards).map_err(|problem| vec![problem])?;
                let root = std::mem::replace(&mut self.sheets[root].sheet, Sheet { items: Vec::new() });
                let (items, reported) =
                    together(root, sheets, &common, self.limits.language).map_err(|problem| vec![problem])?;
                notes.extend(reported);
                items
            }
            _ => self.games_together(&family, &common, &mut notes),
        };
        Ok(Whole { items, id, origin, sheets, notes, is_alone })
    }

    /// The sheets of the boards in their order.
    fn board_sheets(&mut self, root: usize, boards: usize) -> Result<Vec<Sheet>, Problem> {
        let children = self.sheets[root].children.clone();
        let mut sheets: Vec<Option<Sheet>> = (0..boards).map(|_| None).collect();
        for child in children {
            if let ParentPlace::Board(board) = self.sheets[child].place {
                sheets[board] =
                    Some(std::mem::replace(&mut self.sheets[child].sheet, Sheet { items: Vec::new() }));
            }
        }
        let origin = self.sheets[root].sheet.origin();
        let missing = |board: usize| {
            let name = overboard_rules::ply::BoardName(board);
            Problem::at("missing-sheet", format!("the sheet of board {name} is not among these"), origin)
        };
        sheets.into_iter().enumerate().map(|(board, sheet)| sheet.ok_or_else(|| missing(board))).collect()
    }

    /// Puts sub-games into the games that they belong to, inner ones first.
    fn games_together(
        &mut self,
        family: &[usize],
        common: &tags::Common,
        notes: &mut Vec<Problem>,
    ) -> Vec<Item> {
        for at in family.iter().rev() {
            let children = std::mem::take(&mut self.sheets[*at].children);
            if !children.is_empty() {
                let mut blocks: BTreeMap<usize, Vec<Vec<Item>>> = BTreeMap::new();
                let places = ply_places(&self.sheets[*at].sheet);
                for (mark, child) in self.marks(&places, children) {
                    blocks.entry(mark).or_default().push(self.block(child, common, notes));
                }
                let items = std::mem::take(&mut self.sheets[*at].sheet.items);
                self.sheets[*at].sheet.items = inserted(items, blocks);
            }
        }
        std::mem::take(&mut self.sheets[family[0]].sheet.items)
    }

    /// The node after which each sub-game is put: several after one ply in the order of their ordinals, then
    /// of input.
    fn marks(&self, places: &[PlyPlace], mut children: Vec<usize>) -> Vec<(usize, usize)> {
        children.sort_by_key(|child| (begun(&self.sheets[*child].sheet), *child));
        let mut seen: HashMap<usize, usize> = HashMap::new();
        let mut marks = Vec::new();
        for child in children {
            let ParentPlace::Behind(ply, _) = &self.sheets[child].place else { continue };
            let nth = seen.entry(*ply).or_insert(0);
            let place = &places[*ply];
            marks.push((place.marks.get(*nth).or(place.marks.last()).copied().unwrap_or(place.end), child));
            *nth += 1;
        }
        marks
    }

    /// A sheet as the block of a sub-game.
    fn block(&mut self, child: usize, common: &tags::Common, notes: &mut Vec<Problem>) -> Vec<Item> {
        let path = self.path(child);
        let steps: Vec<_> = path.iter().map(String::as_str).collect();
        let sheet = std::mem::replace(&mut self.sheets[child].sheet, Sheet { items: Vec::new() });
        let origin = sheet.origin();
        let mut items = sheet.items;
        let result = tags::result(&items).to_string();
        let supplied = common.of_sub_game(&steps, &result);
        for (node, origin) in tags::take_away(&mut items, &supplied) {
            if let Node::Tag(name, value) = node {
                let what = format!("the tag {name} \"{value}\" has no place in a sub-game and is left out");
                notes.push(Problem::at("note", what, origin));
            }
        }
        tags::say_something(&mut items, origin);
        let ParentPlace::Behind(_, square) = &self.sheets[child].place else { return items };
        let opening = (Node::SubgameOpen(square.clone()), origin);
        let end = items.last().map_or(origin, |(_, origin)| *origin);
        let closing = (Node::BlockClose(Open::Subgame), end);
        [opening].into_iter().chain(items).chain([closing]).collect()
    }

    /// The steps that lead to a sheet, by its own tags.
    fn path(&self, at: usize) -> Vec<String> {
        let reported = self.sheets[at].sheet.tag("Parent").unwrap_or_default();
        reported.split('/').skip(1).map(String::from).collect()
    }
}

/// The number of linked boards, in a record of more than one.
pub(super) fn boards_of(sheet: &impl Tagged) -> Option<usize> {
    let boards = sheet.tag("Boards").map_or(1, |names| names.split(':').count());
    (boards > 1 && is_of_boards(sheet)).then_some(boards)
}

/// Whether a sheet belongs to the game that may have linked boards.
pub(super) fn is_of_boards(sheet: &impl Tagged) -> bool {
    Variant::of(sheet.tag("Variant").map(str::as_bytes)) == Some(Variant::Strategi)
}

/// When a sheet was begun: the first ordinal on it, and whether that is of the ply before it, because it holds
/// a result only.
fn begun(sheet: &Sheet) -> (u64, bool) {
    let comments = sheet.items.iter().filter_map(|(node, _)| match node {
        Node::Prose(Prose::Brace, text) => Some(text),
        _ => None,
    });
    let ordinals = comments.flat_map(|text| stripped(text).0).filter(|(name, _)| name == "seq");
    let first = ordinals.filter_map(|(_, reported)| reported.parse().ok()).next().unwrap_or(u64::MAX);
    (first, ply_places(sheet).len() == 1)
}

/// Items with blocks inserted after some of them.
fn inserted(items: Vec<Item>, mut blocks: BTreeMap<usize, Vec<Vec<Item>>>) -> Vec<Item> {
    let mut all = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        all.push(item);
        all.extend(blocks.remove(&at).into_iter().flatten().flatten());
    }
    all.extend(blocks.into_values().flatten().flatten());
    all
}

/// The tags of the outermost record as they were.
fn own_tags(items: &mut Vec<Item>) {
    let stated = tags::header(items)
        .any(|(name, names)| name == "Stated" && names.split(':').any(|name| name == "GameId"));
    let end = tags::end_of_tags(items);
    let header: Vec<_> = items.drain(..end).collect();
    let kept = header.into_iter().filter(|(node, _)| match node {
        Node::Tag(name, _) if name == "Stated" => false,
        Node::Tag(name, id) if name == "GameId" => stated || !id.starts_with('#'),
        _ => true,
    });
    let kept: Vec<_> = kept.collect();
    items.splice(0..0, kept);
}
