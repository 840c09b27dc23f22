//! Judges sheets together, as the one record that they make; each finding is reported on the sheet that it is about.
//!
//! A sheet alone does not say everything. On linked boards pieces arrive from others; the individuals of an inner
//! over-game are those that are left in it. So sheets that belong together are judged as their record is (GEN-12),
//! including what only sheets have, and a sheet whose tag Around describes the game around it is judged in that game.

use super::{
    Count, Item, Origin, Problem, Sheet, Tagged,
    bundle::{SheetBundle, boards_of, is_of_boards},
    tags::{self, Kept, Supplied},
    text::{self, Rendered},
};
use crate::{
    AnyReferee, Options,
    finding::{self as code, Code, EveryActJudged, Finding, Severity, Verdict},
    report::{GameResult, Report},
};
use overboard_formats::{
    parse::{Event, Open, Parser},
    record::Node,
    san::board_index,
    span::{Span, TextSpan},
};
use overboard_games::{notation::ReadPosition, overchess, registry::Variant};
use overboard_rules::general as common;
use std::collections::BTreeMap;

/// Kinds of findings about tags by themselves: those that a tag has on any sheet.
const OF_TAGS: [&Code; 3] = [&code::TAG_VALUE, &code::DUPLICATE_TAG, &code::BAD_TIME_CONTROL];

/// The outcome of judging a sheet together with others.
struct Tally {
    /// Its plies.
    plies: u32,
    /// The number of the next ply, in a game of one board.
    count: Count,
    /// The number read last, while its ply is to come.
    number: Option<String>,
    /// The number of the first ply that was not judged.
    unjudged: Option<String>,
    result: Option<GameResult>,
    findings: Vec<Finding>,
}

impl Tally {
    fn of(sheet: &impl Tagged) -> Self {
        let count = Count::from(sheet.tag("FEN"));
        Self { plies: 0, count, number: None, unjudged: None, result: None, findings: Vec::new() }
    }

    /// A ply was made, or something that counts as one.
    fn made(&mut self, is_judged: bool) {
        let number = self.number.take().unwrap_or_else(|| self.count.dots());
        self.plies += 1;
        self.count.advance();
        if !is_judged {
            self.unjudged.get_or_insert(number);
        }
    }
}

/// A token of the text that is judged.
struct Token {
    from: u64,
    /// Of a ply of the main line, the how-manieth it is on its sheet.
    ply: Option<u32>,
}

/// Sheets being judged as one text.
struct Trial<'a> {
    rendered: &'a Rendered,
    tallies: BTreeMap<usize, Tally>,
    tokens: Vec<Token>,
    /// Whether any sheet has a ply that was not judged.
    has_unjudged: bool,
}

