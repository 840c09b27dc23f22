//! Sheets into one record.

use super::{
    Count, Item, Origin, Problem, Sheet, ends_a_consolidation, reconcile, stripped, tags, target, text,
};
use boards::together;
use overboard_formats::{
    lex::Prose,
    limits::Limits,
    parse::Open,
    record::{Node, Record},
    san::board_index,
};
use overboard_games::registry::Variant;
use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
};

mod boards;

/// Sheets on a desk, to be bundled once all are there.
pub struct Desk {
    sheets: Vec<Member>,
    limits: Limits,
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

/// A sheet among the others.
struct Member {
    sheet: Sheet,
    parent: Option<usize>,
    place: Place,
    children: Vec<usize>,
    /// How many sheets were made one in it.
    count: usize,
    /// Its plies, once a sheet is to be put behind one of them.
    plies: OnceCell<Plies>,
    notes: Vec<Problem>,
    problems: Vec<Problem>,
}

/// The plies of a sheet as they are written, and which of them a step means.
struct Plies {
    written: Vec<String>,
    labels: HashMap<String, usize>,
}

impl Plies {
    fn of(sheet: &Sheet) -> Self {
        let (mut written, mut labels) = (Vec::new(), HashMap::new());
        for PlyPlace { label, ply, .. } in ply_places(sheet) {
            labels.entry(label).or_insert(written.len());
            written.push(ply);
        }
        Self { written, labels }
    }
}

/// Where in its parent a sheet belongs.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    Nowhere,
    /// Behind the ply of this index (0: before the first), on a square.
    Behind(usize, String),
    Board(usize),
}

/// A step of the tag Parent.
struct Step<'a> {
    label: &'a str,
    square: Option<&'a str>,
}

impl<'a> Step<'a> {
    fn of(text: &'a str) -> Self {
        text.split_once('.').map_or(Self { label: text, square: None }, |(label, square)| Self {
            label,
            square: Some(square),
        })
    }
}

/// A ply of the main line of a sheet.
struct PlyPlace {
    label: String,
    ply: String,
    /// Nodes behind which sub-games stand: where its ordinal is written.
    marks: Vec<usize>,
    /// The last node of it and of what is said of it.
    end: usize,
}

