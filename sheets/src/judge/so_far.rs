//! Judges the sheets of linked boards as far as they go, where no order of all their plies is legal.

use super::{FamilyJudge, Problem, add, forget_result};
use crate::{
    Count, Items, Origin,
    bundle::boards::{Boards, SoFar},
    judging::{Judging, Tally},
    order::around::{Stop, Why},
};
use overboard_formats::foreign::Foreign;
use overboard_referee::{
    Options,
    finding::{self as code, Finding, Severity, Verdict},
    report::Report,
};
use overboard_rules::ply::BoardName;
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

impl FamilyJudge<'_> {
    /// Judges the sheets of a match on linked boards; `missing` says for each board what is wrong if its sheet is missing.
    pub(super) fn judge_boards(&mut self, mut boards: Boards, missing: Vec<Option<Problem>>) {
        let slips = boards.mend_foreign_numbers();
        self.judge_in_order(boards, missing);
        for slip in &slips {
            self.report_wrong_number(slip);
        }
    }

    /// Judges them in the order of their plies, as far as there is one.
    fn judge_in_order(&mut self, mut boards: Boards, missing: Vec<Option<Problem>>) {
        let is_missing: Vec<_> = missing.iter().map(Option::is_some).collect();
        let missing: Vec<_> = missing.into_iter().flatten().collect();
        let unordered = match missing.first() {
            Some(problem) => Some(problem.clone()),
            None => boards.put_in_order().err(),
        };
        let Some(problem) = unordered else {
            let alone = if boards.is_by_time {
                self.reports_on()
            } else {
                HashMap::new()
            };
            self.judge_together(&|| boards.items());
            let accuses = alone
                .keys()
                .any(|file| self.reports[*file].verdict == Verdict::Illegal);
            // The times may be right and an earlier move of a sheet wrong.
            if accuses
                && let Ok(so_far) = boards.put_in_order_so_far(&is_missing)
                && !so_far.stops.is_empty()
            {
                self.restore(alone);
                self.judge_so_far(&boards, &so_far);
            }
            return;
        };
        let Ok(so_far) = boards.put_in_order_so_far(&is_missing) else {
            self.blame(&problem);
            return self.withhold_all(&problem.message);
        };
        self.judge_so_far(&boards, &so_far);
        for problem in &missing {
            self.blame(problem);
        }
        if so_far.stops.is_empty() {
            self.blame(&problem);
        }
    }

    /// Judges the sheets of a match as far as they were put in an order.
    fn judge_so_far(&mut self, boards: &Boards, so_far: &SoFar) {
        let recorded = match self.reports.get(self.root) {
            Some(report) => report.result.record.clone(),
            None => None,
        };
        self.judge_together(&|| boards.items_so_far(so_far));
        self.report_open_plies(&so_far.open);
        for (stop, next) in &so_far.stops {
            if let Some((number, origin)) = next {
                let finding = self.why_it_stops(boards, so_far, stop, *origin);
                stop_judging(&mut self.reports[origin.file], number, finding);
            }
        }
        if let Some(report) = self.reports.get_mut(self.root) {
            let mut stops = so_far.stops.iter();
            let first = stops.find_map(|(_, next)| next.as_ref());
            leave_open(report, recorded, first.map(|(number, _)| number.as_str()));
        }
    }

    /// No sheet of a match is judged.
    pub(super) fn withhold_all(&mut self, why: &str) {
        for at in self.sheets.clone() {
            self.withhold(at, why);
        }
    }

    /// A number that names another board is read as if it stood there without the name, a wrong ordinal as the right one.
    pub(super) fn report_wrong_number(&mut self, slip: &Problem) {
        let Origin { file, place } = slip.origin;
        let finding = self.found(&code::MOVE_NUMBER, place, slip.message.clone());
        let (Some(report), Some(finding)) = (self.reports.get_mut(file), finding) else {
            return;
        };
        let is_error = finding.severity == Severity::Error;
        report.findings.push(finding);
        report.findings.sort_by_key(Finding::turn);
        if is_error {
            report.verdict = report.verdict.max(code::MOVE_NUMBER.verdict);
        }
    }

    /// The finding about the ply before which a board stops.
    fn why_it_stops(
        &self,
        boards: &Boards,
        so_far: &SoFar,
        stop: &Stop,
        origin: Origin,
    ) -> Option<Finding> {
        let name = BoardName(stop.board);
        match &stop.why {
            Why::Missing => None,
            Why::HangsOn(other) => {
                let other = BoardName(*other);
                let message = format!(
                    "board {name} is not judged from here on: it may depend on board {other}, which is not judged up to here"
                );
                self.loose(origin.place, message)
            }
            Why::Unreadable | Why::Unfit(_) => {
                let items = || boards.items_to(so_far, stop);
                match refusal(&items, origin, self.options) {
                    Some(found) if stop.why == Why::Unreadable => Some(found),
                    found => self.unfit(found, origin),
                }
            }
        }
    }

    /// Reports the plies that cross to a board that is not judged, with one finding on each sheet.
    fn report_open_plies(&mut self, open: &[(String, Origin)]) {
        let mut of_files: BTreeMap<usize, Vec<&(String, Origin)>> = BTreeMap::new();
        for ply in open {
            of_files.entry(ply.1.file).or_default().push(ply);
        }
        for (file, plies) in of_files {
            let finding = self.open_plies(&plies);
            add(&mut self.reports[file], finding);
        }
    }

    /// Plies of a sheet that cross to a board that is not judged, as one finding at the first of them.
    fn open_plies(&self, plies: &[&(String, Origin)]) -> Option<Finding> {
        let (first, origin) = plies.first()?;
        let more = more_cross(plies.len() - 1);
        let message = format!(
            "{first}: whether this is legal is open, since it crosses to a board that is not judged up to here{more}"
        );
        self.found(&code::OPEN_PLY, origin.place, message)
    }

    /// No order was found in which a ply is legal, and why the referee refuses it in the longest one.
    fn unfit(&self, refused: Option<Finding>, origin: Origin) -> Option<Finding> {
        let said = refused.as_ref().map(|finding| finding.message.as_it_came());
        let message = match said.and_then(|said| said.split_once(" is illegal: ")) {
            Some((ply, why)) => format!(
                "no order of the sheets was found in which {ply} is legal ({why}): this move, or one before it on this sheet or on one beside it, is wrong"
            ),
            None => "no order of the sheets was found in which this move is legal: it, or one before it on this sheet or on one beside it, is wrong".into(),
        };
        let own = self.found(&code::NO_ORDER, origin.place, message)?;
        Some(match refused {
            Some(refused) => Finding {
                rule: refused.rule,
                ply: refused.ply,
                number: refused.number,
                text: refused.text,
                possible: refused.possible,
                nearest: refused.nearest,
                board: refused.board,
                ..own
            },
            None => own,
        })
    }
}

