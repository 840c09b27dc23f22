//! Judges sheets together, as the one record that they make; each finding is reported on the sheet that it is about.
//!
//! A sheet alone does not say everything. On linked boards pieces arrive from others; the individuals of an inner
//! over-game are those that are left in it. So sheets that belong together are judged as their record is (GEN-12),
//! including what only sheets have, and a sheet whose tag Around describes the game around it is judged in that game.

use super::{
    Items, Origin, Problem, Tagged,
    bundle::{
        SheetBundle, boards_of, is_of_boards, is_of_turns,
        turns::{Turns, is_marked},
    },
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

/// Sheets that are judged together: those of a game. Where their outermost sheet is missing, none are members.
struct FamilyJudge<'j> {
    bundle: &'j SheetBundle,
    /// The file of the outermost sheet; `usize::MAX` if that is missing.
    root: usize,
    /// Outer ones before inner ones.
    members: Vec<usize>,
    /// The same with those that are merged into them.
    sheets: Vec<usize>,
    options: &'j Options,
    /// The reports on all sheets of the bundle.
    reports: &'j mut [Report],
}

impl SheetBundle {
    /// Judges together the sheets that belong together, a game at a time and in little more memory than its sheets take.
    /// `reports` holds the report on each sheet as a record of its own, in the order in which sheets were added; where
    /// judging together gives another verdict, the report is replaced. Its findings then have no excerpts, and columns
    /// count bytes.
    pub fn judge(mut self, options: &Options, reports: &mut [Report]) {
        let (roots, orphans) = self.families();
        for root in roots {
            self.judge_family(root, options, reports);
        }
        self.judge_of(Vec::new(), options, reports)
            .judge_orphans(&orphans);
    }

    /// Judges the sheets of a game.
    fn judge_family(&mut self, root: usize, options: &Options, reports: &mut [Report]) {
        let family = self.family(root);
        let kept = &self.sheets[root].kept;
        let has_id = kept.tag("GameId").is_some();
        let has_boards = is_of_turns(kept) && has_id;
        let is_split = has_boards && is_marked(kept) && self.sheets[root].rivals.is_empty();
        // One sheet, and what is the same game, stand for themselves.
        if family.len() == 1 && !is_split {
            return;
        }
        if family.iter().any(|at| !self.sheets[*at].rivals.is_empty()) {
            return self.judge_of(family, options, reports).judge_rivals();
        }
        if let Some(boards) = boards_of(kept)
            && has_id
        {
            let (boards, missing) = self.boards(root, boards);
            self.judge_of(family, options, reports)
                .judge_boards(boards, missing);
        } else if has_boards {
            let turns = Turns::of(self.ways_to_boards(&family));
            self.judge_of(family, options, reports).judge_turns(turns);
        } else {
            let whole = self.put_together(root);
            let mut judge = self.judge_of(family, options, reports);
            match whole {
                Ok(whole) => judge.judge_games(&whole),
                Err(problems) => {
                    for problem in &problems {
                        judge.blame(problem);
                    }
                }
            }
        }
    }

    /// A judge of these sheets, the outermost first.
    fn judge_of<'j>(
        &'j self,
        members: Vec<usize>,
        options: &'j Options,
        reports: &'j mut [Report],
    ) -> FamilyJudge<'j> {
        let root = members.first().map(|root| self.sheets[*root].file);
        let mut sheets = Vec::new();
        for at in &members {
            sheets.push(*at);
            sheets.extend(&self.sheets[*at].united);
        }
        FamilyJudge {
            bundle: self,
            root: root.unwrap_or(usize::MAX),
            members,
            sheets,
            options,
            reports,
        }
    }
}

