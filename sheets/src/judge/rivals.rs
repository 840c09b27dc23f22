//! Judges the sheets of a game of which both players have kept one, where the two differ: each is tried with all others.

use super::{FamilyJudge, Report, SheetBundle, add, code, forget_result, is_of_a_tag};
use crate::{
    bundle::{Member, Rival},
    packed::Packed,
};
use overboard_formats::foreign::Foreign;
use overboard_referee::{
    beside::{Fits, OtherSheet},
    finding::{Finding, Severity},
};
use overboard_rules::general as common;

/// How many pairs are tried: all sheets are judged once for each.
const TRIED: usize = 16;

/// The reports on some sheets, by the numbers of these.
type Reports = Vec<(usize, Report)>;

/// What came of trying a sheet in place of the one that it differs from.
struct Tried {
    fits: Fits,
    /// The reports with it.
    reports: Reports,
    /// The first error with each of the two.
    errors: [Option<Foreign>; 2],
}

impl<'j> FamilyJudge<'j> {
    /// Judges a family in which sheets differ from others of the same game.
    pub(super) fn judge_rivals(&mut self) {
        let pairs = self.rivals();
        if pairs.len() > TRIED {
            return self.judge_untried(&pairs);
        }
        let all_kept = self.tried(&[]);
        let mut outcomes = Vec::new();
        for (_, rival) in &pairs {
            let with_rival = self.tried(&[rival]);
            outcomes.push(weigh(&all_kept, with_rival));
        }
        let mut fitting = Vec::new();
        for (tried, (_, rival)) in outcomes.iter().zip(&pairs) {
            if tried.fits == Fits::There {
                fitting.push(*rival);
            }
        }
        let judged = match fitting.is_empty() {
            true => all_kept.clone(),
            false => self.tried(&fitting),
        };
        for (file, report) in judged {
            self.reports[file] = report;
        }
        for (tried, (member, rival)) in outcomes.iter().zip(&pairs) {
            if losers(tried.fits).len() == 2 {
                keep_what_both_say(&tried.reports, self.reports);
            }
            let files = [member.file, self.bundle.sheets[rival.at].file];
            let trials = [&all_kept, &tried.reports];
            for own in losers(tried.fits) {
                let seen = Seen {
                    rival,
                    files,
                    tried,
                    own: *own,
                };
                self.report(&seen, trials[*own]);
            }
        }
    }

    /// The sheets of a family that differ, each with the one from which it does.
    fn rivals(&self) -> Vec<(&'j Member, &'j Rival)> {
        let mut pairs = Vec::new();
        for at in &self.members {
            let member = &self.bundle.sheets[*at];
            pairs.extend(member.rivals.iter().map(|rival| (member, rival)));
        }
        pairs
    }

    /// So many sheets differ that nothing is judged: only the differences are reported.
    fn judge_untried(&mut self, pairs: &[(&Member, &Rival)]) {
        self.withhold_all(&format!(
            "more than {TRIED} pairs of sheets of this game differ"
        ));
        let untried = Tried {
            fits: Fits::Untried,
            reports: Vec::new(),
            errors: [None, None],
        };
        for (member, rival) in pairs {
            for own in [0, 1] {
                let seen = Seen {
                    rival,
                    files: [member.file, self.bundle.sheets[rival.at].file],
                    tried: &untried,
                    own,
                };
                self.report(&seen, &untried.reports);
            }
        }
    }

    /// The reports on the sheets of a family in which these stand for those that they differ from.
    fn tried(&mut self, instead: &[&Rival]) -> Reports {
        let (sheets, reports) = (&self.bundle.sheets, &mut *self.reports);
        let mut bundle = SheetBundle::new(self.bundle.limits);
        for at in &self.members {
            let member = &sheets[*at];
            let mut rivals = member.rivals.iter();
            let is_chosen = |rival: &&Rival| instead.iter().any(|other| other.at == rival.at);
            let chosen = bundle.sheets.len();
            match rivals.find(is_chosen) {
                Some(rival) => bundle.lay(rival.kept.clone(), sheets[rival.at].file),
                None => {
                    bundle.lay(member.kept.clone(), member.file);
                    let is_rival = |at: &usize| member.rivals.iter().any(|rival| rival.at == *at);
                    for merged in member.united.iter().filter(|at| !is_rival(at)) {
                        bundle.lay_merged(sheets[*merged].file, chosen);
                    }
                }
            }
        }
        let files: Vec<_> = bundle.sheets.iter().map(|member| member.file).collect();
        let mut tried: Reports = files
            .into_iter()
            .map(|file| (file, reports[file].clone()))
            .collect();
        bundle.judge(self.options, reports);
        for (file, report) in &mut tried {
            std::mem::swap(report, &mut reports[*file]);
        }
        tried
    }