impl Trial<'_> {
    /// Judges the text. Returns the report on it as a whole, and whether every act was judged.
    fn hear(&mut self, options: &Options) -> Option<(Report, bool)> {
        let mut parser = Parser::new(self.rendered.text.as_bytes(), 0, options.limits);
        let options = Options { no_excerpts: true, ..options.clone() };
        // Only what is legal is spelt: so it is known from what is not judged.
        let mut referee = AnyReferee::spelling(options);
        loop {
            // Memory can be read.
            let event = parser.next().ok()?;
            let span = parser.place().span;
            let main = referee.is_at_main_line();
            let reported = referee.hear(event, &parser);
            match event {
                Event::Done => return None,
                Event::End => {
                    let known = referee.is_known();
                    let report = referee.take_report(&mut parser);
                    let judged = known && report.unjudged_from.is_none();
                    return Some((report, judged));
                }
                _ => {}
            }
            let file = self.rendered.origin(span.from).map(|origin| origin.file);
            let continues = matches!(event, Event::Prose(_, part) if !part.first);
            if !span.is_empty() && !continues && self.tokens.last().is_none_or(|last| last.from < span.from) {
                self.tokens.push(Token { from: span.from, ply: None });
            }
            let Some(tally) = file.and_then(|file| self.tallies.get_mut(&file)).filter(|_| main) else {
                continue;
            };
            match event {
                Event::Number => tally.number = Some(text_of(&parser, span)),
                Event::Ply => {
                    tally.made(reported.is_some());
                    let ply = tally.plies;
                    if let Some(token) = self.tokens.last_mut() {
                        token.ply = Some(ply);
                    }
                }
                Event::BlockClose(Open::Subgame) if tally.result.is_none() => {
                    tally.result = Some(referee.concluded());
                }
                Event::BlockClose(Open::Action) if !referee.is_known() => {
                    tally.unjudged.get_or_insert(tally.count.dots());
                }
                _ => {}
            }
            // Where an illegal act stands everything is known again.
            self.has_unjudged |= tally.unjudged.is_some();
            if self.has_unjudged && matches!(event, Event::Ply | Event::Prose(..)) && referee.is_known() {
                self.tallies.values_mut().for_each(|tally| tally.unjudged = None);
                self.has_unjudged = false;
            }
        }
    }

    /// Where something stands on its sheet, and on which.
    fn source(&self, place: TextSpan) -> Option<(usize, TextSpan, Option<u32>)> {
        let origin = self.rendered.origin(place.span.from)?;
        let behind = self.tokens.partition_point(|token| token.from <= place.span.from);
        let token = self.tokens.get(behind.checked_sub(1)?)?;
        let own = origin.place.span;
        let from = (own.from + (place.span.from - token.from)).min(own.to);
        let to = (from + place.span.len()).min(own.to);
        Some((origin.file, origin.place.at(Span::new(from, to)), token.ply))
    }

    /// Assigns a finding to its sheet; on the outermost sheet it keeps the path that it has in the record.
    fn place(&mut self, mut finding: Finding, root: usize) {
        let Some((file, place, ply)) = self.source(finding.place) else { return };
        finding.column = column(place);
        finding.place = place;
        finding.ply = finding.ply.and(ply);
        finding.also = finding.also.and_then(|(place, words, _)| {
            let (there, place, _) = self.source(place)?;
            (there == file).then_some((place, words, None))
        });
        if file != root {
            finding.path.clear();
        }
        if let Some(tally) = self.tallies.get_mut(&file) {
            tally.findings.push(finding);
        }
    }
}

fn text_of(parser: &Parser<'_>, span: Span) -> String {
    String::from_utf8_lossy(parser.text(span)).into_owned()
}

const fn column(place: TextSpan) -> u64 {
    place.span.from.saturating_sub(place.line_start) + 1
}

impl SheetBundle {
    /// Judges together the sheets that belong together. `reports` holds the report on each sheet as a record
    /// of its own, in the order in which sheets were added; where judging together gives another verdict, the
    /// report is replaced. Its findings then have no excerpts, and columns count bytes.
    pub fn judge(mut self, options: &Options, reports: &mut [Report]) {
        let tallies: Vec<_> =
            self.sheets.iter().map(|member| (member.file, Tally::of(&member.kept))).collect();
        let mut tallies: BTreeMap<_, _> = tallies.into_iter().collect();
        let places: BTreeMap<_, _> =
            self.sheets.iter().map(|member| (member.file, member.kept.place_of("Parent").place)).collect();
        let (roots, orphans) = self.families();
        for root in roots {
            let family = self.family(root);
            let is_linked = boards_of(&self.sheets[root].kept).is_some();
            let files = self.files(&family);
            // One sheet, and what is the same game, stand for themselves.
            if family.len() == 1 {
                continue;
            }
            match self.put_together(root) {
                Ok(whole) => {
                    let own = files.iter().filter_map(|file| tallies.remove_entry(file)).collect();
                    judge_whole(
                        &whole.items().collect::<Vec<_>>(),
                        own,
                        self.sheets[root].file,
                        options,
                        reports,
                    );
                }
                Err(problems) => {
                    problems.iter().for_each(|problem| blame(problem, reports, options));
                    for file in files.iter().filter(|_| is_linked) {
                        withhold(&mut reports[*file], places[file], &problems[0].message, options);
                    }
                }
            }
        }
        self.judge_orphans(&orphans, tallies, options, reports);
    }

