//! Judges sheets together, as the one record that they make; each finding is reported on the sheet that it is about.
//!
//! A sheet alone does not say everything. On linked boards pieces arrive from others; the individuals of an inner
//! over-game are those that are left in it. So sheets that belong together are judged as their record is (GEN-12),
//! including what only sheets have, and a sheet whose tag Around describes the game around it is judged in that game.

use super::{
    Items, Problem, Tagged,
    bundle::{SheetBundle, boards_of, is_of_boards, is_of_turns, turns::is_marked},
    inside::Inside,
    judging::{Judging, Tally, column},
    text,
};
use overboard_formats::{
    record::Node,
    san::board_index,
    span::{Span, TextSpan},
};
use overboard_referee::{
    Options,
    finding::{self as code, Code, EveryActJudged, Finding, MISSING_RESULT, Severity, Verdict},
    report::{GameResult, Report},
};
use overboard_rules::general as common;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

mod lost_games;
mod rivals;
mod so_far;
mod turns;

/// Why the sheet of a board is not judged by itself.
pub const NO_ROOT: &str = "the outermost sheet of its game is not among these";

/// Kinds of findings about tags by themselves: those that a tag has on any sheet.
const OF_TAGS: [&Code; 3] = [
    &code::TAG_VALUE,
    &code::DUPLICATE_TAG,
    &code::BAD_TIME_CONTROL,
];

impl SheetBundle {
    /// Judges together the sheets that belong together, a game at a time and in little more memory than its sheets take.
    /// `reports` holds the report on each sheet as a record of its own, in the order in which sheets were added; where
    /// judging together gives another verdict, the report is replaced. Its findings then have no excerpts, and columns
    /// count bytes.
    pub fn judge(mut self, options: &Options, reports: &mut [Report]) {
        let (roots, orphans) = self.families();
        for root in roots {
            let family = self.family(root);
            let kept = &self.sheets[root].kept;
            let has_boards = is_of_turns(kept) && kept.tag("GameId").is_some();
            let is_split = has_boards && is_marked(kept) && self.sheets[root].rivals.is_empty();
            // One sheet, and what is the same game, stand for themselves.
            if family.len() == 1 && !is_split {
                continue;
            }
            if family.iter().any(|at| !self.sheets[*at].rivals.is_empty()) {
                self.judge_rivals(&family, options, reports);
                continue;
            }
            let sheets = self.sheets_of(&family);
            if let Some(boards) = boards_of(&self.sheets[root].kept)
                && self.sheets[root].kept.tag("GameId").is_some()
            {
                self.judge_boards(root, boards, &sheets, options, reports);
                continue;
            }
            if has_boards {
                self.judge_turns(root, &family, &sheets, options, reports);
                continue;
            }
            match self.put_together(root) {
                Ok(whole) => self.judge_games(root, &sheets, &whole, options, reports),
                Err(problems) => {
                    for problem in &problems {
                        blame(problem, reports, options);
                    }
                }
            }
        }
        self.judge_orphans(&orphans, options, reports);
    }

    /// Judges the record that sheets make; whether anything is known of it at its end.
    fn judge_together<'w>(
        &self,
        root: usize,
        sheets: &[usize],
        items: &dyn Fn() -> Items<'w>,
        options: &Options,
        reports: &mut [Report],
    ) -> bool {
        let members = sheets.iter().map(|at| &self.sheets[*at]);
        let tallies = members
            .map(|member| (member.file, Tally::of(member.first)))
            .collect();
        judge_whole(items, tallies, self.sheets[root].file, options, reports)
    }

    /// The sheets of a family, merged ones included.
    fn sheets_of(&self, family: &[usize]) -> Vec<usize> {
        let mut sheets = Vec::new();
        for at in family {
            sheets.push(*at);
            sheets.extend(&self.sheets[*at].united);
        }
        sheets
    }

    /// Judges sheets whose outer sheets are missing, if their tag Around describes the game around them.
    fn judge_orphans(&self, orphans: &[Problem], options: &Options, reports: &mut [Report]) {
        let mut missing = HashSet::new();
        for problem in orphans {
            match problem.code {
                "unknown-parent" => {}
                // One sheet that is missing is one error, however many belong to it.
                "missing-sheet" if !missing.insert(&problem.message) => {
                    let report = &mut reports[problem.origin.file];
                    remark(
                        report,
                        problem.origin.place,
                        problem.message.clone(),
                        options,
                    );
                }
                _ => blame(problem, reports, options),
            }
        }
        for member in &self.sheets {
            if member.parent.is_some() || member.kept.tag("Parent").is_none() {
                continue;
            }
            // What such a sheet holds depends on boards of which nothing is known.
            let is_split = is_of_turns(&member.kept) && is_marked(&member.kept);
            if is_split || is_of_a_board(&member.kept) {
                withhold(
                    &mut reports[member.file],
                    member.parent_tag,
                    NO_ROOT,
                    options,
                );
            } else if let Some(inside) = Inside::of(&member.kept) {
                let tallies = [(member.file, Tally::of(member.first))]
                    .into_iter()
                    .collect();
                judge_whole(&|| inside.items(), tallies, usize::MAX, options, reports);
            }
        }
    }
}

