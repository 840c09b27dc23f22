//! `check --junit`: the verdicts as a report of tests, in the XML that JUnit made common: a suite for each file, a test for
//! each game.
//!
//! A suite begins with the numbers of its tests, so its tests wait in a file without a name until all of them are known.

use super::{edition::Edition, links, sink::Sink};
use crate::{exit::CliError, grid::or_blank, input_copies::of_ours};
use overboard_formats::foreign::Foreign;
use overboard_referee::{
    finding::{Finding, Severity, Verdict},
    report::Report,
};
use std::{
    fs::File,
    io::{self, BufWriter, Seek, Write},
    path::Path,
    sync::Arc,
};

/// The verdicts, written file by file.
pub struct Junit {
    out: Sink,
    suite: Option<Suite>,
}

/// The games of a file.
struct Suite {
    file: Foreign<Arc<str>>,
    /// The tests.
    cases: BufWriter<File>,
    tests: u64,
    failures: u64,
    errors: u64,
    edition: Edition,
}

impl Junit {
    /// Begins the report.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(path: &Path) -> Result<Self, CliError> {
        let mut out = Sink::of(path)?;
        out.write_all(
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"overboard check\">\n",
        )?;
        Ok(Self { out, suite: None })
    }

    /// Adds a game.
    pub fn take(&mut self, report: &Report) -> io::Result<()> {
        if let Some(suite) = self.suite.take_if(|suite| suite.file != report.file) {
            suite.write(&mut self.out)?;
        }
        if self.suite.is_none() {
            self.suite = Some(Suite::of(report.file.clone())?);
        }
        if let Some(suite) = &mut self.suite {
            suite.take(report)?;
        }
        Ok(())
    }

    /// Ends the report.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<(), CliError> {
        if let Some(suite) = self.suite.take() {
            suite.write(&mut self.out)?;
        }
        self.out.write_all(b"</testsuites>\n")?;
        self.out.finish()
    }
}

impl Suite {
    fn of(file: Foreign<Arc<str>>) -> io::Result<Self> {
        Ok(Self {
            file,
            cases: BufWriter::new(tempfile::tempfile().map_err(of_ours)?),
            tests: 0,
            failures: 0,
            errors: 0,
            edition: Edition::default(),
        })
    }

    fn take(&mut self, report: &Report) -> io::Result<()> {
        self.edition.take(report);
        self.tests += 1;
        match report.verdict {
            Verdict::Clean => {}
            Verdict::Unreadable => self.errors += 1,
            _ => self.failures += 1,
        }
        self.cases
            .write_all(case(report).as_bytes())
            .map_err(of_ours)
    }

    fn write(self, out: &mut Sink) -> io::Result<()> {
        let Self {
            file,
            cases,
            tests,
            failures,
            errors,
            edition,
        } = self;
        writeln!(
            out,
            "<testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">",
            file.xml()
        )?;
        writeln!(
            out,
            "<properties><property name=\"judged by\" value=\"{edition}\"/></properties>"
        )?;
        let mut cases = cases
            .into_inner()
            .map_err(|error| of_ours(error.into_error()))?;
        cases.rewind().map_err(of_ours)?;
        io::copy(&mut cases, out)?;
        out.write_all(b"</testsuite>\n")
    }
}

/// The test of a game: its errors in an element for how it ended, then everything else that was found in it.
fn case(report: &Report) -> String {
    let file = report.file.xml();
    let mut text = format!("<testcase classname=\"{file}\" name=\"{}\">", name(report));
    let (errors, others): (Vec<_>, Vec<_>) = report
        .findings
        .iter()
        .partition(|finding| finding.severity == Severity::Error);
    let tag = match report.verdict {
        Verdict::Clean => None,
        Verdict::Unreadable => Some("error"),
        // The game has errors, or could not be judged to its end.
        _ => Some("failure"),
    };
    if let Some(tag) = tag {
        let (why, kind) = errors.first().map_or_else(
            || (report.verdict.to_string(), ""),
            |first| (first.message.xml(), first.code.id),
        );
        let lines = lines(&file, &errors);
        text.push_str(&format!(
            "\n<{tag} message=\"{why}\" type=\"{kind}\">{lines}</{tag}>"
        ));
    }
    if !others.is_empty() {
        let others = lines(&file, &others);
        text.push_str(&format!("\n<system-out>{others}</system-out>"));
    }
    text.push_str("</testcase>\n");
    text
}

/// `game 3: White - Black, 1-0`, as far as it is known.
fn name(report: &Report) -> String {
    if report.game == 0 {
        return "the file".into();
    }
    let mut name = format!("game {}", report.game);
    if report.players.iter().any(Option::is_some) {
        let [white, black] = report.players.each_ref().map(xml_or_unknown);
        name.push_str(&format!(": {white} - {black}"));
    }
    if let Some(result) = &report.result.record {
        name.push_str(&format!(", {}", result.xml()));
    }
    name
}

fn xml_or_unknown(player: &Option<Foreign>) -> String {
    match player {
        Some(player) => player.xml(),
        None => "?".into(),
    }
}

/// A line for each finding, such as compilers write, and where the documentation explains it.
fn lines(file: &str, findings: &[&Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        text.push('\n');
        text.push_str(&line(file, finding));
    }
    text.push('\n');
    text
}

fn line(file: &str, finding: &Finding) -> String {
    let (severity, code) = (finding.severity, finding.code.id);
    let place = match finding.place.line {
        0 => String::new(),
        line => format!("{file}:{line}:{}: ", finding.column),
    };
    let rule = finding.rule.and_then(links::of_rule);
    let rule = or_blank(rule.map(|page| format!(", {page}")));
    let (message, page) = (finding.message.xml(), links::of_code(finding.code));
    format!("{place}{severity}[{code}]: {message} ({page}{rule})")
}
