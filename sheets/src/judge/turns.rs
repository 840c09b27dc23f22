//! Judges the sheets of the boards of Mega-Chess together, as far as their ordinals put them in an order.
//!
//! A ply that is on no sheet was played on some board whose sheet is missing, and nobody knows on which. So the match is
//! judged up to there. Then nothing is known of its turns any more, but each board of chess is still judged by itself.

use super::{FamilyJudge, add, is_of_a_tag, settle, so_far::leave_open};
use crate::{
    Origin, Problem,
    bundle::turns::{SoFar, Turns, lost::LostBoard, unseen::Unseen},
    packed::Packed,
};
use overboard_formats::limits::Limits;
use overboard_referee::{
    Options,
    finding::{Finding, Verdict},
    report::Report,
};
use overboard_rules::refusal::list;
use std::collections::HashMap;

/// Why the outermost sheet is not judged where no sheet has ordinals.
const NO_ORDINALS: &str =
    "the plies of its boards have no ordinals, so nobody knows in which turns they were played";

/// Why another sheet of the same board is not judged.
const MERGED: &str = "another sheet of this board is judged in its place";

impl FamilyJudge<'_> {
    /// Judges the sheets of a match of Mega-Chess.
    pub(super) fn judge_turns(&mut self, mut turns: Turns) {
        let slips = turns.correct();
        self.judge_in_turns(&turns);
        for slip in &slips {
            self.report_wrong_number(slip);
        }
    }

    /// Judges them by their ordinals, as far as these go.
    fn judge_in_turns(&mut self, turns: &Turns) {
        let Some(so_far) = turns.so_far() else {
            self.judge_together(&|| turns.items());
            return;
        };
        if so_far.problem.code == "missing-sheet"
            && let Some(unseen) = turns.unseen()
            && self.judge_with_unseen(turns, &unseen)
        {
            return;
        }
        if let Some(lost) = turns.lost_board()
            && self.judge_without(turns, &lost, &so_far)
        {
            return;
        }
        if turns.is_marked() {
            self.judge_turns_so_far(turns, &so_far);
        } else if !turns.is_whole() {
            for sheet in 0..self.members.len() {
                if turns.has_boards_inside(sheet) {
                    self.withhold(self.members[sheet], NO_ORDINALS);
                    self.withhold_copies(sheet, NO_ORDINALS);
                }
            }
        }
        self.blame(&so_far.problem);
    }

    /// What is merged into a sheet is not judged.
    fn withhold_copies(&mut self, sheet: usize, why: &str) {
        for copy in &self.bundle.sheets[self.members[sheet]].united {
            self.withhold(*copy, why);
        }
    }

    /// Judges the match with boards of which nothing is known but when moves were made there. Where so much is possible on
    /// these that nothing is known any more, nothing is changed.
    fn judge_with_unseen(&mut self, turns: &Turns, unseen: &Unseen) -> bool {
        let before = self.reports_on();
        let is_known = self.judge_together(&|| turns.items_with(unseen));
        // After an illegal move of a mega-piece nothing is known, either, but that is what there is to say.
        if is_known || self.reports[self.root].verdict == Verdict::Illegal {
            self.drop_doubts();
            self.blame(&missing_sheets(unseen, turns.root()));
            return true;
        }
        self.restore(before);
        false
    }

    /// Judges the match as far as its plies are in order, and the boards of chess by themselves after that.
    fn judge_turns_so_far(&mut self, turns: &Turns, so_far: &SoFar) {
        let alone = self.reports_on();
        let recorded = self.reports[self.root].result.record.clone();
        let limits = Limits {
            so_far: true,
            ..self.options.limits
        };
        let under_way = Options {
            limits,
            ..self.options.clone()
        };
        self.judge_under(&under_way, &|| turns.items_so_far(so_far));
        self.go_on_alone(turns, so_far, alone);
        let report = &mut self.reports[self.root];
        leave_open(report, recorded, Some(&so_far.number));
    }

    /// Judges a match of level 2 or more without one of its boards, whose sheets are judged by themselves. Where nothing is known
    /// then, or somebody would be accused, nothing is changed: it is not certain that the other sheets are right.
    fn judge_without(&mut self, turns: &Turns, lost: &LostBoard, so_far: &SoFar) -> bool {
        let alone = self.reports_on();
        let is_known = self.judge_together(&|| turns.items_without(lost));
        let is_accused = |file: &usize| {
            let verdict = self.reports[*file].verdict;
            matches!(verdict, Verdict::Illegal | Verdict::WrongResult)
        };
        if !is_known || alone.keys().any(is_accused) {
            self.restore(alone);
            return false;
        }
        self.drop_doubts();
        self.go_on_alone(turns, &turns.without(lost, so_far), alone);
        self.blame(&lost_board(lost, &so_far.problem, turns.root()));
        true
    }

    /// Judges sheets by themselves from where they are not judged together; `alone` is what is found on each by itself.
    fn go_on_alone(&mut self, turns: &Turns, so_far: &SoFar, mut alone: HashMap<usize, Report>) {
        for sheet in 0..self.members.len() {
            let member = &self.bundle.sheets[self.members[sheet]];
            let (file, is_mega) = (member.file, turns.has_boards_inside(sheet));
            if let Some(own) = alone.remove(&file)
                && let Some(stop) = so_far.stops[sheet]
            {
                self.reports[file].unjudged_from = Some(turns.number_at(sheet, stop));
                self.judge_alone_after(file, (!is_mega).then_some(own), stop, so_far);
            }
            for copy in &member.united {
                let file = self.bundle.sheets[*copy].file;
                if let Some(own) = alone.remove(&file) {
                    self.reports[file] = own;
                }
            }
            if is_mega {
                self.withhold_copies(sheet, MERGED);
            }
        }
    }

    /// From a place on a sheet is not judged with the others; `own` is what is found on it by itself, if it is that of a board
    /// of chess.
    fn judge_alone_after(
        &mut self,
        file: usize,
        own: Option<Report>,
        stop: Origin,
        so_far: &SoFar,
    ) {
        let problem = &so_far.problem.origin;
        // What is wrong is said there in any case.
        if (problem.file, problem.place) != (stop.file, stop.place) {
            let from_here = match own {
                Some(_) => "from here on this board is judged only by itself",
                None => "this sheet is not judged from here on",
            };
            let message = format!("{from_here}: {}", why(so_far));
            self.remark(file, stop.place, message);
        }
        let report = &mut self.reports[file];
        match own {
            Some(own) => {
                report.plies = own.plies;
                add(report, after(stop, own));
            }
            None => settle(report, None),
        }
    }
}