/// Judges a record made of sheets, and replaces their reports; whether anything is known of it at its end. The record is made
/// anew each time that it is read.
fn judge_whole<'w>(
    items: &dyn Fn() -> Items<'w>,
    tallies: BTreeMap<usize, Tally>,
    root: usize,
    options: &Options,
    reports: &mut [Report],
) -> bool {
    let kept = kept_tags(items, tallies.keys().copied(), reports);
    let mut judging = Judging::of(tallies);
    let Some(heard) = judging.hear(items(), options) else {
        return false;
    };
    let (mut whole, is_judged) = (heard.report, heard.is_judged);
    let text: Option<Arc<str>> = if options.wholes && !whole.findings.is_empty() {
        Some(text::written(items()).into())
    } else {
        None
    };
    judging.place(
        std::mem::take(&mut whole.findings),
        items,
        root,
        options.limits,
    );
    if let Some(alone) = reports.get(root) {
        miss_result_at_root(&mut judging.tallies, root, alone);
    }
    let shown_as = shown_as(root, judging.tallies.keys(), reports);
    for (file, mut tally) in judging.tallies {
        let report = &mut reports[file];
        report.shown_as = shown_as.unwrap_or(report.shown_as);
        report.whole.clone_from(&text);
        let kept = kept.get(&file).map(Vec::as_slice).unwrap_or_default();
        report
            .findings
            .retain(|finding| is_of_an_own_tag(finding, kept));
        tally.findings.append(&mut report.findings);
        let is_proven = if file == root {
            (report.result, report.plies) = (whole.result.clone(), whole.plies);
            report.unjudged_from.clone_from(&whole.unjudged_from);
            report.notes_counted = whole.notes_counted;
            is_judged
        } else {
            conclude(report, &mut tally);
            report.unjudged_from.is_none()
        };
        report.findings = tally.findings;
        settle(report, EveryActJudged::if_so(is_proven));
    }
    heard.is_known
}

/// Takes over what was counted of a sheet within another one.
fn conclude(report: &mut Report, tally: &mut Tally) {
    let record = report.result.record.take();
    report.result = tally.result.take().unwrap_or(GameResult {
        record,
        ..GameResult::default()
    });
    report.plies = tally.plies;
    report.unjudged_from = tally.unjudged.take();
    report.notes_counted = 0;
}

/// Whether a finding is about a tag that only the sheet has; these are those that the record has, too.
fn is_of_an_own_tag(finding: &Finding, kept: &[Span]) -> bool {
    let at = finding.place.span.from;
    let is_here = |tag: &Span| tag.from <= at && at < tag.to.max(tag.from + 1);
    is_of_a_tag(finding) && !kept.iter().any(is_here)
}

/// The result that is missing after a record is missing on the outermost sheet, whichever sheet has the last word.
fn miss_result_at_root(tallies: &mut BTreeMap<usize, Tally>, root: usize, alone: &Report) {
    let is_missing = |finding: &Finding| finding.code == &MISSING_RESULT;
    let Some(own) = alone.findings.iter().find(|finding| is_missing(finding)) else {
        return;
    };
    for (file, tally) in &mut *tallies {
        if *file != root {
            tally.findings.retain(|finding| !is_missing(finding));
        }
    }
    if let Some(tally) = tallies.get_mut(&root)
        && !tally.findings.iter().any(is_missing)
    {
        tally.findings.push(own.clone());
    }
}

/// In which game the moments of a record made of sheets are found, unless that is each sheet itself.
fn shown_as<'a>(
    root: usize,
    mut files: impl Iterator<Item = &'a usize>,
    reports: &[Report],
) -> Option<Option<u64>> {
    let outermost = reports.get(root)?;
    let are_together = files.all(|file| reports[*file].file == outermost.file);
    Some(if are_together {
        outermost.shown_as
    } else {
        None
    })
}

