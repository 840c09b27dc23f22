//! Judges the sheets of linked boards as far as they go, where no order of all their plies is legal.

use super::{Problem, add, blame, forget_result, found, loose, withhold};
use crate::{
    Count, Items, Origin,
    bundle::{
        SheetBundle,
        boards::{Boards, SoFar},
    },
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

impl SheetBundle {
    /// Judges the sheets of a match on linked boards.
    pub(super) fn judge_boards(
        &mut self,
        root: usize,
        boards: usize,
        sheets: &[usize],
        options: &Options,
        reports: &mut [Report],
    ) {
        let (mut boards, missing) = self.boards(root, boards);
        let slips = boards.mend_foreign_numbers();
        self.judge_in_order(root, (&mut boards, missing), sheets, options, reports);
        for slip in &slips {
            report_wrong_number(slip, options, reports);
        }
    }

    /// Judges them in the order of their plies, as far as there is one.
    fn judge_in_order(
        &self,
        root: usize,
        (boards, missing): (&mut Boards, Vec<Option<Problem>>),
        sheets: &[usize],
        options: &Options,
        reports: &mut [Report],
    ) {
        let is_missing: Vec<_> = missing.iter().map(Option::is_some).collect();
        let missing: Vec<_> = missing.into_iter().flatten().collect();
        let unordered = match missing.first() {
            Some(problem) => Some(problem.clone()),
            None => boards.put_in_order().err(),
        };
        let Some(problem) = unordered else {
            let alone = if boards.is_by_time {
                self.reports_on(sheets, reports)
            } else {
                HashMap::new()
            };
            self.judge_together(root, sheets, &|| Box::new(boards.items()), options, reports);
            let accuses = alone
                .keys()
                .any(|file| reports[*file].verdict == Verdict::Illegal);
            // The times may be right and an earlier move of a sheet wrong.
            if accuses
                && let Ok(so_far) = boards.put_in_order_so_far(&is_missing)
                && !so_far.stops.is_empty()
            {
                for (file, report) in alone {
                    reports[file] = report;
                }
                self.judge_so_far(root, sheets, (boards, &so_far), options, reports);
            }
            return;
        };
        let Ok(so_far) = boards.put_in_order_so_far(&is_missing) else {
            blame(&problem, reports, options);
            return self.withhold_all(sheets, &problem.message, options, reports);
        };
        self.judge_so_far(root, sheets, (boards, &so_far), options, reports);
        for problem in &missing {
            blame(problem, reports, options);
        }
        if so_far.stops.is_empty() {
            blame(&problem, reports, options);
        }
    }

    /// Judges the sheets of a match as far as they were put in an order.
    fn judge_so_far(
        &self,
        root: usize,
        sheets: &[usize],
        (boards, so_far): (&Boards, &SoFar),
        options: &Options,
        reports: &mut [Report],
    ) {
        let items = || -> Items<'_> { Box::new(boards.items_so_far(so_far)) };
        let root_file = self.sheets[root].file;
        let recorded = match reports.get(root_file) {
            Some(report) => report.result.record.clone(),
            None => None,
        };
        self.judge_together(root, sheets, &items, options, reports);
        report_open_plies(&so_far.open, options, reports);
        for (stop, next) in &so_far.stops {
            if let Some((number, origin)) = next {
                let finding = why_it_stops(boards, so_far, stop, *origin, options);
                stop_judging(&mut reports[origin.file], number, finding);
            }
        }
        if let Some(report) = reports.get_mut(root_file) {
            let mut stops = so_far.stops.iter();
            let first = stops.find_map(|(_, next)| next.as_ref());
            leave_open(report, recorded, first.map(|(number, _)| number.as_str()));
        }
    }

    /// No sheet of a match is judged.
    pub(super) fn withhold_all(
        &self,
        sheets: &[usize],
        why: &str,
        options: &Options,
        reports: &mut [Report],
    ) {
        for at in sheets {
            let member = &self.sheets[*at];
            withhold(&mut reports[member.file], member.parent_tag, why, options);
        }
    }
}

/// A number that names another board is read as if it stood there without the name, a wrong ordinal as the right one.
pub(super) fn report_wrong_number(slip: &Problem, options: &Options, reports: &mut [Report]) {
    let Some(report) = reports.get_mut(slip.origin.file) else {
        return;
    };
    let message = slip.message.clone();
    let Some(finding) = found(&code::MOVE_NUMBER, slip.origin.place, message, options) else {
        return;
    };
    let is_error = finding.severity == Severity::Error;
    report.findings.push(finding);
    report.findings.sort_by_key(Finding::turn);
    if is_error {
        report.verdict = report.verdict.max(code::MOVE_NUMBER.verdict);
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

/// The finding about the ply before which a board stops.
fn why_it_stops(
    boards: &Boards,
    so_far: &SoFar,
    stop: &Stop,
    origin: Origin,
    options: &Options,
) -> Option<Finding> {
    let name = BoardName(stop.board);
    match &stop.why {
        Why::Missing => None,
        Why::HangsOn(other) => {
            let other = BoardName(*other);
            let message = format!(
                "board {name} is not judged from here on: it may depend on board {other}, which is not judged up to here"
            );
            loose(origin.place, message, options)
        }
        Why::Unreadable | Why::Unfit(_) => {
            let items = || boards.items_to(so_far, stop);
            match refusal(&items, origin, options) {
                Some(found) if stop.why == Why::Unreadable => Some(found),
                found => unfit(found, origin, options),
            }
        }
    }
}

/// Reports the plies that cross to a board that is not judged, with one finding on each sheet.
fn report_open_plies(open: &[(String, Origin)], options: &Options, reports: &mut [Report]) {
    let mut of_files: BTreeMap<usize, Vec<&(String, Origin)>> = BTreeMap::new();
    for ply in open {
        of_files.entry(ply.1.file).or_default().push(ply);
    }
    for (file, plies) in of_files {
        add(&mut reports[file], open_plies(&plies, options));
    }
}

/// Plies of a sheet that cross to a board that is not judged, as one finding at the first of them.
fn open_plies(plies: &[&(String, Origin)], options: &Options) -> Option<Finding> {
    let (first, origin) = plies.first()?;
    let more = more_cross(plies.len() - 1);
    let message = format!(
        "{first}: whether this is legal is open, since it crosses to a board that is not judged up to here{more}"
    );
    found(&code::OPEN_PLY, origin.place, message, options)
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

/// No order was found in which a ply is legal, and why the referee refuses it in the longest one.
fn unfit(refused: Option<Finding>, origin: Origin, options: &Options) -> Option<Finding> {
    let said = refused.as_ref().map(|finding| finding.message.as_it_came());
    let message = match said.and_then(|said| said.split_once(" is illegal: ")) {
        Some((ply, why)) => format!(
            "no order of the sheets was found in which {ply} is legal ({why}): this move, or one before it on this sheet or on one beside it, is wrong"
        ),
        None => "no order of the sheets was found in which this move is legal: it, or one before it on this sheet or on one beside it, is wrong".into(),
    };
    let own = found(&code::NO_ORDER, origin.place, message, options)?;
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
