//! Judges a game of Overchess in which sheets of sub-games are missing.
//!
//! What the armies of such a sub-game have left is not known, but who won it may follow from the over-moves after it. So
//! results are tried, and those are taken with which the over-game goes on longest. An over-move that none of them allows
//! accuses nobody: one before it may be wrong, and was legal only with another result.

use super::{FamilyJudge, settle};
use crate::{Item, Items, Origin, Problem, bundle::Whole};
use overboard_formats::{lex::Prose, parse::Open, record::Node};
use overboard_games::overchess::laws::{ATTACK, FOG_ORDER};
use overboard_referee::{
    finding::{self as code, Finding, Verdict},
    report::Report,
};
use std::{collections::HashMap, iter::Peekable};

/// How often a game is judged at most: all results of some sixteen sub-games of which the next over-moves show who won.
const MOST_TRIALS: usize = 48;

/// A sub-game without a sheet, and the result that it is taken to have.
#[derive(Clone)]
struct Lost {
    /// The item before which it belongs, on the sheet of the game around it.
    before: Origin,
    on: String,
    result: String,
}

impl Lost {
    /// Whether something on the sheet of the over-game comes after it.
    fn is_before(&self, file: usize, finding: &Finding) -> bool {
        self.before.file == file && self.before.place.span.from <= finding.place.span.from
    }
}

/// The game judged with results for some of the sub-games that are lost.
struct Judging {
    lost: Vec<Lost>,
    stop: Stop,
}

/// How far the over-games can be judged.
enum Stop {
    /// To the end.
    End,
    /// To another sub-game that is lost, and what it may be.
    Lost(u64, Vec<Lost>),
    /// To an over-move that cannot be: the sheet, and which of its findings says so.
    Illegal(u64, usize, usize),
    /// Nothing is known after the last result that was tried.
    Nothing,
}

impl Judging {
    /// How far it goes; offsets do not count by how much longer `1/2-1/2` is than other results.
    fn rank(&self) -> u64 {
        match self.stop {
            Stop::End => u64::MAX,
            Stop::Lost(at, _) | Stop::Illegal(at, ..) => {
                let longer = self.lost.iter().map(|lost| lost.result.len() as u64 - 3);
                at - longer.sum::<u64>()
            }
            Stop::Nothing => 0,
        }
    }
}

impl FamilyJudge<'_> {
    /// Judges the record of a game and the games within it.
    pub(super) fn judge_games(&mut self, whole: &Whole) {
        let alone = self.reports_on();
        let mut trials = vec![self.judge_with(Vec::new(), whole, &alone)];
        let mut judged = 1;
        while let Some(at) = trials.iter().position(is_open)
            && judged < MOST_TRIALS
        {
            let Stop::Lost(_, results) = std::mem::replace(&mut trials[at].stop, Stop::Nothing)
            else {
                break;
            };
            for result in results {
                let lost = [&trials[at].lost[..], &[result]].concat();
                trials.push(self.judge_with(lost, whole, &alone));
                judged += 1;
            }
            trials.sort_by_key(|judging| std::cmp::Reverse(judging.rank()));
        }
        let mut best = trials.swap_remove(0);
        if judged > 1 {
            best = self.judge_with(best.lost, whole, &alone);
        }
        if best.lost.is_empty() {
            return;
        }
        if let Stop::Illegal(_, file, finding) = best.stop {
            accuse_nobody(&mut self.reports[file], finding);
        }
        self.drop_doubts();
        for lost in &best.lost {
            self.blame(&missing_sheet(lost));
        }
    }

    /// Judges it with results for sub-games that are lost; `alone` is what is found on each sheet by itself.
    fn judge_with(
        &mut self,
        lost: Vec<Lost>,
        whole: &Whole,
        alone: &HashMap<usize, Report>,
    ) -> Judging {
        self.restore(alone.clone());
        let items = || -> Items<'_> { Box::new(WithLost::of(whole.items(), &lost)) };
        let is_known = self.judge_together(&items);
        let stop = self.stop_in(&lost, is_known);
        Judging { lost, stop }
    }

    /// Where the over-games of a record stop after the sub-games that were given results.
    fn stop_in(&self, lost: &[Lost], is_known: bool) -> Stop {
        let mut stop = if is_known || lost.is_empty() {
            Stop::End
        } else {
            Stop::Nothing
        };
        let mut first = u64::MAX;
        for at in &self.sheets {
            let file = self.bundle.sheets[*at].file;
            for (index, finding) in self.reports[file].findings.iter().enumerate() {
                let Some(here) = finding.in_whole.filter(|here| *here < first) else {
                    continue;
                };
                let is_accused = finding.code.verdict == Verdict::Illegal;
                if let Some(results) = results_of(finding, file) {
                    (first, stop) = (here, Stop::Lost(here, results));
                } else if is_accused && lost.iter().any(|lost| lost.is_before(file, finding)) {
                    (first, stop) = (here, Stop::Illegal(here, file, index));
                }
            }
        }
        stop
    }
}