/// The end of a match is not known, and from this number on the match is not judged.
pub(super) fn leave_open(
    report: &mut Report,
    recorded: Option<Foreign<Cow<'static, str>>>,
    from: Option<&str>,
) {
    report.result.record = recorded;
    forget_result(report);
    let of_an_end = [&code::UNKNOWN_RESULT, &code::MISSING_RESULT];
    let is_kept = |finding: &Finding| !of_an_end.contains(&finding.code);
    report.findings.retain(is_kept);
    if let Some(number) = from {
        stop_judging(report, number, None);
    }
}

/// What is on a sheet from this number on was not judged.
pub(super) fn stop_judging(report: &mut Report, number: &str, finding: Option<Finding>) {
    report.unjudged_from = Some(number.into());
    add(report, finding);
}

fn more_cross(plies: usize) -> String {
    match plies {
        0 => String::new(),
        1 => "; one more move crosses so".into(),
        more => format!("; {more} more moves cross so"),
    }
}

/// What the referee says against the last ply of a record made of sheets, which stands there.
fn refusal<'w>(
    items: &dyn Fn() -> Items<'w>,
    origin: Origin,
    options: &Options,
) -> Option<Finding> {
    let tallies = [(origin.file, Tally::of(Count::from(None)))];
    let mut judging = Judging::of(tallies.into_iter().collect());
    let heard = judging.hear(items(), options)?;
    judging.place(heard.report.findings, items, usize::MAX, options.limits);
    let tally = judging.tallies.remove(&origin.file)?;
    let is_there = |finding: &Finding| {
        finding.severity == Severity::Error && finding.place.span.from == origin.place.span.from
    };
    tally.findings.into_iter().rfind(is_there)
}