    /// The indices of the sheets of a family, merged ones included.
    fn files(&self, family: &[usize]) -> Vec<usize> {
        let members = family.iter().map(|at| &self.sheets[*at]);
        members.flat_map(|member| [member.file].into_iter().chain(member.united.iter().copied())).collect()
    }

    /// Judges sheets whose outer sheets are missing, if their tag Around describes the game around them.
    fn judge_orphans(
        &mut self,
        orphans: &[Problem],
        mut tallies: BTreeMap<usize, Tally>,
        options: &Options,
        reports: &mut [Report],
    ) {
        for problem in orphans.iter().filter(|problem| problem.code != "unknown-parent") {
            blame(problem, reports, options);
        }
        for member in &self.sheets {
            if member.parent.is_some() || member.kept.tag("Parent").is_none() {
                continue;
            }
            let sheet = &member.kept.sheet();
            if is_of_a_board(sheet) {
                let why = "the outermost sheet of its game is not among these";
                withhold(&mut reports[member.file], sheet.place_of("Parent").place, why, options);
            } else if let (Some(items), Some(entry)) = (inside(sheet), tallies.remove_entry(&member.file)) {
                let own = [entry].into_iter().collect();
                judge_whole(&items, own, usize::MAX, options, reports);
            }
        }
    }
}

/// Judges a record made of sheets, and replaces their reports.
fn judge_whole(
    items: &[Item],
    tallies: BTreeMap<usize, Tally>,
    root: usize,
    options: &Options,
    reports: &mut [Report],
) {
    let rendered = text::rendered(items);
    let kept: Vec<_> = items
        .iter()
        .filter(|(node, _)| matches!(node, Node::Tag(..)))
        .map(|(_, origin)| (origin.file, origin.place.span))
        .collect();
    let mut trial = Trial { rendered: &rendered, tallies, tokens: Vec::new(), has_unjudged: false };
    let Some((whole, is_judged)) = trial.hear(options) else { return };
    for finding in whole.findings {
        trial.place(finding, root);
    }
    for (file, mut tally) in trial.tallies {
        let report = &mut reports[file];
        // Findings about a tag that only the sheet has.
        let is_left_out = |finding: &Finding| {
            let at = finding.place.span.from;
            let is_here =
                |(of, tag): &(usize, Span)| *of == file && tag.from <= at && at < tag.to.max(tag.from + 1);
            OF_TAGS.contains(&finding.code) && !kept.iter().any(is_here)
        };
        let of_tags = std::mem::take(&mut report.findings).into_iter().filter(is_left_out);
        tally.findings.extend(of_tags);
        let is_root = file == root;
        if is_root {
            (report.result, report.plies) = (whole.result.clone(), whole.plies);
            report.unjudged_from.clone_from(&whole.unjudged_from);
        } else {
            let record = report.result.record.take();
            report.result = tally.result.take().unwrap_or(GameResult { record, ..GameResult::default() });
            report.plies = tally.plies;
            report.unjudged_from = tally.unjudged;
        }
        report.notes_counted = if is_root { whole.notes_counted } else { 0 };
        let proof = EveryActJudged::if_so(if is_root { is_judged } else { report.unjudged_from.is_none() });
        settle(report, tally.findings, proof);
    }
}

/// Puts findings into a report, and the verdict that follows from them.
fn settle(report: &mut Report, mut findings: Vec<Finding>, proof: Option<EveryActJudged>) {
    findings.sort_by_key(|finding| (finding.place.span.from, finding.severity != Severity::Error));
    report.verdict = Verdict::of(&findings, proof);
    report.findings = findings;
}

/// What keeps a sheet from being judged with the others.
fn blame(problem: &Problem, reports: &mut [Report], options: &Options) {
    let Some(report) = reports.get_mut(problem.origin.file) else { return };
    let others = problem.others.iter().map(|(origin, what)| (origin, what));
    let also = others
        .filter(|(origin, _)| origin.file == problem.origin.file)
        .map(|(origin, what)| (origin.place, what.as_str().into(), None))
        .next();
    let finding = loose(problem.origin.place, problem.message.clone(), options)
        .map(|finding| Finding { also, ..finding });
    let mut findings = std::mem::take(&mut report.findings);
    findings.extend(finding);
    settle(report, findings, None);
}