impl Desk {
    /// A desk without sheets.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self { sheets: Vec::new(), limits }
    }

    /// Lays a record on the desk.
    ///
    /// # Errors
    /// A record that cannot be read.
    pub fn add(&mut self, record: &Record, file: usize) -> Result<(), Problem> {
        self.sheets.push(Member {
            sheet: Sheet::of(record, file)?,
            parent: None,
            place: Place::Nowhere,
            children: Vec::new(),
            count: 1,
            plies: OnceCell::new(),
            notes: Vec::new(),
            problems: Vec::new(),
        });
        Ok(())
    }

    /// The records that the sheets make, in the order of their outermost ones; for one that cannot be
    /// made, and for sheets without one, what is wrong.
    #[must_use]
    pub fn bundle(mut self) -> Vec<Result<Bundled, Vec<Problem>>> {
        let mut by_id: HashMap<String, usize> = HashMap::new();
        let mut roots = Vec::new();
        let mut waiting = Vec::new();
        for at in 0..self.sheets.len() {
            let sheet = &self.sheets[at].sheet;
            let id = sheet.tag("GameId").map(String::from);
            let is_root = sheet.tag("Parent").is_none();
            match id.as_ref().and_then(|id| by_id.get(id).copied()) {
                Some(known) if is_root && self.sheets[known].sheet.tag("Parent").is_none() => {
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
        let mut made: Vec<_> = roots.into_iter().map(|root| self.make(root)).collect();
        if !orphans.is_empty() {
            made.push(Err(orphans));
        }
        made
    }

    /// Makes two sheets of the same game one.
    fn unite(&mut self, known: usize, other: usize) {
        let sheet = std::mem::replace(&mut self.sheets[other].sheet, Sheet { items: Vec::new() });
        let member = &mut self.sheets[known];
        member.count += 1;
        match reconcile::merge(&mut member.sheet, sheet) {
            Ok(notes) => member.notes.extend(notes),
            Err(problem) => member.problems.push(problem),
        }
    }

    /// Finds the parents of these sheets, round by round; answers what is wrong with those that have none.
    fn attach(
        &mut self,
        mut waiting: Vec<usize>,
        by_id: &HashMap<String, usize>,
        roots: &[usize],
    ) -> Vec<Problem> {
        let mut attached: Vec<bool> = vec![false; self.sheets.len()];
        roots.iter().for_each(|root| attached[*root] = true);
        let mut problems = Vec::new();
        loop {
            let before = waiting.len();
            let mut later = Vec::new();
            for at in waiting {
                match self.parent_of(at, by_id, &attached) {
                    Ok(Some(parent)) => match self.place(at, parent) {
                        Ok(place) => {
                            self.seat(at, parent, place);
                            attached[at] = true;
                        }
                        Err(problem) => problems.push(problem),
                    },
                    Ok(None) => later.push(at),
                    Err(problem) => problems.push(problem),
                }
            }
            if later.is_empty() || later.len() == before {
                problems.extend(later.into_iter().map(|at| self.lost(at, by_id)));
                return problems;
            }
            waiting = later;
        }
    }

    /// The sheet that another belongs to; `None` where it is not known yet.
    fn parent_of(
        &self,
        at: usize,
        by_id: &HashMap<String, usize>,
        attached: &[bool],
    ) -> Result<Option<usize>, Problem> {
        let sheet = &self.sheets[at].sheet;
        let told = sheet.tag("Parent").unwrap_or_default();
        let steps: Vec<_> = told.split('/').collect();
        let bad = |what: String| Problem::at("bad-parent", what, sheet.place_of("Parent"));
        let [id, steps @ .., _] = &steps[..] else {
            let what = format!(
                "the tag Parent is the GameId of another sheet and the way from there, such as `7/12w` or `7/B`, not `{told}`"
            );
            return Err(bad(what));
        };
        if steps.len() >= self.limits.block_depth {
            let limit = self.limits.block_depth;
            return Err(bad(format!(
                "more than the limit of {limit} games inside one another (--max-block-depth)"
            )));
        }
        let Some(base) = by_id.get(*id).copied() else {
            let what = format!("no sheet has the GameId `{id}`, which this one says it belongs to");
            return Err(Problem::at("unknown-parent", what, sheet.place_of("Parent")));
        };
        if base == at || !attached[base] {
            return Ok(None);
        }
        let mut parent = base;
        for step in steps {
            let step = Step::of(step);
            let Ok(place) = self.resolve(parent, &step, sheet.place_of("Parent")) else { return Ok(None) };
            let mut children = self.sheets[parent].children.iter();
            let Some(child) = children.find(|child| self.sheets[**child].place == place) else {
                return Ok(None);
            };
            parent = *child;
        }
        Ok(Some(parent))
    }

    /// What is wrong with a sheet whose parent is not found.
    fn lost(&self, at: usize, by_id: &HashMap<String, usize>) -> Problem {
        let sheet = &self.sheets[at].sheet;
        let origin = sheet.place_of("Parent");
        let told = sheet.tag("Parent").unwrap_or_default();
        let base = |at: usize| {
            let told = self.sheets[at].sheet.tag("Parent")?;
            by_id.get(told.split('/').next()?).copied()
        };
        let mut now = at;
        for _ in 0..self.sheets.len() {
            match base(now) {
                Some(next) if next == at => {
                    let what = format!(
                        "the sheets go round in a circle: `{told}` is, in the end, this sheet itself"
                    );
                    return Problem::at("cycle", what, origin);
                }
                Some(next) => now = next,
                None => break,
            }
        }
        let outer = told.rsplit_once('/').map_or(told, |(outer, _)| outer);
        Problem::at(
            "missing-sheet",
            format!("the sheet `{outer}`, which this one belongs to, is not among these"),
            origin,
        )
    }

    fn place(&self, at: usize, parent: usize) -> Result<Place, Problem> {
        let sheet = &self.sheets[at].sheet;
        let step = sheet.tag("Parent").and_then(|told| told.rsplit('/').next()).unwrap_or_default();
        self.resolve(parent, &Step::of(step), sheet.place_of("Parent"))
    }

    fn resolve(&self, parent: usize, step: &Step<'_>, origin: Origin) -> Result<Place, Problem> {
        let bad = |what: String| Err(Problem::at("bad-parent", what, origin));
        let outer = &self.sheets[parent].sheet;
        if let Some(boards) = boards_of(outer) {
            let board = board_index(step.label.as_bytes()).map(usize::from).filter(|board| *board < boards);
            return match board.filter(|_| step.square.is_none()) {
                Some(board) => Ok(Place::Board(board)),
                None => bad(format!("`{}` is none of the {boards} boards of that game", step.label)),
            };
        }
        let plies = self.sheets[parent].plies.get_or_init(|| Plies::of(outer));
        let label = step.label.to_ascii_lowercase();
        let Some(at) = plies.labels.get(&label).copied() else {
            return bad(format!("there is no ply `{}` on the sheet that this one belongs to", step.label));
        };
        if let Some(square) = step.square {
            return match overboard_games::overchess::square_named(square) {
                Some(_) => Ok(Place::Behind(at, square.into())),
                None => bad(format!("`{square}` is no square")),
            };
        }
        let Some(square) = target(&plies.written[at]).filter(|_| plies.written[at].contains('x')) else {
            return bad(format!(
                "the ply {label}, `{}`, is no attack; the step `{label}.e5` would name a square",
                plies.written[at]
            ));
        };
        // Under fog a sub-game is played behind the ply that answers the attack.
        let fog =
            self.root_of(parent).tag("Rules").is_some_and(|rules| rules.split(':').any(|item| item == "fog"));
        let behind = if fog && at + 1 < plies.written.len() { at + 1 } else { at };
        Ok(Place::Behind(behind, square.into()))
    }

    fn root_of(&self, mut at: usize) -> &Sheet {
        while let Some(parent) = self.sheets[at].parent {
            at = parent;
        }
        &self.sheets[at].sheet
    }

    /// Gives a sheet its place; a second one there is another sheet of the same game.
    fn seat(&mut self, at: usize, parent: usize, place: Place) {
        let mut children = self.sheets[parent].children.iter().copied();
        if let Some(known) = children.find(|child| self.sheets[*child].place == place) {
            return self.unite(known, at);
        }
        self.sheets[parent].children.push(at);
        self.sheets[at].parent = Some(parent);
        self.sheets[at].place = place;
    }

    /// All sheets of a game, outer ones before inner ones.
    fn family(&self, root: usize) -> Vec<usize> {
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
        let origin = self.sheets[root].sheet.origin();
        let count = family.iter().map(|at| self.sheets[*at].count).sum();
        let problems: Vec<_> =
            family.iter().flat_map(|at| std::mem::take(&mut self.sheets[*at].problems)).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut notes: Vec<_> =
            family.iter().flat_map(|at| std::mem::take(&mut self.sheets[*at].notes)).collect();
        let id = self.sheets[root].sheet.tag("GameId").map(String::from);
        let common = tags::Common::of(&self.sheets[root].sheet);
        let boards = boards_of(&self.sheets[root].sheet);
        let is_over =
            Variant::of(self.sheets[root].sheet.tag("Variant").map(str::as_bytes)) == Some(Variant::Over);
        let items = match boards {
            _ if id.is_none() || (family.len() == 1 && !is_over && boards.is_none()) => {
                let items = std::mem::take(&mut self.sheets[root].sheet.items);
                return Ok(Bundled { text: text::rendered(&items).text, id, origin, sheets: count, notes });
            }
            Some(boards) if family.len() > 1 => {
                let sheets = self.board_sheets(root, boards).map_err(|problem| vec![problem])?;
                let root = std::mem::replace(&mut self.sheets[root].sheet, Sheet { items: Vec::new() });
                let (items, told) = together(root, sheets, &common).map_err(|problem| vec![problem])?;
                notes.extend(told);
                items
            }
            _ => self.games_together(&family, &common, &mut notes),
        };
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
            None => Ok(Bundled { text: rendered.text, id, origin, sheets: count, notes }),
        }
    }

    /// The sheets of the boards in their order.
    fn board_sheets(&mut self, root: usize, boards: usize) -> Result<Vec<Sheet>, Problem> {
        let children = self.sheets[root].children.clone();
        let mut sheets: Vec<Option<Sheet>> = (0..boards).map(|_| None).collect();
        for child in children {
            if let Place::Board(board) = self.sheets[child].place {
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

    /// Behind which node each sub-game stands: those behind one ply by their ordinals, then as they came.
    fn marks(&self, places: &[PlyPlace], mut children: Vec<usize>) -> Vec<(usize, usize)> {
        children.sort_by_key(|child| (begun(&self.sheets[*child].sheet), *child));
        let mut seen: HashMap<usize, usize> = HashMap::new();
        let mut marks = Vec::new();
        for child in children {
            let Place::Behind(ply, _) = &self.sheets[child].place else { continue };
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
        if !items.iter().any(|(node, _)| matches!(node, Node::Result(_))) {
            items.push((Node::Result(result), origin));
        }
        let Place::Behind(_, square) = &self.sheets[child].place else { return items };
        let opening = (Node::SubgameOpen(square.clone()), origin);
        let closing = (Node::BlockClose(Open::Subgame), origin);
        [opening].into_iter().chain(items).chain([closing]).collect()
    }

    /// The steps that lead to a sheet, as it tells them.
    fn path(&self, at: usize) -> Vec<String> {
        let told = self.sheets[at].sheet.tag("Parent").unwrap_or_default();
        told.split('/').skip(1).map(String::from).collect()
    }
}

/// How many boards stand beside one another in a record of more than one.
fn boards_of(sheet: &Sheet) -> Option<usize> {
    let game = Variant::of(sheet.tag("Variant").map(str::as_bytes));
    let boards = sheet.tag("Boards").map_or(1, |names| names.split(':').count());
    (game == Some(Variant::Strategi) && boards > 1).then_some(boards)
}

/// The plies of the main line of a sheet, one that stands for the beginning before them.
fn ply_places(sheet: &Sheet) -> Vec<PlyPlace> {
    let items = &sheet.items;
    let mut count = Count::from(sheet.tag("FEN"));
    let begin = tags::end_of_tags(items).saturating_sub(1);
    let mut places = vec![PlyPlace { label: "0".into(), ply: String::new(), marks: Vec::new(), end: begin }];
    let (mut ravs, mut blocks) = (0_usize, 0_usize);
    for (at, (node, _)) in items.iter().enumerate() {
        match node {
            Node::RavOpen => ravs += 1,
            Node::RavClose => ravs = ravs.saturating_sub(1),
            Node::SubgameOpen(_) => blocks += 1,
            Node::BlockClose(Open::Subgame) => blocks = blocks.saturating_sub(1),
            _ => {}
        }
        let Some(last) = places.last_mut().filter(|_| ravs == 0 && blocks == 0) else { continue };
        let made = match node {
            Node::Ply(ply) => Some(ply.clone()),
            _ if ends_a_consolidation(items, at) => Some(String::new()),
            _ => None,
        };
        if let Some(ply) = made {
            places.push(PlyPlace { label: count.label(), ply, marks: Vec::new(), end: at });
            count.advance();
        } else if tags::is_remark(node) {
            let is_mark = |text: &str| stripped(text).0.iter().any(|(name, _)| name == "seq");
            if matches!(node, Node::Prose(Prose::Brace, text) if is_mark(text)) {
                last.marks.push(at);
            }
            if last.end + 1 == at {
                last.end = at;
            }
        }
    }
    places
}

/// When a sheet was begun: the first ordinal on it, and whether that is of the ply before it, because it holds
/// a result only.
fn begun(sheet: &Sheet) -> (u64, bool) {
    let comments = sheet.items.iter().filter_map(|(node, _)| match node {
        Node::Prose(Prose::Brace, text) => Some(text),
        _ => None,
    });
    let ordinals = comments.flat_map(|text| stripped(text).0).filter(|(name, _)| name == "seq");
    let first = ordinals.filter_map(|(_, told)| told.parse().ok()).next().unwrap_or(u64::MAX);
    (first, ply_places(sheet).len() == 1)
}

/// Items with blocks behind some of them.
fn inserted(items: Vec<Item>, mut blocks: BTreeMap<usize, Vec<Vec<Item>>>) -> Vec<Item> {
    let mut all = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        all.push(item);
        all.extend(blocks.remove(&at).into_iter().flatten().flatten());
    }
    all.extend(blocks.into_values().flatten().flatten());
    all
}

/// What the ordinals of a record say.
pub(super) enum Ordinals {
    /// Every ply has its own.
    All,
    /// Not every ply has one.
    Some,
    /// They do not fit.
    Wrong(Problem),
}

/// A game, or a game in it, as its ordinals are read.
#[derive(Default)]
struct Level {
    /// The ordinal of the last ply, until it is read.
    owed: Option<u64>,
    /// Whether a comment with nothing but an ordinal was taken away just now.
    parted: bool,
}

/// Takes away `%seq` and `%in`, and the numbers that they made necessary.
pub(super) fn cleaned(items: Vec<Item>) -> (Vec<Item>, Ordinals) {
    let mut clean = Vec::with_capacity(items.len());
    let mut levels = vec![Level::default()];
    let (mut ravs, mut plies, mut told) = (0_usize, 0_u64, 0_u64);
    let mut wrong = None;
    for at in 0..items.len() {
        let (node, origin) = &items[at];
        match node {
            Node::RavOpen => ravs += 1,
            Node::RavClose => ravs = ravs.saturating_sub(1),
            _ => {}
        }
        let is_inner = levels.len() > 1;
        let Some(level) = levels.last_mut().filter(|_| ravs == 0) else {
            clean.push(items[at].clone());
            continue;
        };
        let parted = std::mem::take(&mut level.parted);
        match node {
            Node::Prose(prose @ (Prose::Brace | Prose::Line), text) => {
                let (found, rest) = stripped(text);
                let ordinals = found.iter().filter(|(name, _)| name == "seq");
                for ordinal in ordinals.filter_map(|(_, told)| told.parse::<u64>().ok()) {
                    let Some(owed) = level.owed.take() else { continue };
                    told += 1;
                    if ordinal != owed && wrong.is_none() {
                        wrong = Some(misplaced(ordinal, owed, *origin));
                    }
                }
                if found.is_empty() {
                    clean.push(items[at].clone());
                } else if rest.is_empty() {
                    // Twice: the number behind it was there before.
                    level.parted = found.len() == 1;
                } else {
                    clean.push((Node::Prose(*prose, rest), *origin));
                }
                continue;
            }
            // One before an action was there before.
            Node::Number(number)
                if parted
                    && number.ends_with("...")
                    && matches!(items.get(at + 1), Some((Node::Ply(_), _))) =>
            {
                continue;
            }
            Node::SubgameOpen(_) => {
                level.parted = parted;
                levels.push(Level::default());
            }
            Node::BlockClose(Open::Subgame) if is_inner => drop(levels.pop()),
            Node::Ply(_) => {
                plies += 1;
                level.owed = Some(plies);
            }
            _ if ends_a_consolidation(&items, at) => {
                plies += 1;
                level.owed = Some(plies);
            }
            _ => {}
        }
        clean.push(items[at].clone());
    }
    let ordinals = match wrong {
        Some(problem) => Ordinals::Wrong(problem),
        None if told == plies => Ordinals::All,
        None => Ordinals::Some,
    };
    (clean, ordinals)
}

fn misplaced(told: u64, right: u64, origin: Origin) -> Problem {
    if told > right {
        let last = told - 1;
        let which =
            if last == right { format!("ply {right} is") } else { format!("plies {right} to {last} are") };
        return Problem::at(
            "missing-sheet",
            format!("{which} on no sheet: one is missing that was played before this ply"),
            origin,
        );
    }
    let what =
        format!("this ply says that it is number {told} of the game, and {} come before it", right - 1);
    Problem::at("unfit", what, origin)
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
