//! Puts sheets together into one record.

use super::{
    Count, Item, Items, Origin, Problem, Sheet, Tagged,
    gather::Gathered,
    packed::{Folding, Packed},
    reconcile::{self, Difference},
    text::{self, NodesAsText},
};
use boards::Boards;
use games::Games;
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    record::{Node, Record},
    span::TextSpan,
};
use overboard_games::{bughouse::BOARDS, registry::Variant};
use overboard_rules::variant::VariantInfo;
use parents::ParentPlace;
use plies::Plies;
use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    io::{self, Read},
};
use turns::Turns;

mod board_plies;
pub(super) mod boards;
mod games;
mod judged_in;
mod ordinals;
mod parents;
mod plies;
pub(super) mod turns;

pub use judged_in::JudgedIn;
pub(super) use ordinals::{Cleaned, Ordinals};

/// Collects sheets, and bundles them when all are there. Sheets are held in packed form, little larger than their text,
/// and a record is made by reading its sheets once more, so that no record is ever held in addition to them.
pub struct SheetBundle {
    pub(super) sheets: Vec<Member>,
    pub(super) limits: Limits,
    /// The sheets whose plies are in memory at the moment, and the number of those plies.
    known: RefCell<(Vec<usize>, usize)>,
    /// Which sheet has a given place on another sheet.
    seats: HashMap<(usize, ParentPlace), usize>,
}

/// A record made from sheets.
pub struct Bundled {
    /// Its GameId.
    pub id: Option<String>,
    /// Where its outermost sheet begins.
    pub origin: Origin,
    /// How many sheets it is made of.
    pub sheets: usize,
    /// Problems that did not prevent it from being made.
    notes: Vec<Problem>,
    whole: Whole,
}

impl Bundled {
    /// The record as text, in no particular layout, generated while it is read.
    pub fn read(&self) -> impl Read + Send + '_ {
        NodesAsText::of(self.whole.cleaned())
    }

    /// The same as one string.
    #[must_use]
    pub fn text(&self) -> String {
        text::written(self.whole.cleaned())
    }

    /// Problems that did not prevent it from being made.
    pub fn notes(&self) -> impl Iterator<Item = Problem> + '_ {
        self.notes.iter().cloned().chain(self.whole.notes())
    }
}

/// All sheets of a game as one record.
pub(super) enum Whole {
    /// A single sheet, without any sheets that belong to it.
    Alone(Packed),
    Boards(Boards),
    Games(Games),
    Turns(Turns),
}

impl Whole {
    /// Its nodes, including everything that only sheets have.
    pub fn items(&self) -> Items<'_> {
        match self {
            Self::Alone(sheet) => Box::new(sheet.items()),
            Self::Boards(boards) => boards.items(),
            Self::Games(games) => games.items(),
            Self::Turns(turns) => turns.items(),
        }
    }

    /// The record as it was before it was split.
    fn cleaned(&self) -> Items<'_> {
        let root = match self {
            Self::Alone(sheet) => return Box::new(sheet.items()),
            Self::Boards(boards) => boards.root(),
            Self::Games(games) => games.root(),
            Self::Turns(turns) => turns.root(),
        };
        let stated = root.tag("Stated").unwrap_or_default();
        let is_stated = stated.split(':').any(|name| name == "GameId");
        let mut in_head = true;
        let is_own = move |(node, _): &Item| {
            in_head &= matches!(node, Node::Tag(..) | Node::Prose(..));
            match node {
                Node::Tag(name, _) if in_head && name == "Stated" => false,
                Node::Tag(name, id) if in_head && name == "GameId" => {
                    is_stated || !id.starts_with('#')
                }
                _ => true,
            }
        };
        Box::new(Cleaned::of(self.items()).filter(is_own))
    }

    /// What is left out of it.
    fn notes(&self) -> Vec<Problem> {
        match self {
            Self::Alone(_) | Self::Turns(_) => Vec::new(),
            Self::Boards(boards) => boards.notes(),
            Self::Games(games) => games.notes(),
        }
    }
}