/// What is said of the boards without sheets, at the beginning of the outermost one.
fn missing_sheets(unseen: &Unseen, root: &Packed) -> Problem {
    let which = on_no_sheet(&unseen.ordinals);
    let message = match &unseen.homes[..] {
        [home] => format!(
            "the sheet of board {home} is not among these: {which} played there. The match is judged as far as it does not depend on that board"
        ),
        homes => {
            let homes = list(homes, "or");
            format!(
                "{which} played on {homes}, of which there are no sheets. The match is judged as far as it does not depend on these boards"
            )
        }
    };
    Problem::at("missing-sheet", message, root.origin())
}

fn on_no_sheet(plies: &[u64]) -> String {
    match plies {
        [ply] => format!("ply {ply} is on no sheet and was"),
        plies => format!("plies {} are on no sheet and were", numbers(plies)),
    }
}

/// What is said of a board that is lost: at the beginning of the outermost sheet if one is missing, else where the order of the
/// plies ends.
fn lost_board(lost: &LostBoard, problem: &Problem, root: &Packed) -> Problem {
    let said = why_it_is_lost(lost, problem);
    let home = &lost.home;
    let message =
        format!("{said}. The match is judged as far as it does not depend on board {home}");
    let is_missing = problem.code == "missing-sheet" && !lost.is_whole;
    let origin = if is_missing {
        root.origin()
    } else {
        problem.origin
    };
    Problem::at(problem.code, message, origin)
}

fn why_it_is_lost(lost: &LostBoard, problem: &Problem) -> String {
    let home = &lost.home;
    match problem.code {
        "missing-sheet" if lost.is_whole => {
            format!("an ordinal on a sheet of board {home}, or of one inside it, is wrong")
        }
        "missing-sheet" => {
            format!("the sheet of board {home}, or of one inside it, is not among these")
        }
        _ => problem.message.clone(),
    }
}

/// These numbers, the first few of many.
fn numbers(all: &[u64]) -> String {
    const FIRST: usize = 5;
    if all.len() <= FIRST + 1 {
        return list(all, "and");
    }
    let first: Vec<_> = all[..FIRST].iter().map(u64::to_string).collect();
    format!("{} and {} more", first.join(", "), all.len() - FIRST)
}

/// What is found on a sheet from a place on where it is judged by itself. It has no moment in the match.
fn after(stop: Origin, own: Report) -> impl Iterator<Item = Finding> {
    let later = own.findings.into_iter().filter(move |finding| {
        finding.place.span.from >= stop.place.span.from && !is_of_a_tag(finding)
    });
    later.map(|finding| Finding {
        moment: None,
        ..finding
    })
}

/// Why the match is not judged on.
fn why(so_far: &SoFar) -> &'static str {
    match so_far.problem.code {
        "missing-sheet" => "a ply that was played before this one is on no sheet",
        _ => "the order of the plies before this one is not known",
    }
}
