//! Where each sheet belongs: the sheet that its tag Parent names, and the place in it.

use super::{
    SheetBundle, boards_of, is_of_turns,
    plies::{Plies, written},
};
use crate::{Origin, Problem, Tagged as _};
use overboard_formats::{parse::is_address, san::board_index};
use std::collections::HashMap;

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
        text.split_once('.').map_or(
            Self {
                label: text,
                square: None,
            },
            |(label, square)| Self {
                label,
                square: Some(square),
            },
        )
    }
}

impl SheetBundle {
    /// Finds the parents of these sheets, round by round; returns what is wrong with those that have none.
    pub(super) fn attach(
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
                self.forget_plies(MOST_KNOWN);
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
                self.forget_plies(0);
                return problems;
            }
            waiting = later;
        }
    }

    /// Drops the plies of all sheets from memory if there are more than `most`: they can be read again.
    fn forget_plies(&mut self, most: usize) {
        let (known, plies) = self.known.get_mut();
        if *plies > most {
            known
                .drain(..)
                .for_each(|at| drop(self.sheets[at].plies.take()));
            *plies = 0;
        }
    }

    /// The sheet that another belongs to; `None` where it is not known yet.
    fn parent_of(
        &self,
        at: usize,
        by_id: &HashMap<String, usize>,
        attached: &[bool],
    ) -> Result<Option<usize>, Problem> {
        let sheet = &self.sheets[at].kept;
        let reported = sheet.tag("Parent").unwrap_or_default();
        let steps: Vec<_> = reported.split('/').collect();
        let bad = |what: String| Problem::at("bad-parent", what, sheet.place_of("Parent"));
        let [id, steps @ .., _] = &steps[..] else {
            let what = format!(
                "the tag Parent is the GameId of another sheet and the way from there, such as `7/12w` or `7/B`, not `{reported}`"
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
            return Ok(None);
        }
        let mut parent = base;
        for step in steps {
            let step = Step::of(step);
            let Ok(place) = self.resolve(parent, &step, sheet.place_of("Parent")) else {
                return Ok(None);
            };
            let Some(child) = self.seats.get(&(parent, place)) else {
                return Ok(None);
            };
            parent = *child;
        }
        Ok(Some(parent))
    }

    /// What is wrong with a sheet whose parent is not found.
    fn lost(&self, at: usize, by_id: &HashMap<String, usize>) -> Problem {
        let sheet = &self.sheets[at].kept;
        let origin = sheet.place_of("Parent");
        let reported = sheet.tag("Parent").unwrap_or_default();
        let base = |at: usize| {
            let reported = self.sheets[at].kept.tag("Parent")?;
            by_id.get(reported.split('/').next()?).copied()
        };
        let mut now = at;
        for _ in 0..self.sheets.len() {
            match base(now) {
                Some(next) if next == at => {
                    let what = format!(
                        "the tags Parent form a circle: `{reported}` leads back to this sheet"
                    );
                    return Problem::at("cycle", what, origin);
                }
                Some(next) => now = next,
                None => break,
            }
        }
        let outer = reported
            .rsplit_once('/')
            .map_or(reported, |(outer, _)| outer);
        Problem::at(
            "missing-sheet",
            format!("the sheet `{outer}`, which this one belongs to, is not among these"),
            origin,
        )
    }

    fn place(&self, at: usize, parent: usize) -> Result<ParentPlace, Problem> {
        let sheet = &self.sheets[at].kept;
        let step = sheet
            .tag("Parent")
            .and_then(|reported| reported.rsplit('/').next())
            .unwrap_or_default();
        self.resolve(parent, &Step::of(step), sheet.place_of("Parent"))
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
            let board = board_index(step.label.as_bytes())
                .map(usize::from)
                .filter(|board| *board < boards);
            return match board.filter(|_| step.square.is_none()) {
                Some(board) => Ok(ParentPlace::Board(board)),
                None => bad(format!(
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
        let plies = self.sheets[parent].plies.get_or_init(|| {
            let plies = Plies::of(outer);
            let mut known = self.known.borrow_mut();
            known.0.push(parent);
            known.1 += plies.len();
            plies
        });
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
    pub(super) fn root(&self, mut at: usize) -> usize {
        while let Some(parent) = self.sheets[at].parent {
            at = parent;
        }
        at
    }

    /// Gives a sheet its place; a second one at the same place is another sheet of the same game.
    fn seat(&mut self, at: usize, parent: usize, place: ParentPlace) {
        if let Some(known) = self.seats.get(&(parent, place.clone())) {
            return self.unite(*known, at);
        }
        self.seats.insert((parent, place.clone()), at);
        self.sheets[parent].children.push(at);
        self.sheets[at].parent = Some(parent);
        self.sheets[at].place = place;
    }
}