/// A sheet among the others.
pub(super) struct Member {
    /// The sheet, until its game is put together.
    pub kept: Packed,
    /// Its file, as the caller numbers them.
    pub file: usize,
    /// Where its tag Parent stands, else where it begins; and the number of its first ply.
    pub parent_tag: TextSpan,
    pub first: Count,
    /// Other sheets of the same game, merged into this one or differing from it.
    pub united: Vec<usize>,
    /// Those that differ.
    pub rivals: Vec<Rival>,
    pub parent: Option<usize>,
    /// The outermost sheet around it, if it has a parent.
    pub root: Option<usize>,
    place: ParentPlace,
    children: Vec<usize>,
    /// Its plies, read when another sheet has to be placed after one of them.
    plies: OnceCell<Plies>,
    notes: Vec<Problem>,
}

/// Another sheet of the same game, which differs.
pub(super) struct Rival {
    /// The sheet.
    pub kept: Packed,
    /// Its number in the bundle.
    pub at: usize,
    pub difference: Box<Difference>,
}

impl SheetBundle {
    /// A bundle without sheets.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            sheets: Vec::new(),
            limits,
            known: RefCell::new((Vec::new(), 0)),
            seats: HashMap::new(),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn add(&mut self, record: &Record, file: usize) -> Result<(), Problem> {
        self.lay(Packed::of(&Sheet::of(record, file)?), file);
        Ok(())
    }

    /// Adds a record that was gathered.
    pub fn add_gathered(&mut self, Gathered(mut kept): Gathered, file: usize) {
        kept.set_file(file);
        self.lay(kept, file);
    }

    pub(super) fn lay(&mut self, kept: Packed, file: usize) {
        self.sheets.push(Member {
            file,
            parent_tag: kept.place_of("Parent").place,
            first: Count::from(kept.tag("FEN")),
            kept,
            united: Vec::new(),
            parent: None,
            root: None,
            place: ParentPlace::Nowhere,
            children: Vec::new(),
            plies: OnceCell::new(),
            notes: Vec::new(),
            rivals: Vec::new(),
        });
    }

    /// Reads the next record of a text and adds it, without holding more of it than its packed form. `None` if there
    /// are no more records.
    ///
    /// # Errors
    /// Those of the reader; and a record that cannot be read.
    pub fn read(
        &mut self,
        parser: &mut Parser<'_>,
        file: usize,
    ) -> io::Result<Option<Result<(), Problem>>> {
        let mut sheet = Folding::of(file);
        loop {
            match parser.next()? {
                Event::Done => return Ok(None),
                Event::End => break,
                event => sheet.hear(event, parser),
            }
        }
        Ok(Some(sheet.finish().map(|kept| self.lay(kept, file))))
    }

    /// The records made from the sheets, lazily, in the order of their outermost sheets; an error for each record that
    /// cannot be made, and for each sheet that belongs to none.
    pub fn bundle(mut self) -> impl Iterator<Item = Result<Bundled, Vec<Problem>>> {
        let (roots, orphans) = self.families();
        let made = roots.into_iter().map(move |root| self.make(root));
        let rest = if orphans.is_empty() {
            None
        } else {
            Some(Err(orphans))
        };
        made.chain(rest)
    }

    /// Groups the sheets that belong together. Returns the outermost ones, and the problems of those that belong to
    /// none of them.
    pub(super) fn families(&mut self) -> (Vec<usize>, Vec<Problem>) {
        let mut by_id: HashMap<String, usize> = HashMap::new();
        let mut roots = Vec::new();
        let mut waiting = Vec::new();
        for at in 0..self.sheets.len() {
            // It is already merged into another.
            if self.sheets[at].parent.is_some() {
                continue;
            }
            let sheet = &self.sheets[at].kept;
            let is_root = sheet.tag("Parent").is_none();
            if let Some(id) = sheet.tag("GameId") {
                let known = *by_id.entry(id.into()).or_insert(at);
                if known != at && is_root && self.sheets[known].kept.tag("Parent").is_none() {
                    self.unite(known, at);
                    continue;
                }
            }
            if is_root {
                roots.push(at);
            } else {
                waiting.push(at);
            }
        }
        let orphans = self.attach(waiting, &by_id, &roots);
        (roots, orphans)
    }

