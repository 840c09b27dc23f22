//! Where each sheet belongs: the sheet that its tag Parent names, and the place in it.

use super::{
    SheetBundle, boards_of, is_of_turns,
    plies::{Plies, written},
};
use crate::{Origin, Problem, Tagged as _, unbundle::boards::board_named};
use Search::{Awaits, Found};
use overboard_formats::parse::is_address;
use std::collections::{BTreeSet, HashMap};

/// Plies that are known at a time, a byte each, so that sheets find their places on others.
const MOST_KNOWN: usize = 1 << 24;

/// Where in its parent a sheet belongs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ParentPlace {
    Nowhere,
    /// Behind the ply of this index (0: before the first), on a square.
    Behind(usize, String),
    Board(usize),
    /// On the board that stood on this mega-square at the start.
    Within(String),
}

/// A step of the tag Parent.
struct Step<'a> {
    label: &'a str,
    square: Option<&'a str>,
}

impl<'a> Step<'a> {
    fn of(text: &'a str) -> Self {
        match text.split_once('.') {
            Some((label, square)) => Self {
                label,
                square: Some(square),
            },
            None => Self {
                label: text,
                square: None,
            },
        }
    }
}

impl SheetBundle {
    /// Finds the parents of these sheets, round by round; returns what is wrong with those that have none.
    pub(super) fn attach(
        &mut self,
        waiting: Vec<usize>,
        by_id: &HashMap<String, usize>,
        roots: &[usize],
    ) -> Vec<Problem> {
        let mut attached: Vec<bool> = vec![false; self.sheets.len()];
        for root in roots {
            attached[*root] = true;
        }
        let mut problems = Vec::new();
        let mut queue = Queue::of(waiting);
        while let Some(at) = queue.next() {
            self.forget_plies(MOST_KNOWN);
            let parent = match self.parent_of(at, by_id, &attached) {
                Ok(Found(parent)) => parent,
                Ok(Awaits(what)) => {
                    queue.keep(at, what);
                    continue;
                }
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            match self.place(at, parent) {
                Ok(place) => {
                    attached[at] = true;
                    queue.wake(&Awaited::Sheet(at));
                    queue.wake(&Awaited::Seat(parent, place.clone()));
                    if let Some(longer) = self.seat(at, parent, place) {
                        queue.wake(&Awaited::Plies(longer));
                    }
                }
                Err(problem) => problems.push(problem),
            }
        }
        let lost = queue.left();
        let circles = self.circles(by_id);
        problems.extend(lost.into_iter().map(|at| self.lost(at, &circles)));
        self.forget_plies(0);
        problems
    }

    /// Drops the plies of all sheets from memory if there are more than `most`: they can be read again.
    fn forget_plies(&mut self, most: usize) {
        let (known, plies) = self.known.get_mut();
        if *plies > most {
            for at in known.drain(..) {
                drop(self.sheets[at].plies.take());
            }
            *plies = 0;
        }
    }

    /// The sheet that another belongs to, or what has to be found before it is known.
    fn parent_of(
        &self,
        at: usize,
        by_id: &HashMap<String, usize>,
        attached: &[bool],
    ) -> Result<Search, Problem> {
        let sheet = &self.sheets[at].kept;
        let tag = sheet.tag("Parent").unwrap_or_default();
        let steps: Vec<_> = tag.split('/').collect();
        let bad = |what: String| Problem::at("bad-parent", what, sheet.place_of("Parent"));
        let [id, steps @ .., _] = &steps[..] else {
            let what = format!(
                "the tag Parent is the GameId of another sheet and the way from there, such as `7/12w` or `7/B`, not `{tag}`"
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
            return Err(Problem::at(
                "unknown-parent",
                what,
                sheet.place_of("Parent"),
            ));
        };
        if base == at || !attached[base] {
            return Ok(Awaits(Awaited::Sheet(base)));
        }
        let mut parent = base;
        for step in steps {
            let step = Step::of(step);
            let Ok(place) = self.resolve(parent, &step, sheet.place_of("Parent")) else {
                return Ok(Awaits(Awaited::Plies(parent)));
            };
            let seat = (parent, place);
            let Some(child) = self.seats.get(&seat) else {
                return Ok(Awaits(Awaited::Seat(seat.0, seat.1)));
            };
            parent = *child;
        }
        Ok(Found(parent))
    }

    /// Which sheets lead back to themselves by their tags Parent.
    fn circles(&self, by_id: &HashMap<String, usize>) -> Vec<bool> {
        let base = |at: usize| {
            let tag = self.sheets[at].kept.tag("Parent")?;
            by_id.get(tag.split('/').next()?).copied()
        };
        let mut circles = vec![false; self.sheets.len()];
        // From which sheet each was reached first.
        let mut reached: Vec<Option<usize>> = vec![None; self.sheets.len()];
        for from in 0..self.sheets.len() {
            let mut now = from;
            while reached[now].is_none() {
                reached[now] = Some(from);
                match base(now) {
                    Some(next) => now = next,
                    None => break,
                }
            }
            let is_circle = reached[now] == Some(from) && base(now).is_some();
            while is_circle && !circles[now] {
                circles[now] = true;
                now = base(now).unwrap_or(now);
            }
        }
        circles
    }

    /// What is wrong with a sheet whose parent is not found.
    fn lost(&self, at: usize, circles: &[bool]) -> Problem {
        let sheet = &self.sheets[at].kept;
        let origin = sheet.place_of("Parent");
        let tag = sheet.tag("Parent").unwrap_or_default();
        if circles[at] {
            let what = format!("the tags Parent form a circle: `{tag}` leads back to this sheet");
            return Problem::at("cycle", what, origin);
        }
        Problem::at("missing-sheet", lacks(tag), origin)
    }

    fn place(&self, at: usize, parent: usize) -> Result<ParentPlace, Problem> {
        let sheet = &self.sheets[at].kept;
        let step = Step::of(sheet.last_step());
        self.resolve(parent, &step, sheet.place_of("Parent"))
    }

    /// The plies of a sheet, read if they are not in memory.
    fn plies(&self, sheet: usize) -> &Plies {
        let member = &self.sheets[sheet];
        member.plies.get_or_init(|| {
            let plies = Plies::of(&member.kept);
            let mut known = self.known.borrow_mut();
            known.0.push(sheet);
            known.1 += plies.len();
            plies
        })
    }

    fn resolve(
        &self,
        parent: usize,
        step: &Step<'_>,
        origin: Origin,
    ) -> Result<ParentPlace, Problem> {
        let bad = |what: String| Err(Problem::at("bad-parent", what, origin));
        let outer = &self.sheets[parent].kept;
        if let Some(boards) = boards_of(outer) {
            return match board_named(step.label, boards) {
                Some(board) if step.square.is_none() => Ok(ParentPlace::Board(board)),
                _ => bad(format!(
                    "`{}` is none of the {boards} boards of that game",
                    step.label
                )),
            };
        }
        if is_of_turns(outer) {
            return match is_address(step.label.as_bytes()) && step.square.is_none() {
                true => Ok(ParentPlace::Within(step.label.into())),
                false => bad(format!(
                    "`{}` is no mega-square, such as A2, of that game",
                    step.label
                )),
            };
        }
        let plies = self.plies(parent);
        let label = step.label.to_ascii_lowercase();
        let Some(at) = plies.named(&label) else {
            return bad(format!(
                "there is no ply `{}` on the sheet that this one belongs to",
                step.label
            ));
        };
        if let Some(square) = step.square {
            return match overboard_games::overchess::square_named(square) {
                Some(_) => Ok(ParentPlace::Behind(at, square.into())),
                None => bad(format!("`{square}` is not a square")),
            };
        }
        let Some(square) = plies.attacked(at) else {
            let ply = written(outer, at);
            return bad(format!(
                "the ply {label}, `{ply}`, is no attack; the step `{label}.e5` would name a square"
            ));
        };
        // Under fog a sub-game is played after the reply to the attack.
        let outermost = &self.sheets[self.root(parent)].kept;
        let fog = outermost
            .tag("Rules")
            .is_some_and(|rules| rules.split(':').any(|item| item == "fog"));
        let behind = if fog && at + 1 < plies.len() {
            at + 1
        } else {
            at
        };
        Ok(ParentPlace::Behind(behind, square))
    }

    /// The outermost sheet of the game that a sheet belongs to.
    pub(crate) fn root(&self, at: usize) -> usize {
        self.sheets[at].root.unwrap_or(at)
    }

    /// Gives a sheet its place; a second one at the same place is another sheet of the same game, which is returned.
    fn seat(&mut self, at: usize, parent: usize, place: ParentPlace) -> Option<usize> {
        if let Some(known) = self.seats.get(&(parent, place.clone())).copied() {
            self.unite(known, at);
            return Some(known);
        }
        self.seats.insert((parent, place.clone()), at);
        self.sheets[parent].children.push(at);
        self.sheets[at].parent = Some(parent);
        self.sheets[at].root = Some(self.root(parent));
        self.sheets[at].place = place;
        None
    }
}

/// What the search for the parent of a sheet has found.
enum Search {
    /// The parent.
    Found(usize),
    /// What has to be found before.
    Awaits(Awaited),
}

/// What a sheet waits for.
#[derive(PartialEq, Eq, Hash)]
enum Awaited {
    /// That this sheet has a parent.
    Sheet(usize),
    /// That a sheet is seated at this place of that one.
    Seat(usize, ParentPlace),
    /// That this sheet has more plies, by another of the same game.
    Plies(usize),
}

/// Sheets whose parents are sought, in rounds: one that waits is looked at again when what it waits for is there, after
/// all others of its round.
struct Queue {
    next: BTreeSet<(usize, usize)>,
    /// The round, and the sheet that was taken last.
    now: (usize, usize),
    waiting: HashMap<Awaited, Vec<usize>>,
}

impl Queue {
    fn of(sheets: Vec<usize>) -> Self {
        Self {
            next: sheets.into_iter().map(|at| (0, at)).collect(),
            now: (0, 0),
            waiting: HashMap::new(),
        }
    }

    fn next(&mut self) -> Option<usize> {
        self.now = self.next.pop_first()?;
        Some(self.now.1)
    }

    /// Keeps a sheet until what it waits for is there.
    fn keep(&mut self, at: usize, what: Awaited) {
        self.waiting.entry(what).or_default().push(at);
    }

    fn wake(&mut self, what: &Awaited) {
        let (round, last) = self.now;
        for at in self.waiting.remove(what).unwrap_or_default() {
            let later = usize::from(at < last);
            self.next.insert((round + later, at));
        }
    }

    /// The sheets that wait for ever, in order.
    fn left(self) -> Vec<usize> {
        let mut left: Vec<usize> = self.waiting.into_values().flatten().collect();
        left.sort_unstable();
        left
    }
}

/// What is wrong where a sheet is missing that a tag Parent names.
fn lacks(tag: &str) -> String {
    let (outer, _) = tag.rsplit_once('/').unwrap_or((tag, ""));
    format!("the sheet `{outer}`, which this one belongs to, is not among these")
}