    fn finding(&self, seen: &Seen<'_>) -> Option<Finding> {
        let difference = &seen.rival.difference;
        let said = &difference.said;
        let place = difference.places[seen.own].place;
        let message = format!(
            "two sheets of this game differ: {} here, {} on the other one",
            said[seen.own],
            said[seen.other()]
        );
        let found = self.found(&code::UNLIKE_SHEETS, place, message)?;
        let theirs = &self.reports[seen.files[seen.other()]];
        Some(Finding {
            rule: Some(&common::OWN_RECORD),
            other_sheet: Some(Box::new(seen.other_sheet(theirs))),
            ..found
        })
    }

    /// Reports the difference on this sheet, which is judged only up to there.
    fn report(&mut self, seen: &Seen<'_>, judged: &Reports) {
        let difference = &seen.rival.difference;
        let file = seen.files[seen.own];
        let finding = self.finding(seen);
        let report = &mut self.reports[file];
        match judged.iter().find(|(of, _)| *of == file) {
            Some((_, judged)) => *report = judged.clone(),
            // By itself it was judged as another game.
            None => report.findings.retain(is_of_a_tag),
        }
        report.unjudged_from = Some(difference.number.clone());
        forget_result(report);
        let from = difference.places[seen.own].place.span.from;
        report.findings.retain(|found| found.place.span.from < from);
        add(report, finding);
    }
}

impl SheetBundle {
    /// Adds a sheet that is already merged into another.
    fn lay_merged(&mut self, file: usize, into: usize) {
        let at = self.sheets.len();
        self.lay(Packed::default(), file);
        self.sheets[at].parent = Some(into);
        self.sheets[at].root = Some(self.root(into));
        self.sheets[into].united.push(at);
    }
}

/// Compares what is found with the sheets that were kept and with another one.
fn weigh(kept: &Reports, other: Reports) -> Tried {
    let [with_kept, with_other] = [kept, &other].map(|reports| errors(reports).count());
    let fits = match with_kept.cmp(&with_other) {
        std::cmp::Ordering::Less => Fits::Here,
        std::cmp::Ordering::Greater => Fits::There,
        std::cmp::Ordering::Equal if with_kept == 0 => Fits::Both,
        std::cmp::Ordering::Equal => Fits::Neither,
    };
    let errors = [kept, &other].map(most_telling);
    Tried {
        fits,
        reports: other,
        errors,
    }
}

/// What the first error says; rather not one that only follows from another.
fn most_telling(reports: &Reports) -> Option<Foreign> {
    let found = errors(reports).find(|finding| finding.code != &code::OPEN_PLY);
    let found = found.or_else(|| errors(reports).next());
    found.map(|finding| finding.message.clone())
}

/// Which sheets of a pair are reported: 1 is the rival.
const fn losers(fits: Fits) -> &'static [usize] {
    match fits {
        Fits::Here => &[1],
        Fits::There => &[0],
        Fits::Both | Fits::Neither | Fits::Untried => &[0, 1],
    }
}

/// The errors on some sheets.
fn errors(reports: &Reports) -> impl Iterator<Item = &Finding> {
    let findings = reports.iter().flat_map(|(_, report)| &report.findings);
    findings.filter(|finding| finding.severity == Severity::Error)
}

/// Where it is open which of two sheets is right, only what is found with either is found.
fn has_same(report: &Report, finding: &Finding) -> bool {
    let mut theirs = report.findings.iter();
    theirs.any(|their| their.code == finding.code && their.place == finding.place)
}

fn keep_what_both_say(others: &Reports, reports: &mut [Report]) {
    for (file, other) in others {
        let report = &mut reports[*file];
        report.findings.retain(|finding| has_same(other, finding));
    }
}

/// A pair of sheets that differ, as one of the two is reported on.
struct Seen<'a> {
    rival: &'a Rival,
    files: [usize; 2],
    tried: &'a Tried,
    /// Which of the two: 1 is the rival.
    own: usize,
}

impl Seen<'_> {
    const fn other(&self) -> usize {
        1 - self.own
    }

    /// The other sheet beside this one.
    fn other_sheet(&self, theirs: &Report) -> OtherSheet {
        let swapped = self.own == 1;
        let mut rows = self.rival.difference.rows.clone();
        let mut fits = self.tried.fits;
        if swapped {
            for row in &mut rows {
                std::mem::swap(&mut row.here, &mut row.there);
            }
            fits = fits.swapped();
        }
        let failing = if fits == Fits::Here {
            self.other()
        } else {
            self.own
        };
        OtherSheet {
            file: theirs.file.clone(),
            game: theirs.game,
            line: self.rival.difference.places[self.other()].place.line,
            rows,
            fits,
            else_found: self.tried.errors[failing].clone(),
        }
    }
}