    /// Merges two sheets of the same game.
    fn unite(&mut self, known: usize, other: usize) {
        let other_sheet = std::mem::take(&mut self.sheets[other].kept);
        let member = &mut self.sheets[known];
        member.united.push(other);
        match reconcile::merge(&member.kept, &other_sheet) {
            Ok((merged, notes)) => {
                member.kept = merged;
                member.notes.extend(notes);
            }
            Err(difference) => member.rivals.push(Rival {
                kept: other_sheet,
                at: other,
                difference,
            }),
        }
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
        let family = self.family(root);
        let kept = &self.sheets[root].kept;
        let (id, origin) = (kept.tag("GameId").map(String::from), kept.origin());
        let (mut sheets, mut notes) = (0, Vec::new());
        for at in family {
            sheets += 1 + self.sheets[at].united.len();
            notes.append(&mut self.sheets[at].notes);
        }
        let whole = self.put_together(root)?;
        let made = Bundled {
            id,
            origin,
            sheets,
            notes,
            whole,
        };
        if matches!(made.whole, Whole::Alone(_) | Whole::Turns(_)) {
            return Ok(made);
        }
        match Cleaned::of(made.whole.items()).ordinals() {
            Ordinals::Wrong(problem) => Err(vec![problem]),
            Ordinals::All => Ok(made),
            Ordinals::Some => match text::fault(made.read(), self.limits) {
                None => Ok(made),
                Some((offset, code, message)) => {
                    let there = text::origin(made.whole.cleaned(), offset).unwrap_or(made.origin);
                    Err(vec![Problem::at(code, message, there)])
                }
            },
        }
    }

    /// All sheets of a game as one record, including everything that only sheets have.
    pub(super) fn put_together(&mut self, root: usize) -> Result<Whole, Vec<Problem>> {
        let family = self.family(root);
        let differences = self.differences(&family);
        if !differences.is_empty() {
            return Err(differences);
        }
        let kept = &self.sheets[root].kept;
        let boards = boards_of(kept);
        let is_over = Variant::of(kept.tag("Variant").map(str::as_bytes)) == Some(Variant::Over);
        let is_split = is_over || boards.is_some() || (is_of_turns(kept) && turns::is_marked(kept));
        let is_alone = kept.tag("GameId").is_none() || (family.len() == 1 && !is_split);
        match boards {
            _ if is_alone => Ok(Whole::Alone(std::mem::take(&mut self.sheets[root].kept))),
            Some(boards) if family.len() > 1 => {
                let (mut boards, missing) = self.boards(root, boards);
                let found = match missing.into_iter().flatten().next() {
                    Some(problem) => Err(problem),
                    None => boards.put_in_order(),
                };
                found.map_err(|problem| vec![problem])?;
                Ok(Whole::Boards(boards))
            }
            _ if is_of_turns(&self.sheets[root].kept) => {
                let turns = Turns::of(self.ways_to_boards(&family));
                match turns.so_far() {
                    None => Ok(Whole::Turns(turns)),
                    Some(so_far) => Err(vec![so_far.problem]),
                }
            }
            _ => Ok(Whole::Games(Games::of(self, &family))),
        }
    }

    /// The sheets of a family of Mega-Chess, taken out of the bundle, each with the squares that lead to its board.
    pub(super) fn ways_to_boards(&mut self, family: &[usize]) -> Vec<(Packed, Vec<String>)> {
        let mut ways: HashMap<usize, Vec<String>> = HashMap::new();
        let mut sheets = Vec::new();
        for at in family {
            let member = &mut self.sheets[*at];
            let around = member.parent.and_then(|parent| ways.get(&parent));
            let mut way = around.cloned().unwrap_or_default();
            if let ParentPlace::Within(square) = &member.place {
                way.push(square.clone());
            }
            sheets.push((std::mem::take(&mut member.kept), way.clone()));
            ways.insert(*at, way);
        }
        sheets
    }