/// Whether the search may go on from there.
fn is_open(judging: &Judging) -> bool {
    matches!(judging.stop, Stop::Lost(..))
}

/// The results that a sub-game may have, if a finding says that it is missing.
fn results_of(finding: &Finding, file: usize) -> Option<Vec<Lost>> {
    // Another sub-game comes next where the one that is due has no sheet.
    let is_of_order = finding.rule == Some(&ATTACK) || finding.rule == Some(&FOG_ORDER);
    if !is_of_order {
        return None;
    }
    let before = Origin {
        file,
        place: finding.place,
    };
    let results = finding.possible.iter().map(|block| {
        let (on, result) = block
            .strip_prefix('<')?
            .strip_suffix('>')?
            .split_once(": ")?;
        Some(Lost {
            before,
            on: on.into(),
            result: result.into(),
        })
    });
    let results: Vec<_> = results.collect::<Option<_>>()?;
    (!results.is_empty()).then_some(results)
}

/// An over-move that is legal with none of the results may be right, and one before it wrong.
fn accuse_nobody(report: &mut Report, nth: usize) {
    if let Some(finding) = report.findings.get_mut(nth) {
        let said = finding.message.as_it_came();
        let said = said.replacen(" is illegal: ", " cannot be (", 1);
        let message = format!(
            "{said}), whatever the result of a sub-game whose sheet is missing: this move, or one before it, is wrong"
        );
        finding.code = &code::OPEN_PLY;
        finding.message = message.into();
        finding.judge_on = None;
        finding.remedy = None;
    }
    settle(report, None);
}

fn missing_sheet(lost: &Lost) -> Problem {
    let Lost { before, on, result } = lost;
    let message = format!(
        "the sheet of the sub-game on {on} is not among these. It is taken as {result}, which fits the over-moves after it; what its armies have left is not known"
    );
    Problem::at("missing-sheet", message, *before)
}

/// The items of a record, with a block for each sub-game that is lost.
struct WithLost<'w> {
    items: Peekable<Items<'w>>,
    lost: Vec<Lost>,
    given: std::vec::IntoIter<Item>,
}

impl<'w> WithLost<'w> {
    fn of(items: Items<'w>, lost: &[Lost]) -> Self {
        Self {
            items: items.peekable(),
            lost: lost.to_vec(),
            given: Vec::new().into_iter(),
        }
    }

    /// The sub-games that belong before an item; a number stands before its ply.
    fn due(&mut self, (node, origin): &Item) -> Vec<Item> {
        let origin = match (node, self.items.peek()) {
            (Node::Number(_), Some((_, next))) => *next,
            _ => *origin,
        };
        let mut items = Vec::new();
        self.lost.retain(|lost| {
            let (here, before) = (origin.place.span.from, lost.before.place.span.from);
            let is_due = origin.file == lost.before.file && here == before;
            if is_due {
                items.extend(block(lost));
            }
            !is_due
        });
        items
    }
}

/// The block of a sub-game of which nothing is known but its result.
fn block(lost: &Lost) -> [Item; 4] {
    [
        Node::SubgameOpen(lost.on.clone()),
        Node::Prose(Prose::Brace, "[%unseen]".into()),
        Node::Result(lost.result.clone()),
        Node::BlockClose(Open::Subgame),
    ]
    .map(|node| (node, Origin::NOWHERE))
}

impl Iterator for WithLost<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if let Some(item) = self.given.next() {
            return Some(item);
        }
        let item = self.items.next()?;
        let mut items = self.due(&item);
        items.push(item);
        self.given = items.into_iter();
        self.given.next()
    }
}
