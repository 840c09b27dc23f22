//! The findings of a run, counted by their kinds.

use crate::ui::{BAD, DOUBTFUL, STRONG, shown};
use anstyle::Style;
use overboard_formats::foreign::Foreign;
use overboard_referee::{
    finding::{Code, Finding, Severity},
    report::Report,
};
use overboard_rules::refusal::counted;
use serde::Serialize;
use std::{
    cmp::Reverse,
    collections::HashMap,
    io::{self, Write},
    sync::Arc,
};

/// How often each kind of finding occurs. Takes as much memory as there are kinds, however many games there are.
#[derive(Default)]
pub struct Kinds {
    kinds: HashMap<&'static str, Kind>,
    /// Games with findings.
    games: u64,
}

/// How often a kind of finding occurs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Kind {
    /// The kind: a code that `overboard explain` explains.
    code: &'static str,
    /// The severity of these findings, under the options given.
    severity: Severity,
    /// The number of findings.
    count: u64,
    /// The number of games that have them.
    games: u64,
    /// The first of them.
    first: First,
}

/// Where a kind of finding occurs for the first time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct First {
    /// The file, as given; `-` is standard input.
    file: Foreign<Arc<str>>,
    /// The number of the game in its file, from 1; 0 for a file that cannot be read.
    game: u64,
    /// The line in the file, from 1; 0 for a file that cannot be read.
    line: u64,
}

impl Kind {
    /// A kind whose findings begin with this one, which is not counted yet.
    fn first(code: &'static str, finding: &Finding, report: &Report) -> Self {
        Self {
            code,
            severity: finding.severity,
            count: 0,
            games: 0,
            first: First {
                file: report.file.clone(),
                game: report.game,
                line: finding.place.line,
            },
        }
    }
}

impl Kinds {
    /// Counts what was found in a game.
    pub fn count(&mut self, report: &Report) {
        if report.findings.is_empty() {
            return;
        }
        self.games += 1;
        let mut of_this_game: Vec<&'static str> = Vec::new();
        for finding in &report.findings {
            let (code, count) = of(finding);
            let first = || Kind::first(code.id, finding, report);
            let kind = self.kinds.entry(code.id).or_insert_with(first);
            kind.count += count;
            kind.severity = kind.severity.max(finding.severity);
            if !of_this_game.contains(&code.id) {
                of_this_game.push(code.id);
                kind.games += 1;
            }
        }
    }

    /// The kinds: the gravest first, of these the most frequent.
    pub fn sorted(&self) -> Vec<Kind> {
        let mut kinds: Vec<_> = self.kinds.values().cloned().collect();
        kinds.sort_by_key(|kind| (Reverse(kind.severity), Reverse(kind.count), kind.code));
        kinds
    }

    /// Whether several games have findings. Of one game, the findings have just been read.
    pub const fn are_listed(&self) -> bool {
        self.games >= 2
    }

    /// Writes a line for each kind if several games have findings.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.are_listed() {
            return Ok(());
        }
        let kinds = self.sorted();
        let width = |of: &dyn Fn(&Kind) -> String| {
            kinds
                .iter()
                .map(|kind| of(kind).len())
                .max()
                .unwrap_or_default()
        };
        let severities = width(&|kind| kind.severity.to_string());
        let codes = width(&|kind| kind.code.to_owned());
        let counts = width(&|kind| kind.count.to_string());
        let strong = shown(STRONG);
        writeln!(out, "{strong}Findings by kind{strong:#}:")?;
        for kind in &kinds {
            let style = shown(style(kind.severity));
            let severity = kind.severity.to_string();
            writeln!(
                out,
                "  {style}{severity:<severities$}{style:#}  {:<codes$}  {:>counts$} in {}, first {}",
                kind.code,
                kind.count,
                counted(kind.games, "game"),
                kind.first.words()
            )?;
        }
        writeln!(out)
    }
}

impl First {
    fn words(&self) -> String {
        let file = self.file.shown();
        if self.game == 0 {
            format!("in {file}")
        } else {
            format!("in game {} at {file}:{}", self.game, self.line)
        }
    }
}

/// The kind of a finding, and how many findings it stands for.
fn of(finding: &Finding) -> (&'static Code, u64) {
    let listed = (finding.code, 1);
    finding
        .counted
        .map_or(listed, |(code, count)| (code, count.into()))
}

const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => BAD,
        Severity::Warning => DOUBTFUL,
        Severity::Note => STRONG,
    }
}