    /// Where sheets of the same game differ.
    fn differences(&self, family: &[usize]) -> Vec<Problem> {
        let mut differences = Vec::new();
        for at in family {
            for rival in &self.sheets[*at].rivals {
                differences.push(rival.difference.problem.clone());
            }
        }
        differences
    }

    /// The sheets of the boards, and for each board the problem if its sheet is missing.
    pub(super) fn boards(&mut self, root: usize, boards: usize) -> (Boards, Vec<Option<Problem>>) {
        let children = self.sheets[root].children.clone();
        let mut sheets: Vec<Option<Packed>> = (0..boards).map(|_| None).collect();
        for child in children {
            if let ParentPlace::Board(board) = self.sheets[child].place {
                sheets[board] = Some(std::mem::take(&mut self.sheets[child].kept));
            }
        }
        let root = std::mem::take(&mut self.sheets[root].kept);
        let origin = root.origin();
        let mut problems = Vec::new();
        for (board, sheet) in sheets.iter().enumerate() {
            let name = overboard_rules::ply::BoardName(board);
            let what = format!("the sheet of board {name} is not among these");
            problems.push(match sheet {
                Some(_) => None,
                None => Some(Problem::at("missing-sheet", what, origin)),
            });
        }
        let sheets = sheets.into_iter().map(Option::unwrap_or_default).collect();
        (Boards::of(root, sheets, self.limits.language), problems)
    }
}

/// The number of boards side by side, if the record has more than one.
pub(super) fn boards_of(sheet: &impl Tagged) -> Option<usize> {
    let game = game_of(sheet)?;
    if game.of_pairs && sheet.tag("Parent").is_none() {
        return Some(BOARDS);
    }
    if !game.has_boards {
        return None;
    }
    let boards = sheet.tag("Boards")?.split(':').count();
    if boards == 1 {
        return None;
    }
    Some(boards)
}

/// The game of a sheet.
pub(super) fn game_of(sheet: &impl Tagged) -> Option<&'static VariantInfo> {
    Variant::of(sheet.tag("Variant").map(str::as_bytes)).map(Variant::info)
}

/// A record of these plies and no end; `before` is what stands before them on the outermost sheet.
fn under_way<'p>(
    root: &Packed,
    before: impl Iterator<Item = Item> + Send + 'p,
    plies: impl Iterator<Item = Item> + Send + 'p,
) -> Items<'p> {
    let of_an_end = ["Score", "Termination", "PlyCount"];
    let head = before.filter_map(move |(node, origin)| match node {
        Node::Tag(name, _) if of_an_end.contains(&name.as_str()) => None,
        Node::Tag(name, _) if name == "Result" => Some((Node::Tag(name, "*".into()), origin)),
        Node::Result(_) => None,
        node => Some((node, origin)),
    });
    let end = [(Node::Result("*".into()), root.origin())];
    Box::new(head.chain(plies).chain(end))
}

/// Whether a sheet is of a game of Mega-Chess, or of a board of one with boards inside.
pub(super) fn is_of_turns(sheet: &impl Tagged) -> bool {
    game_of(sheet).is_some_and(|game| game.has_levels)
}

/// Whether a sheet is of a game that may have boards side by side.
pub(super) fn is_of_boards(sheet: &impl Tagged) -> bool {
    game_of(sheet).is_some_and(|game| game.has_boards || game.of_pairs)
}

/// Whether a sheet is of a game that two pairs play on two boards.
pub(super) fn is_of_pairs(sheet: &impl Tagged) -> bool {
    game_of(sheet).is_some_and(|game| game.of_pairs)
}