/// A sheet of linked boards is not judged alone.
fn withhold(report: &mut Report, place: TextSpan, why: &str, options: &Options) {
    let own = |finding: &Finding| finding.code == &code::LOOSE_SHEET || OF_TAGS.contains(&finding.code);
    let mut findings: Vec<_> = std::mem::take(&mut report.findings).into_iter().filter(own).collect();
    if findings.iter().all(|finding| finding.code != &code::LOOSE_SHEET) {
        let message = format!("this sheet is not judged: {why}");
        findings.extend(loose(place, message, options));
    }
    report.result.judged = None;
    report.result.rule = None;
    report.unjudged_from = Some("the first move".into());
    report.notes_counted = 0;
    settle(report, findings, None);
}

fn loose(place: TextSpan, message: String, options: &Options) -> Option<Finding> {
    let severity = options.weights.of(&code::LOOSE_SHEET)?;
    Some(Finding {
        rule: Some(&common::OWN_RECORD),
        column: column(place),
        ..Finding::new(&code::LOOSE_SHEET, severity, place, message)
    })
}

/// Whether a sheet is that of one of linked boards.
fn is_of_a_board(sheet: &Sheet) -> bool {
    let step = sheet.tag("Parent").and_then(|way| way.rsplit('/').next()).unwrap_or_default();
    is_of_boards(sheet) && sheet.tag("Boards").is_none() && board_index(step.as_bytes()).is_some()
}

/// A sheet as a block in a record that starts from the position in its tag Around; `None` without a usable
/// tag.
fn inside(sheet: &Sheet) -> Option<Vec<Item>> {
    let around = sheet.tag("Around")?;
    let steps = sheet.tag("Parent")?.split('/').count().checked_sub(1)?;
    let own = sheet.tag("Rules").unwrap_or_default();
    let depth = overchess::depth(own) as usize + steps;
    let others = own.split(':').filter(|item| !item.is_empty() && !item.starts_with("depth="));
    let rules = others.map(String::from).chain([format!("depth={depth}")]).collect::<Vec<_>>().join(":");
    let ReadPosition { position, .. } =
        overchess::read(around, u8::try_from(depth).ok()?, overchess::options(&rules)).ok()?;
    let way: Vec<_> = position.path().squares().collect();
    // The record around it is on no sheet, so findings there are dropped.
    let there = Origin { file: usize::MAX, place: TextSpan::NOWHERE };
    let tag = |name: &str, value: String| (Node::Tag(name.into(), value), there);
    let head = [
        tag("Variant", Variant::Over.name().into()),
        tag("Rules", rules),
        tag("SetUp", "1".into()),
        tag("FEN", around.into()),
    ];
    let mut items: Vec<Item> = head.into_iter().collect();
    let supplied = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Rules", "Variant"];
    let supplied: Vec<_> = supplied
        .into_iter()
        .filter_map(|name| Some((name, sheet.tag(name)?.to_string())))
        .filter(|(name, value)| !matches!(*name, "White" | "Black" | "Result") || value == "?")
        .collect();
    let supplied = Supplied::to(sheet, supplied);
    let head = tags::end_of_tags(&sheet.items);
    let stays = |(at, (node, _)): &(usize, &Item)| match node {
        Node::Tag(name, value) if *at < head => supplied.keeps(name, value) == Kept::Stays,
        _ => true,
    };
    let mut own: Vec<_> =
        sheet.items.iter().enumerate().filter(stays).map(|(_, item)| item.clone()).collect();
    if !own.iter().any(|(node, _)| tags::says_something(node)) {
        own.push((Node::Result("*".into()), sheet.origin()));
    }
    items.extend(way.iter().map(|on| (Node::SubgameOpen(on.to_string()), there)));
    let end = own.last().map_or(there, |(_, origin)| *origin);
    items.extend(own);
    items.extend(way.iter().map(|_| (Node::BlockClose(Open::Subgame), end)));
    items.push((Node::Result("*".into()), there));
    Some(items)
}