/// Where the tags in a record stand on their sheets, of those sheets with whose tags something is wrong.
fn kept_tags<'w>(
    items: &dyn Fn() -> Items<'w>,
    files: impl Iterator<Item = usize>,
    reports: &[Report],
) -> HashMap<usize, Vec<Span>> {
    let asked: HashSet<_> = files
        .filter(|file| reports[*file].findings.iter().any(is_of_a_tag))
        .collect();
    let mut kept: HashMap<_, Vec<_>> = HashMap::new();
    if asked.is_empty() {
        return kept;
    }
    for (node, origin) in items() {
        if matches!(node, Node::Tag(..)) && asked.contains(&origin.file) {
            kept.entry(origin.file).or_default().push(origin.place.span);
        }
    }
    kept
}

fn is_of_a_tag(finding: &Finding) -> bool {
    OF_TAGS.contains(&finding.code)
}

/// Puts the findings of a report in their order, and gives it the verdict that follows from them.
fn settle(report: &mut Report, proof: Option<EveryActJudged>) {
    report.findings.sort_by_key(Finding::turn);
    report.verdict = Verdict::of(&report.findings, proof);
}

/// Adds findings to a report.
fn add(report: &mut Report, findings: impl IntoIterator<Item = Finding>) {
    report.findings.extend(findings);
    settle(report, None);
}

/// The result of a report is no longer judged.
fn forget_result(report: &mut Report) {
    report.result.judged = None;
    report.result.rule = None;
}

/// What keeps a sheet from being judged with the others.
fn blame(problem: &Problem, reports: &mut [Report], options: &Options) {
    let Some(report) = reports.get_mut(problem.origin.file) else {
        return;
    };
    let mut others = problem.others.iter();
    let beside = others.find(|(origin, _)| origin.file == problem.origin.file);
    let also = beside.map(|(origin, what)| (origin.place, what.as_str().into(), None));
    let finding = loose(problem.origin.place, problem.message.clone(), options)
        .map(|finding| Finding { also, ..finding });
    add(report, finding);
}

/// The same as a note: what is wrong on one sheet is an error there, and what follows from it for others is none on theirs.
fn remark(report: &mut Report, place: TextSpan, message: String, options: &Options) {
    let note = loose(place, message, options).map(|finding| Finding {
        severity: Severity::Note,
        ..finding
    });
    if options.count_notes {
        report.notes_counted += u32::from(note.is_some());
        settle(report, None);
    } else {
        add(report, note);
    }
}

/// Nothing needs to be said of what is not judged where it is said which sheet is missing.
fn drop_doubts(files: impl Iterator<Item = usize>, reports: &mut [Report]) {
    let says_why = |finding: &Finding| {
        finding.code != &code::OPEN_PLY || finding.rule != Some(&common::JUDGED)
    };
    for file in files {
        let report = &mut reports[file];
        let known = report.findings.len();
        report.findings.retain(says_why);
        if report.findings.len() < known {
            settle(report, None);
        }
    }
}

/// A sheet of linked boards is not judged alone.
fn withhold(report: &mut Report, place: TextSpan, why: &str, options: &Options) {
    let is_said = |finding: &Finding| finding.code == &code::LOOSE_SHEET;
    let is_kept = |finding: &Finding| is_said(finding) || is_of_a_tag(finding);
    report.findings.retain(is_kept);
    if !report.findings.iter().any(is_said) {
        let message = format!("this sheet is not judged: {why}");
        report.findings.extend(loose(place, message, options));
    }
    forget_result(report);
    report.unjudged_from = Some("the first move".into());
    report.notes_counted = 0;
    settle(report, None);
}

fn loose(place: TextSpan, message: String, options: &Options) -> Option<Finding> {
    let found = found(&code::LOOSE_SHEET, place, message, options)?;
    Some(Finding {
        rule: Some(&common::OWN_RECORD),
        ..found
    })
}

/// What is found at a place, if that is wanted.
fn found(
    code: &'static Code,
    place: TextSpan,
    message: String,
    options: &Options,
) -> Option<Finding> {
    let severity = options.weights.of(code)?;
    Some(Finding {
        column: column(place),
        ..Finding::new(code, severity, place, message)
    })
}

/// Whether a sheet is that of one of linked boards.
pub fn is_of_a_board(sheet: &impl Tagged) -> bool {
    let step = sheet.last_step();
    is_of_boards(sheet) && sheet.tag("Boards").is_none() && board_index(step.as_bytes()).is_some()
}