impl FamilyJudge<'_> {
    /// Judges the record that the sheets make; whether anything is known of it at its end.
    fn judge_together<'w>(&mut self, items: &dyn Fn() -> Items<'w>) -> bool {
        self.judge_under(self.options, items)
    }

    /// The same with other options.
    fn judge_under<'w>(&mut self, options: &Options, items: &dyn Fn() -> Items<'w>) -> bool {
        let members = self.sheets.iter().map(|at| &self.bundle.sheets[*at]);
        let tallies = members.map(|member| (member.file, Tally::of(member.first)));
        self.judge_whole(items, tallies.collect(), options)
    }

    /// The reports on the sheets.
    fn reports_on(&self) -> HashMap<usize, Report> {
        let files = self.sheets.iter().map(|at| self.bundle.sheets[*at].file);
        files
            .map(|file| (file, self.reports[file].clone()))
            .collect()
    }

    /// Puts reports back.
    fn restore(&mut self, reports: HashMap<usize, Report>) {
        for (file, report) in reports {
            self.reports[file] = report;
        }
    }

    /// Judges sheets whose outer sheets are missing, if their tag Around describes the game around them.
    fn judge_orphans(&mut self, orphans: &[Problem]) {
        let mut missing = HashSet::new();
        for problem in orphans {
            match problem.code {
                "unknown-parent" => {}
                // One sheet that is missing is one error, however many belong to it.
                "missing-sheet" if !missing.insert(&problem.message) => {
                    let Origin { file, place } = problem.origin;
                    self.remark(file, place, problem.message.clone());
                }
                _ => self.blame(problem),
            }
        }
        for (at, member) in self.bundle.sheets.iter().enumerate() {
            if member.parent.is_some() || member.kept.tag("Parent").is_none() {
                continue;
            }
            // What such a sheet holds depends on boards of which nothing is known.
            let is_split = is_of_turns(&member.kept) && is_marked(&member.kept);
            if is_split || is_of_a_board(&member.kept) {
                self.withhold(at, NO_ROOT);
            } else if let Some(inside) = Inside::of(&member.kept) {
                let tallies = BTreeMap::from([(member.file, Tally::of(member.first))]);
                self.judge_whole(&|| inside.items(), tallies, self.options);
            }
        }
    }

    /// Judges a record made of sheets, and replaces their reports; whether anything is known of it at its end. The record is
    /// made anew each time that it is read.
    fn judge_whole<'w>(
        &mut self,
        items: &dyn Fn() -> Items<'w>,
        tallies: BTreeMap<usize, Tally>,
        options: &Options,
    ) -> bool {
        let (root, reports) = (self.root, &mut *self.reports);
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

    /// What keeps a sheet from being judged with the others.
    fn blame(&mut self, problem: &Problem) {
        let Origin { file, place } = problem.origin;
        let finding = self.loose(place, problem.message.clone());
        let Some(report) = self.reports.get_mut(file) else {
            return;
        };
        let mut others = problem.others.iter();
        let beside = others.find(|(origin, _)| origin.file == file);
        let also = beside.map(|(origin, what)| (origin.place, what.as_str().into(), None));
        add(report, finding.map(|finding| Finding { also, ..finding }));
    }

    /// The same as a note: what is wrong on one sheet is an error there, and what follows from it for others is none on theirs.
    fn remark(&mut self, file: usize, place: TextSpan, message: String) {
        let note = self.loose(place, message).map(|finding| Finding {
            severity: Severity::Note,
            ..finding
        });
        let report = &mut self.reports[file];
        if self.options.count_notes {
            report.notes_counted += u32::from(note.is_some());
            settle(report, None);
        } else {
            add(report, note);
        }
    }

    /// Nothing needs to be said of what is not judged where it is said which sheet is missing.
    fn drop_doubts(&mut self) {
        let says_why = |finding: &Finding| {
            finding.code != &code::OPEN_PLY || finding.rule != Some(&common::JUDGED)
        };
        for at in &self.sheets {
            let report = &mut self.reports[self.bundle.sheets[*at].file];
            let known = report.findings.len();
            report.findings.retain(says_why);
            if report.findings.len() < known {
                settle(report, None);
            }
        }
    }

    /// A sheet of linked boards is not judged alone.
    fn withhold(&mut self, at: usize, why: &str) {
        let member = &self.bundle.sheets[at];
        let message = format!("this sheet is not judged: {why}");
        let finding = self.loose(member.parent_tag, message);
        let report = &mut self.reports[member.file];
        let is_said = |finding: &Finding| finding.code == &code::LOOSE_SHEET;
        let is_kept = |finding: &Finding| is_said(finding) || is_of_a_tag(finding);
        report.findings.retain(is_kept);
        if !report.findings.iter().any(is_said) {
            report.findings.extend(finding);
        }
        forget_result(report);
        report.unjudged_from = Some("the first move".into());
        report.notes_counted = 0;
        settle(report, None);
    }

    fn loose(&self, place: TextSpan, message: String) -> Option<Finding> {
        let found = self.found(&code::LOOSE_SHEET, place, message)?;
        Some(Finding {
            rule: Some(&common::OWN_RECORD),
            ..found
        })
    }

    /// What is found at a place, if that is wanted.
    fn found(&self, code: &'static Code, place: TextSpan, message: String) -> Option<Finding> {
        let severity = self.options.weights.of(code)?;
        Some(Finding {
            column: column(place),
            ..Finding::new(code, severity, place, message)
        })
    }
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

/// Whether a sheet is that of one of linked boards.
pub fn is_of_a_board(sheet: &impl Tagged) -> bool {
    let step = sheet.last_step();
    is_of_boards(sheet) && sheet.tag("Boards").is_none() && board_index(step.as_bytes()).is_some()
}
